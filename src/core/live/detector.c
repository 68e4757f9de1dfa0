/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How a PE learns that another process or a whole host is gone when no launcher
 * says so. Each process keeps a TCP connection to the next one, and the last to the first:
 * the lifeline. A process that dies closes its connections; the kernels notice a host or
 * link that is silent. News travel round the lifeline in both directions.
 *
 * A thread of each process sleeps on these connections, so a PE that computes takes
 * part as well. Of the two that notice, the one before the gap speaks first; the
 * one behind it waits longer, and by then has usually been told. PEs that are tasks of one process have
 * one lifeline, of the one that was first to prepare it; their cards say the same of it.
 *
 * A PE that connects must know the listener's key, which its card tells to the job's
 * PEs, and say it soon; when the right one has come nobody listens any more.
 */
#include "core/live/detector.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/internal.h"
#include "core/task/task.h"

enum kind { HELLO = 1, END, LEFT, BYE, BACK, LOOK };

enum { NEXT, PREV, GUESTS, LINKS = CORE_DETECTOR_LINKS, GUEST_MS = 3000, REST_MS = 100 };

enum { HAS_LEFT = 1, IS_LEAVING = 2 };

static struct core_detector *life(void)
{
    return core_state.live.lifeline ? core_state.live.lifeline : &core_state.live.detector;
}

/* --------------------------------------------------------------- processes -- */

/* PEs of a process have numbers that follow one another. */
static bool same_process(int a, int b)
{
    const struct core_card *one = core_card_of(a), *other = core_card_of(b);
    return a == b ||
           (one->life_n > 0 && one->life_n == other->life_n && memcmp(one->life, other->life, one->life_n) == 0);
}

/* The nearest PE of the next process, or of the one before it (step -1), seen from a PE. */
static int beyond(int from, int step)
{
    int pe = from;
    do
        pe = (pe + core_size() + step) % core_size();
    while (pe != from && same_process(pe, from));
    return pe;
}

/* Its slices. */
static unsigned first_slice(void)
{
    const struct core_ctrl *c = core_ctrl_of(core_seg->idx);
    return c->tasked ? c->host : core_seg->idx;
}

static unsigned count_slices(void)
{
    return core_ctrl_of(core_seg->idx)->tasked ? core_board_of(first_slice())->n : 1;
}

static void wake_process(void)
{
    for (unsigned i = 0; i < count_slices(); i++)
        core_wake_slice(first_slice() + i);
}

/* ---------------------------------------------------------------- sending -- */

/* So small a message goes whole or not at all; it is the only kind on its link. */
static void say(int link, const struct core_detector_message *m)
{
    int fd = __atomic_load_n(&life()->link[link].fd, __ATOMIC_ACQUIRE);
    if (fd >= 0 && send(fd, m, sizeof *m, MSG_NOSIGNAL | MSG_DONTWAIT) != (ssize_t)sizeof *m)
        core_debug("a message to PE %d by the lifeline was lost: %s", life()->link[link].pe, strerror(errno));
}

static void say_both(const struct core_detector_message *m)
{
    say(NEXT, m);
    say(PREV, m);
}

static bool mine(void)
{
    return __atomic_load_n(&life()->on, __ATOMIC_ACQUIRE);
}

void core_detector_say_end(int status, const char *why)
{
    struct core_detector_message m = {.kind = END, .pe = core_me(), .status = status};
    snprintf(m.why, sizeof m.why, "%s", why);
    if (mine())
        say_both(&m);
}

void core_detector_say_left(void)
{
    if (mine())
        say_both(&(struct core_detector_message){.kind = LEFT, .pe = core_me()});
}

void core_detector_say_leaving(void)
{
    __atomic_store_n(&life()->someone_leaves, true, __ATOMIC_RELAXED);
    if (mine())
        say_both(&(struct core_detector_message){.kind = LEFT, .pe = core_me(), .more = 1});
}

