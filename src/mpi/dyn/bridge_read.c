/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The reading ends of bridges: streams that others opened, cut into frames.
 * Small frames are handled where they lie in the stream's buffer; the body of a
 * large one is read into memory of its own.
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "mpi/dyn/bridge.h"

static struct mpii_bridges *const bridges = &mpii_state.dyn.bridges;

enum { BUFFER = 64 << 10, READ_MOST = 4 << 20, SMALL = 4096 };
#define BODY_MOST (1ull << 40)

struct mpii_bridge_in {
    struct mpii_bridge_in *next;
    int fd; /* -1: closed */
    bool tcp;
    uint64_t since;        /* ns of the clock */
    struct mpii_dyn_peer *peer; /* NULL: a stranger, it has not said hello */
    size_t at, have;       /* in the buffer: bytes not handled are [at, have) */
    struct mpii_bridge_frame frame; /* whose body is being read ... */
    char *body;                /* ... to here; NULL: between frames */
    size_t got;
    _Alignas(16) char head[CORE_SEND_MAX];
    _Alignas(16) char buffer[BUFFER];
};

void mpii_bridge_in_close(struct mpii_bridge_in *in)
{
    struct mpii_bridge_in **at = &bridges->streams;

    if (!in || in->fd < 0)
        return;
    mpii_bridge_close_socket(in->fd);
    in->fd = -1;
    bridges->strangers -= !in->peer;
    free(in->body);
    in->body = NULL;
    while (*at != in)
        at = &(*at)->next;
    *at = in->next;
    in->next = bridges->buried; /* an event of it may still be in the list at hand */
    bridges->buried = in;
}

void mpii_bridge_in_free_closed(void)
{
    for (struct mpii_bridge_in *in; (in = bridges->buried);) {
        bridges->buried = in->next;
        free(in);
    }
}

void mpii_bridge_in_close_all(void)
{
    while (bridges->streams)
        mpii_bridge_in_close(bridges->streams);
    mpii_bridge_in_free_closed();
}

/* Frames that make no sense come from nobody of ours. */
static void reject(struct mpii_bridge_in *in, const char *why)
{
    struct mpii_dyn_peer *p = in->peer;

    core_debug("a connection of another job is closed: %s", why);
    mpii_bridge_in_close(in);
    if (p) {
        p->in = NULL;
        mpii_bridge_lost(p, why);
    }
}

/* ---------------------------------------------------------------- frames -- */

static bool from_this_user(const struct mpii_bridge_in *in, const struct mpii_bridge_hello *h)
{
    return in->tcp ? h->to.secret == mpii_dyn_own()->secret : mpii_bridge_is_ours(in->fd);
}

static void hello(struct mpii_bridge_in *in, const void *body, size_t n)
{
    struct mpii_bridge_hello h;
    struct mpii_dyn_peer *p;

    if (n != sizeof h)
        return reject(in, "its greeting is of another length");
    memcpy(&h, body, sizeof h);
    if (h.magic != BRIDGE_MAGIC || h.to.job != mpii_dyn_own()->job || h.to.pe != mpii_dyn_own()->pe ||
        !from_this_user(in, &h))
        return reject(in, "its greeting is for somebody else");
    p = mpii_dyn_peer_of(&h.from);
    if (!p)
        core_fatal("out of memory for a connection to another job");
    if (p->in)
        return reject(in, "its process has another one");
    p->gone = p->bye_heard = p->bye_said = false; /* MPI may have started again there */
    p->in = in;
    in->peer = p;
    bridges->strangers--;
}

static void on_end(struct mpii_dyn_peer *p, const struct mpii_bridge_frame *f, void *head, void *body)
{
    (void)head, (void)body;
    mpii_bridge_on_end(p, f->token);
}

static void on_offer(struct mpii_dyn_peer *p, const struct mpii_bridge_frame *f, void *head, void *body)
{
    uint64_t ids[2];

    memcpy(ids, head, sizeof ids);
    mpii_dyn_port_on_offer(p, ids[0], ids[1], body, f->n);
}

static void on_answer(struct mpii_dyn_peer *p, const struct mpii_bridge_frame *f, void *head, void *body)
{
    uint64_t ids[2];

    memcpy(ids, head, sizeof ids);
    mpii_dyn_port_on_answer(p, ids[0], ids[1], body, f->n);
}

