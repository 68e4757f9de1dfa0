/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Loads libpmix and wraps what is used of it. Structures are filled by hand: the
 * header's macros call functions whose names differ between versions.
 */
#include "core/job/pmix.h"

#ifdef CORE_HAVE_PMIX
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "core/internal.h"
#include "core/live/detector.h"

#define LIBRARY "libpmix.so.2"

struct core_pmix core_pmix;

int core_pmix_load(void)
{
    static const struct {
        const char *name;
        void *slot;
    } names[] = {
#define X(name) {"PMIx_" #name, &core_pmix.name},
        CORE_PMIX_NAMES(X)
#undef X
    };
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        core_error("a launcher that serves PMIx started this program, but " LIBRARY
                   " cannot be loaded: %s; install it on this host (%s; apt-get install libpmix2)",
                   dlerror(), core_host(-1));
        return -ENOTSUP;
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        void *symbol = dlsym(library, names[i].name);
        if (!symbol) {
            core_error(LIBRARY " on host %s has no %s; version 3 or later is needed", core_host(-1), names[i].name);
            return -ENOTSUP;
        }
        *(void **)names[i].slot = symbol;
    }
    return 0;
}

static int failed(const char *call, const char *key, pmix_status_t status)
{
    core_error("%s%s%s%s: %s (the launcher's PMIx server on host %s)", call, key ? " of \"" : "", key ? key : "",
               key ? "\"" : "", core_pmix.Error_string(status), core_host(-1));
    return -EIO;
}

static pmix_proc_t process(pmix_rank_t rank)
{
    pmix_proc_t p = core_pmix.me;
    p.rank = rank;
    return p;
}

static void release(pmix_value_t *v)
{
    if (v->type == PMIX_STRING)
        free(v->data.string);
    else if (v->type == PMIX_BYTE_OBJECT)
        free(v->data.bo.bytes);
    free(v);
}

int core_pmix_number(const char *key, uint32_t *value)
{
    pmix_proc_t job = process(PMIX_RANK_WILDCARD);
    pmix_value_t *v = NULL;
    if (core_pmix.Get(&job, key, NULL, 0, &v) != PMIX_SUCCESS || !v)
        return -ENOENT;
    int rc = v->type == PMIX_UINT32 ? 0 : -ENOENT;
    if (rc == 0)
        *value = v->data.uint32;
    release(v);
    return rc;
}

int core_pmix_text(const char *key, char **value)
{
    pmix_proc_t job = process(PMIX_RANK_WILDCARD);
    pmix_value_t *v = NULL;
    if (core_pmix.Get(&job, key, NULL, 0, &v) != PMIX_SUCCESS || !v)
        return -ENOENT;
    *value = v->type == PMIX_STRING && v->data.string ? strdup(v->data.string) : NULL;
    release(v);
    return *value ? 0 : -ENOENT;
}

int core_pmix_put(const char *key, const void *bytes, size_t n, bool near)
{
    pmix_value_t v = {.type = PMIX_BYTE_OBJECT};
    v.data.bo.bytes = (char *)(uintptr_t)bytes; /* read only: it is copied */
    v.data.bo.size = n;
    pmix_status_t status = core_pmix.Put(near ? PMIX_LOCAL : PMIX_GLOBAL, key, &v);
    if (status == PMIX_SUCCESS)
        status = core_pmix.Commit();
    return status == PMIX_SUCCESS ? 0 : failed("PMIx_Put", key, status);
}

long core_pmix_get(int rank, const char *key, void *bytes, size_t max)
{
    pmix_proc_t from = process((pmix_rank_t)rank);
    pmix_value_t *v = NULL;
    pmix_status_t status = core_pmix.Get(&from, key, NULL, 0, &v);
    if (status != PMIX_SUCCESS || !v) {
        core_error("PMIx_Get of \"%s\" of process %d: %s (the launcher's PMIx server on host %s)", key, rank,
                   core_pmix.Error_string(status), core_host(-1));
        return -EIO;
    }
    long n = v->type == PMIX_BYTE_OBJECT && v->data.bo.size <= LONG_MAX ? (long)v->data.bo.size : -EPROTO;
    if (n > 0)
        memcpy(bytes, v->data.bo.bytes, (size_t)n < max ? (size_t)n : max);
    release(v);
    return n;
}

