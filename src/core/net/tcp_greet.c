/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How two PEs get a connection. The caller says who it is, and both prove that they
 * have read the other's card, on numbers that the other has just drawn:
 *     caller: greeting(from, to, number)          called: challenge(number)
 *     caller: proof(under the called one's key)   called: welcome(under the caller's key)
 * When both call at once, the lower PE's call counts. Strangers can do nothing but
 * wait a second for their end; only so many may, and others wait in the listener's queue.
 */
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "core/net/tcp.h"

enum {
    CALLERS_MOST = 256, /* that have not proved anything */
    CALLER_MS = 1000,   /* ... may take so long when others wait, */
    CALLER_MOST_MS = 10000, /* ... and so long when nobody does */
    AGAIN_MS = 100      /* after a call that was not answered to its end */
};

static const char magic[8] = "MPT-tcp1";

struct greeting {
    char magic[8];
    int32_t from, to;
    uint64_t number;
};

enum stage {
    CONNECT,
    CHALLENGE,
    WELCOME,
    /* what a caller waits for */ GREETING,
    PROOF /* what the called one waits for */
};
static const size_t stage_bytes[] = {[CHALLENGE] = 8, [WELCOME] = 8, [GREETING] = sizeof(struct greeting), [PROOF] = 8};

struct core_tcp_greeter {
    enum core_tcp_what what; /* first */
    enum stage stage;
    int fd, pe;
    int64_t since;
    uint64_t number, theirs; /* drawn by this PE, and by the other */
    unsigned have;
    union {
        struct greeting greeting;
        uint64_t word;
    } in;
    struct core_tcp_greeter *next;
};

static uint64_t mac(const struct core_siphash_key *key, uint64_t role, int caller, int called, uint64_t callers,
                    uint64_t calleds)
{
    struct core_siphash s = core_siphash_begin(key);
    core_siphash_word(&s, role);
    core_siphash_word(&s, (uint64_t)(uint32_t)caller << 32 | (uint32_t)called);
    core_siphash_word(&s, callers);
    core_siphash_word(&s, calleds);
    return core_siphash_end(&s, 0, 32);
}

static uint64_t proof(const struct core_tcp_greeter *g, bool caller)
{
    uint64_t c = caller ? g->number : g->theirs, d = caller ? g->theirs : g->number;
    int me = mpt_fast.me, from = caller ? me : g->pe, to = caller ? g->pe : me;
    return mac(caller ? &core_state.net.peer[g->pe].seal_key : &core_state.net.seal_key, ~1ull, from, to, c, d);
}

static uint64_t welcome(const struct core_tcp_greeter *g, bool caller)
{
    uint64_t c = caller ? g->number : g->theirs, d = caller ? g->theirs : g->number;
    int me = mpt_fast.me, from = caller ? me : g->pe, to = caller ? g->pe : me;
    return mac(caller ? &core_state.net.seal_key : &core_state.net.peer[g->pe].seal_key, ~2ull, from, to, c, d);
}

/* -------------------------------------------------------------- greeters -- */

static bool is_caller(const struct core_tcp_greeter *g)
{
    return g->stage <= WELCOME;
}

static void listen_again(void)
{
    if (!core_tcp.deaf || core_tcp.callers >= CALLERS_MOST)
        return;
    core_tcp.deaf = false;
    core_tcp_count(&core_tcp.meeting, -1);
    core_tcp_watch(EPOLL_CTL_MOD, core_tcp.listener, EPOLLIN, &core_tcp.listening);
}

static void be_deaf(void)
{
    if (core_tcp.deaf)
        return;
    core_tcp.deaf = true;
    core_tcp_count(&core_tcp.meeting, 1);
    core_tcp_watch(EPOLL_CTL_MOD, core_tcp.listener, 0, &core_tcp.listening);
}

/* Its memory stays until nothing that epoll has said names it. */
static void leave(struct core_tcp_greeter *g, bool close_it)
{
    struct core_tcp_greeter **at = &core_tcp.greeters;
    while (*at != g)
        at = &(*at)->next;
    *at = g->next;
    g->next = core_tcp.gone;
    core_tcp.gone = g;
    if (close_it)
        close(g->fd);
    g->fd = -1;
    if (!is_caller(g)) {
        core_tcp.callers--;
        listen_again();
    }
}

