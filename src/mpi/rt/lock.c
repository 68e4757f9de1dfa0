/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The lock around MPI's bodies, the tasks under way, and waiting for them.
 */
#include <pthread.h>
#include <sched.h>

#include "core/channel/quick.h"
#include "mpi/ft/ft.h"
#include "mpi/p2p/p2p.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local unsigned depth __attribute__((tls_model("initial-exec")));
static _Thread_local unsigned failed __attribute__((tls_model("initial-exec"))); /* tests in a row */
static unsigned queue; /* threads that want the lock */
struct mpii_task *mpii_tasks;
static bool stepping;
static struct mpii_task *cursor; /* whose turn is next while tasks are stepped */

static void take(void)
{
    core_bias_end();
    if (pthread_mutex_trylock(&lock) == 0)
        return;
    __atomic_fetch_add(&queue, 1, __ATOMIC_RELAXED);
    pthread_mutex_lock(&lock);
    __atomic_fetch_sub(&queue, 1, __ATOMIC_RELAXED);
}

/* Another thread wants to come in while this one is in a section of its own: the section
 * becomes the lock, which nobody has had yet. */
static void give_way(void)
{
    if (depth > 0)
        pthread_mutex_lock(&lock);
    core_bias_yield();
}

void mpii_lock_start(void)
{
    core_bias_start(give_way);
}

/* What other threads' handlers left for us is done before and after: they look for
 * the lock after they have left something, so one of both finds it. */
static void give(unsigned had)
{
    for (;;) {
        depth = had; /* handling may lock and unlock */
        if (MPT_UNLIKELY(__atomic_load_n(&mpii_p2p_inbox_news, __ATOMIC_RELAXED)))
            mpii_p2p_inbox_handle();
        depth = 0;
        pthread_mutex_unlock(&lock);
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
        if (MPT_LIKELY(!__atomic_load_n(&mpii_p2p_inbox_news, __ATOMIC_RELAXED)) || pthread_mutex_trylock(&lock) != 0)
            return;
    }
}

void mpii_lock(void)
{
    if (depth++ == 0 && !core_bias_enter())
        take();
}

/* Only handlers call it: of the owner's messages in its section, of all others past the bias. */
bool mpii_trylock(void)
{
    if (depth == 0 && pthread_mutex_trylock(&lock) != 0)
        return false;
    depth++;
    return true;
}

/* In a section nobody else can have left anything. */
static inline bool leave_section(void)
{
    if (!core_bias_here())
        return false;
    depth = 0;
    core_bias_leave();
    return true;
}

void mpii_unlock(void)
{
    if (depth > 1)
        depth--;
    else if (!leave_section())
        give(1);
}

unsigned mpii_unlock_all(void)
{
    unsigned had = depth;

    if (had && !leave_section())
        give(had);
    return had;
}

void mpii_lock_again(unsigned had)
{
    if (had) {
        if (!core_bias_enter())
            take();
        depth = had;
    }
}

void mpii_task_add(struct mpii_task *task)
{
    if (task->at)
        return; /* what it was there for went away since its last step */
    task->next = mpii_tasks;
    task->at = &mpii_tasks;
    if (mpii_tasks)
        mpii_tasks->at = &task->next;
    mpii_tasks = task;
}

void mpii_task_remove(struct mpii_task *task)
{
    if (!task->at)
        return;
    if (cursor == task)
        cursor = task->next;
    *task->at = task->next;
    if (task->next)
        task->next->at = task->at;
    task->at = NULL;
}

/* A step may remove any task, the next one too: mpii_task_remove moves the cursor on. */
static void step_tasks(void)
{
    if (stepping)
        return; /* a step steps no others: they may be on its stack */
    stepping = true;
    for (cursor = mpii_tasks; cursor;) {
        struct mpii_task *task = cursor;

        cursor = task->next;
        task->step(task);
    }
    stepping = false;
}

void mpii_progress(void)
{
    core_progress();
    if (MPT_UNLIKELY(mpii_ft_on))
        mpii_ft_look();
    if (MPT_UNLIKELY(__atomic_load_n(&mpii_p2p_inbox_news, __ATOMIC_RELAXED)))
        mpii_p2p_inbox_handle();
    if (MPT_UNLIKELY(mpii_tasks != NULL))
        step_tasks();
}

/* Nobody wants the lock, and this pause is a short one; or this is a section, which who
 * wants to come in ends, also while we sleep. Handlers of our own messages may take it
 * again; what other threads' handlers leave for us we look for. */
static bool pause_with_lock(struct core_waiter *w)
{
    if (depth == 0)
        return false;
    if (!core_bias_here() && (__atomic_load_n(&queue, __ATOMIC_RELAXED) || !core_wait_spins(w)))
        return false;
    core_wait_pause(w);
    if (MPT_UNLIKELY(__atomic_load_n(&mpii_p2p_inbox_news, __ATOMIC_RELAXED)))
        mpii_p2p_inbox_handle();
    return true;
}

/* What came meanwhile may have begun a task: it takes its first step before the wait looks at the wire again. */
static void step_new(const struct mpii_task *first)
{
    if (MPT_UNLIKELY(mpii_tasks != first && mpii_tasks != NULL))
        step_tasks();
}

void mpii_wait_pause(struct core_waiter *w)
{
    const struct mpii_task *first;
    unsigned had;

    if (MPT_UNLIKELY(mpii_ft_on))
        mpii_ft_look();
    if (MPT_UNLIKELY(mpii_tasks != NULL))
        step_tasks();
    if (MPT_UNLIKELY(w->waited_long))
        mpii_coll_look(w->where);
    first = mpii_tasks;
    if (!pause_with_lock(w)) {
        had = mpii_unlock_all();
        core_wait_pause(w);
        if (MPT_UNLIKELY(had && __atomic_load_n(&queue, __ATOMIC_RELAXED)))
            sched_yield(); /* who sleeps for the lock would not get it from a spinning thread */
        mpii_lock_again(had);
    }
    step_new(first);
}

void mpii_test_failed(const char *where)
{
    unsigned had = core_bias_here() ? 0 : mpii_unlock_all();

    core_test_failed(&failed, where);
    mpii_lock_again(had);
}

void mpii_looked_slow(void)
{
    unsigned had;

    if (!core_look_due())
        return;
    had = core_bias_here() ? 0 : mpii_unlock_all();
    core_look_yield();
    mpii_lock_again(had);
}

void mpii_test_found(void)
{
    core_test_found(&failed);
}
