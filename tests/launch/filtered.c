/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Runs a command below a filter that refuses system calls, with EPERM:  filtered NAME... -- COMMAND...
 * "children-on-our-memory" are those of vfork, which emulators of a processor refuse with EINVAL.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define CALL(name) {#name, SYS_##name}
static const struct {
    const char *name;
    unsigned number;
} calls[] = {
    CALL(unshare),
    CALL(setns),
    CALL(get_mempolicy),
    CALL(mbind),
    CALL(set_mempolicy),
    CALL(userfaultfd),
    CALL(process_vm_readv),
    CALL(process_vm_writev),
    CALL(ptrace),
    CALL(perf_event_open),
    CALL(membarrier),
    CALL(sched_setattr),
    CALL(sched_setaffinity),
    CALL(epoll_create1),
    CALL(signalfd4),
    CALL(memfd_create),
#ifdef SYS_clone3
    CALL(clone3),
#endif
#ifdef SYS_pidfd_getfd
    CALL(pidfd_getfd),
#endif
#ifdef SYS_pidfd_open
    CALL(pidfd_open),
#endif
#ifdef SYS_close_range
    CALL(close_range),
#endif
#ifdef SYS_rseq
    CALL(rseq),
#endif
#ifdef SYS_statx
    CALL(statx),
#endif
};
enum { CALLS = sizeof calls / sizeof *calls };

static int find(const char *name)
{
    for (unsigned i = 0; i < CALLS; i++)
        if (strcmp(calls[i].name, name) == 0)
            return (int)i;
    return -1; /* this system's headers do not know it */
}

enum { AT_NUMBER = offsetof(struct seccomp_data, nr), AT_FLAGS = offsetof(struct seccomp_data, args) };

/* Leaves the call's number where it was. */
static unsigned short refuse_vfork(struct sock_filter *to)
{
    const struct sock_filter filter[] = {
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 4),    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, AT_FLAGS),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_VFORK, 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EINVAL),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, AT_NUMBER),
    };

    memcpy(to, filter, sizeof filter);
    return sizeof filter / sizeof *filter;
}

int main(int argc, char **argv)
{
    struct sock_filter filter[2 * CALLS + 8] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, AT_NUMBER)};
    unsigned short n = 1;
    int at = 1;

    for (; at < argc && strcmp(argv[at], "--") != 0; at++) {
        int i = find(argv[at]);
        /* Programs that are told "not permitted" do not try the call that came before clone3. */
        int error = strcmp(argv[at], "clone3") == 0 ? ENOSYS : EPERM;

        if (strcmp(argv[at], "children-on-our-memory") == 0)
            n += refuse_vfork(filter + n);
        if (i < 0)
            continue;
        filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, calls[i].number, 0, 1);
        filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned)error);
    }
    filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    if (at + 1 >= argc)
        return 2;
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &(struct sock_fprog){n, filter}) != 0)
        return 3;
    execvp(argv[at + 1], argv + at + 1);
    perror(argv[at + 1]);
    return 127;
}
