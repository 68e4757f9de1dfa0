/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Loops over tests (loops.py): argv[1] says which; with "late" in argv[2] what they test for comes after a while.
 */
#include <pvm3.h>
#include <string.h>
#include <unistd.h>

static void nrecv(int from)
{
    while (pvm_nrecv(from, 3) == 0) /* nrecv */
        ;
}

static void probe(void)
{
    while (pvm_probe(-1, 3) == 0) /* probe */
        ;
    pvm_recv(-1, 3);
}

static void send_to(int tid, int tag)
{
    pvm_initsend(PvmDataDefault);
    pvm_pkint(&tag, 1, 1);
    pvm_send(tid, tag);
}

int main(int argc, char **argv)
{
    int me = pvm_get_PE(pvm_mytid());

    (void)argc;
    pvm_barrier(NULL, -1);
    if (me == 0) {
        send_to(pvm_gettid(NULL, 1), 4);
        usleep(700000);
        if (strcmp(argv[2], "late") == 0)
            send_to(pvm_gettid(NULL, 1), 3);
    } else if (me == 1) {
        strcmp(argv[1], "nrecv") == 0 ? nrecv(pvm_gettid(NULL, 0)) : probe();
        pvm_recv(-1, 4);
    }
    pvm_barrier(NULL, -1); /* others */
    pvm_exit();
    return 0;
}
