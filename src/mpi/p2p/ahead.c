/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Would the sends of this run end if none was buffered? Each process counts its sends and receives as they begin: its
 * events. A blocking send at event x of process P whose message met the receive that Q began at event b could then end
 * only when Q had come to b; a blocking receive, when its sender had come to the send. To come there a process must be
 * past all its blocking calls before. Those need others, and so on. A send that by that needs its own process to have
 * come further than itself would wait for ever: a finding.
 *
 * That holds for each run in which the same calls are made and the same messages meet. So nothing is said in a job in
 * which anything depended on time: a test or probe, whatever it found (without buffers it might have found another
 * thing), MPI_ANY_SOURCE among several, waits for one of several, requests that are freed or cancelled, windows, shared
 * file pointers, names that are looked up, threads, other interfaces beside MPI. Waits for receives are left out: they
 * could only add to what a send needs.
 *
 * A blocking collective may wait for all others (6.14), so it needs each of them to have come to it. Those that need
 * not wait and do not, as most broadcasts, can be what closes a circle, too. MPI_Isend and nonblocking collectives
 * block where they are waited for; what a collective needs is that the others have begun it.
 *
 * Messages of two processes are numbered: the n-th that comes is the n-th that was sent. The last calls of each process
 * lie where all can read them, and the receiver adds to a send the event of its receive. It then looks for a cycle: the
 * last receive of one finds it.
 */
#include "mpi/p2p/ahead.h"

#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/site.h"
#include "core/check/finding.h"
#include "mpi/p2p/p2p.h"

enum { CALLS = 64, PROCS = 64, RECENT = 16, MEETINGS = 16, LATER = 8, NAME = 32, LAST_EVENT = 1 << 30 };
#define A_RECEIVE UINT32_MAX /* in place of a number */

struct call {
    uint64_t word; /* of a send: its number among those to the same process, and the event there that it needs (0: not
                      known yet); 0: it is being written */
    uint32_t waits; /* the event at which it blocks; 0: it does not */
    int peer, tag;
    int64_t site; /* from where the program lies; 0: not known */
    uint32_t event; /* at which it begins */
};

/* A collective call: to which of its events each other member must have come. */
struct meeting {
    uint32_t event; /* 0: it is being written */
    uint32_t theirs[PROCS]; /* 0: no member */
    int64_t site;
    char name[NAME];
};

struct mpii_ahead {
    uint64_t program;     /* whose addresses these are */
    uint32_t loose;       /* something depended on time */
    uint32_t events, n;   /* so far; calls noted */
    uint32_t latest;      /* event here that a blocking call needed */
    uint32_t met;         /* meetings noted */
    struct meeting meeting[MEETINGS];
    uint8_t at[PROCS][RECENT]; /* where sends to a process are, by their numbers */
    struct call of[CALLS];
    uint32_t sent_to[PROCS], come_from[PROCS]; /* own */
    bool any; /* own: a receive from any source has met a message */
    uint32_t isends;
    struct isend {
        const void *request; /* NULL: it has been waited for */
        uint32_t n, number;
    } isend[RECENT]; /* own */
    uint32_t laters;
    struct later {
        const void *request; /* of a nonblocking collective; NULL: none, or all is known */
        uint32_t waits;      /* the event at which it is waited for; 0: not yet */
        bool met;            /* all members have come */
        struct meeting m;
    } later[LATER]; /* own */
};

_Static_assert(sizeof(struct mpii_ahead) <= CORE_FACE_MPI, "it fits its part");

static struct mpii_p2p_state *const p2p = &mpii_state.p2p;

static uint32_t number_of(uint64_t word)
{
    return (uint32_t)(word >> 32);
}

static struct mpii_ahead *of_process(int proc)
{
    uint64_t place;

    if (!core_slice_offset(p2p->ahead, sizeof *p2p->ahead, &place))
        return NULL;
    return core_slice_at(proc, place);
}

/* -------------------------------------------------------------- the program -- */

