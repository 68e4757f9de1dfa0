/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What keeps strangers out: anybody who reaches a PE's port can send to it, and
 * ask for its memory by a key. So keys of memory cannot be guessed, and every
 * message bears a seal that only who has read the receiver's card can make. On
 * networks of sockets, where others may see what passes, it is a keyed checksum
 * of the head, the beginning of the body and the length; on adapters, whose
 * messages take a tenth of the time, a token. What has no seal is dropped.
 */
#include <string.h>

#include "core/ofi.h"

/* Bytes of a body that the seal is of: all that says what to do, and where. */
enum { SEALED = 64 };

int ofi_secrets_make(void)
{
    int rc = core_random(&ofi.seal_key, sizeof ofi.seal_key);
    if (rc == 0)
        rc = core_random(&ofi.memory_key, sizeof ofi.memory_key);
    if (rc != 0)
        core_error("no random numbers for the network's keys: %s", strerror(-rc));
    return rc;
}

uint64_t ofi_memory_key(void)
{
    size_t bytes = ofi.info->domain_attr->mr_key_size;
    uint64_t key = core_siphash_of(&ofi.memory_key, &ofi.next_key, sizeof ofi.next_key);
    ofi.next_key++;
    return bytes >= sizeof key ? key : key & ((1ull << 8 * bytes) - 1);
}

static uint64_t seal_of(const struct core_siphash_key *key, bool keyed, const unsigned char *message, size_t n)
{
    size_t more = n - sizeof(struct ofi_head);
    const unsigned char *at = message + sizeof(uint64_t), *end = message + sizeof(struct ofi_head) + (more < SEALED ? more : SEALED);
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

void ofi_seal(struct ofi_op *op)
{
    const struct ofi_peer *to = &ofi.peer[op->pe];
    uint64_t seal = seal_of(&to->seal_key, to->seal_keyed, op->data, op->n);
    memcpy(op->data, &seal, sizeof seal);
}

/* One comparison of words: its time tells nothing. */
bool ofi_sealed(const struct ofi_op *op, size_t n)
{
    uint64_t seal;
    if (n < sizeof(struct ofi_head) || n > OFI_MSG_MAX)
        return false;
    memcpy(&seal, op->data, sizeof seal);
    return seal == seal_of(&ofi.seal_key, ofi.seal_keyed, op->data, n);
}

void ofi_drop(const char *what)
{
    if (__atomic_fetch_add(&ofi.dropped, 1, __ATOMIC_RELAXED) == 0)
        core_error("dropped what came over the network and is not of this job: %s; any more is dropped without a word "
                   "(see \"Strangers\" in docs/cluster.md)", what);
}
