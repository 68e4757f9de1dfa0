/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The state of core before anything has begun: what of it is not zero.
 */
#include "core/state.h"

#include <features.h>

/* glibc tells from 2.32 on. A library built for an older one (packaging/wheel) finds out whether it is there. */
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 32)
#include <sys/single_threaded.h>
#define SINGLE __libc_single_threaded
#else
static const char unknown;
#define SINGLE unknown
#endif

struct core_state core_state = {
    .threads.single = &SINGLE,
    .adversary = {.lock = PTHREAD_MUTEX_INITIALIZER},
    .base = {.sockets.lock = PTHREAD_MUTEX_INITIALIZER},
    .rma = {.cma.lock = PTHREAD_MUTEX_INITIALIZER},
    .wait = {.sleepers_lock = PTHREAD_MUTEX_INITIALIZER,
             .bias_ending = PTHREAD_MUTEX_INITIALIZER,
             .poll = {.own_pipe = {-1, -1}, .also = -1}},
    .channel =
        {
            .open_lock = PTHREAD_MUTEX_INITIALIZER,
            .inbox = {.stash.last = &core_state.channel.inbox.stash.first,
                      .early.last = &core_state.channel.inbox.early.first},
            .network = {.lock = PTHREAD_MUTEX_INITIALIZER, .queue.last = &core_state.channel.network.queue.first},
            .bodies = {.lock = PTHREAD_MUTEX_INITIALIZER, .free = CORE_BODY_NONE},
            .pulls = {.lock = PTHREAD_MUTEX_INITIALIZER},
            .pushes = {.lock = PTHREAD_MUTEX_INITIALIZER},
        },
    .net = {.lock = PTHREAD_MUTEX_INITIALIZER, .promise.fd = -1, .pump = {.stop = -1, .soon = -1}},
    .live = {.detector.listener = -1, .leash.fd = -1},
    .job = {.lock = PTHREAD_MUTEX_INITIALIZER,
            .collective = PTHREAD_MUTEX_INITIALIZER,
            .barrier.turn = PTHREAD_MUTEX_INITIALIZER,
            .pmix.own.lock = PTHREAD_MUTEX_INITIALIZER,
            .clocks.lock = PTHREAD_MUTEX_INITIALIZER},
    .topo = {.distances_known = PTHREAD_ONCE_INIT},
    .mem = {.heap.lock = PTHREAD_MUTEX_INITIALIZER,
            .arena.lock = PTHREAD_MUTEX_INITIALIZER,
            .copies.stream_min = SIZE_MAX,
            .blocks.gate = {-1, -1}},
    .trace = {.lock = PTHREAD_MUTEX_INITIALIZER},
    .check = {.landing.lock = PTHREAD_MUTEX_INITIALIZER, .race.lock = PTHREAD_MUTEX_INITIALIZER},
};

_Thread_local struct core_thread core_thread = {.wait.polls = {.left = CORE_POLLS_STEP, .step = CORE_POLLS_STEP}};

#if defined(__GLIBC__) && !__GLIBC_PREREQ(2, 32)
extern char __libc_single_threaded __attribute__((weak)); /* NOLINT(bugprone-reserved-identifier) */

__attribute__((constructor(102))) static void ask(void)
{
    if (&__libc_single_threaded)
        core_state.threads.single = &__libc_single_threaded;
}
#endif
