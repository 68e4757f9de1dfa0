/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Published names are this user's alone: who else binds sockets of any name, or
 * looks, is not in the way, and nothing is left of them in the file system.
 */
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mcheck.h"

enum { NOBODY = 65534, NAMES = 50 };

static char folder[64], service[64];
static int me, ready[2];

/* The abstract name that stood for a service in version 0.1. */
static void old_name(struct sockaddr_un *a, socklen_t *n)
{
    uint64_t x = 0xcbf29ce484222325u, y = 0x9e3779b97f4a7c15u;
    int len;

    for (const char *c = service; *c; c++) {
        x = (x ^ (unsigned char)*c) * 0x100000001b3u;
        y = (y + (unsigned char)*c) * 0xd6e8feb86659fd93u;
        y ^= y >> 29;
    }
    *a = (struct sockaddr_un){.sun_family = AF_UNIX};
    len = snprintf(a->sun_path + 1, sizeof a->sun_path - 1, "mpt-name-%u-%016llx%016llx", (unsigned)geteuid(),
                   (unsigned long long)x, (unsigned long long)y);
    *n = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)len);
}

/* Another user, where we may be one. */
static pid_t occupy(void)
{
    struct sockaddr_un a;
    socklen_t n;
    char byte;
    pid_t child;

    if (pipe(ready) != 0 || (child = fork()) < 0)
        return -1;
    if (child == 0) {
        old_name(&a, &n);
        if (geteuid() != 0 || setuid(NOBODY) == 0 || errno == EINVAL) { /* a user namespace has nobody else */
            int fd = socket(AF_UNIX, SOCK_STREAM, 0);
            if (bind(fd, (struct sockaddr *)&a, n) == 0 && listen(fd, 0) == 0 && write(ready[1], "x", 1) == 1)
                pause();
        }
        _exit(1);
    }
    close(ready[1]);
    return read(ready[0], &byte, 1) == 1 ? child : -1;
}

static int files(void)
{
    DIR *dir = opendir(folder);
    int n = 0;

    while (dir && readdir(dir))
        n++;
    if (dir)
        closedir(dir);
    return n - 2; /* . and .. */
}

static void publish_many(const char *port)
{
    char name[80], found[MPI_MAX_PORT_NAME];

    for (int i = 0; i < NAMES; i++) {
        snprintf(name, sizeof name, "%s/%d", service, i);
        if (me == 0)
            OK(MPI_Publish_name(name, MPI_INFO_NULL, port));
    }
    OK(MPI_Barrier(MPI_COMM_WORLD));
    for (int i = 0; i < NAMES; i++) {
        snprintf(name, sizeof name, "%s/%d", service, i);
        OK(MPI_Lookup_name(name, MPI_INFO_NULL, found));
        CHECK(strcmp(found, port) == 0, "%s: %s", name, found);
    }
    OK(MPI_Barrier(MPI_COMM_WORLD));
    for (int i = 0; i < NAMES / 2 && me == 0; i++) { /* the others end with the process */
        snprintf(name, sizeof name, "%s/%d", service, i);
        OK(MPI_Unpublish_name(name, MPI_INFO_NULL, port));
    }
}

int main(void)
{
    char port[MPI_MAX_PORT_NAME] = "", found[MPI_MAX_PORT_NAME];
    pid_t stranger = -1;
    int status;

    snprintf(folder, sizeof folder, "/tmp/mpt-names-%d", (int)getppid());
    snprintf(service, sizeof service, "a name of the test %d", (int)getppid());
    mkdir(folder, 0700);
    setenv("XDG_RUNTIME_DIR", folder, 1);
    mc_start();
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    if (me == 0) {
        stranger = occupy();
        CHECK(stranger > 0, "no stranger");
        OK(MPI_Open_port(MPI_INFO_NULL, port));
        OK(MPI_Publish_name(service, MPI_INFO_NULL, port));
        CHECK(files() == 1, "%d files", files());
    }
    OK(MPI_Bcast(port, sizeof port, MPI_CHAR, 0, MPI_COMM_WORLD));
    OK(MPI_Lookup_name(service, MPI_INFO_NULL, found));
    CHECK(strcmp(found, port) == 0, "%s, expected %s", found, port);
    publish_many(port);
    OK(MPI_Barrier(MPI_COMM_WORLD));
    status = mc_finish();
    if (me != 0)
        return status;
    if (check_kill(stranger, SIGKILL))
        waitpid(stranger, NULL, 0);
    if (files() == 0 && rmdir(folder) == 0)
        return status;
    fprintf(stderr, "%d files are left in %s\n", files(), folder);
    return 1;
}
