/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pvm_gather, pvm_scatter and pvm_bcast: all types, sizes from nothing to a
 * hundred kilobytes, every root, one after the other without a barrier; the program's own
 * receives never meet their messages, and theirs never the program's.
 */
#include "pcheck.h"

static const size_t sizes[] = {1, 1, 2, 4, 4, 8, 8, 16, 8, 2, 4, 8}; /* by type; strings are bytes here */
static const int counts[] = {1, 0, 5, 300, 7000};

static uint64_t pattern(int what, int type, int count, int root, int from)
{
    return (uint64_t)what * 7919 + (uint64_t)type * 104729 + (uint64_t)count * 13 + (uint64_t)root * 1009 +
           (uint64_t)from * 31;
}

static void gather(char *group, int type, int count, int root)
{
    size_t n = (size_t)count * sizes[type];
    unsigned char *all = malloc(n * (size_t)pc_size + 1), *mine = malloc(n + 1);
    check_fill(mine, n, pattern(1, type, count, root, pc_me));
    memset(all, 0xee, n * (size_t)pc_size + 1);
    GIVES(pvm_gather(pc_me == root ? all : NULL, mine, count, type, 4, group, root), 0);
    for (int pe = 0; pe < pc_size && pc_me == root; pe++) {
        size_t right = check_differs(all + n * (size_t)pe, n, pattern(1, type, count, root, pe));
        CHECK(right == n, "type %d, %d items: byte %zu of PE %d", type, count, right, pe);
    }
    CHECK(all[n * (size_t)pc_size] == 0xee, "written beyond the end");
    CHECK(check_differs(mine, n, pattern(1, type, count, root, pc_me)) == n, "the data sent were changed");
    free(all);
    free(mine);
}

static void scatter(char *group, int type, int count, int root)
{
    size_t n = (size_t)count * sizes[type], right;
    unsigned char *all = malloc(n * (size_t)pc_size + 1), *mine = malloc(n + 1);
    for (int pe = 0; pe < pc_size; pe++)
        check_fill(all + n * (size_t)pe, n, pattern(2, type, count, root, pe));
    memset(mine, 0xee, n + 1);
    GIVES(pvm_scatter(mine, pc_me == root ? all : NULL, count, type, 4, group, root), 0);
    right = check_differs(mine, n, pattern(2, type, count, root, pc_me));
    CHECK(right == n && mine[n] == 0xee, "type %d, %d items: byte %zu", type, count, right);
    free(all);
    free(mine);
}

/* In place: what is sent is what is there at the call. */
static void broadcast(char *group, int encoding, int count, int root)
{
    int *data = malloc(((size_t)count + 1) * sizeof *data), id, bytes = 0, tag = 0, from = 0;
    size_t n = (size_t)count * sizeof *data, right;
    if (pc_me == root) {
        check_fill(data, n, 1);
        OK(pvm_initsend(encoding));
        if (encoding != PvmDataInPlace)
            check_fill(data, n, pattern(3, encoding, count, root, root));
        OK(pvm_pkint(data, count, 1));
        if (encoding == PvmDataInPlace)
            check_fill(data, n, pattern(3, encoding, count, root, root));
        GIVES(pvm_bcast(group, 4), 0);
        CHECK(pvm_nrecv(pc_tid, 4) == 0, "the sender gets nothing");
    } else {
        CHECK((id = pvm_recv(pvm_gettid(group, root), 4)) > 0, "pvm_recv: %d", id);
        GIVES(pvm_bufinfo(id, &bytes, &tag, &from), 0);
        CHECK(tag == 4 && from == pvm_gettid(group, root) && bytes == 4 * count, "%d bytes with tag %d from t%x", bytes,
              tag, (unsigned)from);
        OK(pvm_upkint(data, count, 1));
        right = check_differs(data, n, pattern(3, encoding, count, root, root));
        CHECK(right == n, "encoding %d, %d items: byte %zu", encoding, count, right);
    }
    free(data);
}

/* The last PE comes late: root's wildcard receives do not see what the others have sent it. */
static void apart(void)
{
    int x = pc_me, y[64], v = 0;
    if (pc_me != 0) {
        if (pc_me == pc_size - 1)
            usleep(5000);
        GIVES(pvm_gather(NULL, &x, 1, PVM_INT, 9, NULL, 0), 0);
        pvm_initsend(PvmDataDefault);
        pvm_pkint(&x, 1, 1);
        GIVES(pvm_send(pvm_gettid(NULL, 0), 9), 0);
        GIVES(pvm_barrier(NULL, -1), 0);
        return;
    }
    for (int i = 0; i < 200; i++)
        CHECK(pvm_nrecv(-1, 8) == 0, "a message of nobody");
    GIVES(pvm_gather(y, &x, 1, PVM_INT, 9, NULL, 0), 0);
    for (int pe = 0; pe < pc_size; pe++)
        CHECK(y[pe] == pe, "y[%d] is %d", pe, y[pe]);
    for (int pe = 1; pe < pc_size; pe++) {
        int bytes = 0;
        CHECK(pvm_recv(pvm_gettid(NULL, pe), -1) > 0, "the message of PE %d", pe);
        OK(pvm_bufinfo(pvm_getrbuf(), &bytes, NULL, NULL));
        OK(pvm_upkint(&v, 1, 1));
        CHECK(v == pe && bytes == 4, "%d of PE %d", v, pe);
    }
    GIVES(pvm_barrier(NULL, -1), 0);
}

static void errors(void)
{
    int x[64] = {0};
    GIVES(pvm_gather(x, x, -1, PVM_INT, 1, NULL, 0), PvmBadParam);
    GIVES(pvm_gather(x, x, 1, 12, 1, NULL, 0), PvmBadParam);
    GIVES(pvm_gather(x, NULL, 1, PVM_INT, 1, NULL, 0), PvmBadParam);
    GIVES(pvm_scatter(NULL, x, 1, PVM_INT, 1, NULL, 0), PvmBadParam);
    GIVES(pvm_scatter(x, x, 1, PVM_INT, -4, NULL, 0), PvmBadParam);
    GIVES(pvm_scatter(x, x, 1, PVM_INT, 4, NULL, pc_size), PvmNoInst);
    GIVES(pvm_bcast("all", -1), PvmBadParam);
    pvm_freebuf(pvm_setsbuf(0));
    GIVES(pvm_bcast("all", 1), PvmNoBuf);
    GIVES(pvm_barrier(NULL, -1), 0);
}

int main(void)
{
    pc_start();
    for (int turn = 0; turn < pc_size; turn++) {
        if (turn == pc_me)
            GIVES(pvm_joingroup("all"), pc_me);
        GIVES(pvm_barrier(NULL, -1), 0);
    }
    for (int root = 0; root < pc_size; root++)
        for (unsigned c = 0; c < sizeof counts / sizeof counts[0]; c++) {
            for (int type = 0; type < 12; type++) {
                gather("all", type, counts[c], root);
                scatter(root % 2 ? NULL : "all", type, counts[c], root);
            }
            for (int encoding = 0; encoding < 3; encoding++)
                broadcast(c % 2 ? "all" : "", encoding, counts[c], root);
        }
    apart();
    errors();
    return pc_finish();
}
