/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Programs of one user meet at a socket with an abstract name, of which there is
 * one at a time and which is gone with the process that has it. Who has the name
 * hands the descriptor of the machine's memory to whoever asks and has the same
 * user number. A machine without a name, PVM_VMID, is found by nobody, unless it is
 * the console's.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "pvm/machine.h"

enum { TRIES = 200, PAUSE_MS = 10, REPLY_S = 5, FAILED = -100 };

static bool console;
static int listener = -1;

int mpt_pvm_as_console(void)
{
    console = true;
    return 0;
}

bool pvmi_is_console(void)
{
    return console;
}

/* False: the name is too long. */
static bool address(struct sockaddr_un *a, socklen_t *n, const char *vmid)
{
    int len;
    *a = (struct sockaddr_un){.sun_family = AF_UNIX};
    len = snprintf(a->sun_path + 1, sizeof a->sun_path - 1, "mpt-pvm-%u-%s", (unsigned)getuid(), vmid);
    *n = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)len);
    return len < (int)sizeof a->sun_path - 1;
}

static bool same_user(int fd)
{
    struct ucred peer;
    socklen_t n = sizeof peer;
    return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &n) == 0 && peer.uid == getuid();
}

static void pause_ms(int ms)
{
    nanosleep(&(struct timespec){.tv_nsec = ms * 1000000l}, NULL);
}

/* -------------------------------------------------------------- the server -- */

static void hand_out(int to)
{
    char byte = 0;
    pvmi_pass(to, &byte, 1, core_job_fd(), MSG_DONTWAIT);
}

static void *serve(void *arg)
{
    (void)arg;
    for (;;) {
        int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
        if (fd < 0 && errno != EINTR && errno != ECONNABORTED)
            pause_ms(PAUSE_MS); /* out of descriptors, for now */
        if (fd < 0)
            continue;
        if (same_user(fd))
            hand_out(fd);
        close(fd);
    }
    return NULL;
}

int pvmi_meet_serve(void)
{
    pthread_t thread;
    pthread_attr_t attr;
    sigset_t all, before;
    int rc;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    pthread_attr_init(&attr);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attr, 64 << 10);
    rc = pthread_create(&thread, &attr, serve, NULL);
    pthread_attr_destroy(&attr);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (rc != 0)
        core_error("cannot start the thread by which other programs join this machine: %s", strerror(rc));
    return -rc;
}

/* -------------------------------------------------------------- the others -- */

/* The descriptor, -1: it did not answer. */
static int ask(int fd)
{
    struct timeval limit = {.tv_sec = REPLY_S};
    char byte;
    bool told;
    int got;
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    pvmi_receive(fd, &byte, 1, &got, &told, 0);
    return got;
}

/* The descriptor; -1: nobody is there; FAILED: somebody who does not serve us. */
static int join(const struct sockaddr_un *a, socklen_t n)
{
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), got = -1;
    if (fd < 0)
        return -1;
    if (connect(fd, (const struct sockaddr *)a, n) == 0) {
        got = same_user(fd) ? ask(fd) : FAILED;
        if (got == FAILED)
            core_error("the virtual machine %s belongs to another user", a->sun_path + 1);
    }
    close(fd);
    return got;
}

/* True: the name is ours, and calls are taken from now on. */
static bool take_name(const struct sockaddr_un *a, socklen_t n)
{
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return false;
    if (bind(fd, (const struct sockaddr *)a, n) != 0 || listen(fd, SOMAXCONN) != 0) {
        close(fd);
        return false;
    }
    listener = fd;
    return true;
}

/* Join, or be the first. The one who has the name may not listen yet, or end just now. */
static int join_or_take(const struct sockaddr_un *a, socklen_t n)
{
    for (int i = 0; i < TRIES; i++) {
        int fd = join(a, n);
        if (fd != -1)
            return fd;
        if (take_name(a, n))
            return PVMI_MEET_FIRST;
        pause_ms(PAUSE_MS);
    }
    core_error("the virtual machine %s does not answer", a->sun_path + 1);
    return FAILED;
}

int pvmi_meet(void)
{
    const char *vmid = core_param_foreign("PVM_VMID");
    bool named = vmid && *vmid;
    struct sockaddr_un a;
    socklen_t n;
    int fd;
    if (!address(&a, &n, named ? vmid : "")) {
        core_error("PVM_VMID=%s: too long", vmid);
        return FAILED;
    }
    if (named || console)
        return join_or_take(&a, n);
    fd = join(&a, n);
    return fd == -1 ? PVMI_MEET_ALONE : fd;
}
