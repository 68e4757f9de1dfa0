/* SPDX-License-Identifier: BSD-3-Clause */
/* Atomic and, or, xor and their fetching forms, for 7 types in every variant, on a global: results and values
 * against a model, and the bytes beside the word stay. */
#include "amo.h"

#define GUARD 0xa7a7a7a7a7a7a7a7u

static uint64_t word[3];
static uint64_t model;

static const uint64_t operands[] = {
    0, UINT64_MAX,          0x5555555555555555u, 0xaaaaaaaaaaaaaaaau, 0x8000000080000000u,
    1, 0xff00ff00ff00ff00u, 0x0123456789abcdefu,
};

struct operation {
    const char *name;
    amo_fetching *fetching;
    amo_changing *changing;
};

static uint64_t apply(char kind, uint64_t a, uint64_t b)
{
    return kind == 'a' ? (a & b) : kind == 'o' ? (a | b) : (a ^ b);
}

static void expect(const struct amo_bitwise *row, const char *what, uint64_t seen, uint64_t expected)
{
    uint64_t mask = amo_mask(row->size);

    CHECK((seen & mask) == (expected & mask), "%s_%s: 0x%llx, expected 0x%llx", row->name, what,
          (unsigned long long)(seen & mask), (unsigned long long)(expected & mask));
}

static void expect_word(const struct amo_bitwise *row, const char *what, int pe)
{
    uint64_t seen[3];

    shmem_quiet();
    shmem_ctx_quiet(amo_ctx);
    shmem_getmem(seen, word, sizeof seen, pe);
    expect(row, what, seen[1], model);
    CHECK(seen[0] == GUARD && seen[2] == GUARD && ((seen[1] ^ GUARD) & ~amo_mask(row->size)) == 0,
          "%s_%s changed the bytes beside the word: 0x%llx 0x%llx 0x%llx", row->name, what, (unsigned long long)seen[0],
          (unsigned long long)seen[1], (unsigned long long)seen[2]);
}

static void try_operation(const struct amo_bitwise *row, const struct operation *op, uint64_t operand, int pe)
{
    op->changing(&word[1], operand, pe);
    model = apply(op->name[0], model, operand);
    expect_word(row, op->name, pe);
    model ^= 0x00f0f0f000f0f0f0u;
    row->xor_(&word[1], 0x00f0f0f000f0f0f0u, pe);
    expect_word(row, "xor", pe);
    expect(row, op->name, op->fetching(&word[1], operand, pe), model);
    model = apply(op->name[0], model, operand);
    expect_word(row, op->name, pe);
}

static void run(const struct amo_bitwise *row, int pe)
{
    const struct operation operations[] = {
        {"and", row->fetch_and, row->and_},
        {"or", row->fetch_or, row->or_},
        {"xor", row->fetch_xor, row->xor_},
    };

    model = word[0] = word[1] = word[2] = GUARD;
    shmem_barrier_all();
    for (size_t i = 0; i < CHECK_COUNT(operands); i++)
        for (size_t op = 0; op < CHECK_COUNT(operations); op++)
            try_operation(row, &operations[op], operands[i], pe);
    amo_barrier();
}

int main(void)
{
    check_start();
    amo_start();
    for (size_t i = 0; i < CHECK_COUNT(amo_bitwise); i++)
        run(&amo_bitwise[i], check_next());
    amo_finish();
    return check_finish();
}
