/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Waiting is cheap and wakes: PEs that wait for long use next to no processor,
 * whatever wakes them (a remote put, a ring of the node, another thread) ends
 * their sleep soon, and a PE that sleeps in any call serves its peers.
 */
#include <pthread.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "core/core.h"
#include "harness.h"

enum { WAKES = 20, IDLE_US = 1500000, NAP_US = 30000 };

/* What all that wait may use of a core: a sanitizer, or a machine where others work
 * too, makes each look at the network expensive; polling would use every core there is. */
static const double IDLE_SHARE = 0.25;

static uint64_t *word;

static double processor_seconds(void)
{
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) + 1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

/* All but PE 0 sleep in a barrier while PE 0 sleeps in the system. */
static void idle(void)
{
    core_job_barrier(__func__);
    if (core_me() == 0)
        usleep(IDLE_US);
    double before = processor_seconds();
    core_job_barrier(__func__);
    double share = (processor_seconds() - before) / (IDLE_US * 1e-6) * (core_size() - 1);
    EXPECT(core_me() == 0 || share < IDLE_SHARE, "%d PEs that wait use %.1f %% of a core", core_size() - 1,
           100 * share);
}

typedef void sender(int pe, uint64_t value);

static void by_put(int pe, uint64_t value)
{
    core_put(CORE_FLOW_DEFAULT, pe, word, &value, 8);
}

static void by_atomic(int pe, uint64_t value)
{
    core_atomic_nbi(CORE_FLOW_DEFAULT, pe, word, (struct core_amo){CORE_AMO_SET, 8, value, 0}, NULL);
}

/* Median time from a store to the end of the wait, back and forth, of sleepers. */
static double wake_time(sender *send)
{
    double times[WAKES];
    for (uint64_t i = 1; i <= WAKES; i++) {
        double start = check_seconds();
        if (core_me() == 0) {
            usleep(NAP_US);
            start = check_seconds();
            send(1, i);
            core_wait_word(word, CORE_GE, i, "wake test");
        } else if (core_me() == 1) {
            core_wait_word(word, CORE_GE, i, "wake test");
            send(0, i);
        }
        times[i - 1] = check_seconds() - start;
        for (uint64_t j = i - 1; j > 0 && times[j] < times[j - 1]; j--) {
            double t = times[j];
            times[j] = times[j - 1];
            times[j - 1] = t;
        }
    }
    core_quiet(CORE_FLOW_DEFAULT);
    return times[WAKES / 2];
}

static void wakes(sender *send)
{
    *word = 0;
    core_job_barrier(__func__);
    double t = core_size() > 1 ? wake_time(send) : 0;
    EXPECT(core_me() > 0 || t < 0.005, "a sleeper answers after %.1f ms", 1e3 * t);
    core_job_barrier(__func__);
}

static void *set_later(void *unused)
{
    usleep(NAP_US);
    core_atomic(CORE_FLOW_DEFAULT, core_me(), word, (struct core_amo){CORE_AMO_SET, 8, 1, 0});
    return unused;
}

/* By a thread of the same PE; and two threads asleep, each woken by the network. */
static void wakes_by_thread(void)
{
    pthread_t id;
    *word = 0;
    core_job_barrier(__func__);
    EXPECT(pthread_create(&id, NULL, set_later, NULL) == 0, "no thread");
    double start = check_seconds();
    core_wait_word(word, CORE_EQ, 1, "wake test");
    double t = check_seconds() - start;
    EXPECT(t > 0.02 && t < 0.5, "woken after %.1f ms, expected %d", 1e3 * t, NAP_US / 1000);
    pthread_join(id, NULL);
    core_job_barrier(__func__);
}

static void *wait_second(void *unused)
{
    core_wait_word(word + 1, CORE_EQ, 1, "wake test");
    return unused;
}

static void two_sleepers(void)
{
    int to = (core_me() + 1) % core_size();
    uint64_t one = 1;
    pthread_t id;
    word[0] = word[1] = 0;
    core_job_barrier(__func__);
    EXPECT(pthread_create(&id, NULL, wait_second, NULL) == 0, "no thread");
    usleep(NAP_US);
    core_put(CORE_FLOW_DEFAULT, to, word, &one, 8);
    core_wait_word(word, CORE_EQ, 1, "wake test");
    usleep(NAP_US);
    core_put(CORE_FLOW_DEFAULT, to, word + 1, &one, 8);
    core_quiet(CORE_FLOW_DEFAULT);
    pthread_join(id, NULL);
    core_job_barrier(__func__);
}

/* PE 0 reads what the others have while they sleep in the barrier. */
static void served(void)
{
    word[2] = (uint64_t)core_me() + 100;
    core_job_barrier(__func__);
    if (core_me() == 0) {
        usleep(NAP_US);
        for (int pe = 0; pe < core_size(); pe++) {
            uint64_t v = 0;
            core_get(CORE_FLOW_DEFAULT, pe, &v, word + 2, 8);
            EXPECT(v == (uint64_t)pe + 100, "PE %d has %llu", pe, (unsigned long long)v);
        }
    }
    core_job_barrier(__func__);
}

int main(void)
{
    EXPECT(core_job_start(0) == 0, "start");
    word = core_heap_alloc(64, 64);
    memset(word, 0, 64);
    core_job_barrier(__func__);
    served();
    wakes(by_put);
    wakes(by_atomic);
    idle();
    wakes_by_thread();
    two_sleepers();
    core_job_finish();
    return 0;
}
