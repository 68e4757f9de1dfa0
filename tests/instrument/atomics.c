/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Atomic operations of instrumented programs do what the language says: results, memory, among threads; and are told
 * of.
 */
#include "counts.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

enum {
    THREADS = 4,
    TIMES = 20000,
    LOAD = CORE_WATCH_READ | CORE_WATCH_ATOMIC,
    STORE = CORE_WATCH_WRITE | CORE_WATCH_ATOMIC
};

#define CHECK(ok)                                                    \
    do {                                                             \
        if (!(ok)) {                                                 \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #ok); \
            exit(1);                                                 \
        }                                                            \
    } while (0)

/* `all`: a value of the type with bits everywhere. */
#define OPERATIONS(name, T, all)                                                                 \
    static _Atomic T name;                                                                       \
    static void name##_operations(void)                                                          \
    {                                                                                            \
        const T a = (T)(all), b = (T)(a >> 3);                                                   \
        T seen = 1;                                                                              \
        CHECK(atomic_load(&name) == 0);                                                          \
        atomic_store(&name, a);                                                                  \
        CHECK(atomic_load_explicit(&name, memory_order_relaxed) == a);                           \
        CHECK(atomic_exchange(&name, b) == a && name == b);                                      \
        CHECK(atomic_fetch_add(&name, a) == b && name == (T)(a + b));                            \
        CHECK(atomic_fetch_sub(&name, a) == (T)(a + b) && name == b);                            \
        CHECK(atomic_fetch_or(&name, a) == b && name == (T)(a | b));                             \
        CHECK(atomic_fetch_xor(&name, b) == (T)(a | b) && name == (T)((a | b) ^ b));             \
        CHECK(atomic_fetch_and(&name, a) == (T)((a | b) ^ b) && name == (T)(((a | b) ^ b) & a)); \
        atomic_store_explicit(&name, b, memory_order_release);                                   \
        CHECK(__atomic_fetch_nand(&name##_plain, a, 5) == 0 && name##_plain == (T) ~(T)0);       \
        CHECK(__sync_lock_test_and_set(&name##_plain, b) == (T) ~(T)0 && name##_plain == b);     \
        CHECK(__sync_val_compare_and_swap(&name##_plain, b, a) == b && name##_plain == a);       \
        CHECK(!atomic_compare_exchange_strong(&name, &seen, a) && seen == b && name == b);       \
        CHECK(atomic_compare_exchange_strong(&name, &seen, a) && seen == b && name == a);        \
        seen = b;                                                                                \
        CHECK(!atomic_compare_exchange_weak(&name, &seen, b) && seen == a);                      \
        while (!atomic_compare_exchange_weak(&name, &seen, b))                                   \
            ;                                                                                    \
        CHECK(name == b);                                                                        \
        name++;                                                                                  \
        CHECK(name == (T)(b + 1));                                                               \
        atomic_store(&name, 0);                                                                  \
    }                                                                                            \
    static void *name##_thread(void *arg)                                                        \
    {                                                                                            \
        for (int i = 0; i < TIMES; i++) {                                                        \
            T was = atomic_load(&name);                                                          \
            while (!atomic_compare_exchange_weak(&name, &was, (T)(was + 3)))                     \
                ;                                                                                \
            name -= 2;                                                                           \
        }                                                                                        \
        return arg;                                                                              \
    }                                                                                            \
    static void name##_threads(void)                                                             \
    {                                                                                            \
        pthread_t thread[THREADS];                                                               \
        for (int i = 0; i < THREADS; i++)                                                        \
            CHECK(pthread_create(&thread[i], NULL, name##_thread, NULL) == 0);                   \
        for (int i = 0; i < THREADS; i++)                                                        \
            CHECK(pthread_join(thread[i], NULL) == 0);                                           \
        CHECK(name == (T)(THREADS * TIMES));                                                     \
    }

static unsigned char one_plain;
static unsigned short two_plain;
static unsigned four_plain;
static unsigned long eight_plain;
static unsigned __int128 sixteen_plain __attribute__((aligned(16)));
OPERATIONS(one, unsigned char, 0xa7)
OPERATIONS(two, unsigned short, 0xa71b)
OPERATIONS(four, unsigned, 0xa71b9f35)
OPERATIONS(eight, unsigned long, 0xa71b9f35c2d4e687)
#ifdef SIXTEEN
OPERATIONS(sixteen, unsigned __int128, (unsigned __int128)0xa71b9f35c2d4e687 << 64 | 0x123456789abcdef)
#endif

static atomic_flag flag = ATOMIC_FLAG_INIT;

static void told(void)
{
    watch(&eight, sizeof eight);
    eight = 5;
    expect(STORE, 1, 8, &eight, "atomic store");
    CHECK(eight == 5);
    expect(LOAD, 1, 8, &eight, "atomic load");
    CHECK(atomic_fetch_add(&eight, 2) == 5);
    CHECK(counted.n == 2 && counted.calls[STORE] == 1 && counted.calls[LOAD] == 1);
}

int main(void)
{
    one_operations(), two_operations(), four_operations(), eight_operations();
    one_threads(), two_threads(), four_threads(), eight_threads();
#ifdef SIXTEEN
    sixteen_operations(), sixteen_threads();
#else
    (void)sixteen_plain;
#endif
    CHECK(!atomic_flag_test_and_set(&flag) && atomic_flag_test_and_set(&flag));
    atomic_flag_clear(&flag);
    CHECK(!atomic_flag_test_and_set(&flag));
    atomic_thread_fence(memory_order_seq_cst);
    atomic_signal_fence(memory_order_acquire);
    told();
    puts("atomics right");
    return 0;
}
