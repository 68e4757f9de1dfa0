/* SPDX-License-Identifier: BSD-3-Clause
 *
 * SipHash-2-4 of bytes, in the byte order of the machines served; and where keys
 * come from.
 */
#include "core/base/siphash.h"

#include <errno.h>
#include <string.h>
#include <sys/random.h>

uint64_t core_siphash_of(const struct core_siphash_key *key, const void *p, size_t n)
{
    struct core_siphash s = core_siphash_begin(key);
    const unsigned char *at = p;
    uint64_t word = 0;
    size_t left = n;

    for (; left >= sizeof word; left -= sizeof word, at += sizeof word) {
        memcpy(&word, at, sizeof word);
        core_siphash_word(&s, word);
    }
    word = 0;
    if (left > 0)
        memcpy(&word, at, left);
    return core_siphash_end(&s, word, n);
}

int core_random(void *p, size_t n)
{
    char *to = p;

    while (n > 0) {
        ssize_t got = getrandom(to, n, 0);
        if (got < 0 && errno != EINTR)
            return -errno;
        to += got > 0 ? got : 0;
        n -= got > 0 ? (size_t)got : 0;
    }
    return 0;
}
