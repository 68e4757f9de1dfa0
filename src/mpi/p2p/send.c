/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sends: how a message leaves. Up to P2P_EAGER bytes travel with their head (over
 * a network more, and more still follow it unasked: core_push_try). A larger
 * standard or ready one, up to MPI_BUFFER_MAX, is copied to memory that the receiver
 * reads, and the send is done; or it is offered first (offer.c), and done when it is
 * taken or, in a wait, copied. Beyond that the receiver reads the user's memory (or,
 * of data that is not dense, its packed form).
 * What finds no room stands in line behind earlier sends to the same process.
 */
#include <errno.h>

#include "core/live/dead.h"
#include "mpi/ft/ft.h"
#include "mpi/p2p/p2p.h"

struct mpii_request *mpii_p2p_sent;
unsigned mpii_p2p_buffers_out;

/* ---------------------------------------------------- sends without a request -- */

static void buffer_done(struct core_sending *s)
{
    mpii_p2p_block_free((struct mpii_p2p_block *)(void *)s);
    mpii_p2p_buffers_out--;
}

static void on_buffer_ended(struct core_sending *s)
{
    mpii_p2p_on_ended(s, buffer_done);
}

/* The block is on its way, or still the caller's. */
static int post_block(struct mpii_p2p_block *b, const struct mpii_p2p_head *h, int proc, size_t n)
{
    int err = mpii_p2p_wire_far(proc, MPII_CHANNEL_MESSAGE, h, P2P_LONG, b->data, n, &b->sending, on_buffer_ended);

    mpii_p2p_buffers_out += err == 0; /* its end comes later, while the lock is ours */
    return err;
}

size_t mpii_p2p_unbuffered;
unsigned mpii_p2p_not_quick;

void mpii_p2p_buffering_changed(void)
{
    static bool counted;
    size_t most = core_params.mpi_buffer_max < CORE_SEND_MAX - P2P_SHORT ? core_params.mpi_buffer_max : CORE_SEND_MAX - P2P_SHORT;

    mpii_p2p_unbuffered = core_params.mpi_buffer_max ? most + 1 : 0;
    mpii_p2p_not_quick -= counted;
    counted = mpii_p2p_unbuffered <= CORE_SEND_MAX - P2P_SHORT;
    mpii_p2p_not_quick += counted;
}

/* A network takes more with the head than a node's channel. */
static bool fits_wire(size_t n, int proc)
{
    return MPT_UNLIKELY(core_net_on) && proc < core_size() && n <= core_send_most(proc) - P2P_LONG;
}

/* Over a network: it sets out before the receiver asks. The send is done then, so only where some are buffered. */
static bool may_push(const struct mpii_type *t, size_t n, int proc)
{
    return MPT_UNLIKELY(core_net_on) && t->dense && core_params.mpi_buffer_max > 0 && proc < core_size() && n <= core_push_most(proc);
}

static int send_buffered_at_once(const void *buf, MPI_Count count, struct mpii_type *t, const struct mpii_p2p_head *h, int proc, size_t n,
                                 enum mpii_p2p_patience patience)
{
    struct mpii_p2p_block *b;

    if (t->dense && mpii_p2p_may_buffer(n) && fits_wire(n, proc))
        return mpii_p2p_wire_send(proc, MPII_CHANNEL_MESSAGE, h, P2P_SHORT, buf, n) != 0;
    if (may_push(t, n, proc) && mpii_p2p_wire_push(proc, h, P2P_SHORT, buf, n) == 0)
        return 0;
    if (!mpii_p2p_may_buffer(n))
        return 1;
    if (patience == P2P_MAY_WAIT && t->dense && mpii_p2p_send_offer(buf, h, proc, n) == 0)
        return 0;
    if (patience == P2P_MAY_LAST && t->dense && mpii_p2p_may_hold(buf, n, proc))
        return 1;
    b = mpii_p2p_block_get(n);
    if (!b)
        return 1;
    mpii_pack(b->data, buf, count, t, 0, (MPI_Count)n);
    if (post_block(b, h, proc, n) == 0)
        return 0;
    mpii_p2p_block_free(b);
    return 1;
}

int mpii_p2p_send_at_once(const void *buf, MPI_Count count, struct mpii_type *t, int dest, int tag, struct mpii_comm *c,
                          enum mpii_lane lane, enum mpii_p2p_patience patience)
{
    struct mpii_p2p_head h = {.context = c->context + lane, .tag = tag, .source = c->rank, .id = 0};
    size_t n = (size_t)mpii_p2p_bytes(count, t);
    int proc = c->procs[dest];

