/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs that serve one element at a time and mask none get to all of them: every form of test and wait_until that
 * searches for any or some, with elements that stay ready, status masks, lengths that change, and many arrays in turn.
 */
#include "arrays.h"

#define TAKE_FEW 3
#define MANY 700 /* arrays searched in turn: more than a library can be expected to remember */

static const int64_t zeros[ARRAY_WORDS];
static long slots[ARRAY_WORDS];

struct form {
    const char *name;
    array_call *call;
    bool some; /* the program looks at indices[0] only */
};

static size_t take(const struct form *f, size_t n, const int *status)
{
    size_t indices[ARRAY_WORDS] = {0}, got = f->call(n, indices, status, SHMEM_CMP_GE, zeros);

    return !f->some ? got : got > 0 ? indices[0] : SIZE_MAX;
}

/* In as many calls as there are elements in the set, each is found once. */
static void all_get_a_turn(const struct array_row *row, const struct form *f, size_t n, const int *status)
{
    int found[ARRAY_WORDS] = {0};
    size_t members = 0;

    for (size_t i = 0; i < n; i++)
        members += !status || status[i] == 0;
    for (size_t call = 0; call < 2 * members; call++) {
        size_t i = take(f, n, status);
        if (!CHECK(i < n && (!status || status[i] == 0), "%s %s: index %zu of %zu is not in the set", row->name,
                   f->name, i, n))
            return;
        found[i]++;
    }
    for (size_t i = 0; i < n; i++)
        CHECK(found[i] == 2 * (!status || status[i] == 0), "%s %s: element %zu of %zu found %d times in %zu calls",
              row->name, f->name, i, n, found[i], 2 * members);
}

static void check_form(const struct array_row *row, const struct form *f)
{
    int status[ARRAY_WORDS];

    all_get_a_turn(row, f, ARRAY_WORDS, NULL);
    for (size_t i = 0; i < ARRAY_WORDS; i++)
        status[i] = i % 3 == 1;
    all_get_a_turn(row, f, ARRAY_WORDS, status);
    for (size_t i = 0; i < ARRAY_WORDS; i++)
        status[i] = i != 5;
    all_get_a_turn(row, f, ARRAY_WORDS, status);
    for (size_t n = ARRAY_WORDS; n > 0; n -= 1 + n / 4) {
        for (int k = 0; k < TAKE_FEW; k++)
            take(f, ARRAY_WORDS, NULL); /* leaves the turn anywhere, behind n too */
        all_get_a_turn(row, f, n, NULL);
    }
}

static void check_row(const struct array_row *row)
{
    const struct form forms[] = {
        {"test_any", row->test_any, false},  {"test_any_vector", row->test_any_vector, false},
        {"test_some", row->test_some, true}, {"test_some_vector", row->test_some_vector, true},
        {"wait_any", row->wait_any, false},  {"wait_any_vector", row->wait_any_vector, false},
        {"wait_some", row->wait_some, true}, {"wait_some_vector", row->wait_some_vector, true},
    };

    for (size_t i = 0; i < ARRAY_WORDS; i++)
        row->set(i, 1, check_me);
    shmem_quiet();
    for (size_t f = 0; f < CHECK_COUNT(forms); f++)
        check_form(row, &forms[f]);
}

/* Arrays that are searched in turn, each found ready at the place it stopped at: all of all are seen. */
static void many_arrays(size_t arrays, size_t n)
{
    size_t rounds = 0, missing = arrays * n;
    int *words = shmem_malloc(arrays * n * sizeof *words);
    bool *seen = calloc(arrays * n, sizeof *seen);

    REQUIRE(words && seen, "no memory");
    for (size_t i = 0; i < arrays * n; i++)
        words[i] = 7;
    for (; missing > 0 && rounds < 100 * n; rounds++)
        for (size_t a = 0; a < arrays; a++) {
            size_t i = shmem_int_test_any(words + a * n, n, NULL, SHMEM_CMP_EQ, 7);
            REQUIRE(i < n, "array %zu of %zu: index %zu of %zu", a, arrays, i, n);
            missing -= !seen[a * n + i];
            seen[a * n + i] = true;
        }
    CHECK(missing == 0, "%zu arrays of %zu: %zu elements not seen in %zu rounds", arrays, n, missing, rounds);
    CHECK(arrays > 4 || rounds == n, "%zu arrays of %zu: all seen after %zu rounds", arrays, n, rounds);
    free(seen);
    shmem_free(words);
}

/* Every PE says once that it is there and nobody clears the words. */
static void roll_call(void)
{
    bool here[ARRAY_WORDS] = {false};
    size_t n = check_npes < ARRAY_WORDS ? (size_t)check_npes : ARRAY_WORDS;
    double limit = check_seconds() + 20;

    for (int pe = 0; pe < check_npes && check_me < ARRAY_WORDS; pe++)
        shmem_long_p(&slots[check_me], 1, pe);
    for (size_t missing = n; missing > 0;) {
        size_t i = missing % 2 ? shmem_long_test_any(slots, n, NULL, SHMEM_CMP_EQ, 1)
                               : shmem_long_wait_until_any(slots, n, NULL, SHMEM_CMP_EQ, 1);
        REQUIRE(check_seconds() < limit, "%zu of %zu PEs not found in 20 s", missing, n);
        if (i == SIZE_MAX)
            continue;
        missing -= !here[i];
        here[i] = true;
    }
}

int main(void)
{
    check_start();
    roll_call();
    for (size_t row = 0; row < CHECK_COUNT(array_rows); row++)
        check_row(&array_rows[row]);
    many_arrays(1, 5);
    many_arrays(2, 2);
    many_arrays(MANY, 2);
    many_arrays(MANY, 7);
    return check_finish();
}
