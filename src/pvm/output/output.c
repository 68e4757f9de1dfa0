/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The sink: a thread of a task that takes other tasks' output. Each of them writes
 * into a pipe; whoever spawned it, this task or one of its descendants, has handed the
 * end to read from to the sink's socket. So nobody else must stay alive for it, and no
 * writer stops because this task computes. When this task ends first, a child of it
 * reads on, that the writers can go on writing.
 */
#include "pvm/output/output.h"
#include "pvm/vm/machine.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/base/user_socket.h"

enum { RETRY_MS = 5 };
enum { SOCKET, NUDGE, SPRINGS }; /* what a round polls */

int pvmi_sink_socket(int slot, bool own)
{
    char name[48];
    int fd, on = 1;
    snprintf(name, sizeof name, "%x-%llx", pvmi_tid_of(slot), (unsigned long long)core_job_id());
    fd = own ? core_user_socket_take("pvm-out", name, SOCK_DGRAM, 0)
             : core_user_socket_call("pvm-out", name, SOCK_DGRAM, 0);
    if (fd >= 0 && own)
        setsockopt(fd, SOL_SOCKET, SO_PASSCRED, &on, sizeof on);
    return fd;
}

/* -------------------------------------------------------------- handed over -- */

static void add(int fd, const struct pvmi_flow *flow)
{
    struct pvmi_spring *s = calloc(1, sizeof *s), **more = pvmi.output.sink.spring;
    if (pvmi.output.sink.n == pvmi.output.sink.room) {
        more = realloc(pvmi.output.sink.spring, (2 * pvmi.output.sink.room + 16) * sizeof *more);
        if (more) {
            pvmi.output.sink.spring = more;
            pvmi.output.sink.room = 2 * pvmi.output.sink.room + 16;
        }
    }
    if (!s || !more) {
        core_error("no memory to take the output of t%x", (unsigned)flow->tid);
        free(s);
        close(fd);
        return;
    }
    s->fd = fd;
    s->flow = *flow;
    fcntl(fd, F_SETFL, O_NONBLOCK);
    pvmi.output.sink.spring[pvmi.output.sink.n++] = s;
    if (flow->tag == PVMI_PRINT)
        __atomic_fetch_add(&pvmi.output.sink.printed, 1, __ATOMIC_RELEASE);
    pvmi_output_begin(s);
}

static void count_end(const struct pvmi_spring *s)
{
    if (s->flow.tag == PVMI_PRINT)
        __atomic_fetch_sub(&pvmi.output.sink.printed, 1, __ATOMIC_RELEASE);
}

static void retag(const struct pvmi_flow *flow)
{
    for (size_t i = 0; i < pvmi.output.sink.n; i++)
        if (pvmi.output.sink.spring[i]->flow.tid == flow->tid) {
            count_end(pvmi.output.sink.spring[i]);
            pvmi.output.sink.spring[i]->flow = *flow;
            if (flow->tag == PVMI_PRINT)
                __atomic_fetch_add(&pvmi.output.sink.printed, 1, __ATOMIC_RELEASE);
        }
}

/* False: there was nothing. */
static bool take_handover(void)
{
    struct pvmi_handover h;
    bool ours;
    int fd;
    ssize_t got = pvmi_receive(pvmi.output.sink.socket, &h, sizeof h, &fd, &ours, MSG_DONTWAIT);
    if (got < 0)
        return false;
    if (!ours || got != sizeof h || (h.what == PVMI_NEW) != (fd >= 0)) {
        if (fd >= 0)
            close(fd);
    } else if (h.what == PVMI_NEW) {
        add(fd, &h.flow);
    } else {
        retag(&h.flow);
    }
    return true;
}

/* ------------------------------------------------------------------- reading -- */

/* Spring i; false when it has ended. */
static bool read_spring(struct pvmi_spring *s)
{
    char text[4096];
    ssize_t n = read(s->fd, text, sizeof text);
    if (n > 0)
        pvmi_output_text(s, text, (size_t)n);
    return n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR));
}

static void remove_spring(size_t i)
{
    struct pvmi_spring *s = pvmi.output.sink.spring[i];
    pvmi_output_end(s);
    close(s->fd);
    pvmi.output.sink.spring[i] = pvmi.output.sink.spring[--pvmi.output.sink.n];
    if (s->flow.tag == PVMI_PRINT)
        pvmi_output_done(); /* before it counts as ended */
    count_end(s);
    free(s);
    if (getpid() == pvmi.output.sink.owner && core_me() >= 0)
        core_wake(core_me());
}

/* The thread polls what there was when it began to: it must begin again when the task has changed that. */
static void nudge(void)
{
    if (pvmi.output.sink.nudge >= 0)
        eventfd_write(pvmi.output.sink.nudge, 1);
}

