/* SPDX-License-Identifier: BSD-3-Clause
 *
 * For programs that are run under PVM 3.4.6 and under ours and must print the same
 * (tests/pvm/harness): SAY prints a call as it stands here with what it returned.
 * Library messages come on stderr, in order with the lines.
 */
#ifndef SAY_H
#define SAY_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <pvm3.h>

#define SAY(call) printf("%s = %d\n", #call, (call))
/* The same of a call whose positive values are bufids or tids: only that there is one */
#define SAY_ID(call) say_id(#call, (call))

static inline int say_id(const char *call, int value)
{
    if (value > 0)
        printf("%s: one\n", call);
    else
        printf("%s = %d\n", call, value);
    return value;
}

static inline int say_begin(void)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    return pvm_mytid();
}

#endif
