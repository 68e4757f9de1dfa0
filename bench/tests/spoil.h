/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Included before a benchmark, so that some transfers of it bring what was not sent: its records must say so. So few
 * that the transfers by which a case is checked before it is measured are right.
 */
#include <stddef.h>

#define SPOIL_EVERY 40

static int spoil_calls;

#ifdef SPOIL_MPI
#include <mpi.h>

static inline int spoil_recv(void *to, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status *status)
{
    const int code = MPI_Recv(to, n, type, from, tag, comm, status);

    if (++spoil_calls % SPOIL_EVERY == 0 && n > 0)
        ((volatile char *)to)[n / 2] ^= 4;
    return code;
}
#define MPI_Recv spoil_recv

/* Of mpi_sort's keys, in the last iteration of a run. */
static inline int spoil_alltoallv(const void *from, const int *out, const int *out_at, MPI_Datatype type, void *to,
                                  const int *in, const int *in_at, MPI_Datatype got, MPI_Comm comm)
{
    const int code = MPI_Alltoallv(from, out, out_at, type, to, in, in_at, got, comm);

    if (++spoil_calls % SPOIL_EVERY == 0)
        ((volatile char *)to)[0] ^= 4;
    return code;
}
#define MPI_Alltoallv spoil_alltoallv
#else
#include <shmem.h>

static inline void spoil_put(void *to, const void *from, size_t bytes, int pe)
{
    shmem_putmem(to, from, bytes, pe);
    if (++spoil_calls % SPOIL_EVERY == 0 && bytes > 0) {
        const char wrong = (char)(((const char *)from)[bytes / 2] ^ 4);

        shmem_fence();
        shmem_putmem((char *)to + bytes / 2, &wrong, 1, pe);
    }
}
#define shmem_putmem spoil_put
#endif
