/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls that wait: other tasks of the process go on meanwhile.
 */
#include <errno.h>
#include <locale.h>
#include <semaphore.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/internal.h"
#include "core/task/hooks.h"
#include "core/task/own.h"

/* -------------------------------------------------------------- sleeping -- */

static int yield(void)
{
    if (!core_task_self)
        return core_task_real.yield();
    core_task_give_way();
    return 0;
}

/* What is left when a handler has ended it. */
static uint64_t sleep_ns(uint64_t ns)
{
    struct core_task *t = core_task_self;
    unsigned interrupts = t->interrupts;
    uint64_t now = core_clock_ns(), end = ns < UINT64_MAX - now ? now + ns : UINT64_MAX;

    if (ns == 0)
        core_task_give_way();
    for (; now < end && t->interrupts == interrupts; now = core_clock_ns())
        core_task_doze(end);
    return now < end ? end - now : 0;
}

static int nano_sleep(const struct timespec *want, struct timespec *left)
{
    if (!core_task_self || !want || want->tv_sec < 0 || (unsigned long)want->tv_nsec > 999999999ul)
        return core_task_real.nano_sleep(want, left);
    uint64_t rest = sleep_ns((uint64_t)want->tv_sec * 1000000000u + (uint64_t)want->tv_nsec);
    if (rest == 0)
        return 0;
    if (left)
        *left = (struct timespec){(time_t)(rest / 1000000000u), (long)(rest % 1000000000u)};
    errno = EINTR;
    return -1;
}

/* Times of the processor's clocks pass only while something runs. */
static int sleep_by_clock(clockid_t clock, int flags, const struct timespec *want, struct timespec *left)
{
    uint64_t end, now = 0;
    struct timespec rest;

    if (!core_task_self || !want || want->tv_sec < 0 || (unsigned long)want->tv_nsec > 999999999ul ||
        (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC && clock != CLOCK_BOOTTIME))
        return core_task_real.sleep_by_clock(clock, flags, want, left);
    if (!(flags & TIMER_ABSTIME))
        return nano_sleep(want, left) == 0 ? 0 : errno;
    end = (uint64_t)want->tv_sec * 1000000000u + (uint64_t)want->tv_nsec;
    now = core_clock_read(clock);
    end = end > now ? end - now : 0;
    rest = (struct timespec){(time_t)(end / 1000000000u), (long)(end % 1000000000u)};
    return nano_sleep(&rest, NULL) == 0 ? 0 : errno;
}

static int micro_sleep(useconds_t us)
{
    struct timespec t = {us / 1000000, us % 1000000 * 1000l};

    return nano_sleep(&t, NULL);
}

static unsigned second_sleep(unsigned s)
{
    struct timespec t = {s, 0}, left = {s, 0};

    return nano_sleep(&t, &left) == 0 ? 0 : (unsigned)left.tv_sec + (left.tv_nsec >= 500000000);
}

/* -------------------------------------------------------- its own threads -- */

/* They run beside all tasks, and what is their PE's is theirs. */
struct beginning {
    struct core_task *owner;
    void *(*run)(void *arg);
    void *arg;
};

static void *begin_thread(void *data)
{
    struct beginning b = *(struct beginning *)data;

    free(data);
    core_task_owner = b.owner;
    if (b.owner->own->locale)
        uselocale(b.owner->own->locale);
    return b.run(b.arg);
}

static int create_thread(pthread_t *thread, const pthread_attr_t *attr, void *(*run)(void *), void *arg)
{
    struct beginning *b = malloc(sizeof *b);
    int rc;

    if (!b)
        return EAGAIN;
    *b = (struct beginning){core_task_here(), run, arg};
    b->owner->own->threads = true;
    b->owner->single = 0;
    rc = core_task_real.create_thread(thread, attr, begin_thread, b);
    if (rc != 0)
        free(b);
    return rc;
}

/* Who waits for them must not keep the others of its process from running. */
struct joining {
    pthread_t thread;
    void **result;
    int rc;
};

static bool joined(void *arg)
{
    struct joining *j = arg;

    j->rc = pthread_tryjoin_np(j->thread, j->result);
    return j->rc != EBUSY;
}

static int join_thread(pthread_t thread, void **result)
{
    struct joining j = {thread, result, 0};

    if (!core_task_self)
        return core_task_real.join_thread(thread, result);
    core_task_until(joined, &j, UINT64_MAX);
    return j.rc;
}

struct locking {
    pthread_mutex_t *mutex;
    int rc;
};

static bool locked(void *arg)
{
    struct locking *l = arg;

    l->rc = pthread_mutex_trylock(l->mutex);
    return l->rc != EBUSY;
}

static int lock_mutex(pthread_mutex_t *mutex)
{
    struct locking l = {mutex, 0};

    if (!core_task_self)
        return core_task_real.lock_mutex(mutex);
    core_task_until(locked, &l, UINT64_MAX);
    return l.rc;
}

/* When it is so late by this clock, by ours. */
static uint64_t end_of(clockid_t clock, const struct timespec *end)
{
    uint64_t then = (uint64_t)end->tv_sec * 1000000000u + (uint64_t)end->tv_nsec, now = core_clock_read(clock);

    return core_clock_ns() + (then > now ? then - now : 0);
}

