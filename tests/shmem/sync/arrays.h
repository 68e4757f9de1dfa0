/* SPDX-License-Identifier: BSD-3-Clause */
/* The array forms of wait_until and test, for 12 types, behind one signature: each type has its own symmetric array,
 * and values travel as int64_t. The vector forms take the comparison's value from an array, the others from its
 * first element. */
#ifndef TESTS_SYNC_ARRAYS_H
#define TESTS_SYNC_ARRAYS_H

#include "../../check.h"
#include "../../types.h"

#define ARRAY_WORDS 24

typedef size_t array_call(size_t n, size_t *indices, const int *status, int cmp, const int64_t *values);

struct array_row {
    const char *name;
    void (*set)(size_t i, int64_t value, int pe);
    bool (*holds)(size_t i, int cmp, int64_t value);
    array_call *test_all, *test_any, *test_some;
    array_call *test_all_vector, *test_any_vector, *test_some_vector;
    array_call *wait_all, *wait_any, *wait_some;
    array_call *wait_all_vector, *wait_any_vector, *wait_some_vector;
};

static inline bool array_compare(bool less, bool equal, int cmp)
{
    switch (cmp) {
    case SHMEM_CMP_EQ:
        return equal;
    case SHMEM_CMP_NE:
        return !equal;
    case SHMEM_CMP_LT:
        return less;
    case SHMEM_CMP_LE:
        return less || equal;
    case SHMEM_CMP_GT:
        return !less && !equal;
    default:
        return !less;
    }
}

