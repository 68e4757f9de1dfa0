/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a PE does with messages that come over the network, without one: nothing
 * is done for what has no seal, was changed, or answers what nobody waits for; and
 * messages that are sealed, but make no sense, end in a line that says so, never in
 * a stray access. Usage: seal [seconds of random messages [seed]].
 */
#include <errno.h>
#include <setjmp.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/channel/internal.h"
#include "core/net/fabric.h"
#include "harness.h"

enum { PES = 3, REGION = 1 << 16, GUARD = 1 << 16, BATCH = 2000 };

static unsigned char *region[NET_REGIONS];

/* ---------------------------------------------------- in place of a network -- */

static int sent; /* tries */

static int no_send(struct core_net_op *op)
{
    (void)op;
    sent++;
    return -EAGAIN;
}

static void set_up(void)
{
    static const struct core_net_fabric fabric = {.send = no_send};

    mpt_fast.npes = PES;
    core_state.net.fabric = &fabric;
    core_state.net.promise.key_bytes = 8;
    core_state.net.deferred_end = &core_state.net.deferred;
    core_state.net.promise.seals_keyed = true;
    core_state.net.peer = calloc(PES, sizeof *core_state.net.peer);
    EXPECT(core_net_secrets_make() == 0 && core_push_start() == 0, "start");
    for (int pe = 0; pe < PES; pe++) {
        core_state.net.peer[pe].seal_key = core_state.net.seal_key;
        core_state.net.peer[pe].seal_keyed = true;
    }
    for (int i = 0; i < NET_REGIONS; i++) {
        region[i] = mmap(NULL, REGION + 2 * GUARD, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        EXPECT(region[i] != MAP_FAILED && mprotect(region[i] + GUARD, REGION, PROT_READ | PROT_WRITE) == 0, "memory");
        region[i] += GUARD;
        core_state.net.region[i] = (struct core_net_region){(char *)region[i], REGION, {0}};
    }
}

/* A sealed message of PE `from` with n bytes after its head. */
static struct core_net_op *message(enum core_net_message kind, int from, uint64_t place, uint64_t cookie,
                                   const void *body, size_t n)
{
    struct core_net_op *op = core_net_message_new("test", 0);
    struct core_net_head *h = core_net_message_begin(op, kind, place);
    h->from = from;
    h->cookie = cookie;
    core_net_message_add(op, body, n);
    core_net_seal(op);
    return op;
}

static uint64_t dropped_by(struct core_net_op *op, size_t n)
{
    uint64_t before = core_state.net.dropped;
    if (!core_net_handle(op->data, n, op))
        core_net_op_free(op);
    return core_state.net.dropped - before;
}

/* ------------------------------------------------------------------ the seal -- */

static void sealed(void)
{
    unsigned char body[200];
    memset(body, 7, sizeof body);
    for (size_t n = 0; n <= sizeof body; n++) {
        struct core_net_op *op = message(NET_M_PUT, 1, 64, 0, body, n);
        EXPECT(dropped_by(op, op->n) == 0, "a put of %zu bytes is dropped", n);
        EXPECT(n == 0 || (region[0][64] == 7 && region[0][64 + n - 1] == 7 && region[0][64 + n] == 0), "%zu bytes", n);
        memset(region[0], 0, REGION);
    }
}

static void changed(void)
{
    unsigned char body[40] = {0};
    size_t n = sizeof(struct core_net_head) + sizeof body;
    for (size_t bit = 0; bit < 8 * n; bit++) {
        struct core_net_op *op = message(NET_M_PUT, 1, 0, 0, body, sizeof body);
        op->data[bit / 8] ^= (unsigned char)(1 << bit % 8);
        EXPECT(dropped_by(op, op->n) == 1, "bit %zu is not sealed", bit);
    }
    for (size_t less = 0; less < n; less++)
        EXPECT(dropped_by(message(NET_M_PUT, 1, 0, 0, body, sizeof body), less) == 1, "cut to %zu bytes", less);
    EXPECT(dropped_by(message(NET_M_PUT, 1, 0, 0, body, sizeof body), n + 1) == 1, "one byte more");
}

static void tokens(void)
{
    uint64_t key = core_state.net.seal_key.k[0];
    struct core_net_op *op;
    core_state.net.promise.seals_keyed = core_state.net.peer[0].seal_keyed = false;
    op = message(NET_M_PUT, 1, 0, 0, "x", 1);
    EXPECT(memcmp(op->data, &key, 8) == 0 && dropped_by(op, op->n) == 0, "a token");
    op = message(NET_M_PUT, 1, 0, 0, "x", 1);
    op->data[3] ^= 1;
    EXPECT(dropped_by(op, op->n) == 1, "a wrong token");
    core_state.net.promise.seals_keyed = core_state.net.peer[0].seal_keyed = true;
}

/* ---------------------------------------------------------- answers, numbers -- */

static void answers(void)
{
    struct core_flow flow = {0};
    uint64_t to = 0, value = 42, cookie;
    struct core_net_op *reply = core_net_op_new(NET_REPLY, "test", 1, &flow), *m;
    reply->to = &to;
    reply->width = 8;
    cookie = core_net_op_cookie(reply);
    const uint64_t wrong[] = {0, cookie + 1, cookie ^ 1ull << 40, (uintptr_t)reply, UINT64_MAX, cookie & UINT32_MAX};
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        m = message(NET_M_ANSWER, 1, 0, wrong[i], &value, 8);
        EXPECT(dropped_by(m, m->n) == 1 && flow.done == 0, "cookie %llx", (unsigned long long)wrong[i]);
    }
    m = message(NET_M_ANSWER, 2, 0, cookie, &value, 8);
    EXPECT(dropped_by(m, m->n) == 1 && flow.done == 0, "an answer of another PE");
    m = message(NET_M_ANSWER, 1, 0, cookie, &value, 8);
    EXPECT(dropped_by(m, m->n) == 0 && flow.done == 1 && to == 42, "the answer");
    m = message(NET_M_ANSWER, 1, 0, cookie, &value, 8);
    EXPECT(dropped_by(m, m->n) == 1 && flow.done == 1, "the answer again");
    core_net_op_new(NET_REPLY, "test", 1, &flow);
    m = message(NET_M_ANSWER, 1, 0, cookie, &value, 8);
    EXPECT(dropped_by(m, m->n) == 1 && flow.done == 1, "the answer of a former use");
}

