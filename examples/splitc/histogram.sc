/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A histogram in a spread array: bucket b lies on processor b % PROCS, and each processor counts its own numbers there by
 * atomic additions. The result is checked against what one processor counts alone.
 *
 *   scc -O2 histogram.sc -o histogram && mptrun -n 4 ./histogram
 */
#include <split-c/split-c.h>
#include <stdio.h>

#define BUCKETS 64
#define NUMBERS 20000

int Count[BUCKETS]::;

/* The sum of two dice: the middle buckets fill up. */
static int bucket(int i)
{
    unsigned x = i * 2654435761u;
    return (x >> 8) % 32 + (x >> 20) % 33;
}

splitc_main()
{
    int i, mine = 0, wrong = 0;

    for_my_1D(i, BUCKETS)
        Count[i] = 0;
    barrier();

    for (i = MYPROC; i < NUMBERS; i += PROCS)
        fetch_add((int *global)(&Count[bucket(i)]), 1);
    barrier();

    for_my_1D(i, BUCKETS)
        mine += Count[i];
    mine = all_reduce_to_all_add(mine);

    on_one {
        int alone[BUCKETS] = {0}, fullest = 0;

        for (i = 0; i < NUMBERS; i++)
            alone[bucket(i)]++;
        for (i = 0; i < BUCKETS; i++) {
            wrong += Count[i] != alone[i]; /* reads the processor that has it */
            if (alone[i] > alone[fullest])
                fullest = i;
        }
        printf("%d numbers counted, most of them (%d) in bucket %d; %d buckets are wrong\n", mine, alone[fullest], fullest, wrong);
    }
    barrier();
    return wrong || mine != NUMBERS;
}
