/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Ports: where the root of one group waits for that of another (11.9). A port's
 * name holds the address of the process that opened it and a number, by which
 * that process finds the port; nobody else need know of it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"
#include "mpi/dyn/bridge.h"

static struct mpii_dyn_state *const dyn = &mpii_state.dyn;

struct offer {
    struct offer *next;
    struct mpii_dyn_peer *from; /* NULL: it is gone */
    uint64_t number;
    int n;
    struct mpii_dyn_address all[];
};

struct mpii_dyn_port {
    struct mpii_dyn_port *next;
    uint64_t number;
    struct offer *first, **last;
};

/* What this process has offered, and waits to have answered. */
struct mpii_dyn_waiting {
    struct mpii_dyn_waiting *next;
    struct mpii_dyn_peer *to;
    uint64_t number;
    int err; /* -1: not answered yet */
    struct mpii_dyn_group *theirs;
};

/* Whom this process has answered, and must hear from whether it still waited. */
struct mpii_dyn_answered {
    struct mpii_dyn_answered *next;
    struct mpii_dyn_peer *to;
    uint64_t offer;
    enum { UNSETTLED, COME, WITHDRAWN } end;
};

/* ----------------------------------------------------------------- names -- */

static const char format[] = "mpt:%016llx.%x.%llx:%016llx.%016llx:%08x.%04x.%016llx";

void mpii_dyn_port_name(const struct mpii_dyn_port *p, char text[MPI_MAX_PORT_NAME])
{
    const struct mpii_dyn_address *a = mpii_dyn_own();

    snprintf(text, MPI_MAX_PORT_NAME, format, (unsigned long long)a->job, (unsigned)a->pe,
             (unsigned long long)p->number, (unsigned long long)a->host, (unsigned long long)a->call, a->ip, a->port,
             (unsigned long long)(a->ip ? a->secret : 0));
}

static bool parse(const char *name, struct mpii_dyn_address *a, uint64_t *number)
{
    unsigned long long job, n, host, call, secret;
    unsigned pe, ip, port;
    char again[MPI_MAX_PORT_NAME];

    if (!name || sscanf(name, "mpt:%16llx.%x.%llx:%16llx.%16llx:%8x.%4x.%16llx", &job, &pe, &n, &host, &call, &ip,
                        &port, &secret) != 8)
        return false;
    snprintf(again, sizeof again, format, job, pe, n, host, call, ip, port, secret);
    *a = (struct mpii_dyn_address){
        .job = job, .host = host, .secret = secret, .call = call, .pe = (int)pe, .ip = ip, .port = (uint16_t)port};
    *number = n;
    return strcmp(again, name) == 0;
}

struct mpii_dyn_port *mpii_dyn_port_new(void)
{
    struct mpii_dyn_port *p = calloc(1, sizeof *p);

    if (!p)
        return NULL;
    p->number = (mpii_dyn_own()->secret & ~0xffffffull) |
                (++dyn->n_ports & 0xffffff); /* not to be guessed from another one's */
    p->last = &p->first;
    p->next = dyn->ports;
    dyn->ports = p;
    return p;
}

static struct mpii_dyn_port *find(uint64_t number)
{
    struct mpii_dyn_port *p = dyn->ports;

    while (p && p->number != number)
        p = p->next;
    return p;
}

struct mpii_dyn_port *mpii_dyn_port_here(const char *name)
{
    struct mpii_dyn_address a;
    uint64_t number;

    if (!parse(name, &a, &number) || a.job != mpii_dyn_own()->job || a.pe != mpii_dyn_own()->pe)
        return NULL;
    return find(number);
}

/* --------------------------------------------------------- who accepts -- */

static void answer(struct mpii_dyn_peer *to, uint64_t number, const struct mpii_dyn_group *own)
{
    uint64_t ids[2] = {number, own ? own->context : 0};
    struct mpii_bridge_post post = {.kind = BRIDGE_ANSWER, .head = ids, .head_n = sizeof ids};

    if (own) {
        post.body = own->all;
        post.n = (size_t)own->n * sizeof *own->all;
    }
    mpii_bridge_post(to, &post);
}

