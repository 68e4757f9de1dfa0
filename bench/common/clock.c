/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the clock itself costs, and how much of this CPU somebody else takes: the two figures that
 * decide whether a short time can be measured here at all. And whose clock it is.
 */
#include "bench.h"

#include <unistd.h>

double bench_timer_cost(void)
{
    static double cost;
    struct bench_series s;

    if (cost > 0)
        return cost;
    bench_series_clear(&s);
    for (int i = 0; i < 201; i++) {
        int64_t t0 = bench_now();

        for (int k = 0; k < 16; k++)
            bench_use(bench_now());
        bench_series_add(&s, (double)(bench_now() - t0) / 17);
    }
    cost = bench_stats(&s).median;
    return cost;
}

static uint64_t hash_byte(uint64_t hash, int byte)
{
    return (hash ^ (uint64_t)byte) * 0x100000001b3;
}

/* The kernel's number of this boot, hashed (FNV-1a); where it can't be read all count as on one machine. */
uint64_t bench_machine(void)
{
    FILE *f = fopen("/proc/sys/kernel/random/boot_id", "r");
    uint64_t hash = 0xcbf29ce484222325;
    int c;

    while (f && (c = fgetc(f)) != EOF)
        hash = hash_byte(hash, c);
    if (f)
        fclose(f);
    return hash;
}

uint64_t bench_process(void)
{
    uint64_t hash = bench_machine();

    for (unsigned pid = (unsigned)getpid(); pid; pid >>= 8)
        hash = hash_byte(hash, (int)(pid & 255));
    return hash >> 11;
}

/* Reads the clock without pause: a gap much longer than a reading is time that this process didn't have. */
double bench_detour_percent(int64_t ns)
{
    const int64_t begin = bench_now();
    int64_t last = begin, lost = 0;

    while (last - begin < ns) {
        int64_t now = bench_now();

        if (now - last > 1000)
            lost += now - last;
        last = now;
    }
    return 100.0 * (double)lost / (double)(last - begin);
}
