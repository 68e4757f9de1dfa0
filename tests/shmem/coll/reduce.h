/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions of any type as table rows: how to make a PE's value, how to fold one more value in, how to compare.
 * The fold runs in the tested type itself, member by member, so wrap-around, signedness and complex arithmetic are
 * the language's own; values are chosen so that every order of folding gives the same result. */
#ifndef TESTS_SHMEM_REDUCE_H
#define TESTS_SHMEM_REDUCE_H

#include "typed.h"
#include <complex.h>

enum reduce_op { OP_AND, OP_OR, OP_XOR, OP_MIN, OP_MAX, OP_SUM, OP_PROD };

static const char *const reduce_op_name[] = {"and", "or", "xor", "min", "max", "sum", "prod"};

/* Values of PE `pe`: negative ones (huge when unsigned) for everything but products, which stay within a char. */
static inline long reduce_value(enum reduce_op op, int pe, size_t i)
{
    uint64_t r = check_mix((uint64_t)pe * 977 + i * 31 + 7);

    if (op == OP_PROD)
        return ((size_t)pe + i) % 3 == 0 ? 2 : ((size_t)pe + i) % 5 == 0 ? -1 : 1;
    return (long)(r % 23) - 11;
}

/* T's constructor: complex numbers get an imaginary part too. */
#define REDUCE_REAL(T, value) ((T)(value))
#define REDUCE_COMPLEX(T, value) ((T)((value) + ((value) % 2) * I))

#define FOLD_AND(a, b) ((a) & (b))
#define FOLD_OR(a, b) ((a) | (b))
#define FOLD_XOR(a, b) ((a) ^ (b))
#define FOLD_MIN(a, b) ((b) < (a) ? (b) : (a))
#define FOLD_MAX(a, b) ((b) > (a) ? (b) : (a))
#define FOLD_SUM(a, b) ((a) + (b))
#define FOLD_PROD(a, b) ((a) * (b))

struct reduction {
    const char *name;
    enum reduce_op op;
    size_t size;
    void (*set)(void *array, size_t i, long value);
    void (*fold)(void *array, size_t i, long value);
    bool (*same)(const void *a, const void *b, size_t i);
    int (*team)(shmem_team_t, void *, const void *, size_t);
    void (*active)(void *, const void *, int, int, int, int, void *, long *);
};

/* One X-macro body per operation: DEFINE_<op>(NAME, T) makes set, fold and same of that type. */
#define REDUCE_DEFINE(OP, op, NAME, T, MAKE)                               \
    static void set_##op##_##NAME(void *array, size_t i, long value)       \
    {                                                                      \
        ((T *)array)[i] = MAKE(T, value);                                  \
    }                                                                      \
    static void fold_##op##_##NAME(void *array, size_t i, long value)      \
    {                                                                      \
        T a = ((T *)array)[i], b = MAKE(T, value);                         \
        ((T *)array)[i] = (T)FOLD_##OP(a, b);                              \
    }                                                                      \
    static bool same_##op##_##NAME(const void *a, const void *b, size_t i) \
    {                                                                      \
        return ((const T *)a)[i] == ((const T *)b)[i];                     \
    }

#define REDUCE_ROW(OP, op, NAME, T, TEAM, ACTIVE) \
    {#NAME, OP_##OP, sizeof(T), set_##op##_##NAME, fold_##op##_##NAME, same_##op##_##NAME, TEAM, ACTIVE},

/* Dest of a reduction over `members` (world PEs) of n elements against the model. */
static inline void reduce_verify(const struct reduction *r, const void *dest, const int *members, int count, size_t n,
                                 const char *what)
{
    void *model = malloc((n + 1) * r->size);
    size_t wrong = 0;

    REQUIRE(model != NULL, "malloc of %zu bytes returned NULL", (n + 1) * r->size);
    for (size_t i = 0; i < n; i++) {
        r->set(model, i, reduce_value(r->op, members[0], i));
        for (int m = 1; m < count; m++)
            r->fold(model, i, reduce_value(r->op, members[m], i));
        wrong += !r->same(model, dest, i);
    }
    for (size_t i = 0; i < n && wrong; i++)
        if (!r->same(model, dest, i)) {
            CHECK(wrong == 0, "%s %s of %zu %s over %d PEs: %zu wrong, the first is element %zu", what,
                  reduce_op_name[r->op], n, r->name, count, wrong, i);
            break;
        }
    free(model);
}

static inline void reduce_fill(const struct reduction *r, void *source, size_t n)
{
    for (size_t i = 0; i < n; i++)
        r->set(source, i, reduce_value(r->op, check_me, i));
}

#endif
