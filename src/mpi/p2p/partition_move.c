/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Partitioned communication: how the sides meet and how partitions travel. The
 * counts may differ: bytes count, and a partition of the receiver has arrived
 * when all of the sender's that lie in it have.
 */
#include <errno.h>

#include "core/live/dead.h"
#include "mpi/check/watch.h"
#include "mpi/ft/ft.h"
#include "mpi/p2p/partition.h"
#include "mpi/rt/inbox.h"

/* The side that a word of the peer names; NULL: it was freed. */
static struct mpii_partition *named(uint64_t id, uint32_t serial, const struct mpii_request_ops *ops)
{
    struct mpii_request *r = mpii_request_named((uintptr_t)id);
    struct mpii_partition *p = r && r->ops == ops ? mpii_partition_in(r) : NULL;

    return p && p->serial == serial ? p : NULL;
}

/* ---------------------------------------------------------------- the sender -- */

static void meeting_over(struct mpii_request *meeting)
{
    if (mpii_request_is_lost(meeting))
        core_fatal("out of memory for a partitioned send");
    ((struct mpii_partition *)meeting->then_arg)->meeting = NULL;
}

void mpii_partition_send_meet(struct mpii_partition *p)
{
    const struct mpii_partition_meeting said = {(uintptr_t)p->r, p->serial, p->partitions, p->bytes,
                                                mpii_partition_signature(p)};
    void *kept = p->r->own + sizeof(struct mpii_partition *);
    struct mpii_p2p_message m =
        mpii_p2p_message_of(kept, sizeof said, mpii_type_of(MPI_BYTE), p->peer, p->tag, p->r->comm);

    memcpy(kept, &said, sizeof said);
    m.lane = MPII_LANE_DATA;
    m.mode = MPII_DIRECT;
    m.internal = true;
    /* Small and dense: it leaves at once, or its request must wait here for room. */
    if (mpii_p2p_send_at_once(&m))
        return;
    p->meeting = mpii_p2p_send_new(&m);
    if (!p->meeting)
        core_fatal("out of memory for a partitioned send");
    p->meeting->then = meeting_over;
    p->meeting->then_arg = p;
    p->meeting->freed = true;
    mpii_p2p_send_start(p->meeting);
}

/* ----------------------------------------------------- a peer that is dead -- */

/* Nobody touches the buffer any more. */
static void end_failed(struct mpii_partition *p)
{
    bool out = false;

    for (int i = 0; p->sender && i < p->partitions; i++)
        out |= p->state[i] == PART_SENT;
    if (!out && p->under_way == 0 && !p->r->done) {
        p->go = false;
        mpii_request_done(p->r, p->failed);
    }
}

/* It needs to be looked at in the middle of a round, or as one begins. */
void mpii_partition_troubled(struct mpii_request *r)
{
    struct mpii_partition *p = mpii_partition_in(r);
    int error = p->proc < 0 ? MPI_SUCCESS : mpii_ft_send_error(r->comm, p->proc);

    if (error == MPI_SUCCESS || !r->active || r->done || p->failed)
        return;
    p->failed = error;
    for (int i = 0; p->sender && mpii_ft_dead(p->proc) && i < p->partitions; i++) {
        if (p->state[i] != PART_SENT)
            continue;
        if (p->proc < core_size())
            core_sending_drop(&p->out[i].sending);
        p->state[i] = PART_DONE;
    }
    end_failed(p);
}

static void one_done(struct mpii_partition *p, int i)
{
    struct mpii_partition_out *o = &p->out[i];

    if (o->block)
        mpii_p2p_block_free(o->block);
    o->block = NULL;
    p->state[i] = PART_DONE;
    if (MPT_UNLIKELY(p->failed)) {
        end_failed(p);
        return;
    }
    if (--p->left == 0) {
        p->go = false;
        mpii_request_done(p->r, MPI_SUCCESS);
    }
}

static void out_done(struct core_sending *s)
{
    struct mpii_partition_out *o = (struct mpii_partition_out *)(void *)s; /* its first member */

    one_done(o->of, (int)(o - o->of->out));
}

