/* SPDX-License-Identifier: BSD-3-Clause
 *
 * wait_until and test on one word (1.6, 9.11), with the deprecated waits.
 */
#include "shmem/wait.h"

_Static_assert(SHMEM_CMP_EQ == (int)CORE_EQ && SHMEM_CMP_NE == (int)CORE_NE && SHMEM_CMP_GT == (int)CORE_GT &&
                   SHMEM_CMP_GE == (int)CORE_GE && SHMEM_CMP_LT == (int)CORE_LT && SHMEM_CMP_LE == (int)CORE_LE,
               "the standard's comparisons are passed to core as they are");

static size_t width(enum coll_type type)
{
    return type == COLL_I16 || type == COLL_U16 ? 2 : type == COLL_I32 || type == COLL_U32 ? 4 : 8;
}

static inline void awaited(struct core_trace_record *t, enum coll_type type, const void *ivar)
{
    if (MPT_UNLIKELY(core_trace_on()))
        shmemi_trace_waited(t, ivar, shmemi_value(type, ivar), width(type));
    if (core_race_on())
        shmemi_race_awaited(ivar, width(type));
}

static void tested(enum coll_type type, const void *ivar, const char *where)
{
    if (MPT_UNLIKELY(core_trace_on()))
        shmemi_trace_tested(where, ivar, shmemi_value(type, ivar), width(type));
    if (core_race_on())
        shmemi_race_awaited(ivar, width(type));
}

static void check_word(enum coll_type type, const void *ivar, int cmp, const char *where)
{
    shmemi_ready(where);
    shmemi_symmetric(ivar, width(type), "ivar", where);
    shmemi_cmp(cmp, where);
}

static void wait_word(enum coll_type type, const void *ivar, int cmp, int64_t key, const char *where)
{
    struct core_waiter w;
    SHMEMI_TRACE(t, where);
    check_word(type, ivar, cmp, where);
    if (type == COLL_I64) {
        core_wait_word(ivar, (enum core_cmp)cmp, (uint64_t)key, where);
        awaited(&t, type, ivar);
        return;
    }
    core_wait_begin_for(&w, where, ivar, width(type));
    while (!shmemi_holds(shmemi_look(type, ivar), cmp, key))
        core_wait_pause(&w);
    core_wait_end(&w);
    awaited(&t, type, ivar);
}

/* With MPT_CHECK: what a test in vain looks at, for the report of a loop. */
struct tested {
    enum coll_type type;
    const void *ivar;
    int cmp;
    int64_t key;
    const char *where;
};

static void say_tested(const void *arg, struct core_wire_blocked_thread *b)
{
    const struct tested *t = arg;

    core_blocked_call(b, "%s(ivar=%p, %s, %lld), where it is %lld", t->where, t->ivar, shmemi_cmp_name(t->cmp),
                      (long long)(t->type == COLL_U64 ? shmemi_key(COLL_U64, (uint64_t)t->key) : t->key),
                      (long long)shmemi_value(t->type, t->ivar));
}

static void in_vain(struct tested t)
{
    core_test_failed(&shmemi_thread.tests, t.where, &(struct core_blocked_by){NULL, say_tested, &t});
}

static int test_word(enum coll_type type, const void *ivar, int cmp, int64_t key, const char *where)
{
    check_word(type, ivar, cmp, where);
    if (shmemi_holds(shmemi_look(type, ivar), cmp, key)) {
        core_test_found(&shmemi_thread.tests);
        tested(type, ivar, where);
        return 1;
    }
    if (MPT_UNLIKELY(core_params.check))
        in_vain((struct tested){type, ivar, cmp, key, where});
    else
        core_test_failed(&shmemi_thread.tests, where, NULL);
    return 0;
}

/* Returns the very value that ended the wait: the word may change again. */
uint64_t shmemi_wait_signal(const uint64_t *ivar, int cmp, uint64_t value, const char *where)
{
    struct core_waiter w;
    int64_t seen;
    SHMEMI_TRACE(t, where);
    check_word(COLL_U64, ivar, cmp, where);
    core_wait_begin_for(&w, where, ivar, sizeof *ivar);
    while (seen = shmemi_look(COLL_U64, ivar), !shmemi_holds(seen, cmp, shmemi_key(COLL_U64, value)))
        core_wait_pause(&w);
    core_wait_end(&w);
    awaited(&t, COLL_U64, ivar);
    return (uint64_t)shmemi_key(COLL_U64, (uint64_t)seen);
}

/* shmem_long_wait_until, shmem_int_wait_until, shmem_uint64_wait_until, ...: wait_word
 * shmem_long_test, shmem_int_test, shmem_uint64_test, ...: test_word */
#define WORD(A, N, T, C)                                                                                \
    void pshmem_##N##_wait_until(T *ivar, int cmp, T cmp_value)                                         \
    {                                                                                                   \
        wait_word(COLL_##C, ivar, cmp, shmemi_key(COLL_##C, (uint64_t)cmp_value), SHMEMI_WHERE);        \
    }                                                                                                   \
    int pshmem_##N##_test(T *ivar, int cmp, T cmp_value)                                                \
    {                                                                                                   \
        return test_word(COLL_##C, ivar, cmp, shmemi_key(COLL_##C, (uint64_t)cmp_value), SHMEMI_WHERE); \
    }                                                                                                   \
    SHMEMI_ALIAS(shmem_##N##_wait_until);                                                               \
    SHMEMI_ALIAS(shmem_##N##_test);
MPT_FOR_P2P(WORD, _)

/* shmem_short_wait, shmem_int_wait, shmem_long_wait, shmem_longlong_wait */
#define OLD(A, N, T, C)                                                                                   \
    void pshmem_##N##_wait(T *ivar, T cmp_value)                                                          \
    {                                                                                                     \
        wait_word(COLL_##C, ivar, SHMEM_CMP_NE, shmemi_key(COLL_##C, (uint64_t)cmp_value), SHMEMI_WHERE); \
    }                                                                                                     \
    SHMEMI_ALIAS(shmem_##N##_wait);
MPT_FOR_TOB(OLD, _)

void pshmem_wait_until(long *ivar, int cmp, long cmp_value)
{
    wait_word(COLL_I64, ivar, cmp, cmp_value, SHMEMI_WHERE);
}
SHMEMI_ALIAS(shmem_wait_until);

void pshmem_wait(long *ivar, long cmp_value)
{
    wait_word(COLL_I64, ivar, SHMEM_CMP_NE, cmp_value, SHMEMI_WHERE);
}
SHMEMI_ALIAS(shmem_wait);
