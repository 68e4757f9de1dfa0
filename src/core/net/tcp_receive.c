/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Receiving: what a socket has is read into a stage, which serves all connections and
 * is empty again afterwards; but the rest of a body whose beginning came goes straight
 * to where it belongs. Short messages are handled where they lie on the stage. Pushed
 * bodies that lie there as a whole stay there until they are fetched, and another stage
 * takes its address; of others the head is handed on at once, and where the body is to go
 * is decided the next time something is received, when its receiver may have asked for it.
 */
#include <errno.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "core/base/number.h"
#include "core/net/tcp.h"

enum {
    STAGE = NET_MSG_MAX - 8, /* bytes read at once; the first byte lies where multiples of 8 in the stream do */
    AFTER_LONG = 16 << 10,   /* ... while long bodies come, the beginning of which is copied once more for that */
    STAY_LEAST = 8 << 10,    /* bytes of a body for which keeping the stage pays */
    READS = 16               /* of one connection at a time */
};

static void stage_make(void)
{
    bool locked = core_net_lock();
    core_tcp.stage = core_net_receive_new();
    core_net_unlock(locked);
}

/* One more thing lies there, besides what is being parsed; core_net_land ends that. */
static void stage_hold(void)
{
    bool locked = core_net_lock();
    core_tcp.stage->holds++;
    core_net_unlock(locked);
}

/* An answer to nobody, memory that is not there, a frame without a seal: nobody but this PE's peer can send on this
 * connection, unless somebody changes what passes. What follows makes no sense any more. */
static int nonsense(struct core_tcp_connection *c, const char *what)
{
    core_net_drop(what);
    bool locked = core_net_lock();
    core_tcp_broken(c, EBADMSG);
    core_net_unlock(locked);
    return -1;
}

/* ---------------------------------------------------------------- bodies -- */

static int done(struct core_tcp_connection *c)
{
    struct core_net_op *op = c->op;
    bool kept = false, locked;
    c->op = NULL;
    c->have = 0;
    switch (c->frame.kind) {
    case TCP_MESSAGE:
        if (c->body) {
            core_push_came(c->body);
            c->body = NULL;
            return 0;
        }
        kept = core_net_handle(op->data, c->frame.n, op);
        if (kept)
            return 0;
        locked = core_net_lock();
        core_net_op_free(op);
        core_net_unlock(locked);
        return 0;
    case TCP_WRITE:
        core_net_answer(c->pe, c->frame.cookie, 0);
        return 0;
    default:
        locked = core_net_lock();
        core_net_op_done(op);
        core_net_unlock(locked);
        return 0;
    }
}

/* Of what a body consists, and where it goes. */
static void expect(struct core_tcp_connection *c, struct core_net_op *op, void *to)
{
    c->op = op;
    c->to = to;
    c->left = c->frame.n;
    c->pad = -c->frame.n & 7;
}

static bool possible(const struct core_tcp_frame *f)
{
    return f->n >= sizeof(struct core_net_head) && f->n <= NET_PUSH_HEAD + NET_PUSH_LONG;
}

/* Of a long one the beginning alone, in which its head is. */
static int begin_message(struct core_tcp_connection *c)
{
    if (!possible(&c->frame))
        return nonsense(c, "a message of an impossible length");
    bool locked = core_net_lock();
    struct core_net_op *op = core_net_receive_new();
    core_net_unlock(locked);
    expect(c, op, op->data);
    if (c->left > NET_MSG_MAX)
        c->left = NET_PUSH_HEAD + NET_SEALED;
    return 0;
}

/* The head of a body that is coming was handed on; `have` bytes of the message lie there, in op. */
static void expect_body(struct core_tcp_connection *c, struct core_pushed *body, struct core_net_op *op,
                        const unsigned char *message, size_t have, size_t body_at)
{
    c->body = body;
    c->op = op;
    c->early = message + body_at;
    c->early_n = have - body_at;
    c->to = NULL;
    c->left = c->frame.n - have;
    c->pad = -c->frame.n & 7;
}

