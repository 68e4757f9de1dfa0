/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Numbers of a job, found without asking anybody: one by which processes of
 * different jobs tell the jobs apart, on one node from the job's memory, which has
 * an inode that no other has, on several from the card of PE 0, which all PEs have
 * got; and such that nobody outside can guess, whose key lies there, too.
 */
#include <string.h>

#include "core/base/siphash.h"
#include "core/internal.h"

static uint64_t mix(uint64_t x, uint64_t more)
{
    x = (x + more) * 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    return x ^ x >> 29;
}

uint64_t core_job_id(void)
{
    const struct core_card *card = core_card_of(0);
    uint64_t id = mix(0x4d5054, card ? sizeof *card : core_seg->inode);
    uint64_t words[sizeof *card / sizeof(uint64_t)];

    if (!card)
        return mix(mix(id, (uint64_t)core_seg->header->launcher), core_seg->header->key);
    memcpy(words, card, sizeof words);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        id = mix(id, words[i]);
    return id;
}

uint64_t core_job_token(uint64_t of)
{
    static const struct core_siphash_key one = {{1, 0}}, two = {{2, 0}};
    const struct core_card *card = core_card_of(0);
    struct core_siphash_key key;

    if (card) /* with the random keys of the network */
        key = (struct core_siphash_key){
            {core_siphash_of(&one, card, sizeof *card), core_siphash_of(&two, card, sizeof *card)}};
    else
        memcpy(key.k, core_seg->header->secret, sizeof key.k);
    return core_siphash_of(&key, &of, sizeof of);
}
