/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Bodies that stay at their sender: every size, every kind of memory, whole and in
 * pieces, in any order, with full rings and many threads. Run with any number of
 * PEs, and with each way of reading (MPT_RENDEZVOUS, MPT_TRANSPORT). With the argument
 * "hidden" no PE may read another's process, with "impostor" the process numbers
 * that PEs know of each other are wrong, as they may be in containers.
 */
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/uio.h>
#include <unistd.h>

#include "core/internal.h"
#include "harness.h"

enum { BODY, NOISE, MAX_PES = 64, LARGEST = 3 << 20, THREADS = 4 };

struct head {
    uint32_t seed, in_handler;
};

/* What has come and is not yet fetched. */
struct come {
    struct come *next;
    struct head head;
    struct core_rndv rndv;
    struct core_flow flow; /* of a fetch that the handler began ... */
    unsigned char *to;     /* ... to here */
};

static pthread_mutex_t come_lock = PTHREAD_MUTEX_INITIALIZER;
static struct come *come;
static uint64_t done_count, noise; /* bodies checked and ended */

static unsigned char pattern(uint32_t seed, size_t i)
{
    return (unsigned char)(seed * 29 + i * 7 + (i >> 8) * 13 + (i >> 16));
}

static void fill(unsigned char *body, uint32_t seed, size_t n)
{
    for (size_t i = 0; i < n; i++)
        body[i] = pattern(seed, i);
}

static void check(const unsigned char *body, uint32_t seed, size_t offset, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (body[i] != pattern(seed, offset + i))
            EXPECT(false, "byte %zu of body %u is %u, expected %u", offset + i, seed, body[i],
                   pattern(seed, offset + i));
}

static void on_body(const struct core_mail *m)
{
    struct come *c;

    EXPECT(m->head_n == sizeof(struct head), "head of %zu bytes", m->head_n);
    if (m->body || m->n == 0) {
        const struct head *h = m->head;

        EXPECT(m->n <= CORE_SEND_MAX - sizeof *h, "%zu bytes came with their message", m->n);
        check(m->body, h->seed, 0, m->n);
        __atomic_fetch_add(&done_count, 1, __ATOMIC_RELEASE);
        return;
    }
    EXPECT(m->n > CORE_SEND_MAX - sizeof(struct head), "%zu bytes did not come with their message", m->n);
    EXPECT(m->rndv.pe == m->from && m->rndv.n == m->n, "rendezvous body of PE %d, %llu bytes, from PE %d", m->rndv.pe,
           (unsigned long long)m->rndv.n, m->from);
    c = calloc(1, sizeof *c);
    EXPECT(c, "memory");
    memcpy(&c->head, m->head, sizeof c->head);
    c->rndv = m->rndv;
    if (c->head.in_handler) {
        c->to = malloc(m->n);
        core_fetch(&c->flow, c->to, &c->rndv, 0, m->n);
    }
    pthread_mutex_lock(&come_lock);
    c->next = come;
    come = c;
    pthread_mutex_unlock(&come_lock);
}

static void on_noise(const struct core_mail *m)
{
    EXPECT(m->head_n + m->n == 8 + 900, "noise of %zu + %zu bytes", m->head_n, m->n);
    noise++;
}

/* The last that came: out of order. */
static struct come *take(void)
{
    struct come *c;

    pthread_mutex_lock(&come_lock);
    c = come;
    if (c)
        come = c->next;
    pthread_mutex_unlock(&come_lock);
    return c;
}

/* --------------------------------------------------------- ways to fetch -- */

static void fetch_whole(struct come *c, unsigned char *to)
{
    struct core_flow f = {0};

    core_fetch(&f, to, &c->rndv, 0, c->rndv.n);
    core_flow_finish(&f);
}

/* Pieces of random lengths, the last first, several flows' worth under way. */
static void fetch_pieces(struct come *c, unsigned char *to)
{
    struct core_flow f = {0};
    uint64_t r = c->head.seed + 1;

    for (size_t end = c->rndv.n; end > 0;) {
        size_t n = 1 + check_random_below(&r, end > 64 ? end / 3 : end);

        core_fetch(&f, to + end - n, &c->rndv, end - n, n);
        end -= n;
    }
    while (!core_flow_idle(&f))
        core_progress();
    core_flow_finish(&f);
}