static bool undecided(const struct core_tcp_connection *c)
{
    return c->body && !c->to;
}

/* The receiver had time to ask for it. */
static void decide(struct core_tcp_connection *c)
{
    unsigned char *to = core_push_destination(c->body);
    core_copy(to, c->early, c->early_n);
    core_net_land(c->op);
    c->op = NULL;
    c->to = to + c->early_n;
}

static int begin_write(struct core_tcp_connection *c)
{
    bool locked = core_net_lock();
    void *to = core_tcp_memory_at(c->frame.key, c->frame.addr, c->frame.n, true);
    core_net_unlock(locked);
    if (!to)
        return nonsense(c, "a write to memory that is not there");
    expect(c, NULL, to);
    return c->left ? 0 : done(c);
}

static int answer_read(struct core_tcp_connection *c)
{
    bool locked = core_net_lock();
    const void *from = core_tcp_memory_at(c->frame.key, c->frame.addr, c->frame.n, false);
    if (from)
        core_tcp_answer(c->pe, c->frame.cookie, from, c->frame.n);
    core_net_unlock(locked);
    c->have = 0;
    return from ? 0 : nonsense(c, "a read of memory that is not there");
}

static int begin_data(struct core_tcp_connection *c)
{
    bool locked = core_net_lock();
    struct core_net_op *op = core_net_op_waiting(c->frame.cookie, c->pe);
    core_net_unlock(locked);
    if (!op || op->n != c->frame.n)
        return nonsense(c, "an answer that nobody waits for");
    expect(c, op, op->to);
    return c->left ? 0 : done(c);
}

static int begin(struct core_tcp_connection *c)
{
    if (c->frame.kind != TCP_MESSAGE && !core_tcp_sealed(&c->frame))
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
    struct core_tcp_frame f;
    if (n < TCP_SHORT)
        return 0;
    memcpy(&f, p, TCP_SHORT);
    size_t all = TCP_SHORT + core_round_up(f.n, 8);
    return f.kind == TCP_MESSAGE && f.n >= sizeof(struct core_net_head) && all <= n ? all : 0;
}

/* Bytes of the frame that is coming, as far as its first word tells. */
static size_t frame_bytes(const struct core_tcp_connection *c)
{
    return c->have < TCP_SHORT || c->frame.kind == TCP_MESSAGE ? (size_t)TCP_SHORT : sizeof c->frame;
}

/* As many bytes of the frame as there are; the number taken. */
static size_t take_frame(struct core_tcp_connection *c, const unsigned char *p, size_t n)
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

static bool frame_whole(const struct core_tcp_connection *c)
{
    return c->have >= TCP_SHORT && c->have == frame_bytes(c);
}

/* A message of which the stage has the beginning, as far as its head: the body will be placed. Bytes taken: all; 0: it
 * is something else. */
static size_t begin_pushed(struct core_tcp_connection *c, const unsigned char *p, size_t n, bool *kept)
{
    struct core_tcp_frame f;
    size_t body_at;
    if (n <= TCP_SHORT)
        return 0;
    memcpy(&f, p, TCP_SHORT);
    if (f.kind != TCP_MESSAGE || !possible(&f) || f.n <= n - TCP_SHORT)
        return 0;
    struct core_pushed *body = core_net_handle_head(p + TCP_SHORT, n - TCP_SHORT, f.n, &body_at);
    if (!body)
        return 0;
    memcpy(&c->frame, p, TCP_SHORT);
    c->have = TCP_SHORT;
    stage_hold();
    *kept = true;
    expect_body(c, body, core_tcp.stage, p + TCP_SHORT, n - TCP_SHORT, body_at);
    return n;
}

/* What was expected has come: 0, or -1: the connection is broken. */
static int came(struct core_tcp_connection *c)
{
    struct core_net_op *op = c->op;
    size_t have = NET_PUSH_HEAD + NET_SEALED, body_at;
    if (c->frame.kind != TCP_MESSAGE || c->body || c->frame.n <= NET_MSG_MAX)
        return done(c);
    struct core_pushed *body = core_net_handle_head(op->data, have, c->frame.n, &body_at);
    if (!body)
        return nonsense(c, "a message of an impossible length");
    expect_body(c, body, op, op->data, have, body_at);
    return 0;
}

