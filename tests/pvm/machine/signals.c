/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Signals among the tasks of a launcher: each gets what is sent to it, and nobody else does, also where several are in
 * one process.
 */
#include <pcheck.h>
#include <signal.h>

enum { SENT = 1, TOLD = 2 };

static volatile sig_atomic_t caught[2];

static void note(int sig)
{
    caught[sig == SIGUSR2]++;
}

/* Until it has come, making progress. */
static void await(int which)
{
    for (int i = 0; i < 20000 && !caught[which]; i++) {
        pvm_nrecv(-1, TOLD);
        usleep(500);
    }
}

int main(void)
{
    int tid;

    signal(SIGUSR1, note);
    signal(SIGUSR2, note);
    pc_start();
    OK(pvm_barrier(NULL, -1));
    if (pc_me == 0) {
        for (int pe = 0; pe < pc_size; pe++)
            OK(pvm_sendsig(pe, SIGUSR1));
        OK(pvm_sendsig(pc_size - 1, SIGUSR2));
    }
    await(0);
    if (pc_me == pc_size - 1)
        await(1);
    OK(pvm_barrier(NULL, -1));
    CHECK(caught[0] == 1, "%d signals instead of one", (int)caught[0]);
    CHECK(caught[1] == (pc_me == pc_size - 1), "%d signals, of which none was for this task", (int)caught[1]);
    tid = pvm_mytid();
    GIVES(pvm_sendsig(tid, -1), PvmBadParam);
    OK(pvm_sendsig(tid, 0));
    OK(pvm_barrier(NULL, -1));
    return pc_finish();
}