void core_tcp_greeters_free(bool all)
{
    while (all && core_tcp.greeters)
        leave(core_tcp.greeters, true);
    for (struct core_tcp_greeter *g = core_tcp.gone, *next; g; g = next) {
        next = g->next;
        free(g);
        core_tcp_count(&core_tcp.meeting, -1);
    }
    core_tcp.gone = NULL;
}

static struct core_tcp_greeter *greeter_new(int fd, int pe, enum stage stage)
{
    struct core_tcp_greeter *g = calloc(1, sizeof *g);
    if (!g || core_random(&g->number, sizeof g->number) != 0)
        core_fatal("no memory, or no random numbers, to meet peers on the network");
    *g = (struct core_tcp_greeter){.what = TCP_GREETER,
                                   .stage = stage,
                                   .fd = fd,
                                   .pe = pe,
                                   .since = core_tcp_now(),
                                   .number = g->number,
                                   .next = core_tcp.greeters};
    core_tcp.greeters = g;
    core_tcp_count(&core_tcp.meeting, 1);
    core_tcp.callers += !is_caller(g);
    return g;
}

static bool say(const struct core_tcp_greeter *g, const void *p, size_t n)
{
    return send(g->fd, p, n, MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)n; /* a new socket has room */
}

/* ------------------------------------------------------------ connections -- */

/* Room for a body of a middle size, so that it goes in one stroke; the kernel begins with a quarter of that. And no
 * pacing by timers, where that is the system's choice (bbr): between hosts of a cluster it halves the rate. */
static void tune(int fd)
{
    enum { ROOM = 512 << 10 };
    char how[16] = "";
    socklen_t n = sizeof how - 1;
    int room = ROOM;
    setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
    if (getsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, how, &n) == 0 && strncmp(how, "bbr", 3) == 0)
        setsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, "reno", 4);
}

static void again(int by)
{
    core_tcp.again += (unsigned)by;
    core_tcp_count(&core_tcp.meeting, by);
}

static void up(struct core_tcp_greeter *g)
{
    struct core_tcp_connection *c = &core_tcp.peer[g->pe];
    again(-(c->state == TCP_AGAIN));
    c->fd = g->fd;
    tune(c->fd);
    core_tcp_become(c, TCP_UP);
    core_tcp_count(&core_tcp.up, 1);
    core_tcp_watch(EPOLL_CTL_MOD, c->fd, EPOLLIN, c);
    leave(g, false);
    core_tcp_flush(c);
}

/* The call came to nothing: the other PE's call comes, or ours is made again. */
static void not_answered(struct core_tcp_greeter *g, int error)
{
    struct core_tcp_connection *c = &core_tcp.peer[g->pe];
    int64_t limit = core_params.timeout ? 1000 * (int64_t)core_params.timeout : INT64_MAX / 2;
    leave(g, true);
    if (error == ECONNREFUSED || core_tcp_now() - c->begun > limit) {
        core_tcp_become(c, TCP_NONE);
        core_tcp_broken(c, error);
        return;
    }
    core_tcp_become(c, TCP_AGAIN);
    c->when = core_tcp_now() + AGAIN_MS;
    again(1);
}

static void call(struct core_tcp_connection *c)
{
    union core_tcp_address from = core_tcp.own;
    const union core_tcp_address *to = &core_tcp.address[c->pe];
    int fd = socket(to->any.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), on = 1;
    from.v4.sin_port = 0; /* at the same offset in both */
    if (fd < 0) {
        core_tcp_broken(c, errno);
        return;
    }
    setsockopt(fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &on, sizeof on);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    core_tcp_become(c, TCP_CONNECTING);
    struct core_tcp_greeter *g = greeter_new(fd, c->pe, CONNECT);
    core_tcp_watch(EPOLL_CTL_ADD, fd, EPOLLOUT, g);
    if (bind(fd, &from.any, core_tcp_size_of(&from)) != 0 ||
        (connect(fd, &to->any, core_tcp_size_of(to)) != 0 && errno != EINPROGRESS))
        not_answered(g, errno);
}

void core_tcp_connect(struct core_tcp_connection *c)
{
    c->begun = core_tcp_now();
    call(c);
}

/* This PE's own call to it is at work. */
static struct core_tcp_greeter *own_call(int pe)
{
    struct core_tcp_greeter *g = core_tcp.greeters;
    while (g && !(is_caller(g) && g->pe == pe))
        g = g->next;
    return g;
}