    if (mpii_p2p_must_wait(proc) || MPT_UNLIKELY(c->trouble != 0))
        return 1;
    if (MPT_LIKELY(t->dense && n <= CORE_SEND_MAX - P2P_SHORT) && (n < mpii_p2p_unbuffered || patience == P2P_AT_ONCE))
        return mpii_p2p_wire_send(proc, MPII_CHANNEL_MESSAGE, &h, P2P_SHORT, buf, n) != 0;
    if (n > CORE_SEND_MAX - P2P_SHORT)
        return send_buffered_at_once(buf, count, t, &h, proc, n, patience);
    return 1;
}

/* ------------------------------------------------------------------ requests -- */

static void leave_block(struct mpii_p2p_send *s)
{
    if (s->block)
        mpii_p2p_block_free(s->block);
    s->block = NULL;
    s->laid = false;
}

/* The request may be persistent, and live long: others need what its block takes. */
static void sending_done(struct core_sending *s)
{
    struct mpii_p2p_send *own = (struct mpii_p2p_send *)(void *)((char *)s - offsetof(struct mpii_p2p_send, sending));

    leave_block(own);
    mpii_request_done(mpii_p2p_request_of(own), own->fate);
}

void mpii_p2p_on_sending_ended(struct core_sending *s)
{
    mpii_p2p_on_ended(s, sending_done);
}

static bool is_standard(const struct mpii_p2p_send *s)
{
    return s->mode == MPII_STANDARD || s->mode == MPII_READY;
}

static bool is_buffered(const struct mpii_p2p_send *s)
{
    return is_standard(s) && mpii_p2p_may_buffer(s->n);
}

static int push_eager(struct mpii_request *r, const struct mpii_p2p_head *h)
{
    struct mpii_p2p_send *s = mpii_p2p_send_in(r);
    unsigned char packed[CORE_SEND_MAX];
    const void *data = s->buf;
    bool wants_answer = s->mode == MPII_SYNCHRONOUS || (is_standard(s) && !r->internal && !mpii_p2p_may_buffer(s->n));
    int err;

    if (!s->type->dense) {
        mpii_pack(packed, s->buf, s->count, s->type, 0, (MPI_Count)s->n);
        data = packed;
    }
    err = mpii_p2p_wire_send(s->proc, MPII_CHANNEL_MESSAGE, h, wants_answer ? P2P_LONG : P2P_SHORT, data, s->n);
    s->out = err == 0 && wants_answer;
    if (err == 0 && !wants_answer)
        mpii_request_done(r, MPI_SUCCESS);
    return err;
}

/* A block holds the body when it is buffered or not dense. */
static int prepare_block(struct mpii_p2p_send *s, bool *buffered)
{
    *buffered = is_buffered(s);
    if (s->block || (!*buffered && s->type->dense))
        return 0;
    s->block = mpii_p2p_block_get(s->n);
    *buffered &= s->block != NULL;
    if (!s->block && s->type->dense)
        return 0;
    if (!s->block && !(s->block = mpii_p2p_block_need(s->n)))
        return -ENOMEM;
    mpii_pack(s->block->data, s->buf, s->count, s->type, 0, (MPI_Count)s->n);
    return 0;
}

int mpii_p2p_push_far(struct mpii_request *r, const struct mpii_p2p_head *h)
{
    struct mpii_p2p_send *s = mpii_p2p_send_in(r);
    bool buffered;
    int err = prepare_block(s, &buffered);

    if (err != 0)
        return err;
    if (buffered) {
        struct mpii_p2p_head head = *h;

        head.id = 0; /* the request ends before the message: nobody asks for it back */
        if ((err = post_block(s->block, &head, s->proc, s->n)) == 0) {
            s->block = NULL;
            mpii_request_done(r, MPI_SUCCESS);
        }
        return err;
    }
    s->out = true; /* a body of our own may have been taken on return */
    err = mpii_p2p_wire_far(s->proc, MPII_CHANNEL_MESSAGE, h, P2P_LONG, s->block ? s->block->data : s->buf, s->n, &s->sending,
                            mpii_p2p_on_sending_ended);
    s->out = err == 0;
    return err;
}

static int push_unasked(struct mpii_request *r, const struct mpii_p2p_head *h)
{
    struct mpii_p2p_send *s = mpii_p2p_send_in(r);
    int err = mpii_p2p_wire_push(s->proc, h, P2P_SHORT, s->buf, s->n);

    if (err == 0) {
        leave_block(s); /* of an earlier try */
        mpii_request_done(r, MPI_SUCCESS);
    }
    return err == -ENOBUFS ? mpii_p2p_push_far(r, h) : err;
}

/* One that the user waits for. */
static bool may_hold(struct mpii_request *r)
{
    const struct mpii_p2p_send *s = mpii_p2p_send_in(r);

    return !r->internal && is_buffered(s) && s->type->dense && !s->block;
}

