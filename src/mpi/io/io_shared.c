/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The shared file pointer (14.4.4): a word of rank 0. Members on rank 0's node add
 * to it directly when all are there; else they ask rank 0, whose hook answers.
 */
#include <stdlib.h>

#include "mpi/io/io.h"

enum { ASK = 1, ANSWER = 2 }; /* tags, on lane SETUP of the file's own communicator */

struct mpii_io_shared {
    struct mpii_hook hook; /* first */
    struct mpii_comm *comm;
    int64_t *word; /* NULL: ask */
    struct mpii_request *asked;
    int64_t ask[2]; /* what to add; who asks */
};

struct answer {
    int64_t value;
};

static void answered(struct mpii_request *r)
{
    free(r->then_arg);
}

static void answer(struct mpii_io_shared *s, int rank, int64_t value)
{
    struct answer *a = malloc(sizeof *a);
    struct mpii_request *r;

    if (!a)
        core_fatal("MPI_File: out of memory for the shared file pointer");
    a->value = value;
    if (mpii_isend(&a->value, sizeof a->value, mpii_type_of(MPI_BYTE), rank, ANSWER, s->comm, MPII_LANE_SETUP,
                   MPII_STANDARD, &r) != MPI_SUCCESS) {
        free(a);
        return;
    }
    if (r->done) {
        mpii_request_end(r);
        free(a);
        return;
    }
    r->then = answered;
    r->then_arg = a;
    r->freed = true; /* goes away when done */
}

static void listen(struct mpii_io_shared *s)
{
    if (mpii_irecv(s->ask, sizeof s->ask, mpii_type_of(MPI_BYTE), MPI_ANY_SOURCE, ASK, s->comm, MPII_LANE_SETUP,
                   &s->asked) != MPI_SUCCESS)
        core_fatal("MPI_File: out of memory for the shared file pointer");
}

static int64_t add(struct mpii_io_shared *s, int64_t n)
{
    return __atomic_fetch_add(s->word, n, __ATOMIC_ACQ_REL);
}

static void serve(struct mpii_hook *hook)
{
    struct mpii_io_shared *s = (struct mpii_io_shared *)(void *)hook;

    while (s->asked && s->asked->done) {
        int64_t n = s->ask[0], rank = s->ask[1];

        mpii_request_end(s->asked);
        s->asked = NULL;
        answer(s, (int)rank, add(s, n));
        listen(s);
    }
}

/* ---------------------------------------------------------------- life -- */

static int attach(struct mpii_file *f, bool near)
{
    struct mpii_io_shared *s = f->shared;
    uint64_t at = 0;

    if (near) {
        if (f->comm->rank == 0)
            at = core_arena_offset(s->word);
        MPII_TRY(mpii_coll_bcast(f->comm, &at, sizeof at, 0));
        if (f->comm->rank > 0)
            s->word = core_arena_at(f->comm->procs[0], at);
        return MPI_SUCCESS;
    }
    s->hook.step = serve;
    if (f->comm->rank > 0 || f->comm->size == 1)
        return MPI_SUCCESS;
    mpii_hook_add(&s->hook);
    listen(s);
    return MPI_SUCCESS;
}

int mpii_io_shared_init(struct mpii_file *f)
{
    int64_t rndv = !mpii_comm_on_node(f->comm), err = MPI_SUCCESS;

    f->shared = calloc(1, sizeof *f->shared);
    if (f->shared)
        f->shared->comm = f->comm;
    else
        err = MPI_ERR_NO_MEM;
    if (f->comm->rank == 0 && f->shared) {
        f->shared->word = core_arena_alloc(sizeof *f->shared->word, 0);
        if (f->shared->word)
            *f->shared->word = 0;
        else
            err = MPI_ERR_NO_MEM;
    }
    if (err != MPI_SUCCESS)
        mpii_error(&mpii_file_null, MPI_ERR_NO_MEM, "mpii_File_open", "no memory for the shared file pointer");
    err = mpii_io_agree(&mpii_file_null, f->comm, (int)err, "mpii_File_open");
    if (err == MPI_SUCCESS && f->comm->size > 1)
        err = mpii_coll_allreduce(f->comm, &rndv, 1, MPI_MAX);
    if (err == MPI_SUCCESS)
        err = attach(f, !rndv);
    if (err != MPI_SUCCESS && f->shared) {
        if (f->comm->rank == 0)
            core_arena_free(f->shared->word);
        free(f->shared);
        f->shared = NULL;
    }
    return (int)err;
}

void mpii_io_shared_finish(struct mpii_file *f)
{
    struct mpii_io_shared *s = f->shared;
    int err = mpii_coll_barrier(f->comm);

    if (f->comm->rank == 0 && s->asked) {
        int64_t stop[2] = {0};

        mpii_hook_remove(&s->hook); /* the last question is our own: it ends the receive */
        mpii_send_bytes(stop, sizeof stop, 0, ASK, f->comm, MPII_LANE_SETUP);
        mpii_request_wait(s->asked, NULL);
    }
    if (f->comm->rank == 0 && err == MPI_SUCCESS) /* else others may use it still */
        core_arena_free(s->word);
    free(s);
    f->shared = NULL;
}

/* ----------------------------------------------------------------- use -- */

MPI_Offset mpii_io_shared_add(struct mpii_file *f, MPI_Offset etypes)
{
    struct mpii_io_shared *s = f->shared;
    int64_t ask[2] = {etypes, f->comm->rank}, value = 0;

    mpii_depends_on_time(); /* who comes first */
    if (s->word)
        return add(s, etypes);
    mpii_send_bytes(ask, sizeof ask, 0, ASK, f->comm, MPII_LANE_SETUP);
    mpii_recv_bytes(&value, sizeof value, 0, ANSWER, f->comm, MPII_LANE_SETUP);
    return value;
}

void mpii_io_shared_set(struct mpii_file *f, MPI_Offset value)
{
    __atomic_store_n(f->shared->word, value, __ATOMIC_RELEASE);
}
