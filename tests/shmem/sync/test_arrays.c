/* SPDX-License-Identifier: BSD-3-Clause */
/* shmem_TYPE_test_all, _any, _some and their vector forms against a model: random values, comparisons, lengths and
 * status arrays, the empty set among them, for 12 types. */
#include "arrays.h"

#define TRIALS 150

struct trial {
    size_t n;
    int cmp;
    int status[ARRAY_WORDS];
    const int *status_or_null;
    int64_t values[ARRAY_WORDS];
};

static const int comparisons[] = {SHMEM_CMP_EQ, SHMEM_CMP_NE, SHMEM_CMP_GT, SHMEM_CMP_GE, SHMEM_CMP_LT, SHMEM_CMP_LE};

static void deal(const struct array_row *row, struct trial *t, uint64_t *random)
{
    uint64_t style = check_random_below(random, 4);

    t->n = check_random_below(random, ARRAY_WORDS + 1);
    t->cmp = comparisons[check_random_below(random, CHECK_COUNT(comparisons))];
    for (size_t i = 0; i < ARRAY_WORDS; i++) {
        row->set(i, (int64_t)check_random_below(random, 3) - 1, check_me);
        t->values[i] = (int64_t)check_random_below(random, 3) - 1;
        t->status[i] = style == 0 ? 1 : style == 1 ? 0 : (int)check_random_below(random, 3) - 1;
    }
    shmem_quiet();
    t->status_or_null = style == 3 ? NULL : t->status;
}

static bool included(const struct trial *t, size_t i)
{
    return t->status_or_null == NULL || t->status[i] == 0;
}

static bool holds(const struct array_row *row, const struct trial *t, size_t i, bool vector)
{
    return included(t, i) && row->holds(i, t->cmp, t->values[vector ? i : 0]);
}

static void judge_any(const struct array_row *row, const struct trial *t, bool vector, size_t count, size_t seen)
{
    if (count == 0)
        CHECK(seen == SIZE_MAX, "%s test_any, vector %d: %zu, expected SIZE_MAX", row->name, vector, seen);
    else
        CHECK(seen < t->n && holds(row, t, seen, vector), "%s test_any, vector %d: index %zu of %zu doesn't hold",
              row->name, vector, seen, t->n);
}

static void judge_some(const struct array_row *row, const struct trial *t, bool vector, size_t count, size_t seen,
                       const size_t *indices)
{
    bool named[ARRAY_WORDS] = {false};

    if (!CHECK(seen == count, "%s test_some, vector %d: %zu, expected %zu", row->name, vector, seen, count))
        return;
    for (size_t i = 0; i < seen; i++) {
        if (!CHECK(indices[i] < t->n && holds(row, t, indices[i], vector) && !named[indices[i]],
                   "%s test_some, vector %d: index %zu doesn't hold or is there twice", row->name, vector, indices[i]))
            return;
        named[indices[i]] = true;
    }
}

static void judge(const struct array_row *row, const struct trial *t, bool vector)
{
    array_call *all = vector ? row->test_all_vector : row->test_all;
    array_call *any = vector ? row->test_any_vector : row->test_any;
    array_call *some = vector ? row->test_some_vector : row->test_some;
    size_t indices[ARRAY_WORDS], members = 0, count = 0, seen;

    for (size_t i = 0; i < t->n; i++) {
        members += included(t, i);
        count += holds(row, t, i, vector);
    }
    seen = all(t->n, NULL, t->status_or_null, t->cmp, t->values);
    CHECK((seen != 0) == (count == members), "%s test_all, vector %d: %zu, but %zu of %zu members hold", row->name,
          vector, seen, count, members);
    judge_any(row, t, vector, count, any(t->n, NULL, t->status_or_null, t->cmp, t->values));
    seen = some(t->n, indices, t->status_or_null, t->cmp, t->values);
    judge_some(row, t, vector, count, seen, indices);
}

int main(void)
{
    struct trial t;
    uint64_t random;

    check_start();
    random = check_seed(9) + (uint64_t)check_me;
    for (size_t row = 0; row < CHECK_COUNT(array_rows); row++)
        for (int trial = 0; trial < TRIALS; trial++) {
            deal(&array_rows[row], &t, &random);
            judge(&array_rows[row], &t, false);
            judge(&array_rows[row], &t, true);
        }
    return check_finish();
}
