/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Generic Active Messages (GAM 1.1), with what its successors added; docs/am.md tells how to use it. A request runs a
 * handler at another PE, which may answer its sender by one reply. Handlers run inside am_poll and every other wait of
 * the library, on that thread; they neither wait nor send requests. The calls are macros over functions of the same
 * names: they cast handlers and words, and words left out are 0. One thread at a time calls them.
 *
 * Calls return 0, or a negative AM_E... after the program's error handler has been told; without one the job ends.
 */
#ifndef MPT_AM_H
#define MPT_AM_H

#include <stddef.h>
#include <stdint.h>

#include "mpt/fast.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef int vnn_t;         /* a PE */
typedef intptr_t am_word;  /* holds an integer or an address */
typedef void (*am_handler)(void); /* any handler, or AM_INDEX(i) */

typedef void (*handler_0_t)(vnn_t src);
typedef void (*handler_1_t)(vnn_t src, am_word);
typedef void (*handler_2_t)(vnn_t src, am_word, am_word);
typedef void (*handler_3_t)(vnn_t src, am_word, am_word, am_word);
typedef void (*handler_4_t)(vnn_t src, am_word, am_word, am_word, am_word);
typedef void (*handler_5_t)(vnn_t src, am_word, am_word, am_word, am_word, am_word);
typedef void (*handler_df_t)(vnn_t src, am_word, am_word, double);
typedef void (*handler_mem_t)(vnn_t src, void *addr, int nbytes, void *arg);
/* The words, and the body of a medium message, are the handler's until it returns. */
typedef void (*handler_v_t)(vnn_t src, const am_word *words, int n);
typedef void (*handler_medium_t)(vnn_t src, void *body, int nbytes, const am_word *words, int n);

enum { AM_WORDS_MAX = 16, AM_TABLE_SIZE = 1024 };

/* `dest | AM_IMMEDIATE` in a request: AM_BUSY at once where the call would wait. Then nothing was sent. */
#define AM_IMMEDIATE 0x40000000
#define AM_BUSY 1

/* ---- start, end, progress ---- */

/* Join the job, or start one. Collective. Arguments, which some ports had, are ignored. */
int am_enable_job(void);
#define am_enable(...) am_enable_job()
/* Returns when all requests of all PEs and their replies were handled. Collective; exit() of a program that
 * succeeds implies it. */
int am_disable(void);

static inline int am_my_proc(void)
{
    return mpt_fast.me;
}
static inline int am_procs(void)
{
    return mpt_fast.npes;
}
#define AM_MY_PROC am_my_proc()
#define AM_PROCS am_procs()

/* Run the handlers of what has arrived; how many. */
int am_poll(void);
/* Until all requests this PE has sent were handled, and so were their replies. */
int am_quiet(void);
/* All PEs arrive before one leaves; handlers run meanwhile. */
void gam_barrier(void);

/* The wait of am_wait_for: handlers run, and the PE sleeps when there is nothing. */
struct am_waiter {
    uint64_t state[10];
};
void am_wait_begin(struct am_waiter *w);
void am_wait_pause(struct am_waiter *w);
void am_wait_end(struct am_waiter *w);
#define am_wait_for(cond)          \
    do {                           \
        struct am_waiter am_w_;    \
        if (cond)                  \
            break;                 \
        am_wait_begin(&am_w_);     \
        while (!(cond))            \
            am_wait_pause(&am_w_); \
        am_wait_end(&am_w_);       \
    } while (0)
#define gam_wait(count, n) am_wait_for(*(count) >= (n))

/* ---- requests and replies ---- */

int am_request_0(vnn_t dest, handler_0_t handler);
int am_request_1(vnn_t dest, handler_1_t handler, am_word a);
int am_request_2(vnn_t dest, handler_2_t handler, am_word a, am_word b);
int am_request_3(vnn_t dest, handler_3_t handler, am_word a, am_word b, am_word c);
int am_request_4(vnn_t dest, handler_4_t handler, am_word a, am_word b, am_word c, am_word d);
int am_request_5(vnn_t dest, handler_5_t handler, am_word a, am_word b, am_word c, am_word d, am_word e);
int am_request_df(vnn_t dest, handler_df_t handler, am_word a, am_word b, double x);
int am_request_v(vnn_t dest, handler_v_t handler, const am_word *words, int n);
/* nbytes <= am_max_medium(dest); the body may be changed on return. */
int am_request_medium(vnn_t dest, handler_medium_t handler, const void *body, int nbytes, const am_word *words, int n);

/* From a request's handler, once, to its source. Never wait. */
int am_reply_0(vnn_t dest, handler_0_t handler);
int am_reply_1(vnn_t dest, handler_1_t handler, am_word a);
int am_reply_2(vnn_t dest, handler_2_t handler, am_word a, am_word b);
int am_reply_3(vnn_t dest, handler_3_t handler, am_word a, am_word b, am_word c);
int am_reply_4(vnn_t dest, handler_4_t handler, am_word a, am_word b, am_word c, am_word d);
int am_reply_5(vnn_t dest, handler_5_t handler, am_word a, am_word b, am_word c, am_word d, am_word e);
int am_reply_df(vnn_t dest, handler_df_t handler, am_word a, am_word b, double x);
int am_reply_v(vnn_t dest, handler_v_t handler, const am_word *words, int n);
int am_reply_medium(vnn_t dest, handler_medium_t handler, const void *body, int nbytes, const am_word *words, int n);