static void on_out_ended(struct core_sending *s)
{
    mpii_inbox_ended(s, out_done);
}

/* The last one ends the round, and may end the request. */
static enum mpii_p2p_outcome push_one(struct mpii_partition *p, int i)
{
    struct mpii_p2p_control c = {P2P_PART_DATA, (uint32_t)i, p->peer_id, p->peer_serial};
    unsigned char packed[CORE_SEND_MAX];
    struct mpii_partition_out *o = &p->out[i];
    const void *data = (const char *)p->buf + (size_t)i * p->bytes;
    size_t at = (size_t)i * p->bytes;
    bool small = p->bytes <= CORE_SEND_MAX - sizeof c;
    int err;

    if (!p->type->dense) {
        if (!small && !o->block && !(o->block = mpii_p2p_block_need(p->bytes)))
            return P2P_NO_MEMORY;
        data = small ? packed : o->block->data;
        mpii_pack(small ? packed : o->block->data, p->buf, p->count, p->type, (MPI_Count)at, (MPI_Count)p->bytes);
    }
    if (small) {
        err = mpii_p2p_wire_send(p->proc, MPII_CHANNEL_CONTROL, &c, sizeof c, data, p->bytes);
        if (err == 0)
            one_done(p, i);
        return mpii_p2p_outcome_of(err, P2P_SENT);
    }
    o->of = p;
    p->state[i] = PART_SENT;
    err = mpii_p2p_wire_rndv(p->proc, MPII_CHANNEL_CONTROL, &c, sizeof c, data, p->bytes, &o->sending, on_out_ended);
    if (err != 0)
        p->state[i] = PART_READY;
    return mpii_p2p_outcome_of(err, P2P_OUT);
}

static void step(struct mpii_hook *hook)
{
    struct mpii_partition *p = (struct mpii_partition *)(void *)((char *)hook - offsetof(struct mpii_partition, hook));

    mpii_hook_remove(hook);
    p->waiting = false;
    mpii_partition_push(p);
}

static void wait_for_room(struct mpii_partition *p)
{
    p->waiting = true;
    p->hook = (struct mpii_hook){.step = step};
    mpii_hook_add(&p->hook);
}

static void fail_round(struct mpii_partition *p)
{
    p->failed = MPI_ERR_NO_MEM;
    mpii_state.request.lost++;
    end_failed(p);
}

/* What is ready goes, once both sides are in the round. */
void mpii_partition_push(struct mpii_partition *p)
{
    int last = p->partitions - 1;

    if (p->proc < 0 || !p->met || !p->go || p->waiting || MPT_UNLIKELY(p->failed))
        return;
    while (last >= 0 && p->state[last] != PART_READY)
        last--;
    for (int i = 0; i <= last; i++) {
        if (p->state[i] != PART_READY)
            continue;
        switch (push_one(p, i)) {
        case P2P_SENT:
        case P2P_OUT:
            break;
        case P2P_NO_MEMORY:
            fail_round(p);
            return;
        default: /* no room, or the receiver is gone, of which others tell */
            wait_for_room(p);
            return;
        }
    }
}

int mpii_partition_send_begin(struct mpii_partition *p)
{
    if (MPT_UNLIKELY(core_params.check))
        mpii_watch_drop(p->r);
    memset(p->state, PART_NOT_READY, (size_t)p->partitions + 1);
    p->left = p->partitions;
    p->failed = MPI_SUCCESS;
    p->go = p->goes > 0;
    if (p->go)
        p->goes--;
    if (p->proc < 0 || p->partitions == 0)
        mpii_request_done(p->r, MPI_SUCCESS);
    else if (MPT_UNLIKELY(p->r->comm->trouble != 0))
        mpii_partition_troubled(p->r);
    return MPI_SUCCESS;
}

typedef void control_fn(int from, const struct mpii_p2p_control *c, const struct core_mail *mail);
control_fn mpii_p2p_on_part_meet, mpii_p2p_on_part_go, mpii_p2p_on_part_data;

