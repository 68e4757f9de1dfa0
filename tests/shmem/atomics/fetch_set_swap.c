/* SPDX-License-Identifier: BSD-3-Clause */
/* Atomic fetch, set and swap of 14 types, float and double among them, in every variant: all bits travel, also those
 * of negative zero, infinities and quiet NaNs, and the bytes beside the word stay. */
#include "amo.h"

#define GUARD 0x6969696969696969u

static uint64_t word[3] = {GUARD, GUARD, GUARD};

/* As bits: floats read the low four bytes, so both halves hold telling values. */
static const uint64_t patterns[] = {
    0,
    UINT64_MAX,
    0x8000000080000000u,
    0x3ff000003f800000u,
    0x7ff000007f800000u,
    0xfff00000ff800000u,
    0x7ff8000000000001u,
    0x0000000100000001u,
    0x7fefffff7f7fffffu,
    0x0123456789abcdefu,
    0x000000007fc00001u,
};

static void expect(const struct amo_extended *row, const char *what, uint64_t seen, uint64_t expected)
{
    uint64_t mask = amo_mask(row->size);

    CHECK((seen & mask) == (expected & mask), "%s %s: 0x%llx, expected 0x%llx", row->name, what,
          (unsigned long long)(seen & mask), (unsigned long long)(expected & mask));
}

static void complete(void)
{
    shmem_quiet();
    shmem_ctx_quiet(amo_ctx);
}

static void run(const struct amo_extended *row, int pe)
{
    uint64_t previous = GUARD, seen[3];

    word[0] = word[1] = word[2] = GUARD;
    shmem_barrier_all();
    for (size_t i = 0; i < CHECK_COUNT(patterns); i++) {
        expect(row, "swap", row->swap(&word[1], patterns[i], pe), previous);
        expect(row, "fetch after swap", row->fetch(&word[1], 0, pe), patterns[i]);
        row->set(&word[1], ~patterns[i], pe);
        complete();
        expect(row, "fetch after set", row->fetch(&word[1], 0, pe), ~patterns[i]);
        previous = ~patterns[i];
    }
    shmem_getmem(seen, word, sizeof seen, pe);
    expect(row, "value at the end", seen[1], previous);
    CHECK(seen[0] == GUARD && seen[2] == GUARD && ((seen[1] ^ GUARD) & ~amo_mask(row->size)) == 0,
          "%s changed the bytes beside the word: 0x%llx 0x%llx 0x%llx", row->name, (unsigned long long)seen[0],
          (unsigned long long)seen[1], (unsigned long long)seen[2]);
    amo_barrier();
}

int main(void)
{
    check_start();
    amo_start();
    for (size_t i = 0; i < CHECK_COUNT(amo_extended); i++)
        run(&amo_extended[i], check_next());
    amo_finish();
    return check_finish();
}