static int first_object(struct dl_phdr_info *info, size_t size, void *base)
{
    (void)size;
    *(uintptr_t *)base = info->dlpi_addr;
    return 1;
}

static uintptr_t base_of_program(void)
{
    uintptr_t base = 0;

    dl_iterate_phdr(first_object, &base);
    return base;
}

static uint64_t program_id(void)
{
    struct stat s;

    return stat("/proc/self/exe", &s) == 0 ? (uint64_t)s.st_ino * 31 + (uint64_t)s.st_dev + 1 : 0;
}

/* At the end of the area: PVM has its tables at the begin. */
static struct mpii_ahead *own_place(void)
{
    size_t room;
    char *area = core_params.check && !core_has_network() && core_size() <= PROCS ? core_face_area(&room) : NULL;

    return area ? (struct mpii_ahead *)(void *)(area + room - CORE_FACE_MPI) : NULL;
}

static void forget(const struct mpii_request *request);

void mpii_ahead_init(void)
{
    struct mpii_ahead *own = own_place();
    uint64_t place;

    if (!own || !core_slice_offset(own, sizeof *own, &place))
        return;
    for (int pe = 0; pe < core_size(); pe++)
        if (!core_slice_at(pe, place))
            return;
    own->program = program_id();
    own->loose |= mpii_state.ft.on; /* what a dead process did not get is not numbered */
    p2p->ahead = own;
    mpii_state.rt.depends_on_time = &own->loose;
    mpii_state.rt.waits = mpii_ahead_waits;
    mpii_state.rt.forgets = forget;
}

/* ------------------------------------------------------------- the records -- */

static uint32_t next_event(void)
{
    struct mpii_ahead *own = p2p->ahead;

    if (own->events >= LAST_EVENT || !core_process_single() || core_job_depth() > 1 || core_race_blinded())
        own->loose = 1; /* another interface may tell what has come when */
    return ++own->events;
}

static void note(struct call c)
{
    struct mpii_ahead *own = p2p->ahead;
    struct call *at = &own->of[own->n++ % CALLS];
    const uint64_t word = c.word;

    __atomic_store_n(&at->word, 0, __ATOMIC_SEQ_CST);
    /* model: seqlock.begin */
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    at->event = c.event;
    at->waits = c.waits;
    at->peer = c.peer;
    at->tag = c.tag;
    at->site = c.site;
    /* model: seqlock.end */
    __atomic_store_n(&at->word, word, __ATOMIC_RELEASE);
}

static int64_t site_of(uintptr_t site)
{
    return site ? (int64_t)(site - base_of_program()) : 0;
}

void mpii_ahead_sends(const struct mpii_p2p_message *m, bool blocks)
{
    struct mpii_ahead *own = p2p->ahead;
    const uintptr_t site = !own ? 0 : m->label ? m->label->site : blocks ? core_site() : 0;
    uint32_t number, event;

    if (m->lane == MPII_LANE_USER)
        mpii_op_look();
    if (!own || m->lane != MPII_LANE_USER || m->proc < 0)
        return;
    if (m->proc >= core_size() || m->comm->trouble) {
        own->loose = 1; /* of another job, or it may not go */
        return;
    }
    number = ++own->sent_to[m->proc];
    own->at[m->proc][number % RECENT] = (uint8_t)(own->n % CALLS);
    event = next_event();
    note((struct call){(uint64_t)number << 32, blocks ? event : 0, m->proc, m->tag, site_of(site), event});
}

void mpii_ahead_isends(const struct mpii_p2p_message *m, const struct mpii_request *r)
{
    struct mpii_ahead *own = p2p->ahead;

    if (own && m->lane == MPII_LANE_USER && m->mode == MPII_STANDARD && m->proc >= 0 && m->proc < core_size())
        own->isend[own->isends++ % RECENT] = (struct isend){r, own->n - 1, own->sent_to[m->proc]};
}

/* A copy; false: it is being written. */
static bool read_call(const struct call *at, struct call *s)
{
    /* model: seqlock.read */
    uint64_t word = __atomic_load_n(&at->word, __ATOMIC_ACQUIRE);

    *s = *at;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    s->word = word;
    return word != 0 && __atomic_load_n(&at->word, __ATOMIC_RELAXED) == word;
}

