/* SPDX-License-Identifier: BSD-3-Clause */
/* shmem_TYPE_wait_until_all, _any, _some and their vector forms, for 12 types, while the previous PE writes the words
 * one by one in random order: each returns only what has come, and together everything. Empty sets return at once. */
#include "arrays.h"

static int epoch; /* words rise with the epoch, so that no word needs a reset */

static int64_t value_of(size_t i, bool vector)
{
    return 100 * epoch + (vector ? (int64_t)i : 0);
}

static void write_next(const struct array_row *row, bool vector, uint64_t *random)
{
    size_t order[ARRAY_WORDS];

    for (size_t i = 0; i < ARRAY_WORDS; i++) {
        size_t j = check_random_below(random, i + 1);
        order[i] = order[j];
        order[j] = i;
    }
    for (size_t i = 0; i < ARRAY_WORDS; i++) {
        row->set(order[i], value_of(order[i], vector), check_next());
        if (i == ARRAY_WORDS / 2 && epoch % check_npes == check_me)
            check_sleep(0.0005);
    }
}

static void take(const struct array_row *row, size_t index, bool vector, int *status, const char *call)
{
    REQUIRE(index < ARRAY_WORDS, "%s %s returned index %zu", row->name, call, index);
    CHECK(status[index] == 0, "%s %s returned index %zu, which status excludes", row->name, call, index);
    CHECK(row->holds(index, SHMEM_CMP_EQ, value_of(index, vector)), "%s %s returned index %zu too early", row->name,
          call, index);
    status[index] = 1;
}

static void fill(int64_t *values, bool vector)
{
    for (size_t i = 0; i < ARRAY_WORDS; i++)
        values[i] = vector || i == 0 ? value_of(i, vector) : -1;
}

static void wait_all(const struct array_row *row, bool vector)
{
    array_call *call = vector ? row->wait_all_vector : row->wait_all;
    int status[ARRAY_WORDS] = {0};
    int64_t values[ARRAY_WORDS];

    fill(values, vector);
    status[3] = -1;
    if (vector)
        values[3] = -7; /* never comes, and status says not to wait for it */
    call(ARRAY_WORDS, NULL, status, SHMEM_CMP_EQ, values);
    for (size_t i = 0; i < ARRAY_WORDS; i++)
        CHECK(i == 3 || row->holds(i, SHMEM_CMP_EQ, value_of(i, vector)),
              "%s wait_until_all, vector %d: word %zu is not there", row->name, vector, i);
    fill(values, vector);
    call(ARRAY_WORDS, NULL, NULL, SHMEM_CMP_GE, values);
    CHECK(row->holds(3, SHMEM_CMP_EQ, value_of(3, vector)), "%s wait_until_all, vector %d: word 3 is not there",
          row->name, vector);
}

static void wait_any(const struct array_row *row, bool vector)
{
    array_call *call = vector ? row->wait_any_vector : row->wait_any;
    int status[ARRAY_WORDS] = {0};
    int64_t values[ARRAY_WORDS];

    fill(values, vector);
    for (size_t taken = 0; taken < ARRAY_WORDS; taken++)
        take(row, call(ARRAY_WORDS, NULL, status, SHMEM_CMP_EQ, values), vector, status, "wait_until_any");
}

static void wait_some(const struct array_row *row, bool vector)
{
    array_call *call = vector ? row->wait_some_vector : row->wait_some;
    int status[ARRAY_WORDS] = {0};
    int64_t values[ARRAY_WORDS];
    size_t indices[ARRAY_WORDS], taken = 0;

    fill(values, vector);
    while (taken < ARRAY_WORDS) {
        size_t n = call(ARRAY_WORDS, indices, status, SHMEM_CMP_EQ, values);
        REQUIRE(n >= 1 && n <= ARRAY_WORDS - taken, "%s wait_until_some returned %zu with %zu left", row->name, n,
                ARRAY_WORDS - taken);
        for (size_t i = 0; i < n; i++)
            take(row, indices[i], vector, status, "wait_until_some");
        taken += n;
    }
}

static void empty_sets(const struct array_row *row)
{
    int excluded[ARRAY_WORDS];
    int64_t values[ARRAY_WORDS];
    size_t indices[ARRAY_WORDS];

    for (size_t i = 0; i < ARRAY_WORDS; i++) {
        excluded[i] = 1;
        values[i] = -5;
    }
    for (size_t n = 0; n <= ARRAY_WORDS; n += ARRAY_WORDS) {
        row->wait_all(n, NULL, excluded, SHMEM_CMP_EQ, values);
        row->wait_all_vector(n, NULL, excluded, SHMEM_CMP_EQ, values);
        CHECK(row->wait_any(n, NULL, excluded, SHMEM_CMP_EQ, values) == SIZE_MAX &&
                  row->wait_any_vector(n, NULL, excluded, SHMEM_CMP_EQ, values) == SIZE_MAX,
              "%s wait_until_any of an empty set is not SIZE_MAX", row->name);
        CHECK(row->wait_some(n, indices, excluded, SHMEM_CMP_EQ, values) == 0 &&
                  row->wait_some_vector(n, indices, excluded, SHMEM_CMP_EQ, values) == 0,
              "%s wait_until_some of an empty set is not 0", row->name);
    }
}

int main(void)
{
    void (*const judges[])(const struct array_row *, bool) = {wait_all, wait_any, wait_some};
    uint64_t random;

    check_start();
    random = check_seed(3) + (uint64_t)check_me;
    for (size_t i = 0; i < CHECK_COUNT(array_rows); i++) {
        epoch = 0;
        empty_sets(&array_rows[i]);
        for (size_t j = 0; j < 2 * CHECK_COUNT(judges); j++) {
            epoch++;
            shmem_barrier_all();
            write_next(&array_rows[i], j % 2, &random);
            judges[j / 2](&array_rows[i], j % 2);
        }
    }
    return check_finish();
}
