/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The library of Split-C; docs/split-c.md is the language. Plain C programs may include it too: a global pointer is
 * then a struct sc_global. Names are linked as sc_..., so none of them reaches programs that are not Split-C's.
 *
 * Collective calls (all_...) are made by all processors in the same order. Errors end the job with a message.
 */
#ifndef SPLIT_C_SPLIT_C_H
#define SPLIT_C_SPLIT_C_H

#include <stddef.h>
#include <unistd.h> /* has a sync() of its own, whose name is given to ours below */

#include "../mpt/splitc_ops.h"

#ifdef __SPLITC__
struct sc_job_shown {
    unsigned long skipped[9];
    unsigned first, reach;
    int me, procs, log;
};
extern struct sc_job_shown sc_shown __asm__("sc_job"); /* struct sc_job, which the translated text has */
#define SC_JOB_ sc_shown
#define SC_G_(T) T *global
#define SC_S_(T) T *spread
#else
#include "rep.h"
#define SC_JOB_ sc_job
#define SC_G_(T) struct sc_global
#define SC_S_(T) struct sc_spread
#endif

#define MYPROC (SC_JOB_.me)
#define PROCS (SC_JOB_.procs)
#define PROCSLOG (SC_JOB_.log) /* -1: PROCS is no power of two */

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

/* ---- time, order, waits ---- */

double get_seconds(void) __asm__("sc_get_seconds");
/* All processors arrive before one leaves; all gets, puts and writes of each are done then. */
void barrier(void) __asm__("sc_barrier");
/* All gets and puts (:=, bulk_get, bulk_put) of this processor are done. */
void sync(void) __asm__("sc_sync");
int is_sync(void) __asm__("sc_is_sync"); /* would sync return at once? */
/* All stores (:-, bulk_store) of all processors have come. Collective. */
void all_store_sync(void) __asm__("sc_all_store_sync");
/* Until `bytes` more bytes of stores have come to this processor; they are used up by that. */
void store_sync(size_t bytes) __asm__("sc_store_sync");
/* What has come so far counts for no store_sync. */
void reset_store_sync(void) __asm__("sc_reset_store_sync");
/* Serve others; to be called in loops that wait for a variable. */
void splitc_poll(void) __asm__("sc_poll");

/* ---- blocks of bytes: to, from, bytes ---- */

void bulk_read(void *to, SC_G_(const void) from, size_t n, const char *file, int line) __asm__("sc_bulk_read");
void bulk_write(SC_G_(void) to, const void *from, size_t n, const char *file, int line) __asm__("sc_bulk_write");
void bulk_get(void *to, SC_G_(const void) from, size_t n, const char *file, int line) __asm__("sc_bulk_get");
void bulk_put(SC_G_(void) to, const void *from, size_t n, const char *file, int line) __asm__("sc_bulk_put");
void bulk_store(SC_G_(void) to, const void *from, size_t n, const char *file, int line) __asm__("sc_bulk_store");
#define bulk_read(to, from, n) bulk_read(to, from, n, __builtin_FILE(), __builtin_LINE())
#define bulk_write(to, from, n) bulk_write(to, from, n, __builtin_FILE(), __builtin_LINE())
#define bulk_get(to, from, n) bulk_get(to, from, n, __builtin_FILE(), __builtin_LINE())
#define bulk_put(to, from, n) bulk_put(to, from, n, __builtin_FILE(), __builtin_LINE())
#define bulk_store(to, from, n) bulk_store(to, from, n, __builtin_FILE(), __builtin_LINE())

/* ---- memory ---- */

/* A spread array of n blocks of `bytes` bytes. Collective. */
SC_S_(void) all_spread_malloc(size_t n, size_t bytes) __asm__("sc_all_spread_malloc");
void all_spread_free(SC_S_(void) array) __asm__("sc_all_spread_free");
/* The same by one processor alone; any processor may free it. */
SC_S_(void) spread_malloc(size_t n, size_t bytes) __asm__("sc_spread_malloc");
void spread_free(SC_S_(void) array) __asm__("sc_spread_free");
/* `bytes` bytes on each processor at the same local address. Collective. */
void *all_malloc(size_t bytes) __asm__("sc_all_malloc");
void all_free(void *p) __asm__("sc_all_free");
/* The address by which this processor loads and stores it, or NULL. */
void *is_local(SC_G_(const void) p) __asm__("sc_is_local");

