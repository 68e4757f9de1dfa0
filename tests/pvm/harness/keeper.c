/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A task that opens a virtual machine and stays in it until its input ends, so that
 * programs started one after another share it (PVM_VMID).
 */
#include <pvm3.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    char c;
    int tid = pvm_mytid();

    if (tid < 0)
        return 1;
    printf("t%x\n", (unsigned)tid);
    fflush(stdout);
    while (read(STDIN_FILENO, &c, 1) > 0)
        ;
    pvm_exit();
    return 0;
}
