/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 100,000 small messages before any is received, to everybody at once; then they are
 * received in the order sent, from the last tag down, and by chance. None of these
 * may take longer per message than when few wait.
 */
#include "family.h"

enum { ALL = 100000 };

static int each(void)
{
    return ALL / pc_size;
}

static void send_all(void)
{
    for (int i = 0; i < each(); i++)
        for (int pe = 0; pe < pc_size; pe++) {
            pvm_initsend(PvmDataRaw);
            pvm_pkint(&i, 1, 1);
            int rc = pvm_send(fm_name(pe), i);
            if (rc < 0 && !CHECK(rc == 0, "message %d to PE %d: %d", i, pe, rc))
                return;
        }
}

static void get(int pe, int tag, int expected)
{
    int i = -1, rc = pvm_recv(fm_name(pe), tag);
    if (rc > 0)
        pvm_upkint(&i, 1, 1);
    CHECK(i == expected, "PE %d, tag %d: got %d (%d), expected %d", pe, tag, i, rc, expected);
}

static void forwards(void)
{
    for (int i = 0; i < each(); i++)
        for (int pe = 0; pe < pc_size; pe++)
            get(pe, -1, i);
}

static void backwards(void)
{
    for (int i = each(); i-- > 0;)
        for (int pe = 0; pe < pc_size; pe++)
            get(pc_size > 1 && i % 2 ? pe : -1, i, i);
}

/* A permutation by steps that are prime to the number. */
static void scattered(void)
{
    int n = each(), step = 7919;
    for (int k = 0, i = 0; k < n; k++, i = (i + step) % n)
        for (int pe = 0; pe < pc_size; pe++)
            get(pe, i, i);
}

int main(void)
{
    fm_start();
    void (*const ways[])(void) = {forwards, backwards, scattered};
    for (int k = 0; k < 3; k++) {
        send_all();
        fm_barrier();
        ways[k]();
        GIVES(pvm_nrecv(-1, -1), 0);
        fm_barrier();
    }
    return fm_finish();
}
