/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Open jobs: processes enter (forked, or started afresh by this program with a
 * descriptor), talk both ways, part, come again, are killed or never come. Rings
 * that fill towards the dead and the stopped; slots that run out.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/core.h"
#include "harness.h"

enum { HELLO = 1, ANSWER, FLOOD, SLOTS = 8192 };

struct hello {
    int slot, pid;
    uint64_t place, n; /* of a body in the sender's arena */
};

extern char **environ;
static const char *self;
enum { LOG = 64 };
static struct hello heard[LOG]; /* by number, from 0 */
static uint64_t hellos, answers, floods;

static unsigned char pattern(int slot, size_t i)
{
    return (unsigned char)((size_t)slot * 31 + i * 7 + (i >> 8));
}

static void on_hello(const struct core_mail *m)
{
    struct hello *h = &heard[hellos % LOG];
    EXPECT(m->head_n == sizeof *h, "%zu bytes", m->head_n);
    memcpy(h, m->head, sizeof *h);
    EXPECT(h->slot == m->from, "slot %d says it is %d", m->from, h->slot);
    hellos++;
}

static void on_answer(const struct core_mail *m)
{
    int slot;
    memcpy(&slot, m->head, sizeof slot);
    EXPECT(slot == core_me(), "an answer for %d came to %d", slot, core_me());
    EXPECT(m->n == 100 + (size_t)slot % 800, "%zu bytes", m->n);
    for (size_t i = 0; i < m->n; i++)
        EXPECT(((const unsigned char *)m->body)[i] == pattern(slot, i), "byte %zu", i);
    answers++;
}

static void on_flood(const struct core_mail *m)
{
    uint64_t count;
    memcpy(&count, m->head, sizeof count);
    EXPECT(count == floods, "message %llu, expected %llu", (unsigned long long)count, (unsigned long long)floods);
    floods++;
}

static void open_channels(void)
{
    EXPECT(core_channel_open(HELLO, on_hello) == 0 && core_channel_open(ANSWER, on_answer) == 0 &&
               core_channel_open(FLOOD, on_flood) == 0,
           "channels");
}

static void wait_for(const uint64_t *count, uint64_t target)
{
    struct core_waiter w;
    double limit = check_seconds() + 20;
    core_wait_begin(&w, "open job test");
    while (__atomic_load_n(count, __ATOMIC_RELAXED) < target) {
        core_wait_pause(&w);
        EXPECT(check_seconds() < limit, "%llu of %llu messages after 20 s", (unsigned long long)*count,
               (unsigned long long)target);
    }
    core_wait_end(&w);
}

/* The one of that number, when it has come. */
static struct hello hello(uint64_t number)
{
    wait_for(&hellos, number + 1);
    return heard[number % LOG];
}

/* -------------------------------------------------------------- children -- */

static void say_hello(size_t body)
{
    struct hello h = {.slot = core_me(), .pid = getpid(), .n = body};
    unsigned char *p = body ? core_arena_alloc(body, 0) : NULL;
    EXPECT(!body || p, "no arena");
    for (size_t i = 0; i < body; i++)
        p[i] = pattern(h.slot, i);
    EXPECT(!body || core_slice_offset(p, body, &h.place), "no place");
    EXPECT(core_send(0, HELLO, &h, sizeof h, NULL, 0) == 0, "hello");
}

/* Enter, talk, part: with a body left behind. */
static void visit(int fd, int slot)
{
    uint64_t before = answers;
    EXPECT(core_job_enter(fd, slot) == 0, "slot %d", slot);
    EXPECT(core_job_is_in() && (slot < 0 || core_me() == slot), "stands at %d", core_me());
    open_channels();
    say_hello(70000);
    wait_for(&answers, before + 1);
    core_job_part(false);
    EXPECT(!core_job_is_in() && core_send(0, HELLO, "", 1, NULL, 0) < 0, "has parted, and can send");
}

/* Started afresh: argv holds what, descriptor and slot. */
static int run_as_child(char **argv)
{
    int fd = atoi(argv[2]), slot = atoi(argv[3]);
    if (strcmp(argv[1], "visit") == 0) {
        visit(fd, slot);
    } else if (strcmp(argv[1], "twice") == 0) {
        int first;
        visit(fd, slot);
        first = core_me();
        visit(core_job_fd(), -1);
        EXPECT(core_me() != first, "the same slot twice");
    } else { /* sit: until killed */
        EXPECT(core_job_enter(fd, slot) == 0, "enter");
        open_channels();
        say_hello(0);
        for (;;)
            pause();
    }
    return 0;
}

static pid_t start(const char *what, int slot)
{
    char fd[16], at[16];
    int copy = dup(core_job_fd()); /* not closed at exec */
    snprintf(fd, sizeof fd, "%d", copy);
    snprintf(at, sizeof at, "%d", slot);
    char *argv[] = {(char *)(uintptr_t)self, (char *)(uintptr_t)what, fd, at, NULL};
    pid_t pid;
    EXPECT(posix_spawn(&pid, self, NULL, NULL, argv, environ) == 0, "%s %s", self, what);
    close(copy);
    return pid;
}

