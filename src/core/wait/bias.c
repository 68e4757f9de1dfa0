/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How the bias towards one thread begins and ends (bias.h).
 */
#include <linux/membarrier.h>
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "core/wait/bias.h"
#include "core/core.h"

enum { YIELDS = 100, NAP_NS = 20000 };

/* A tool that looks for races does not know what membarrier orders. */
static bool may_start(void)
{
#if defined(__SANITIZE_THREAD__)
    return false;
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
    return false;
#endif
#endif
    return syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
}

void core_bias_start(void (*give_way)(void))
{
    /* The network hands messages to any thread that makes progress; the adversary wants to see each call. */
    if (core_state.wait.bias.on || core_state.wait.bias.wanted || core_state.rma.later || !may_start())
        return;
    core_state.wait.bias.give_way = give_way;
    core_thread.wait.bias_mine = true;
    /* model: publish.set */
    __atomic_store_n(&core_state.wait.bias.on, true, __ATOMIC_RELEASE);
    core_debug("threads: no locks until a second one calls");
}

static void wait_until_outside(void)
{
    /* model: bias.wanted */
    __atomic_store_n(&core_state.wait.bias.wanted, true, __ATOMIC_SEQ_CST);
    /* model: bias.membarrier */
    syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
    core_wake(core_me()); /* the owner may sleep in its section */
    /* model: bias.outside */
    for (unsigned n = 0; __atomic_load_n(&core_state.wait.bias.inside, __ATOMIC_ACQUIRE); n++) {
        if (n < YIELDS)
            sched_yield();
        else
            nanosleep(&(struct timespec){.tv_nsec = NAP_NS}, NULL);
    }
}

void core_bias_end_slow(void)
{
    pthread_mutex_lock(&core_state.wait.bias_ending);
    if (core_state.wait.bias.on) {
        if (core_thread.wait.bias_mine)
            core_thread.wait.bias_mine = false; /* the owner itself, outside its sections */
        else
            wait_until_outside();
        core_state.wait.bias.wanted = true; /* it does not begin again */
        /* model: bias.off */
        __atomic_store_n(&core_state.wait.bias.on, false, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&core_state.wait.bias_ending);
}

void core_bias_forget(void)
{
    core_thread.wait.bias_mine = false;
    core_state.wait.bias = (struct core_bias){.wanted = true, .give_way = core_state.wait.bias.give_way};
    pthread_mutex_init(&core_state.wait.bias_ending, NULL);
}
