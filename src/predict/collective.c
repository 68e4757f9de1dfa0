/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Collectives as the messages of one PE, by the algorithms of the libraries of the time: binomial trees for a root,
 * recursive doubling for all (with a step before and after where PEs are no power of two), pairwise exchange of all
 * with all. Messages of a collective have tags of their own.
 */
#include "predict/sim.h"

struct maker {
    const struct sim_machine *m;
    sim_emit *emit;
    void *to;
    uint32_t me;
    int32_t tag;
};

static void say(const struct maker *k, enum sim_op op, int peer, double bytes)
{
    k->emit(k->to, (struct sim_step){k->me, op, peer, k->tag, (uint64_t)bytes, 0});
}

static void combine(const struct maker *k, double bytes)
{
    if (k->m->combine > 0)
        k->emit(k->to, (struct sim_step){k->me, SIM_COMPUTE, -1, 0, 0, k->m->combine * bytes});
}

static void exchange(const struct maker *k, int peer, double out, double in)
{
    say(k, SIM_IRECEIVE, peer, in);
    say(k, SIM_ISEND, peer, out);
    say(k, SIM_WAIT, -1, 0);
}

/* From the root by a binomial tree; down: to it. */
static void tree(const struct maker *k, int root, double bytes, bool down)
{
    int n = k->m->pes, rank = ((int)k->me - root + n) % n, mask = 1;

    if (down) {
        for (; mask < n; mask <<= 1) {
            if (rank & mask) {
                say(k, SIM_SEND, (rank - mask + root) % n, bytes);
                return;
            }
            if (rank + mask < n) {
                say(k, SIM_RECEIVE, (rank + mask + root) % n, bytes);
                combine(k, bytes);
            }
        }
        return;
    }
    for (; mask < n && !(rank & mask); mask <<= 1)
        ;
    if (rank > 0)
        say(k, SIM_RECEIVE, (rank - mask + root) % n, bytes);
    for (mask >>= 1; mask > 0; mask >>= 1)
        if (rank + mask < n)
            say(k, SIM_SEND, (rank + mask + root) % n, bytes);
}

static void doubling(const struct maker *k, double bytes)
{
    int n = k->m->pes, power = 1, rank = (int)k->me, extra;

    while (2 * power <= n)
        power *= 2;
    extra = n - power;
    if (rank >= power) {
        say(k, SIM_SEND, rank - power, bytes);
        say(k, SIM_RECEIVE, rank - power, bytes);
        return;
    }
    if (rank < extra) {
        say(k, SIM_RECEIVE, rank + power, bytes);
        combine(k, bytes);
    }
    for (int mask = 1; mask < power; mask <<= 1) {
        exchange(k, rank ^ mask, bytes, bytes);
        combine(k, bytes);
    }
    if (rank < extra)
        say(k, SIM_SEND, rank + power, bytes);
}

static void pairwise(const struct maker *k, double bytes)
{
    int n = k->m->pes, rank = (int)k->me;

    for (int step = 1; step < n; step++) {
        say(k, SIM_IRECEIVE, (rank - step + n) % n, bytes);
        say(k, SIM_ISEND, (rank + step) % n, bytes);
        say(k, SIM_WAIT, -1, 0);
    }
}

/* Dissemination: log2 rounds of messages without bytes. */
static void barrier(const struct maker *k)
{
    int n = k->m->pes, rank = (int)k->me;

    for (int step = 1; step < n; step *= 2) {
        say(k, SIM_IRECEIVE, (rank - step + n) % n, 0);
        say(k, SIM_ISEND, (rank + step) % n, 0);
        say(k, SIM_WAIT, -1, 0);
    }
}

void sim_collective(const struct sim_machine *m, struct sim_step step, int sequence, sim_emit *emit, void *to)
{
    const struct maker k = {m, emit, to, step.pe, -1 - sequence};
    double bytes = (double)step.bytes;

    switch (step.op) {
    case SIM_BARRIER:
        barrier(&k);
        break;
    case SIM_BROADCAST:
        tree(&k, step.peer < 0 ? 0 : step.peer, bytes, false);
        break;
    case SIM_REDUCE:
        tree(&k, step.peer < 0 ? 0 : step.peer, bytes, true);
        break;
    case SIM_ALLREDUCE:
        doubling(&k, bytes);
        break;
    default:
        pairwise(&k, bytes);
    }
}
