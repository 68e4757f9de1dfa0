/* SPDX-License-Identifier: BSD-3-Clause
 *
 * calloc gives zeroes, though its block has been used before: also to a forked child, and to a program that locks its
 * memory, whose pages do not go back to the system.
 */
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mcheck.h"

enum { SMALL = 100000, LARGE = 40 << 20 };

static bool is_zero(size_t n)
{
    char *volatile used = malloc(n);
    char *p;
    bool zero;

    memset(used, 7, n);
    free(used);
    p = calloc(n, 1);
    zero = p[0] == 0 && memcmp(p, p + 1, n - 1) == 0;
    free(p);
    return zero;
}

static bool are_zero(void)
{
    return is_zero(SMALL) && is_zero(LARGE);
}

int main(void)
{
    int status = -1;

    mc_start();
    CHECK(are_zero(), "as usual");
    pid_t child = fork();
    if (child == 0)
        _exit(!are_zero());
    CHECK(waitpid(child, &status, 0) == child && status == 0, "in a child: status %#x", status);
    if (mlockall(MCL_CURRENT | MCL_ONFAULT) == 0) /* not everybody may */
        CHECK(are_zero(), "locked");
    return mc_finish();
}
