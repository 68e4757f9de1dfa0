/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which table of loops this processor takes, and from which size on it pays to go past the caches. Decided when the
 * program starts; until then (in constructors that run earlier) the plainest loops serve.
 */
#include "benchlib/kernels.h"

#include <benchlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

struct bl_machine bl_machine = {.k = &bl_kernels_base, .stream_min = SIZE_MAX, .set_stream_min = SIZE_MAX,
                                .set_string_min = SIZE_MAX};

#if defined(__x86_64__)
static bool has_avx512(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512dq");
}

static bool has_avx2(void)
{
    return __builtin_cpu_supports("avx2");
}

/* Bit 28 of ECX of leaf 7, which older compilers have no name for. */
static bool has_movdir64b(void)
{
    unsigned a, b, c, d;

    return has_avx512() && __get_cpuid_count(7, 0, &a, &b, &c, &d) && (c >> 28 & 1);
}

/* Intel's servers have a large second level and a slow mesh behind it. */
static bool far_third_level(size_t second)
{
    return __builtin_cpu_is("intel") && has_avx512() && second >= 1ul << 20;
}
#else
static bool far_third_level(size_t second)
{
    (void)second;
    return false;
}
#endif

static bool always(void)
{
    return true;
}

/* The best first. */
static const struct {
    const struct bl_kernels *k;
    bool (*usable)(void);
} tables[] = {
#if defined(__x86_64__)
    {&bl_kernels_movdir64b, has_movdir64b},
    {&bl_kernels_avx512, has_avx512},
    {&bl_kernels_avx2, has_avx2},
#endif
    {&bl_kernels_base, always},
};
#define TABLES (sizeof tables / sizeof *tables)

static size_t cache_size(int name, size_t otherwise)
{
    const long n = sysconf(name);

    return n > 0 ? (size_t)n : otherwise;
}

/*
 * GB/s on two cores of a virtual Sapphire Rapids (L2 2 MiB), the same buffers again, copies counted twice:
 *
 *                    1 MiB  2 MiB  4 MiB  8 MiB  16 MiB  64 MiB  256 MiB
 *     memcpy            47     25     24     22      19      19       13
 *     copy_stream       30     30     25     24      22      20       19
 *     vector stores     42     33     23     21      21       9        8
 *     rep stosq         44     40     23     22      22      11       11
 *     set_stream        18     18     18     18      18      18       18
 *
 * So copies leave the caches when they outgrow the second level, stores alone much later.
 *
 * Where the third level serves a few cores fast: past an eighth of it, and at most 4 MiB, since in a virtual machine
 * the size reported may be the whole host's. */
static size_t size_to_stream(size_t second)
{
    size_t part = cache_size(_SC_LEVEL3_CACHE_SIZE, 8ul << 20) / 8;

    if (far_third_level(second))
        return second / 16 * 11;
    part = part < 4ul << 20 ? part : 4ul << 20;
    return part > second ? part : second;
}

__attribute__((constructor)) static void choose(void)
{
    const size_t second = cache_size(_SC_LEVEL2_CACHE_SIZE, 512ul << 10);
    size_t i = 0;

#if defined(__x86_64__)
    __builtin_cpu_init();
#endif
    while (!tables[i].usable())
        i++;
    bl_machine.k = tables[i].k;
    bl_machine.stream_min = size_to_stream(second);
    bl_machine.set_stream_min = far_third_level(second) ? 12 * second : bl_machine.stream_min;
    bl_machine.set_string_min = far_third_level(second) ? second : bl_machine.set_stream_min;
}

const char *bl_kernels(void)
{
    return bl_machine.k->name;
}

int bl_use(const char *name)
{
    for (size_t i = 0; i < TABLES; i++)
        if (strcmp(tables[i].k->name, name) == 0 && tables[i].usable()) {
            bl_machine.k = tables[i].k;
            return 0;
        }
    return -1;
}

void bl_fatal(const char *call, const char *what, long value, const char *why)
{
    fprintf(stderr, "benchlib: %s: %s = %ld %s\n", call, what, value, why);
    abort();
}
