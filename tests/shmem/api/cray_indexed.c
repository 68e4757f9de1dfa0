/* SPDX-License-Identifier: BSD-3-Clause */
/* Cray's gather and scatter: shmem_ixput and shmem_ixget, untyped, sized and typed, with unsorted, repeated (gather)
 * and large indices, and nothing written between the elements. Also the cache calls, which must leave data alone. */
#include "check.h"

enum { SPREAD = 5000, MOST = 701 };

#define CRAY_TYPES(X)               \
    X(short_ix, short, long)        \
    X(int_ix, int, long)            \
    X(long_ix, long, long)          \
    X(longlong_ix, long long, long) \
    X(float_ix, float, long)        \
    X(double_ix, double, long)

/* A scatter of n elements to distinct places, in an order that is neither up nor down; 0 elsewhere. */
static size_t place(size_t i, size_t n)
{
    return (i * 7 + 3) % n * (SPREAD / MOST);
}

#define DEFINE(NAME, T, INDEX, PUT, GET)                                                              \
    static void use_##NAME(void *symmetric, size_t n)                                                 \
    {                                                                                                 \
        static T flat[MOST];                                                                          \
        static INDEX index[MOST];                                                                     \
        T *spread = symmetric;                                                                        \
        size_t wrong = 0, written = 0;                                                                \
                                                                                                      \
        memset(spread, 0, SPREAD * sizeof(T));                                                        \
        for (size_t i = 0; i < n; i++) {                                                              \
            flat[i] = (T)(1 + (check_me * 31 + (int)i) % 999);                                        \
            index[i] = (INDEX)place(i, n);                                                            \
        }                                                                                             \
        shmem_barrier_all();                                                                          \
        PUT(spread, flat, index, n, check_next());                                                    \
        shmem_barrier_all();                                                                          \
        for (size_t i = 0; i < n; i++)                                                                \
            wrong += spread[place(i, n)] != (T)(1 + (check_previous() * 31 + (int)i) % 999);          \
        for (size_t i = 0; i < SPREAD; i++)                                                           \
            written += spread[i] != 0;                                                                \
        CHECK(wrong == 0 && written == n, #PUT " of %zu: %zu wrong, %zu written", n, wrong, written); \
        shmem_barrier_all();                                                                          \
        for (size_t i = 0; i < n; i++)                                                                \
            index[i] = (INDEX)place(i / 2, n);                                                        \
        GET(flat, spread, index, n, check_next());                                                    \
        wrong = 0;                                                                                    \
        for (size_t i = 0; i < n; i++)                                                                \
            wrong += flat[i] != (T)(1 + (check_me * 31 + (int)(i / 2)) % 999);                        \
        CHECK(wrong == 0, #GET " of %zu: %zu wrong", n, wrong);                                       \
        shmem_barrier_all();                                                                          \
    }
#define DEFINE_TYPED(NAME, T, INDEX) DEFINE(NAME, T, INDEX, shmem_##NAME##put, shmem_##NAME##get)
CRAY_TYPES(DEFINE_TYPED)
DEFINE(ix, uint64_t, long, shmem_ixput, shmem_ixget)
DEFINE(ix64, uint64_t, long, shmem_ixput64, shmem_ixget64)
DEFINE(ix32, uint32_t, int, shmem_ixput32, shmem_ixget32)

static void use_cache_calls(void *symmetric)
{
    long *word = symmetric;

    *word = 11 + check_me;
    shmem_set_cache_inv();
    shmem_set_cache_line_inv(word);
    shmem_udcflush_line(word);
    shmem_udcflush();
    shmem_clear_cache_line_inv(word);
    shmem_clear_cache_inv();
    shmem_barrier_all();
    CHECK(shmem_long_g(word, check_next()) == 11 + check_next(), "a word changed under the cache calls: %ld",
          shmem_long_g(word, check_next()));
    shmem_barrier_all();
}

int main(void)
{
    static long long global[SPREAD];
    static const size_t sizes[] = {0, 1, 2, 13, MOST};
    check_start();
    void *heap = shmem_malloc(SPREAD * sizeof(long long)), *const objects[] = {heap, global};

    REQUIRE(heap != NULL, "shmem_malloc of %zu bytes returned NULL", SPREAD * sizeof(long long));
#define USE(NAME, T, INDEX) use_##NAME(objects[o], sizes[s]);
    for (size_t o = 0; o < 2; o++) {
        for (size_t s = 0; s < CHECK_COUNT(sizes); s++) {
            CRAY_TYPES(USE)
            use_ix(objects[o], sizes[s]);
            use_ix64(objects[o], sizes[s]);
            use_ix32(objects[o], sizes[s]);
        }
        use_cache_calls(objects[o]);
    }
    return check_finish();
}
