/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Probes, and receiving what a matched probe took (3.8.1 to 3.8.3). A message
 * taken is an object of its own: nobody else can receive it.
 */
#include "mpi/ft/ft.h"
#include "mpi/p2p/p2p.h"
#include "mpi/p2p/watched.h"

struct mpii_message {
    struct mpii_object object;
    struct mpii_comm *comm; /* held */
    struct mpii_p2p_arrived *arrived;
};

static int check(int source, int tag, MPI_Comm comm, struct mpii_comm **c, const char *call)
{
    MPII_TRY(mpii_check_comm(comm, c, call));
    MPII_TRY(mpii_check_rank(*c, source, true, "source", call));
    return mpii_check_tag(*c, tag, true, call);
}

static struct mpii_p2p_arrived *find(struct mpii_comm *c, int source, int tag)
{
    struct mpii_p2p_context *there = mpii_p2p_context_of(c, MPII_LANE_USER);

    if (MPT_UNLIKELY(!there))
        there = mpii_p2p_context_open(c, MPII_LANE_USER);
    return (struct mpii_p2p_arrived *)(void *)mpii_p2p_find(&there->q, source, tag);
}

/* With MPT_CHECK it may be one of a loop. */
static void in_vain(const struct mpii_comm *c, int source, int tag, const char *call)
{
    struct mpii_p2p_probing p;

    if (MPT_LIKELY(!core_params.check)) {
        mpii_test_failed(call, NULL);
        return;
    }
    p = (struct mpii_p2p_probing){call, c, source, tag, {NULL, NULL, NULL}};
    mpii_test_failed(call, mpii_p2p_probe_by(&p));
}

static struct mpii_p2p_arrived *look(struct mpii_comm *c, int source, int tag, const char *where)
{
    struct mpii_p2p_arrived *a = find(c, source, tag);

    if (!a) {
        mpii_progress();
        a = find(c, source, tag);
    }
    if (a && !a->told && core_adversary_does(CORE_ADVERSARY_TEST))
        a = NULL;
    if (a) {
        a->told = true;
        mpii_test_found();
    } else {
        in_vain(c, source, tag, where);
    }
    return a;
}

/* Nothing is there, and why nothing may come. */
static int hopeless(struct mpii_comm *c, int source, const char *call)
{
    int error = MPT_LIKELY(c->trouble == 0) ? MPI_SUCCESS : mpii_ft_recv_error(c, source);

    return MPT_LIKELY(error == MPI_SUCCESS) ? error : mpii_ft_raise(c, error, call);
}

static int wait_for(struct mpii_comm *c, int source, int tag, struct mpii_p2p_arrived **a, const char *call)
{
    struct core_waiter w;
    struct mpii_p2p_probing probing;
    char text[MPII_WHERE];

    mpii_wait_begin(&w, mpii_p2p_where(text, call, "", source, tag, c));
    if (MPT_UNLIKELY(core_params.check)) {
        if (source == MPI_ANY_SOURCE)
            mpii_depends_on_time();
        probing = (struct mpii_p2p_probing){call, c, source, tag, {NULL, NULL, NULL}};
        core_wait_by(&w, mpii_p2p_probe_by(&probing));
    }
    while (!(*a = find(c, source, tag)) &&
           (MPT_LIKELY(c->trouble == 0) || mpii_ft_recv_error(c, source) == MPI_SUCCESS))
        mpii_wait_pause(&w);
    mpii_wait_end(&w);
    if (*a)
        (*a)->told = true;
    return *a ? MPI_SUCCESS : hopeless(c, source, call);
}

static void set_status(MPI_Status *status, const struct mpii_p2p_arrived *a)
{
    mpii_status_set(status, a->mail.source, a->mail.tag, (MPI_Count)a->mail.n, false);
}

static void nobody(MPI_Status *status)
{
    mpii_status_set(status, MPI_PROC_NULL, MPI_ANY_TAG, 0, false);
}

int mpii_Probe(int source, int tag, MPI_Comm comm, MPI_Status *status)
{
    struct mpii_comm *c;
    struct mpii_p2p_arrived *a;

    MPII_TRY(check(source, tag, comm, &c, __func__));
    if (source == MPI_PROC_NULL) {
        nobody(status);
        return MPI_SUCCESS;
    }
    MPII_TRY(wait_for(c, source, tag, &a, "MPI_Probe"));
    set_status(status, a);
    return MPI_SUCCESS;
}

int mpii_Iprobe(int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status)
{
    struct mpii_comm *c;
    struct mpii_p2p_arrived *a;

    MPII_TRY(check(source, tag, comm, &c, __func__));
    MPII_TRY(mpii_check_pointer(c, flag, "flag", __func__));
    if (source == MPI_PROC_NULL) {
        *flag = 1;
        nobody(status);
        return MPI_SUCCESS;
    }
    a = look(c, source, tag, "MPI_Iprobe");
    *flag = a != NULL;
    if (!a)
        return hopeless(c, source, __func__);
    set_status(status, a);
    return MPI_SUCCESS;
}