/* It has proved to be PE g->pe. */
static void called(struct core_tcp_greeter *g)
{
    struct core_tcp_connection *c = &core_tcp.peer[g->pe];
    struct core_tcp_greeter *own = own_call(g->pe);
    uint64_t w = welcome(g, false);
    if (c->state == TCP_UP || c->state == TCP_BROKEN || (own && mpt_fast.me < g->pe)) {
        leave(g, true);
        return;
    }
    if (own)
        leave(own, true);
    if (say(g, &w, sizeof w))
        up(g);
    else
        leave(g, true);
}

/* ------------------------------------------------------------------ steps -- */

static void step_connect(struct core_tcp_greeter *g)
{
    struct greeting hello = {.from = mpt_fast.me, .to = g->pe, .number = g->number};
    int error = 0;
    socklen_t n = sizeof error;
    memcpy(hello.magic, magic, sizeof magic);
    if (getsockopt(g->fd, SOL_SOCKET, SO_ERROR, &error, &n) != 0)
        error = errno;
    if (error != 0 || !say(g, &hello, sizeof hello)) {
        not_answered(g, error ? error : ECONNRESET);
        return;
    }
    g->stage = CHALLENGE;
    core_tcp_watch(EPOLL_CTL_MOD, g->fd, EPOLLIN, g);
}

static void stranger(struct core_tcp_greeter *g, const char *what)
{
    core_net_drop(what);
    leave(g, true);
}

static void step(struct core_tcp_greeter *g)
{
    uint64_t word = g->in.word;
    g->have = 0;
    switch (g->stage) {
    case CHALLENGE:
        g->theirs = word;
        g->stage = WELCOME;
        word = proof(g, true);
        if (!say(g, &word, sizeof word))
            not_answered(g, ECONNRESET);
        return;
    case WELCOME:
        if (word == welcome(g, true))
            up(g);
        else
            not_answered(g, ECONNREFUSED);
        return;
    case GREETING:
        if (memcmp(g->in.greeting.magic, magic, sizeof magic) != 0 || g->in.greeting.to != mpt_fast.me ||
            (unsigned)g->in.greeting.from >= (unsigned)mpt_fast.npes || g->in.greeting.from == mpt_fast.me) {
            stranger(g, "a connection that is not of this library");
            return;
        }
        g->pe = g->in.greeting.from;
        g->theirs = g->in.greeting.number;
        g->stage = PROOF;
        if (!say(g, &g->number, sizeof g->number))
            leave(g, true);
        return;
    case PROOF:
        if (word == proof(g, false))
            called(g);
        else
            stranger(g, "a connection without this job's key");
        return;
    case CONNECT:
        return;
    }
}

void core_tcp_greet(struct core_tcp_greeter *g)
{
    if (g->fd < 0) /* it has left */
        return;
    if (g->stage == CONNECT) {
        step_connect(g);
        return;
    }
    ssize_t n = recv(g->fd, (char *)&g->in + g->have, stage_bytes[g->stage] - g->have, MSG_DONTWAIT);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (n <= 0) {
        if (is_caller(g))
            not_answered(g, n == 0 ? ECONNRESET : errno);
        else
            leave(g, true);
        return;
    }
    g->have += (unsigned)n;
    if (g->have == stage_bytes[g->stage])
        step(g);
}

/* ----------------------------------------------------------------- accept -- */

void core_tcp_accept(void)
{
    enum { AT_ONCE = 32 };
    for (int i = 0; i < AT_ONCE; i++) {
        int on = 1, fd;
        if (core_tcp.callers >= CALLERS_MOST) {
            be_deaf();
            return;
        }
        fd = accept4(core_tcp.listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (fd < 0) {
            if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM)
                be_deaf();
            return;
        }
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        core_tcp_watch(EPOLL_CTL_ADD, fd, EPOLLIN, greeter_new(fd, -1, GREETING));
    }
}

void core_tcp_greeters_look(void)
{
    int64_t now = core_tcp_now(), limit = core_tcp.deaf ? CALLER_MS : CALLER_MOST_MS;
    for (struct core_tcp_greeter *g = core_tcp.greeters, *next; g; g = next) {
        next = g->next;
        if (!is_caller(g) && now - g->since > limit)
            stranger(g, "a connection that says nothing");
    }
    listen_again();
    for (int pe = 0; core_tcp.again > 0 && pe < mpt_fast.npes; pe++)
        if (core_tcp.peer[pe].state == TCP_AGAIN && core_tcp.peer[pe].when <= now) {
            again(-1);
            call(&core_tcp.peer[pe]);
        }
}
