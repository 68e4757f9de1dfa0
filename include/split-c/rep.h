/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What scc's output is made of: global and spread pointers as C sees them, and accesses through them, inline where
 * this process can load and store. No header is included and every name begins with sc_ or SC_: scc puts an #include of
 * this file before text that was preprocessed already.
 *
 * An address is its owner's. All PEs have the symmetric heap, the arena (malloc, splitc_main's stack) and the globals
 * at the same addresses, so the address of the same byte here is arithmetic. Layouts are part of the ABI.
 */
#ifndef SPLIT_C_REP_H
#define SPLIT_C_REP_H

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef __SIZE_TYPE__ sc_size;
typedef __UINTPTR_TYPE__ sc_word;

/* T *global: NULL is any with addr NULL. */
struct sc_global {
    void *addr;
    int proc;
};
/* T *spread: + 1 is the next processor; after the last one, the next block of the first. */
struct sc_spread {
    char *addr;
    int proc;
};

/* Filled by sc_start. Before that, with PEs on other nodes and while lines are counted, reach is 0: accesses call the
 * library. */
struct sc_job {
    sc_word slice_lo, slice_len; /* heap and arena of this PE, as one range */
    sc_word data_lo, data_len;   /* its globals */
    sc_word slice_to, data_to;   /* add to an own address: same byte of node PE 0 */
    sc_word stride;              /* from one node PE to the next */
    sc_word stored;              /* own address of where a PE's count of stored bytes stands at each target */
    sc_word bell;                /* sleep word of node PE 0 */
    unsigned first, reach;       /* node PE 0; how many from there this PE loads and stores */
    int me, procs, log;          /* log: of procs, -1 if that is no power of two */
    unsigned mask;               /* procs - 1 */
};
extern struct sc_job sc_job;

#define SC_LIKELY(x) __builtin_expect(!!(x), 1)
#define SC_HERE __builtin_FILE(), __builtin_LINE() /* kept right by # line marks */
#define SC_INLINE                                                                                                    \
    extern __inline__ __attribute__((gnu_inline, always_inline, artificial)) /* also in inline functions of programs \
                                                                              */

/* After the definition of an inline function that is not static: that of one file serves all. The compiler is not told,
 * as it would not inline what another definition may replace. */
#ifdef __GNUC_GNU_INLINE__
#define SC_SHARED(f) __asm__(".weak " #f);
#else
#define SC_SHARED(f)
#endif

/* Where the program is, said before collective calls for what they have to say. */
struct sc_place {
    const char *file;
    int line;
};
extern struct sc_place sc_place;
SC_INLINE void sc_at(const char *file, int line)
{
    sc_place.file = file;
    sc_place.line = line;
}

/* ---- pointers ---- */

SC_INLINE struct sc_global sc_global_of(int proc, const void *addr)
{
    struct sc_global g = {(void *)(sc_word)addr, proc};
    return g;
}
/* A local pointer where a global one is wanted. */
SC_INLINE struct sc_global sc_toglobal(const void *addr)
{
    return sc_global_of(sc_job.me, addr);
}
SC_INLINE struct sc_global sc_from_spread(struct sc_spread s)
{
    return sc_global_of(s.proc, s.addr);
}
SC_INLINE struct sc_spread sc_to_spread(struct sc_global g)
{
    struct sc_spread s = {(char *)g.addr, g.proc};
    return s;
}
SC_INLINE struct sc_spread sc_spread_of(int proc, const void *addr)
{
    struct sc_spread s = {(char *)(sc_word)addr, proc};
    return s;
}
/* bytes: elements times size of one; also of a member's place: p->m is sc_plus(p, offset). */
SC_INLINE struct sc_global sc_plus(struct sc_global g, long bytes)
{
    g.addr = (char *)g.addr + bytes;
    return g;
}
SC_INLINE long sc_minus(struct sc_global a, struct sc_global b) /* bytes */
{
    return (char *)a.addr - (char *)b.addr;
}
/* Order: address first, as within one processor; equal: the same byte, or both NULL. */
SC_INLINE int sc_equal(struct sc_global a, struct sc_global b)
{
    return a.addr == b.addr && (a.proc == b.proc || !a.addr);
}
SC_INLINE int sc_compare(struct sc_global a, struct sc_global b) /* < 0, 0, > 0 */
{
    if (a.addr != b.addr)
        return (sc_word)a.addr < (sc_word)b.addr ? -1 : 1;
    return !a.addr || a.proc == b.proc ? 0 : a.proc < b.proc ? -1 : 1;
}

