/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sending: ops wait in their connection's queue until the socket has taken them; in
 * most cases it does so at once.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/uio.h>

#include "core/base/number.h"
#include "core/net/tcp.h"

enum {
    QUEUE_MOST = 128, /* ops that wait, answers aside; then the caller does */
    BATCH = 16,       /* ops given to the socket at once */
    BATCH_BYTES = 32 << 10,
    PARTS = 4         /* frame, body, tail, filling */
};

static uint64_t seal_of(const struct core_tcp_frame *f, const struct core_siphash_key *key)
{
    struct core_siphash s = core_siphash_begin(key);
    core_siphash_word(&s, (uint64_t)f->kind << 32 | f->n);
    core_siphash_word(&s, f->cookie);
    core_siphash_word(&s, f->key);
    core_siphash_word(&s, f->addr);
    return core_siphash_end(&s, 0, sizeof *f - sizeof f->seal);
}

bool core_tcp_sealed(const struct core_tcp_frame *f)
{
    return f->seal == seal_of(f, &core_state.net.seal_key);
}

/* ------------------------------------------------------------- the queue -- */

static void append(struct core_tcp_connection *c, struct core_net_op *op)
{
    op->next = NULL;
    *c->last = op;
    c->last = &op->next;
    c->queued++;
    c->bytes += core_tcp_out_of(op)->frame.n;
}

/* The socket has taken the first op. A read, and a write that asks for an answer, are done when that comes. */
static void taken(struct core_tcp_connection *c)
{
    struct core_net_op *op = c->first;
    c->first = op->next;
    if (!c->first)
        c->last = &c->first;
    c->queued--;
    c->bytes -= core_tcp_out_of(op)->frame.n;
    if (op->kind != NET_REPLY)
        core_net_op_done(op);
}

static size_t frame_bytes(const struct core_tcp_frame *f)
{
    return f->kind == TCP_MESSAGE ? TCP_SHORT : sizeof *f;
}

static size_t body_bytes(const struct core_tcp_frame *f)
{
    return f->kind == TCP_READ ? 0 : f->n;
}

static size_t wire_bytes(const struct core_tcp_frame *f)
{
    return frame_bytes(f) + core_round_up(body_bytes(f), 8);
}

/* What is left of an op, as at most PARTS pieces. */
static int pieces(struct core_net_op *op, struct iovec *v)
{
    static const char zeros[8];
    struct core_tcp_out *o = core_tcp_out_of(op);
    const struct iovec whole[PARTS] = {{&o->frame, frame_bytes(&o->frame)},
                                       {(void *)(uintptr_t)o->body, body_bytes(&o->frame) - op->tail_n},
                                       {(void *)(uintptr_t)op->tail, op->tail_n},
                                       {(void *)(uintptr_t)zeros, -body_bytes(&o->frame) & 7}};
    size_t skip = o->sent;
    int n = 0;
    for (int i = 0; i < PARTS; i++) {
        size_t gone = skip < whole[i].iov_len ? skip : whole[i].iov_len;
        skip -= gone;
        if (whole[i].iov_len > gone)
            v[n++] = (struct iovec){(char *)whole[i].iov_base + gone, whole[i].iov_len - gone};
    }
    return n;
}

static void list_blocked(struct core_tcp_connection *c)
{
    if (c->listed)
        return;
    c->listed = true;
    c->next_blocked = core_tcp.blocked;
    __atomic_store_n(&core_tcp.blocked, c, __ATOMIC_RELAXED);
}

static void advance(struct core_tcp_connection *c, size_t n)
{
    while (n > 0) {
        struct core_tcp_out *o = core_tcp_out_of(c->first);
        size_t left = wire_bytes(&o->frame) - o->sent;
        if (n < left) {
            o->sent += n;
            return;
        }
        n -= left;
        taken(c);
    }
}

bool core_tcp_flush(struct core_tcp_connection *c)
{
    bool moved = false;
    while (c->first && c->state == TCP_UP) {
        struct iovec v[BATCH * PARTS];
        struct msghdr m = {.msg_iov = v};
        size_t all = 0;
        int n = 0, ops = 0;
        for (struct core_net_op *op = c->first; op && ops < BATCH; op = op->next, ops++)
            n += pieces(op, v + n);
        for (int i = 0; i < n; i++)
            all += v[i].iov_len;
        m.msg_iovlen = (size_t)n;
        ssize_t sent = sendmsg(c->fd, &m, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent < 0 && errno != EAGAIN) {
            core_tcp_broken(c, errno);
            return true;
        }
        if (sent > 0) {
            advance(c, (size_t)sent);
            moved = true;
        }
        if (sent < (ssize_t)all)
            break;
    }
    if (c->first)
        list_blocked(c);
    return moved;
}

/* Those that are still blocked list themselves again. */
bool core_tcp_flush_blocked(void)
{
    bool moved = false;
    struct core_tcp_connection *c = core_tcp.blocked, *next;
    __atomic_store_n(&core_tcp.blocked, NULL, __ATOMIC_RELAXED);
    for (; c; c = next) {
        next = c->next_blocked;
        c->listed = false;
        if (c->state == TCP_UP)
            moved |= core_tcp_flush(c);
    }
    return moved;
}

