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

struct bl_machine bl_machine = {.k = &bl_kernels_base,
                                .stream_min = SIZE_MAX,
                                .copy_string_min = SIZE_MAX,
                                .set_stream_min = SIZE_MAX,
                                .set_string_min = SIZE_MAX};

#if defined(__x86_64__)
static bool has_avx512(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
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
/* AMD's gather instructions take longer than loads of the words, one by one. */
static bool slow_gathers(void)
{
    return __builtin_cpu_is("amd");
}

/* From Zen 5 on AMD's loops of one instruction go past the caches by themselves, as far as it pays. */
static bool good_strings(void)
{
    unsigned a, b, c, d;

    return __builtin_cpu_is("amd") && __get_cpuid(1, &a, &b, &c, &d) && (a >> 8 & 0xf) + (a >> 20 & 0xff) >= 0x1a;
}

/*
 * The third level that one core can use, by AMD's leaf on its caches, whatever their whole number amounts to; 0 if it
 * isn't told.
 */
static size_t near_third_level(void)
{
    unsigned a, b, c, d;

    if (!__get_cpuid_count(0x8000001d, 3, &a, &b, &c, &d) || (a & 0x1f) == 0)
        return 0;
    return ((b >> 22) + 1ul) * ((b >> 12 & 0x3ff) + 1ul) * ((b & 0xfff) + 1ul) * (c + 1ul);
}
#else
static bool far_third_level(size_t second)
{
    (void)second;
    return false;
}

static bool slow_gathers(void)
{
    return false;
}

static bool good_strings(void)
{
    return false;
}

static size_t near_third_level(void)
{
    return 0;
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
 * And of a virtual Zen 5 (L2 1 MiB, L3 32 MiB):
 *
 *                    1 MiB  4 MiB  8 MiB  16 MiB  24 MiB  32 MiB  128 MiB
 *     memcpy           107    118    103      65      51      46       37
 *     copy_stream       83     85     86      83      62      53       40
 *     rep movsb        123    122    117      92      68      55       50
 *     vector stores    132    115    108      54      44      40       15
 *     rep stosq        159    123    123     122     117      42       30
 *     set_stream        42     42     42      43      42      41       35
 *
 * So there the processor's own loops do all that outgrows the second level, but for stores that outgrow the third.
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

static void take(const struct bl_kernels *k)
{
    static struct bl_kernels taken;

    taken = *k;
    if (bl_machine.gather_by_loads) {
        taken.gather = k->gather_loads;
        taken.gather32 = k->gather32_loads;
    }
    bl_machine.k = &taken;
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
    bl_machine.gather_by_loads = slow_gathers();
    take(tables[i].k);
    bl_machine.stream_min = size_to_stream(second);
    bl_machine.set_stream_min = far_third_level(second) ? 12 * second : bl_machine.stream_min;
    bl_machine.set_string_min = far_third_level(second) ? second : bl_machine.set_stream_min;
    if (good_strings()) {
        bl_machine.copy_string_min = second;
        bl_machine.set_string_min = second;
        bl_machine.set_stream_min = near_third_level() > second ? near_third_level() : 32 * second;
    }
}

const char *bl_kernels(void)
{
    return bl_machine.k->name;
}

int bl_use(const char *name)
{
    for (size_t i = 0; i < TABLES; i++)
        if (strcmp(tables[i].k->name, name) == 0 && tables[i].usable()) {
            take(tables[i].k);
            return 0;
        }
    return -1;
}

void bl_fatal(const char *call, const char *what, long value, const char *why)
{
    fprintf(stderr, "benchlib: %s: %s = %ld %s\n", call, what, value, why);
    abort();
}