static void numbers(void)
{
    static const uint64_t came[] = {0, 2, 2, 0, 3, 1, 1, 2, 3};
    static const uint64_t drops[] = {0, 0, 1, 1, 0, 0, 1, 1, 1};
    for (unsigned i = 0; i < sizeof came / sizeof *came; i++) {
        struct core_net_op *m = message(NET_M_CHANNEL, 1, 0, came[i], "", 0);
        EXPECT(dropped_by(m, m->n) == drops[i], "number %u, %llu", i, (unsigned long long)came[i]);
    }
    EXPECT(core_state.net.peer[1].came == 4 && !core_state.net.peer[1].early, "%llu",
           (unsigned long long)core_state.net.peer[1].came);
}

static void keys(void)
{
    enum { KEYS = 2000 };
    static uint64_t key[KEYS];
    for (int i = 0; i < KEYS; i++) {
        key[i] = core_net_memory_key();
        EXPECT(key[i] > UINT32_MAX, "key %llx", (unsigned long long)key[i]); /* by chance once in two million runs */
        for (int k = 0; k < i; k++)
            EXPECT(key[k] != key[i], "a key twice");
    }
    core_state.net.promise.key_bytes = 4;
    EXPECT(core_net_memory_key() <= UINT32_MAX, "a key of 4 bytes");
    core_state.net.promise.key_bytes = 8;
}

