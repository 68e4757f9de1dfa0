/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Exchange of a cube's boundary between PEs 0 and 1 over SHMEM: by a strided put, many puts, a copy by hand and a
 * strided get.
 */
#include "occomm_job.h"

static long *flag; /* what the partner has sent, or has ready */

/* One vector of the boundary, to or from the same place on the partner. */
static void move_vector(double *to, const double *from, const struct boundary *b, bool get)
{
    const ptrdiff_t stride = (ptrdiff_t)b->stride;

    if (b->blocks == 1 && get)
        shmem_get64(to, from, b->block, occomm.partner);
    else if (b->blocks == 1)
        shmem_put64(to, from, b->block, occomm.partner);
    else if (b->block == 1 && get)
        shmem_iget64(to, from, stride, stride, b->blocks, occomm.partner);
    else if (b->block == 1)
        shmem_iput64(to, from, stride, stride, b->blocks, occomm.partner);
#if BENCH_SHMEM(1, 6)
    else if (get)
        shmem_ibget64(to, from, stride, stride, b->block, b->blocks, occomm.partner);
    else
        shmem_ibput64(to, from, stride, stride, b->block, b->blocks, occomm.partner);
#else
    else
        for (size_t i = 0; i < b->blocks; i++, to += stride, from += stride) {
            if (get)
                shmem_get64(to, from, b->block, occomm.partner);
            else
                shmem_put64(to, from, b->block, occomm.partner);
        }
#endif
}

static void move_strided(bool get)
{
    for (size_t v = 0; v < occomm.b.vectors; v++) {
        const size_t at = v * occomm.b.vector_stride;

        move_vector(occomm.cube + occomm.b.ghost + at, occomm.cube + occomm.b.own + at, &occomm.b, get);
    }
}

static void put_many(void)
{
    for (size_t v = 0; v < occomm.b.vectors; v++)
        for (size_t i = 0; i < occomm.b.blocks; i++) {
            const size_t at = v * occomm.b.vector_stride + i * occomm.b.stride;

            if (occomm.b.block == 1)
                shmem_double_p(occomm.cube + occomm.b.ghost + at, occomm.cube[occomm.b.own + at], occomm.partner);
            else
                shmem_put64(occomm.cube + occomm.b.ghost + at, occomm.cube + occomm.b.own + at, occomm.b.block,
                            occomm.partner);
        }
}

static void tell_and_wait(void)
{
    shmem_fence();
    shmem_long_p(flag, occomm.turn, occomm.partner);
    shmem_long_wait_until(flag, SHMEM_CMP_GE, occomm.turn);
}

static void by_hand(void)
{
    double *const buffer = occomm_landing();

    boundary_pack(&occomm.b, occomm.cube, occomm.b.own, occomm.own);
    shmem_put64(buffer, occomm.own, boundary_doubles(&occomm.b), occomm.partner);
    tell_and_wait();
    boundary_unpack(&occomm.b, occomm.cube, occomm.b.ghost, buffer);
}

static void strided_put(void)
{
    move_strided(false);
    tell_and_wait();
}

static void many_puts(void)
{
    put_many();
    tell_and_wait();
}

/* The boundary is ready; the partner takes it. */
static void get(void)
{
    tell_and_wait();
    move_strided(true);
}

static const struct occomm_way ways[] = {
    {"strided put", strided_put}, {"many puts", many_puts}, {"copy by hand", by_hand}, {"get", get}};

static void begin(void)
{
    flag = shmem_calloc(1, sizeof *flag);
    if (!flag)
        bench_job_fatal("no memory for a flag: raise SHMEM_SYMMETRIC_SIZE");
}

int main(int argc, char **argv)
{
    static const struct occomm_program program = {
        .program = {"occomm_shmem", "exchange of a cube's boundary", boundary_options, 2, 30, 5},
        .ways = ways,
        .n = (int)(sizeof ways / sizeof *ways),
        .begin = begin,
    };

    return occomm_main(argc, argv, &program);
}