/* ---------------------------------------------------------------- fence -- */

/* All PEs of this process. */
static void wake_process(const struct core_pmix_process *p)
{
    if (!core_seg->header)
        return;
    for (unsigned i = 0; i < p->tasks; i++)
        core_wake_slice(p->at->slice + i);
}

static void end_fence(struct core_pmix_process *p, pmix_status_t status)
{
    p->fence_status = status;
    __atomic_add_fetch(&p->fences, 1, __ATOMIC_RELEASE);
    syscall(SYS_futex, &p->fences, FUTEX_WAKE, 1, NULL, NULL, 0);
    wake_process(p);
}

/* Runs in PMIx's thread. */
static void fence_done(pmix_status_t status, void *process)
{
    end_fence(process, status);
}

/* Before the memory is mapped. A PE may do other things before it starts, for as
 * long as it likes, so there is no limit; but the user is told. */
static void wait_at_start(struct core_pmix_process *p, uint32_t fence)
{
    struct timespec limit = {.tv_sec = core_params.timeout};
    bool told = core_params.timeout == 0;
    while (__atomic_load_n(&p->fences, __ATOMIC_ACQUIRE) == fence) {
        long rc = syscall(SYS_futex, &p->fences, FUTEX_WAIT, fence, told ? NULL : &limit, NULL, 0);
        if (rc != 0 && errno == ETIMEDOUT && !told && __atomic_load_n(&p->fences, __ATOMIC_ACQUIRE) == fence) {
            core_error("process %u of the job on host %s has waited %u s for other processes to start as PEs (under "
                       "this launcher all start together), and goes on waiting",
                       core_pmix.me.rank, core_host(-1), core_params.timeout);
            told = true;
        }
    }
}

static void wait_as_pe(struct core_pmix_process *p, uint32_t fence, const char *where)
{
    struct core_waiter w;
    core_wait_begin(&w, where);
    while (__atomic_load_n(&p->fences, __ATOMIC_ACQUIRE) == fence) {
        core_job_barrier_step();
        core_wait_pause(&w);
        if (__atomic_load_n(&p->fences, __ATOMIC_ACQUIRE) == fence)
            core_job_look_for_left(&w);
    }
    core_wait_end(&w);
    core_detector_settle();
}

static void begin_fence(struct core_pmix_process *p, enum core_pmix_extent extent)
{
    pmix_info_t info = {.flags = 0, .value = {.type = PMIX_BOOL, .data.flag = true}};
    strcpy(info.key, PMIX_COLLECT_DATA);
    bool collect = extent == CORE_PMIX_ALL;
    pmix_status_t status = core_pmix.Fence_nb(NULL, 0, collect ? &info : NULL, collect ? 1 : 0, fence_done, p);
    if (status != PMIX_SUCCESS)
        end_fence(p, status);
}

int core_pmix_fence(enum core_pmix_extent extent, const char *where)
{
    struct core_pmix_process *p = core_state.job.pmix.process;
    uint32_t fence = __atomic_load_n(&p->fences, __ATOMIC_ACQUIRE);
    /* model: publish.count */
    if (__atomic_add_fetch(&p->arrived, 1, __ATOMIC_ACQ_REL) == p->parties) {
        __atomic_store_n(&p->arrived, 0, __ATOMIC_RELAXED);
        begin_fence(p, extent);
    }
    if (core_seg->header)
        wait_as_pe(p, fence, where);
    else
        wait_at_start(p, fence);
    pmix_status_t status = p->fence_status;
    if (status == PMIX_SUCCESS || status == PMIX_OPERATION_SUCCEEDED)
        return 0;
    return failed("PMIx_Fence", NULL, status);
}
#endif