static int take(struct mpii_comm *c, struct mpii_p2p_arrived *a, MPI_Message *message, MPI_Status *status,
                const char *call)
{
    struct mpii_message *m = mpii_object_new(MPII_MESSAGE, sizeof *m);

    if (!m)
        return mpii_error(c, MPI_ERR_NO_MEM, call, "no memory for a message handle");
    match_take(&a->context->q, &a->node);
    set_status(status, a);
    m->comm = c;
    c->anchor.object.refs++;
    m->arrived = a;
    *message = (MPI_Message)(void *)m;
    return MPI_SUCCESS;
}

int mpii_Mprobe(int source, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status)
{
    struct mpii_comm *c;
    struct mpii_p2p_arrived *a;

    MPII_TRY(check(source, tag, comm, &c, __func__));
    MPII_TRY(mpii_check_pointer(c, message, "message", __func__));
    if (source != MPI_PROC_NULL) {
        MPII_TRY(wait_for(c, source, tag, &a, "MPI_Mprobe"));
        return take(c, a, message, status, __func__);
    }
    *message = MPI_MESSAGE_NO_PROC;
    nobody(status);
    return MPI_SUCCESS;
}

int mpii_Improbe(int source, int tag, MPI_Comm comm, int *flag, MPI_Message *message, MPI_Status *status)
{
    struct mpii_comm *c;
    struct mpii_p2p_arrived *a;

    MPII_TRY(check(source, tag, comm, &c, __func__));
    MPII_TRY(mpii_check_pointer(c, flag, "flag", __func__));
    MPII_TRY(mpii_check_pointer(c, message, "message", __func__));
    *flag = 1;
    if (source == MPI_PROC_NULL) {
        *message = MPI_MESSAGE_NO_PROC;
        nobody(status);
        return MPI_SUCCESS;
    }
    a = look(c, source, tag, "MPI_Improbe");
    *flag = a != NULL;
    if (a)
        return take(c, a, message, status, __func__);
    *message = MPI_MESSAGE_NULL;
    return hopeless(c, source, __func__);
}

/* ---------------------------------------------------------- their receives -- */

/* *m NULL: MPI_MESSAGE_NO_PROC. */
static int check_message(const MPI_Message *message, struct mpii_message **m, const char *call)
{
    MPII_TRY(mpii_check_started(call));
    MPII_TRY(mpii_check_pointer(NULL, message, "message", call));
    *m = NULL;
    if (*message == MPI_MESSAGE_NO_PROC)
        return MPI_SUCCESS;
    if (*message == MPI_MESSAGE_NULL)
        return mpii_error(NULL, MPI_ERR_REQUEST, call, "message is MPI_MESSAGE_NULL");
    if ((uintptr_t)*message >= MPII_PREDEFINED_MAX)
        *m = mpii_object_of(*message, MPII_MESSAGE);
    return *m ? MPI_SUCCESS
              : mpii_error(NULL, MPI_ERR_REQUEST, call, "message is %p, which is not a message (received?)",
                           mpii_bad_handle(MPII_MESSAGE, *message));
}

/* The receive of the message, started; the handle is used up. */
static int begin(void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Message *message, struct mpii_request **r,
                 const char *name, bool blocking, const char *call)
{
    struct mpii_message *m;
    struct mpii_type *t;
    struct mpii_comm *c;

    MPII_TRY(check_message(message, &m, call));
    c = m ? m->comm : mpii_state.comm.self ? mpii_state.comm.self : NULL;
    MPII_TRY(mpii_check_count(c, count, "count", call));
    MPII_TRY(mpii_check_type(c, datatype, &t, "datatype", call));
    MPII_TRY(mpii_check_buffer(c, buf, count, t, "buf", call));
    *r = mpii_p2p_recv_new(buf, count, t, m ? MPI_ANY_SOURCE : MPI_PROC_NULL, MPI_ANY_TAG, c);
    if (!*r)
        return mpii_error(c, MPI_ERR_NO_MEM, call, "no memory for a request");
    if (MPT_UNLIKELY(core_params.check))
        mpii_p2p_asker_set(*r, name, NULL);
    *message = MPI_MESSAGE_NULL;
    if (!m) {
        mpii_p2p_recv_nothing(*r);
        return MPI_SUCCESS;
    }
    if (MPT_UNLIKELY(core_params.check))
        (blocking ? mpii_p2p_watch_recv : mpii_p2p_watch_irecv)(*r, call);
    mpii_p2p_recv_arrived(*r, m->arrived);
    mpii_object_free(m);
    mpii_comm_release(c); /* the request holds it, too */
    return MPI_SUCCESS;
}

int mpii_Mrecv(void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Message *message, MPI_Status *status)
{
    struct mpii_request *r;

    MPII_TRY(begin(buf, count, datatype, message, &r, "MPI_Mrecv", true, __func__));
    return mpii_request_finish(r, status, "MPI_Mrecv");
}

int mpii_Imrecv(void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Message *message, MPI_Request *request)
{
    struct mpii_request *r;

    MPII_TRY(mpii_check_pointer(NULL, request, "request", __func__));
    MPII_TRY(begin(buf, count, datatype, message, &r, "MPI_Imrecv", false, __func__));
    *request = mpii_request_handle(r);
    return MPI_SUCCESS;
}
