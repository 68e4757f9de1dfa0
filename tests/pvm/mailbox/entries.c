/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Entries of the mailbox: indices, who may replace and delete what, all flags,
 * messages of any size and encoding, patterns, the calls of PVM 3.2, and what
 * pvm_exit leaves behind.
 */
#include "pcheck.h"

static int packed(int value)
{
    OK(pvm_initsend(PvmDataDefault));
    OK(pvm_pkint(&value, 1, 1));
    return pvm_getsbuf();
}

/* The number in the entry, or the code. */
static int value_of(char *name, int index, int flags)
{
    int v = -999, rc = pvm_recvinfo(name, index, flags);
    if (rc <= 0)
        return rc;
    CHECK(pvm_getrbuf() == rc, "it is the current receive buffer");
    OK(pvm_upkint(&v, 1, 1));
    return v;
}

static void indices(void)
{
    GIVES(pvm_putinfo("i", packed(1), PvmMboxDefault), 0);
    GIVES(pvm_putinfo("i", packed(2), PvmMboxDefault), 0);
    GIVES(value_of("i", 0, 0), 2);
    GIVES(pvm_putinfo("i", packed(3), PvmMboxMultiInstance), 1);
    GIVES(pvm_putinfo("i", packed(4), PvmMboxMultiInstance | PvmMboxDirectIndex(5)), 5);
    GIVES(pvm_putinfo("i", packed(5), PvmMboxMultiInstance | PvmMboxDirectIndex(5)), 6);
    GIVES(pvm_putinfo("i", packed(6), PvmMboxDirectIndex(5)), 5);
    GIVES(pvm_putinfo("i", packed(7), PvmMboxDirectIndex(PvmMboxMaxDirectIndex)), PvmMboxMaxDirectIndex);
    GIVES(value_of("i", PvmMboxMaxDirectIndex, 0), 7);
    GIVES(value_of("i", 5, 0), 6);
    GIVES(value_of("i", 2, 0), PvmNotFound);
    GIVES(value_of("i", 2, PvmMboxFirstAvail), 6);
    GIVES(value_of("i", 6, PvmMboxFirstAvail), 5);
    GIVES(value_of("i", 7, PvmMboxFirstAvail | PvmMboxReadAndDelete), 7);
    GIVES(value_of("i", 7, PvmMboxFirstAvail), PvmNotFound);
    GIVES(pvm_delinfo("i", 1, 0), 1);
    GIVES(pvm_delinfo("i", 1, 0), PvmNotFound);
    GIVES(pvm_putinfo("i", packed(8), PvmMboxMultiInstance), 1);
    for (int i = 0; i < 3; i++)
        OK(pvm_recvinfo("i", 0, PvmMboxFirstAvail | PvmMboxReadAndDelete));
    GIVES(pvm_delinfo("i", 6, 0), 6);
    GIVES(pvm_recvinfo("i", 0, PvmMboxFirstAvail), PvmNotFound);
}

static void errors(void)
{
    char text[300];
    int b = packed(1), before;
    memset(text, 'c', sizeof text);
    text[200] = '\0';
    GIVES(pvm_putinfo(text, b, 0), PvmBadParam);
    GIVES(pvm_putinfo(NULL, b, 0), PvmBadParam);
    GIVES(pvm_putinfo("", b, 0), PvmBadParam);
    GIVES(pvm_putinfo("e", 0, 0), PvmBadParam);
    GIVES(pvm_putinfo("e", 12345, 0), PvmNoSuchBuf);
    GIVES(pvm_putinfo("e", b, -1), PvmBadParam);
    GIVES(pvm_recvinfo("", 0, 0), PvmBadParam);
    GIVES(pvm_recvinfo(NULL, 0, 0), PvmBadParam);
    GIVES(pvm_recvinfo("e", -1, 0), PvmBadParam);
    GIVES(pvm_delinfo("", 0, 0), PvmBadParam);
    GIVES(pvm_delinfo("e", -1, 0), PvmBadParam);
    GIVES(pvm_delinfo("e", 0, 0), PvmNotFound);
    before = pvm_getrbuf();
    GIVES(pvm_recvinfo("e", 0, 0), PvmNotFound);
    GIVES(pvm_getrbuf(), before);
    GIVES(pvm_insert("", 0, 1), PvmBadParam);
    GIVES(pvm_insert("e", -2, 1), PvmBadParam);
    GIVES(pvm_lookup("e", -2, &b), PvmBadParam);
    GIVES(pvm_delete("e", -1), PvmBadParam);
    GIVES(pvm_getmboxinfo("\\(", NULL, NULL), PvmBadParam);
}

