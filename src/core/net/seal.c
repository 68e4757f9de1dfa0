/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What keeps strangers out: whatever reaches a PE's port can send to it, and
 * ask for its memory by a key. So keys of memory cannot be guessed, and every
 * message bears a seal that only who has read the receiver's card can make. On
 * networks of sockets, where others may see what passes, it is a keyed checksum
 * of the head, the beginning of the body and the length; on adapters, whose
 * messages take a tenth of the time, a token. What has no seal is dropped.
 */
#include <string.h>

#include "core/net/fabric.h"

int core_net_secrets_make(void)
{
    int rc = core_random(&core_state.net.seal_key, sizeof core_state.net.seal_key);
    if (rc == 0)
        rc = core_random(&core_state.net.memory_key, sizeof core_state.net.memory_key);
    if (rc != 0)
        core_error("no random numbers for the network's keys: %s", strerror(-rc));
    return rc;
}

uint64_t core_net_memory_key(void)
{
    size_t bytes = core_state.net.promise.key_bytes;
    uint64_t key =
        core_siphash_of(&core_state.net.memory_key, &core_state.net.next_key, sizeof core_state.net.next_key);
    core_state.net.next_key++;
    return bytes >= sizeof key ? key : key & ((1ull << 8 * bytes) - 1);
}

/* Of n bytes, of which the beginning lies there. */
static uint64_t seal_of(const struct core_siphash_key *key, bool keyed, const unsigned char *message, size_t n)
{
    size_t more = n - sizeof(struct core_net_head);
    const unsigned char *at = message + sizeof(uint64_t),
                        *end = message + sizeof(struct core_net_head) + (more < NET_SEALED ? more : NET_SEALED);
    struct core_siphash s = core_siphash_begin(key);
    uint64_t word;
    if (!keyed)
        return key->k[0];
    for (; end - at >= (ptrdiff_t)sizeof word; at += sizeof word) {
        memcpy(&word, at, sizeof word);
        core_siphash_word(&s, word);
    }
    if (at < end) {
        word = 0;
        memcpy(&word, at, (size_t)(end - at));
        core_siphash_word(&s, word);
    }
    return core_siphash_end(&s, n, sizeof n - 1);
}

void core_net_seal(struct core_net_op *op)
{
    const struct core_net_peer *to = &core_state.net.peer[op->pe];
    uint64_t seal = seal_of(&to->seal_key, to->seal_keyed, op->data, op->n + op->tail_n);
    memcpy(op->data, &seal, sizeof seal);
}

/* One comparison of words: its time tells nothing. */
bool core_net_sealed(const void *message, size_t n)
{
    uint64_t seal;
    if (n < sizeof(struct core_net_head) || n > NET_PUSH_HEAD + NET_PUSH_LONG)
        return false;
    memcpy(&seal, message, sizeof seal);
    return seal == seal_of(&core_state.net.seal_key, core_state.net.promise.seals_keyed, message, n);
}

void core_net_drop(const char *what)
{
    if (__atomic_fetch_add(&core_state.net.dropped, 1, __ATOMIC_RELAXED) == 0)
        core_error("dropped what came over the network and is not of this job: %s; any more is dropped without a word "
                   "(see \"Strangers\" in docs/cluster.md)",
                   what);
}
