/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reductions, scans and broadcasts of one value, on the engine of collectives.
 */
#include "splitc/splitci.h"
#include "splitc/trace.h"

static void run(enum coll_kind kind, const char *call, void *value, size_t n, enum coll_type type, enum coll_op op)
{
    struct coll_call c = {.kind = kind,
                          .team = COLL_WORLD,
                          .where = call,
                          .dest = splitci.shared->out,
                          .source = splitci.shared->in,
                          .n = n,
                          .nelems = 1,
                          .type = type,
                          .op = op,
                          .meets = true}; /* then the turns of all are there */
    SPLITCI_TRACE(t, call, NULL);

    splitci_trace_together(&t, n);
    memcpy(splitci.shared->in, value, n);
    splitci_turn(call, NULL, n);
    coll_run(&c);
    splitci_turn_compare();
    memcpy(value, splitci.shared->out, n);
}

static void reduce(const char *call, void *value, enum coll_type type, enum coll_op op, bool to_one)
{
    size_t n = coll_type_size(type);

    splitci_need_start(call);
    run(COLL_ALLREDUCE, call, value, n, type, op);
    if (to_one && core_me() != 0)
        memset(value, 0, n);
}

static void scan(const char *call, void *value, enum coll_type type, enum coll_op op)
{
    splitci_need_start(call);
    run(COLL_INSCAN, call, value, coll_type_size(type), type, op);
}

/* all_reduce_to_one_add, all_reduce_to_one_dmax, ..., all_reduce_to_all_add, ...: reduce
 * all_scan_add, all_scan_dadd, ...: scan */
#define DEFINE(T, name, type, op)                                                  \
    T all_reduce_to_one_##name(T value)                                            \
    {                                                                              \
        reduce("all_reduce_to_one_" #name, &value, COLL_##type, COLL_##op, true);  \
        return value;                                                              \
    }                                                                              \
    T all_reduce_to_all_##name(T value)                                            \
    {                                                                              \
        reduce("all_reduce_to_all_" #name, &value, COLL_##type, COLL_##op, false); \
        return value;                                                              \
    }                                                                              \
    T all_scan_##name(T value)                                                     \
    {                                                                              \
        scan("all_scan_" #name, &value, COLL_##type, COLL_##op);                   \
        return value;                                                              \
    }
SC_REDUCTIONS(DEFINE)

void sc_all_bcast(void *value, size_t n)
{
    size_t piece;

    splitci_need_start("all_bcast");
    for (char *at = value; n > 0; at += piece, n -= piece) {
        piece = n < sizeof splitci.shared->in ? n : sizeof splitci.shared->in;
        run(COLL_BROADCAST, "all_bcast", at, piece, COLL_U8, COLL_SUM);
    }
}

/* all_bcast_i, all_bcast_l, all_bcast_f, all_bcast_d: sc_all_bcast */
#define BCAST(T, name)                      \
    T all_bcast_##name(T value)             \
    {                                       \
        sc_all_bcast(&value, sizeof value); \
        return value;                       \
    }
BCAST(int, i)
BCAST(long, l)
BCAST(float, f)
BCAST(double, d)
