/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MPI's face to the blocks of members on one node (coll/block.h): datatypes,
 * operations of the user, messages for what does not fit, and deaths.
 */
#include "mpi/collective/coll_node.h"
#include "mpi/ft/ft.h"

/* ---- what the engine asks for ---- */

static bool tell(const struct coll_block_call *data, void *word, size_t n)
{
    const struct mpii_coll_call *c = mpii_coll_call_of(data);
    struct mpii_sched *s = mpii_sched_new(c->comm, mpii_coll_next_tag(c));
    int err;

    if (!s)
        core_fatal("%s: out of memory", data->where); /* the other ranks would wait for ever */
    mpii_build_bcast_over(s, c->comm, mpii_part_bytes(word, (MPI_Count)n), 0);
    err = mpii_sched_run(s, data->where);
    mpii_sched_free(s);
    return err == MPI_SUCCESS;
}

static void pack(void *to, struct coll_part p, int64_t offset, int64_t n)
{
    mpii_pack(to, p.at, p.count, mpii_type_of_layout(p.layout), offset, n);
}

static void unpack(struct coll_part p, int64_t offset, const void *from, int64_t n)
{
    mpii_unpack(p.at, p.count, mpii_type_of_layout(p.layout), offset, from, n);
}

static void copy(struct coll_part to, struct coll_part from)
{
    mpii_copy(to.at, to.count, mpii_type_of_layout(to.layout), from.at, from.count, mpii_type_of_layout(from.layout));
}

static struct coll_part part(const struct coll_block_call *data, const struct coll_side *side, int i)
{
    struct mpii_part p = mpii_coll_part(mpii_coll_call_of(data), side, i);

    return (struct coll_part){p.at, p.count, &p.type->layout};
}

static void join(const struct coll_block_call *data, const void *left, const void *right, void *result, int64_t count)
{
    mpii_op_join(mpii_coll_call_of(data)->op, left, right, result, count, mpii_side_type(&data->recv));
}

static int rest_tag(const struct coll_block_call *data)
{
    return mpii_coll_next_tag(mpii_coll_call_of(data));
}

static struct mpii_sched *rest_of(void **rest, const struct coll_block_call *data, int tag)
{
    if (!*rest && !(*rest = mpii_sched_new(mpii_coll_call_of(data)->comm, tag)))
        core_fatal("%s: out of memory", data->where); /* the other ranks would wait for ever */
    return *rest;
}

static void rest_send(void **rest, const struct coll_block_call *data, int tag, struct coll_part p, int to)
{
    mpii_sched_send(rest_of(rest, data, tag), mpii_part_from(p), to);
}

static void rest_recv(void **rest, const struct coll_block_call *data, int tag, struct coll_part p, int from)
{
    mpii_sched_recv(rest_of(rest, data, tag), mpii_part_from(p), from);
}

static int rest_end(void *rest, const struct coll_block_call *data)
{
    int err = mpii_sched_spoiled(rest) ? MPI_ERR_NO_MEM : mpii_sched_run(rest, data->where);

    mpii_sched_free(rest);
    return err;
}

static const struct coll_face face = {.pause = mpii_wait_pause,
                                      .may_die = &mpii_state.ft.on,
                                      .is_dead = mpii_ft_is_dead,
                                      .tell = tell,
                                      .pack = pack,
                                      .unpack = unpack,
                                      .copy = copy,
                                      .part = part,
                                      .join = join,
                                      .rest_tag = rest_tag,
                                      .rest_send = rest_send,
                                      .rest_recv = rest_recv,
                                      .rest_end = rest_end,
                                      .strange = mpii_node_strange,
                                      .strangers = mpii_node_strangers,
                                      .look = mpii_node_look};

/* ---- blocks of communicators ---- */

static struct coll_block nothing; /* of communicators that messages serve */

static bool all_on_node(const struct mpii_comm *c)
{
    return c->size > 1 && c->size <= COLL_BLOCK_MEMBERS && mpii_comm_on_node(c);
}

static struct coll_block *make(const struct mpii_coll_call *c)
{
    struct mpii_comm *comm = c->comm;
    struct coll_block *n = NULL;

    if (all_on_node(comm))
        n = coll_block_make(&c->data, &face, comm->rank, comm->size, comm->procs, &comm->trouble);
    return n ? n : &nothing;
}

struct coll_block *mpii_node_of(const struct mpii_coll_call *c)
{
    struct coll_block *n = mpii_node_made(c);

    if (MPT_UNLIKELY(!n))
        *(c->block ? c->block : &c->comm->coll) = n = make(c);
    return MPT_LIKELY(n->shared != NULL) ? n : NULL;
}

void mpii_node_forget(struct coll_block *n)
{
    if (n && n->shared)
        coll_block_forget(n);
}

void mpii_coll_forget(struct mpii_comm *c)
{
    struct coll_block *n = c->coll;

    c->coll = NULL;
    mpii_node_forget(n);
}

/* ---- running ---- */

bool mpii_node_serves(const struct mpii_coll_call *c)
{
    const struct coll_block *n = mpii_node_made(c);

    return mpii_coll_on_node(c) && ((n && n->shared) || all_on_node(c->comm));
}

__attribute__((cold)) static int class_of(int err)
{
    switch (err) {
    case COLL_TRUNCATED:
        return MPI_ERR_TRUNCATE;
    case COLL_UNEQUAL:
        return MPI_ERR_COUNT;
    case COLL_UNREACHED:
        return MPI_ERR_BUFFER;
    case COLL_DEAD:
        return MPIX_ERR_PROC_FAILED;
    case -ENOMEM:
        return MPI_ERR_NO_MEM;
    default:
        return err; /* of messages */
    }
}

int mpii_node_class(int err)
{
    return MPT_LIKELY(err == 0) ? MPI_SUCCESS : class_of(err);
}

int mpii_node_trouble(struct mpii_comm *c)
{
    if (c->trouble == 0) /* a member was seen to be dead, and the look at its communicators has not come yet */
        mpii_ft_look();
    return c->trouble != 0 ? mpii_ft_error(c) : MPIX_ERR_PROC_FAILED;
}

bool mpii_node_run(const struct mpii_coll_call *c, int *err)
{
    struct coll_block *n = mpii_node_made(c);
    bool ran;

    if (MPT_UNLIKELY(!n) && mpii_coll_on_node(c))
        n = mpii_node_of(c);
    if (!n || !n->shared)
        return false;
    mpii_node_enter(n, c, mpii_coll_what(c));
    ran = mpii_coll_run_on_node(n, c, err);
    if (MPT_LIKELY(!n->broken)) {
        if (MPT_UNLIKELY(ran && *err != 0))
            *err = class_of(*err);
        return ran;
    }
    *err = mpii_node_trouble(c->comm);
    return true;
}
