/* SPDX-License-Identifier: BSD-3-Clause */
/* shmem_putmem and shmem_getmem of lengths round every power of two up to 8 MiB, from and to odd addresses: the
 * places where a copy routine changes its method. Guards on both sides of the target must survive. */
#include "../../check.h"

#define LARGEST (8u << 20)
#define MARGIN 256
#define GUARD 0xc3

static unsigned char *target, *local;

struct shape {
    size_t bytes, dest_offset, source_offset;
};

static void guard(unsigned char *memory, size_t bytes)
{
    memset(memory, GUARD, MARGIN);
    memset(memory + MARGIN + bytes, GUARD, MARGIN);
}

static void verify(const unsigned char *memory, const struct shape *s, uint64_t seed, const char *call)
{
    size_t before = check_not_byte(memory, MARGIN, GUARD);
    size_t after = check_not_byte(memory + MARGIN + s->bytes, MARGIN, GUARD);
    size_t at = check_differs(memory + MARGIN, s->bytes, seed);

    CHECK(at == s->bytes, "%s of %zu bytes, offsets %zu and %zu: byte %zu is 0x%02x, expected 0x%02x", call, s->bytes,
          s->dest_offset, s->source_offset, at, memory[MARGIN + at], check_pattern(seed, at));
    CHECK(before == MARGIN, "%s of %zu bytes, offsets %zu and %zu: wrote %zu bytes before the target", call, s->bytes,
          s->dest_offset, s->source_offset, MARGIN - before);
    CHECK(after == MARGIN, "%s of %zu bytes, offsets %zu and %zu: wrote %zu bytes behind the target", call, s->bytes,
          s->dest_offset, s->source_offset, after + 1);
}

static void put(const struct shape *s, uint64_t seed)
{
    unsigned char *dest = target + s->dest_offset, *source = local + s->source_offset;

    guard(dest, s->bytes);
    check_fill(source, s->bytes, seed + check_me);
    shmem_barrier_all();
    shmem_putmem(dest + MARGIN, source, s->bytes, check_next());
    shmem_barrier_all();
    verify(dest, s, seed + check_previous(), "shmem_putmem");
}

static void get(const struct shape *s, uint64_t seed)
{
    unsigned char *dest = local + s->dest_offset, *source = target + s->source_offset;

    guard(dest, s->bytes);
    check_fill(source, s->bytes, seed + check_me);
    shmem_barrier_all();
    shmem_getmem(dest + MARGIN, source, s->bytes, check_next());
    verify(dest, s, seed + check_next(), "shmem_getmem");
    shmem_barrier_all();
}

/* Small lengths are cheap: all offsets of a word. Large ones take one odd pair each, another for each length. */
static void both(size_t bytes, uint64_t *random)
{
    size_t trials = bytes <= 512 ? 8 : 1;

    for (size_t i = 0; i < trials; i++) {
        struct shape s = {bytes, check_random_below(random, 64), check_random_below(random, 64)};
        put(&s, bytes * 8 + i * 1024);
        get(&s, bytes * 8 + i * 1024 + 512);
    }
}

int main(void)
{
    uint64_t random = check_seed(5);
    size_t size = LARGEST + 2 * MARGIN + 64 + 16, largest;

    check_start();
    largest = check_npes <= 2 ? LARGEST : LARGEST / 8;
    target = shmem_malloc(size);
    local = malloc(size);
    REQUIRE(target && local, "no memory for 2 x %zu bytes", size);
    for (size_t power = 1; power <= largest; power *= 2) {
        both(power - 1, &random);
        both(power, &random);
        both(power + 1, &random);
    }
    if (largest < LARGEST)
        both(LARGEST + 1, &random);
    free(local);
    shmem_free(target);
    return check_finish();
}
