/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A signal that lies across two words.
 * check: argument
 */
#include <shmem.h>

static char data[8], source[8], bytes[64] __attribute__((aligned(64)));

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), next = (me + 1) % shmem_n_pes();
#ifdef WRONG
    uint64_t *signal = (uint64_t *)(void *)(bytes + 4);
#else
    uint64_t *signal = (uint64_t *)(void *)(bytes + 8);
#endif
    shmem_putmem_signal(data, source, 8, signal, 1, SHMEM_SIGNAL_SET, next); /* found */
    shmem_signal_wait_until(signal, SHMEM_CMP_EQ, 1);
    shmem_finalize();
    return 0;
}
