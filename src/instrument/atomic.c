/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Atomic operations: with -fsanitize=thread the compilers call a function in place of each, so these do it. Always
 * sequentially consistent, whatever order was asked for. One that changes memory is told of before, so that it is known
 * when another PE sees the new value; one that returns what was there, after.
 */
#include <stdbool.h>

#include "instrument/look.h"

enum { LOAD = CORE_WATCH_READ | CORE_WATCH_ATOMIC, STORE = CORE_WATCH_WRITE | CORE_WATCH_ATOMIC };

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;

/* ---- 1 to 8 bytes: the compiler's own ---- */

#define LOADED(at) __atomic_load_n(at, __ATOMIC_SEQ_CST)
#define EXCHANGED(at, v) __atomic_exchange_n(at, v, __ATOMIC_SEQ_CST)
#define COMPARED(at, seen, v) __atomic_compare_exchange_n(at, seen, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)

#define LOOK_BEFORE(at) instrument_look(at, sizeof *(at), STORE, INSTRUMENT_PC)
#define LOOK_AFTER(at) instrument_look(at, sizeof *(at), LOAD, INSTRUMENT_PC)

#define ATOMIC_ACCESS(bits, T)                                            \
    T __tsan_atomic##bits##_load(const volatile T *at, int order);        \
    T __tsan_atomic##bits##_load(const volatile T *at, int order)         \
    {                                                                     \
        (void)order;                                                      \
        T was = LOADED(at);                                               \
        LOOK_AFTER(at);                                                   \
        return was;                                                       \
    }                                                                     \
    void __tsan_atomic##bits##_store(volatile T *at, T value, int order); \
    void __tsan_atomic##bits##_store(volatile T *at, T value, int order)  \
    {                                                                     \
        (void)order;                                                      \
        LOOK_BEFORE(at);                                                  \
        EXCHANGED(at, value);                                             \
    }                                                                     \
    T __tsan_atomic##bits##_exchange(volatile T *at, T value, int order); \
    T __tsan_atomic##bits##_exchange(volatile T *at, T value, int order)  \
    {                                                                     \
        (void)order;                                                      \
        LOOK_BEFORE(at);                                                  \
        T was = EXCHANGED(at, value);                                     \
        LOOK_AFTER(at);                                                   \
        return was;                                                       \
    }

/* Three forms: strong and weak ones say whether they changed it, the third returns what was there. */
#define ATOMIC_COMPARE(bits, T, form)                                                                           \
    int __tsan_atomic##bits##_compare_exchange_##form(volatile T *at, T *seen, T value, int order, int failed); \
    int __tsan_atomic##bits##_compare_exchange_##form(volatile T *at, T *seen, T value, int order, int failed)  \
    {                                                                                                           \
        (void)order;                                                                                            \
        (void)failed;                                                                                           \
        LOOK_BEFORE(at);                                                                                        \
        bool done = COMPARED(at, seen, value);                                                                  \
        LOOK_AFTER(at);                                                                                         \
        return done;                                                                                            \
    }
#define ATOMIC_COMPARES(bits, T)                                                                          \
    ATOMIC_COMPARE(bits, T, strong)                                                                       \
    ATOMIC_COMPARE(bits, T, weak)                                                                         \
    T __tsan_atomic##bits##_compare_exchange_val(volatile T *at, T seen, T value, int order, int failed); \
    T __tsan_atomic##bits##_compare_exchange_val(volatile T *at, T seen, T value, int order, int failed)  \
    {                                                                                                     \
        (void)order;                                                                                      \
        (void)failed;                                                                                     \
        LOOK_BEFORE(at);                                                                                  \
        COMPARED(at, &seen, value);                                                                       \
        LOOK_AFTER(at);                                                                                   \
        return seen;                                                                                      \
    }

