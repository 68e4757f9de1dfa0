/* SPDX-License-Identifier: BSD-3-Clause */
/* shmem_align with every power of two from 1 to half the heap and more (tasks: to 2 MiB), and sizes from 0 to half the
 * heap: blocks of the same offset everywhere, on a heap that is whole and on one full of holes; what is no power of two
 * or too large is refused on all PEs. */
#include "heap.h"

enum { CELLS = 64, MOST_ALIGNMENTS = 62 };

static size_t most_alignment = SIZE_MAX;

/* The largest block there is, to a page: nearly the whole heap. */
static size_t largest(void)
{
    size_t low = 0, high = (size_t)1 << 44;

    while (high - low > 4096) {
        size_t middle = low + (high - low) / 2;
        void *p = shmem_malloc(middle);
        *(p ? &low : &high) = middle;
        shmem_free(p);
    }
    return low;
}

static void take(size_t alignment, size_t size)
{
    char *p = shmem_align(alignment, size);

    if (!CHECK((p != NULL) == (size > 0), "shmem_align(%zu, %zu) returned %p", alignment, size, (void *)p) || !p)
        return;
    CHECK((uintptr_t)p % alignment == 0, "shmem_align(%zu, %zu) returned %p", alignment, size, (void *)p);
    heap_same(p, "align");
    heap_usable(p, size, "align");
    shmem_free(p);
}

static void all_sizes(size_t half)
{
    for (size_t alignment = 1; alignment <= half && alignment <= most_alignment; alignment *= 2) {
        const size_t sizes[] = {0, 1, 24, 64, 65, alignment - 1, alignment, alignment + 1, half / 2, half - 4096};

        for (size_t i = 0; i < CHECK_COUNT(sizes); i++)
            if (sizes[i] <= half - 4096) /* the first block lies before */
                take(alignment, sizes[i]);
    }
}

/* One block of each alignment at the same time, from the largest down: those of a byte to a page fill the gaps. */
static void together(size_t half)
{
    char *block[MOST_ALIGNMENTS];
    int n = 0;

    for (size_t alignment = half / 2 < most_alignment ? half / 2 : most_alignment; alignment > 0 && n < MOST_ALIGNMENTS;
         alignment /= 2) {
        char *p = block[n++] = shmem_align(alignment, 100);
        REQUIRE(p && (uintptr_t)p % alignment == 0, "shmem_align(%zu, 100) beside %d others returned %p", alignment,
                n - 1, (void *)p);
        memset(p, n, 100);
    }
    for (int i = 0; i < n; i++) {
        CHECK(check_not_byte((unsigned char *)block[i], 100, (unsigned char)(i + 1)) == 100, "block %d was written to",
              i);
        shmem_free(block[i]);
    }
}

/* Every other cell of a full heap is free: what fits between two cells is found whatever its alignment, what needs
 * more is not there until two neighbours are free. */
static void holes(size_t most)
{
    size_t cell = (most / (CELLS + 2)) & ~(size_t)4095, alignment = 1;
    char *block[CELLS], *rest[64];
    int rests = 0;

    while (alignment * 4 <= cell && alignment < most_alignment)
        alignment *= 2;
    for (int i = 0; i < CELLS; i++)
        REQUIRE((block[i] = shmem_malloc(cell)), "no room for block %d of %zu bytes", i, cell);
    for (size_t n = most; n >= 4096; n /= 2)
        while (rests < 64 && (rest[rests] = shmem_malloc(n)))
            rests++;
    for (int i = 0; i < CELLS; i += 2)
        shmem_free(block[i]);
    for (size_t a = 1; a <= alignment; a *= 2)
        take(a, cell - 2 * alignment);
    CHECK(shmem_align(alignment, cell + 4096) == NULL, "a block larger than any hole was found");
    shmem_free(block[1]);
    take(alignment, 2 * cell);
    for (int i = 3; i < CELLS; i += 2)
        shmem_free(block[i]);
    while (rests > 0)
        shmem_free(rest[--rests]);
}

static void refused(size_t most)
{
    const size_t wrong[] = {0, 3, 24, 63, 4097, SIZE_MAX, (size_t)1 << 63, (size_t)1 << 62};
    char *p;

    for (size_t i = 0; i < CHECK_COUNT(wrong); i++)
        CHECK((p = shmem_align(wrong[i], 100)) == NULL, "shmem_align(%zu, 100) returned %p", wrong[i], (void *)p);
    CHECK((p = shmem_align(1 << 20, SIZE_MAX)) == NULL, "shmem_align(1 MiB, SIZE_MAX) returned %p", (void *)p);
    CHECK((p = shmem_align(1 << 20, SIZE_MAX - (1 << 20))) == NULL, "size + alignment overflows: %p", (void *)p);
    CHECK((p = shmem_align(64, most + 8192)) == NULL, "more than the heap: %p", (void *)p);
}

int main(void)
{
    size_t before, after, half = 1;

    check_start();
    heap_start();
    if (heap_tasks())
        most_alignment = HEAP_TASKS_ALIGNMENT;
    before = largest();
    while (half <= before / 2) /* of the heap, of which the first block took a little */
        half *= 2;
    all_sizes(half);
    together(half);
    refused(before);
    holes(before);
    after = largest();
    CHECK(after == before, "the largest block was %zu, and is %zu now that all is free again", before, after);
    return check_finish();
}
