/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Loops over am_poll (loops.py): with "late" in argv[2] what they wait for comes after a while.
 */
#include <am.h>
#include <string.h>
#include <unistd.h>

static volatile int come;

static void comes(vnn_t from)
{
    (void)from;
    come = 1;
}

static void poll_for_it(void)
{
    while (!come)
        am_poll(); /* poll */
}

int main(int argc, char **argv)
{
    (void)argc;
    am_enable_job();
    am_register(1, comes);
    if (am_my_proc() == 1)
        poll_for_it();
    if (am_my_proc() == 0) {
        usleep(700000);
        if (strcmp(argv[2], "late") == 0)
            am_request_0(1, comes);
    }
    am_disable(); /* others */
    return 0;
}