static void ended_well(pid_t pid)
{
    int status;
    EXPECT(waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0, "process %d: %#x",
           (int)pid, status);
}

static void answer(int slot)
{
    unsigned char body[1000];
    size_t n = 100 + (size_t)slot % 800;
    for (size_t i = 0; i < n; i++)
        body[i] = pattern(slot, i);
    EXPECT(core_send(slot, ANSWER, &slot, sizeof slot, body, n) == 0, "answer to %d", slot);
}

static void check_body(const struct hello *h)
{
    const unsigned char *p = core_slice_at(h->slot, h->place);
    EXPECT(p, "no place");
    for (size_t i = 0; i < h->n; i++)
        EXPECT(p[i] == pattern(h->slot, i), "byte %zu of the body slot %d left", i, h->slot);
}

/* ----------------------------------------------------------------- tests -- */

/* One after the other and in crowds, forked and afresh; what they left can be read. */
static void test_visits(unsigned n)
{
    enum { CROWD = 6 };
    pid_t pid[CROWD];
    for (unsigned i = 0; i < n; i += CROWD) {
        struct hello h[CROWD];
        uint64_t before = hellos;
        for (int c = 0; c < CROWD; c++)
            if (c % 2 == 0) {
                pid[c] = start("visit", -1);
            } else if ((pid[c] = fork()) == 0) {
                EXPECT(!core_job_is_in(), "a forked child is in the job");
                visit(core_job_fd(), -1);
                _exit(0);
            }
        for (unsigned c = 0; c < CROWD; c++) {
            h[c] = hello(before + c);
            answer(h[c].slot);
        }
        for (int c = 0; c < CROWD; c++)
            ended_well(pid[c]);
        for (int c = 0; c < CROWD; c++) {
            EXPECT(core_job_gone(h[c].slot), "slot %d has not gone", h[c].slot);
            check_body(&h[c]);
        }
    }
}

static void test_slots(void)
{
    unsigned high = core_job_high();
    uint64_t before = hellos;
    int slot = core_job_reserve(), taken;
    pid_t pid;
    EXPECT(slot == (int)high && core_job_high() == high + 1, "slot %d of %u", slot, high);
    EXPECT(!core_job_gone(slot), "nobody has come yet");
    answer(slot); /* sent before it comes */
    pid = start("visit", slot);
    core_job_expect(slot, pid, core_process_born(pid));
    EXPECT(hello(before).slot == slot && hello(before).pid == pid, "slot %d", hello(before).slot);
    ended_well(pid);
    taken = slot;
    if ((pid = fork()) == 0) {
        EXPECT(core_job_enter(core_job_fd(), taken) == -EBUSY, "a slot twice");
        EXPECT(core_job_enter(core_job_fd(), SLOTS - 1) == -EINVAL, "a slot given to nobody");
        EXPECT(core_job_start(0) == -EBUSY, "a fixed job inside an open one");
        EXPECT(core_job_enter(core_job_fd(), -1) == 0 && core_job_enter(core_job_fd(), -1) == -EBUSY, "in twice");
        _exit(0);
    }
    ended_well(pid);
}

static void test_twice(void)
{
    uint64_t before = hellos;
    pid_t pid = start("twice", -1);
    for (unsigned i = 0; i < 2; i++)
        answer(hello(before + i).slot);
    ended_well(pid);
}

/* Messages to one who does not look, until nothing goes. Returns their number. */
static uint64_t fill(int slot)
{
    uint64_t n = 0;
    while (core_send_try(slot, FLOOD, &n, sizeof n, NULL, 0) == 0)
        n++;
    EXPECT(n > 100 && n < 10000, "%llu messages fit a ring", (unsigned long long)n);
    return n;
}

static void reap(pid_t pid)
{
    EXPECT(waitpid(pid, NULL, 0) == pid, "process %d", (int)pid);
}

/* Killed while its ring is full: reaped, as a zombie, before it came. */
static void test_dead(void)
{
    uint64_t before = hellos, n;
    pid_t pid = start("sit", -1);
    int slot = hello(before).slot;
    n = fill(slot);
    EXPECT(!core_job_gone(slot), "it lives");
    check_kill(pid, SIGKILL);
    EXPECT(core_send(slot, FLOOD, &n, sizeof n, NULL, 0) == -EPIPE, "a message to a zombie"); /* not reaped yet */
    EXPECT(core_job_gone(slot), "it has died");
    reap(pid);
    EXPECT(core_send(slot, FLOOD, &n, sizeof n, NULL, 0) == -EPIPE, "a message to the dead");

    slot = core_job_reserve();
    if ((pid = fork()) == 0)
        for (;;)
            pause();
    core_job_expect(slot, pid, core_process_born(pid));
    n = fill(slot);
    EXPECT(!core_job_gone(slot), "it may still come");
    check_kill(pid, SIGKILL);
    EXPECT(core_send(slot, FLOOD, &n, sizeof n, NULL, 0) == -EPIPE, "a message to whoever never came");
    reap(pid);
}

