/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What is left at the end of MPI (leaks.h): objects by the lines that made them, so that thousands from one loop are
 * one finding.
 */
#include "mpi/start/leaks.h"

#include <stdlib.h>
#include <string.h>

#include "mpi/ft/ft.h"
#include "mpi/mpii.h"
#include "mpi/p2p/p2p.h"
#include "mpi/request/request.h"
#include "mpi/rt/ledger.h"

static const struct sort {
    enum mpii_kind kind;
    const char *one, *many;
    const char *free;
    bool outlives; /* MPI: to free it before the process exits is early enough (MPI-5.0, 11.4.1) */
} sorts[] = {
    {MPII_COMM, "communicator", "communicators", "MPI_Comm_free", false},
    {MPII_WIN, "window", "windows", "MPI_Win_free", false},
    {MPII_FILE, "file", "files", "MPI_File_close", false},
    {MPII_TYPE, "datatype", "datatypes", "MPI_Type_free", false},
    {MPII_GROUP, "group", "groups", "MPI_Group_free", false},
    {MPII_OP, "operation", "operations", "MPI_Op_free", false},
    {MPII_ERRHANDLER, "error handler", "error handlers", "MPI_Errhandler_free", true},
    {MPII_INFO, "info object", "info objects", "MPI_Info_free", true},
    {MPII_SESSION, "session", "sessions", "MPI_Session_finalize", true},
};

/* Objects of one kind made by one call. */
struct left {
    const struct mpii_entry *first;
    const void *object;
    unsigned n;
};
enum { LINES = 64 };

static unsigned gather(enum mpii_kind kind, struct left *lines, bool (*counts)(const void *object))
{
    unsigned n = 0;

    for (void *o = mpii_ledger_next(kind, NULL); o; o = mpii_ledger_next(kind, o)) {
        const struct mpii_entry *e = mpii_ledger_of(kind, o);
        unsigned i = 0;

        if (!counts(o))
            continue;
        while (i < n && (lines[i].first->site != e->site || lines[i].first->call != e->call))
            i++;
        if (i == LINES)
            continue;
        if (i == n)
            lines[n++] = (struct left){e, o, 0};
        lines[i].n++;
    }
    return n;
}

static bool always(const void *object)
{
    (void)object;
    return true;
}

static void say_object(const struct sort *s, const struct left *l, const char *call)
{
    struct core_finding f;

    core_finding_begin(&f, CORE_FINDING_RESOURCE, "MPI-5.0, 11.2.2", "%s: %u %s by %s %s never freed", call, l->n,
                       l->n > 1 ? s->many : s->one, l->first->call, l->n > 1 ? "were" : "was");
    core_finding_at(&f, core_me(), l->first->site, "%s", l->first->call);
    core_finding_advise(&f, "free %s before the end (%s)", l->n > 1 ? "them" : "it", s->free);
    core_finding_end(&f);
}

/* -------------------------------------------------------------- requests -- */

static bool is_active(const void *object)
{
    const struct mpii_request *r = object;

    return r->object.kind == MPII_REQUEST && (r->active || !r->persistent);
}

static bool is_idle(const void *object)
{
    const struct mpii_request *r = object;

    return r->object.kind == MPII_REQUEST && !r->active && r->persistent;
}

/* " from rank 1 with tag 7" */
static const char *peer(const struct mpii_request *r, char *text, size_t n)
{
    int rank = MPI_PROC_NULL, tag = 0;

    text[0] = 0;
    if (r->ops == &mpii_p2p_recv_ops) {
        rank = ((const struct mpii_p2p_recv *)(const void *)r->own)->node.source;
        tag = ((const struct mpii_p2p_recv *)(const void *)r->own)->node.tag;
    } else if (r->ops == &mpii_p2p_send_ops) {
        rank = ((const struct mpii_p2p_send *)(const void *)r->own)->m.dest;
        tag = r->tag;
    }
    if (rank == MPI_ANY_SOURCE)
        snprintf(text, n, " from any rank");
    else if (rank >= 0)
        snprintf(text, n, " %s rank %d", r->ops == &mpii_p2p_recv_ops ? "from" : "to", rank);
    if (text[0] && tag >= 0)
        snprintf(text + strlen(text), n - strlen(text), " with tag %d", tag);
    return text;
}

/* A receive that nothing came for, too: nobody waits for it. */
static bool is_unmatched(const struct mpii_request *r)
{
    return r->ops == &mpii_p2p_recv_ops && !r->done;
}

