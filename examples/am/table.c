/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A hash table that is spread over all PEs: a key's hash says which PE keeps it. An insertion is a request and needs
 * no answer; a look-up is a request whose reply brings the count. Many look-ups are under way at once, and only at
 * the end does a PE wait for them.
 *
 *   cc -O2 table.c $(pkg-config --cflags --libs am) -o table && mptrun -n 4 ./table
 */
#include <am.h>
#include <stdint.h>
#include <stdio.h>

enum { SLOTS = 1 << 14, KEYS = 5000, TIMES = 12 };

/* Open addressing; key 0 is an empty slot. Only handlers change it. */
static struct slot {
    am_word key, count;
} slots[SLOTS];

static volatile long answers, wrong_answers;

static uint64_t hash(am_word key)
{
    return (uint64_t)key * 0x9e3779b97f4a7c15u >> 20;
}

static int owner(am_word key)
{
    return (int)(hash(key) % (uint64_t)am_procs());
}

/* The slot of a key, or the empty one where it belongs. The table is never full: KEYS < SLOTS. */
static struct slot *find(am_word key)
{
    uint64_t i = hash(key) / (uint64_t)am_procs() % SLOTS;
    while (slots[i].key && slots[i].key != key)
        i = (i + 1) % SLOTS;
    return &slots[i];
}

static void add(vnn_t src, am_word key)
{
    struct slot *const slot = find(key);
    (void)src;
    slot->key = key;
    slot->count++;
}

static void answer(vnn_t src, am_word count, am_word expected)
{
    (void)src;
    answers++;
    wrong_answers += count != expected;
}

static void look_up(vnn_t src, am_word key, am_word expected)
{
    am_reply_2(src, answer, find(key)->count, expected);
}

int main(void)
{
    long asked = 0;

    am_enable();
    const int me = am_my_proc(), npes = am_procs();

    /* Key k comes up TIMES times, each time at another PE. */
    for (long i = me; i < (long)KEYS * TIMES; i += npes) {
        const am_word key = i / TIMES + 1;
        am_request_1(owner(key), add, key);
    }
    am_quiet();    /* ours have been added */
    gam_barrier(); /* and everybody's */

    for (am_word key = 1; key <= KEYS + 100; key++, asked++)
        am_request_2(owner(key), look_up, key, key <= KEYS ? TIMES : 0);
    am_wait_for(answers == asked);
    if (me == 0 || wrong_answers)
        printf("PE %d: %ld of %ld look-ups were right\n", me, answers - wrong_answers, asked);
    am_disable();
    return wrong_answers != 0;
}
