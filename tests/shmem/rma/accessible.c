/* SPDX-License-Identifier: BSD-3-Clause */
/* shmem_pe_accessible and shmem_addr_accessible: yes for every PE, its heap and its globals from first byte to last;
 * no for what is not symmetric and for PEs that don't exist. */
#include "../../check.h"

static int data = 1;
static int bss[100];

static void expect(const void *address, int pe, int expected, const char *what)
{
    int seen = shmem_addr_accessible(address, pe);
    CHECK(seen == expected, "shmem_addr_accessible(%s, %d) is %d, expected %d", what, pe, seen, expected);
}

int main(void)
{
    int on_stack = 0;
    int *private_memory = malloc(64);
    char *heap;

    check_start();
    heap = shmem_malloc(1000);
    REQUIRE(heap && private_memory, "no memory");
    for (int pe = 0; pe < check_npes; pe++) {
        CHECK(shmem_pe_accessible(pe) == 1, "shmem_pe_accessible(%d) is %d, expected 1", pe, shmem_pe_accessible(pe));
        expect(heap, pe, 1, "heap");
        expect(heap + 999, pe, 1, "heap, last byte");
        expect(&data, pe, 1, "data");
        expect(&bss[99], pe, 1, "bss");
        expect(&on_stack, pe, 0, "stack");
        expect(private_memory, pe, 0, "malloc");
        expect(NULL, pe, 0, "NULL");
    }
    CHECK(shmem_pe_accessible(-1) == 0, "shmem_pe_accessible(-1) is %d, expected 0", shmem_pe_accessible(-1));
    CHECK(shmem_pe_accessible(check_npes) == 0, "shmem_pe_accessible(number of PEs) is %d, expected 0",
          shmem_pe_accessible(check_npes));
    CHECK(data == 1, "data is %d, expected 1", data);
    free(private_memory);
    shmem_free(heap);
    return check_finish();
}