uint32_t mpii_ahead_posts(void)
{
    mpii_op_look();
    return p2p->ahead ? next_event() : 0;
}

uint32_t mpii_ahead_comes(int from)
{
    return p2p->ahead && from < core_size() ? ++p2p->ahead->come_from[from] : 0;
}

/* ---------------------------------------------------------------- the cycle -- */

struct need {
    uint32_t event;   /* the process must come to it, past all its blocking calls before */
    int by;           /* as this one's call ... */
    struct call call; /* ... needs */
    char name[NAME];  /* of a collective; "": a message */
};

/* A copy; false: it is being written. */
static bool read_meeting(const struct meeting *at, struct meeting *m)
{
    const uint32_t event = __atomic_load_n(&at->event, __ATOMIC_ACQUIRE);

    *m = *at;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    m->event = event;
    return event != 0 && __atomic_load_n(&at->event, __ATOMIC_RELAXED) == event;
}

static bool follow_meetings(struct need need[], int x)
{
    const struct mpii_ahead *page = of_process(x);
    bool more = false;

    for (int i = 0; i < MEETINGS; i++) {
        struct meeting m;

        if (!read_meeting(&page->meeting[i], &m) || m.event >= need[x].event)
            continue;
        for (int q = 0; q < core_size(); q++)
            if (m.theirs[q] > need[q].event) {
                need[q] = (struct need){m.theirs[q], x, {.waits = m.event, .peer = q, .site = m.site}, ""};
                memcpy(need[q].name, m.name, sizeof m.name);
                more = true;
            }
    }
    return more;
}

/* All that follows from what process X must come to; true: something new did. */
static bool follow(struct need need[], int x)
{
    const struct mpii_ahead *page = of_process(x);
    bool more = false;

    for (int i = 0; i < CALLS; i++) {
        struct call s;

        if (!read_call(&page->of[i], &s) || !s.waits || s.waits >= need[x].event || s.peer < 0 ||
            s.peer >= core_size() || (uint32_t)s.word <= need[s.peer].event)
            continue;
        need[s.peer] = (struct need){(uint32_t)s.word, x, s, ""};
        more = true;
    }
    return follow_meetings(need, x) || more;
}

static bool anything_depends_on_time(void)
{
    for (int pe = 0; pe < core_size(); pe++)
        if (__atomic_load_n(&of_process(pe)->loose, __ATOMIC_RELAXED))
            return true;
    return false;
}

static void add_place(struct core_finding *f, const struct need *n)
{
    const bool known = n->call.site && of_process(n->by)->program == p2p->ahead->program;
    const uintptr_t site = known ? base_of_program() + (uintptr_t)n->call.site : 0;

    if (n->name[0])
        core_finding_at(f, n->by, site, "%s, to which PE %d comes later", n->name, n->call.peer);
    else if (number_of(n->call.word) == A_RECEIVE)
        core_finding_at(f, n->by, site, "MPI_Recv(from PE %d, tag %d)", n->call.peer, n->call.tag);
    else
        core_finding_at(f, n->by, site, "%s(to PE %d, tag %d)%s, whose receive begins later",
                        n->call.waits == n->call.event ? "MPI_Send" : "MPI_Isend", n->call.peer, n->call.tag,
                        n->call.waits == n->call.event ? "" : " and its wait");
}

static void report(const struct need need[], int first)
{
    struct core_finding f;
    int at = first, n = 0;

    do
        at = need[at].by;
    while (at != first && ++n < core_size());
    if (at != first)
        return;
    core_finding_begin(&f, CORE_FINDING_BUFFERING, "MPI-5.0, 3.5 and 6.14", "%s: %s",
                       need[first].name[0] ? need[first].name : "MPI_Send",
                       need[first].name[0]
                           ? "if collectives wait for all members, these calls would wait for each other for ever"
                       : n > 0 ? "without buffers these calls would wait for each other for ever"
                               : "without buffers this send to itself would wait for ever for its receive");
    do {
        add_place(&f, &need[at]);
        at = need[at].by;
    } while (at != first);
    core_finding_end(&f);
}