void core_detector_stop(void)
{
    if (!mine() || __atomic_sub_fetch(&life()->users, 1, __ATOMIC_ACQ_REL) > 0)
        return;
    __atomic_store_n(&life()->finished, true, __ATOMIC_RELEASE);
    say_both(&(struct core_detector_message){.kind = BYE, .pe = core_me()});
}

/* -------------------------------------------------------------- what is known -- */

bool core_detector_left(int pe)
{
    return life()->left && __atomic_load_n(&life()->left[pe], __ATOMIC_ACQUIRE) & HAS_LEFT;
}

uint32_t core_detector_left_count(void)
{
    return __atomic_load_n(&life()->nleft, __ATOMIC_ACQUIRE);
}

bool core_detector_someone_leaves(void)
{
    return __atomic_load_n(&life()->someone_leaves, __ATOMIC_RELAXED);
}

static void note_left(int from, const struct core_detector_message *m)
{
    const unsigned char what = m->more ? IS_LEAVING : HAS_LEFT;
    if (m->pe < 0 || m->pe >= core_size() || same_process(m->pe, core_me()) || life()->left[m->pe] & what)
        return;
    __atomic_fetch_or(&life()->left[m->pe], what, __ATOMIC_ACQ_REL);
    __atomic_store_n(&life()->someone_leaves, true, __ATOMIC_RELAXED);
    if (what == HAS_LEFT && core_slice_of(m->pe) == UINT_MAX) /* others are counted in the node's memory */
        __atomic_fetch_add(&life()->nleft, 1, __ATOMIC_RELEASE);
    wake_process();
    say(from == NEXT ? PREV : NEXT, m);
}

/* ------------------------------------------------------------------ the end -- */