/* s + n, blocks of `block` bytes. Sums round down, also below 0. */
SC_INLINE struct sc_spread sc_spread_plus(struct sc_spread s, long n, sc_size block)
{
    long at = s.proc + n, row;

    if (SC_LIKELY(sc_job.log >= 0)) {
        row = at >> sc_job.log;
        s.proc = (int)(at & sc_job.mask);
    } else {
        row = at / sc_job.procs - (at % sc_job.procs < 0);
        s.proc = (int)(at - row * sc_job.procs);
    }
    s.addr += row * (long)block;
    return s;
}
SC_INLINE long sc_spread_minus(struct sc_spread a, struct sc_spread b, sc_size block)
{
    return (a.addr - b.addr) / (long)block * sc_job.procs + a.proc - b.proc;
}
SC_INLINE int sc_spread_equal(struct sc_spread a, struct sc_spread b)
{
    return a.addr == b.addr && (a.proc == b.proc || !a.addr);
}
/* In the order of +: all processors of one row come before the next row. */
SC_INLINE int sc_spread_compare(struct sc_spread a, struct sc_spread b)
{
    if (a.addr != b.addr)
        return (sc_word)a.addr < (sc_word)b.addr ? -1 : 1;
    return a.proc < b.proc ? -1 : a.proc > b.proc;
}
/* A[i] of a spread array whose local part is at `part`; i counts all dimensions left of ::, row by row. */
SC_INLINE struct sc_spread sc_element(const void *part, long i, sc_size block)
{
    return sc_spread_plus(sc_spread_of(0, part), i, block);
}
/* Blocks that each processor holds of a spread array of n. */
SC_INLINE sc_size sc_rows(sc_size n)
{
    return (n + (sc_size)sc_job.procs - 1) / (sc_size)sc_job.procs;
}

/* ---- accesses ---- */

/* Loads and stores are as ordered as the other PEs see them on x86; elsewhere by this. */
SC_INLINE void sc_order(void)
{
#if defined(__x86_64__)
    __asm__ volatile("" : : : "memory");
#else
    __atomic_thread_fence(__ATOMIC_ACQ_REL);
#endif
}

/* Where this process loads and stores it; NULL: by the library's calls only. The asm makes the object escape: peers
 * change it, and it may be a variable of this function's under another address. */
SC_INLINE void *sc_reach(struct sc_global g)
{
    sc_word a = (sc_word)g.addr, at = (unsigned)g.proc - sc_job.first;

    __asm__ volatile("" : "+r"(a) : : "memory");
    if (SC_LIKELY((unsigned)at < sc_job.reach)) {
        at = (unsigned)at * sc_job.stride;
        if (SC_LIKELY(a - sc_job.slice_lo < sc_job.slice_len))
            a += sc_job.slice_to + at;
        else if (SC_LIKELY(a - sc_job.data_lo < sc_job.data_len))
            a += sc_job.data_to + at;
        else
            return (void *)0;
        if (!a)
            __builtin_unreachable(); /* callers need not test it */
        return (void *)a;
    }
    return (void *)0;
}

/* Where sc_reach says NULL: the same for other nodes; counts per line; private memory of this PE; or the end of the
 * job with a message of `file` and `line`. */
