/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pvm_mcast: one body to many, this task left out, each task once however often it
 * is named; long bodies that are read, dropped and kept in any order.
 */
#include "family.h"

enum { ROUNDS = 12, MOST = 200000 };
static char data[MOST], back[MOST];

static int bytes_of(int round)
{
    static const int n[] = {0, 5, 800, 3000, 70000, MOST};
    return n[round % 6];
}

/* Named twice, out of order, with itself and with tids that nobody has. */
static void send_round(int root, int round)
{
    int tids[64], n = 0;
    for (int i = 0; i < pc_size; i++)
        tids[n++] = fm_name((root + i) % pc_size);
    for (int i = 0; i < pc_size; i++)
        tids[n++] = fm_tid(pc_size - 1 - i);
    tids[n++] = 5 << 18 | 77;
    check_fill(data, (size_t)bytes_of(round), (uint64_t)(root * ROUNDS + round));
    OK(pvm_initsend(round % 3));
    OK(pvm_pkbyte(data, bytes_of(round), 1));
    GIVES(pvm_mcast(tids, n, round), 0);
}

static void read_round(int root, int round)
{
    size_t n = (size_t)bytes_of(round);
    OK(pvm_upkbyte(back, (int)n, 1));
    size_t bad = check_differs(back, n, (uint64_t)(root * ROUNDS + round));
    CHECK(bad == n, "round %d of PE %d: byte %zu is wrong", round, root, bad);
}

static void all_to_all(void)
{
    int kept[64];
    for (int round = 0; round < ROUNDS; round++)
        send_round(pc_me, round);
    for (int root = 0; root < pc_size; root++)
        for (int round = ROUNDS; root != pc_me && round-- > 0;) {
            int id = pvm_recv(fm_name(root), round);
            OK(id);
            if (round % 4 != 3)
                read_round(root, round);
            kept[round] = pvm_setrbuf(0);
            CHECK(kept[round] == id, "receive buffer %d, not %d", kept[round], id);
            if (round % 4 == 1)
                OK(pvm_freebuf(id));
            if (round)
                continue;
            for (int k = 3; k < ROUNDS; k += 4) { /* those kept unread */
                OK(pvm_setrbuf(kept[k]));
                read_round(root, k);
            }
            pvm_setrbuf(0);
            for (int k = 0; k < ROUNDS; k++)
                if (k % 4 != 1)
                    OK(pvm_freebuf(kept[k]));
        }
    GIVES(pvm_nrecv(-1, -1), 0); /* nothing twice, nothing of its own */
}

static void errors(void)
{
    int t[3] = {pc_tid, -5, 0x7fffffff};
    OK(pvm_initsend(PvmDataRaw));
    GIVES(pvm_mcast(t, 0, 1), 0);
    GIVES(pvm_mcast(NULL, 0, 1), 0);
    GIVES(pvm_mcast(t, -1, 1), PvmBadParam);
    GIVES(pvm_mcast(NULL, 1, 1), PvmBadParam);
    GIVES(pvm_mcast(t, 1, -1), PvmBadParam);
    GIVES(pvm_mcast(t, 2, 1), PvmBadParam);
    GIVES(pvm_mcast(t + 2, 1, 1), PvmBadParam);
    GIVES(pvm_mcast(t, 1, 1), 0);
    GIVES(pvm_nrecv(-1, -1), 0);
    pvm_freebuf(pvm_setsbuf(0));
    GIVES(pvm_mcast(t, 1, 1), PvmNoBuf);
}

int main(void)
{
    fm_start();
    all_to_all();
    fm_barrier();
    errors();
    fm_barrier();
    return fm_finish();
}
