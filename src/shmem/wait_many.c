/* SPDX-License-Identifier: BSD-3-Clause
 *
 * wait_until and test on sets of words: all, any, some, and their forms with
 * one value per word (1.6, 9.11). A word whose status is nonzero is not of the
 * set. Waiting on many words sleeps like waiting on one: whoever stores to any
 * of the array rings. Searches for any or some go round: each begins behind the
 * element that the last one on that array found (turn.c), so that a program that
 * serves one element at a time serves all of them.
 */
#include "shmem/wait.h"

struct set {
    enum coll_type type;
    size_t size; /* of a word */
    const void *ivars;
    size_t nelems;
    const int *status;
    int cmp;
    const void *values; /* private, so read without care for order */
    size_t value_step;  /* 0: one value for all */
    const char *where;
};

static void check_set(const struct set *s)
{
    shmemi_ready(s->where);
    shmemi_cmp(s->cmp, s->where);
    if (s->nelems == 0)
        return;
    shmemi_symmetric(s->ivars, shmemi_bytes(s->nelems, s->size, s->where), "ivars", s->where);
    shmemi_not_null(s->values, "cmp_values", s->where);
}

static bool in_set(const struct set *s, size_t i)
{
    return !s->status || s->status[i] == 0;
}

static bool ready(const struct set *s, size_t i)
{
    int64_t have = shmemi_look(s->type, (const char *)s->ivars + i * s->size);
    int64_t want = shmemi_look(s->type, (const char *)s->values + i * s->value_step);
    return shmemi_holds(have, s->cmp, want);
}

/* What the one who changed word i did before is ordered before what this PE does next. t: the call's record; NULL: a
 * test's, which is made now. */
static void saw(const struct set *s, size_t i, struct core_trace_record *t)
{
    const char *ivar = (const char *)s->ivars + i * s->size;
    if (core_race_on())
        shmemi_race_awaited(ivar, s->size);
    if (MPT_LIKELY(!core_trace_on()))
        return;
    if (t)
        shmemi_trace_waited(t, ivar, shmemi_value(s->type, ivar), s->size);
    else
        shmemi_trace_tested(s->where, ivar, shmemi_value(s->type, ivar), s->size);
}

static bool is_told(void)
{
    return core_race_on() || core_trace_on();
}

/* A record tells of the last one. */
static void saw_all(const struct set *s, struct core_trace_record *t)
{
    for (size_t i = 0; is_told() && i < s->nelems; i++)
        if (in_set(s, i))
            saw(s, i, t);
}

static void saw_some(const struct set *s, const size_t *indices, size_t n, struct core_trace_record *t)
{
    for (size_t i = 0; is_told() && i < n; i++)
        saw(s, indices[i], t);
}

static bool is_empty(const struct set *s)
{
    for (size_t i = 0; i < s->nelems; i++)
        if (in_set(s, i))
            return false;
    return true;
}

/* The first element from `from` on that is ready, `to` if none is. */
static size_t next_ready(const struct set *s, size_t from, size_t to)
{
    while (from < to && !(in_set(s, from) && ready(s, from)))
        from++;
    return from;
}

static size_t any_ready(const struct set *s, size_t start)
{
    size_t i = next_ready(s, start, s->nelems);
    if (i == s->nelems && (i = next_ready(s, 0, start)) == start)
        return SIZE_MAX;
    shmemi_turn_took(s->ivars, i);
    return i;
}

/* Beginning with the one whose turn it is, for programs that look at the first index only. */
static size_t all_ready(const struct set *s, size_t start, size_t *indices)
{
    size_t n = 0, i;
    for (i = start; (i = next_ready(s, i, s->nelems)) < s->nelems; i++)
        indices[n++] = i;
    for (i = 0; (i = next_ready(s, i, start)) < start; i++)
        indices[n++] = i;
    if (n > 0)
        shmemi_turn_took(s->ivars, indices[0]);
    return n;
}

/* With MPT_CHECK, of a loop of tests in vain: the first that is not ready. */
static void say_tested(const void *arg, struct core_wire_blocked_thread *b)
{
    const struct set *s = arg;
    size_t i = 0;

    while (i < s->nelems && (!in_set(s, i) || ready(s, i)))
        i++;
    core_blocked_call(b, "%s(ivars=%p, %zu words, %s)", s->where, s->ivars, s->nelems, shmemi_cmp_name(s->cmp));
    if (i < s->nelems)
        core_blocked_miss(b, "ivars[%zu] is %lld, this test wants %lld", i,
                          (long long)shmemi_value(s->type, (const char *)s->ivars + i * s->size),
                          (long long)shmemi_value(s->type, (const char *)s->values + i * s->value_step));
}

static void tested(const struct set *s, bool success)
{
    if (success)
        core_test_found(&shmemi_thread.tests);
    else
        core_test_failed(&shmemi_thread.tests, s->where, &(struct core_blocked_by){NULL, say_tested, s});
}

/* Each word needs to have been seen ready once, so one after the other. */
static void wait_all(struct set s)
{
    struct core_waiter w;
    SHMEMI_TRACE(t, s.where);
    check_set(&s);
    core_wait_begin_for(&w, s.where, s.ivars, s.nelems * s.size);
    for (size_t i = 0; i < s.nelems; i++)
        while (in_set(&s, i) && !ready(&s, i))
            core_wait_pause(&w);
    core_wait_end(&w);
    saw_all(&s, &t);
}