void sc_read_far(void *to, struct sc_global from, sc_size n, const char *file, int line);
void sc_write_far(struct sc_global to, const void *from, sc_size n, const char *file, int line);
void sc_get_far(void *to, struct sc_global from, sc_size n, const char *file, int line);
void sc_put_far(struct sc_global to, const void *from, sc_size n, const char *file, int line);
void sc_store_far(struct sc_global to, const void *from, sc_size n, const char *file, int line);
void sc_wake(int proc);

/* n more bytes of this PE's have come to `proc`, which must be in reach; only this PE writes the count. */
SC_INLINE void sc_stored(int proc, sc_size n)
{
    sc_word at = ((unsigned)proc - sc_job.first) * sc_job.stride;
    sc_size *count = (sc_size *)(sc_job.stored + sc_job.slice_to + at);

    __atomic_store_n(count, *count + n, __ATOMIC_RELEASE);
    if (__builtin_expect(*(volatile unsigned *)(sc_job.bell + at) == 1, 0)) /* it sleeps until memory changes */
        sc_wake(proc);
}

/* The value of *g, a T. T is an unqualified type that can be assigned; write it as __typeof__(...) where it is not a
 * name that a * can follow. */
#define SC_READ(T, g)                                          \
    __extension__({                                            \
        struct sc_global sc_g_ = (g);                          \
        T *sc_p_ = (T *)sc_reach(sc_g_);                       \
        T sc_v_;                                               \
        if (SC_LIKELY(sc_p_)) {                                \
            sc_v_ = *sc_p_;                                    \
            sc_order();                                        \
        } else {                                               \
            T sc_f_; /* so that sc_v_ can be a register */     \
                                                               \
            sc_read_far(&sc_f_, sc_g_, sizeof sc_f_, SC_HERE); \
            sc_v_ = sc_f_;                                     \
        }                                                      \
        sc_v_;                                                 \
    })
#define SC_WRITE_(T, G, v, fars)                \
    T *sc_p_ = (T *)sc_reach(G);                \
    if (SC_LIKELY(sc_p_)) {                     \
        sc_order();                             \
        *sc_p_ = v;                             \
    } else {                                    \
        T sc_f_ = v;                            \
                                                \
        fars(G, &sc_f_, sizeof sc_f_, SC_HERE); \
    }
/* *g = v; its value is v converted to T. */
#define SC_WRITE(T, g, v)                        \
    __extension__({                              \
        struct sc_global sc_g_ = (g);            \
        T sc_v_ = (v);                           \
        SC_WRITE_(T, sc_g_, sc_v_, sc_write_far) \
        sc_v_;                                   \
    })
/* *g = expr, where expr says sc_old_ for what *g was: *g += 2 is SC_UPDATE(int, g, sc_old_ + (2)). SC_UPDATE_OLD's
 * value is the old one. Not atomic. Accesses inside expr's own operands must be evaluated before: in `with`, a
 * declaration. */
#define SC_UPDATE_(T, g, with, expr, result)       \
    __extension__({                                \
        struct sc_global sc_u_ = (g);              \
        with;                                      \
        T sc_old_ = SC_READ(T, sc_u_);             \
        T sc_new_ = (expr);                        \
        SC_WRITE_(T, sc_u_, sc_new_, sc_write_far) \
        result;                                    \
    })
#define SC_UPDATE(T, g, with, expr) SC_UPDATE_(T, g, with, expr, sc_new_)
#define SC_UPDATE_OLD(T, g, with, expr) SC_UPDATE_(T, g, with, expr, sc_old_)

/* *to := *g, to a local pointer; *g := v; *g :- v. No value. Done when sync() returns; sc_store's at the target's
 * count. */
#define SC_GET(T, to, g)                                      \
    __extension__({                                           \
        T *sc_t_ = (to);                                      \
        struct sc_global sc_g_ = (g);                         \
        T *sc_p_ = (T *)sc_reach(sc_g_);                      \
        if (SC_LIKELY(sc_p_))                                 \
            *sc_t_ = *sc_p_;                                  \
        else                                                  \
            sc_get_far(sc_t_, sc_g_, sizeof *sc_t_, SC_HERE); \
        (void)0;                                              \
    })
