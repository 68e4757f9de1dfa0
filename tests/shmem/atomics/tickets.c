/* SPDX-License-Identifier: BSD-3-Clause */
/* Tickets drawn by all PEs from one counter with fetch_inc and fetch_add are all different, and together they are
 * every number: the fetched value and the update are one operation. */
#include "../../check.h"

#define TICKETS 1500 /* a PE's share */
#define LARGEST_JOB 64

static uint32_t next_ticket;
static long drawn[TICKETS * LARGEST_JOB];

static void draw(void)
{
    for (int i = 0; i < TICKETS; i++) {
        uint32_t ticket =
            i % 2 ? shmem_uint32_atomic_fetch_inc(&next_ticket, 0) : shmem_uint32_atomic_fetch_add(&next_ticket, 1, 0);
        if (!CHECK(ticket < (uint32_t)(TICKETS * check_npes), "ticket %u, expected less than %d", ticket,
                   TICKETS * check_npes))
            return;
        shmem_long_atomic_inc(&drawn[ticket], 0);
    }
}

int main(void)
{
    check_start();
    if (check_npes > LARGEST_JOB)
        check_skip("more PEs than this test has room for");
    shmem_barrier_all();
    draw();
    shmem_barrier_all();
    for (int i = 0; check_me == 0 && i < TICKETS * check_npes; i++)
        CHECK(drawn[i] == 1, "ticket %d was drawn %ld times, expected once", i, drawn[i]);
    return check_finish();
}
