/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which known word was meant by one that is not known.
 */
#ifndef CORE_NEAREST_H
#define CORE_NEAREST_H

#include <stddef.h>

struct core_nearest {
    const char *typed; /* with its length; longer than 63 letters is near to none */
    size_t typed_n;
    const char *word; /* the nearest so far, not ended by 0; NULL: none is near enough */
    size_t word_n;
    unsigned mistakes; /* letters that are wrong, too many, missing or in the wrong order */
};

/* Is this word nearer than those before? Near enough is a mistake for every three letters, or the beginning of a word.
 */
void core_nearest_try(struct core_nearest *nearest, const char *word, size_t n);

#endif
