/* SPDX-License-Identifier: BSD-3-Clause */
/* One transfer of 48 MiB and a few bytes each way, blocking, nonblocking and of 128-bit elements, between PE 0 and
 * the last PE while the others wait: far beyond every cache and every internal piece of a copy. */
#include "../../check.h"

#define BYTES ((48u << 20) + 48)

static unsigned char *memory;

static void expect(uint64_t seed, const char *what)
{
    check_verify(memory, BYTES, seed, what);
    CHECK(check_not_byte(memory + BYTES, 64, 0xee) == 64, "%s: bytes behind the target changed", what);
}

static void run(void)
{
    int last = check_npes - 1;
    unsigned char *local = malloc(BYTES);

    REQUIRE(local, "no memory for %u bytes", BYTES);
    memset(memory + BYTES, 0xee, 64);
    shmem_barrier_all();
    if (check_me == 0) {
        check_fill(local, BYTES, 11);
        shmem_putmem(memory, local, BYTES, last);
    }
    shmem_barrier_all();
    if (check_me == last)
        expect(11, "after shmem_putmem");
    shmem_barrier_all();
    if (check_me == 0) {
        memset(local, 0, BYTES);
        shmem_get128_nbi(local, memory, BYTES / 16, last);
        shmem_quiet();
        check_verify(local, BYTES, 11, "after shmem_get128_nbi and quiet");
        check_fill(local, BYTES, 12);
        shmem_put64_nbi(memory, local, BYTES / 8, last);
        shmem_quiet();
    }
    shmem_barrier_all();
    if (check_me == last)
        expect(12, "after shmem_put64_nbi and quiet");
    free(local);
}

int main(void)
{
    check_start();
    memory = shmem_malloc(BYTES + 64);
    REQUIRE(memory, "no memory for %u bytes", BYTES);
    run();
    shmem_free(memory);
    return check_finish();
}