static int push(struct mpii_request *r)
{
    struct mpii_p2p_send *s = mpii_p2p_send_in(r);
    int err;
    struct mpii_p2p_head h = {.context = r->comm->context + s->lane, .tag = r->tag, .source = r->comm->rank, .id = (uintptr_t)r};

    if (s->n <= P2P_EAGER || (s->type->dense && is_buffered(s) && fits_wire(s->n, s->proc)))
        return push_eager(r, &h);
    if (is_standard(s) && may_push(s->type, s->n, s->proc))
        return push_unasked(r, &h);
    if (may_hold(r) && (err = mpii_p2p_offer_hold(r, &h)) <= 0)
        return err;
    return mpii_p2p_may_lay(s) ? mpii_p2p_push_laid(r, &h) : mpii_p2p_push_far(r, &h);
}

/* ------------------------------------------------------------- those in line -- */

static struct mpii_request *line, **line_last = &line;
static unsigned line_procs; /* to so many processes */

static void count_in(struct mpii_p2p_send *s)
{
    s->in_line = true;
    mpii_p2p_waiting++;
    mpii_p2p_not_quick++;
    if (mpii_p2p_line_of(s->proc)->waiting++ == 0)
        line_procs++;
}

static void leave_line(struct mpii_request **at)
{
    struct mpii_request *r = *at;
    struct mpii_p2p_send *s = mpii_p2p_send_in(r);

    *at = s->next;
    if (line_last == &s->next)
        line_last = at;
    s->in_line = false;
    mpii_p2p_waiting--;
    mpii_p2p_not_quick--;
    if (--mpii_p2p_line_of(s->proc)->waiting == 0)
        line_procs--;
}

static int wire_error(int err)
{
    return err == -ENOMEM ? MPI_ERR_NO_MEM : err == -EPIPE && mpii_ft_on ? MPIX_ERR_PROC_FAILED : MPI_ERR_INTERN;
}

/* Until nobody takes more: thousands may stand here. */
static void step_line(struct mpii_task *task)
{
    static unsigned pass;
    struct mpii_request **at = &line, *r;
    unsigned stuck = 0;

    pass++;
    while ((r = *at) && stuck < line_procs) {
        struct mpii_p2p_send *s = mpii_p2p_send_in(r);
        struct mpii_p2p_line *l = mpii_p2p_line_of(s->proc);
        int err = -EAGAIN;

        if (l->stamp != pass) {
            leave_line(at); /* push may end the request, and so free it */
            err = push(r);
            if (err == -EAGAIN) { /* back to its place */
                s->next = *at;
                *at = r;
                if (!s->next)
                    line_last = &s->next;
                count_in(s);
                l->stamp = pass;
                stuck++;
            } else if (err != 0) {
                mpii_request_done(r, wire_error(err));
            }
        }
        if (err == -EAGAIN)
            at = &s->next;
    }
    if (!line)
        mpii_task_remove(task);
}

static struct mpii_task line_task = {.step = step_line};

static void enter_line(struct mpii_request *r)
{
    struct mpii_p2p_send *s = mpii_p2p_send_in(r);

    if (!line)
        mpii_task_add(&line_task);
    s->next = NULL;
    *line_last = r;
    line_last = &s->next;
    count_in(s);
}

/* --------------------------------------------------------------- the request -- */

static int what_hinders(const struct mpii_request *r)
{
    const struct mpii_p2p_send *s = (const struct mpii_p2p_send *)(const void *)r->own;

    return mpii_p2p_is_together(r, s->lane, r->tag) ? mpii_ft_error(r->comm) : mpii_ft_send_error(r->comm, s->proc);
}

void mpii_p2p_send_start(struct mpii_request *r)
{
    struct mpii_p2p_send *s = mpii_p2p_send_in(r);
    int err = -EAGAIN;

    s->in_line = s->out = false;
    s->fate = MPI_SUCCESS;
    leave_block(s); /* of a start that was cancelled in line */
    if (s->dest == MPI_PROC_NULL) {
        mpii_request_done(r, MPI_SUCCESS);
        return;
    }
    if (MPT_UNLIKELY(r->comm->trouble != 0) && (err = what_hinders(r)) != MPI_SUCCESS) {
        mpii_request_done(r, err);
        return;
    }
    err = -EAGAIN;
    if (!mpii_p2p_must_wait(s->proc))
        err = push(r);
    if (err == -EAGAIN)
        enter_line(r);
    else if (err != 0)
        mpii_request_done(r, wire_error(err));
}

static int start(struct mpii_request *r)
{
    mpii_p2p_send_start(r);
    return MPI_SUCCESS;
}

static void leave_the_line(struct mpii_request *r)
{
    struct mpii_request **at = &line;

    while (*at != r)
        at = &mpii_p2p_send_in(*at)->next;
    leave_line(at);
}

