/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Receiving: what a socket has is read into a stage, which serves all connections and
 * is empty again afterwards; but the rest of a body whose beginning came goes straight
 * to where it belongs. Short messages are handled where they lie on the stage.
 */
#include <errno.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "core/net/tcp.h"

enum {
    STAGE = 16 << 10, /* a short message is copied twice; a long body, once at most so much of it */
    READS = 16        /* of one connection at a time */
};

static _Alignas(64) unsigned char stage[STAGE + 8];

/* An answer to nobody, memory that is not there, a frame without a seal: nobody but this PE's peer can send on this
 * connection, unless somebody changes what passes. What follows makes no sense any more. */
static int nonsense(struct net_tcp_connection *c, const char *what)
{
    net_drop(what);
    bool locked = net_lock();
    net_tcp_broken(c, EBADMSG);
    net_unlock(locked);
    return -1;
}

/* ---------------------------------------------------------------- bodies -- */

static int done(struct net_tcp_connection *c)
{
    struct net_op *op = c->op;
    bool kept = false, locked;
    c->op = NULL;
    c->have = 0;
    switch (c->frame.kind) {
    case TCP_MESSAGE:
        kept = net_handle(op->data, c->frame.n, op);
        if (kept)
            return 0;
        locked = net_lock();
        net_op_free(op);
        net_unlock(locked);
        return 0;
    case TCP_WRITE:
        net_answer(c->pe, c->frame.cookie, 0);
        return 0;
    default:
        locked = net_lock();
        net_op_done(op);
        net_unlock(locked);
        return 0;
    }
}

/* Of what a body consists, and where it goes. */
static void expect(struct net_tcp_connection *c, struct net_op *op, void *to)
{
    c->op = op;
    c->to = to;
    c->left = c->frame.n;
    c->pad = -c->frame.n & 7;
}

static int begin_message(struct net_tcp_connection *c)
{
    if (c->frame.n < sizeof(struct net_head) || c->frame.n > NET_MSG_MAX)
        return nonsense(c, "a message of an impossible length");
    bool locked = net_lock();
    struct net_op *op = net_receive_new();
    net_unlock(locked);
    expect(c, op, op->data);
    return 0;
}

static int begin_write(struct net_tcp_connection *c)
{
    bool locked = net_lock();
    void *to = net_tcp_memory_at(c->frame.key, c->frame.addr, c->frame.n, true);
    net_unlock(locked);
    if (!to)
        return nonsense(c, "a write to memory that is not there");
    expect(c, NULL, to);
    return c->left ? 0 : done(c);
}

static int answer_read(struct net_tcp_connection *c)
{
    bool locked = net_lock();
    const void *from = net_tcp_memory_at(c->frame.key, c->frame.addr, c->frame.n, false);
    if (from)
        net_tcp_answer(c->pe, c->frame.cookie, from, c->frame.n);
    net_unlock(locked);
    c->have = 0;
    return from ? 0 : nonsense(c, "a read of memory that is not there");
}

static int begin_data(struct net_tcp_connection *c)
{
    bool locked = net_lock();
    struct net_op *op = net_op_waiting(c->frame.cookie, c->pe);
    net_unlock(locked);
    if (!op || op->n != c->frame.n)
        return nonsense(c, "an answer that nobody waits for");
    expect(c, op, op->to);
    return c->left ? 0 : done(c);
}

static int begin(struct net_tcp_connection *c)
{
    if (c->frame.kind != TCP_MESSAGE && !net_tcp_sealed(&c->frame))
        return nonsense(c, "a frame without this job's seal");
    switch (c->frame.kind) {
    case TCP_MESSAGE:
        return begin_message(c);
    case TCP_WRITE:
        return begin_write(c);
    case TCP_READ:
        return answer_read(c);
    case TCP_DATA:
        return begin_data(c);
    }
    return nonsense(c, "a frame of no kind");
}

