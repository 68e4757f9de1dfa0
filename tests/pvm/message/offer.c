/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Long messages of PvmDataInPlace and pvm_psend, which are copied while they are
 * received, or straight from where they lie: whoever takes part early or late, in
 * whatever way it takes the message, and what it does with it then.
 */
#include "family.h"

enum { MOST = 5 << 20, ROUNDS = 40, DATA = 1, ANSWER = 2 };

static unsigned char out[MOST], in[MOST + 64];
static int before, behind;

static uint64_t seed_of(int sender, int round)
{
    return (uint64_t)sender * 1000 + (uint64_t)round;
}

/* Both ways of sending read the data at the call: it may be changed at once. */
static void send(int to, int tag, size_t n, int round, bool place)
{
    int head = round;
    check_fill(out, n, seed_of(pc_me, round));
    if (!place) {
        OK(pvm_psend(fm_name(to), tag, out, (int)n, PVM_BYTE));
    } else {
        OK(pvm_initsend(PvmDataInPlace));
        OK(pvm_pkint(&head, 1, 1));
        OK(pvm_pkbyte((char *)out, (int)n, 1));
        OK(pvm_pkint(&head, 1, 1));
        OK(pvm_send(fm_name(to), tag));
    }
    memset(out, 0xee, n);
}

static void check(size_t n, int from, int round, const char *how)
{
    size_t bad = check_differs(in, n, seed_of(from, round));
    CHECK(bad == n, "%s, round %d: byte %zu of %zu is wrong", how, round, bad, n);
    CHECK(in[n] == 0x77 && in[n + 63] == 0x77, "%s: bytes behind the place were changed", how);
}

static void prepare(size_t n)
{
    memset(in, 0, n);
    memset(in + n, 0x77, 64);
}

static void take_direct(int from, size_t n, int round, size_t place)
{
    int got = -1;
    prepare(place < n ? place : n);
    OK(pvm_precv(fm_name(from), DATA, in, (int)place, PVM_BYTE, NULL, NULL, &got));
    CHECK(got == (int)n, "%d bytes of %zu", got, n);
    check(place < n ? place : n, from, round, "pvm_precv");
}

/* In pieces that have nothing to do with how it was sent. */
static void unpack(size_t n)
{
    for (size_t at = 0, k; at < n; at += k) {
        k = n - at < 100003 ? n - at : 100003;
        OK(pvm_upkbyte((char *)in + at, (int)k, 1));
    }
}

static void take_buffer(int from, int maker, size_t n, int round, bool place)
{
    int id = pvm_recv(fm_name(from), DATA), bytes = 0;
    OK(id);
    OK(pvm_bufinfo(id, &bytes, NULL, NULL));
    CHECK(bytes == (int)n + (place ? 8 : 0), "%d bytes of %zu", bytes, n);
    prepare(n);
    if (place)
        OK(pvm_upkint(&before, 1, 1));
    unpack(n);
    if (place)
        OK(pvm_upkint(&behind, 1, 1));
    check(n, maker, round, "pvm_recv");
    CHECK(!place || (before == round && behind == round), "%d and %d around round %d", before, behind, round);
    GIVES(pvm_upkbyte((char *)in, 1, 1), PvmNoData);
}

static void answer(int to)
{
    OK(pvm_psend(fm_name(to), ANSWER, &pc_me, 1, PVM_INT));
}

static void await_answer(int from)
{
    int who = -1;
    OK(pvm_precv(fm_name(from), ANSWER, &who, 1, PVM_INT, NULL, NULL, NULL));
    CHECK(who == from, "%d answers", who);
}

/* From 0 to 1, of all lengths, all ways: the receiver comes early, late, or takes what it did not wait for. */
static void all_ways(void)
{
    static const size_t lengths[] = {60000, 65535, 65536, 65537, 131072, 1 << 20, (1 << 20) + 13, MOST};
    uint64_t random = check_seed(7);

    for (int round = 0; pc_size > 1 && round < ROUNDS; round++) {
        size_t n = lengths[(size_t)round % (sizeof lengths / sizeof *lengths)];
        int way = (int)check_random_below(&random, 6), late = (int)check_random_below(&random, 3) * 300;
        bool place = way >= 4;

        if (pc_me == 0) {
            usleep(late == 300 ? 500 : 0);
            send(1, DATA, n, round, place);
            await_answer(1);
        } else if (pc_me == 1) {
            usleep(late == 600 ? 500 : 0);
            if (place)
                take_buffer(0, 0, n, round, true);
            else if (way < 2)
                take_direct(0, n, round, n);
            else if (way == 2)
                take_direct(0, n, round, n / 3);
            else
                take_buffer(0, 0, n, round, false);
            answer(0);
        }
    }
}

/* Nobody waits for a receiver that has other things to do: both send first. */
static void head_on(bool place)
{
    int other = pc_me ^ 1;
    if (other >= pc_size)
        return;
    for (int round = 0; round < 10; round++) {
        send(other, DATA, 300000, round, place);
        if (place)
            take_buffer(other, other, 300000, round, true);
        else
            take_direct(other, 300000, round, 300000);
    }
}

/* What was unpacked is passed on by its buffer, round the ring. */
static void pass_on(void)
{
    size_t n = 400000;
    if (pc_size < 2)
        return;
    if (pc_me == 0) {
        send(1, DATA, n, 5, true);
        take_buffer(pc_size - 1, 0, n, 5, true);
        return;
    }
    OK(pvm_recv(fm_name(pc_me - 1), DATA));
    prepare(n);
    OK(pvm_upkint(&before, 1, 1));
    if (pc_me % 2) { /* the others pass it on as it is */
        unpack(n);
        check(n, 0, 5, "passed on");
    }
    OK(pvm_setsbuf(pvm_getrbuf()));
    OK(pvm_send(fm_name((pc_me + 1) % pc_size), DATA));
    OK(pvm_freebuf(pvm_getsbuf()));
}

static void unwanted(void)
{
    if (pc_me == 0 && pc_size > 1) {
        for (int i = 0; i < 4; i++)
            send(1, DATA, 200000, i, i % 2 == 0);
        await_answer(1);
    } else if (pc_me == 1) {
        OK(pvm_freebuf(pvm_recv(fm_name(0), DATA))); /* nothing of it */
        OK(pvm_recv(fm_name(0), DATA));
        OK(pvm_upkbyte((char *)in, 100, 1)); /* a little */
        CHECK(check_differs(in, 100, seed_of(0, 1)) == 100, "the beginning");
        OK(pvm_precv(fm_name(0), DATA, in, 0, PVM_BYTE, NULL, NULL, NULL));
        OK(pvm_putinfo("offer", pvm_recv(fm_name(0), DATA), PvmMboxDefault)); /* into the mailbox */
        OK(pvm_recvinfo("offer", 0, PvmMboxReadAndDelete));
        prepare(200000);
        unpack(200000);
        check(200000, 0, 3, "mailbox");
        answer(0);
    }
}

int main(void)
{
    fm_start();
    all_ways();
    head_on(false);
    head_on(true);
    fm_barrier();
    pass_on();
    fm_barrier();
    unwanted();
    fm_barrier();
    return fm_finish();
}