static void ask_back(struct mpii_request *r)
{
    struct mpii_p2p_send *s = mpii_p2p_send_in(r);

    if (!s->out)
        return;
    s->out = false; /* asked once */
    mpii_p2p_say(s->proc, &(struct mpii_p2p_control){P2P_CANCEL, 0, (uintptr_t)r, r->comm->context + s->lane});
}

/* Of a message that the peer may still hold unmatched, it is asked back. */
static int cancel(struct mpii_request *r)
{
    struct mpii_p2p_send *s = mpii_p2p_send_in(r);

    if (r->done || r->cancelled)
        return MPI_SUCCESS;
    if (s->in_line) {
        leave_the_line(r);
        r->cancelled = true;
        mpii_request_done(r, MPI_SUCCESS);
        return MPI_SUCCESS;
    }
    ask_back(r);
    return MPI_SUCCESS;
}

/* What a receiver that lives may be reading is the user's again when it has answered. */
void mpii_p2p_send_fail(struct mpii_request *r, int error)
{
    struct mpii_p2p_send *s = mpii_p2p_send_in(r);
    bool dead = mpii_ft_dead(s->proc);

    if (s->in_line) {
        leave_the_line(r);
    } else if (!dead) {
        if (!mpii_p2p_is_offer(r)) { /* those end by themselves, soon */
            s->fate = (uint8_t)error;
            ask_back(r);
        }
        return;
    } else if (mpii_p2p_offer_end(r, error)) {
        return;
    } else if (s->n > P2P_EAGER && s->proc < core_size()) {
        core_sending_drop(&s->sending);
    }
    leave_block(s);
    mpii_request_done(r, error);
}

static void troubled(struct mpii_request *r)
{
    int error = what_hinders(r);

    if (error != MPI_SUCCESS)
        mpii_p2p_send_fail(r, error);
}

void mpii_p2p_on_cancelled(int from, const struct mpii_p2p_control *c, const struct core_mail *mail);
void mpii_p2p_on_cancelled(int from, const struct mpii_p2p_control *c, const struct core_mail *mail)
{
    struct mpii_request *r = (struct mpii_request *)(uintptr_t)c->id;

    (void)from, (void)mail;
    if (!c->arg)
        return;
    r->cancelled = mpii_p2p_send_in(r)->fate == MPI_SUCCESS;
    if (mpii_p2p_send_in(r)->n <= P2P_EAGER)
        mpii_request_done(r, mpii_p2p_send_in(r)->fate); /* else the end of its body comes next */
}

static void send_free(struct mpii_request *r)
{
    struct mpii_p2p_send *s = mpii_p2p_send_in(r);

    leave_block(s);
    mpii_p2p_type_release(s->type);
}

const struct mpii_request_ops mpii_p2p_send_ops =
    {.what = "send", .start = start, .cancel = cancel, .free = send_free, .troubled = troubled};

struct mpii_request *mpii_p2p_send_new(const void *buf, MPI_Count count, struct mpii_type *t, int dest, int tag, struct mpii_comm *c,
                                       enum mpii_lane lane, int mode)
{
    struct mpii_request *r = mpii_p2p_request_new(&mpii_p2p_send_ops, c);
    struct mpii_p2p_send *s;

    if (!r)
        return NULL;
    s = mpii_p2p_send_in(r);
    s->buf = buf;
    s->count = count;
    s->type = t;
    s->n = (size_t)mpii_p2p_bytes(count, t);
    s->dest = dest;
    s->proc = dest == MPI_PROC_NULL ? -1 : c->procs[dest];
    s->mode = mode;
    s->lane = (uint8_t)lane;
    s->block = NULL;
    s->in_line = s->out = s->laid = false;
    s->fate = MPI_SUCCESS;
    r->tag = tag;
    mpii_p2p_type_hold(t);
    return r;
}

int mpii_isend(const void *buf, MPI_Count count, struct mpii_type *t, int dest, int tag, struct mpii_comm *comm,
               enum mpii_lane lane, enum mpii_mode mode, struct mpii_request **r)
{
    *r = mpii_p2p_send_new(buf, count, t, dest, tag, comm, lane, (int)mode);
    if (!*r)
        return MPI_ERR_NO_MEM;
    (*r)->internal = true;
    mpii_p2p_send_start(*r);
    return MPI_SUCCESS;
}

int mpii_send_bytes(const void *buf, size_t n, int dest, int tag, struct mpii_comm *comm, enum mpii_lane lane)
{
    struct mpii_request *r;

    MPII_TRY(mpii_isend(buf, (MPI_Count)n, mpii_type_of(MPI_BYTE), dest, tag, comm, lane, MPII_STANDARD, &r));
    return mpii_request_wait(r, NULL);
}