/* ---------------------------------------------------------------- frames -- */

/* A message that lies on the stage as a whole; its bytes, 0: it is not one. */
static size_t whole_message(const unsigned char *p, size_t n)
{
    struct net_tcp_frame f;
    if (n < TCP_SHORT)
        return 0;
    memcpy(&f, p, TCP_SHORT);
    size_t all = TCP_SHORT + (((size_t)f.n + 7) & ~(size_t)7);
    return f.kind == TCP_MESSAGE && f.n >= sizeof(struct net_head) && all <= n ? all : 0;
}

/* Bytes of the frame that is coming, as far as its first word tells. */
static size_t frame_bytes(const struct net_tcp_connection *c)
{
    return c->have < TCP_SHORT || c->frame.kind == TCP_MESSAGE ? (size_t)TCP_SHORT : sizeof c->frame;
}

/* As many bytes of the frame as there are; the number taken. */
static size_t take_frame(struct net_tcp_connection *c, const unsigned char *p, size_t n)
{
    size_t taken = 0;
    while (taken < n && c->have < frame_bytes(c)) {
        size_t need = frame_bytes(c) - c->have, part = need < n - taken ? need : n - taken;
        memcpy((char *)&c->frame + c->have, p + taken, part);
        c->have += (unsigned)part;
        taken += part;
    }
    return taken;
}

static bool frame_whole(const struct net_tcp_connection *c)
{
    return c->have >= TCP_SHORT && c->have == frame_bytes(c);
}

/* Things done, -1: the connection is broken. */
static int parse(struct net_tcp_connection *c, const unsigned char *p, size_t n)
{
    int things = 0;
    while (n > 0) {
        size_t k;
        if (c->left > 0) {
            k = c->left < n ? c->left : n;
            memcpy(c->to, p, k);
            c->to += k;
            c->left -= k;
            if (c->left == 0) {
                things++;
                done(c);
            }
        } else if (c->pad > 0) {
            k = c->pad < n ? c->pad : n;
            c->pad -= (unsigned)k;
        } else if (c->have == 0 && (k = whole_message(p, n)) > 0) {
            uint32_t bytes;
            memcpy(&bytes, p, sizeof bytes);
            net_handle(p + TCP_SHORT, bytes, NULL);
            things++;
        } else {
            k = take_frame(c, p, n);
            if (frame_whole(c)) {
                things++;
                if (begin(c) != 0)
                    return -1;
            }
        }
        p += k;
        n -= k;
        c->at += k;
    }
    return things;
}

/* ------------------------------------------------------------------ reads -- */

static void ended(struct net_tcp_connection *c, int error)
{
    bool locked = net_lock();
    if (c->state == TCP_UP)
        net_tcp_broken(c, error);
    net_unlock(locked);
}

int net_tcp_receive(struct net_tcp_connection *c)
{
    int things = 0;
    for (int i = 0; i < READS && net_tcp_is_up(c); i++) {
        uint64_t direct = c->left;
        unsigned char *at = stage + ((c->at + direct) & 7);
        struct iovec v[2] = {{c->to, direct}, {at, STAGE}};
        ssize_t n = direct ? readv(c->fd, v, 2) : recv(c->fd, at, STAGE, 0);
        if (n <= 0) {
            if (n < 0 && errno == EINTR)
                continue;
            if (n == 0 || errno != EAGAIN)
                ended(c, n == 0 ? ECONNRESET : errno);
            return things;
        }
        uint64_t body = (uint64_t)n < direct ? (uint64_t)n : direct;
        c->to += body;
        c->left -= body;
        c->at += body;
        if (body > 0 && c->left == 0) {
            done(c);
        }
        things++; /* also a part of a body: who waits for it sees that it moves */
        int more = parse(c, at, (size_t)n - body);
        if (more < 0)
            return things;
        things += more;
        if ((uint64_t)n < direct + STAGE) /* that was all */
            break;
    }
    return things;
}
