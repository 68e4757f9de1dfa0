/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Objects with and without instrumentation in one program, of OpenSHMEM and threads (OpenMP).
 */
#include <shmem.h>
#include <stdio.h>
#include <string.h>

#ifdef HELPER
long work(long *box, int n)
{
    long sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < n; i++) {
#pragma omp atomic
        box[0]++;
        sum += i;
    }
    return sum;
}
#else
long work(long *box, int n);
static long all[64];
static struct {
    char text[100];
} from, to;

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    long *box = shmem_calloc(8, sizeof *box);
    memset(from.text, 'a' + me, sizeof from.text);
    long sum = work(box, 1000);
    shmem_barrier_all();
    shmem_long_p(&all[me], box[0] + sum, (me + 1) % n);
    shmem_putmem(to.text, from.text, sizeof to.text, (me + 1) % n);
    shmem_barrier_all();
    from = to;
    int left = (me + n - 1) % n;
    int right = all[left] == 1000 + 499500 && from.text[99] == 'a' + left;
    printf("work %s\n", right ? "right" : "WRONG");
    shmem_finalize();
    return !right;
}
#endif
