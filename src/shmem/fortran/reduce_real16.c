/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reductions of REAL(16), the 128-bit IEEE format, which C's OpenSHMEM has none
 * for (long double is another format on x86-64). Every PE gets all sources and
 * combines them in the order of the PEs, so all get the same bits. The compiler
 * does this arithmetic in software: simple is as good as clever here.
 */
#include <string.h>

#include "shmem/fortran/fortran.h"

typedef float real16 __attribute__((mode(TF)));

enum { CHUNK = 512 }; /* elements on the stack, twice */

struct set {
    int start, log_stride, size;
    long *sync;
};

typedef void combine(real16 *into, const real16 *from, int n);

#define COMBINE(op, expression)                                             \
    static void combine_##op(real16 *into, const real16 *from, int n)      \
    {                                                                       \
        for (int i = 0; i < n; i++) {                                       \
            real16 a = into[i], b = from[i];                                \
            into[i] = expression;                                           \
        }                                                                   \
    }
COMBINE(sum, a + b)
COMBINE(prod, a * b)
COMBINE(max, a > b ? a : b)
COMBINE(min, a < b ? a : b)

static void barrier(struct set s)
{
    shmem_barrier(s.start, s.log_stride, s.size, s.sync);
}

/* Elements [0, n) of all PEs' sources into `result`. */
static void gather_chunk(real16 *result, const real16 *source, int n, struct set s, combine *with)
{
    real16 theirs[CHUNK];
    shmem_getmem(result, source, (size_t)n * sizeof *result, s.start);
    for (int rank = 1; rank < s.size; rank++) {
        shmem_getmem(theirs, source, (size_t)n * sizeof *theirs, s.start + (rank << s.log_stride));
        with(result, theirs, n);
    }
}

static void reduce(real16 *dest, const real16 *source, int nreduce, struct set s, combine *with)
{
    real16 result[CHUNK];
    barrier(s); /* all sources are there, all dests may be written */
    for (int done = 0; done < nreduce; done += CHUNK) {
        int n = nreduce - done < CHUNK ? nreduce - done : CHUNK;
        gather_chunk(result, source + done, n, s, with);
        barrier(s); /* dest may be source, and all have read that now */
        memcpy(dest + done, result, (size_t)n * sizeof *dest);
    }
}

#define TO_ALL(op)                                                                                         \
    SHMEMF(void, shmem_real16_##op##_to_all,                                                               \
           (real16 *dest, const real16 *source, const int *nreduce, const int *PE_start,                   \
            const int *logPE_stride, const int *PE_size, real16 *pWrk, void *pSync),                       \
           (void)pWrk;                                                                                     \
           struct set s = {*PE_start, *logPE_stride, *PE_size, shmemf_sync(pSync)};                        \
           reduce(dest, source, (int)shmemf_count(nreduce, "nreduce", where), s, combine_##op);)
TO_ALL(sum)
TO_ALL(prod)
TO_ALL(max)
TO_ALL(min)