/* A receiver that looks only after a while: nothing is lost, nothing doubled. */
static void test_slow(void)
{
    enum { MANY = 5000 };
    int slot = core_job_reserve();
    pid_t pid = fork();
    if (pid == 0) {
        EXPECT(core_job_enter(core_job_fd(), slot) == 0, "enter");
        floods = 0;
        open_channels();
        usleep(100000);
        wait_for(&floods, MANY);
        say_hello(0);
        core_job_part(true);
        _exit(0);
    }
    uint64_t before = hellos;
    for (uint64_t i = 0; i < MANY; i++)
        EXPECT(core_send(slot, FLOOD, &i, sizeof i, NULL, 0) == 0, "message %llu", (unsigned long long)i);
    wait_for(&hellos, before + 1);
    ended_well(pid);
}

static void test_crowded(void)
{
    unsigned cores = core_topology_cores(), n = 0;
    pid_t pid[64];
    for (int slot = 0; slot < (int)core_job_high(); slot++) /* some have ended without parting */
        EXPECT(core_job_gone(slot) == (slot != core_me()), "slot %d", slot);
    EXPECT(!core_oversubscribed(), "alone, and too many");
    while (!core_oversubscribed() && n < 64) {
        uint64_t before = hellos;
        pid[n++] = start("sit", -1);
        wait_for(&hellos, before + 1);
    }
    EXPECT(n == cores || n == 64, "%u of %u cores", n, cores);
    for (unsigned i = 0; i < n; i++) {
        check_kill(pid[i], i % 2 ? SIGKILL : SIGTERM);
        reap(pid[i]);
    }
    for (int slot = 0; slot < (int)core_job_high(); slot++)
        EXPECT(core_job_gone(slot) == (slot != core_me()), "slot %d", slot);
    EXPECT(!core_oversubscribed(), "all others have died");
}

/* Beside hundreds of used slots. The best of several: the machine may be busy. */
static void test_time(void)
{
    const double longest = 5e-3; /* some 50 us with nothing else to do */
    bool soon = false;
    core_channel_open(FLOOD, on_flood);
    for (int i = 0; i < 12; i++) {
        pid_t pid;
        floods = 0;
        if ((pid = fork()) == 0) {
            double t = check_seconds();
            EXPECT(core_job_enter(core_job_fd(), -1) == 0, "enter");
            t = check_seconds() - t;
            _exit(t < longest ? 0 : 1);
        }
        int status;
        EXPECT(waitpid(pid, &status, 0) == pid && WIFEXITED(status), "%#x", status);
        soon = soon || WEXITSTATUS(status) == 0;
    }
    EXPECT(soon, "entering beside %u slots takes more than 5 ms", core_job_high());
}

/* In processes of their own, which open jobs of other sizes. */
static void test_small(void)
{
    pid_t pid = fork();
    if (pid == 0) {
        char *argv[] = {(char *)(uintptr_t)self, (char *)(uintptr_t)"small", NULL};
        execv(self, argv);
        _exit(127);
    }
    ended_well(pid);
}

static int run_small(void)
{
    struct rlimit limit = {.rlim_cur = 12ull << 30, .rlim_max = 12ull << 30};
    int slot = -1;
    EXPECT(core_job_open(16) == 0 && core_me() == 0 && core_size() == 16, "16 slots: %d", core_size());
    for (int i = 1; i < 16; i++)
        EXPECT((slot = core_job_reserve()) == i, "slot %d", slot);
    EXPECT(core_job_reserve() == -ENOSPC, "a 17th slot");
    core_job_part(true);
    EXPECT(core_job_enter(core_job_fd(), -1) == -ENOSPC, "no slot to enter by");
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return 0; /* they need address space themselves */
#endif
    pid_t pid = fork();
    if (pid == 0) {
        setrlimit(RLIMIT_AS, &limit);
        char *argv[] = {(char *)(uintptr_t)self, (char *)(uintptr_t)"limited", NULL};
        execv(self, argv);
        _exit(127);
    }
    ended_well(pid);
    return 0;
}

int main(int argc, char **argv)
{
    alarm(100);
    self = "/proc/self/exe";
    if (argc == 4)
        return run_as_child(argv);
    if (argc == 2 && strcmp(argv[1], "small") == 0)
        return run_small();
    if (argc == 2) { /* limited: fewer slots, but some */
        EXPECT(core_job_open(SLOTS) == 0 && core_size() >= 16 && core_size() < SLOTS, "%d slots", core_size());
        return 0;
    }
    EXPECT(core_job_open(SLOTS) == 0 && core_me() == 0, "open");
    open_channels();
    test_slots();
    test_twice();
    test_visits(300);
    test_dead();
    test_slow();
    test_crowded();
    test_time();
    test_small();
    return 0;
}
