/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What else the compilers call, and what programs may call when they see that a thread sanitizer is on: notes about
 * threads, which are not looked at here.
 */
#include <stddef.h>

/* One function under many names: arguments that are not looked at do no harm. */
void instrument_nothing(void);
void instrument_nothing(void) {}

#define NOTHING(name) void name(void) __attribute__((alias("instrument_nothing")));
NOTHING(__tsan_init)
NOTHING(__tsan_func_entry)
NOTHING(__tsan_func_exit)
NOTHING(__tsan_ignore_thread_begin)
NOTHING(__tsan_ignore_thread_end)

/* sanitizer/tsan_interface.h */
NOTHING(__tsan_acquire)
NOTHING(__tsan_release)
NOTHING(__tsan_mutex_create)
NOTHING(__tsan_mutex_destroy)
NOTHING(__tsan_mutex_pre_lock)
NOTHING(__tsan_mutex_post_lock)
NOTHING(__tsan_mutex_post_unlock)
NOTHING(__tsan_mutex_pre_signal)
NOTHING(__tsan_mutex_post_signal)
NOTHING(__tsan_mutex_pre_divert)
NOTHING(__tsan_mutex_post_divert)
NOTHING(__tsan_destroy_fiber)
NOTHING(__tsan_switch_to_fiber)
NOTHING(__tsan_set_fiber_name)

/* The older notes. */
NOTHING(AnnotateHappensBefore)
NOTHING(AnnotateHappensAfter)
NOTHING(AnnotateRWLockCreate)
NOTHING(AnnotateRWLockDestroy)
NOTHING(AnnotateRWLockAcquired)
NOTHING(AnnotateRWLockReleased)
NOTHING(AnnotateBenignRace)
NOTHING(AnnotateBenignRaceSized)
NOTHING(AnnotateIgnoreReadsBegin)
NOTHING(AnnotateIgnoreReadsEnd)
NOTHING(AnnotateIgnoreWritesBegin)
NOTHING(AnnotateIgnoreWritesEnd)
NOTHING(AnnotateIgnoreSyncBegin)
NOTHING(AnnotateIgnoreSyncEnd)
NOTHING(AnnotateNewMemory)
NOTHING(AnnotateThreadName)

int __tsan_mutex_pre_unlock(void *mutex, unsigned flags);
int __tsan_mutex_pre_unlock(void *mutex, unsigned flags)
{
    (void)mutex;
    (void)flags;
    return 0;
}

void *__tsan_get_current_fiber(void);
void *__tsan_get_current_fiber(void)
{
    return NULL;
}

void *__tsan_create_fiber(unsigned flags);
void *__tsan_create_fiber(unsigned flags)
{
    (void)flags;
    return NULL;
}