/* GO may come before the round that the sender begins, and in the middle of one
 * whose last bodies the receiver has taken. */
void mpii_p2p_on_part_go(int from, const struct mpii_p2p_control *c, const struct core_mail *mail)
{
    struct mpii_partition *p = named(c->id, (uint32_t)c->arg, &mpii_partition_send_ops);

    (void)from, (void)mail;
    if (!p || p->partitions == 0 || p->failed)
        return;
    if (!p->r->active || p->r->done || p->go) {
        p->goes++;
        return;
    }
    p->go = true;
    mpii_partition_push(p);
}

void mpii_p2p_on_part_meet(int from, const struct mpii_p2p_control *c, const struct core_mail *mail)
{
    struct mpii_partition *p = named(c->id, c->part, &mpii_partition_send_ops);

    (void)from;
    if (!p)
        return;
    memcpy(&p->peer_serial, mail->body, sizeof p->peer_serial);
    p->peer_id = c->arg;
    p->met = true;
    mpii_partition_push(p);
}

/* -------------------------------------------------------------- the receiver -- */

static void say_go(const struct mpii_partition *p)
{
    mpii_p2p_say(p->proc, &(struct mpii_p2p_control){P2P_PART_GO, 0, p->peer_id, p->peer_serial});
}

static void round_open(struct mpii_partition *p)
{
    p->left = p->peer_partitions;
    memset(p->state, 0, (size_t)p->peer_partitions);
    if (p->left == 0)
        mpii_request_done(p->r, MPI_SUCCESS);
    else
        say_go(p);
}

int mpii_partition_recv_begin(struct mpii_partition *p)
{
    p->r->source = p->peer;
    p->r->tag = p->proc < 0 ? MPI_ANY_TAG : p->tag;
    p->r->bytes = 0;
    p->failed = MPI_SUCCESS;
    mpii_partition_watch(p);
    if (MPT_UNLIKELY(p->r->comm->trouble != 0))
        mpii_partition_troubled(p->r);
    if (p->r->done)
        return MPI_SUCCESS;
    if (p->proc < 0)
        mpii_request_done(p->r, MPI_SUCCESS);
    else if (p->met)
        round_open(p);
    return MPI_SUCCESS;
}

static void on_meeting(struct mpii_request *meeting)
{
    struct mpii_partition *p = meeting->then_arg;
    struct mpii_partition_meeting m;

    p->meeting = NULL;
    if (meeting->error != MPI_SUCCESS)
        return;
    memcpy(&m, p->r->own + sizeof(struct mpii_partition *), sizeof m);
    p->state = calloc((size_t)m.partitions + 1, 1);
    if (!p->state)
        core_fatal("out of memory for a partitioned receive");
    p->peer_id = m.id;
    p->peer_serial = m.serial;
    p->peer_partitions = m.partitions;
    p->peer_bytes = m.bytes;
    p->met = true;
    mpii_partition_compare(p, m.signature);
    mpii_p2p_say_more(p->proc, &(struct mpii_p2p_control){P2P_PART_MEET, m.serial, m.id, (uintptr_t)p->r}, p->serial);
    if (p->r->active && !p->r->done)
        round_open(p);
}

void mpii_partition_recv_meet(struct mpii_partition *p)
{
    p->meeting = mpii_p2p_recv_new(p->r->own + sizeof(struct mpii_partition *), sizeof(struct mpii_partition_meeting),
                                   mpii_type_of(MPI_BYTE), p->peer, p->tag, p->r->comm);
    if (!p->meeting)
        core_fatal("out of memory for a partitioned receive");
    p->meeting->then = on_meeting;
    p->meeting->then_arg = p;
    p->meeting->internal = p->meeting->freed = true;
    mpii_p2p_recv_start(p->meeting, MPII_LANE_DATA);
}

static size_t room(const struct mpii_partition *p)
{
    return p->bytes * (size_t)p->partitions;
}