/* A handler that does nothing. */
void am_dummy(vnn_t src);

/* A medium request whose body the program writes where it is sent from, on a node the receiver's memory. Room for
 * `nbytes` bytes beside n words, NULL where that fails; commit with the same dest and n, and no more bytes. Between
 * both there must be no call of the library. */
void *am_request_prepare(vnn_t dest, int nbytes, int n);
int am_request_commit(vnn_t dest, handler_medium_t handler, int nbytes, const am_word *words, int n);

/* ---- memory ----
 * `rva` is what it is in this process where that is a global variable, symmetric or of the heap; else an address of
 * the other PE. `handler` may be NULL. */

/* n bytes from here to dest, where the handler runs after they have come, with rva. The source may be changed on
 * return. */
int am_store(vnn_t dest, const void *lva, void *rva, long nbytes, handler_mem_t handler, void *arg);
/* The same without waiting for the source: endfunc(dest, lva, nbytes, earg) runs here when it may be changed. */
int am_store_async(vnn_t dest, const void *lva, void *rva, long nbytes, handler_mem_t handler, void *arg,
                   handler_mem_t endfunc, void *earg);
/* n bytes from dest to here, where the handler runs then, with lva. */
int am_get(vnn_t dest, const void *rva, void *lva, long nbytes, handler_mem_t handler, void *arg);
/* am_store as a reply. */
int am_reply_xfer(vnn_t dest, const void *lva, void *rva, long nbytes, handler_mem_t handler, void *arg);

/* ---- what is possible, what is under way ---- */

int am_max_size(void);          /* bytes of a store or get */
int am_max_short(void);         /* words of a message that takes one cache line */
int am_max_medium(vnn_t dest);  /* bytes of a medium body; -1: no such PE, as below */
long am_max_long(vnn_t dest);
int am_max_requests(vnn_t dest); /* unanswered ones to it, before a request waits */

struct am_token_info {
    vnn_t source;
    int is_request; /* may still be replied to: may_reply */
    int may_reply;
    int words, nbytes;
    am_handler handler;
};
/* Of the message whose handler runs; -1 outside handlers. */
int am_token(struct am_token_info *info);

/* ---- handlers by number ----
 * Programs that differ from PE to PE name a handler by its place in a table. */
#define AM_INDEX(i) ((am_handler)(uintptr_t)(i))
int am_register(int index, am_handler handler); /* 1 ... AM_TABLE_SIZE - 1; NULL: no longer */
int am_table(const am_handler *handlers, int n); /* handlers[i] is number i; handlers[0] is not used */

/* ---- errors ---- */
enum {
    AM_E_ARGUMENT = -1, /* an argument that cannot be */
    AM_E_RULE = -2,     /* a reply or request where there must be none */
    AM_E_HANDLER = -3,  /* dest has no such handler: its message came back */
    AM_E_MEMORY = -4,   /* no memory there, or none left */
    AM_E_STATE = -5     /* before am_enable */
};
/* What was wrong, with whom, in which call, in words. Returning goes on without that message. */
typedef void (*am_error_t)(int status, vnn_t pe, am_handler handler, const char *text);
am_error_t am_set_error(am_error_t handler); /* NULL: message and end of the job. Returns the one before */

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

/* ---- calls with casts and missing words ---- */
#define AM_H_(type, h) ((type)(am_handler)(h))
#define AM_W_(x) ((am_word)(x))
#define AM_P_(x) ((void *)(am_word)(x))
#define AM_0_(f, dest, h, ...) f((vnn_t)(dest), AM_H_(handler_0_t, h))
#define AM_1_(f, dest, h, a, ...) f((vnn_t)(dest), AM_H_(handler_1_t, h), AM_W_(a))
#define AM_2_(f, dest, h, a, b, ...) f((vnn_t)(dest), AM_H_(handler_2_t, h), AM_W_(a), AM_W_(b))
#define AM_3_(f, dest, h, a, b, c, ...) f((vnn_t)(dest), AM_H_(handler_3_t, h), AM_W_(a), AM_W_(b), AM_W_(c))
#define AM_4_(f, dest, h, a, b, c, d, ...) \
    f((vnn_t)(dest), AM_H_(handler_4_t, h), AM_W_(a), AM_W_(b), AM_W_(c), AM_W_(d))
#define AM_5_(f, dest, h, a, b, c, d, e, ...) \
    f((vnn_t)(dest), AM_H_(handler_5_t, h), AM_W_(a), AM_W_(b), AM_W_(c), AM_W_(d), AM_W_(e))