void core_detector_exit(int status)
{
    struct core_header *h = core_seg->header;
    uint32_t no = 0;
    if (h &&
        __atomic_compare_exchange_n(&h->aborting, &no, CORE_ABORT_CLAIMED, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
        h->abort_pe = core_me();
        h->abort_status = status;
        __atomic_store_n(&h->aborting, CORE_ABORT_SAID, __ATOMIC_RELEASE);
        core_wake_node();
    }
    _exit(status);
}

/* Of a process that has died: the PE; of tasks the one that ran, where that can be seen. */
static void name_dead(int pe, char *text, size_t n)
{
    int first = (beyond(pe, -1) + 1) % core_size(), last = (beyond(pe, 1) + core_size() - 1) % core_size();
    unsigned slice = core_slice_of(first);
    if (first == last)
        snprintf(text, n, "PE %d", pe);
    else if (slice != UINT_MAX)
        snprintf(text, n, "PE %d", first + (int)core_board_of(slice)->running);
    else
        snprintf(text, n, "one of PEs %d to %d", first, last);
}

static void report(const struct core_detector_link *l)
{
    const struct core_card *c = core_card_of(l->pe);
    char why[224], who[48];
    name_dead(l->pe, who, sizeof who);
    bool silent = l->error == ETIMEDOUT || l->error == EHOSTUNREACH || l->error == ENETUNREACH || l->error == ENETDOWN;
    if (silent)
        snprintf(why, sizeof why, "host %s (PE %d) has not answered for %u s: host down or link cut", c->host, l->pe,
                 core_params.timeout);
    else
        snprintf(why, sizeof why, "%s on host %s (process %d) has %s", who, c->host, (int)c->pid,
                 life()->left[l->pe] & HAS_LEFT ? "exited without finalizing" : "died");
    core_error("%s; ending the job (this is host %s)", why, core_host(core_me()));
    core_detector_say_end(1, why);
    if (core_state.live.end_all)
        core_state.live.end_all(1);
    core_detector_exit(1);
}

/* Time for the launcher, which knows more, to end this process; and for the
 * other one that notices to say it. */
static const uint64_t grace_ms[] = {[NEXT] = 300, [PREV] = 1000};

static bool suspect(int link)
{
    const struct core_detector_link *l = &life()->link[link];
    return __atomic_load_n(&l->gone, __ATOMIC_ACQUIRE) && !__atomic_load_n(&l->bye, __ATOMIC_ACQUIRE) &&
           !__atomic_load_n(&life()->finished, __ATOMIC_ACQUIRE);
}

void core_detector_settle(void)
{
    while (mine() && (suspect(NEXT) || suspect(PREV)))
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
}

/* Milliseconds until somebody's end is to be reported, -1: for ever. */
static int look_for_end(void)
{
    int wait = -1;
    uint64_t now = core_clock_ms();
    for (int i = NEXT; i <= PREV; i++) {
        struct core_detector_link *l = &life()->link[i];
        if (!suspect(i))
            continue;
        uint64_t at = l->gone_at + grace_ms[i];
        if (now >= at)
            report(l);
        if (wait < 0 || at - now < (uint64_t)wait)
            wait = (int)(at - now);
    }
    return wait;
}

/* ------------------------------------------------------------- all in vain -- */

static void say_where(void)
{
    for (unsigned i = 0; i < count_slices(); i++) {
        char where[sizeof((struct core_ctrl *)0)->where];
        memcpy(where, core_ctrl_of(first_slice() + i)->where, sizeof where);
        where[sizeof where - 1] = '\0';
        if (where[0] && count_slices() > 1)
            core_error("PE %d was waiting in %s", core_slice_pe(first_slice() + i), where);
        else if (where[0])
            core_error("was waiting in %s", where);
    }
}

static int who_leaves(void)
{
    for (int pe = 0; pe < core_size(); pe++)
        if (core_pe_left(pe) || life()->left[pe])
            return pe;
    return -1;
}

static void __attribute__((noreturn)) end_in_vain(void)
{
    struct core_detector_message m = {.kind = END, .pe = core_me(), .status = 1, .more = 1};
    core_vain_say(who_leaves(), m.why, sizeof m.why);
    core_error("%s; ending the job", m.why);
    say_where();
    say_both(&m);
    if (core_state.live.end_all)
        core_state.live.end_all(1);
    core_detector_exit(1);
}

static bool leaves(void)
{
    return core_detector_someone_leaves() || __atomic_load_n(&core_seg->header->left, __ATOMIC_ACQUIRE) > 0;
}

/* Ms until the next word, -1: none. A word says by `more` whether it is strict: who gets it may know of more. */
static int look_for_vain(void)
{
    bool send, someone_leaves = leaves();
    int ms = core_vain_next(someone_leaves, &send);
    struct core_detector_message m = {.kind = LOOK, .pe = core_me(), .more = core_vain_is_strict(someone_leaves)};
    if (send && core_vain_waits(m.more, &m.key))
        say(NEXT, &m);
    return ms;
}

static void pass_look(struct core_detector_message *m)
{
    if (m->pe != core_me()) {
        if (core_vain_waits(m->more, &m->key))
            say(NEXT, m);
    } else if (core_vain_back(m->more, m->key)) {
        end_in_vain();
    }
}

/* ---------------------------------------------------------------- receiving -- */

static void drop(struct core_detector_link *l)
{
    close(l->fd);
    *l = (struct core_detector_link){.fd = -1};
}

static void stop_listening(void)
{
    close(life()->listener);
    life()->listener = -1;
    for (int i = GUESTS; i < LINKS; i++)
        if (life()->link[i].fd >= 0)
            drop(&life()->link[i]);
}

static void greet(struct core_detector_link *guest)
{
    struct core_detector_link *prev = &life()->link[PREV];
    int before = beyond(core_me(), -1), pe = guest->in.pe;
    if (guest->in.kind != HELLO || guest->in.key != life()->card.key || pe < 0 || pe >= core_size() ||
        !same_process(pe, before) || prev->fd >= 0) {
        drop(guest);
        return;
    }
    core_detector_watch(guest->fd);
    prev->pe = before;
    __atomic_store_n(&prev->fd, guest->fd, __ATOMIC_RELEASE);
    *guest = (struct core_detector_link){.fd = -1};
    stop_listening();
}

static void handle(int from)
{
    struct core_detector_link *l = &life()->link[from];
    switch ((enum kind)l->in.kind) {
    case END:
        say(from == NEXT ? PREV : NEXT, &l->in);
        l->in.why[sizeof l->in.why - 1] = '\0';
        core_debug("PE %d has ended the job with status %d: %s", l->in.pe, l->in.status, l->in.why);
        if (l->in.more)
            say_where();
        core_detector_exit(l->in.status);
    case LEFT:
        note_left(from, &l->in);
        return;
    case BYE:
    case BACK:
        __atomic_store_n(&l->bye, l->in.kind == BYE, __ATOMIC_RELEASE);
        return;
    case LOOK:
        pass_look(&l->in);
        return;
    case HELLO:
        return;
    }
}

static void take(int i)
{
    struct core_detector_link *l = &life()->link[i];
    ssize_t n = recv(l->fd, (char *)&l->in + l->got, sizeof l->in - l->got, MSG_DONTWAIT);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (n <= 0 && i >= GUESTS) {
        drop(l);
    } else if (n <= 0) {
        l->error = n < 0 ? errno : 0;
        l->gone_at = core_clock_ms();
        __atomic_store_n(&l->gone, true, __ATOMIC_RELEASE);
    } else if ((l->got += (size_t)n) == sizeof l->in) {
        l->got = 0;
        if (i >= GUESTS)
            greet(l);
        else
            handle(i);
    }
}

static struct core_detector_link *free_guest(void)
{
    for (int i = GUESTS; i < LINKS; i++)
        if (life()->link[i].fd < 0)
            return &life()->link[i];
    return NULL;
}

/* While there is no room, ends guests that have been silent for long. Milliseconds until the next one, or `wait`. -1:
 * for ever. */
static int look_at_guests(int wait)
{
    uint64_t now = core_clock_ms();
    for (int i = GUESTS; i < LINKS && !free_guest(); i++) {
        struct core_detector_link *l = &life()->link[i];
        if (now >= l->until)
            drop(l);
        else if (wait < 0 || l->until - now < (uint64_t)wait)
            wait = (int)(l->until - now);
    }
    if (now < life()->rest_until && (wait < 0 || life()->rest_until - now < (uint64_t)wait))
        wait = (int)(life()->rest_until - now);
    return wait;
}

/* There is room: while there is none, callers wait in the listener's queue. */
static void welcome(void)
{
    struct core_detector_link *l = free_guest();
    int fd = l ? accept4(life()->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK) : -1;
    if (fd >= 0)
        *l = (struct core_detector_link){.fd = fd, .until = core_clock_ms() + GUEST_MS};
    else
        life()->rest_until = core_clock_ms() + REST_MS;
}

/* Of two times in milliseconds, -1: never. */
static int sooner(int a, int b)
{
    return a < 0 || (b >= 0 && b < a) ? b : a;
}

static void *__attribute__((noreturn)) watch(void *arg)
{
    enum { LISTENER = LINKS, ALL };
    struct pollfd p[ALL];
    (void)arg;
    for (;;) {
        int wait = look_at_guests(sooner(look_for_end(), look_for_vain()));
        for (int i = 0; i < LINKS; i++)
            p[i] = (struct pollfd){.fd = life()->link[i].gone ? -1 : life()->link[i].fd, .events = POLLIN};
        p[LISTENER] = (struct pollfd){
            .fd = free_guest() && core_clock_ms() >= life()->rest_until ? life()->listener : -1, .events = POLLIN};
        if (poll(p, ALL, wait) <= 0)
            continue;
        for (int i = 0; i < LINKS; i++)
            if (p[i].revents && p[i].fd == life()->link[i].fd)
                take(i);
        if (p[LISTENER].revents && life()->listener >= 0)
            welcome();
    }
}

/* ------------------------------------------------------------------- start -- */

/* A forked child must not hold up its parent's connections: their end is a sign. */
static void in_child(void)
{
    life()->on = false;
    for (int i = 0; i < LINKS; i++)
        if (life()->link[i].fd >= 0)
            close(life()->link[i].fd);
    if (life()->listener >= 0)
        close(life()->listener);
}

static void tell_card(struct core_card *own)
{
    memcpy(own->life, &life()->card, sizeof life()->card);
    own->life_n = sizeof life()->card;
}

/* Another task of this process has prepared it? */
static bool prepared(void)
{
    void **kept = core_task_kept(CORE_TASK_KEEPS_LIFELINE);
    if (!core_task_on())
        return false;
    if (!core_state.live.lifeline && *kept)
        core_state.live.lifeline = *kept;
    else if (!*kept)
        *kept = core_state.live.lifeline = &core_state.live.detector;
    return core_state.live.lifeline != &core_state.live.detector;
}

int core_detector_prepare(struct core_card *own)
{
    _Static_assert(sizeof life()->card <= sizeof own->life, "the lifeline's address fits the card");
    if (prepared() || mine()) { /* mine: the program has finished and starts again: the lifeline is there */
        if (life()->card.key)
            tell_card(own);
        return 0;
    }
    for (int i = 0; i < LINKS; i++)
        life()->link[i].fd = -1;
    life()->listener = -1;
    if (core_seg->header->npes == (uint32_t)core_size())
        return 0; /* one node, where a supervisor or launcher sees all */
    life()->listener = core_detector_listen(&life()->card);
    if (life()->listener < 0) {
        core_debug("no lifeline to other hosts: %s", strerror(-life()->listener));
        return 0;
    }
    tell_card(own);
    return 0;
}

static void connect_next(void)
{
    struct core_detector_card card;
    int next = beyond(core_me(), 1);
    const struct core_card *c = core_card_of(next);
    if (c->life_n != sizeof card)
        return;
    memcpy(&card, c->life, sizeof card);
    int fd = core_detector_connect(
        &card, core_params.timeout > 0 && core_params.timeout < 10 ? (int)core_params.timeout * 1000 : 10000);
    if (fd < 0) {
        core_debug("no lifeline to PE %d on host %s: %s", next, c->host, strerror(-fd));
        return;
    }
    core_detector_watch(fd);
    life()->link[NEXT].pe = next;
    life()->link[NEXT].fd = fd;
    say(NEXT, &(struct core_detector_message){.kind = HELLO, .pe = core_me(), .key = card.key});
}

/* Signals are the program's threads'. */
static void be_deaf(sigset_t *before)
{
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, before);
}

