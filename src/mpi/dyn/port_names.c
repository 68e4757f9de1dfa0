/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Names of services (11.9.4), known to all processes of this user on this
 * machine, whatever their jobs, without a server. Who publishes a name takes a
 * local socket of that name in the user's folder (core/base/user_socket.h), so nobody
 * else can, and keeps the port's name in a file without a name. Who looks one up
 * connects: the kernel says whose socket it is, and the file is found among that
 * process's. The publisher need not do anything, and what it has published ends
 * with it.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/base/hash.h"
#include "core/base/user_socket.h"
#include "mpi/dyn/bridge.h"

enum { SERVICE_MAX = 4096, LOOKUPS = 4096, LOOKUP_MS = 3000 };
#define KIND "mpiname"

struct mpii_dyn_published {
    struct mpii_dyn_published *next;
    char *service;
    char port[MPI_MAX_PORT_NAME];
    int socket, file;
};

/* Two hashes stand for names of any length; the file says the name in full. */
static void label_of(const char *service, char label[64])
{
    uint64_t a = core_hash_text(CORE_HASH_BEGIN, service), b = 0x9e3779b97f4a7c15u;

    for (const char *c = service; *c; c++) {
        b = (b + (unsigned char)*c) * 0xd6e8feb86659fd93u;
        b ^= b >> 29;
    }
    snprintf(label, 64, "mpt-name-%u-%016llx%016llx", (unsigned)geteuid(), (unsigned long long)a,
             (unsigned long long)b);
}

static struct mpii_dyn_published *find(const char *service)
{
    struct mpii_dyn_published *p = mpii_state.dyn.published;

    while (p && strcmp(p->service, service) != 0)
        p = p->next;
    return p;
}

static void drop(struct mpii_dyn_published *p)
{
    struct mpii_dyn_published **at = &mpii_state.dyn.published;

    while (*at && *at != p)
        at = &(*at)->next;
    if (*at)
        *at = p->next;
    if (p->socket >= 0) {
        core_user_socket_give_back(p->socket);
        mpii_bridge_close_socket(p->socket);
    }
    if (p->file >= 0)
        close(p->file);
    free(p->service);
    free(p);
}

static int write_file(struct mpii_dyn_published *p, const char *label)
{
    size_t n = strlen(p->service) + 1, m = strlen(p->port) + 1;

    p->file = memfd_create(label, MFD_CLOEXEC);
    if (p->file < 0)
        return -errno;
    return write(p->file, p->service, n) == (ssize_t)n && write(p->file, p->port, m) == (ssize_t)m ? 0 : -errno;
}

/* The file is there before the name is. */
static int publish(struct mpii_dyn_published *p)
{
    char label[64];
    int err;

    label_of(p->service, label);
    if ((err = write_file(p, label)) != 0)
        return err;
    p->socket = core_user_socket_take(KIND, p->service, SOCK_STREAM, LOOKUPS);
    if (p->socket < 0)
        return p->socket;
    fcntl(p->socket, F_SETFL, O_NONBLOCK);
    mpii_bridge_watch(p->socket, EPOLLIN, BRIDGE_NAMES, NULL, false);
    return 0;
}

static int check_names(const char *service, MPI_Info info, const char *port, const char *call)
{
    MPII_TRY(mpii_check_started(call));
    MPII_TRY(mpii_check_pointer(NULL, service, "service_name", call));
    MPII_TRY(mpii_check_info(NULL, info, call));
    MPII_TRY(mpii_check_pointer(NULL, port, "port_name", call));
    if (!*service || strlen(service) >= SERVICE_MAX)
        return mpii_error(NULL, MPI_ERR_ARG, call, "service_name has %zu characters, expected 1 to %d", strlen(service),
                          SERVICE_MAX - 1);
    return MPI_SUCCESS;
}

int mpii_Publish_name(const char *service_name, MPI_Info info, const char *port_name)
{
    struct mpii_dyn_published *p;
    int err;

    MPII_TRY(check_names(service_name, info, port_name, __func__));
    if (strlen(port_name) >= MPI_MAX_PORT_NAME)
        return mpii_error(NULL, MPI_ERR_PORT, __func__, "port_name has %zu characters, more than a port's name has",
                          strlen(port_name));
    if (mpii_dyn_open() != MPI_SUCCESS)
        return mpii_error(NULL, MPI_ERR_OTHER, __func__, "other jobs cannot connect to this process");
    p = calloc(1, sizeof *p);
    if (!p || !(p->service = strdup(service_name))) {
        free(p);
        return mpii_error(NULL, MPI_ERR_NO_MEM, __func__, "no memory for a name");
    }
    p->socket = p->file = -1;
    strcpy(p->port, port_name);
    err = publish(p);
    if (err == 0) {
        p->next = mpii_state.dyn.published;
        mpii_state.dyn.published = p;
        return MPI_SUCCESS;
    }
    drop(p);
    if (err == -EADDRINUSE)
        return mpii_error(NULL, MPI_ERR_SERVICE, __func__, "service_name is \"%.100s\", which is published already",
                          service_name);
    return mpii_error(NULL, MPI_ERR_SERVICE, __func__, "service_name is \"%.100s\", which cannot be published: %s",
                      service_name, strerror(-err));
}