/* -------------------------------------------------------- random, but sealed -- */

static uint64_t number(uint64_t *r)
{
    static const uint64_t edges[] = {0,      1,         8,          4096,      8192,       REGION - 8,
                                     REGION, INT32_MAX, UINT32_MAX, INT64_MAX, UINT64_MAX, 1ull << 63};
    uint64_t pick = check_random_below(r, 3);
    return pick == 0   ? edges[check_random_below(r, sizeof edges / sizeof *edges)]
           : pick == 1 ? check_random_below(r, REGION)
                       : check_random(r);
}

static void one(uint64_t *r)
{
    uint64_t words[16], place = check_random_below(r, 4) << 62 | (number(r) & ~7ull & UINT64_MAX >> 2);
    for (unsigned i = 0; i < 16; i++)
        words[i] = i & 1 || check_random_below(r, 2) ? number(r) & ~7ull : number(r);
    struct core_net_op *op =
        message((enum core_net_message)check_random_below(r, NET_M_KINDS), (int)check_random_below(r, PES), place,
                check_random_below(r, 2) ? 0 : number(r), words, check_random_below(r, sizeof words + 1));
    struct core_net_head *h = (struct core_net_head *)op->data;
    h->op = (uint8_t)check_random_below(r, 20);
    h->width = (uint8_t)(check_random_below(r, 4) ? 8 * check_random_below(r, 2) : check_random_below(r, 256));
    if (h->kind == NET_M_CHANNEL) {
        h->address = number(r);
        h->cookie = check_random_below(r, 2) ? core_state.net.peer[h->from].came : h->cookie;
        core_state.net.peer[h->from].sent = 0;
    }
    core_net_seal(op);
    if (!core_net_handle(op->data, op->n, op))
        core_net_op_free(op);
}

/* core_fatal ends here, so that the next message can be tried. */
static jmp_buf next;
static long *found; /* damaged messages; of all children */

static void no_end(int status)
{
    (void)status;
    ++*found;
    longjmp(next, 1);
}

static void child(uint64_t seed, int to)
{
    static volatile int i;
    static uint64_t r;
    core_state.base.end = no_end;
    dup2(to, STDERR_FILENO);
    r = seed;
    setjmp(next);
    while (i++ < BATCH)
        one(&r);
    _exit(0);
}

static void random_messages(double limit, uint64_t seed)
{
    static char text[1 << 20];
    FILE *f = tmpfile();
    double until = check_seconds() + limit;
    long batches = 0;
    found = mmap(NULL, sizeof *found, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    EXPECT(f != NULL && found != MAP_FAILED, "a file");
    for (; check_seconds() < until; seed++, batches++) {
        int status;
        EXPECT(ftruncate(fileno(f), 0) == 0, "truncate");
        lseek(fileno(f), 0, SEEK_SET);
        pid_t pid = fork();
        if (pid == 0)
            child(seed + 1, fileno(f));
        waitpid(pid, &status, 0);
        ssize_t n = pread(fileno(f), text, sizeof text - 1, 0);
        text[n > 0 ? n : 0] = '\0';
        EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0 && !strstr(text, "Sanitizer") &&
                   !strstr(text, "runtime error"),
               "seed %llu: status %x\n%s", (unsigned long long)seed, status, n > 3000 ? text + n - 3000 : text);
    }
    printf("%ld messages, %ld of them damaged\n", batches * BATCH, *found);
    EXPECT(*found > 0 && *found < batches * BATCH, "all or nothing");
}

int main(int argc, char **argv)
{
    set_up();
    sealed();
    changed();
    tokens();
    answers();
    numbers();
    keys();
    random_messages(argc > 1 ? atof(argv[1]) : 3, argc > 2 ? strtoull(argv[2], NULL, 10) : (uint64_t)getpid() << 20);
    return 0;
}
