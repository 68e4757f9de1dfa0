/* SPDX-License-Identifier: BSD-3-Clause
 *
 * SipHash-2-4 against the vectors that its authors publish (key 00 to 0f, message
 * 00, 01, ...), by bytes and by words; and numbers of chance that differ.
 */
#include "core/base/siphash.h"

#include <string.h>

#include "harness.h"

static const struct {
    size_t n;
    uint64_t sum;
} vectors[] = {{0, 0x726fdb47dd0e0e31u}, {1, 0x74f839c593dc67fdu},  {2, 0x0d6c8009d9a94f5au}, {3, 0x85676696d7fb7e2du},
               {4, 0xcf2794e0277187b7u}, {5, 0x18765564cd99a68du},  {6, 0xcbc9466e58fee3ceu}, {7, 0xab0200f58b01d137u},
               {8, 0x93f5f5799a932462u}, {15, 0xa129ca6149be45e5u}, {63, 0x958a324ceb064572u}};

static const struct core_siphash_key key = {{0x0706050403020100u, 0x0f0e0d0c0b0a0908u}};

static void by_words(const unsigned char *message, size_t n, uint64_t sum)
{
    struct core_siphash s = core_siphash_begin(&key);
    uint64_t word = 0;

    for (size_t at = 0; at + 8 <= n; at += 8) {
        memcpy(&word, message + at, 8);
        core_siphash_word(&s, word);
    }
    word = 0;
    memcpy(&word, message + n / 8 * 8, n % 8);
    CHECK(core_siphash_end(&s, word, n) == sum, "%zu bytes by words", n);
}

int main(void)
{
    unsigned char message[64];
    uint64_t chance[2] = {0, 0};

    for (unsigned i = 0; i < sizeof message; i++)
        message[i] = (unsigned char)i;
    for (unsigned i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        uint64_t sum = core_siphash_of(&key, message, vectors[i].n);

        CHECK(sum == vectors[i].sum, "%zu bytes gave %016llx", vectors[i].n, (unsigned long long)sum);
        by_words(message, vectors[i].n, vectors[i].sum);
    }
    CHECK(core_random(chance, sizeof chance) == 0 && chance[0] != chance[1] && chance[0] != 0, "%llx %llx",
          (unsigned long long)chance[0], (unsigned long long)chance[1]);
    return check_verdict();
}