/* Only a part is wanted. */
static void fetch_some(struct come *c, unsigned char *to)
{
    size_t first = c->rndv.n / 3, n = c->rndv.n / 2;
    struct core_flow f = {0};

    memset(to, 0x55, c->rndv.n);
    core_fetch(&f, to + first, &c->rndv, first, n);
    core_fetch(&f, to, &c->rndv, c->rndv.n, 0);
    core_flow_finish(&f);
    check(to + first, c->head.seed, first, n);
    EXPECT(to[first - 1] == 0x55 && to[first + n] == 0x55, "a fetch wrote outside its piece");
    fetch_pieces(c, to); /* and once more, all */
}

static void fetch_one(struct come *c)
{
    static void (*const ways[])(struct come *, unsigned char *) = {fetch_whole, fetch_pieces, fetch_some};
    unsigned char *to = c->to;

    if (to) {
        core_flow_finish(&c->flow);
    } else {
        to = malloc(c->rndv.n);
        EXPECT(to, "memory");
        ways[c->head.seed % 3](c, to);
    }
    check(to, c->head.seed, 0, c->rndv.n);
    free(to);
    core_fetch_end(&c->rndv);
    free(c);
    __atomic_fetch_add(&done_count, 1, __ATOMIC_RELEASE);
}

/* ------------------------------------------------------------- to send -- */

static void send_body(int to, struct head h, const void *body, size_t n, struct core_sending *s)
{
    memset(s, 0xa5, sizeof *s); /* the sender need not prepare it */
    int err = core_send_rndv(to, BODY, &h, sizeof h, body, n, s);
    EXPECT(err == 0, "send of %zu bytes to PE %d: %d", n, to, err);
    EXPECT(n > CORE_SEND_MAX - sizeof h || core_sending_done(s), "a body of %zu bytes is still out", n);
}

/* Serve others until the bodies that are out are back and `target` have come. */
static void serve(const struct core_sending *s, size_t n, uint64_t target)
{
    struct core_waiter w;
    size_t i = 0;

    core_wait_begin(&w, "far test");
    for (;;) {
        struct come *c = take();

        while (i < n && core_sending_done(&s[i]))
            i++;
        if (c)
            fetch_one(c);
        else if (i == n && __atomic_load_n(&done_count, __ATOMIC_ACQUIRE) >= target)
            break;
        else
            core_wait_pause(&w);
    }
    core_wait_end(&w);
}

static void begin(void)
{
    core_job_barrier(__func__);
    done_count = 0;
    noise = 0;
    core_job_barrier(__func__);
}

/* ----------------------------------------------------------------- tests -- */

static unsigned char in_globals[LARGEST];
static unsigned char *in_heap, *in_malloc, *in_mmap;
static size_t slow_limit = LARGEST; /* bodies that come by messages are smaller */

static const size_t sizes[] = {0,     1,     7,     8,     100,    1000,   1015,    1016,          1017,   1024,
                               1025,  1536,  2047,  4096,  4097,   6047,   6048,    6049,          12096,  12097,
                               16383, 20000, 65536, 65537, 100003, 262144, 1000000, (1 << 20) + 3, LARGEST};
enum { SIZES = sizeof sizes / sizeof *sizes };

static void test_sizes(unsigned char *body, const char *where, size_t limit)
{
    struct core_sending s[MAX_PES];
    uint64_t target = 0;

    if (limit > slow_limit)
        limit = slow_limit;
    begin();
    for (uint32_t k = 0; k < SIZES && sizes[k] <= limit; k++) {
        fill(body, k, sizes[k]);
        for (int i = 0; i < core_size(); i++)
            send_body((core_me() + i) % core_size(), (struct head){k, k & 1}, body, sizes[k], &s[i]);
        target += (uint64_t)core_size();
        serve(s, (size_t)core_size(), target);
        memset(body, 0xee, sizes[k]); /* it is ours again */
    }
    core_job_barrier(__func__);
    EXPECT(done_count == target, "%llu bodies from %s, expected %llu", (unsigned long long)done_count, where,
           (unsigned long long)target);
}

static void test_stack(void)
{
    unsigned char body[100003];

    test_sizes(body, "the stack", sizeof body);
}