#define AM_DF_(f, dest, h, a, b, x, ...) f((vnn_t)(dest), AM_H_(handler_df_t, h), AM_W_(a), AM_W_(b), (double)(x))
#define AM_MEM_(f, dest, from, to, n, h, arg, ...) \
    f((vnn_t)(dest), AM_P_(from), AM_P_(to), (long)(n), AM_H_(handler_mem_t, h), AM_P_(arg))
#define AM_ASYNC_(f, dest, from, to, n, h, arg, end, earg, ...)                              \
    f((vnn_t)(dest), AM_P_(from), AM_P_(to), (long)(n), AM_H_(handler_mem_t, h), AM_P_(arg), \
      AM_H_(handler_mem_t, end), AM_P_(earg))

#ifndef AM_NO_MACROS
#define am_request_0(...) AM_0_(am_request_0, __VA_ARGS__, 0)
#define am_request_1(...) AM_1_(am_request_1, __VA_ARGS__, 0, 0)
#define am_request_2(...) AM_2_(am_request_2, __VA_ARGS__, 0, 0, 0)
#define am_request_3(...) AM_3_(am_request_3, __VA_ARGS__, 0, 0, 0, 0)
#define am_request_4(...) AM_4_(am_request_4, __VA_ARGS__, 0, 0, 0, 0, 0)
#define am_request_5(...) AM_5_(am_request_5, __VA_ARGS__, 0, 0, 0, 0, 0, 0)
#define am_request_df(...) AM_DF_(am_request_df, __VA_ARGS__, 0, 0, 0, 0)
#define am_reply_0(...) AM_0_(am_reply_0, __VA_ARGS__, 0)
#define am_reply_1(...) AM_1_(am_reply_1, __VA_ARGS__, 0, 0)
#define am_reply_2(...) AM_2_(am_reply_2, __VA_ARGS__, 0, 0, 0)
#define am_reply_3(...) AM_3_(am_reply_3, __VA_ARGS__, 0, 0, 0, 0)
#define am_reply_4(...) AM_4_(am_reply_4, __VA_ARGS__, 0, 0, 0, 0, 0)
#define am_reply_5(...) AM_5_(am_reply_5, __VA_ARGS__, 0, 0, 0, 0, 0, 0)
#define am_reply_df(...) AM_DF_(am_reply_df, __VA_ARGS__, 0, 0, 0, 0)
#define am_store(...) AM_MEM_(am_store, __VA_ARGS__, 0, 0, 0)
#define am_get(...) AM_MEM_(am_get, __VA_ARGS__, 0, 0, 0)
#define am_reply_xfer(...) AM_MEM_(am_reply_xfer, __VA_ARGS__, 0, 0, 0)
#define am_store_async(...) AM_ASYNC_(am_store_async, __VA_ARGS__, 0, 0, 0, 0, 0)
#define am_request_v(dest, h, words, n) am_request_v((vnn_t)(dest), AM_H_(handler_v_t, h), words, n)
#define am_reply_v(dest, h, words, n) am_reply_v((vnn_t)(dest), AM_H_(handler_v_t, h), words, n)
#define am_request_medium(dest, h, body, nbytes, words, n) \
    am_request_medium((vnn_t)(dest), AM_H_(handler_medium_t, h), body, nbytes, words, n)
#define am_reply_medium(dest, h, body, nbytes, words, n) \
    am_reply_medium((vnn_t)(dest), AM_H_(handler_medium_t, h), body, nbytes, words, n)
#define am_request_commit(dest, h, nbytes, words, n) \
    am_request_commit((vnn_t)(dest), AM_H_(handler_medium_t, h), nbytes, words, n)
#define am_register(i, h) am_register(i, (am_handler)(h))

/* Names of other ports. */
#define am_request0 am_request_0
#define am_request1 am_request_1
#define am_request2 am_request_2
#define am_request3 am_request_3
#define am_request4 am_request_4
#define am_request5 am_request_5
#define am_reply0 am_reply_0
#define am_reply1 am_reply_1
#define am_reply2 am_reply_2
#define am_reply3 am_reply_3
#define am_reply4 am_reply_4
#define am_reply5 am_reply_5
#define gam_enable am_enable
#define gam_disable am_disable
#define gam_my_proc am_my_proc
#define gam_procs am_procs
#define gam_max_size am_max_size
#define gam_poll am_poll
#define gam_wait_for am_wait_for
#define gam_request_0 am_request_0
#define gam_request_1 am_request_1
#define gam_request_2 am_request_2
#define gam_request_3 am_request_3
#define gam_request_4 am_request_4
#define gam_request_5 am_request_5
#define gam_request_df am_request_df
#define gam_reply_0 am_reply_0
#define gam_reply_1 am_reply_1
#define gam_reply_2 am_reply_2
#define gam_reply_3 am_reply_3
#define gam_reply_4 am_reply_4
#define gam_reply_5 am_reply_5
#define gam_reply_df am_reply_df
#define gam_reply_xfer am_reply_xfer
#define gam_store am_store
#define gam_store_async am_store_async
#define gam_get am_get
#define gam_dummy am_dummy
#endif

#endif