void mpii_dyn_port_on_offer(struct mpii_dyn_peer *from, uint64_t number, uint64_t offer, const void *data, size_t n)
{
    struct mpii_dyn_port *p = find(number);
    struct offer *o = p && n ? malloc(sizeof *o + n) : NULL;

    if (!o || n % sizeof *o->all) {
        free(o);
        answer(from, offer, NULL);
        return;
    }
    *o = (struct offer){.from = from, .number = offer, .n = (int)(n / sizeof *o->all)};
    memcpy(o->all, data, n);
    *p->last = o;
    p->last = &o->next;
}

static struct offer *take_offer(struct mpii_dyn_port *p)
{
    struct offer *o = p->first;

    if (!o)
        return NULL;
    p->first = o->next;
    if (!p->first)
        p->last = &p->first;
    return o;
}

void mpii_dyn_port_close(struct mpii_dyn_port *p)
{
    struct mpii_dyn_port **at = &dyn->ports;

    for (struct offer *o; (o = take_offer(p)); free(o))
        if (o->from)
            answer(o->from, o->number, NULL);
    while (*at != p)
        at = &(*at)->next;
    *at = p->next;
    free(p);
}

/* Is the other side there? */
static bool meet(const struct offer *o, const struct mpii_dyn_group *own)
{
    struct mpii_dyn_answered mine = {dyn->answers, o->from, o->number, UNSETTLED}, **at = &dyn->answers;
    struct core_waiter w;

    dyn->answers = &mine;
    answer(o->from, o->number, own);
    mpii_wait_begin(&w, "MPI: who connects at a port");
    while (mine.end == UNSETTLED)
        mpii_wait_pause(&w);
    mpii_wait_end(&w);
    while (*at != &mine)
        at = &(*at)->next;
    *at = mine.next;
    return mine.end == COME;
}

void mpii_dyn_port_on_settled(struct mpii_dyn_peer *from, uint64_t offer, bool come)
{
    for (struct mpii_dyn_answered *a = dyn->answers; a; a = a->next)
        if (a->to == from && a->offer == offer && a->end == UNSETTLED)
            a->end = come ? COME : WITHDRAWN;
    for (struct mpii_dyn_port *p = dyn->ports; p && !come; p = p->next)
        for (struct offer *o = p->first; o; o = o->next)
            if (o->from == from && o->number == offer)
                o->from = NULL;
}

/* The next one at the port. NULL: *err. */
static struct offer *next_offer(uint64_t number, int failed(void *arg), void *arg, int *err, const char *call)
{
    struct core_waiter w;
    struct offer *o = NULL;

    *err = MPI_SUCCESS;
    mpii_wait_begin(&w, call);
    while (*err == MPI_SUCCESS && !o) {
        struct mpii_dyn_port *p = find(number);

        if (!p)
            *err = MPI_ERR_PORT;
        else if ((o = take_offer(p)) && !o->from) {
            free(o);
            o = NULL;
        } else if (!o && (*err = failed ? failed(arg) : MPI_SUCCESS) == MPI_SUCCESS)
            mpii_wait_pause(&w);
    }
    mpii_wait_end(&w);
    return o;
}

int mpii_dyn_port_accept(struct mpii_dyn_port *p, const struct mpii_dyn_group *own, struct mpii_dyn_group *theirs,
                         int failed(void *arg), void *arg, const char *call)
{
    const uint64_t number = p->number; /* another thread may close it meanwhile */
    struct offer *o;
    int err;

    while ((o = next_offer(number, failed, arg, &err, call)) && !meet(o, own))
        free(o);
    if (!o)
        return err;
    theirs->n = o->n;
    theirs->all = malloc((size_t)o->n * sizeof *o->all);
    if (!theirs->all)
        core_fatal("%s: out of memory for the addresses of %d processes", call, o->n);
    memcpy(theirs->all, o->all, (size_t)o->n * sizeof *o->all);
    free(o);
    return MPI_SUCCESS;
}

/* --------------------------------------------------------- who connects -- */