static size_t wait_any(struct set s)
{
    struct core_waiter w;
    SHMEMI_TRACE(t, s.where);
    size_t i;
    check_set(&s);
    if (is_empty(&s))
        return SIZE_MAX;
    size_t start = shmemi_turn_of(s.ivars, s.nelems);
    core_wait_begin_for(&w, s.where, s.ivars, s.nelems * s.size);
    while ((i = any_ready(&s, start)) == SIZE_MAX)
        core_wait_pause(&w);
    core_wait_end(&w);
    saw(&s, i, &t);
    return i;
}

static size_t wait_some(struct set s, size_t *indices)
{
    struct core_waiter w;
    SHMEMI_TRACE(t, s.where);
    size_t n;
    check_set(&s);
    if (is_empty(&s))
        return 0;
    shmemi_not_null(indices, "indices", s.where);
    size_t start = shmemi_turn_of(s.ivars, s.nelems);
    core_wait_begin_for(&w, s.where, s.ivars, s.nelems * s.size);
    while ((n = all_ready(&s, start, indices)) == 0)
        core_wait_pause(&w);
    core_wait_end(&w);
    saw_some(&s, indices, n, &t);
    return n;
}

static int test_all(struct set s)
{
    check_set(&s);
    bool all = true;
    for (size_t i = 0; all && i < s.nelems; i++)
        all = !in_set(&s, i) || ready(&s, i);
    tested(&s, all);
    if (all)
        saw_all(&s, NULL);
    return all;
}

static size_t test_any(struct set s)
{
    check_set(&s);
    size_t i = any_ready(&s, shmemi_turn_of(s.ivars, s.nelems));
    tested(&s, i != SIZE_MAX);
    if (i != SIZE_MAX)
        saw(&s, i, NULL);
    return i;
}

static size_t test_some(struct set s, size_t *indices)
{
    check_set(&s);
    if (is_empty(&s))
        return 0;
    shmemi_not_null(indices, "indices", s.where);
    size_t n = all_ready(&s, shmemi_turn_of(s.ivars, s.nelems), indices);
    tested(&s, n > 0);
    saw_some(&s, indices, n, NULL);
    return n;
}

#define SET(T, C, values, step) \
    ((struct set){COLL_##C, sizeof(T), ivars, nelems, status, cmp, values, step, SHMEMI_WHERE})

/* shmem_long_wait_until_all, shmem_int_wait_until_all, ..., shmem_long_wait_until_all_vector, ...: wait_all
 * shmem_long_wait_until_any, ..., shmem_long_wait_until_any_vector, ...: wait_any
 * shmem_long_wait_until_some, ..., shmem_long_wait_until_some_vector, ...: wait_some
 * shmem_long_test_all, shmem_long_test_any, shmem_long_test_some, ..._vector: test_all, test_any, test_some */
#define FORMS(N, T, C, X, VALUE, values, step)                                                                    \
    void pshmem_##N##_wait_until_all##X(T *ivars, size_t nelems, const int *status, int cmp, VALUE)               \
    {                                                                                                             \
        wait_all(SET(T, C, values, step));                                                                        \
    }                                                                                                             \
    size_t pshmem_##N##_wait_until_any##X(T *ivars, size_t nelems, const int *status, int cmp, VALUE)             \
    {                                                                                                             \
        return wait_any(SET(T, C, values, step));                                                                 \
    }                                                                                                             \
    size_t pshmem_##N##_wait_until_some##X(T *ivars, size_t nelems, size_t *indices, const int *status, int cmp,  \
                                           VALUE)                                                                 \
    {                                                                                                             \
        return wait_some(SET(T, C, values, step), indices);                                                       \
    }                                                                                                             \
    int pshmem_##N##_test_all##X(T *ivars, size_t nelems, const int *status, int cmp, VALUE)                      \
    {                                                                                                             \
        return test_all(SET(T, C, values, step));                                                                 \
    }                                                                                                             \
    size_t pshmem_##N##_test_any##X(T *ivars, size_t nelems, const int *status, int cmp, VALUE)                   \
    {                                                                                                             \
        return test_any(SET(T, C, values, step));                                                                 \
    }                                                                                                             \
    size_t pshmem_##N##_test_some##X(T *ivars, size_t nelems, size_t *indices, const int *status, int cmp, VALUE) \
    {                                                                                                             \
        return test_some(SET(T, C, values, step), indices);                                                       \
    }                                                                                                             \
    SHMEMI_ALIAS(shmem_##N##_wait_until_all##X);                                                                  \
    SHMEMI_ALIAS(shmem_##N##_wait_until_any##X);                                                                  \
    SHMEMI_ALIAS(shmem_##N##_wait_until_some##X);                                                                 \
    SHMEMI_ALIAS(shmem_##N##_test_all##X);                                                                        \
    SHMEMI_ALIAS(shmem_##N##_test_any##X);                                                                        \
    SHMEMI_ALIAS(shmem_##N##_test_some##X);
#define TYPED(A, N, T, C)                        \
    FORMS(N, T, C, , T cmp_value, &cmp_value, 0) \
    FORMS(N, T, C, _vector, const T *cmp_values, cmp_values, sizeof(T))
MPT_FOR_AMO(TYPED, _)
