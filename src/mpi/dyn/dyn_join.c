/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MPI_Comm_join (11.10.5): two processes that have a socket between them. Each
 * sends the name of a port over it; who has the lower name accepts.
 */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "mpi/dyn/dyn.h"

struct half {
    char mine[MPI_MAX_PORT_NAME], theirs[MPI_MAX_PORT_NAME];
    struct mpii_dyn_port *port;
};

static bool ready(int fd, short events)
{
    struct pollfd p = {.fd = fd, .events = events};

    return poll(&p, 1, 0) > 0;
}

/* All n bytes either way, making progress meanwhile. False: the socket ends. */
static bool move(int fd, char *data, size_t n, bool out, const char *call)
{
    struct core_waiter w;
    size_t at = 0;
    ssize_t got = 1;

    mpii_wait_begin(&w, call);
    while (at < n) {
        if (!ready(fd, out ? POLLOUT : POLLIN)) {
            mpii_wait_pause(&w);
            continue;
        }
        got =
            out ? send(fd, data + at, n - at, MSG_NOSIGNAL | MSG_DONTWAIT) : recv(fd, data + at, n - at, MSG_DONTWAIT);
        if (got > 0)
            at += (size_t)got;
        else if (got == 0 || (errno != EAGAIN && errno != EINTR))
            break;
    }
    mpii_wait_end(&w);
    return at == n;
}

static int join(void *arg, struct mpii_comm *c, const struct mpii_dyn_group *own, struct mpii_dyn_group *theirs,
                const char *call)
{
    struct half *h = arg;
    int err = strcmp(h->mine, h->theirs) < 0 ? mpii_dyn_port_accept(h->port, own, theirs, NULL, NULL, call)
                                             : mpii_dyn_port_connect(h->theirs, own, theirs, 0, NULL, call);

    if (err == MPI_SUCCESS)
        return err;
    return mpii_error(c, err, call, "the process at the other end of fd cannot be reached by MPI (%.100s)", h->theirs);
}

static int check_socket(int fd, const char *call)
{
    int type = 0;

    if (getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &(socklen_t){sizeof type}) != 0)
        return mpii_error(mpii_state.comm.self, MPI_ERR_ARG, call, "fd is %d, which is no socket: %s", fd,
                          strerror(errno));
    if (type != SOCK_STREAM)
        return mpii_error(mpii_state.comm.self, MPI_ERR_ARG, call, "fd is %d, which is a socket, but no stream", fd);
    return MPI_SUCCESS;
}

int mpii_Comm_join(int fd, MPI_Comm *intercomm)
{
    struct half h = {0};
    struct mpii_comm *c, *made;
    int err;

    MPII_TRY(mpii_comm_begin(MPI_COMM_SELF, intercomm, &c, __func__));
    MPII_TRY(check_socket(fd, __func__));
    err = mpii_dyn_open();
    h.port = err == MPI_SUCCESS ? mpii_dyn_port_new() : NULL;
    if (!h.port)
        return mpii_error(c, err != MPI_SUCCESS ? err : MPI_ERR_NO_MEM, __func__, "no port can be opened");
    mpii_dyn_port_name(h.port, h.mine);
    if (!move(fd, h.mine, sizeof h.mine, true, __func__) || !move(fd, h.theirs, sizeof h.theirs, false, __func__)) {
        mpii_dyn_port_close(h.port);
        return mpii_error(c, MPI_ERR_OTHER, __func__, "fd is %d, a socket whose other end has been closed", fd);
    }
    h.theirs[sizeof h.theirs - 1] = '\0';
    made = mpii_dyn_meet(c, 0, strcmp(h.mine, h.theirs) < 0, join, &h, &err, __func__);
    mpii_dyn_port_close(h.port);
    if (!made)
        return err;
    *intercomm = MPII_HANDLE(made);
    return MPI_SUCCESS;
}