/* The caller may change the tail now: what the socket has not taken of it is copied to where the tail would lie whole.
 */
static void take_tail(struct core_net_op *op)
{
    const struct core_tcp_out *o = core_tcp_out_of(op);
    if (op->tail_n == 0)
        return;
    size_t before = frame_bytes(&o->frame) + op->n, gone = o->sent > before ? o->sent - before : 0;
    char *to = (char *)op->data + op->n;
    if (op->n + op->tail_n > NET_MSG_MAX && !(to = op->tail_copy = malloc(op->tail_n)))
        core_fatal("out of memory for a message of %zu bytes to PE %d", op->tail_n, op->pe);
    if (gone < op->tail_n)
        memcpy(to + gone, (const char *)op->tail + gone, op->tail_n - gone);
    op->tail = to;
}

/* Sent at once, when it is the first since the last progress; those that come after it, in one stroke by the next one,
 * or when they are enough, or soon: a system call takes longer than all the rest of a short message. */
static bool sent_later(struct core_tcp_connection *c)
{
    if (c->bytes >= BATCH_BYTES || c->queued >= BATCH)
        return false;
    uint64_t turn = __atomic_load_n(&core_tcp.turn, __ATOMIC_RELAXED);
    if (!c->listed && c->turn != turn) {
        c->turn = turn;
        return false;
    }
    return core_net_pump_soon();
}

static int enqueue(struct core_net_op *op)
{
    struct core_tcp_connection *c = &core_tcp.peer[op->pe];
    if (MPT_UNLIKELY(c->state == TCP_BROKEN))
        return -c->error;
    append(c, op);
    if (MPT_LIKELY(c->state == TCP_UP)) {
        if (sent_later(c))
            list_blocked(c);
        else
            core_tcp_flush(c);
        if (!c->first)
            return 0;
    } else if (c->state == TCP_NONE)
        core_tcp_connect(c);
    take_tail(op); /* the last of the queue is still there */
    return 0;
}

/* A long body that cannot leave at once would be copied. */
bool core_tcp_busy(int pe)
{
    return core_tcp.peer[pe].state != TCP_UP || core_tcp.peer[pe].first;
}

static bool full(const struct core_net_op *op)
{
    return core_tcp.peer[op->pe].queued >= QUEUE_MOST;
}

/* -------------------------------------------------------------- the kinds -- */

static void begin(struct core_net_op *op, const struct core_tcp_frame *f, const void *body)
{
    struct core_tcp_out *o = core_tcp_out_of(op);
    o->frame = *f;
    o->frame.seal = seal_of(f, &core_state.net.peer[op->pe].seal_key);
    o->body = body;
    o->sent = 0;
}

int core_tcp_send(struct core_net_op *op)
{
    struct core_tcp_out *o = core_tcp_out_of(op);
    if (MPT_UNLIKELY(full(op)))
        return -EAGAIN;
    o->frame.n = (uint32_t)(op->n + op->tail_n);
    o->frame.kind = TCP_MESSAGE;
    o->body = op->data;
    o->sent = 0;
    return enqueue(op);
}

int core_tcp_write(struct core_net_op *op, const void *from, struct core_net_target to, size_t n, bool delivered)
{
    struct core_tcp_frame f = {.n = (uint32_t)n, .kind = TCP_WRITE, .key = to.key, .addr = to.addr};
    if (full(op))
        return -EAGAIN;
    if (delivered) {
        op->kind = NET_REPLY;
        f.cookie = core_net_op_cookie(op);
    }
    begin(op, &f, from);
    return enqueue(op);
}

int core_tcp_read(struct core_net_op *op, void *to, struct core_net_target from, size_t n)
{
    struct core_tcp_frame f = {.n = (uint32_t)n, .kind = TCP_READ, .key = from.key, .addr = from.addr};
    if (full(op))
        return -EAGAIN;
    op->kind = NET_REPLY;
    op->to = to;
    op->n = n;
    f.cookie = core_net_op_cookie(op);
    begin(op, &f, NULL);
    return enqueue(op);
}

void core_tcp_answer(int pe, uint64_t cookie, const void *p, size_t n)
{
    struct core_tcp_frame f = {.n = (uint32_t)n, .kind = TCP_DATA, .cookie = cookie};
    struct core_net_op *op = core_net_op_new(NET_RMA, "an answer to a read", pe, NULL);
    begin(op, &f, p);
    int rc = enqueue(op);
    if (rc != 0) /* the asking PE is gone */
        core_net_op_free(op);
}

/* ---------------------------------------------------------------- broken -- */

/* A peer that ends closes its connections: that is no error while nothing is under way to it. */
void core_tcp_broken(struct core_tcp_connection *c, int error)
{
    const struct core_net_op *op = c->first ? c->first : core_net_op_of_peer(c->pe);
    core_tcp_become(c, TCP_BROKEN);
    c->error = error;
    if (c->fd >= 0) { /* closed at the end: another thread may be reading */
        core_tcp_watch(EPOLL_CTL_DEL, c->fd, 0, c);
        shutdown(c->fd, SHUT_RDWR);
        core_tcp_count(&core_tcp.up, -1);
    }
    if (op)
        core_net_fail(op->what, c->pe, error, "");
}