static void say_request(const struct left *l, bool active, const char *call)
{
    const struct mpii_request *r = l->object;
    const struct mpii_entry *e = l->first;
    struct core_finding f;
    char text[64];

    if (active)
        core_finding_begin(&f, CORE_FINDING_REQUEST, "MPI-5.0, 3.7.3 and 11.2.2",
                           "%s: %u request%s of %s %s never completed%s", call, l->n, l->n > 1 ? "s" : "", e->call,
                           l->n > 1 ? "were" : "was", is_unmatched(r) ? "; no message has come for it" : "");
    else
        core_finding_begin(&f, CORE_FINDING_REQUEST, "MPI-5.0, 3.9", "%s: %u persistent request%s of %s %s never freed",
                           call, l->n, l->n > 1 ? "s" : "", e->call, l->n > 1 ? "were" : "was");
    core_finding_at(&f, core_me(), e->site, "%s%s", e->call, peer(r, text, sizeof text));
    if (active && e->started)
        core_finding_at(&f, core_me(), e->started, "started here");
    core_finding_advise(&f, active ? "complete it (MPI_Wait, MPI_Test)" : "free it (MPI_Request_free)");
    core_finding_end(&f);
}

/* The program has freed it before it was complete (which it may), and nothing has come: it is there for ever. */
static void say_freed(const struct mpii_request *r)
{
    const struct mpii_entry *e = mpii_ledger_of(MPII_REQUEST, r);
    struct core_finding f;
    char text[64];

    if (r->object.kind != MPII_FREED || !e || !is_unmatched(r) ||
        !((const struct mpii_p2p_recv *)(const void *)r->own)->context) /* it is being fetched */
        return;
    core_finding_begin(&f, CORE_FINDING_REQUEST, "MPI-5.0, 3.7.3 and 11.2.2",
                       "MPI_Finalize: no message has come for a receive whose request was freed");
    core_finding_at(&f, core_me(), e->site, "%s%s", e->call, peer(r, text, sizeof text));
    if (e->end)
        core_finding_at(&f, core_me(), e->end, "it was freed here");
    core_finding_advise(&f, "cancel it (MPI_Cancel) before its request is freed");
    core_finding_end(&f);
}

static void say_message(const struct left *l, const char *call)
{
    struct core_finding f;

    core_finding_begin(&f, CORE_FINDING_UNRECEIVED, "MPI-5.0, 3.8.2",
                       "%s: %u message%s matched by %s %s never received", call, l->n, l->n > 1 ? "s" : "",
                       l->first->call, l->n > 1 ? "were" : "was");
    core_finding_at(&f, core_me(), l->first->site, "%s", l->first->call);
    core_finding_advise(&f, "receive it (MPI_Mrecv)");
    core_finding_end(&f);
}

static void say_objects(bool outlives, const char *call)
{
    struct left lines[LINES];

    for (size_t s = 0; s < sizeof sorts / sizeof *sorts; s++) {
        unsigned n = sorts[s].outlives == outlives ? gather(sorts[s].kind, lines, always) : 0;

        for (unsigned i = 0; i < n; i++)
            say_object(&sorts[s], &lines[i], call);
    }
}

void mpii_leaks_tell(const char *call)
{
    struct left lines[LINES];
    unsigned n = gather(MPII_REQUEST, lines, is_active);

    for (unsigned i = 0; i < n; i++)
        say_request(&lines[i], true, call);
    n = gather(MPII_REQUEST, lines, is_idle);
    for (unsigned i = 0; i < n; i++)
        say_request(&lines[i], false, call);
    n = gather(MPII_MESSAGE, lines, always);
    for (unsigned i = 0; i < n; i++)
        say_message(&lines[i], call);
    say_objects(false, call);
}

void mpii_leaks_tell_at_exit(void)
{
    say_objects(true, "exit");
}

/* -------------------------------------------------------------- messages -- */

/* A message from each process to each: nobody's overtakes another of its own, so all that were sent before are here
 * then. False: that cannot be, for a process is dead, or memory is out. */
static bool meet(struct mpii_comm *world)
{
    enum { TAG = MPII_SETUP_TAG | 0x3fffffff };
    struct mpii_request **r = calloc(2 * (size_t)world->size, sizeof *r);
    struct mpii_type *byte = mpii_type_of(MPI_BYTE);
    bool fine = r != NULL;

    for (int i = 0; fine && i < world->size; i++) {
        fine = mpii_irecv(NULL, 0, byte, i, TAG, world, MPII_LANE_SETUP, &r[2 * i]) == MPI_SUCCESS;
        fine = fine &&
               mpii_isend(NULL, 0, byte, i, TAG, world, MPII_LANE_SETUP, MPII_STANDARD, &r[2 * i + 1]) == MPI_SUCCESS;
    }
    for (int i = 0; r && i < 2 * world->size; i++)
        if (r[i]) {
            mpii_request_await(r[i], "MPI_Finalize");
            fine = mpii_request_end(r[i]) == MPI_SUCCESS && fine;
        }
    free(r);
    return fine;
}

void mpii_leaks_tell_messages(void)
{
    if (mpii_state.ft.on || mpii_state.comm.world->trouble != 0 || !meet(mpii_state.comm.world))
        return;
    mpii_p2p_tell_all_unreceived();
    for (const struct mpii_request *r = mpii_request_next(NULL); r; r = mpii_request_next(r))
        say_freed(r);
}