static void numbers(void)
{
    int w = -1;
    GIVES(pvm_insert("db", 0, 10), 0);
    GIVES(pvm_insert("db", 0, 11), PvmDenied);
    GIVES(pvm_insert("db", -1, -12), 1);
    GIVES(pvm_insert("db", 7, 13), 7);
    GIVES(pvm_insert("db", -1, 14), 2);
    GIVES(pvm_insert("db", 1 << 22, 15), 1 << 22);
    GIVES(pvm_lookup("db", -1, &w), 0);
    CHECK(w == 10, "%d", w);
    GIVES(pvm_lookup("db", 1, &w), 1);
    CHECK(w == -12, "%d", w);
    GIVES(pvm_lookup("db", 3, &w), PvmNotFound);
    GIVES(pvm_delete("db", 0), 0);
    GIVES(pvm_lookup("db", -1, &w), 1);
    GIVES(pvm_lookup("none", -1, &w), PvmNotFound);
    GIVES(pvm_delete("db", 1), 1);
    GIVES(pvm_delete("db", 7), 7);
    GIVES(pvm_delete("db", 2), 2);
    GIVES(pvm_delete("db", 1 << 22), 1 << 22);
    GIVES(pvm_delete("db", 7), PvmNotFound);
    OK(pvm_initsend(PvmDataDefault));
    GIVES(pvm_putinfo("db", pvm_getsbuf(), 0), 0);
    GIVES(pvm_lookup("db", 0, &w), PvmNoData);
    GIVES(pvm_delete("db", 0), 0);
}

/* Sizes up to a third of the mailbox; the buffer may be used again at once. */
static void sizes(void)
{
    static const int sizes[] = {0, 1, 63, 64, 65, 4095, 4096, 100000, 1 << 20, 10 << 20};
    unsigned char *data = malloc(10 << 20);
    for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        for (int encoding = 0; encoding < 3; encoding++) {
            int n = sizes[i], bytes = -1, id, five = 5;
            size_t right;
            check_fill(data, (size_t)n, 100 + i);
            OK(pvm_initsend(encoding));
            OK(pvm_pkint(&five, 1, 1));
            OK(pvm_pkbyte((char *)data, n, 1));
            GIVES(pvm_putinfo("size", pvm_getsbuf(), 0), 0);
            five = 6;
            memset(data, 0, (size_t)n);
            OK(pvm_initsend(encoding));
            CHECK((id = pvm_recvinfo("size", 0, 0)) > 0, "pvm_recvinfo: %d", id);
            OK(pvm_bufinfo(id, &bytes, NULL, NULL));
            CHECK(bytes == 4 + (encoding == PvmDataDefault ? (n + 3) / 4 * 4 : n), "%d bytes", bytes);
            OK(pvm_upkint(&five, 1, 1));
            OK(pvm_upkbyte((char *)data, n, 1));
            right = check_differs(data, (size_t)n, 100 + i);
            CHECK(five == 5 && right == (size_t)n, "%d bytes, encoding %d: %zu right", n, encoding, right);
        }
    GIVES(pvm_delinfo("size", 0, 0), 0);
    free(data);
}