#define ATOMIC_FETCH(bits, T, op)                                           \
    T __tsan_atomic##bits##_fetch_##op(volatile T *at, T value, int order); \
    T __tsan_atomic##bits##_fetch_##op(volatile T *at, T value, int order)  \
    {                                                                       \
        (void)order;                                                        \
        LOOK_BEFORE(at);                                                    \
        T was = __atomic_fetch_##op(at, value, __ATOMIC_SEQ_CST);           \
        LOOK_AFTER(at);                                                     \
        return was;                                                         \
    }
#define ATOMIC_FETCHES(bits, T) \
    ATOMIC_FETCH(bits, T, add)  \
    ATOMIC_FETCH(bits, T, sub)  \
    ATOMIC_FETCH(bits, T, and)  \
    ATOMIC_FETCH(bits, T, or)   \
    ATOMIC_FETCH(bits, T, xor)  \
    ATOMIC_FETCH(bits, T, nand)

#define ATOMICS(bits, T) ATOMIC_ACCESS(bits, T) ATOMIC_COMPARES(bits, T) ATOMIC_FETCHES(bits, T)

ATOMICS(8, u8)
ATOMICS(16, u16)
ATOMICS(32, u32)
ATOMICS(64, u64)

/* ---- 16 bytes: all by the one instruction there is, as in the compiler's library, so that objects without
 * instrumentation may use the same memory ---- */

#if defined(__x86_64__) || defined(__aarch64__)
typedef unsigned __int128 u128;

#ifdef __x86_64__
__attribute__((target("cx16")))
#endif
static bool compared_128(volatile u128 *at, u128 *seen, u128 value)
{
    u128 was = __sync_val_compare_and_swap(at, *seen, value);
    bool done = was == *seen;

    *seen = was;
    return done;
}

static u128 loaded_128(const volatile u128 *at)
{
    u128 was = 0;

    compared_128((volatile u128 *)at, &was, 0); /* leaves what is there */
    return was;
}

enum op_128 { SET, ADD, SUB, AND, OR, XOR, NAND };

static u128 combined(enum op_128 op, u128 a, u128 b)
{
    switch (op) {
    case ADD:
        return a + b;
    case SUB:
        return a - b;
    case AND:
        return a & b;
    case OR:
        return a | b;
    case XOR:
        return a ^ b;
    case NAND:
        return ~(a & b);
    case SET:
        break;
    }
    return b;
}

static u128 changed_128(volatile u128 *at, enum op_128 op, u128 value)
{
    u128 was = loaded_128(at);

    while (!compared_128(at, &was, combined(op, was, value)))
        ;
    return was;
}

#undef LOADED
#undef EXCHANGED
#undef COMPARED
#define LOADED(at) loaded_128(at)
#define EXCHANGED(at, v) changed_128(at, SET, v)
#define COMPARED(at, seen, v) compared_128(at, seen, v)
ATOMIC_ACCESS(128, u128)
ATOMIC_COMPARES(128, u128)

#define FETCH_128(name, op)                                                       \
    u128 __tsan_atomic128_fetch_##name(volatile u128 *at, u128 value, int order); \
    u128 __tsan_atomic128_fetch_##name(volatile u128 *at, u128 value, int order)  \
    {                                                                             \
        (void)order;                                                              \
        LOOK_BEFORE(at);                                                          \
        u128 was = changed_128(at, op, value);                                    \
        LOOK_AFTER(at);                                                           \
        return was;                                                               \
    }
FETCH_128(add, ADD)
FETCH_128(sub, SUB)
FETCH_128(and, AND)
FETCH_128(or, OR)
FETCH_128(xor, XOR)
FETCH_128(nand, NAND)
#endif

/* ---- fences: nothing is told of ---- */

void __tsan_atomic_thread_fence(int order);
void __tsan_atomic_thread_fence(int order)
{
    (void)order;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

void __tsan_atomic_signal_fence(int order);
void __tsan_atomic_signal_fence(int order)
{
    (void)order;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}
