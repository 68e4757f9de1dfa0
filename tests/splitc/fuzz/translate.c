/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The translator alone, without preprocessor and compiler: translate file.i out.c. Exit status 1 after errors, as scc
 * has it.
 */
#include <stdio.h>

#include "driver.h"

int main(int argc, char **argv)
{
    if (argc != 3) {
        fputs("usage: translate file.i out.c\n", stderr);
        return 3;
    }
    return scc_translate(argv[1], argv[2], argv[2][0] != '/') != 0;
}