static void on_settled(struct mpii_dyn_peer *p, const struct mpii_bridge_frame *f, void *head, void *body)
{
    uint64_t ids[2];

    (void)f, (void)body;
    memcpy(ids, head, sizeof ids);
    mpii_dyn_port_on_settled(p, ids[0], ids[1] != 0);
}

static void on_bye(struct mpii_dyn_peer *p, const struct mpii_bridge_frame *f, void *head, void *body)
{
    (void)f, (void)head, (void)body;
    p->bye_heard = true;
}

static void on_message(struct mpii_dyn_peer *p, const struct mpii_bridge_frame *f, void *head, void *body)
{
    mpii_bridge_deliver(p, f, head, body);
}

static const struct {
    uint32_t head_n; /* 0: any */
    uint64_t most;   /* bytes of a body */
    void (*handle)(struct mpii_dyn_peer *p, const struct mpii_bridge_frame *f, void *head, void *body);
} kinds[BRIDGE_KINDS] = {
    [BRIDGE_HELLO] = {0, sizeof(struct mpii_bridge_hello), NULL},
    [BRIDGE_MESSAGE] = {0, CORE_SEND_MAX, on_message},
    [BRIDGE_RNDV] = {0, BODY_MOST, NULL},
    [BRIDGE_END] = {0, 0, on_end},
    [BRIDGE_OFFER] = {16, BODY_MOST, on_offer},
    [BRIDGE_ANSWER] = {16, BODY_MOST, on_answer},
    [BRIDGE_SETTLED] = {16, 0, on_settled},
    [BRIDGE_BYE] = {0, 0, on_bye},
};

static bool sane(const struct mpii_bridge_in *in, const struct mpii_bridge_frame *f)
{
    return f->kind < BRIDGE_KINDS && f->channel <= MPII_CHANNEL_RMA && f->head_n <= CORE_SEND_MAX &&
           f->n <= kinds[f->kind].most && (!kinds[f->kind].head_n || f->head_n == kinds[f->kind].head_n) &&
           (f->kind == BRIDGE_HELLO) == (in->peer == NULL);
}

/* `body` of a FAR frame is given away. */
static void handle(struct mpii_bridge_in *in, const struct mpii_bridge_frame *f, void *head, void *body)
{
    if (f->kind == BRIDGE_HELLO)
        hello(in, body, f->n);
    else if (f->kind == BRIDGE_RNDV)
        mpii_bridge_deliver_rndv(in->peer, f, head, body);
    else
        kinds[f->kind].handle(in->peer, f, head, body);
}

static void body_complete(struct mpii_bridge_in *in)
{
    char *body = in->body;

    in->body = NULL;
    handle(in, &in->frame, in->head, body);
    if (in->frame.kind != BRIDGE_RNDV)
        free(body);
}

/* The body begins in the buffer and goes on in the socket. */
static void begin_body(struct mpii_bridge_in *in, const struct mpii_bridge_frame *f, const char *head)
{
    size_t here;

    in->frame = *f;
    memcpy(in->head, head, f->head_n);
    in->at += sizeof *f + f->head_n;
    in->body = malloc(f->n + 1);
    if (!in->body)
        core_fatal("out of memory for a message of %llu bytes from another job", (unsigned long long)f->n);
    here = in->have - in->at < f->n ? in->have - in->at : f->n;
    memcpy(in->body, in->buffer + in->at, here);
    in->at += here;
    in->got = here;
    if (in->got == f->n)
        body_complete(in);
}

/* One frame out of the buffer; false: more must be read first. */
static bool take_frame(struct mpii_bridge_in *in)
{
    struct mpii_bridge_frame f;
    _Alignas(16) char small[CORE_SEND_MAX + SMALL];
    size_t have = in->have - in->at, whole;
    char *at = in->buffer + in->at;

    if (in->fd < 0 || in->body || have < sizeof f)
        return false;
    memcpy(&f, at, sizeof f);
    if (!sane(in, &f)) {
        reject(in, "it has sent what this process does not understand");
        return false;
    }
    if (have < sizeof f + f.head_n)
        return false;
    if (f.kind == BRIDGE_RNDV || f.n > SMALL) {
        begin_body(in, &f, at + sizeof f);
        return true;
    }
    whole = sizeof f + f.head_n + f.n;
    if (have < whole)
        return false;
    memcpy(small, at + sizeof f, f.head_n); /* where heads and bodies are aligned */
    memcpy(small + CORE_SEND_MAX, at + sizeof f + f.head_n, f.n);
    in->at += whole;
    handle(in, &f, small, small + CORE_SEND_MAX);
    return true;
}

