/* SPDX-License-Identifier: BSD-3-Clause */
/* compare_swap, inc, add and their fetching forms, for 12 types in every variant, on the heap and on globals: each
 * result and each value left behind against a model, with wrap-around, and with guards beside the word. */
#include "amo.h"

#define GUARD 0x9696969696969696u

struct cell {
    uint64_t before, value, after;
};

static struct cell global = {GUARD, 0, GUARD};
static struct cell *cell;
static uint64_t model;

static const uint64_t operands[] = {
    1, 2, 0, UINT64_MAX, 1000, 0x7fffffff, 0x80000000, INT64_MAX, 1ull << 63, 0xffffffff00000001u, 0x123456789abcdef0u,
};

static void expect_old(const struct amo_standard *row, const char *op, uint64_t seen, uint64_t expected)
{
    CHECK(seen == expected, "%s_%s returned 0x%llx, expected 0x%llx", row->name, op, (unsigned long long)seen,
          (unsigned long long)expected);
}

/* Reads the word and its guards from the other PE after everything sent before has arrived. */
static void expect_value(const struct amo_standard *row, const char *op, int pe)
{
    struct cell seen;
    uint64_t mask = amo_mask(row->size), value;

    shmem_quiet();
    shmem_ctx_quiet(amo_ctx);
    shmem_getmem(&seen, cell, sizeof seen, pe);
    value = seen.value & mask;
    CHECK(value == (model & mask), "after %s_%s the value is 0x%llx, expected 0x%llx", row->name, op,
          (unsigned long long)value, (unsigned long long)(model & mask));
    CHECK((seen.value & ~mask) == (GUARD & ~mask) && seen.before == GUARD && seen.after == GUARD,
          "%s_%s changed the bytes beside the word: 0x%llx 0x%llx 0x%llx", row->name, op,
          (unsigned long long)seen.before, (unsigned long long)seen.value, (unsigned long long)seen.after);
}

static void try_adding(const struct amo_standard *row, uint64_t operand, int pe)
{
    uint64_t mask = amo_mask(row->size);

    row->add(&cell->value, operand, pe);
    model += operand;
    expect_value(row, "add", pe);
    expect_old(row, "fetch_add", row->fetch_add(&cell->value, operand, pe), model & mask);
    model += operand;
    expect_value(row, "fetch_add", pe);
    row->inc(&cell->value, 0, pe);
    model += 1;
    expect_value(row, "inc", pe);
    expect_old(row, "fetch_inc", row->fetch_inc(&cell->value, 0, pe), model & mask);
    model += 1;
    expect_value(row, "fetch_inc", pe);
}

static void try_comparing(const struct amo_standard *row, uint64_t operand, int pe)
{
    uint64_t mask = amo_mask(row->size);

    expect_old(row, "compare_swap (unequal)", row->compare_swap(&cell->value, model + 1, operand, pe), model & mask);
    expect_value(row, "compare_swap (unequal)", pe);
    expect_old(row, "compare_swap (equal)", row->compare_swap(&cell->value, model, operand, pe), model & mask);
    model = operand;
    expect_value(row, "compare_swap (equal)", pe);
}

static void run(const struct amo_standard *row, int pe)
{
    model = GUARD;
    cell->before = cell->value = cell->after = GUARD;
    shmem_barrier_all();
    for (size_t i = 0; i < CHECK_COUNT(operands); i++) {
        try_comparing(row, operands[i], pe);
        try_adding(row, operands[i], pe);
    }
    amo_barrier();
}

int main(void)
{
    struct cell *heap;

    check_start();
    amo_start();
    heap = shmem_malloc(sizeof *heap);
    REQUIRE(heap, "no memory for %zu bytes", sizeof *heap);
    for (size_t i = 0; i < CHECK_COUNT(amo_standard); i++) {
        cell = heap;
        run(&amo_standard[i], check_next());
        cell = &global;
        run(&amo_standard[i], check_next());
    }
    shmem_free(heap);
    amo_finish();
    return check_finish();
}
