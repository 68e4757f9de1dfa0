/* SPDX-License-Identifier: BSD-3-Clause */
/* THREAD_MULTIPLE: threads that search one array at the same time, without masks, serve all of its elements between
 * them, and none is handed an index that is not ready. */
#include "workers.h"

#define WORDS 13
#define ROUNDS 2000

static int words[WORDS];
static long served[WORDS];
static int status[WORDS];

static void serve(struct worker *self)
{
    for (int i = 0; i < ROUNDS; i++) {
        size_t at = self->number % 2 ? shmem_int_test_any(words, WORDS, status, SHMEM_CMP_NE, 0)
                                     : shmem_int_wait_until_any(words, WORDS, status, SHMEM_CMP_NE, 0);
        if (!CHECK(at < WORDS && at % 4 != 2, "thread %d got %zu", self->number, at))
            return;
        __atomic_fetch_add(&served[at], 1, __ATOMIC_RELAXED);
    }
}

int main(void)
{
    check_start_thread(SHMEM_THREAD_MULTIPLE);
    for (int i = 0; i < WORDS; i++) {
        words[i] = i % 4 != 2;
        status[i] = i == 5;
    }
    shmem_barrier_all();
    workers_run(serve);
    for (int i = 0; i < WORDS; i++)
        if (words[i] && !status[i])
            CHECK(served[i] > 0, "element %d was never served", i);
        else
            CHECK(served[i] == 0, "element %d is not of the set and was served %ld times", i, served[i]);
    return check_finish();
}
