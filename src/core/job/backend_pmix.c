/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Jobs whose processes were started by a launcher that serves PMIx (srun
 * --mpi=pmix, prterun, Open MPI's mpirun), on one host or many: PEs are numbered by
 * rank, cards travel by put, fence and get, and the launcher ends the job.
 */
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/internal.h"
#include "core/job/foreign.h"
#include "core/job/pmix.h"
#include "core/live/detector.h"
#include "core/task/task.h"

static bool here(void)
{
    return core_foreign_pmix();
}

#ifndef CORE_HAVE_PMIX

static int join(int npes_hint, struct core_location *location)
{
    (void)npes_hint;
    (void)location;
    core_error("a launcher that serves PMIx started this program, but the library was built without PMIx: build it "
               "where pmix.h is found "
               "(apt-get install libpmix-dev), or, on one host, use: oshrun -np N program");
    return -ENOTSUP;
}

const struct core_backend core_backend_pmix = {.name = "pmix", .here = here, .join = join};

#else

/* ---------------------------------------------------------------- start -- */

/* The launcher's daemon on this host has gone, and nobody will end this process
 * if it does not do so itself. Runs in PMIx's thread. */
static void lost_launcher(size_t id, pmix_status_t status, const pmix_proc_t *source, pmix_info_t info[], size_t ninfo,
                          pmix_info_t *results, size_t nresults, pmix_event_notification_cbfunc_fn_t done, void *arg)
{
    (void)id, (void)status, (void)source, (void)info, (void)ninfo, (void)results, (void)nresults;
    const struct core_pmix_process *p = core_state.job.pmix.process;
    if (!__atomic_load_n(&p->leaving, __ATOMIC_ACQUIRE) && getpid() == p->owner) {
        core_detector_say_end(1,
                              "its launcher's daemon has gone"); /* first: stderr may have gone with it, which kills */
        core_error("the launcher's daemon on host %s has gone; ending", core_host(-1));
        core_detector_exit(1);
    }
    if (done)
        done(PMIX_EVENT_ACTION_COMPLETE, NULL, 0, NULL, NULL, arg);
}

static void registered(pmix_status_t status, size_t id, void *arg)
{
    (void)id, (void)arg;
    if (status != PMIX_SUCCESS)
        core_debug("the launcher's end will go unnoticed: PMIx_Register_event_handler: %s",
                   core_pmix.Error_string(status));
}

static int connect_to_launcher(struct core_pmix_process *p)
{
    pmix_status_t codes[] = {PMIX_ERR_LOST_CONNECTION};
    int rc = core_pmix_load();
    if (rc != 0)
        return rc;
    pmix_status_t status = core_pmix.Init(&core_pmix.me, NULL, 0);
    if (status != PMIX_SUCCESS) {
        core_error("PMIx_Init: %s: the launcher's PMIx server on host %s cannot be reached (launcher and libpmix.so.2 "
                   "should be of the same release series)",
                   core_pmix.Error_string(status), core_host(-1));
        return -ENOTCONN;
    }
    p->owner = getpid();
    p->client = &core_pmix;
    core_pmix.Register_event_handler(codes, 1, NULL, 0, lost_launcher, registered, NULL);
    core_foreign_mark(core_pmix.me.nspace, core_pmix.me.rank);
    return 0;
}

/* Output that a launcher reads comes line by line, as on a terminal. */
static void flush_lines(void)
{
    struct stat st;
    if (fstat(STDOUT_FILENO, &st) == 0 && (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode)))
        setvbuf(stdout, NULL, _IOLBF, 0);
}

int core_pmix_enter(struct core_pmix_process *p, unsigned tasks)
{
    uint32_t size;
    int rc;
    core_state.job.pmix.process = p;
    p->tasks = tasks;
    p->parties = 1;
    if ((rc = connect_to_launcher(p)) != 0)
        return rc;
    if (core_pmix_number(PMIX_JOB_SIZE, &size) != 0 || size == 0 || size > INT32_MAX || core_pmix.me.rank >= size) {
        core_error("the launcher does not tell the size of its job (PMIX_JOB_SIZE), or process %u is outside of it",
                   core_pmix.me.rank);
        return -EPROTO;
    }
    p->size = size;
    rc = core_pmix_node(p, size);
    p->parties = tasks;
    return rc;
}

static int join(int npes_hint, struct core_location *location)
{
    struct core_pmix_process *p = *core_task_kept(CORE_TASK_KEEPS_LAUNCHER);
    unsigned bit = p ? core_task_bit() : 0;
    int rc = 0;
    if (!p)
        rc = core_pmix_enter(p = &core_state.job.pmix.own, 1);
    if (rc != 0)
        return rc;
    core_state.job.pmix.process = p;
    core_pmix = *p->client;
    *location = *p->at;
    location->me += (int)bit;
    location->slice += bit;
    if (npes_hint > 0 && npes_hint != location->npes)
        core_debug("the program asks for %d PEs, the launcher started %d", npes_hint, location->npes);
    if (bit == 0)
        flush_lines();
    return 0;
}

/* ------------------------------------------------------------ collectives -- */

enum { CARD_KEY = 48 };

static bool one_node(void)
{
    return core_seg->header->npes == (uint32_t)core_size();
}

