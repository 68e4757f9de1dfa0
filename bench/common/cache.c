/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * In which state a test finds its buffers: in the caches, as the same ones are used again; out of them, as so many take
 * turns that none is left there; or thrown out before each sample. Or where a program leaves them that writes what it
 * sends and reads what it gets.
 */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LINE 64ul
#define MEBIBYTE (1ul << 20)
#define MOST_COLD 128

static const struct {
    const char *option, *name; /* as --cache and as the records call it */
} caches[BENCH_CACHES] = {{"hot", "hot"}, {"rotate", "rotating"}, {"flush", "flushed"}, {"written", "written"}};

const char *bench_cache_name(enum bench_cache cache)
{
    return caches[cache].name;
}

int bench_cache_set(const char *text)
{
    if (strcmp(text, "all") == 0)
        return BENCH_ALL_CACHES;
    for (int i = 0; i < BENCH_CACHES; i++)
        if (strcmp(text, caches[i].option) == 0)
            return 1 << i;
    return 0;
}

int bench_caches(int quick, int full, int possible)
{
    const int usual = bench_options.quick ? quick : full;
    const int set = (bench_options.cache ? bench_cache_set(bench_options.cache) : usual) & possible;

    return set ? set : 1 << BENCH_HOT;
}

int bench_caches_count(int set)
{
    int n = 0;

    for (int i = 0; i < BENCH_CACHES; i++)
        n += (set & 1 << i) != 0;
    return n;
}

/* Number in a file about one of the first processor's caches; K and M behind it count. -1: there is none. */
static long cache_number(int index, const char *what)
{
    char path[96], unit = ' ';
    long n = -1;
    FILE *f;

    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/%s", index, what);
    f = fopen(path, "r");
    if (!f)
        return -1;
    if (fscanf(f, "%ld%c", &n, &unit) < 1)
        n = -1;
    fclose(f);
    return unit == 'K' ? n << 10 : unit == 'M' ? n << 20 : n;
}

size_t bench_last_cache(void)
{
    static const int levels[] = {_SC_LEVEL4_CACHE_SIZE, _SC_LEVEL3_CACHE_SIZE, _SC_LEVEL2_CACHE_SIZE};
    long last = 0, size = 0;

    for (int i = 0; cache_number(i, "level") > 0; i++)
        if (cache_number(i, "level") > last && cache_number(i, "size") > 0) {
            last = cache_number(i, "level");
            size = cache_number(i, "size");
        }
    if (last > 1)
        return (size_t)size;
    for (int i = 0; i < 3; i++)
        if (sysconf(levels[i]) > 0)
            return (size_t)sysconf(levels[i]);
    return 32 * MEBIBYTE; /* not told, as on many arm64 systems */
}

size_t bench_free_memory(void)
{
    return (size_t)sysconf(_SC_AVPHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
}

size_t bench_rotation(int processes)
{
    const size_t most = bench_free_memory() / 4 / (size_t)processes, wanted = 2 * bench_last_cache();

    return (most < wanted ? most : wanted) / 2 / MEBIBYTE * MEBIBYTE + MEBIBYTE;
}

static size_t whole_lines(size_t bytes)
{
    return bytes < LINE ? LINE : (bytes + LINE - 1) / LINE * LINE;
}

void bench_buffers_begin(struct bench_buffers *b, enum bench_cache cache, size_t bytes, size_t room, long position)
{
    *b = (struct bench_buffers){.resume = (size_t)position};
    if (cache != BENCH_ROTATING)
        return;
    b->step = whole_lines(bytes);
    b->span = (room + b->step - 1) / b->step * b->step;
    if (b->span > 0)
        b->at = b->resume % b->span / b->step * b->step;
}

void bench_buffers_two(struct bench_buffers *b, size_t bytes, long position)
{
    *b = (struct bench_buffers){
        .resume = (size_t)position, .step = whole_lines(bytes), .span = 2 * whole_lines(bytes), .two = true};
}

long bench_buffers_position(const struct bench_buffers *b)
{
    return (long)(b->span && !b->two ? b->at : b->resume);
}

size_t bench_buffers_bytes(size_t room, size_t largest)
{
    return room + (largest + LINE - 1) / LINE * LINE;
}

long bench_buffers_lap(const struct bench_buffers *b)
{
    return b->step ? (long)(b->span / b->step) : 1;
}

void bench_param_cache(struct bench_params *p, enum bench_cache cache, size_t rotates_over)
{
    bench_param_text(p, "cache", bench_cache_name(cache));
    if (cache == BENCH_ROTATING)
        bench_param_integer(p, "rotates_over_bytes", (long)rotates_over);
    if (cache == BENCH_WRITTEN)
        bench_param_text(p, "time_of", "write, transfer and read");
}

/* ---- cold places ---- */

static struct {
    const void *at;
    size_t bytes;
} cold[MOST_COLD];
static int n_cold;

void bench_cold_add(const void *at, size_t bytes)
{
    if (n_cold == MOST_COLD) {
        fprintf(stderr, "more than %d places to flush\n", MOST_COLD);
        abort();
    }
    cold[n_cold].at = at;
    cold[n_cold++].bytes = bytes;
}

void bench_cold_clear(void)
{
    n_cold = 0;
}

bool bench_cold(void)
{
    return n_cold > 0;
}

void bench_cold_flush(void)
{
    for (int i = 0; i < n_cold; i++)
        if (!bench_flush(cold[i].at, cold[i].bytes)) {
            fprintf(stderr, "no memory to empty the caches with\n");
            exit(2);
        }
}

#if defined(__x86_64__)
bool bench_flush(const void *at, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += LINE)
        __builtin_ia32_clflush((const char *)at + i);
    __builtin_ia32_mfence();
    return true;
}
#else
#define AUXILIARY (64l << 20) /* read to empty the caches, where no instruction does it */

bool bench_flush(const void *at, size_t bytes)
{
    static char *auxiliary;
    long sum = at && bytes;

    if (!auxiliary) {
        auxiliary = malloc(AUXILIARY);
        if (!auxiliary)
            return false;
        memset(auxiliary, 1, AUXILIARY);
    }
    for (long i = 0; i < AUXILIARY; i += LINE)
        sum += auxiliary[i];
    bench_use(sum);
    return true;
}
#endif
