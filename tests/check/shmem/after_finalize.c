/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A call after the library was finalized.
 * check: call-order
 */
#include <shmem.h>

int main(void)
{
    int me;

    shmem_init();
#ifdef WRONG
    shmem_finalize();
    me = shmem_my_pe(); /* found */
#else
    me = shmem_my_pe();
    shmem_finalize();
#endif
    return me < 0;
}
