/* SPDX-License-Identifier: BSD-3-Clause */
/* All PEs add to the counters of all PEs at once, with inc, add and their fetching forms, for 12 types in every
 * variant: no update is lost, and no PE ever sees a counter go back. */
#include "amo.h"

#define ROUNDS 20

static uint64_t counters[CHECK_COUNT(amo_standard)];

/* Each round adds 1 + 3 + 1 + 5. */
static void add_to(const struct amo_standard *row, uint64_t *counter, uint64_t *last, int pe)
{
    uint64_t first, second;

    row->inc(counter, 0, pe);
    row->add(counter, 3, pe);
    first = row->fetch_inc(counter, 0, pe);
    second = row->fetch_add(counter, 5, pe);
    CHECK(first >= *last, "%s_fetch_inc on PE %d returned %llu after %llu", row->name, pe, (unsigned long long)first,
          (unsigned long long)*last);
    CHECK(second > first, "%s_fetch_add on PE %d returned %llu after %llu", row->name, pe, (unsigned long long)second,
          (unsigned long long)first);
    *last = second;
}

int main(void)
{
    uint64_t expected, last[CHECK_COUNT(amo_standard)];

    check_start();
    amo_start();
    shmem_barrier_all();
    expected = (uint64_t)check_npes * ROUNDS * 10;
    for (int hop = 0; hop < check_npes; hop++) {
        memset(last, 0, sizeof last);
        for (int round = 0; round < ROUNDS; round++)
            for (size_t i = 0; i < CHECK_COUNT(amo_standard); i++)
                add_to(&amo_standard[i], &counters[i], &last[i], (check_me + hop) % check_npes);
    }
    amo_barrier();
    for (size_t i = 0; i < CHECK_COUNT(amo_standard); i++)
        CHECK(counters[i] == expected, "%s: the counter is %llu, expected %llu", amo_standard[i].name,
              (unsigned long long)counters[i], (unsigned long long)expected);
    amo_finish();
    return check_finish();
}
