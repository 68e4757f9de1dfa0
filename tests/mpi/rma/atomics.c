/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Accumulates of all ranks on the same elements at once: no update is lost, for
 * every predefined type and operation that can be judged; compare-and-swap as a
 * spin lock around plain accesses; aligned and unaligned elements; pairs with gaps.
 */
#include "window.h"

enum { TIMES = 300, N = 21 };

static struct type {
    MPI_Datatype type;
    const char *name;
    int size;
    char kind; /* i: integer, f: float, d: double, l: long double, c: double complex */
} types[] = {
    {MPI_INT8_T, "int8", 1, 'i'},
    {MPI_UINT16_T, "uint16", 2, 'i'},
    {MPI_INT, "int", 4, 'i'},
    {MPI_INT64_T, "int64", 8, 'i'},
    {MPI_AINT, "aint", 8, 'i'},
    {MPI_FLOAT, "float", 4, 'f'},
    {MPI_DOUBLE, "double", 8, 'd'},
    {MPI_LONG_DOUBLE, "long double", sizeof(long double), 'l'},
    {MPI_C_DOUBLE_COMPLEX, "double complex", 16, 'c'},
    {MPI_UNSIGNED_CHAR, "unsigned char", 1, 'i'},
    {MPI_LONG, "long", sizeof(long), 'i'},
    {MPI_UINT32_T, "uint32", 4, 'i'},
    /* types by precision and range: made by main */
    {MPI_DATATYPE_NULL, "integer(9)", 4, 'i'},
    {MPI_DATATYPE_NULL, "integer(18)", 8, 'i'},
    {MPI_DATATYPE_NULL, "real(6)", 4, 'f'},
    {MPI_DATATYPE_NULL, "real(15)", 8, 'd'},
    {MPI_DATATYPE_NULL, "complex(15)", 16, 'c'},
};
enum { TYPES = sizeof types / sizeof *types, F90 = 5 };

static void store(void *at, const struct type *t, double value)
{
    int64_t i = (int64_t)value;
    float f = (float)value;
    long double l = value;
    double c[2] = {value, -value};

    memset(at, 0, (size_t)t->size);
    memcpy(at,
           t->kind == 'i'   ? (void *)&i
           : t->kind == 'f' ? (void *)&f
           : t->kind == 'l' ? (void *)&l
                            : (void *)c,
           t->kind == 'l' ? sizeof l : (size_t)t->size); /* little-endian: the low bytes of an integer come first */
}

static double load(const void *at, const struct type *t)
{
    uint64_t i = 0;
    float f;
    long double l;
    double d;

    switch (t->kind) {
    case 'i':
        memcpy(&i, at, (size_t)t->size);
        return (double)(int64_t)i;
    case 'f':
        memcpy(&f, at, sizeof f);
        return f;
    case 'l':
        memcpy(&l, at, sizeof l);
        return (double)l;
    default:
        memcpy(&d, at, sizeof d);
        return d;
    }
}