int mpii_Unpublish_name(const char *service_name, MPI_Info info, const char *port_name)
{
    struct mpii_dyn_published *p;

    MPII_TRY(check_names(service_name, info, port_name, __func__));
    p = find(service_name);
    if (!p)
        return mpii_error(NULL, MPI_ERR_SERVICE, __func__,
                          "service_name is \"%.100s\", which this process has not published", service_name);
    if (strcmp(p->port, port_name) != 0)
        return mpii_error(NULL, MPI_ERR_SERVICE, __func__,
                          "service_name is \"%.100s\", published with port_name \"%.100s\", not \"%.100s\"",
                          service_name, p->port, port_name);
    drop(p);
    return MPI_SUCCESS;
}

/* ----------------------------------------------------------------- lookup -- */

/* Does descriptor `link` refer to the file of this label? Then its port. */
static bool read_file(const char *link, const char *label, const char *service, char port[MPI_MAX_PORT_NAME])
{
    char target[128], text[SERVICE_MAX + MPI_MAX_PORT_NAME + 1], expected[80];
    ssize_t n = readlink(link, target, sizeof target - 1);
    size_t at = strlen(service) + 1;
    int fd;

    if (n <= 0)
        return false;
    target[n] = '\0';
    snprintf(expected, sizeof expected, "/memfd:%s", label);
    if (strncmp(target, expected, strlen(expected)) != 0 || (fd = open(link, O_RDONLY | O_CLOEXEC)) < 0)
        return false;
    n = pread(fd, text, sizeof text - 1, 0);
    close(fd);
    if (n <= (ssize_t)at)
        return false;
    text[n] = '\0';
    if (strcmp(text, service) != 0 || strlen(text + at) >= MPI_MAX_PORT_NAME)
        return false;
    strcpy(port, text + at);
    return true;
}

static bool read_process(pid_t pid, const char *label, const char *service, char port[MPI_MAX_PORT_NAME])
{
    char folder[64], link[128];
    const struct dirent *entry;
    bool found = false;
    DIR *dir;

    snprintf(folder, sizeof folder, "/proc/%d/fd", (int)pid);
    dir = opendir(folder);
    if (!dir)
        return false;
    while (!found && (entry = readdir(dir))) {
        snprintf(link, sizeof link, "%s/%.32s", folder, entry->d_name);
        found = read_file(link, label, service, port);
    }
    closedir(dir);
    return found;
}

static bool look_up(const char *service, char port[MPI_MAX_PORT_NAME])
{
    struct ucred who;
    socklen_t n = sizeof who;
    char label[64];
    int fd = core_user_socket_call(KIND, service, SOCK_STREAM, LOOKUP_MS);
    bool known = fd >= 0 && getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &n) == 0;

    label_of(service, label);
    if (fd >= 0)
        close(fd);
    return known && read_process(who.pid, label, service, port);
}

/* Those who looked stand in the socket's queue, which must not fill up. */
void mpii_dyn_names_step(void)
{
    for (struct mpii_dyn_published *p = mpii_state.dyn.published; p; p = p->next)
        for (int fd; (fd = accept(p->socket, NULL, NULL)) >= 0;)
            close(fd);
}

int mpii_Lookup_name(const char *service_name, MPI_Info info, char *port_name)
{
    const struct mpii_dyn_published *own;
    char port[MPI_MAX_PORT_NAME];

    mpii_depends_on_time();
    mpii_looked_long(); /* programs ask until somebody has published it */
    MPII_TRY(check_names(service_name, info, port_name, __func__));
    own = find(service_name);
    if (!own && !look_up(service_name, port))
        return mpii_error(NULL, MPI_ERR_NAME, __func__, "service_name is \"%.100s\", which nobody has published",
                          service_name);
    strcpy(port_name, own ? own->port : port);
    return MPI_SUCCESS;
}

void mpii_dyn_names_finish(void)
{
    while (mpii_state.dyn.published)
        drop(mpii_state.dyn.published);
}
