/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Private memory of another PE of this node, by system calls, where the kernel
 * allows them. A PE tells its peers its key, by which they find out.
 */
#ifndef CORE_CMA_H
#define CORE_CMA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct iovec; /* <sys/uio.h> */
uint64_t core_cma_key(void); /* 0: never (MPT_RENDEZVOUS=pull) */
bool core_cma_may(int pe, uint64_t key);
/* Blocks at addresses of PE `pe`, which core_cma_may has allowed, from and to the
 * memory at `here`. False: not all of it is memory of its. `there` is used up. */
bool core_cma_readv(int pe, void *here, struct iovec *there, unsigned n);
bool core_cma_writev(int pe, struct iovec *there, unsigned n, const void *here);
bool core_cma_read(int pe, void *here, uint64_t there, size_t n);

#endif
