/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Where a user's sockets lie: a folder of mode 0700 in the user's runtime
 * directory; where there is none, in /tmp, or, when somebody else has taken that
 * name there, in the home directory (which hosts may share, so its name has the
 * host's). It is looked at when it is open, so it cannot be exchanged afterwards,
 * and sockets are reached by its descriptor. It goes with the last socket in it.
 */
#include "core/base/user_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/core.h"
#include "core/internal.h"

enum { LOCK_MS = 5000, PAUSE_MS = 2, PATH_ROOM = 1024 };

struct where {
    char base[PATH_ROOM], sub[128];
    bool common; /* others may write there, too */
};

/* -------------------------------------------------------------- where it is -- */

/* False: there is no such folder. */
static bool where_of(int i, struct where *w)
{
    const char *runtime = core_param_foreign("XDG_RUNTIME_DIR"), *home = core_param_foreign("HOME");
    char host[65] = "";

    *w = (struct where){.sub = "mpt"};
    switch (i) {
    case 0:
        return runtime && *runtime == '/' && snprintf(w->base, sizeof w->base, "%s", runtime) < PATH_ROOM;
    case 1:
        snprintf(w->base, sizeof w->base, "/run/user/%u", (unsigned)geteuid());
        return true;
    case 2:
        strcpy(w->base, "/tmp");
        snprintf(w->sub, sizeof w->sub, "mpt-%u", (unsigned)geteuid());
        w->common = true;
        return true;
    default:
        if (gethostname(host, sizeof host - 1) != 0 || strchr(host, '/'))
            return false;
        snprintf(w->sub, sizeof w->sub, ".mpt-%s", host);
        return home && *home == '/' && snprintf(w->base, sizeof w->base, "%s", home) < PATH_ROOM;
    }
}

/* Nobody else may change what is in it. */
static bool private(int fd)
{
    struct stat st;
    return fstat(fd, &st) == 0 && S_ISDIR(st.st_mode) && st.st_uid == geteuid() && (st.st_mode & 077) == 0;
}

/* Nobody else may exchange what this user has in it. */
static bool keeps(int fd, bool common)
{
    struct stat st;
    if (fstat(fd, &st) != 0)
        return false;
    if (common)
        return (st.st_uid == 0 || st.st_uid == geteuid()) && (st.st_mode & S_ISVTX || !(st.st_mode & 022));
    return st.st_uid == geteuid() && (st.st_mode & 022) == 0;
}

static int open_base(const struct where *w)
{
    int fd = open(w->base, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return -ENOENT;
    if (keeps(fd, w->common))
        return fd;
    close(fd);
    return -EPERM;
}

int core_user_folder_open(int i, bool make)
{
    struct where w;
    int base, fd;
    bool made;

    if (!where_of(i, &w))
        return -ENOENT;
    if ((base = open_base(&w)) < 0)
        return base;
    made = make && (mkdirat(base, w.sub, 0700) == 0 || errno == EEXIST);
    fd = openat(base, w.sub, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        fd = errno != ENOENT ? -EPERM : made ? -ESTALE : -ENOENT;
    close(base);
    if (fd >= 0 && !private(fd)) {
        core_debug("%s/%s does not belong to user %u alone", w.base, w.sub, (unsigned)geteuid());
        close(fd);
        return -EPERM;
    }
    return fd;
}

void core_user_folder_remove_empty(int i, int dir)
{
    struct where w;
    struct stat st, there;
    int base;

    if (!where_of(i, &w) || (base = open_base(&w)) < 0)
        return;
    if (fstat(dir, &st) == 0 && fstatat(base, w.sub, &there, AT_SYMLINK_NOFOLLOW) == 0 && st.st_ino == there.st_ino &&
        st.st_dev == there.st_dev)
        unlinkat(base, w.sub, AT_REMOVEDIR); /* not while there is anything in it */
    close(base);
}

int core_user_folder_lock(int dir)
{
    int64_t until = (int64_t)core_clock_ms() + LOCK_MS;
    struct stat st;

    while (flock(dir, LOCK_EX | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK && errno != EINTR)
            return -errno;
        if ((int64_t)core_clock_ms() > until)
            return -ETIMEDOUT;
        nanosleep(&(struct timespec){.tv_nsec = PAUSE_MS * 1000000l}, NULL);
    }
    return fstat(dir, &st) == 0 && st.st_nlink > 0 ? 0 : -ESTALE;
}

/* -------------------------------------------------------------- what is in it -- */

bool core_user_folder_address(int dir, const char *file, struct sockaddr_un *a)
{
    *a = (struct sockaddr_un){.sun_family = AF_UNIX};
    return (size_t)snprintf(a->sun_path, sizeof a->sun_path, "/proc/self/fd/%d/%s", dir, file) < sizeof a->sun_path;
}

/* A socket for datagrams leaves no trace at one that listens, which is of another type (EPROTOTYPE). */
bool core_user_folder_alive(int dir, const char *file)
{
    struct sockaddr_un a;
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    bool nobody = fd >= 0 && core_user_folder_address(dir, file, &a) &&
                  connect(fd, (struct sockaddr *)&a, sizeof a) != 0 && (errno == ECONNREFUSED || errno == ENOENT);

    if (fd >= 0)
        close(fd);
    return !nobody;
}

void core_user_folder_sweep(int dir)
{
    int again = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC); /* readdir moves the descriptor it gets */
    DIR *list = again >= 0 ? fdopendir(again) : NULL;
    const struct dirent *e;
    struct stat st;

    if (!list) {
        if (again >= 0)
            close(again);
        return;
    }
    while ((e = readdir(list)))
        if (fstatat(dir, e->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISSOCK(st.st_mode) &&
            !core_user_folder_alive(dir, e->d_name))
            unlinkat(dir, e->d_name, 0);
    closedir(list);
}