/* Process p's call, at its event `at`, needs process q to have come as far as is said. */
static void look_for_cycle(int p, uint32_t at, int q, const struct need *first)
{
    struct need need[PROCS] = {[0] = {.event = 0}};
    bool more = true;

    if (__atomic_load_n(&of_process(p)->latest, __ATOMIC_ACQUIRE) <= at || anything_depends_on_time())
        return; /* p has come no further by what any call has needed */
    need[q] = *first;
    while (more && need[p].event <= at) {
        more = false;
        for (int x = 0; x < core_size(); x++)
            more |= need[x].event > 0 && follow(need, x);
    }
    if (need[p].event > at)
        report(need, p);
}

static void raise_to(uint32_t *latest, uint32_t event)
{
    uint32_t old = __atomic_load_n(latest, __ATOMIC_RELAXED);

    while (old < event &&
           !__atomic_compare_exchange_n(latest, &old, event, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
    }
}

/* Nothing here comes later yet, so it completes no cycle. */
static void note_receive(struct mpii_ahead *theirs, int from, uint32_t sent, uint32_t event, int tag, uintptr_t site)
{
    note((struct call){(uint64_t)A_RECEIVE << 32 | sent, event, from, tag, site_of(site ? site : core_site()), event});
    raise_to(&theirs->latest, sent);
}

void mpii_ahead_meets(const struct mpii_p2p_mail *m, const struct mpii_p2p_recv *v)
{
    struct mpii_ahead *own = p2p->ahead, *theirs;
    const uint64_t unmet = (uint64_t)m->number << 32;
    const uint32_t event = v->event;
    struct call *at, s;
    uint64_t word = unmet;

    if (!own || m->number == 0 || event == 0)
        return;
    if (v->node.source == MPI_ANY_SOURCE)
        own->any = true;
    if (own->any && (core_size() > 2 || own->sent_to[core_me()]))
        own->loose = 1; /* of two processes, the one that sends nothing to itself has one source */
    theirs = of_process(m->from);
    at = &theirs->of[theirs->at[core_me()][m->number % RECENT] % CALLS];
    if (!read_call(at, &s) || s.peer != core_me() || number_of(s.word) != m->number ||
        !__atomic_compare_exchange_n(&at->word, &word, unmet | event, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
        return;
    if (v->blocks)
        note_receive(theirs, m->from, s.event, event, m->tag, v->asker.call ? v->asker.site : 0);
    s.waits = __atomic_load_n(&at->waits, __ATOMIC_SEQ_CST);
    if (!s.waits)
        return;
    s.word = unmet | event;
    raise_to(&own->latest, event);
    look_for_cycle(m->from, s.waits, core_me(), &(struct need){event, m->from, s, ""});
}

/* ------------------------------------------------------- waits, collectives -- */

static void waits_for(const struct isend *e, uint32_t event)
{
    struct mpii_ahead *own = p2p->ahead;
    struct call *at = &own->of[e->n % CALLS], s;

    if (own->n - e->n > CALLS || number_of(at->word) != e->number)
        return;
    __atomic_store_n(&at->waits, event, __ATOMIC_SEQ_CST);
    s = *at;
    s.word = __atomic_load_n(&at->word, __ATOMIC_SEQ_CST);
    if ((uint32_t)s.word == 0)
        return; /* whoever receives it looks */
    raise_to(&of_process(s.peer)->latest, (uint32_t)s.word);
    look_for_cycle(core_me(), event, s.peer, &(struct need){(uint32_t)s.word, core_me(), s, ""});
}

/* Its members are known, and the event at which this process blocks in it. */
static void put_meeting(const struct meeting *now, uint32_t event)
{
    struct mpii_ahead *own = p2p->ahead;
    struct meeting *at = &own->meeting[own->met++ % MEETINGS];

    __atomic_store_n(&at->event, 0, __ATOMIC_SEQ_CST);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    memcpy(at->theirs, now->theirs, sizeof *at - offsetof(struct meeting, theirs));
    __atomic_store_n(&at->event, event, __ATOMIC_SEQ_CST);
    for (int q = 0; q < core_size(); q++)
        if (now->theirs[q])
            raise_to(&of_process(q)->latest, now->theirs[q]);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

/* Where the others block in it only they know: each looks for itself. */
static void waits_for_others(struct later *l)
{
    put_meeting(&l->m, l->waits);
    l->request = NULL;
    for (int q = 0; q < core_size(); q++) {
        struct need first = {l->m.theirs[q], core_me(), {.waits = l->waits, .peer = q, .site = l->m.site}, ""};

        memcpy(first.name, l->m.name, sizeof first.name);
        if (l->m.theirs[q])
            look_for_cycle(core_me(), l->waits, q, &first);
    }
}

static struct later *later_of(const void *request)
{
    for (int i = 0; i < LATER; i++)
        if (p2p->ahead->later[i].request == request)
            return &p2p->ahead->later[i];
    return NULL;
}

uint32_t mpii_ahead_begins(const void *request)
{
    struct mpii_ahead *own = p2p->ahead;
    struct later *l = own && request ? later_of(request) : NULL;

    if (!own || !request)
        return 0;
    mpii_op_look();
    if (!l)
        l = &own->later[own->laters++ % LATER];
    *l = (struct later){.request = request};
    return next_event();
}

/* It goes, and another one may have its place. */
static void forget(const struct mpii_request *request)
{
    struct mpii_ahead *own = p2p->ahead;
    struct later *l = own ? later_of(request) : NULL;

    for (int i = 0; own && i < RECENT; i++)
        if (own->isend[i].request == request)
            own->isend[i].request = NULL;
    if (l && !l->waits) /* of one that has been waited for the members may be known later */
        l->request = NULL;
}

void mpii_ahead_waits(int count, const MPI_Request requests[])
{
    struct mpii_ahead *own = p2p->ahead;
    uint32_t event = 0;

    for (int i = 0; own && i < RECENT; i++) {
        struct isend *e = &own->isend[i];
        int k = 0;

        while (e->request && k < count && (const void *)mpii_request_in(requests[k]) != e->request)
            k++;
        if (!e->request || k == count)
            continue;
        e->request = NULL;
        event = event ? event : next_event();
        waits_for(e, event);
    }
    for (int k = 0; own && own->laters && k < count; k++) {
        const struct mpii_request *r = mpii_request_in(requests[k]);
        struct later *l = r ? later_of(r) : NULL;

        if (!l)
            continue;
        event = event ? event : next_event();
        l->waits = event;
        if (l->met)
            waits_for_others(l);
    }
}

static void met_later(const void *request, const struct meeting *now)
{
    struct later *l = later_of(request);

    if (!l)
        return;
    l->m = *now;
    l->met = true;
    if (l->waits)
        waits_for_others(l);
}

void mpii_ahead_met(const struct mpii_ahead_meeting *m)
{
    struct mpii_ahead *own = p2p->ahead;
    struct meeting now = {.site = site_of(m->site)};

    if (!own || m->event == 0)
        return;
    snprintf(now.name, sizeof now.name, "%s", m->call);
    for (int i = 0; i < m->n; i++) {
        if (m->procs[i] >= core_size())
            own->loose = 1;
        else if (m->procs[i] != core_me())
            now.theirs[m->procs[i]] = m->events[i];
    }
    if (m->request) {
        met_later(m->request, &now);
        return;
    }
    put_meeting(&now, m->event);
    for (int q = 0; q < core_size(); q++) {
        struct need first = {m->event, q, {.waits = now.theirs[q], .peer = core_me(), .site = now.site}, ""};

        memcpy(first.name, now.name, sizeof now.name);
        if (now.theirs[q])
            look_for_cycle(q, now.theirs[q], core_me(), &first);
    }
}