static void piece_here(struct mpii_partition *p, int i, size_t n)
{
    p->state[i] = 1;
    mpii_partition_watch_piece(p, i, true);
    p->r->bytes += (MPI_Count)n;
    if (MPT_UNLIKELY(p->failed)) {
        end_failed(p);
        return;
    }
    if (--p->left == 0)
        mpii_request_done(p->r, p->peer_bytes * (size_t)p->peer_partitions > room(p) ? MPI_ERR_TRUNCATE : MPI_SUCCESS);
}

/* A large partition is a receive of its own, into the buffer or beside it. */
struct fetch {
    struct mpii_partition *p;
    int i;
    size_t at, n;
    unsigned char *beside;
};

static void fetched(struct mpii_request *r)
{
    struct fetch *f = r->then_arg;

    f->p->under_way--;
    if (r->error != MPI_SUCCESS && !f->p->failed)
        f->p->failed = r->error;
    if (f->beside)
        mpii_unpack(f->p->buf, f->p->count, f->p->type, (MPI_Count)f->at, f->beside, (MPI_Count)f->n);
    piece_here(f->p, f->i, f->n);
    free(f->beside);
    free(f);
}

static void fetch(struct mpii_partition *p, int i, size_t at, size_t n, const struct mpii_p2p_mail *m)
{
    struct fetch *f = malloc(sizeof *f);
    unsigned char *beside = p->type->dense ? NULL : malloc(n + 1);
    struct mpii_request *r = mpii_p2p_recv_new(beside ? (void *)beside : (char *)p->buf + at, (MPI_Count)n,
                                               mpii_type_of(MPI_BYTE), m->source, m->tag, p->r->comm);

    if (!f || !r || (!beside && !p->type->dense))
        core_fatal("out of memory for a partition of %zu bytes", n);
    *f = (struct fetch){p, i, at, n, beside};
    r->then = fetched;
    r->then_arg = f;
    r->internal = r->freed = true;
    p->under_way++;
    mpii_p2p_recv_from(r, m);
}

void mpii_p2p_on_part_data(int from, const struct mpii_p2p_control *c, const struct core_mail *mail)
{
    struct mpii_partition *p = named(c->id, (uint32_t)c->arg, &mpii_partition_recv_ops);
    size_t at, n = mail->n;

    if (!p || c->part >= (uint32_t)p->peer_partitions)
        core_fatal("a partition of PE %d on host %s is for a partitioned receive that is not there (freed while it was "
                   "active?)",
                   from, core_host(from));
    if (MPT_UNLIKELY(p->failed || p->r->done)) { /* the sender did not know */
        if (!mail->body && mail->n)
            mpii_p2p_fetch_end(&mail->rndv);
        return;
    }
    at = c->part * p->peer_bytes;
    if (at > room(p))
        at = room(p);
    if (n > room(p) - at)
        n = room(p) - at;
    mpii_partition_watch_piece(p, (int)c->part, false);
    if (!mail->body && mail->n) {
        fetch(p, (int)c->part, at, n,
              &(struct mpii_p2p_mail){from, p->peer, p->tag, 0, mail->n, NULL, &mail->rndv, P2P_PLAIN, NULL, 0, 0});
        return;
    }
    mpii_unpack(p->buf, p->count, p->type, (MPI_Count)at, mail->body, (MPI_Count)n);
    piece_here(p, (int)c->part, n);
}

bool mpii_partition_arrived(const struct mpii_partition *p, int partition)
{
    size_t from = (size_t)partition * p->bytes, to = from + p->bytes;

    if (!p->r->active || p->r->done)
        return true;
    if (!p->met)
        return false;
    if (p->bytes == 0) /* no byte tells: the sender's of the same number, or all of them */
        return p->peer_partitions == p->partitions && p->state[partition];
    for (int i = 0; i < p->peer_partitions; i++)
        if (!p->state[i] && (size_t)i * p->peer_bytes < to && ((size_t)i + 1) * p->peer_bytes > from)
            return false;
    return true;
}
