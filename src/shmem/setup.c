/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Setup, exit and thread support (1.6, 9.1 and 9.2). Starts are counted: the
 * last finalize that matches an init ends the library. Every thread level is
 * SHMEM_THREAD_MULTIPLE.
 */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "shmem/check.h"

struct shmemi shmemi = {
    .ctx_default = {.magic = SHMEMI_CTX_LIVE, .team = &shmemi.world, .flow = CORE_FLOW_DEFAULT},
    .contexts.lock = PTHREAD_MUTEX_INITIALIZER,
    .teams.lock = PTHREAD_MUTEX_INITIALIZER,
    .found.lock = PTHREAD_MUTEX_INITIALIZER,
};
_Thread_local struct shmemi_thread shmemi_thread;

static void look_for_races(void)
{
    core_race_start();
    core_race_look_at((const void *)mpt_fast.heap_lo, mpt_fast.heap_len);
    core_race_look_at((const void *)mpt_fast.data_lo, mpt_fast.data_len);
}

static int start(int npes_hint, const char *where, const void *from)
{
    uint64_t began = core_trace_now();
    int rc = core_job_start(npes_hint);
    if (rc != 0)
        return rc;
    if (core_trace_on())
        core_trace_was(where, from, began);
    if (shmemi.starts++ == 0) {
        coll_init();
        look_for_races();
        shmemi_teams_init();
        shmemi.guards = core_guard_on();
        shmemi.looks = core_params.check || shmemi.guards;
        if ((shmemi.checks = core_params.check)) {
            shmemi_agree_start();
            shmemi_agree_new(&shmemi.shared.own, COLL_WORLD);
        }
    }
    return 0;
}

static void start_or_exit(int npes_hint, const char *where, const void *from)
{
    if (start(npes_hint, where, from) != 0)
        exit(EXIT_FAILURE); /* core said why */
}

static void finish(const char *where)
{
    if (shmemi.starts == 0)
        core_finding_fatal(CORE_FINDING_CALL_STATE, shmemi_rule(where), "%s: called more often than shmem_init", where);
    if (shmemi.checks) {
        shmemi_agree(COLL_WORLD, (struct shmemi_same){.call = SHMEMI_FINALIZE}, where);
        shmemi_pending_complete(NULL, where);
    }
    if (MPT_UNLIKELY(core_race_on()))
        core_race_settle();
    core_quiet_all();
    if (core_job_depth() > 1) /* the last finish of the job is a barrier itself */
        coll_barrier(COLL_WORLD, where);
    if (--shmemi.starts == 0) {
        shmemi_teams_finish();
        if (shmemi.checks)
            shmemi_agree_finish();
    }
    core_job_finish();
}

void pshmem_init(void)
{
    start_or_exit(0, &__func__[1], __builtin_return_address(0));
}
SHMEMI_ALIAS(shmem_init);

void pshmem_finalize(void)
{
    finish(SHMEMI_WHERE);
}
SHMEMI_ALIAS(shmem_finalize);

int pshmem_init_thread(int requested, int *provided)
{
    if (requested < SHMEM_THREAD_SINGLE || requested > SHMEM_THREAD_MULTIPLE)
        shmemi_bad_value(requested, "requested", "one of SHMEM_THREAD_SINGLE to MULTIPLE", SHMEMI_WHERE);
    int rc = start(0, &__func__[1], __builtin_return_address(0));
    if (rc == 0 && provided)
        *provided = SHMEM_THREAD_MULTIPLE;
    return rc;
}
SHMEMI_ALIAS(shmem_init_thread);

void pshmem_query_thread(int *provided)
{
    const char *where = SHMEMI_WHERE;
    shmemi_ready(where);
    shmemi_not_null(provided, "provided", where);
    *provided = SHMEM_THREAD_MULTIPLE;
}
SHMEMI_ALIAS(shmem_query_thread);

void pshmem_query_initialized(int *initialized)
{
    shmemi_not_null(initialized, "initialized", SHMEMI_WHERE);
    *initialized = shmemi.starts > 0;
}
SHMEMI_ALIAS(shmem_query_initialized);

void pshmem_global_exit(int status)
{
    core_job_abort(status);
}
SHMEMI_ALIAS(shmem_global_exit);

/* 1.6, 11.4: of what is recorded. */
void pshmem_pcontrol(int level, ...)
{
    if (core_trace_on())
        core_trace_control(level);
}
SHMEMI_ALIAS(shmem_pcontrol);

/* Once only, whatever the number of calls; the job ends with the program. */
void pstart_pes(int npes)
{
    if (shmemi.starts == 0)
        start_or_exit(npes, &__func__[1], __builtin_return_address(0));
}
extern __typeof__(pstart_pes) start_pes __attribute__((weak, alias("pstart_pes")));
