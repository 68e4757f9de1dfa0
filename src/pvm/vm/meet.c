/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Programs of one user meet at a socket in this user's folder (core/base/user_socket.h),
 * of which one process at a time has the name. It hands the descriptor of the
 * machine's memory to whoever asks and has the same user number. A machine without
 * a name, PVM_VMID, is found by nobody, unless it is the console's.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/user_socket.h"
#include "pvm/vm/machine.h"

enum { PAUSE_MS = 10, REPLY_S = 3, CALL_MS = 3000, LIMIT_MS = 5000, FAILED = -100 };
#define KIND "pvm"

int mpt_pvm_as_console(void)
{
    pvmi.vm.console = true;
    return 0;
}

bool pvmi_is_console(void)
{
    return pvmi.vm.console;
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
        int fd = accept4(pvmi.vm.listener, NULL, NULL, SOCK_CLOEXEC);
        if (fd < 0 && errno != EINTR && errno != ECONNABORTED)
            pause_ms(PAUSE_MS); /* out of descriptors, for now */
        if (fd < 0)
            continue;
        if (core_user_socket_is_ours(fd))
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

/* The descriptor; -1: nobody is there, or it does not answer. */
static int join(const char *vmid)
{
    int fd = core_user_socket_call(KIND, vmid, SOCK_STREAM, CALL_MS), got = -1;
    if (fd < 0)
        return -1;
    got = ask(fd);
    close(fd);
    return got;
}

/* Join, or be the first. The one who has the name may end just now. */
static int join_or_take(const char *vmid)
{
    for (uint64_t until = core_clock_ms() + LIMIT_MS; core_clock_ms() < until; pause_ms(PAUSE_MS)) {
        int fd = join(vmid);
        if (fd >= 0)
            return fd;
        fd = core_user_socket_take(KIND, vmid, SOCK_STREAM, SOMAXCONN);
        if (fd >= 0) {
            pvmi.vm.listener = fd;
            return PVMI_MEET_FIRST;
        }
        if (fd != -EADDRINUSE)
            return FAILED;
    }
    core_error("the virtual machine \"%s\" does not answer", vmid);
    return FAILED;
}

int pvmi_meet(void)
{
    const char *vmid = core_param_foreign("PVM_VMID");
    bool named = vmid && *vmid;
    int fd;
    if (named || pvmi.vm.console)
        return join_or_take(named ? vmid : "");
    fd = join("");
    return fd == -1 ? PVMI_MEET_ALONE : fd;
}
