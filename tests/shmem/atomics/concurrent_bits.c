/* SPDX-License-Identifier: BSD-3-Clause */
/* Each PE owns some bits of one word and turns only those on, off and over, while all others do the same beside it:
 * the owner always finds its bits as it left them. For all 7 types with bitwise operations. */
#include "../../check.h"
#include "../../types.h"

#define ROUNDS 300

/* Bit i of 32 belongs to PE i mod npes. */
static uint32_t own_bits(int pe)
{
    uint32_t bits = 0;

    for (int i = pe; i < 32; i += check_npes)
        bits |= 1u << i;
    return bits;
}

static void expect(uint32_t seen, uint32_t mine, uint32_t expected, const char *call)
{
    CHECK((seen & mine) == expected, "%s saw own bits 0x%08x, expected 0x%08x", call, seen & mine, expected);
}

#define TEST(NAME, TYPE)                                                                                            \
    static TYPE NAME##_word;                                                                                        \
    static void test_##NAME(int pe)                                                                                 \
    {                                                                                                               \
        uint32_t mine = own_bits(check_me);                                                                         \
        for (int round = 0; round < ROUNDS; round++) {                                                              \
            expect((uint32_t)shmem_##NAME##_atomic_fetch_or(&NAME##_word, (TYPE)mine, pe), mine, 0, #NAME " or");   \
            expect((uint32_t)shmem_##NAME##_atomic_fetch_and(&NAME##_word, (TYPE) ~(TYPE)mine, pe), mine, mine,     \
                   #NAME " and");                                                                                   \
            expect((uint32_t)shmem_##NAME##_atomic_fetch_xor(&NAME##_word, (TYPE)mine, pe), mine, 0, #NAME " xor"); \
            shmem_##NAME##_atomic_and(&NAME##_word, (TYPE) ~(TYPE)mine, pe);                                        \
            shmem_fence();                                                                                          \
            shmem_##NAME##_atomic_or(&NAME##_word, (TYPE)mine, pe);                                                 \
            shmem_fence();                                                                                          \
            shmem_##NAME##_atomic_xor(&NAME##_word, (TYPE)mine, pe);                                                \
            shmem_quiet();                                                                                          \
        }                                                                                                           \
        shmem_##NAME##_atomic_or(&NAME##_word, (TYPE)mine, pe);                                                     \
        shmem_barrier_all();                                                                                        \
        if (check_me == pe)                                                                                         \
            CHECK((uint32_t)NAME##_word == own_bits_of_all(), "%s word is 0x%08x, expected 0x%08x", #NAME,          \
                  (uint32_t)NAME##_word, own_bits_of_all());                                                        \
    }

static uint32_t own_bits_of_all(void)
{
    uint32_t all = 0;

    for (int pe = 0; pe < check_npes; pe++)
        all |= own_bits(pe);
    return all;
}

TYPES_AMO_BITS(TEST)

static int target;

#define CALL(NAME, TYPE) test_##NAME(target++ % check_npes);

int main(void)
{
    check_start();
    if (check_npes > 32)
        check_skip("more PEs than a word has bits");
    shmem_barrier_all();
    TYPES_AMO_BITS(CALL)
    return check_finish();
}
