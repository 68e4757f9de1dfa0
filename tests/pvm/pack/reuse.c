/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory of messages is used again: loops of sends of all sizes, with buffers kept
 * for a while and freed in another order, need no more memory after a thousand
 * rounds than after the first hundred. And what is kept stays what it was.
 */
#include "model.h"

enum { SLOTS = 40, BIG = 300000 };

static char data[BIG], back[BIG];

static long resident(void)
{
    long pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");

    if (!f || fscanf(f, "%*s %ld", &pages) != 1)
        pc_skip("no /proc/self/statm");
    fclose(f);
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

static int size_of(uint64_t *random)
{
    static const int scale[] = {100, 1000, 10000, 100000, BIG};

    return (int)check_random_below(random, (uint64_t)scale[check_random_below(random, 5)]);
}

/* A message with its length, and bytes that begin at that place of the data. */
static void send_one(int to, int n, uint64_t *random)
{
    OK(pvm_initsend((int)check_random_below(random, 3)));
    GIVES(pvm_pkint(&n, 1, 1), 0);
    GIVES(pvm_pkbyte(data + BIG - n, n, 1), 0);
    GIVES(pvm_send(to, 1), 0);
}

static void check_one(int buf)
{
    int n = -1;

    OK(pvm_setrbuf(buf));
    GIVES(pvm_upkint(&n, 1, 1), 0);
    if (!CHECK(n >= 0 && n < BIG, "length %d", n))
        return;
    GIVES(pvm_upkbyte(back, n, 1), 0);
    CHECK(memcmp(back, data + BIG - n, (size_t)n) == 0, "%d bytes", n);
    OK(pvm_setrbuf(0));
    OK(pvm_freebuf(buf));
}

int main(void)
{
    uint64_t random;
    long early = 0, late;
    int kept[SLOTS] = {0}, next, got;

    pc_start();
    random = check_seed(31) + (uint64_t)pc_me;
    check_fill(data, sizeof data, 5);
    next = pvm_gettid(NULL, (pc_me + 1) % pc_size);
    for (int round = 0; round < 1500; round++) {
        int slot = (int)check_random_below(&random, SLOTS);

        send_one(next, size_of(&random), &random);
        OK(pvm_recv(-1, 1));
        got = pvm_setrbuf(0);
        if (kept[slot])
            check_one(kept[slot]);
        kept[slot] = got;
        if (!CHECK(kept[slot] > 0, "round %d: bufid %d", round, kept[slot]))
            break;
        if (round == 300)
            early = resident();
    }
    late = resident();
    CHECK(late < early + (48 << 10), "%ld KiB resident after 300 rounds, %ld KiB after 1500", early, late);
    for (int i = 0; i < SLOTS; i++)
        if (kept[i])
            check_one(kept[i]);
    return pc_finish();
}
