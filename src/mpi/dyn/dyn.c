/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The processes of other jobs. A process of another job has a number from core_size()
 * on, given when it is first heard of and never taken back; what travels is its
 * address, because the others have other numbers for it.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>

#include "core/base/clock.h"
#include "mpi/dyn/bridge.h"

_Static_assert(sizeof(struct mpii_dyn_address) == MPII_PROC_BYTES, "addresses are what travels");

static struct mpii_dyn_state *const dyn = &mpii_state.dyn;

static uint64_t mix(uint64_t x, uint64_t more)
{
    x = (x ^ more) * 0x9e3779b97f4a7c15u;
    return x ^ x >> 31;
}

/* Equal for processes that share a network namespace of one running system. */
static uint64_t host_number(void)
{
    char boot[64] = "";
    struct stat net;
    uint64_t id = 1;
    FILE *f = fopen("/proc/sys/kernel/random/boot_id", "re");

    if (f) {
        if (!fgets(boot, sizeof boot, f))
            boot[0] = '\0';
        fclose(f);
    }
    for (const char *c = boot; *c; c++)
        id = mix(id, (unsigned char)*c);
    if (stat("/proc/self/ns/net", &net) == 0)
        id = mix(id, net.st_ino);
    return id;
}

int mpii_dyn_open(void)
{
    if (dyn->open)
        return MPI_SUCCESS;
    dyn->own = (struct mpii_dyn_address){
        .job = core_job_id(), .host = host_number(), .pe = core_me(), .call = core_job_token((uint64_t)core_me())};
    if (getrandom(&dyn->own.secret, sizeof dyn->own.secret, GRND_NONBLOCK) != sizeof dyn->own.secret)
        dyn->own.secret = mix(dyn->own.job, core_clock_ns());
    if (mpii_bridge_open(&dyn->own) != 0)
        return MPI_ERR_OTHER;
    mpii_state.p2p.foreign = &mpii_bridge_messages;
    core_race_blind(); /* other jobs order processes of this one */
    dyn->open = true;
    return MPI_SUCCESS;
}

bool mpii_dyn_is_open(void)
{
    return dyn->open;
}

const struct mpii_dyn_address *mpii_dyn_own(void)
{
    return &dyn->own;
}

/* Siblings listen by a name that can be computed; of their TCP part nothing is known. */
struct mpii_dyn_address mpii_dyn_address_of(int proc)
{
    if (mpii_dyn_is_foreign(proc))
        return mpii_dyn_peer_at(proc)->at;
    if (proc == core_me() && dyn->open)
        return dyn->own;
    return (struct mpii_dyn_address){.job = core_job_id(),
                                     .host =
                                         dyn->open && core_node_of(proc) == core_node_of(core_me()) ? dyn->own.host : 0,
                                     .pe = proc,
                                     .call = core_job_token((uint64_t)proc)};
}

struct mpii_dyn_peer *mpii_dyn_peer_at(int proc)
{
    int i = proc - core_size();

    if (i < 0 || i >= dyn->n_foreign)
        core_fatal("process %d is of no job that this one knows", proc);
    return dyn->foreign[i];
}

struct mpii_dyn_peer *mpii_dyn_peer_next(struct mpii_dyn_peer *after)
{
    return after ? after->next : dyn->peers;
}

static bool give_number(struct mpii_dyn_peer *p)
{
    struct mpii_dyn_peer **more;

    if (p->at.job == core_job_id()) {
        p->number = p->at.pe;
        return true;
    }
    more = realloc(dyn->foreign, ((size_t)dyn->n_foreign + 1) * sizeof *more);
    if (!more)
        return false;
    dyn->foreign = more;
    dyn->foreign[dyn->n_foreign] = p;
    p->number = core_size() + dyn->n_foreign++;
    return true;
}

static struct mpii_dyn_peer *peer_new(const struct mpii_dyn_address *a)
{
    struct mpii_dyn_peer *p = calloc(1, sizeof *p);

    if (!p)
        return NULL;
    p->at = *a;
    p->out.fd = -1;
    p->out.last = &p->out.first;
    if (!give_number(p)) {
        free(p);
        return NULL;
    }
    *dyn->peers_last = p;
    dyn->peers_last = &p->next;
    return p;
}

struct mpii_dyn_peer *mpii_dyn_peer_of(const struct mpii_dyn_address *a)
{
    for (struct mpii_dyn_peer *p = dyn->peers; p; p = p->next)
        if (p->at.pe == a->pe && p->at.job == a->job) {
            if (a->host && a->secret)
                p->at = *a; /* who told of it first may not have known all */
            return p;
        }
    return peer_new(a);
}

