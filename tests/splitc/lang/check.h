/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the language's tests say when a value is wrong: where, and on which processor.
 */
#ifndef LANG_CHECK_H
#define LANG_CHECK_H

#include <split-c/split-c.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition)                                                                          \
    do {                                                                                          \
        if (!(condition)) {                                                                       \
            fprintf(stderr, "%s:%d: processor %d: %s\n", __FILE__, __LINE__, MYPROC, #condition); \
            exit(1);                                                                              \
        }                                                                                         \
    } while (0)

#endif