static void settle(struct mpii_dyn_peer *to, uint64_t offer, bool come)
{
    uint64_t ids[2] = {offer, come};

    mpii_bridge_post(to, &(struct mpii_bridge_post){.kind = BRIDGE_SETTLED, .head = ids, .head_n = sizeof ids});
}

void mpii_dyn_port_on_answer(struct mpii_dyn_peer *from, uint64_t offer, uint64_t context, const void *data, size_t n)
{
    struct mpii_dyn_waiting *w = dyn->offered;

    while (w && (w->number != offer || w->to != from))
        w = w->next;
    if (!w || w->err >= 0)
        return;
    w->err = MPI_ERR_PORT;
    if (n == 0 || n % sizeof *w->theirs->all || !(w->theirs->all = malloc(n)))
        return;
    memcpy(w->theirs->all, data, n);
    w->theirs->n = (int)(n / sizeof *w->theirs->all);
    w->theirs->context = context;
    w->err = MPI_SUCCESS;
    settle(from, offer, true);
}

void mpii_dyn_port_on_gone(struct mpii_dyn_peer *peer)
{
    for (struct mpii_dyn_waiting *w = dyn->offered; w; w = w->next)
        if (w->to == peer && w->err < 0)
            w->err = MPI_ERR_PORT;
    for (struct mpii_dyn_port *p = dyn->ports; p; p = p->next)
        for (struct offer *o = p->first; o; o = o->next)
            if (o->from == peer)
                o->from = NULL;
    for (struct mpii_dyn_answered *a = dyn->answers; a; a = a->next)
        if (a->to == peer && a->end == UNSETTLED)
            a->end = WITHDRAWN;
}

static void forget(struct mpii_dyn_waiting *mine)
{
    struct mpii_dyn_waiting **at = &dyn->offered;

    while (*at != mine)
        at = &(*at)->next;
    *at = mine->next;
}

/* Until it is answered, or has waited for so long; returns whether that was too long. */
static bool await(struct mpii_dyn_waiting *mine, double seconds, const char *call)
{
    uint64_t until = core_clock_ns() + (uint64_t)(seconds * 1e9);
    struct core_waiter w;

    mpii_wait_begin(&w, call);
    while (mine->err < 0 && (seconds <= 0 || core_clock_ns() < until))
        mpii_wait_pause(&w);
    mpii_wait_end(&w);
    if (mine->err >= 0)
        return false;
    mine->err = MPI_ERR_PORT;
    settle(mine->to, mine->number, false);
    return true;
}

int mpii_dyn_port_connect(const char *name, const struct mpii_dyn_group *own, struct mpii_dyn_group *theirs,
                          double seconds, bool *late, const char *call)
{
    struct mpii_dyn_address a;
    uint64_t ids[2];
    struct mpii_dyn_waiting mine = {.err = -1, .theirs = theirs, .number = ++dyn->n_offered};
    struct mpii_bridge_post post = {.kind = BRIDGE_OFFER,
                                    .head = ids,
                                    .head_n = sizeof ids,
                                    .body = own->all,
                                    .n = (size_t)own->n * sizeof *own->all};
    bool timed_out;

    if (!parse(name, &a, &ids[0]) ||
        (a.job == mpii_dyn_own()->job && (a.pe == mpii_dyn_own()->pe || a.pe >= core_size())))
        return MPI_ERR_PORT;
    if (a.host != mpii_dyn_own()->host && (!a.ip || !mpii_dyn_own()->ip))
        return MPI_ERR_PORT; /* both sides connect to each other: both need an address */
    mine.to = mpii_dyn_peer_of(&a);
    if (!mine.to)
        return MPI_ERR_NO_MEM;
    ids[1] = mine.number;
    mine.next = dyn->offered;
    dyn->offered = &mine;
    if (mpii_bridge_post(mine.to, &post) != 0 && mine.err < 0)
        mine.err = MPI_ERR_PORT;
    timed_out = await(&mine, seconds, call);
    if (late)
        *late = timed_out;
    forget(&mine);
    return mine.err;
}
