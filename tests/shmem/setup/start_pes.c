/* SPDX-License-Identifier: BSD-3-Clause */
/* The old start: start_pes(0), again without effect, the old names of PE number and count, and no finalize at the end,
 * which the library then does by itself, with its barrier: nobody's puts are lost. */
#include <shmem.h>
#include <stdio.h>
#include <unistd.h>

static long word, fill[1000];

int main(void)
{
    int me, n, failures = 0;

    start_pes(0);
    me = _my_pe();
    n = _num_pes();
    start_pes(0);
    start_pes(n);
    if (me != shmem_my_pe() || n != shmem_n_pes() || me != _my_pe() || n != _num_pes())
        fprintf(stderr, "FAIL PE %d of %d: shmem_my_pe says %d of %d\n", me, n, shmem_my_pe(), shmem_n_pes()),
            failures++;
    shmem_long_p(&word, 100 + me, (me + 1) % n);
    shmem_barrier_all();
    if (word != 100 + (me + n - 1) % n)
        fprintf(stderr, "FAIL PE %d: word is %ld, expected %d\n", me, word, 100 + (me + n - 1) % n), failures++;
    if (me == 0)
        usleep(50000); /* the others return from main at once: the job must go on for PE 0 */
    for (int i = 0; i < 1000; i++)
        shmem_long_p(&fill[i], i, (me + 1) % n);
    shmem_quiet();
    if (shmem_long_g(&fill[999], (me + 1) % n) != 999)
        fprintf(stderr, "FAIL PE %d: could not use PE %d near the end\n", me, (me + 1) % n), failures++;
    return failures != 0;
}
