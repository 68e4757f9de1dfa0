/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Random joins and leaves. First one at a time, against a model that every task
 * keeps; then all at once, where each knows what must be true of itself.
 */
#include "pcheck.h"

enum { GROUPS = 5, STEPS = 80, ROUNDS = 400, MOST = 64 };

static int member[GROUPS][MOST]; /* PE + 1 by instance, 0: free */
static char *names[GROUPS] = {"a", "b", "ab", "ba", "a group with a longer name than the others have"};

static int instance_of(int g, int pe)
{
    for (int i = 0; i < MOST; i++)
        if (member[g][i] == pe + 1)
            return i;
    return -1;
}

static int size_of(int g)
{
    int n = 0;
    for (int i = 0; i < MOST; i++)
        n += member[g][i] != 0;
    return n;
}

/* The model's step; returns what the call must give. */
static int change(int g, int pe, int joins)
{
    int at = instance_of(g, pe);
    if (!joins) {
        if (at < 0)
            return size_of(g) ? PvmNotInGroup : PvmNoGroup;
        member[g][at] = 0;
        return 0;
    }
    if (at >= 0)
        return PvmDupGroup;
    for (at = 0; member[g][at];)
        at++;
    member[g][at] = pe + 1;
    return at;
}

static void compare(uint64_t *s)
{
    int g = (int)check_random_below(s, GROUPS), inst = (int)check_random_below(s, (uint64_t)pc_size + 1);
    int pe = (int)check_random_below(s, (uint64_t)pc_size), n = size_of(g), at = instance_of(g, pe);
    GIVES(pvm_gsize(names[g]), n ? n : PvmNoGroup);
    GIVES(pvm_gettid(names[g], inst), !n                ? PvmNoGroup
                                      : member[g][inst] ? pvm_gettid(NULL, member[g][inst] - 1)
                                                        : PvmNoInst);
    GIVES(pvm_getinst(names[g], pvm_gettid(NULL, pe)), !n ? PvmNoGroup : at < 0 ? PvmNotInGroup : at);
}

static void in_order(uint64_t *s)
{
    for (int step = 0; step < STEPS; step++) {
        int g = (int)check_random_below(s, GROUPS), pe = (int)check_random_below(s, (uint64_t)pc_size);
        int joins = check_random_below(s, 5) < 3, expected = change(g, pe, joins);
        if (pe == pc_me)
            GIVES(joins ? pvm_joingroup(names[g]) : pvm_lvgroup(names[g]), expected);
        GIVES(pvm_barrier(NULL, -1), 0);
        compare(s);
        compare(s);
        if (step % 10 == 9 && size_of(g) && instance_of(g, pc_me) >= 0)
            GIVES(pvm_barrier(names[g], -1), 0);
        GIVES(pvm_barrier("", pc_size), 0);
    }
    for (int g = 0; g < GROUPS; g++)
        if (instance_of(g, pc_me) >= 0)
            GIVES(pvm_lvgroup(names[g]), 0);
    GIVES(pvm_barrier(NULL, -1), 0);
}

static void all_at_once(uint64_t *s)
{
    int mine[GROUPS], sums[GROUPS];
    for (int g = 0; g < GROUPS; g++)
        mine[g] = -1;
    for (int round = 0; round < ROUNDS; round++) {
        int g = (int)check_random_below(s, GROUPS);
        if (mine[g] < 0) {
            mine[g] = pvm_joingroup(names[g]);
            CHECK(mine[g] >= 0 && mine[g] < pc_size, "instance %d", mine[g]);
        } else if (check_random_below(s, 2)) {
            GIVES(pvm_lvgroup(names[g]), 0);
            mine[g] = -1;
            continue;
        }
        int size = pvm_gsize(names[g]);
        GIVES(pvm_getinst(names[g], pc_tid), mine[g]);
        GIVES(pvm_gettid(names[g], mine[g]), pc_tid);
        CHECK(size >= 1 && size <= pc_size, "size %d", size);
    }
    for (int g = 0; g < GROUPS; g++)
        sums[g] = mine[g] >= 0;
    GIVES(pvm_barrier(NULL, -1), 0);
    GIVES(pvm_reduce(PvmSum, sums, GROUPS, PVM_INT, 5, NULL, 0), 0);
    for (int g = 0; g < GROUPS && pc_me == 0; g++)
        GIVES(pvm_gsize(names[g]), sums[g] ? sums[g] : PvmNoGroup);
    GIVES(pvm_barrier(NULL, -1), 0);
}

int main(void)
{
    pc_start();
    uint64_t same = check_seed(5), own = check_seed(6) + (uint64_t)pc_me * 977;
    in_order(&same);
    all_at_once(&own);
    return pc_finish();
}
