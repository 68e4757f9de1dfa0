/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MPT's own promise, which old programs live by: the last word of a put arrives
 * after all others, and once. PE 1 waits for it, finds the whole block there,
 * resets the word, and the reset stays.
 */
#include "check.h"

enum { MOST = 40000, ROUNDS = 3000 };
static long block[MOST], answer;

static void receive(long words, long round)
{
    long last = words - 1, wrong = 0;
    shmem_long_wait_until(&block[last], SHMEM_CMP_EQ, round);
    for (long i = 0; i < last; i++)
        wrong += block[i] != round;
    __atomic_store_n(&block[last], -round, __ATOMIC_RELAXED);
    for (volatile int delay = 0; delay < 50; delay++)
        ;
    CHECK(wrong == 0, "%ld words: %ld had not arrived before the last", words, wrong);
    CHECK(__atomic_load_n(&block[last], __ATOMIC_RELAXED) == -round, "%ld words: the last was written again", words);
    shmem_long_p(&answer, round, 0);
}

int main(void)
{
    static const long sizes[] = {1, 2, 3, 7, 8, 9, 12, 15, 16, 25, 64, 65, 127, 300, 1000, 5000, MOST};
    static long source[MOST];
    long round = 0;
    check_start();
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        long rounds = check_rounds(sizes[k] > 500 ? ROUNDS / 30 : ROUNDS);
        for (long r = 0; r < rounds && check_npes > 1; r++) {
            round++;
            if (check_me == 0) {
                for (long i = 0; i < sizes[k]; i++)
                    source[i] = round;
                shmem_long_put(block, source, (size_t)sizes[k], 1);
                shmem_long_wait_until(&answer, SHMEM_CMP_EQ, round);
            } else if (check_me == 1)
                receive(sizes[k], round);
        }
        shmem_barrier_all();
    }
    return check_finish();
}
