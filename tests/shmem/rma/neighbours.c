/* SPDX-License-Identifier: BSD-3-Clause */
/* All PEs write at the same time into one array, each its own elements, dealt out like cards: a put that reads and
 * rewrites a whole word would lose a neighbour's byte. Elements of 1, 2, 4, 8 and 16 bytes, p, put and iput. */
#include "../../check.h"

#define ELEMENTS 4096
#define ROUNDS 20

static unsigned char bytes[ELEMENTS];
static uint16_t halves[ELEMENTS];
static uint32_t words[ELEMENTS];
static uint64_t doubles[ELEMENTS];
static unsigned char quads[ELEMENTS][16];

static uint64_t value(int pe, int i, int round)
{
    return check_mix(((uint64_t)pe << 40) + ((uint64_t)i << 8) + (uint64_t)round);
}

static void write_mine(int target, int round)
{
    for (int i = check_me; i < ELEMENTS; i += check_npes) {
        uint64_t v = value(check_me, i, round), pair[2] = {v, ~v};
        shmem_uint8_p(&bytes[i], (uint8_t)v, target);
        shmem_uint16_put(&halves[i], (uint16_t[]){(uint16_t)v}, 1, target);
        shmem_uint32_p(&words[i], (uint32_t)v, target);
        shmem_putmem(quads[i], pair, sizeof pair, target);
    }
}

static void write_mine_strided(int target, int round)
{
    static uint64_t mine[ELEMENTS];
    size_t n = 0;

    for (int i = check_me; i < ELEMENTS; i += check_npes)
        mine[n++] = value(check_me, i, round);
    shmem_uint64_iput(&doubles[check_me], mine, check_npes, 1, n, target);
}

static void verify(int round)
{
    for (int i = 0; i < ELEMENTS; i++) {
        uint64_t v = value(i % check_npes, i, round), pair[2] = {v, ~v};
        bool right = bytes[i] == (uint8_t)v && halves[i] == (uint16_t)v && words[i] == (uint32_t)v && doubles[i] == v &&
                     memcmp(quads[i], pair, sizeof pair) == 0;
        if (!CHECK(right,
                   "round %d, element %d of PE %d: seen 0x%02x 0x%04x 0x%08x 0x%016llx, expected the ends of 0x%016llx",
                   round, i, i % check_npes, bytes[i], halves[i], words[i], (unsigned long long)doubles[i],
                   (unsigned long long)v))
            return;
    }
}

int main(void)
{
    check_start();
    for (int round = 0; round < ROUNDS; round++) {
        int target = round % check_npes;
        write_mine(target, round);
        write_mine_strided(target, round);
        shmem_barrier_all();
        if (check_me == target)
            verify(round);
        shmem_barrier_all();
    }
    return check_finish();
}