/* A body at the edge of its memory, at odd addresses, next to pages without access. */
static void test_edges(void)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    unsigned char *p = mmap(NULL, 6 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    int to = (core_me() + 1) % core_size();
    uint64_t sent = 0;

    begin();
    EXPECT(p != MAP_FAILED && mprotect(p, page, PROT_NONE) == 0 && mprotect(p + 5 * page, page, PROT_NONE) == 0,
           "pages");
    for (size_t n = 1017; n < 4 * page; n += n / 3 + 1) {
        struct core_sending s;

        fill(p + page, (uint32_t)n, n);
        send_body(to, (struct head){(uint32_t)n, 0}, p + page, n, &s);
        serve(&s, 1, ++sent);
        fill(p + 5 * page - n, (uint32_t)n, n);
        send_body(to, (struct head){(uint32_t)n, 1}, p + 5 * page - n, n, &s);
        serve(&s, 1, ++sent);
    }
    core_job_barrier(__func__);
    munmap(p, 6 * page);
}

/* Many are out at a time, in both directions, with rings that others fill. */
static void test_many(void)
{
    enum { MANY = 200, BYTES = 5000 };
    static const unsigned char body[900];
    const uint64_t none = 0;
    int n = core_size();
    struct core_sending *s = calloc((size_t)(MANY * n), sizeof *s);
    uint64_t r = 9 + (uint64_t)core_me(), sent = 0;

    begin();
    fill(in_malloc, 3, BYTES);
    fill(in_heap, 4, BYTES);
    for (int m = 0; m < MANY; m++)
        for (int pe = 0; pe < n; pe++) {
            bool heap = check_random_below(&r, 2);
            size_t bytes = 1017 + check_random_below(&r, BYTES - 1017);

            send_body(pe, (struct head){heap ? 4 : 3, (uint32_t)check_random_below(&r, 2)}, heap ? in_heap : in_malloc,
                      bytes, &s[sent++]);
            for (int k = 0; k < 3; k++)
                EXPECT(core_send(pe, NOISE, &none, 8, body, 900) == 0, "noise");
        }
    serve(s, sent, sent);
    while (noise < 3 * sent)
        core_progress();
    free(s);
}

/* Table entries are used again; the sender sleeps until it may go on. */
static void test_again(void)
{
    enum { TIMES = 500 };
    int to = (core_me() + 1) % core_size();
    struct core_sending s;

    begin();
    fill(in_malloc, 5, 2000);
    for (uint64_t i = 1; i <= TIMES; i++) {
        send_body(to, (struct head){5, (uint32_t)i & 1}, in_malloc, 2000, &s);
        serve(&s, 1, i);
    }
}

static void test_not_wanted(void)
{
    struct core_sending s;
    struct core_waiter w;
    struct come *c;

    begin();
    send_body((core_me() + 1) % core_size(), (struct head){0, 0}, in_malloc, LARGEST, &s);
    core_wait_begin(&w, "far test");
    while (!(c = take()))
        core_wait_pause(&w);
    core_wait_end(&w);
    usleep(30000); /* the sender falls asleep */
    core_fetch_end(&c->rndv);
    free(c);
    core_wait_begin(&w, "far test: sender");
    while (!core_sending_done(&s))
        core_wait_pause(&w);
    core_wait_end(&w);
}

static void test_errors(void)
{
    struct core_sending s;
    char head[CORE_SEND_MAX];
    int me = core_me();

    memset(head, 0, sizeof head);
    EXPECT(core_send_rndv(-1, BODY, NULL, 0, head, 1, &s) == -EINVAL && core_sending_done(&s), "PE -1");
    EXPECT(core_send_rndv(core_size(), BODY, NULL, 0, head, 1, &s) == -EINVAL, "PE beyond the last");
    EXPECT(core_send_rndv(me, CORE_CHANNEL_MAX, NULL, 0, head, 1, &s) == -EINVAL, "channel id too large");
    EXPECT(core_send_rndv(me, NOISE + 1, NULL, 0, head, 1, &s) == -EINVAL, "channel not open");
    EXPECT(core_send_rndv(me, BODY, head, CORE_SEND_MAX - sizeof(struct core_rndv) + 1, NULL, 0, &s) == -EINVAL,
           "head too large");
    EXPECT(core_send_rndv(me, BODY, head, 8, NULL, 5, &s) == -EINVAL, "no body");
    EXPECT(core_send_rndv(me, BODY, head, 8, NULL, LARGEST, &s) == -EINVAL && core_sending_done(&s), "no large body");
}

