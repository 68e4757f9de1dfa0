/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages lie in several pieces of memory, and some pieces belong to two buffers:
 * what one does must not show in another, wherever the borders are.
 */
#include "model.h"

static unsigned char data[3 << 20], back[3 << 20];

/* Bytes packed in arrays of all sizes, so that borders lie anywhere, read as items of every type. */
static void across_borders(uint64_t *random)
{
    for (int i = 0; i < TYPES; i++) {
        size_t at = 0, size = types[i].size;
        int done = 0;

        OK(pvm_initsend(PvmDataRaw));
        while (at < 60000) {
            int n = 1 + (int)check_random_below(random, at < 4000 ? 300 : 3000);

            GIVES(pvm_pkbyte((char *)data + at, n, 1), 0);
            at += (size_t)n;
        }
        OK(pvm_setrbuf(pvm_getsbuf()));
        GIVES(pvm_upkbyte((char *)back, 1, 1), 0); /* no item lies aligned */
        for (size_t pos = 1; pos + size <= at; pos += (size_t)done * size) {
            done = 1 + (int)check_random_below(random, 400);
            done = (size_t)done * size <= at - pos ? done : (int)((at - pos) / size);
            GIVES(do_unpack(types[i].id, back, done, 1), 0);
            if (!CHECK(memcmp(back, data + pos, (size_t)done * size) == 0, "%d of %s at byte %zu", done, types[i].name,
                       pos))
                break;
        }
    }
}

/* What cannot be read leaves the place where it was, also when it begins in one piece and ends in another. */
static void failures_across_borders(void)
{
    static const int no_message[8] = {40, 1, 2, 3, 99, 5, 6, 7}, no_string = 20;

    for (int fill = 850; fill < 920; fill++) {
        int x[8];

        OK(pvm_initsend(PvmDataRaw));
        GIVES(pvm_pkbyte((char *)data, fill, 1), 0);
        for (int i = 0; i < 8; i++)
            GIVES(pvm_pkint((int *)(uintptr_t)&no_message[i], 1, 1), 0);
        GIVES(pvm_pkint((int *)(uintptr_t)&no_string, 1, 1), 0);
        for (int i = 0; i < 20; i++)
            GIVES(pvm_pkbyte((char[]){"x"}, 1, 1), 0);
        GIVES(pvm_pkbyte((char *)data, 100, 1), 0);
        OK(pvm_setrbuf(pvm_getsbuf()));
        GIVES(pvm_upkbyte((char *)back, fill, 1), 0);
        GIVES(pvm_upkmesg(), PvmBadMsg);
        GIVES(pvm_upkint((int *)back, 100, 1), PvmNoData);
        GIVES(pvm_upkint(x, 8, 1), 0);
        CHECK(memcmp(x, no_message, sizeof x) == 0, "after %d bytes: %d %d", fill, x[0], x[1]);
        GIVES(pvm_upkstr((char *)back), PvmBadMsg);
        GIVES(pvm_upkint(x, 1, 1), 0);
        CHECK(x[0] == no_string, "after %d bytes: %d", fill, x[0]);
        GIVES(pvm_upkbyte((char *)back, 20, 1), 0);
        GIVES(pvm_upkbyte((char *)back, 101, 1), PvmNoData);
        GIVES(pvm_upkbyte((char *)back, 100, 1), 0);
        CHECK(memcmp(back, data, 100) == 0, "the rest after %d bytes", fill);
    }
}

static void append(int buf, size_t *length, unsigned char *model, int n, int from)
{
    int sbuf = pvm_setsbuf(buf);

    GIVES(pvm_pkbyte((char *)data + from, n, 1), 0);
    *length = model_pack(model, *length, &types[0], PvmDataRaw, data + from, n, 1);
    OK(pvm_setsbuf(sbuf));
}

/* A buffer is sent several times, growing; the copies received grow too, in other ways. */
static void growing_apart(int n)
{
    enum { COPIES = 4 };
    static unsigned char model[COPIES + 1][1 << 20];
    size_t length[COPIES + 1] = {0};
    int buf[COPIES + 1];

    buf[COPIES] = pvm_mkbuf(PvmDataRaw);
    for (int i = 0; i < COPIES; i++) {
        append(buf[COPIES], &length[COPIES], model[COPIES], n, i);
        OK(pvm_setsbuf(buf[COPIES]));
        GIVES(pvm_send(pc_tid, 1), 0);
        buf[i] = pvm_recv(pc_tid, 1);
        OK(buf[i]);
        OK(pvm_setrbuf(0));
        memcpy(model[i], model[COPIES], length[i] = length[COPIES]);
    }
    for (int round = 0; round < 3; round++)
        for (int i = 0; i <= COPIES; i++)
            append(buf[i], &length[i], model[i], n / 2 + i, 1000 * i + round);
    for (int i = 0; i <= COPIES; i++) {
        check_bytes(buf[i], model[i], length[i], i < COPIES ? "a message received" : "the buffer sent");
        OK(pvm_freebuf(buf[i]));
    }
}

int main(void)
{
    static const int sizes[] = {1, 10, 100, 800, 900, 1000, 3000, 20000, 100000};
    uint64_t random = check_seed(41);

    pc_start();
    check_fill(data, sizeof data, 6);
    across_borders(&random);
    failures_across_borders();
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        growing_apart(sizes[i]);
    return pc_finish();
}