/* One round: wait, then take and read what is there. */
static void round_of_sink(struct pollfd **polled, size_t *room)
{
    size_t n;
    struct pollfd *p = *polled;
    pthread_mutex_lock(&pvmi.output.sink.lock);
    if (pvmi.output.sink.n + SPRINGS > *room && (p = realloc(p, (pvmi.output.sink.n + 64) * sizeof *p))) {
        *polled = p;
        *room = pvmi.output.sink.n + 64;
    }
    n = pvmi.output.sink.n < *room - SPRINGS ? pvmi.output.sink.n : *room - SPRINGS;
    p = *polled;
    p[SOCKET] = (struct pollfd){.fd = pvmi.output.sink.socket, .events = POLLIN};
    p[NUDGE] = (struct pollfd){.fd = pvmi.output.sink.nudge, .events = POLLIN};
    for (size_t i = 0; i < n; i++)
        p[SPRINGS + i] = (struct pollfd){.fd = pvmi.output.sink.spring[i]->fd, .events = POLLIN};
    pthread_mutex_unlock(&pvmi.output.sink.lock);
    if (poll(p, n + SPRINGS, pvmi_output_announce() ? -1 : RETRY_MS) <= 0)
        return;
    if (p[NUDGE].revents)
        eventfd_read(pvmi.output.sink.nudge, &(eventfd_t){0});
    pthread_mutex_lock(&pvmi.output.sink.lock);
    for (size_t i = n; i-- > 0;) /* from the end: a removed one's place is taken by one looked at already, or a newer */
        if (p[SPRINGS + i].revents && !read_spring(pvmi.output.sink.spring[i]))
            remove_spring(i);
    while (take_handover())
        ;
    pvmi_output_done();
    pthread_mutex_unlock(&pvmi.output.sink.lock);
}

static void *run(void *arg)
{
    struct pollfd *p = malloc(64 * sizeof *p);
    size_t room = 64;
    (void)arg;
    while (p)
        round_of_sink(&p, &room);
    core_error("no memory to read the output of tasks");
    return NULL;
}

/* ------------------------------------------------------------------- the end -- */

static bool is_needed(int fd)
{
    if (fd == STDERR_FILENO || fd == pvmi.output.sink.socket)
        return true;
    for (size_t i = 0; i < pvmi.output.sink.n; i++)
        if (pvmi.output.sink.spring[i]->fd == fd)
            return true;
    return false;
}

/* In a child of the task that ends, which has one thread: until all writers have ended. */
static void __attribute__((noreturn)) read_on(void)
{
    enum { MANY = 4096 };
    struct pollfd *p = malloc(64 * sizeof *p);
    size_t room = 64;
    for (int fd = 0; fd < MANY; fd++)
        if (!is_needed(fd))
            close(fd);
    pvmi.output.sink.nudge = -1; /* closed, and there is nobody to nudge */
    while (p && pvmi.output.sink.n > 0)
        round_of_sink(&p, &room);
    core_user_socket_give_back(pvmi.output.sink.socket);
    _exit(0);
}

static void at_exit(void)
{
    pid_t child = -1;
    if (getpid() != pvmi.output.sink.owner)
        return;
    __atomic_store_n(&pvmi.output.lost, true, __ATOMIC_RELEASE); /* the thread does not wait for this one */
    pthread_mutex_lock(&pvmi.output.sink.lock);
    while (take_handover())
        ;
    if (pvmi.output.sink.n > 0 && (child = fork()) == 0) {
        pthread_mutex_unlock(&pvmi.output.sink.lock);
        core_user_socket_adopt(pvmi.output.sink.socket);
        read_on();
    }
    if (child > 0)
        core_user_socket_forget(pvmi.output.sink.socket);
    pvmi.output.sink.n = 0; /* the thread may still run for a moment */
    pthread_mutex_unlock(&pvmi.output.sink.lock);
}

/* Output collected by now is shown; output to come is waited for. */
void pvmi_output_wait(void)
{
    struct core_waiter w;
    if (pvmi.output.sink.socket < 0 || pvmi.opt[PvmOutputCode] != PVMI_PRINT || pvmi.opt[PvmOutputTid] != pvmi.tid)
        return;
    pthread_mutex_lock(&pvmi.output.sink.lock);
    while (take_handover()) /* what was handed over by now counts */
        ;
    pthread_mutex_unlock(&pvmi.output.sink.lock);
    nudge();
    core_wait_begin(&w, "pvm_exit: output of tasks");
    while (__atomic_load_n(&pvmi.output.sink.printed, __ATOMIC_ACQUIRE) > 0) {
        core_wait_pause(&w);
        pvmi_machine_check(NULL);
    }
    core_wait_end(&w);
}

/* --------------------------------------------------------------------- start -- */

static int start_thread(void)
{
    pthread_t thread;
    sigset_t all, before;
    int rc;
    if (pvmi.output.sink.nudge < 0 && (pvmi.output.sink.nudge = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) < 0)
        return errno;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    rc = pthread_create(&thread, NULL, run, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (rc != 0)
        return rc;
    pthread_detach(thread);
    if (!pvmi.output.sink.registered)
        atexit(at_exit);
    pvmi.output.sink.registered = true;
    return 0;
}

/* A task that comes again has another number, and another socket; the thread goes on. */
int pvmi_sink_start(void)
{
    int fd, rc;
    if (pvmi.output.sink.socket >= 0 && pvmi.output.sink.slot == pvmi.me)
        return 0;
    fd = pvmi_sink_socket(pvmi.me, true);
    if (fd < 0)
        return pvmi_fail(PvmSysErr, "no socket for the output of tasks: %s", strerror(-fd));
    pthread_mutex_lock(&pvmi.output.sink.lock);
    if (pvmi.output.sink.socket < 0 || core_user_socket_move(fd, pvmi.output.sink.socket) != 0)
        pvmi.output.sink.socket = fd;
    pthread_mutex_unlock(&pvmi.output.sink.lock);
    nudge();
    pvmi.output.sink.slot = pvmi.me;
    pvmi.output.sink.owner = getpid();
    pvmi_output_take();
    if (pvmi.output.sink.running)
        return 0;
    if ((rc = start_thread()) != 0)
        return pvmi_fail(PvmOutOfRes, "no thread for the output of tasks: %s", strerror(rc));
    pvmi.output.sink.running = true;
    return 0;
}