/* ---------------------------------------------------------------- threads -- */

static uint64_t thread_target;

static void *thread_main(void *arg)
{
    enum { EACH = 60 };
    uint64_t r = 1 + (uintptr_t)arg;
    unsigned char *body = malloc(40000);
    int n = core_size();
    struct core_sending s[MAX_PES];

    fill(body, (uint32_t)(uintptr_t)arg, 40000);
    for (int m = 0; m < EACH; m++) {
        for (int pe = 0; pe < n; pe++)
            send_body(pe, (struct head){(uint32_t)(uintptr_t)arg, (uint32_t)m & 1}, body, check_random_below(&r, 40000),
                      &s[pe]);
        serve(s, (size_t)n, 0);
    }
    __atomic_fetch_add(&thread_target, (uint64_t)EACH * (uint64_t)n, __ATOMIC_RELAXED);
    serve(NULL, 0, (uint64_t)EACH * (uint64_t)n * THREADS);
    free(body);
    return NULL;
}

static void test_threads(void)
{
    pthread_t t[THREADS];

    begin();
    for (uintptr_t i = 0; i < THREADS; i++)
        EXPECT(pthread_create(&t[i], NULL, thread_main, (void *)(i + 1)) == 0, "thread");
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    EXPECT(done_count == thread_target, "%llu bodies of %llu", (unsigned long long)done_count,
           (unsigned long long)thread_target);
}

/* ------------------------------------------------------- unusual processes -- */

static pid_t *pid_of(int pe)
{
    return &core_ctrl_of(core_slice_of(pe))->pid;
}

static void hide(void)
{
    int next = (core_me() + 1) % core_size();
    uint64_t word = 0;
    struct iovec here = {&word, sizeof word}, there = {in_globals, sizeof word};

    EXPECT(geteuid() != 0 || setresuid(65534, 65534, 65534) == 0,
           "privileges"); /* takes the right of root to read all */
    EXPECT(prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0, "dumpable");
    core_job_barrier(__func__);
    EXPECT(core_size() == 1 || (process_vm_readv(*pid_of(next), &here, 1, &there, 1, 0) < 0 && errno == EPERM),
           "PE %d can be read", next);
}

static void pretend(bool yes)
{
    static pid_t next;

    core_job_barrier(__func__);
    if (yes)
        next = *pid_of((core_me() + 1) % core_size());
    core_job_barrier(__func__);
    *pid_of(core_me()) = yes ? next : getpid();
    core_job_barrier(__func__);
}

int main(int argc, char **argv)
{
    bool hidden = argc > 1 && strcmp(argv[1], "hidden") == 0, impostor = argc > 1 && strcmp(argv[1], "impostor") == 0;

    if (core_job_start(0) != 0)
        return 1;
    if (hidden || impostor || core_params.rndv == CORE_RNDV_PULL)
        slow_limit = 262144;
    if (hidden)
        hide();
    if (impostor)
        pretend(true);
    EXPECT(core_size() <= MAX_PES, "at most %d PEs", MAX_PES);
    EXPECT(core_channel_open(BODY, on_body) == 0 && core_channel_open(NOISE, on_noise) == 0, "open");
    in_heap = core_heap_alloc(LARGEST, 0);
    in_malloc = malloc(LARGEST + 1);
    in_mmap = mmap(NULL, LARGEST, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    EXPECT(in_heap && in_malloc && in_mmap != MAP_FAILED, "memory");
    test_errors();
    test_sizes(in_heap, "the symmetric heap", LARGEST);
    test_sizes(in_globals, "globals", LARGEST);
    test_sizes(in_malloc + 1, "malloc", LARGEST);
    test_sizes(in_mmap, "mmap", LARGEST);
    test_stack();
    test_edges();
    test_not_wanted();
    test_many();
    test_again();
    test_threads();
    if (impostor)
        pretend(false);
    core_job_barrier(__func__);
    core_job_finish();
    return 0;
}