static int lock_until(pthread_mutex_t *mutex, clockid_t clock, const struct timespec *end)
{
    struct locking l = {mutex, 0};

    if (!core_task_self || locked(&l))
        return core_task_self ? l.rc : core_task_real.lock_until(mutex, clock, end);
    return core_task_until(locked, &l, end_of(clock, end)) ? l.rc : ETIMEDOUT;
}

static int lock_timed(pthread_mutex_t *mutex, const struct timespec *end)
{
    return lock_until(mutex, CLOCK_REALTIME, end);
}

static bool read_locked(void *arg)
{
    return pthread_rwlock_tryrdlock(arg) != EBUSY;
}

static bool write_locked(void *arg)
{
    return pthread_rwlock_trywrlock(arg) != EBUSY;
}

/* Who has it already, or what is wrong, the C library tells. */
static int lock_shared(pthread_rwlock_t *lock, bool (*take)(void *), int (*real)(pthread_rwlock_t *),
                       int (*look)(pthread_rwlock_t *))
{
    int rc = core_task_self ? look(lock) : EINVAL;

    if (!core_task_self || (rc != 0 && rc != EBUSY))
        return real(lock);
    if (rc == EBUSY)
        core_task_until(take, lock, UINT64_MAX);
    return 0;
}

static int lock_for_reading(pthread_rwlock_t *lock)
{
    return lock_shared(lock, read_locked, core_task_real.lock_for_reading, pthread_rwlock_tryrdlock);
}

static int lock_for_writing(pthread_rwlock_t *lock)
{
    return lock_shared(lock, write_locked, core_task_real.lock_for_writing, pthread_rwlock_trywrlock);
}

/* They may return early; programs look at their condition again. */
static int wait_a_little(pthread_cond_t *condition, pthread_mutex_t *mutex)
{
    uint64_t end = core_clock_ns() + 200000;
    struct timespec limit = {.tv_sec = (time_t)(end / 1000000000u), .tv_nsec = (long)(end % 1000000000u)};
    int rc = core_task_real.wait_until(condition, mutex, CLOCK_MONOTONIC, &limit);

    if (rc != ETIMEDOUT)
        return rc;
    pthread_mutex_unlock(mutex);
    core_task_give_way();
    return lock_mutex(mutex);
}

static int wait_condition(pthread_cond_t *condition, pthread_mutex_t *mutex)
{
    return core_task_self ? wait_a_little(condition, mutex) : core_task_real.wait_condition(condition, mutex);
}

static int wait_until(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock, const struct timespec *end)
{
    int rc;

    if (!core_task_self || end_of(clock, end) < core_clock_ns() + 200000)
        return core_task_real.wait_until(condition, mutex, clock, end);
    rc = wait_a_little(condition, mutex);
    return rc == 0 && end_of(clock, end) <= core_clock_ns() ? ETIMEDOUT : rc;
}

/* By which clock the condition says, but not to others. Times since a start are less than those since 1970. */
static int wait_timed(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *end)
{
    if (!core_task_self)
        return core_task_real.wait_timed(condition, mutex, end);
    return wait_until(condition, mutex, end->tv_sec > 1000000000 ? CLOCK_REALTIME : CLOCK_MONOTONIC, end);
}

static bool taken(void *semaphore)
{
    return sem_trywait(semaphore) == 0 || errno != EAGAIN;
}

static int wait_semaphore(sem_t *semaphore)
{
    if (!core_task_self)
        return core_task_real.wait_semaphore(semaphore);
    core_task_until(taken, semaphore, UINT64_MAX);
    return 0;
}

static int wait_semaphore_timed(sem_t *semaphore, const struct timespec *end)
{
    if (!core_task_self || sem_trywait(semaphore) == 0)
        return core_task_self ? 0 : core_task_real.wait_semaphore_timed(semaphore, end);
    if ((unsigned long)end->tv_nsec <= 999999999ul && core_task_until(taken, semaphore, end_of(CLOCK_REALTIME, end)))
        return 0;
    errno = (unsigned long)end->tv_nsec <= 999999999ul ? ETIMEDOUT : EINVAL;
    return -1;
}

const struct core_task_hook core_task_hooks_wait[] = {
    HOOK("sched_yield", yield, yield),
    HOOK("pthread_yield", yield, yield),
    HOOK("nanosleep", nano_sleep, nano_sleep),
    HOOK("clock_nanosleep", sleep_by_clock, sleep_by_clock),
    HOOK("usleep", micro_sleep, micro_sleep),
    HOOK("sleep", second_sleep, second_sleep),
    HOOK("pthread_create", create_thread, create_thread),
    HOOK("pthread_join", join_thread, join_thread),
    HOOK("pthread_mutex_lock", lock_mutex, lock_mutex),
    HOOK("pthread_mutex_clocklock", lock_until, lock_until),
    REPLACE("pthread_mutex_timedlock", lock_timed),
    HOOK("pthread_rwlock_rdlock", lock_for_reading, lock_for_reading),
    HOOK("pthread_rwlock_wrlock", lock_for_writing, lock_for_writing),
    HOOK("pthread_cond_wait", wait_condition, wait_condition),
    HOOK("pthread_cond_clockwait", wait_until, wait_until),
    HOOK("pthread_cond_timedwait", wait_timed, wait_timed),
    HOOK("sem_timedwait", wait_semaphore_timed, wait_semaphore_timed),
    HOOK("sem_wait", wait_semaphore, wait_semaphore),
    {0},
};