/* Until nothing fits; then all again, in another order. */
static void full(void)
{
    int n = 0, rc, word[2000] = {0};
    char *big = calloc(1, 40 << 20);
    OK(pvm_initsend(PvmDataRaw));
    OK(pvm_pkbyte(big, 40 << 20, 1));
    GIVES(pvm_putinfo("big", pvm_getsbuf(), 0), PvmNoMem);
    free(big);
    OK(pvm_initsend(PvmDataRaw));
    OK(pvm_pkint(word, 2000, 1));
    for (int way = 0; way < 2; way++) {
        for (n = 0; (rc = pvm_putinfo("fill", pvm_getsbuf(), PvmMboxMultiInstance)) >= 0; n++)
            CHECK(rc == n, "index %d of entry %d", rc, n);
        CHECK((rc == PvmOutOfRes || rc == PvmNoMem) && n >= 1000, "%d entries, then %d", n, rc);
        GIVES(pvm_putinfo("fill", pvm_getsbuf(), PvmMboxDirectIndex(1)), 1); /* in another's place */
        for (int i = 0; i < n; i += 2)
            GIVES(pvm_delinfo("fill", i, 0), i);
        for (int i = n - 1 - n % 2; i > 0; i -= 2)
            GIVES(pvm_delinfo("fill", i, 0), i);
    }
    GIVES(pvm_recvinfo("fill", 0, PvmMboxFirstAvail), PvmNotFound);
}

static int matching(char *pattern, int *entries)
{
    struct pvmmboxinfo *c;
    int n = -1;
    GIVES(pvm_getmboxinfo(pattern, &n, &c), 0);
    *entries = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < c[i].mi_nentries; k++, ++*entries)
            CHECK(c[i].mi_owners[k] == pc_tid && c[i].mi_indices[k] >= 0, "%s [%d]: owner t%x", c[i].mi_name,
                  c[i].mi_indices[k], (unsigned)c[i].mi_owners[k]);
    return n;
}

static void patterns(void)
{
    static const struct {
        char *pattern;
        int classes, entries;
    } rows[] = {{"*", 4, 6},    {NULL, 4, 6},    {"", 4, 6},       {".*", 4, 6}, {"e", 3, 5}, {"^e", 3, 5},
                {"^e1$", 1, 3}, {"e[23]", 2, 2}, {"a\\[1]", 1, 1}, {"zz", 0, 0}, {"E", 0, 0}};
    int entries, n;
    struct pvmmboxinfo *c;
    for (int i = 0; i < 3; i++)
        GIVES(pvm_putinfo("e1", packed(i), PvmMboxMultiInstance), i);
    GIVES(pvm_putinfo("e2", packed(1), PvmMboxPersistent), 0);
    GIVES(pvm_putinfo("e3", packed(1), PvmMboxOverWritable | PvmMboxDirectIndex(9)), 9);
    GIVES(pvm_putinfo("a[1]", packed(1), 0), 0);
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        n = matching(rows[i].pattern, &entries);
        CHECK(n == rows[i].classes && entries == rows[i].entries, "\"%s\": %d classes, %d entries",
              rows[i].pattern ? rows[i].pattern : "NULL", n, entries);
    }
    GIVES(pvm_getmboxinfo("e3", &n, &c), 0);
    CHECK(strcmp(c[0].mi_name, "e3") == 0 && c[0].mi_indices[0] == 9 && c[0].mi_flags[0] == PvmMboxOverWritable,
          "%s [%d] flags %d", c[0].mi_name, c[0].mi_indices[0], c[0].mi_flags[0]);
    GIVES(pvm_getmboxinfo("e", NULL, &c), 0);
    GIVES(pvm_getmboxinfo("e", &n, NULL), 0);
}

int main(void)
{
    pc_start();
    if (pc_me == 0) {
        indices();
        errors();
        numbers();
        sizes();
        full();
        patterns();
    }
    if (pc_size > 1)
        GIVES(pvm_barrier(NULL, -1), 0);
    if (pc_me == 0)
        pvm_exit();
    else { /* owned by somebody else, and soon by nobody */
        GIVES(pvm_putinfo("e2", packed(2), 0), PvmDenied);
        GIVES(pvm_delinfo("e2", 0, 0), PvmDenied);
        GIVES(pvm_recvinfo("e2", 0, PvmMboxReadAndDelete), PvmDenied);
        GIVES(value_of("e2", 0, 0), 1);
        while (pvm_recvinfo("e1", 0, 0) > 0)
            usleep(1000);
        GIVES(pvm_recvinfo("e3", 9, 0), PvmNotFound);
        GIVES(value_of("e2", 0, 0), 1);
        GIVES(pvm_putinfo("e2", packed(2), 0), PvmDenied);
        GIVES(pvm_delinfo("e2", 0, 0), PvmDenied);
    }
    return pc_finish();
}
