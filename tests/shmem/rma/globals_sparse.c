/* SPDX-License-Identifier: BSD-3-Clause */
/* A bss of 256 MiB, as old codes declare it, costs nothing until it is touched: after shmem_init almost none of its
 * pages exist, and a remote put makes only the pages it writes to. */
#include "../../check.h"
#include <sys/mman.h>

#define BYTES (256ul << 20)
#define PAGES_ALLOWED 64 /* written ones, and the edges the array shares with other variables */

static char sparse[BYTES];

static size_t resident_pages(void)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), n = BYTES / page, count = 0;
    uintptr_t first = ((uintptr_t)sparse + page - 1) / page * page;
    unsigned char *flags = malloc(n);

    REQUIRE(flags, "no memory for %zu flags", n);
    REQUIRE(mincore((void *)first, (n - 1) * page, flags) == 0, "mincore failed on the array");
    for (size_t i = 0; i + 1 < n; i++)
        count += flags[i] & 1;
    free(flags);
    return count;
}

static void expect_sparse(const char *when)
{
    size_t pages = resident_pages();
    CHECK(pages <= PAGES_ALLOWED, "%s: %zu pages of the array exist, expected at most %d", when, pages, PAGES_ALLOWED);
}

int main(void)
{
    static const size_t places[] = {0, BYTES / 2 + 1, BYTES - 8};

    check_start();
    expect_sparse("after shmem_init");
    shmem_barrier_all();
    for (size_t i = 0; i < CHECK_COUNT(places); i++)
        shmem_char_p(&sparse[places[i]], (char)(check_me + 1), check_next());
    shmem_barrier_all();
    for (size_t i = 0; i < CHECK_COUNT(places); i++)
        CHECK(sparse[places[i]] == check_previous() + 1, "sparse[%zu] is %d, expected %d", places[i], sparse[places[i]],
              check_previous() + 1);
    CHECK(shmem_char_g(&sparse[BYTES / 3], check_next()) == 0, "a byte never written is %d, expected 0",
          shmem_char_g(&sparse[BYTES / 3], check_next()));
    expect_sparse("after three remote puts");
    return check_finish();
}
