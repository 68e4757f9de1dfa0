/* SPDX-License-Identifier: BSD-3-Clause
 *
 * PvmDataInPlace: what may be packed so, when it is read, and that a buffer can be
 * sent again. Messages go to the task itself.
 */
#include "model.h"

enum { BIG = 3 << 20 };
static int data[100], back[100];
static char *big, *big_back;

static void refused(void)
{
    int buf = pvm_initsend(PvmDataInPlace);

    for (int i = 0; i < TYPES; i++) {
        GIVES(do_pack(types[i].id, data, 2, 2), PvmNotImpl);
        GIVES(do_pack(types[i].id, data, 1, 0), PvmNotImpl);
        GIVES(do_pack(types[i].id, data, 2, -1), PvmNotImpl);
        GIVES(do_pack(types[i].id, data, 0, 2), PvmNotImpl);
        GIVES(do_pack(types[i].id, data, -1, 2), PvmBadParam);
        GIVES(do_pack(types[i].id, NULL, 1, 1), PvmBadParam);
        GIVES(do_pack(types[i].id, NULL, 0, 1), 0);
    }
    GIVES(pvm_pkstr((char[]){"x"}), PvmNotImpl);
    GIVES(pvm_packf("%s", "x"), PvmNotImpl);
    GIVES(pvm_packf("%2.2d", data), PvmNotImpl);
    OK(pvm_setrbuf(buf)); /* what is in place cannot be unpacked there */
    GIVES(pvm_upkint(back, 1, 1), PvmBadMsg);
    GIVES(pvm_upkmesg(), PvmBadMsg);
    OK(pvm_setrbuf(0));
}

static void read_by_the_send(void)
{
    int buf = pvm_initsend(PvmDataInPlace);

    data[0] = 1;
    GIVES(pvm_pkint(data, 3, 1), 0);
    GIVES(length_of(buf), 0);
    data[0] = 2;
    GIVES(pvm_send(pc_tid, 5), 0);
    data[0] = 3;
    GIVES(pvm_send(pc_tid, 6), 0); /* the same buffer, read anew */
    GIVES(pvm_pkint(data + 3, 2, 1), 0);
    data[0] = 4;
    GIVES(pvm_send(pc_tid, 7), 0);
    data[0] = 0;
    for (int tag = 5; tag <= 7; tag++) {
        int r = pvm_recv(pc_tid, tag), n = tag == 7 ? 5 : 3;
        struct pvmminfo info;

        OK(r);
        GIVES(length_of(r), 4 * n);
        GIVES(pvm_getminfo(r, &info), 0);
        CHECK(info.enc == 0x408c41, "encoding %x", (unsigned)info.enc);
        GIVES(pvm_upkint(back, n, 1), 0);
        CHECK(back[0] == tag - 3 && memcmp(back + 1, data + 1, (size_t)(n - 1) * sizeof *data) == 0, "tag %d: %d", tag,
              back[0]);
        GIVES(pvm_upkint(back, 1, 1), PvmNoData);
    }
}

static void of_all_sizes(void)
{
    double x = 2.5, y = 0;
    long l = 0;

    for (int n = 1; n <= BIG; n = n < 2000 ? n + 37 : n * 3 + 1) {
        memset(big_back, 0, BIG);
        OK(pvm_initsend(PvmDataInPlace));
        GIVES(pvm_pkint(data, 1, 1), 0);
        GIVES(pvm_pkbyte(big, n, 1), 0);
        GIVES(pvm_packf("%ld%*c%lf", (long)n, 3, big, x), 0); /* values have no place: copied */
        GIVES(pvm_send(pc_tid, 1), 0);
        OK(pvm_recv(-1, 1));
        GIVES(length_of(pvm_getrbuf()), n + 23);
        GIVES(pvm_upkint(back, 1, 1), 0);
        GIVES(pvm_upkbyte(big_back, n, 1), 0);
        CHECK(check_differs(big_back, (size_t)n, 77) == (size_t)n, "%d bytes: wrong at %zu", n,
              check_differs(big_back, (size_t)n, 77));
        GIVES(pvm_unpackf("%ld%3c%lf", &l, big_back, &y), 0);
        CHECK(l == n && y == x, "%ld %g", l, y);
    }
}

static void with_messages(void)
{
    int inner = pvm_mkbuf(PvmDataDefault), other = pvm_mkbuf(PvmDataInPlace), x = 5, got;

    OK(pvm_setsbuf(inner));
    GIVES(pvm_pkint(&x, 1, 1), 0);
    OK(pvm_setsbuf(other));
    GIVES(pvm_pkint(data, 2, 1), 0);
    OK(pvm_setsbuf(0)); /* pvm_initsend frees the current one */
    OK(pvm_initsend(PvmDataInPlace));
    GIVES(pvm_pkmesgbody(inner), PvmMismatch);
    GIVES(pvm_pkmesg(inner), 0);
    GIVES(pvm_pkmesg(other), 0);
    GIVES(pvm_pkmesgbody(other), 0);
    GIVES(pvm_send(pc_tid, 1), 0);
    OK(pvm_recv(-1, 1));
    got = pvm_upkmesg();
    OK(got);
    GIVES(length_of(got), 4);
    inner = pvm_setrbuf(got);
    GIVES(pvm_upkint(&x, 1, 1), 0);
    CHECK(x == 5, "%d", x);
    OK(pvm_setrbuf(inner));
    got = pvm_upkmesg();
    OK(got);
    GIVES(length_of(got), 8);
    GIVES(pvm_upkint(back, 2, 1), 0);
    CHECK(memcmp(back, data, 8) == 0, "body of a message in place");
    OK(pvm_setrbuf(got));
    GIVES(pvm_upkint(back, 2, 1), 0);
    CHECK(memcmp(back, data, 8) == 0, "message in place");
}

int main(void)
{
    pc_start();
    for (int i = 0; i < 100; i++)
        data[i] = i * 1001;
    big = malloc(BIG);
    big_back = malloc(BIG);
    check_fill(big, BIG, 77);
    refused();
    read_by_the_send();
    of_all_sizes();
    with_messages();
    return pc_finish();
}
