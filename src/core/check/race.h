/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Races between PEs: two accesses to the same bytes of one PE's symmetric or window memory, at least one a write, not
 * both atomic, with no order between them (record 0051). The engine is on only with core_params.check.
 */
#ifndef CORE_CHECK_RACE_H
#define CORE_CHECK_RACE_H

#include <stddef.h>
#include <stdint.h>

/* What an access does. */
enum {
    CORE_RACE_READ = 0,
    CORE_RACE_WRITE = 1,
    CORE_RACE_ATOMIC = 2,
    CORE_RACE_VOLATILE = 4, /* the program's own, of an object it calls volatile */
};

/* A load or store of the program itself, at `pc`, of `n` bytes at `at`: in this PE's symmetric heap, its globals or a
 * window, as its own address or as that of a peer of the node (shmem_ptr, MPI_Win_shared_query). Elsewhere: nothing. */
void core_race_local(const void *at, size_t n, unsigned how, uintptr_t pc) __attribute__((visibility("default")));

#endif