int mpii_dyn_number_of(const struct mpii_dyn_address *a)
{
    struct mpii_dyn_peer *p;

    if (a->job == core_job_id())
        return a->pe;
    p = mpii_dyn_peer_of(a);
    return p ? p->number : -1;
}

void mpii_procs_out(const int *procs, int n, void *records)
{
    for (int i = 0; i < n; i++) {
        struct mpii_dyn_address a = mpii_dyn_address_of(procs[i]);

        memcpy((char *)records + (size_t)i * sizeof a, &a, sizeof a);
    }
}

int mpii_procs_in(const void *records, int n, int *procs)
{
    for (int i = 0; i < n; i++) {
        struct mpii_dyn_address a;

        memcpy(&a, (const char *)records + (size_t)i * sizeof a, sizeof a);
        if (a.job != core_job_id() && mpii_dyn_open() != MPI_SUCCESS)
            return MPI_ERR_OTHER;
        procs[i] = mpii_dyn_number_of(&a);
        if (procs[i] < 0)
            return MPI_ERR_NO_MEM;
    }
    return MPI_SUCCESS;
}

uint64_t mpii_procs_hash(uint64_t seed, const int *procs, int n)
{
    bool mixed = false;

    for (int i = 0; i < n; i++)
        mixed |= mpii_dyn_is_foreign(procs[i]);
    if (!mixed)
        return mpii_context_meeting(seed, procs, (size_t)n * sizeof *procs);
    for (int i = 0; i < n; i++) {
        struct mpii_dyn_address a = mpii_dyn_address_of(procs[i]);
        uint64_t who[2] = {a.job, (uint64_t)a.pe};

        seed = mpii_context_meeting(seed, who, sizeof who);
    }
    return seed;
}

bool mpii_proc_before(int a, int b)
{
    struct mpii_dyn_address x, y;

    if (!mpii_dyn_is_foreign(a) && !mpii_dyn_is_foreign(b))
        return a < b;
    x = mpii_dyn_address_of(a);
    y = mpii_dyn_address_of(b);
    return x.job != y.job ? x.job < y.job : x.pe < y.pe;
}

static bool has(const struct mpii_group *g, int proc)
{
    return g && mpii_group_find(g, proc) != MPI_UNDEFINED;
}

/* All of the pool are looked at, for this is rare. */
bool mpii_dyn_connected(int proc)
{
    const struct mpii_pool *pool = &mpii_state.rt.pools[MPII_COMM];

    for (size_t at = 0; at < pool->used; at += pool->slot) {
        const struct mpii_comm *c = (const void *)(pool->base + at);

        bool is_comm = c->anchor.object.kind == MPII_COMM || c->anchor.object.kind == MPII_UNBORN;

        if (is_comm && (has(c->group, proc) || has(c->remote, proc)))
            return true;
    }
    return false;
}

const char *mpii_dyn_name(const struct mpii_dyn_address *a, char *text, size_t n)
{
    snprintf(text, n, "PE %d of job %016llx", a->pe, (unsigned long long)a->job);
    return text;
}

/* ------------------------------------------------ the end of this process -- */

static bool settled(void)
{
    for (struct mpii_dyn_peer *p = dyn->peers; p; p = p->next) {
        bool linked = p->number >= core_size() && !p->gone;

        if (!mpii_bridge_idle(p) || (linked && !p->bye_heard && mpii_dyn_connected(p->number)))
            return false;
    }
    return true;
}

/* Whoever will see a socket of ours close, or waits for us in its own MPI_Finalize. */
static bool must_hear(const struct mpii_dyn_peer *p)
{
    if (p->gone || p->bye_said)
        return false;
    return p->out.fd >= 0 || p->out.retry || p->in ||
           (p->number >= core_size() && !p->bye_heard && mpii_dyn_connected(p->number));
}

/* MPI_Finalize is collective over all processes that are connected (11.10.4): each
 * hears from each. Those that have disconnected are told, but not waited for. */
void mpii_dyn_finish(void)
{
    struct core_waiter w;

    if (!dyn->open)
        return;
    for (struct mpii_dyn_peer *p = dyn->peers; p; p = p->next)
        if (must_hear(p)) {
            mpii_bridge_post(p, &(struct mpii_bridge_post){.kind = BRIDGE_BYE});
            p->bye_said = true;
        }
    mpii_wait_begin(&w, "MPI_Finalize: processes of other jobs");
    while (!settled())
        mpii_wait_pause(&w);
    mpii_wait_end(&w);
    mpii_dyn_names_finish();
    mpii_bridge_close();
    dyn->open = false;
}