#define SC_PUT(T, g, v)                        \
    __extension__({                            \
        struct sc_global sc_g_ = (g);          \
        T sc_v_ = (v);                         \
        SC_WRITE_(T, sc_g_, sc_v_, sc_put_far) \
        (void)0;                               \
    })
#define SC_STORE(T, g, v)                                       \
    __extension__({                                             \
        struct sc_global sc_g_ = (g);                           \
        T sc_v_ = (v);                                          \
        T *sc_p_ = (T *)sc_reach(sc_g_);                        \
        if (SC_LIKELY(sc_p_)) {                                 \
            *sc_p_ = sc_v_;                                     \
            sc_stored(sc_g_.proc, sizeof sc_v_);                \
        } else {                                                \
            T sc_f_ = sc_v_;                                    \
                                                                \
            sc_store_far(sc_g_, &sc_f_, sizeof sc_f_, SC_HERE); \
        }                                                       \
        (void)0;                                                \
    })

/* ---- checks of -fcheck: each returns what it was given, or ends the job with file, line and what is wrong ---- */

void *sc_check_local(struct sc_global g, const char *file, int line); /* tolocal of what another processor owns */
long sc_check_index(long i, long n, const char *array, const char *file, int line);
struct sc_global sc_check_global(struct sc_global g, sc_size n, const char *file,
                                 int line); /* NULL, no such processor */

/* ---- memory of spread arrays ---- */

/* A static one: `part` points to where its local part comes to be, zeroed, before splitc_main; bytes() is for one
 * processor (sc_rows(n) * block). Registered by constructors; the same part may come several times (tentative
 * definitions), the largest counts. */
struct sc_static {
    void **part;
    sc_size (*bytes)(void);
    const char *name;
    struct sc_static *next;
};
void sc_static_add(struct sc_static *s);
#define SC_STATIC_ARRAY(NAME, BYTES)                                                                        \
    static sc_size sc_bytes_##NAME(void)                                                                    \
    {                                                                                                       \
        return (BYTES);                                                                                     \
    }                                                                                                       \
    static struct sc_static sc_static_##NAME = {(void **)(void *)&NAME, sc_bytes_##NAME, #NAME, (void *)0}; \
    __attribute__((constructor)) static void sc_add_##NAME(void)                                            \
    {                                                                                                       \
        sc_static_add(&sc_static_##NAME);                                                                   \
    }

/* What sets an object of static storage whose beginning names this processor; run in order, before splitc_main. */
struct sc_setter {
    void (*set)(void);
    struct sc_setter *next;
};
void sc_setter_add(struct sc_setter *s);
#define SC_STATIC_INIT(SET)                                  \
    __attribute__((constructor)) static void SET##_add(void) \
    {                                                        \
        static struct sc_setter s = {SET, (void *)0};        \
                                                             \
        sc_setter_add(&s);                                   \
    }

/* An automatic one, collectively; given back where its scope ends: T (*A)[q] SC_AUTO = sc_auto(bytes, "A"). */
void *sc_auto(sc_size bytes, const char *name);
void sc_auto_end(void *variable);
#define SC_AUTO __attribute__((cleanup(sc_auto_end)))

/* ---- start ---- */

/* After splitc_main's definition; call: splitc_main(argc, argv) or with fewer arguments. One that returns int must end
 * by a return (scc adds return 0). */
int sc_start(int argc, char **argv, int (*run)(int argc, char **argv));
#define SC_MAIN_(result)                      \
    static int sc_run_(int argc, char **argv) \
    {                                         \
        (void)argc, (void)argv;               \
        result;                               \
    }                                         \
    int main(int argc, char **argv)           \
    {                                         \
        return sc_start(argc, argv, sc_run_); \
    }
#define SC_MAIN_INT(call) SC_MAIN_(return call)
#define SC_MAIN_VOID(call) SC_MAIN_(call; return 0)

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