/* ---- one value of each processor ----
 * all_reduce_to_one_OP (the result on processor 0, elsewhere 0), all_reduce_to_all_OP, all_scan_OP (of processors
 * 0 to MYPROC): OP is add, mult, max, min, and for integers or, and, xor; before it d double, f float, l long,
 * u unsigned, nothing int. */
#define SC_REDUCE_(T, name, ...)                                                \
    T all_reduce_to_one_##name(T value) __asm__("sc_all_reduce_to_one_" #name); \
    T all_reduce_to_all_##name(T value) __asm__("sc_all_reduce_to_all_" #name); \
    T all_scan_##name(T value) __asm__("sc_all_scan_" #name);
SC_REDUCTIONS(SC_REDUCE_)
#undef SC_REDUCE_

/* Processor 0's value, on all. all_bcast takes any type that can be assigned. */
int all_bcast_i(int value) __asm__("sc_all_bcast_i");
long all_bcast_l(long value) __asm__("sc_all_bcast_l");
float all_bcast_f(float value) __asm__("sc_all_bcast_f");
double all_bcast_d(double value) __asm__("sc_all_bcast_d");
void sc_all_bcast(void *value, size_t n);
#define all_bcast(value)                            \
    __extension__({                                 \
        __typeof__(value) sc_bcast_ = (value);      \
        sc_all_bcast(&sc_bcast_, sizeof sc_bcast_); \
        sc_bcast_;                                  \
    })

/* ---- atomic with all others on the same object; each returns what was there ---- */

int fetch_add(SC_G_(int) p, int value) __asm__("sc_fetch_add");
int exchange(SC_G_(int) p, int value) __asm__("sc_exchange");
int test_and_set(SC_G_(int) p) __asm__("sc_test_and_set"); /* sets 1 */
int cmp_swap(SC_G_(int) p, int expected, int value) __asm__("sc_cmp_swap");
long fetch_add_l(SC_G_(long) p, long value) __asm__("sc_fetch_add_l");
long exchange_l(SC_G_(long) p, long value) __asm__("sc_exchange_l");
long cmp_swap_l(SC_G_(long) p, long expected, long value) __asm__("sc_cmp_swap_l");

/* f(local address of *p, up to 8 integers or addresses) runs on p's processor, when that one waits or polls, one at a
 * time; it must not wait. Returns when it has run, with its value (a long; anything if f returns nothing). f is a
 * function of the program. */
long sc_atomic(void (*f)(void), SC_G_(void) p, const long *words, int n);
#define atomic(f, p, ...) SC_ATOMIC_(f, p, SC_COUNT_(0, ##__VA_ARGS__, 8, 7, 6, 5, 4, 3, 2, 1, 0), ##__VA_ARGS__)
#define SC_ATOMIC_(f, p, n, ...) SC_ATOMIC__(f, p, n, ##__VA_ARGS__)
#define SC_ATOMIC__(f, p, n, ...) \
    sc_atomic((void (*)(void))(f), (p), (const long[]){0 SC_WORDS_##n(__VA_ARGS__)} + 1, n)
#define SC_COUNT_(zero, a, b, c, d, e, f, g, h, n, ...) n
#define SC_WORDS_0(...)
#define SC_WORDS_1(a) , (long)(a)
#define SC_WORDS_2(a, ...) , (long)(a)SC_WORDS_1(__VA_ARGS__)
#define SC_WORDS_3(a, ...) , (long)(a)SC_WORDS_2(__VA_ARGS__)
#define SC_WORDS_4(a, ...) , (long)(a)SC_WORDS_3(__VA_ARGS__)
#define SC_WORDS_5(a, ...) , (long)(a)SC_WORDS_4(__VA_ARGS__)
#define SC_WORDS_6(a, ...) , (long)(a)SC_WORDS_5(__VA_ARGS__)
#define SC_WORDS_7(a, ...) , (long)(a)SC_WORDS_6(__VA_ARGS__)
#define SC_WORDS_8(a, ...) , (long)(a)SC_WORDS_7(__VA_ARGS__)

/* Locks: 0 is free. Not recursive. */
typedef int splitc_lock_t;
void splitc_lock(SC_G_(splitc_lock_t) p) __asm__("sc_lock");
int splitc_trylock(SC_G_(splitc_lock_t) p) __asm__("sc_trylock"); /* 1: it is ours now */
void splitc_unlock(SC_G_(splitc_lock_t) p) __asm__("sc_unlock");

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#include "control.h"
#endif