static ssize_t receive(struct mpii_bridge_in *in)
{
    ssize_t n;

    if (in->body) {
        n = recv(in->fd, in->body + in->got, in->frame.n - in->got, MSG_DONTWAIT);
        if (n > 0 && (in->got += (size_t)n) == in->frame.n)
            body_complete(in);
        return n;
    }
    memmove(in->buffer, in->buffer + in->at, in->have - in->at);
    in->have -= in->at;
    in->at = 0;
    n = recv(in->fd, in->buffer + in->have, BUFFER - in->have, MSG_DONTWAIT);
    if (n > 0)
        in->have += (size_t)n;
    return n;
}

void mpii_bridge_read(struct mpii_bridge_in *in)
{
    size_t most = READ_MOST; /* others want their turn */
    ssize_t n = 0;

    while (in->fd >= 0 && most > 0 && (n = receive(in)) > 0) {
        most -= (size_t)n < most ? (size_t)n : most;
        while (take_frame(in))
            ;
    }
    if (in->fd < 0 || n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR)))
        return;
    reject(in, "has ended without MPI_Finalize");
}

/* ------------------------------------------------------------- new streams --
 * Anybody may connect. Processes of other users are rejected; so many may stay and say nothing, for so long, and
 * when there is no room for another one for less. Nobody is let in for a while when that makes none: an event that
 * cannot be served must not keep the sleepers awake. */
enum { STRANGERS_MOST = 128, KNOCKS_MOST = 256 };
#define GREETING_NS 10000000000ull
#define HURRY_NS 250000000ull
#define REST_NS 100000000ull

static bool turn_one_out(uint64_t age)
{
    struct mpii_bridge_in *oldest = NULL;

    for (struct mpii_bridge_in *in = bridges->streams; in; in = in->next)
        if (!in->peer)
            oldest = in;
    if (!oldest || core_clock_ns() - oldest->since < age)
        return false;
    reject(oldest, "it has not said who it is");
    return true;
}

static void rest(void)
{
    bridges->rest_until = core_clock_ns() + REST_NS;
    mpii_bridge_listen_to(false);
}

static void no_descriptor(void)
{
    int error = errno;

    if (!bridges->told && error == EMFILE)
        core_error("other jobs cannot connect for now: this process has no descriptor left (ulimit -n)");
    bridges->told |= error == EMFILE;
    rest();
}

static void let_in(int fd, bool tcp)
{
    struct mpii_bridge_in *in = malloc(sizeof *in);

    if (!in)
        core_fatal("out of memory for a connection to another job");
    memset(in, 0, offsetof(struct mpii_bridge_in, head));
    in->fd = fd;
    in->tcp = tcp;
    in->since = core_clock_ns();
    in->next = bridges->streams;
    bridges->streams = in;
    bridges->strangers++;
    mpii_bridge_watch(fd, EPOLLIN, BRIDGE_IN, in, false);
    mpii_bridge_read(in);
}

void mpii_bridge_accept(int listener, bool tcp)
{
    for (int knocks = 0; knocks < KNOCKS_MOST && !bridges->rest_until; knocks++) {
        int fd;

        if (bridges->strangers >= STRANGERS_MOST && !turn_one_out(HURRY_NS)) {
            rest();
            return;
        }
        fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd < 0 && (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM))
            no_descriptor();
        else if (fd < 0 && errno != ECONNABORTED && errno != EINTR)
            return;
        else if (fd >= 0 && !tcp && !mpii_bridge_is_ours(fd))
            close(fd);
        else if (fd >= 0)
            let_in(fd, tcp);
    }
}

void mpii_bridge_in_step(uint64_t now)
{
    if (bridges->strangers == 0 && !bridges->rest_until)
        return;
    while (turn_one_out(GREETING_NS))
        ;
    if (bridges->rest_until && now >= bridges->rest_until) {
        turn_one_out(HURRY_NS);
        bridges->rest_until = 0;
        mpii_bridge_listen_to(true);
    }
}
