/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A message goes once around all PEs, and each adds its number to it. A put with
 * signal delivers data and then sets a flag that the receiver waits for, so that
 * neither a barrier nor an answer is needed.
 *
 *   oshcc ring.c -o ring && oshrun -np 4 ./ring
 */
#include <shmem.h>
#include <stdio.h>

/* Global and static variables are symmetric: every PE can reach every other's. */
static long message[2]; /* sum of the PE numbers so far, PEs visited */
static uint64_t arrived;

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes(), next = (me + 1) % npes;

    long mine[2] = {0, 1}; /* what PE 0 sends off */
    if (me != 0) {
        shmem_signal_wait_until(&arrived, SHMEM_CMP_EQ, 1);
        mine[0] = message[0] + me;
        mine[1] = message[1] + 1;
    }
    shmem_long_put_signal(message, mine, 2, &arrived, 1, SHMEM_SIGNAL_SET, next);

    int wrong = 0;
    if (me == 0) {
        shmem_signal_wait_until(&arrived, SHMEM_CMP_EQ, 1);
        printf("the message visited %ld PEs, their numbers add up to %ld\n", message[1], message[0]);
        wrong = message[1] != npes || message[0] != (long)npes * (npes - 1) / 2;
    }
    shmem_finalize();
    return wrong;
}
