/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Stores, asynchronous stores, gets and transfers as replies: to globals and the heap of
 * the malloc'ed kind and the stack of the other PE, of many sizes; handlers after the data.
 */
#include "acheck.h"

enum { MOST = 300000 };
static char global[MOST + 64], fetched[MOST + 64];
static volatile long stored, ended, gotten, transferred, known;
static char *theirs[64]; /* malloc'ed memory of each PE */
static char *mine, *source;

static void tell(vnn_t src, am_word p)
{
    theirs[src] = (char *)p;
    known++;
}

static void on_store(vnn_t src, void *addr, int n, void *arg)
{
    CHECK((long)arg == n + 1, "argument %ld of %d bytes", (long)arg, n);
    CHECK(check_differs(addr, (size_t)n, (uint64_t)src * 1000 + (uint64_t)n) == (size_t)n,
          "store of %d bytes from PE %d at %p", n, src, addr);
    stored++;
}

static void on_end(vnn_t dest, void *lva, int n, void *arg)
{
    CHECK(lva == source && arg == &ended && dest >= 0 && n >= 0, "end of %d bytes to %d", n, dest);
    ended++;
}

static void on_get(vnn_t src, void *addr, int n, void *arg)
{
    CHECK(arg == fetched && addr == fetched && src >= 0, "handler of get");
    gotten++;
    transferred += n;
}

static void on_xfer(vnn_t src, void *addr, int n, void *arg)
{
    CHECK(check_differs(addr, (size_t)n, (uint64_t)src + 77) == (size_t)n && (long)arg == 4711,
          "transfer of %d bytes from %d", n, src);
    transferred++;
}

static void want(vnn_t src, am_word n, am_word to)
{
    static char body[MOST];

    check_fill(body, (size_t)n, (uint64_t)ac_me + 77);
    am_reply_xfer(src, body, to, n, on_xfer, 4711);
}

static const int sizes[] = {0, 1, 7, 24, 25, 100, 256, 257, 900, 991, 992, 993, 1000, 4096, 65537, MOST};
enum { SIZES = sizeof sizes / sizeof *sizes };

/* Every size to everybody: into globals, or memory that only its owner knows. */
static void stores(int dest, bool own_heap, bool async)
{
    static long due; /* the next may come before this PE has left the barrier */

    for (int i = 0; i < SIZES; i++) {
        long e = ended;
        int n = sizes[i];
        char *to = own_heap ? theirs[dest] : global;

        check_fill(source, (size_t)n, (uint64_t)ac_me * 1000 + (uint64_t)n);
        if (async)
            CHECK(am_store_async(dest, source, to, n, on_store, n + 1, on_end, &ended) == 0, "am_store_async");
        else
            CHECK(am_store(dest, source, to, n, on_store, n + 1) == 0, "am_store");
        if (async)
            am_wait_for(ended == e + 1);
        memset(source, 0, (size_t)n); /* allowed now */
        due++;
        am_wait_for(stored >= due);
        gam_barrier();
    }
}

static void gets(int from, bool own_heap)
{
    for (int i = 0; i < SIZES; i++) {
        long g = gotten;
        int n = sizes[i];

        check_fill(own_heap ? mine : global, (size_t)n, (uint64_t)ac_me * 1000 + 5);
        gam_barrier();
        am_get(from, own_heap ? theirs[from] : global, fetched, n, on_get, fetched);
        am_wait_for(gotten == g + 1);
        CHECK(check_differs(fetched, (size_t)n, (uint64_t)from * 1000 + 5) == (size_t)n, "get of %d bytes from PE %d",
              n, from);
        gam_barrier();
    }
}

static void transfers(int from)
{
    for (int i = 0; i < SIZES; i++) {
        long t = transferred;

        am_request_2(from, want, sizes[i], global);
        am_wait_for(transferred == t + 1);
        am_request_2(from, want, sizes[i], mine);
        am_wait_for(transferred == t + 2);
        gam_barrier();
    }
}

/* The handler of a store may reply. */
static volatile long thanks;
static void thanked(vnn_t src, am_word n)
{
    thanks += n + (src < 0);
}
static void with_reply(vnn_t src, void *addr, int n, void *arg)
{
    CHECK(addr == mine && !arg, "address of a store");
    am_reply_1(src, thanked, n);
}

int main(void)
{
    char stack[5000];

    ac_start();
    mine = malloc(MOST);
    source = malloc(MOST);
    for (int pe = 0; pe < ac_n; pe++)
        am_request_1(pe, tell, mine);
    am_wait_for(known == ac_n);
    for (int i = 0; i < ac_n && i < 3; i++) {
        int other = (ac_me + i) % ac_n;

        for (int form = 0; form < 4; form++)
            stores(other, form & 1, form & 2);
        gets(other, false);
        gets(other, true);
        transfers(other);
    }
    am_store((ac_me + 1) % ac_n, source, theirs[(ac_me + 1) % ac_n], 50000, with_reply);
    am_wait_for(thanks == 50000);

    known = 0;
    gam_barrier();
    for (int pe = 0; pe < ac_n; pe++)
        am_request_1(pe, tell, stack);
    am_wait_for(known == ac_n);
    check_fill(source, sizeof stack, 9);
    am_store((ac_me + 1) % ac_n, source, theirs[(ac_me + 1) % ac_n], sizeof stack, NULL);
    am_quiet();
    gam_barrier();
    CHECK(check_differs(stack, sizeof stack, 9) == sizeof stack, "a store to a stack, without a handler");
    gam_barrier();
    free(mine);
    free(source);
    return ac_finish();
}
