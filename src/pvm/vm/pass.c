/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Descriptors from process to process, by a local socket: that of a machine's memory
 * to whoever joins it, the ends of pipes to whoever reads the output of tasks.
 */
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "pvm/vm/machine.h"

union control {
    struct cmsghdr head;
    char room[CMSG_SPACE(sizeof(int)) + CMSG_SPACE(sizeof(struct ucred))];
};

bool pvmi_pass(int to, const void *data, size_t n, int fd, int flags)
{
    union control control = {0};
    struct iovec part = {(void *)(uintptr_t)data, n};
    struct msghdr m = {.msg_iov = &part, .msg_iovlen = 1};
    if (fd >= 0) {
        control.head =
            (struct cmsghdr){.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof fd)};
        memcpy(CMSG_DATA(&control.head), &fd, sizeof fd);
        m.msg_control = &control;
        m.msg_controllen = CMSG_SPACE(sizeof fd);
    }
    return sendmsg(to, &m, MSG_NOSIGNAL | flags) == (ssize_t)n;
}

ssize_t pvmi_receive(int from, void *data, size_t n, int *fd, bool *same_user, int flags)
{
    union control control = {0};
    struct iovec part = {data, n};
    struct msghdr m = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    ssize_t got = recvmsg(from, &m, MSG_CMSG_CLOEXEC | flags);
    struct ucred who;
    *fd = -1;
    *same_user = false;
    for (struct cmsghdr *c = got < 0 ? NULL : CMSG_FIRSTHDR(&m); c; c = CMSG_NXTHDR(&m, c)) {
        if (c->cmsg_type == SCM_RIGHTS)
            memcpy(fd, CMSG_DATA(c), sizeof *fd);
        if (c->cmsg_type == SCM_CREDENTIALS) {
            memcpy(&who, CMSG_DATA(c), sizeof who);
            *same_user = who.uid == getuid();
        }
    }
    return got;
}