/* A whole message on the stage. True: it, or what it brings, stays there. */
static bool handle(const unsigned char *message, size_t n)
{
    if (n < STAY_LEAST) {
        core_net_handle(message, n, NULL);
        return false;
    }
    stage_hold(); /* before others know of it */
    if (core_net_handle(message, n, core_tcp.stage))
        return true;
    core_net_land(core_tcp.stage);
    return false;
}

/* n bytes on the stage. Things done, -1: the connection is broken. */
static int parse(struct core_tcp_connection *c, const unsigned char *p, size_t n)
{
    int things = 0;
    bool kept = false;
    while (n > 0 && things >= 0) {
        size_t k;
        if (c->left > 0) {
            if (undecided(c))
                decide(c);
            k = c->left < n ? c->left : n;
            memcpy(c->to, p, k);
            c->to += k;
            c->left -= k;
            if (c->left == 0)
                things = came(c) == 0 ? things + 1 : -1;
        } else if (c->pad > 0) {
            k = c->pad < n ? c->pad : n;
            c->pad -= (unsigned)k;
        } else if (c->have == 0 && (k = whole_message(p, n)) > 0) {
            uint32_t bytes;
            memcpy(&bytes, p, sizeof bytes);
            kept |= handle(p + TCP_SHORT, bytes);
            things++;
        } else if (c->have == 0 && (k = begin_pushed(c, p, n, &kept)) > 0) {
            things++;
        } else {
            k = take_frame(c, p, n);
            if (frame_whole(c))
                things = begin(c) == 0 ? things + 1 : -1;
        }
        p += k;
        n -= k;
        c->at += k;
    }
    if (kept) {
        core_net_land(core_tcp.stage);
        core_tcp.stage = NULL;
    }
    return things;
}

/* ------------------------------------------------------------------ reads -- */

static void ended(struct core_tcp_connection *c, int error)
{
    bool locked = core_net_lock();
    if (c->state == TCP_UP)
        core_tcp_broken(c, error);
    core_net_unlock(locked);
}

/* Bytes to be read onto the stage: none behind the head of a pushed body. */
static size_t room(const struct core_tcp_connection *c, uint64_t direct)
{
    if (direct && c->frame.kind == TCP_MESSAGE && !c->body && c->frame.n > NET_MSG_MAX)
        return 0;
    return direct || c->frame.kind == TCP_WRITE || c->frame.kind == TCP_DATA ? (size_t)AFTER_LONG : (size_t)STAGE;
}

int core_tcp_receive(struct core_tcp_connection *c)
{
    int things = 0;
    for (int i = 0; i < READS && core_tcp_is_up(c); i++) {
        if (!core_tcp.stage)
            stage_make();
        if (undecided(c))
            decide(c);
        uint64_t direct = c->left;
        size_t more = room(c, direct);
        unsigned char *at = core_tcp.stage->data + ((c->at + direct) & 7);
        struct iovec v[2] = {{c->to, direct}, {at, more}};
        struct msghdr m = {.msg_iov = v, .msg_iovlen = 2};
        ssize_t n = direct ? recvmsg(c->fd, &m, MSG_DONTWAIT) : recv(c->fd, at, more, MSG_DONTWAIT);
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
        things++; /* also a part of a body: a wait for it sees that it moves */
        if (body > 0 && c->left == 0 && came(c) != 0)
            return things;
        int handled = parse(c, at, (size_t)n - body);
        if (handled < 0)
            return things;
        things += handled;
        if ((uint64_t)n < direct + more || undecided(c)) /* that was all; or the receiver is to ask for it first */
            break;
    }
    return things;
}

void core_tcp_stage_end(void)
{
    core_tcp.stage = NULL; /* it goes with all ops */
}