#define ARRAY_CALLS(NAME, TYPE)                                                                                        \
    static TYPE NAME##_array[ARRAY_WORDS];                                                                             \
    static inline void NAME##_set(size_t i, int64_t value, int pe)                                                     \
    {                                                                                                                  \
        shmem_##NAME##_p(&NAME##_array[i], (TYPE)value, pe);                                                           \
    }                                                                                                                  \
    static inline bool NAME##_holds(size_t i, int cmp, int64_t value)                                                  \
    {                                                                                                                  \
        return array_compare(NAME##_array[i] < (TYPE)value, NAME##_array[i] == (TYPE)value, cmp);                      \
    }                                                                                                                  \
    static inline size_t NAME##_test_all(size_t n, size_t *indices, const int *status, int cmp, const int64_t *values) \
    {                                                                                                                  \
        TYPE v = (TYPE)values[0];                                                                                      \
        (void)indices;                                                                                                 \
        return (size_t)shmem_##NAME##_test_all(NAME##_array, n, status, cmp, v);                                       \
    }                                                                                                                  \
    static inline size_t NAME##_test_any(size_t n, size_t *indices, const int *status, int cmp, const int64_t *values) \
    {                                                                                                                  \
        TYPE v = (TYPE)values[0];                                                                                      \
        (void)indices;                                                                                                 \
        return shmem_##NAME##_test_any(NAME##_array, n, status, cmp, v);                                               \
    }                                                                                                                  \
    static inline size_t NAME##_test_some(size_t n, size_t *indices, const int *status, int cmp,                       \
                                          const int64_t *values)                                                       \
    {                                                                                                                  \
        TYPE v = (TYPE)values[0];                                                                                      \
        return shmem_##NAME##_test_some(NAME##_array, n, indices, status, cmp, v);                                     \
    }                                                                                                                  \
    static inline size_t NAME##_test_all_vector(size_t n, size_t *indices, const int *status, int cmp,                 \
                                                const int64_t *values)                                                 \
    {                                                                                                                  \
        TYPE v[ARRAY_WORDS];                                                                                           \
        for (size_t i = 0; i < n; i++)                                                                                 \
            v[i] = (TYPE)values[i];                                                                                    \
        (void)indices;                                                                                                 \
        return (size_t)shmem_##NAME##_test_all_vector(NAME##_array, n, status, cmp, v);                                \
    }                                                                                                                  \
    static inline size_t NAME##_test_any_vector(size_t n, size_t *indices, const int *status, int cmp,                 \
                                                const int64_t *values)                                                 \
    {                                                                                                                  \
        TYPE v[ARRAY_WORDS];                                                                                           \
        for (size_t i = 0; i < n; i++)                                                                                 \
            v[i] = (TYPE)values[i];                                                                                    \
        (void)indices;                                                                                                 \
        return shmem_##NAME##_test_any_vector(NAME##_array, n, status, cmp, v);                                        \
    }                                                                                                                  \
    static inline size_t NAME##_test_some_vector(size_t n, size_t *indices, const int *status, int cmp,                \
                                                 const int64_t *values)                                                \
    {                                                                                                                  \
        TYPE v[ARRAY_WORDS];                                                                                           \
        for (size_t i = 0; i < n; i++)                                                                                 \
            v[i] = (TYPE)values[i];                                                                                    \
        return shmem_##NAME##_test_some_vector(NAME##_array, n, indices, status, cmp, v);                              \
    }                                                                                                                  \
    static inline size_t NAME##_wait_all(size_t n, size_t *indices, const int *status, int cmp, const int64_t *values) \
    {                                                                                                                  \
        TYPE v = (TYPE)values[0];                                                                                      \
        (void)indices;                                                                                                 \
        shmem_##NAME##_wait_until_all(NAME##_array, n, status, cmp, v);                                                \
        return n;                                                                                                      \
    }                                                                                                                  \
    static inline size_t NAME##_wait_any(size_t n, size_t *indices, const int *status, int cmp, const int64_t *values) \
    {                                                                                                                  \
        TYPE v = (TYPE)values[0];                                                                                      \
        (void)indices;                                                                                                 \
        return shmem_##NAME##_wait_until_any(NAME##_array, n, status, cmp, v);                                         \
    }                                                                                                                  \
    static inline size_t NAME##_wait_some(size_t n, size_t *indices, const int *status, int cmp,                       \
                                          const int64_t *values)                                                       \
    {                                                                                                                  \
        TYPE v = (TYPE)values[0];                                                                                      \
        return shmem_##NAME##_wait_until_some(NAME##_array, n, indices, status, cmp, v);                               \
    }                                                                                                                  \
    static inline size_t NAME##_wait_all_vector(size_t n, size_t *indices, const int *status, int cmp,                 \
                                                const int64_t *values)                                                 \
    {                                                                                                                  \
        TYPE v[ARRAY_WORDS];                                                                                           \
        for (size_t i = 0; i < n; i++)                                                                                 \
            v[i] = (TYPE)values[i];                                                                                    \
        (void)indices;                                                                                                 \
        shmem_##NAME##_wait_until_all_vector(NAME##_array, n, status, cmp, v);                                         \
        return n;                                                                                                      \
    }                                                                                                                  \
    static inline size_t NAME##_wait_any_vector(size_t n, size_t *indices, const int *status, int cmp,                 \
                                                const int64_t *values)                                                 \
    {                                                                                                                  \
        TYPE v[ARRAY_WORDS];                                                                                           \
        for (size_t i = 0; i < n; i++)                                                                                 \
            v[i] = (TYPE)values[i];                                                                                    \
        (void)indices;                                                                                                 \
        return shmem_##NAME##_wait_until_any_vector(NAME##_array, n, status, cmp, v);                                  \
    }                                                                                                                  \
    static inline size_t NAME##_wait_some_vector(size_t n, size_t *indices, const int *status, int cmp,                \
                                                 const int64_t *values)                                                \
    {                                                                                                                  \
        TYPE v[ARRAY_WORDS];                                                                                           \
        for (size_t i = 0; i < n; i++)                                                                                 \
            v[i] = (TYPE)values[i];                                                                                    \
        return shmem_##NAME##_wait_until_some_vector(NAME##_array, n, indices, status, cmp, v);                        \
    }
TYPES_SYNC(ARRAY_CALLS)

#define ARRAY_ROW(NAME, TYPE)                     \
    {.name = #NAME,                               \
     .set = NAME##_set,                           \
     .holds = NAME##_holds,                       \
     .test_all = NAME##_test_all,                 \
     .test_any = NAME##_test_any,                 \
     .test_some = NAME##_test_some,               \
     .test_all_vector = NAME##_test_all_vector,   \
     .test_any_vector = NAME##_test_any_vector,   \
     .test_some_vector = NAME##_test_some_vector, \
     .wait_all = NAME##_wait_all,                 \
     .wait_any = NAME##_wait_any,                 \
     .wait_some = NAME##_wait_some,               \
     .wait_all_vector = NAME##_wait_all_vector,   \
     .wait_any_vector = NAME##_wait_any_vector,   \
     .wait_some_vector = NAME##_wait_some_vector},
static const struct array_row array_rows[] = {TYPES_SYNC(ARRAY_ROW)};

#endif
