/* SPDX-License-Identifier: BSD-3-Clause */
/* Message passing with megabytes: large copies may use stores that other CPUs see out of order, so the flag that
 * follows a fence, and the signal of a put with signal, must still come last. The receiver looks at the end first. */
#include "../../check.h"

#define LARGEST ((6u << 20) + 64)
#define ROUNDS 6

static unsigned char *data;
static long flag, acknowledged;
static uint64_t signal_word;

static const size_t sizes[] = {100000, 1u << 20, (2u << 20) + 8, LARGEST};

static void send(const unsigned char *source, size_t bytes, long round, int pe)
{
    switch (round % 3) {
    case 0:
        shmem_putmem(data, source, bytes, pe);
        shmem_fence();
        shmem_long_p(&flag, round, pe);
        return;
    case 1:
        shmem_putmem_nbi(data, source, bytes, pe);
        shmem_fence();
        shmem_long_atomic_set(&flag, round, pe);
        return;
    default:
        shmem_putmem_signal(data, source, bytes, &signal_word, (uint64_t)round, SHMEM_SIGNAL_SET, pe);
    }
}

static void await(long round)
{
    if (round % 3 == 2)
        shmem_signal_wait_until(&signal_word, SHMEM_CMP_EQ, (uint64_t)round);
    else
        shmem_long_wait_until(&flag, SHMEM_CMP_EQ, round);
}

/* Words hold the round; checked from the end, where the last stores went. */
static void verify(size_t bytes, long round)
{
    const long *words = (const long *)data;

    for (size_t i = bytes / sizeof(long); i-- > 0;)
        if (!CHECK(words[i] == round, "round %ld of %zu bytes: word %zu is %ld", round, bytes, i, words[i]))
            return;
}

int main(void)
{
    long round = 0, *source;
    int partner;

    check_start();
    data = shmem_calloc(1, LARGEST);
    source = malloc(LARGEST);
    REQUIRE(data && source, "no memory for 2 x %u bytes", LARGEST);
    partner = check_me ^ 1;
    for (size_t s = 0; s < CHECK_COUNT(sizes) && partner < check_npes; s++)
        for (int i = 0; i < ROUNDS; i++) {
            round++;
            if (check_me % 2 == 0) {
                for (size_t w = 0; w < sizes[s] / sizeof(long); w++)
                    source[w] = round;
                send((const unsigned char *)source, sizes[s], round, partner);
                shmem_long_wait_until(&acknowledged, SHMEM_CMP_EQ, round);
                shmem_quiet();
            } else {
                await(round);
                verify(sizes[s], round);
                shmem_long_p(&acknowledged, round, partner);
            }
        }
    free(source);
    shmem_free(data);
    return check_finish();
}
