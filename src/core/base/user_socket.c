/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Names of local sockets in the user's folder. A process that changes names holds the
 * folder's lock, so of many that want one at once one gets it, and a socket that
 * is there listens. A name whose socket nobody has is what a process left that was
 * killed: the next one to take a name removes it.
 */
#include "core/base/user_socket.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/base/siphash.h"
#include "core/base/user_folder.h"
#include "core/core.h"
#include "core/internal.h"

enum { FILE_NAME = 64, PAUSE_MS = 2, TRIES = 100 };

/* A name that this process has. */
struct core_socket_name {
    struct core_socket_name *next;
    int fd, folder; /* number of the folder */
    pid_t owner;
    dev_t dev;
    ino_t ino;
    char file[FILE_NAME];
};

/* Two sums stand for names of any length and any letters; the beginning is for people that look. */
static void file_of(const char *kind, const char *name, char file[FILE_NAME])
{
    static const struct core_siphash_key one = {{1, 0}}, two = {{2, 0}};
    char begin[13];
    size_t n = strlen(name), i;

    for (i = 0; i < sizeof begin - 1 && name[i]; i++) {
        char c = name[i];
        bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
        begin[i] = plain ? c : '_';
    }
    begin[i] = '\0';
    snprintf(file, FILE_NAME, "%.8s-%s-%016llx%016llx", kind, begin, (unsigned long long)core_siphash_of(&one, name, n),
             (unsigned long long)core_siphash_of(&two, name, n));
}

/* ---------------------------------------------------------------- to take one -- */

/* With the folder's lock. */
static int bind_there(int fd, int dir, const char *file, int backlog)
{
    struct sockaddr_un a;
    int type = SOCK_STREAM;

    if (!core_user_folder_address(dir, file, &a))
        return -ENAMETOOLONG;
    getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &(socklen_t){sizeof type});
    if (bind(fd, (struct sockaddr *)&a, sizeof a) != 0) {
        if (errno != EADDRINUSE)
            return -errno;
        if (core_user_folder_alive(dir, file))
            return -EADDRINUSE;
        unlinkat(dir, file, 0);
        if (bind(fd, (struct sockaddr *)&a, sizeof a) != 0)
            return -errno;
    }
    if (type == SOCK_STREAM && listen(fd, backlog) != 0) {
        int err = -errno;
        unlinkat(dir, file, 0);
        return err;
    }
    return 0;
}

static int note(int fd, int folder, int dir, const char *file)
{
    struct core_socket_name *t = calloc(1, sizeof *t);
    struct stat st;

    if (!t || fstatat(dir, file, &st, AT_SYMLINK_NOFOLLOW) != 0) {
        free(t);
        unlinkat(dir, file, 0);
        return -ENOMEM;
    }
    *t = (struct core_socket_name){.fd = fd, .folder = folder, .owner = getpid(), .dev = st.st_dev, .ino = st.st_ino};
    strcpy(t->file, file);
    pthread_mutex_lock(&core_state.base.sockets.lock);
    t->next = core_state.base.sockets.first;
    core_state.base.sockets.first = t;
    pthread_mutex_unlock(&core_state.base.sockets.lock);
    return 0;
}

static int take_in(int folder, int fd, const char *file, int backlog)
{
    int dir = core_user_folder_open(folder, true), rc;

    if (dir < 0)
        return dir;
    rc = core_user_folder_lock(dir);
    if (rc == 0 && !__atomic_exchange_n(&core_state.base.sockets.swept, true, __ATOMIC_RELAXED))
        core_user_folder_sweep(dir);
    if (rc == 0 && (rc = bind_there(fd, dir, file, backlog)) == 0)
        rc = note(fd, folder, dir, file);
    close(dir);
    return rc;
}

/* In the first folder there can be. One that was removed meanwhile is made again: in the next one others, who are in
 * time to have this one, would not see the name and take it, too. */
static int take(int fd, const char *file, int backlog)
{
    int rc = -ENOENT, tries = 0;

    for (int folder = 0; folder < CORE_FOLDERS && (rc == -ENOENT || rc == -EPERM); folder++)
        do
            rc = take_in(folder, fd, file, backlog);
        while (rc == -ESTALE && ++tries < TRIES);
    return rc;
}

int core_user_socket_take(const char *kind, const char *name, int type, int backlog)
{
    char file[FILE_NAME];
    int fd = socket(AF_UNIX, type | SOCK_CLOEXEC, 0), rc;

    if (fd < 0) {
        rc = -errno;
        core_error("no local socket for \"%s\": %s", name, strerror(-rc));
        return rc;
    }
    file_of(kind, name, file);
    rc = take(fd, file, backlog);
    if (rc == 0)
        return fd;
    close(fd);
    if (rc != -EADDRINUSE)
        core_error("no folder for local sockets: %s; wanted one of user %u alone, in XDG_RUNTIME_DIR, /run/user/%u, "
                   "/tmp or the home "
                   "directory",
                   strerror(-rc), (unsigned)geteuid(), (unsigned)geteuid());
    return rc;
}

