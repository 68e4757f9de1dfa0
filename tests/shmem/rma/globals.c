/* SPDX-License-Identifier: BSD-3-Clause */
/* Globals are symmetric: initialised data, bss and function statics, with what they held at start and what main
 * wrote to them before shmem_init. Puts, gets and atomics reach them; constants and pointers stay as they are. */
#include "../../check.h"

static int initialised = 41;
static long table[5] = {1, 2, 3, 4, 5};
long exported_bss[1000];
char exported_data[] = "initialised characters";
static long set_before_init = 7;
static long set_by_constructor;
static int *pointer_to_global = &initialised;
static const char *const text = "read-only";
static char page_crosser[3 * 4096 + 5];
static struct {
    char one;
    double two;
    char name[3];
} record = {'r', 2.5, "ab"};

__attribute__((constructor)) static void construct(void)
{
    set_by_constructor = 99;
}

static long *counter(void)
{
    static long count = 1000;
    return &count;
}

static void expect_initial(void)
{
    CHECK(initialised == 41, "initialised is %d, expected 41", initialised);
    CHECK(table[0] == 1 && table[4] == 5, "table is %ld..%ld, expected 1..5", table[0], table[4]);
    CHECK(strcmp(exported_data, "initialised characters") == 0, "exported_data is \"%s\"", exported_data);
    CHECK(set_before_init == 1234, "what main wrote before shmem_init: %ld, expected 1234", set_before_init);
    CHECK(set_by_constructor == 99, "what a constructor wrote: %ld, expected 99", set_by_constructor);
    CHECK(pointer_to_global == &initialised, "pointer_to_global is %p, expected %p", (void *)pointer_to_global,
          (void *)&initialised);
    CHECK(strcmp(text, "read-only") == 0, "text is \"%s\", expected \"read-only\"", text);
    CHECK(record.one == 'r' && record.two == 2.5 && strcmp(record.name, "ab") == 0, "record is %c %g %.2s", record.one,
          record.two, record.name);
    CHECK(*counter() == 1000, "a function's static is %ld, expected 1000", *counter());
    for (size_t i = 0; i < CHECK_COUNT(exported_bss); i++)
        if (!CHECK(exported_bss[i] == 0, "exported_bss[%zu] is %ld, expected 0", i, exported_bss[i]))
            break;
}

static void write_next(void)
{
    long values[5];

    for (int i = 0; i < 5; i++)
        values[i] = 100 * (check_me + 1) + i;
    shmem_int_p(&initialised, 1000 + check_me, check_next());
    shmem_long_put(table, values, 5, check_next());
    shmem_long_iput(exported_bss + 3, values, 200, 1, 5, check_next());
    shmem_char_put(exported_data + 11, "CHAR", 4, check_next());
    shmem_double_p(&record.two, 0.25 * check_me, check_next());
    for (int i = 0; i <= check_me; i++)
        shmem_long_atomic_inc(counter(), check_next());
}

static void expect_written(void)
{
    int from = check_previous();

    CHECK(initialised == 1000 + from, "initialised is %d, expected %d", initialised, 1000 + from);
    CHECK(*pointer_to_global == 1000 + from, "seen through a pointer %d, expected %d", *pointer_to_global, 1000 + from);
    for (int i = 0; i < 5; i++) {
        CHECK(table[i] == 100 * (from + 1) + i, "table[%d] is %ld, expected %d", i, table[i], 100 * (from + 1) + i);
        CHECK(exported_bss[3 + 200 * i] == 100 * (from + 1) + i, "exported_bss[%d] is %ld, expected %d", 3 + 200 * i,
              exported_bss[3 + 200 * i], 100 * (from + 1) + i);
    }
    CHECK(strcmp(exported_data, "initialisedCHARracters") == 0, "exported_data is \"%s\"", exported_data);
    CHECK(record.two == 0.25 * from && record.one == 'r' && record.name[0] == 'a', "record is %c %g %.2s", record.one,
          record.two, record.name);
    CHECK(*counter() == 1001 + from, "a function's static is %ld, expected %d", *counter(), 1001 + from);
}

static void read_next(void)
{
    static char source[sizeof page_crosser];
    int next_from = check_me;
    long got[5];

    CHECK(shmem_int_g(&initialised, check_next()) == 1000 + next_from, "shmem_int_g of a global: %d, expected %d",
          shmem_int_g(&initialised, check_next()), 1000 + next_from);
    shmem_long_get(got, table, 5, check_next());
    CHECK(got[4] == 100 * (next_from + 1) + 4, "shmem_long_get of a global: %ld, expected %d", got[4],
          100 * (next_from + 1) + 4);
    check_fill(source, sizeof source, 3 + check_me);
    shmem_putmem(page_crosser, source, sizeof source, check_next());
    shmem_barrier_all();
    check_verify(page_crosser, sizeof page_crosser, 3 + check_previous(), "a global over several pages");
}

int main(void)
{
    set_before_init = 1234;
    check_start();
    expect_initial();
    shmem_barrier_all();
    write_next();
    shmem_barrier_all();
    expect_written();
    read_next();
    return check_finish();
}