static void *begin_thread(void *body)
{
    be_deaf(NULL);
    return ((void *(*)(void *))(uintptr_t)body)(NULL);
}

/* To change the mask of a task, if only for a moment, would cost its process a look at masks at each switch. */
int core_detector_thread(void *(*body)(void *))
{
    pthread_t thread;
    pthread_attr_t attr;
    sigset_t old;
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, PTHREAD_STACK_MIN + (128u << 10));
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    if (!core_task_on())
        be_deaf(&old);
    int rc = pthread_create(&thread, &attr, begin_thread, (void *)(uintptr_t)body);
    if (!core_task_on())
        pthread_sigmask(SIG_SETMASK, &old, NULL);
    pthread_attr_destroy(&attr);
    return -rc;
}

int core_detector_start(void)
{
    bool first = __atomic_fetch_add(&life()->users, 1, __ATOMIC_ACQ_REL) == 0;
    if (mine()) {
        if (first) {
            __atomic_store_n(&life()->finished, false, __ATOMIC_RELEASE);
            say_both(&(struct core_detector_message){.kind = BACK, .pe = core_me()});
        }
        return 0;
    }
    if (!first || life()->listener < 0)
        return 0;
    life()->left = calloc((size_t)core_size(), 1);
    connect_next();
    int rc = life()->left ? core_detector_thread(watch) : -ENOMEM;
    if (rc != 0) {
        core_error("cannot watch over the other hosts: %s", strerror(-rc));
        return rc;
    }
    pthread_atfork(NULL, NULL, in_child);
    __atomic_store_n(&life()->on, true, __ATOMIC_RELEASE);
    return 0;
}
