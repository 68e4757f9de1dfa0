/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Buffers outlive pvm_exit: what was packed or received can be read by the task that
 * the process becomes at its next call, after the sender has gone and has used its
 * memory anew. There is no current receive buffer then, as in the library of old.
 */
#include "model.h"

enum { N = 50000 };

static int data[N], back[N];

static void fill(int seed)
{
    for (int i = 0; i < N; i++)
        data[i] = seed + i;
}

/* Buffers of one size received and packed; the numbers begin with the seed. */
static void check(int buf, int n, int seed)
{
    OK(pvm_setrbuf(buf));
    GIVES(length_of(buf), 4 * n);
    GIVES(pvm_upkint(back, n, 1), 0);
    fill(seed);
    CHECK(memcmp(back, data, (size_t)n * sizeof *back) == 0, "%d ints from %d: the first is %d", n, seed, back[0]);
}

int main(void)
{
    static const int sizes[] = {1, 100, 1000, N};
    int packed, received[4], next;

    pc_start();
    next = pc_size > 1 ? pvm_gettid(NULL, (pc_me + 1) % pc_size) : pc_tid;
    for (int i = 0; i < 4; i++) {
        OK(pvm_initsend(PvmDataDefault));
        fill(1000 * i);
        GIVES(pvm_pkint(data, sizes[i], 1), 0);
        GIVES(pvm_send(next, i), 0);
        received[i] = pvm_recv(-1, i);
        OK(received[i]);
        OK(pvm_setrbuf(0));
    }
    packed = pvm_mkbuf(PvmDataRaw);
    OK(pvm_setsbuf(packed));
    fill(7);
    GIVES(pvm_pkint(data, N, 1), 0);
    OK(pvm_setrbuf(received[0]));
    GIVES(pvm_exit(), 0);
    pc_tid = pvm_mytid(); /* another one, or the same */
    OK(pc_tid);
    GIVES(pvm_getrbuf(), 0);
    GIVES(pvm_setsbuf(0), packed);
    for (int i = 0; i < 50; i++) { /* memory given back is used again */
        OK(pvm_initsend(PvmDataRaw));
        fill(-i);
        GIVES(pvm_pkint(data, N, 1), 0);
        GIVES(pvm_send(pc_tid, 9), 0);
        OK(pvm_recv(pc_tid, 9));
    }
    OK(pvm_setrbuf(0));
    for (int i = 0; i < 4; i++)
        check(received[i], sizes[i], 1000 * i);
    check(packed, N, 7);
    return pc_finish();
}