/* A card without what it does not use. Its first fields never move, so a card
 * of another build is at least seen to be one. */
static size_t pack(const struct core_card *c, unsigned char *bytes)
{
    size_t n = offsetof(struct core_card, net);
    memcpy(bytes, c, n);
    memcpy(bytes + n, c->net, c->net_n);
    memcpy(bytes + n + c->net_n, c->life, c->life_n);
    return n + c->net_n + c->life_n;
}

static int unpack(struct core_card *c, const unsigned char *bytes, size_t n, int pe)
{
    size_t fixed = offsetof(struct core_card, net);
    *c = (struct core_card){0};
    memcpy(c, bytes, n < fixed ? n : fixed);
    if (c->magic != CORE_WIRE_MAGIC || c->build != core_wire_build())
        return 0; /* the comparison of cards says so */
    if (c->net_n > sizeof c->net || c->life_n > sizeof c->life || n != fixed + c->net_n + c->life_n) {
        core_error("the card of PE %d arrived damaged (%zu bytes)", pe, n);
        return -EPROTO;
    }
    memcpy(c->net, bytes + fixed, c->net_n);
    memcpy(c->life, bytes + fixed + c->net_n, c->life_n);
    return 0;
}

static int put_card(const struct core_card *own, unsigned exchange, unsigned bit)
{
    unsigned char bytes[sizeof *own];
    char key[CARD_KEY];
    snprintf(key, sizeof key, "mpt.card.%u.%u", exchange, bit);
    return core_pmix_put(key, bytes, pack(own, bytes), false);
}

/* One PE for all of its process. */
static int get_cards(struct core_pmix_process *p, unsigned exchange)
{
    struct core_card *all = calloc((size_t)core_size(), sizeof *all);
    unsigned char bytes[sizeof *all];
    char key[CARD_KEY];
    int rc = 0;
    if (!all) {
        core_error("no memory for the addresses of %d PEs", core_size());
        return -ENOMEM;
    }
    for (int pe = 0; pe < core_size() && rc == 0; pe++) {
        unsigned rank = core_pmix_rank_of(p, (unsigned)pe, p->size), bit = (unsigned)pe - core_pmix_first(p, rank);
        snprintf(key, sizeof key, "mpt.card.%u.%u", exchange, bit);
        long n = core_pmix_get((int)rank, key, bytes, sizeof bytes);
        rc = n < 0 ? (int)n : unpack(&all[pe], bytes, (size_t)n < sizeof bytes ? (size_t)n : sizeof bytes, pe);
    }
    if (rc != 0) {
        free(all);
        return rc;
    }
    p->cards = all;
    p->exchange = exchange;
    return 0;
}

static int exchange(const struct core_card *own, const struct core_card **all)
{
    struct core_pmix_process *p = core_state.job.pmix.process;
    unsigned which;
    int rc;
    if (one_node())
        return core_backend_local.exchange(own, all);
    which = ++core_state.job.pmix.exchanges;
    if ((rc = put_card(own, which, core_seg->idx - p->at->slice)) != 0 ||
        (rc = core_pmix_fence(CORE_PMIX_ALL, "the exchange of addresses")) != 0)
        return rc;
    pthread_mutex_lock(&p->lock);
    if (p->exchange != which)
        rc = get_cards(p, which);
    pthread_mutex_unlock(&p->lock);
    *all = p->cards;
    return rc;
}

static void joined(void)
{
    if (one_node())
        core_pmix_watch_start();
}

static void barrier(const char *where)
{
    if (one_node())
        core_backend_local.barrier(where);
    else if (core_pmix_fence(CORE_PMIX_ALL, where) != 0)
        core_fatal("the barrier of all PEs in %s failed", where);
}

/* ------------------------------------------------------------------- end -- */

/* A launcher that does not answer must not keep this process, nor the others of
 * this node. */
static void *__attribute__((noreturn)) give_up(void *status)
{
    nanosleep(&(struct timespec){.tv_sec = 3}, NULL);
    core_detector_exit((int)(intptr_t)status);
}

static void end_job(int status)
{
    struct core_pmix_process *p = core_state.job.pmix.process;
    char text[96];
    pthread_t guard;
    if (!p || p->owner != getpid() || __atomic_exchange_n(&p->leaving, true, __ATOMIC_ACQ_REL))
        return;
    snprintf(text, sizeof text, "mpt: PE %d on host %.40s ends the job", core_me(), core_host(-1));
    if (pthread_create(&guard, NULL, give_up, (void *)(intptr_t)status) == 0)
        core_pmix.Abort(status, text, NULL, 0);
}

/* The last PE of the process. */
static void leave(void)
{
    struct core_pmix_process *p = core_state.job.pmix.process;
    /* model: publish.count */
    if (p && p->owner == getpid() && __atomic_add_fetch(&p->ended, 1, __ATOMIC_ACQ_REL) == p->tasks &&
        !__atomic_exchange_n(&p->leaving, true, __ATOMIC_ACQ_REL))
        core_pmix.Finalize(NULL, 0);
}

const struct core_backend core_backend_pmix = {.name = "pmix",
                                               .here = here,
                                               .join = join,
                                               .joined = joined,
                                               .exchange = exchange,
                                               .barrier = barrier,
                                               .abort = end_job,
                                               .leave = leave};
#endif
