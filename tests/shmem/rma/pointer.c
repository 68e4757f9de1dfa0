/* SPDX-License-Identifier: BSD-3-Clause */
/* shmem_ptr gives a pointer to the heap and globals of every PE of SHMEM_TEAM_SHARED, good for plain loads and stores
 * which the owner sees and which agree with puts, gets and atomics; for the calling PE it is the object's own address,
 * for PEs that a network lies between it is NULL. */
#include "../../check.h"

#define WORDS 1000

static long bss[WORDS];
static long data[WORDS] = {1};

static void expect_own_address(const void *object, const char *what)
{
    const void *seen = shmem_ptr(object, check_me);
    CHECK(seen == object, "shmem_ptr(%s, own PE) is %p, expected %p", what, seen, object);
}

static void write_through_pointers(long *object, const char *what)
{
    for (int pe = 0; pe < check_npes; pe++) {
        long *there = shmem_ptr(object, pe);
        if (!check_shares_memory(pe)) {
            CHECK(there == NULL, "shmem_ptr(%s, %d) is %p, but PE %d is not in SHMEM_TEAM_SHARED", what, pe,
                  (void *)there, pe);
            continue;
        }
        if (!CHECK(there != NULL, "shmem_ptr(%s, %d) is NULL", what, pe))
            continue;
        CHECK(pe == check_me || there != object, "shmem_ptr(%s, %d) is this PE's own copy", what, pe);
        CHECK(shmem_ptr(object + 17, pe) == there + 17, "shmem_ptr(%s + 17, %d) is %p, expected %p", what, pe,
              shmem_ptr(object + 17, pe), (void *)(there + 17));
        there[check_me] = 1000 * pe + check_me;
        there[WORDS - 1 - check_me] = -there[check_me];
    }
}

static void expect_written(const long *object, const char *what)
{
    for (int pe = 0; pe < check_npes; pe++) {
        long expected = 1000 * check_me + pe;
        if (!check_shares_memory(pe))
            continue;
        CHECK(object[pe] == expected && object[WORDS - 1 - pe] == -expected,
              "%s: written through shmem_ptr by PE %d: %ld and %ld, expected %ld and its negative", what, pe,
              object[pe], object[WORDS - 1 - pe], expected);
    }
}

static void agree_with_calls(long *object, const char *what)
{
    long *there = shmem_ptr(object, check_next());

    if (!there)
        return;
    shmem_long_p(&object[WORDS / 2], 5000 + check_me, check_next());
    shmem_quiet();
    CHECK(there[WORDS / 2] == 5000 + check_me, "%s: after shmem_long_p a load sees %ld, expected %d", what,
          there[WORDS / 2], 5000 + check_me);
    there[WORDS / 2] = 6000 + check_me;
    CHECK(shmem_long_g(&object[WORDS / 2], check_next()) == 6000 + check_me,
          "%s: after a store shmem_long_g sees %ld, expected %d", what, shmem_long_g(&object[WORDS / 2], check_next()),
          6000 + check_me);
    CHECK(shmem_long_atomic_fetch(&object[WORDS / 2], check_next()) == 6000 + check_me,
          "%s: after a store an atomic fetch sees %ld, expected %d", what,
          shmem_long_atomic_fetch(&object[WORDS / 2], check_next()), 6000 + check_me);
}

static void run(long *object, const char *what)
{
    expect_own_address(object, what);
    shmem_barrier_all();
    write_through_pointers(object, what);
    shmem_barrier_all();
    expect_written(object, what);
    agree_with_calls(object, what);
    shmem_barrier_all();
}

int main(void)
{
    long *heap;

    check_start();
    heap = shmem_malloc(WORDS * sizeof(long));
    REQUIRE(heap, "no memory for %d words", WORDS);
    run(heap, "heap");
    run(bss, "bss");
    run(data, "data");
    shmem_free(heap);
    return check_finish();
}
