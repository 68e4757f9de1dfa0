/* SPDX-License-Identifier: BSD-3-Clause */
/* What a plugin needs, and the program does not. */
#include <unistd.h>

void tell(int what);

static int counter;

__attribute__((constructor)) static void begin(void)
{
    tell(3);
    counter = 7;
}

__attribute__((destructor)) static void end(void)
{
    tell(4);
}

int two_count(int by)
{
    return counter += by;
}