/* ------------------------------------------------------------ to give it back -- */

/* The file, unless it is another one by now. */
static void remove_file(const struct core_socket_name *t, bool sweep)
{
    int dir = core_user_folder_open(t->folder, false);
    struct stat st;

    if (dir < 0)
        return;
    if (core_user_folder_lock(dir) == 0) {
        if (fstatat(dir, t->file, &st, AT_SYMLINK_NOFOLLOW) == 0 && st.st_ino == t->ino && st.st_dev == t->dev)
            unlinkat(dir, t->file, 0);
        if (sweep)
            core_user_folder_sweep(dir);
        core_user_folder_remove_empty(t->folder, dir);
    }
    close(dir);
}

static struct core_socket_name *take_out(int fd)
{
    struct core_socket_name **at = &core_state.base.sockets.first, *t;

    pthread_mutex_lock(&core_state.base.sockets.lock);
    while (*at && (*at)->fd != fd)
        at = &(*at)->next;
    t = *at;
    if (t)
        *at = t->next;
    pthread_mutex_unlock(&core_state.base.sockets.lock);
    return t;
}

void core_user_socket_give_back(int fd)
{
    struct core_socket_name *t = take_out(fd);

    if (t && t->owner == getpid())
        remove_file(t, false);
    free(t);
}

static struct core_socket_name *find(int fd)
{
    struct core_socket_name *t = core_state.base.sockets.first;
    while (t && t->fd != fd)
        t = t->next;
    return t;
}

int core_user_socket_move(int from, int to)
{
    struct core_socket_name *t;

    core_user_socket_give_back(to);
    if (dup3(from, to, O_CLOEXEC) < 0)
        return -errno;
    pthread_mutex_lock(&core_state.base.sockets.lock);
    if ((t = find(from)))
        t->fd = to;
    pthread_mutex_unlock(&core_state.base.sockets.lock);
    close(from);
    return 0;
}

void core_user_socket_forget(int fd)
{
    free(take_out(fd));
}

void core_user_socket_adopt(int fd)
{
    struct core_socket_name *t = find(fd); /* the child has one thread */
    if (t)
        t->owner = getpid();
}

/* A child that exits leaves its parent's names alone. */
static void __attribute__((destructor)) at_exit(void)
{
    while (core_state.base.sockets.first && core_state.base.sockets.first->owner == getpid()) {
        struct core_socket_name *t = core_state.base.sockets.first;
        core_state.base.sockets.first = t->next;
        close(t->fd);
        remove_file(t, !core_state.base.sockets.first);
        free(t);
    }
}

/* -------------------------------------------------------------------- to call -- */

bool core_user_socket_is_ours(int fd)
{
    struct ucred peer;
    socklen_t n = sizeof peer;
    return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &n) == 0 && peer.uid == geteuid();
}

/* A full queue is not waited for by the kernel, so by us. -ESRCH: nobody has the socket that is there. */
static int connect_within(int fd, const struct sockaddr_un *a, int limit_ms)
{
    struct timespec pause = {.tv_nsec = PAUSE_MS * 1000000l};

    for (int waited = 0; connect(fd, (const struct sockaddr *)a, sizeof *a) != 0; waited += PAUSE_MS) {
        if (errno == ECONNREFUSED)
            return -ESRCH;
        if (errno != EAGAIN && errno != EINTR)
            return -errno;
        if (waited >= limit_ms)
            return -ETIMEDOUT;
        nanosleep(&pause, NULL);
    }
    return 0;
}

/* Somebody was killed here. */
static void clean(int folder, int dir)
{
    if (core_user_folder_lock(dir) != 0)
        return;
    core_user_folder_sweep(dir);
    core_user_folder_remove_empty(folder, dir);
}

static int call_in(int folder, const char *file, int type, int limit_ms)
{
    struct sockaddr_un a;
    int dir = core_user_folder_open(folder, false), fd, rc;

    if (dir < 0)
        return -ENOENT;
    fd = core_user_folder_address(dir, file, &a) ? socket(AF_UNIX, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0) : -1;
    rc = fd < 0 ? -errno : connect_within(fd, &a, limit_ms);
    if (rc == -ESRCH) {
        clean(folder, dir);
        rc = -ENOENT;
    }
    close(dir);
    if (rc == 0 && type == SOCK_STREAM && !core_user_socket_is_ours(fd))
        rc = -EACCES;
    if (rc == 0) {
        fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
        return fd;
    }
    if (fd >= 0)
        close(fd);
    return rc;
}

int core_user_socket_call(const char *kind, const char *name, int type, int limit_ms)
{
    char file[FILE_NAME];
    int rc = -ENOENT;

    file_of(kind, name, file);
    for (int folder = 0; folder < CORE_FOLDERS && rc == -ENOENT; folder++)
        rc = call_in(folder, file, type, limit_ms);
    return rc;
}
