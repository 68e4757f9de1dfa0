// SPDX-License-Identifier: BSD-3-Clause
// The header in C++: the C functions by their names, handles and constants in C++ initialisers, and symmetric objects
// that are static members, templates' statics and objects of an anonymous namespace.
#include "check.h"

namespace {

shmem_team_t team_here = SHMEM_TEAM_WORLD;
long anonymous_word;

struct Holder {
    static long member;
};
long Holder::member = 3;

template <typename T> struct Box {
    static T content[2];
};
template <typename T> T Box<T>::content[2];

template <typename T> bool moved(T *object, void (*put)(T *, const T *, size_t, int), T (*get)(const T *, int))
{
    const T out[2] = {static_cast<T>(check_me + 1), static_cast<T>(2)};

    shmem_barrier_all();
    put(object, out, 2, check_next());
    shmem_barrier_all();
    bool good = object[0] == static_cast<T>(check_previous() + 1) && object[1] == static_cast<T>(2);
    good = good && get(&object[0], check_next()) == static_cast<T>(check_me + 1);
    shmem_barrier_all();
    return good;
}

} // namespace

int main()
{
    check_start();
    CHECK(moved(Box<double>::content, shmem_double_put, shmem_double_g), "doubles on PE %d", check_me);
    CHECK(moved(Box<unsigned char>::content, shmem_uchar_put, shmem_uchar_g), "bytes on PE %d", check_me);
    CHECK(moved(Box<long long>::content, shmem_longlong_put, shmem_longlong_g), "long longs on PE %d", check_me);
    CHECK(moved(Box<long double>::content, shmem_longdouble_put, shmem_longdouble_g), "long doubles on PE %d",
          check_me);

    shmem_long_atomic_add(&Holder::member, 4, check_next());
    shmem_long_p(&anonymous_word, 70 + check_me, check_next());
    shmem_barrier_all();
    CHECK(Holder::member == 7, "the static member is %ld, expected 7", Holder::member);
    CHECK(anonymous_word == 70 + check_previous(), "the anonymous word is %ld, expected %d", anonymous_word,
          70 + check_previous());

    static long source = 1, sum;
    source = check_me;
    shmem_barrier_all();
    CHECK(shmem_long_sum_reduce(team_here, &sum, &source, 1) == 0, "sum_reduce on PE %d", check_me);
    CHECK(sum == static_cast<long>(check_npes) * (check_npes - 1) / 2, "the sum is %ld", sum);

    auto *heap = static_cast<int *>(shmem_malloc(sizeof(int)));
    REQUIRE(heap != nullptr, "shmem_malloc returned nullptr on PE %d", check_me);
    *heap = -check_me;
    shmem_barrier_all();
    CHECK(shmem_int_g(heap, check_next()) == -check_next(), "the heap holds %d", shmem_int_g(heap, check_next()));
    shmem_free(heap);
    return check_finish();
}
