/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which message a receive gets: the earliest of those that match, by source and tag
 * each given or not; messages of one task in the order they were sent, of whatever
 * length they are, also when others were asked for first.
 */
#include "family.h"

enum { N = 600, TAGS = 7 };

/* Every length of travelling: within the head's line, inline, in one piece, in many. */
static int bytes_of(int i)
{
    static const int lengths[] = {0, 8, 40, 600, 1500, 5000, 40000};
    return lengths[i % 7];
}

static void send_numbered(int pe, int i, int tag)
{
    static char filler[40000];
    pvm_initsend(i % 3);
    pvm_pkint(&i, 1, 1);
    pvm_pkbyte(filler, bytes_of(i), 1);
    OK(pvm_send(fm_name(pe), tag));
}

static int number_of(int id, int *tag, int *pe)
{
    int i = -1, tid = -1;
    OK(id);
    OK(pvm_bufinfo(id, NULL, tag, &tid));
    *pe = fm_of(tid);
    OK(pvm_upkint(&i, 1, 1));
    return i;
}

static void send_all(void)
{
    for (int i = 0; i < N; i++)
        for (int pe = 0; pe < pc_size; pe++)
            send_numbered(pe, i, i % TAGS);
}

/* Any source, any tag. */
static void anything(void)
{
    int next[64] = {0};
    send_all();
    for (int k = 0; k < N * pc_size; k++) {
        int tag, pe, i = number_of(pvm_recv(-1, -1), &tag, &pe);
        CHECK(i == next[pe] && tag == i % TAGS, "message %d of PE %d has number %d, tag %d", next[pe], pe, i, tag);
        next[pe] = i + 1;
    }
}

/* Tags from the last one down, any source: those of a source in order. */
static void by_tag(void)
{
    send_all();
    for (int tag = TAGS; tag-- > 0;) {
        int next[64], per = (N - tag + TAGS - 1) / TAGS;
        for (int pe = 0; pe < pc_size; pe++)
            next[pe] = tag;
        for (int k = 0; k < per * pc_size; k++) {
            int got, pe, i = number_of(pvm_recv(-1, tag), &got, &pe);
            CHECK(i == next[pe] && got == tag, "number %d of PE %d, expected %d of tag %d", i, pe, next[pe], tag);
            next[pe] = i + TAGS;
        }
        GIVES(pvm_nrecv(-1, tag), 0);
    }
}

/* One source after the other, any tag. */
static void by_source(void)
{
    send_all();
    for (int from = pc_size; from-- > 0;)
        for (int k = 0; k < N; k++) {
            int tag, pe, i = number_of(pvm_recv(fm_name(from), -1), &tag, &pe);
            CHECK(i == k && pe == from, "number %d of PE %d, expected %d of %d", i, pe, k, from);
        }
}

/* Both given, in an order drawn by chance; a probe finds the same message. */
static void by_both(void)
{
    int next[64][TAGS], left = N * pc_size;
    uint64_t seed = check_seed(5) + (uint64_t)pc_me;
    send_all();
    for (int pe = 0; pe < pc_size; pe++)
        for (int tag = 0; tag < TAGS; tag++)
            next[pe][tag] = tag;
    while (left > 0) {
        int from = (int)check_random_below(&seed, (uint64_t)pc_size), tag = (int)check_random_below(&seed, TAGS), got,
            pe, probed = 0;
        if (next[from][tag] >= N) {
            GIVES(pvm_nrecv(fm_name(from), tag), 0);
            left -= 0;
            continue;
        }
        if (left % 3 == 0)
            while ((probed = pvm_probe(fm_name(from), tag)) == 0)
                ;
        int id = pvm_recv(fm_name(from), tag), i = number_of(id, &got, &pe);
        CHECK(!probed || probed == id, "probed %d, received %d", probed, id);
        CHECK(i == next[from][tag] && pe == from && got == tag, "number %d, tag %d of PE %d, expected %d, %d, %d", i,
              got, pe, next[from][tag], tag, from);
        next[from][tag] += TAGS;
        left--;
    }
}

/* What was passed over comes before what arrives later. */
static void passed_over(void)
{
    for (int i = 0; i < 10; i++)
        send_numbered(pc_me, i, i);
    int tag, pe, got[10];
    CHECK(number_of(pvm_recv(-1, 5), &tag, &pe) == 5, "tag 5");
    for (int i = 10; i < 20; i++)
        send_numbered(pc_me, i, i % 10);
    for (int i = 0; i < 10; i++)
        got[i] = number_of(pvm_recv(pc_tid, i), &tag, &pe);
    for (int i = 0; i < 10; i++)
        CHECK(got[i] == (i == 5 ? 15 : i), "tag %d: number %d", i, got[i]);
    for (int i = 10; i < 20; i++)
        if (i != 15)
            CHECK((got[i - 10] = number_of(pvm_recv(-1, -1), &tag, &pe)) == i, "number %d, expected %d", got[i - 10],
                  i);
    GIVES(pvm_nrecv(-1, -1), 0);
}

int main(void)
{
    fm_start();
    void (*const parts[])(void) = {anything, by_tag, by_source, by_both, passed_over};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        parts[i]();
        fm_barrier();
    }
    return fm_finish();
}