/* shift: bytes off alignment. */
static void sums(struct window *w, const struct type *t, int shift)
{
    char ones[16 * N];
    double expected = (double)mc_size * (TIMES / 2) * 1;

    if (t->size == 1)
        expected = (double)((uint8_t)(int)expected);
    memset(w->base, 0, (size_t)w->bytes);
    for (int i = 0; i < N; i++)
        store(ones + i * t->size, t, 1);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, w->win);
    for (int k = 0; k < TIMES / 2; k++)
        OK(MPI_Accumulate(ones, N, t->type, 0, window_disp(w, 0, shift), N, t->type, MPI_SUM, w->win));
    MPI_Win_unlock_all(w->win);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; mc_rank == 0 && i < N; i++) {
        double got = load(w->base + shift + i * t->size, t);

        if (t->size == 1)
            got = (double)(uint8_t)(int)got;
        CHECK(got == expected, "%s: %s, %d off: sum %d is %g, not %g", flavour_names[w->flavour], t->name, shift, i,
              got, expected);
        if (t->kind == 'c')
            CHECK(load(w->base + shift + i * t->size + 8, t) == -expected, "%s: imaginary part", t->name);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Maximum and minimum of numbers that all draw; REPLACE leaves one of them; NO_OP reads. */
static void extremes(struct window *w, const struct type *t)
{
    uint64_t rng = 99 + (uint64_t)mc_rank;
    double most = -1, least = 1000, replaced, all_most, all_least;
    char value[16], own[16], old[16];

    memset(w->base, 0, 256);
    store(own, t, 7 + mc_rank);
    store(w->base + 64, t, 101);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, w->win);
    for (int k = 0; k < TIMES; k++) {
        double v = (double)check_random_below(&rng, 100);

        most = v > most ? v : most;
        least = v < least ? v : least;
        store(value, t, v);
        OK(MPI_Fetch_and_op(value, old, t->type, 0, window_disp(w, 0, 0), MPI_MAX, w->win));
        OK(MPI_Win_flush(0, w->win));
        CHECK(load(old, t) <= 100, "%s: old maximum %g", t->name, load(old, t));
        OK(MPI_Accumulate(value, 1, t->type, 0, window_disp(w, 0, 64), 1, t->type, MPI_MIN, w->win));
        OK(MPI_Accumulate(own, 1, t->type, 0, window_disp(w, 0, 128), 1, t->type, MPI_REPLACE, w->win));
        OK(MPI_Win_flush_local(0, w->win));
    }
    MPI_Win_unlock_all(w->win);
    MPI_Allreduce(&most, &all_most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    MPI_Allreduce(&least, &all_least, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, w->win);
    OK(MPI_Fetch_and_op(NULL, old, t->type, 0, window_disp(w, 0, 0), MPI_NO_OP, w->win));
    OK(MPI_Get_accumulate(NULL, 0, MPI_DATATYPE_NULL, value, 1, t->type, 0, window_disp(w, 0, 64), 1, t->type,
                          MPI_NO_OP, w->win));
    MPI_Win_unlock(0, w->win);
    CHECK(load(old, t) == all_most, "%s, %s: maximum %g, not %g", flavour_names[w->flavour], t->name, load(old, t),
          all_most);
    CHECK(load(value, t) == all_least, "%s, %s: minimum %g, not %g", flavour_names[w->flavour], t->name, load(value, t),
          all_least);
    replaced = mc_rank == 0 ? load(w->base + 128, t) : 7;
    CHECK(replaced >= 7 && replaced < 7 + mc_size, "%s: replaced by %g", t->name, replaced);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Each rank sets, clears and toggles two bits of its own, 32 ranks in a pair of words. */
static void bits(struct window *w)
{
    enum { SHARE = 32 };
    const int pair = mc_rank / SHARE * 16, pairs = (mc_size + SHARE - 1) / SHARE, shift = mc_rank % SHARE * 2;
    uint64_t mine = 3ull << shift, not_mine = ~(1ull << shift), old;
    const uint64_t *words = (const void *)w->base;

    memset(w->base, 0, (size_t)pairs * 16);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, w->win);
    for (int k = 0; k < TIMES; k++) {
        OK(MPI_Fetch_and_op(&mine, &old, MPI_UINT64_T, 0, window_disp(w, 0, pair), MPI_BOR, w->win));
        OK(MPI_Win_flush(0, w->win));
        CHECK(k == 0 || (old & mine) == (mine & not_mine), "own bits before or: %llx", (unsigned long long)old);
        OK(MPI_Accumulate(&not_mine, 1, MPI_UINT64_T, 0, window_disp(w, 0, pair), 1, MPI_UINT64_T, MPI_BAND, w->win));
        OK(MPI_Accumulate(&mine, 1, MPI_UINT64_T, 0, window_disp(w, 0, pair + 8), 1, MPI_UINT64_T, MPI_BXOR, w->win));
    }
    MPI_Win_unlock_all(w->win);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; mc_rank == 0 && i < pairs; i++) {
        int here = mc_size - i * SHARE < SHARE ? mc_size - i * SHARE : SHARE;
        uint64_t expected = 0xaaaaaaaaaaaaaaaaull >> (64 - 2 * here);

        CHECK(words[2 * i] == expected && words[2 * i + 1] == 0, "%s, words %d: %llx %llx, not %llx 0",
              flavour_names[w->flavour], i, (unsigned long long)words[2 * i], (unsigned long long)words[2 * i + 1],
              (unsigned long long)expected);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/* MPI_SHORT_INT and MPI_DOUBLE_INT have gaps: memory is not the packed form. */
static void pairs(struct window *w)
{
    struct {
        short value;
        int rank;
    } s[3], *at = (void *)w->base;
    struct {
        double value;
        int rank;
    } d = {1.5 * mc_rank, mc_rank}, *dat = (void *)(w->base + 64), old = {-1, -1};

    memset(w->base, 0, 256);
    for (int i = 0; i < 3; i++) {
        s[i].value = (short)(100 + (i == 1 ? -mc_rank : mc_rank));
        s[i].rank = mc_rank;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, w->win);
    OK(MPI_Accumulate(s, 3, MPI_SHORT_INT, 0, window_disp(w, 0, 0), 3, MPI_SHORT_INT, MPI_MAXLOC, w->win));
    OK(MPI_Fetch_and_op(&d, &old, MPI_DOUBLE_INT, 0, window_disp(w, 0, 64), MPI_MAXLOC, w->win));
    MPI_Win_unlock_all(w->win);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(old.value >= 0 && old.value <= 1.5 * mc_size && old.rank >= 0 && old.rank < mc_size, "old pair %g, %d",
          old.value, old.rank);
    if (mc_rank == 0) {
        CHECK(at[0].value == 100 + mc_size - 1 && at[0].rank == mc_size - 1, "pair 0: %d, %d", at[0].value, at[0].rank);
        CHECK(at[1].value == 100 && at[1].rank == 0, "pair 1: %d, %d", at[1].value, at[1].rank);
        CHECK(at[3].value == 0 && at[3].rank == 0, "nothing behind the pairs");
        CHECK(dat->value == 1.5 * (mc_size - 1) && dat->rank == mc_size - 1, "double and int: %g, %d", dat->value,
              dat->rank);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/* A lock of compare-and-swap around a read and a write of a plain counter. */
static void spin_lock(struct window *w, MPI_Datatype type, int size)
{
    enum { TURNS = 40 };
    int64_t mine = mc_rank + 1, none = 0, old = 0, count;

    memset(w->base, 0, 64);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, w->win);
    for (int k = 0; k < TURNS; k++) {
        do {
            old = 0;
            OK(MPI_Compare_and_swap(&mine, &none, &old, type, 0, window_disp(w, 0, 0), w->win));
            OK(MPI_Win_flush(0, w->win));
        } while (old != 0);
        OK(MPI_Get(&count, 1, MPI_INT64_T, 0, window_disp(w, 0, 32), 1, MPI_INT64_T, w->win));
        OK(MPI_Win_flush(0, w->win));
        count++;
        OK(MPI_Put(&count, 1, MPI_INT64_T, 0, window_disp(w, 0, 32), 1, MPI_INT64_T, w->win));
        OK(MPI_Win_flush(0, w->win));
        OK(MPI_Compare_and_swap(&none, &mine, &old, type, 0, window_disp(w, 0, 0), w->win));
        OK(MPI_Win_flush(0, w->win));
        CHECK(memcmp(&old, &mine, (size_t)size) == 0, "the lock was mine");
    }
    MPI_Win_unlock_all(w->win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (mc_rank == 0)
        CHECK(((int64_t *)(void *)w->base)[4] == (int64_t)TURNS * mc_size, "%s: the counter is %lld",
              flavour_names[w->flavour], (long long)((int64_t *)(void *)w->base)[4]);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Every rank adds to one element and gets the old value: in all, each value once. */
static void fetches(struct window *w, const struct type *t)
{
    enum { TURNS = 10 };
    double all[64 * TURNS] = {0}, got[TURNS], expected;
    char one[16], old[16];

    memset(w->base, 0, 64);
    store(one, t, 1);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, w->win);
    for (int k = 0; k < TURNS; k++) {
        OK(MPI_Fetch_and_op(one, old, t->type, 0, window_disp(w, 0, 16), MPI_SUM, w->win));
        OK(MPI_Win_flush(0, w->win));
        got[k] = load(old, t);
    }
    MPI_Win_unlock_all(w->win);
    OK(MPI_Allgather(got, TURNS, MPI_DOUBLE, all, TURNS, MPI_DOUBLE, MPI_COMM_WORLD));
    expected = 0;
    for (int i = 0; i < mc_size * TURNS; i++)
        expected += all[i] - i;
    CHECK(expected == 0, "%s: %s: values fetched are %g off", flavour_names[w->flavour], t->name, expected);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void all(struct window *w)
{
    for (int t = 0; t < TYPES; t++) {
        sums(w, &types[t], 0);
        sums(w, &types[t], 3);
        if (types[t].kind != 'c')
            extremes(w, &types[t]);
        if (mc_size <= 8)
            fetches(w, &types[t]);
    }
    bits(w);
    pairs(w);
    spin_lock(w, MPI_INT64_T, 8);
    spin_lock(w, MPI_UINT8_T, 1);
    spin_lock(w, MPI_UINT16_T, 2);
    spin_lock(w, MPI_CHAR, 1);
    spin_lock(w, types[TYPES - F90].type, types[TYPES - F90].size);
}

int main(void)
{
    mc_start();
    OK(MPI_Type_create_f90_integer(9, &types[TYPES - F90].type));
    OK(MPI_Type_create_f90_integer(18, &types[TYPES - F90 + 1].type));
    OK(MPI_Type_create_f90_real(6, MPI_UNDEFINED, &types[TYPES - F90 + 2].type));
    OK(MPI_Type_create_f90_real(15, MPI_UNDEFINED, &types[TYPES - F90 + 3].type));
    OK(MPI_Type_create_f90_complex(15, MPI_UNDEFINED, &types[TYPES - F90 + 4].type));
    window_each(4096, 1, all);
    return mc_finish();
}
