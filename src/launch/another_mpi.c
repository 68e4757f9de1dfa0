/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Programs of another MPI: each of their processes would run alone, as rank 0 of 1, and nobody would notice. As long as
 * no PE has joined the job, look now and then which libraries the first process has mapped.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "launch/launch.h"

enum { FIRST_MS = 30, LAST_MS = 2000 }; /* between looks: twice as long each time; then no more */

static const struct {
    const char *begins, *name;
} libraries[] = {
    {"libmpi.so.40", "Open MPI"}, {"libmpi.so.80", "Open MPI"},   {"libmpi.so.12", "MPICH"},
    {"libmpich.so", "MPICH"},     {"libmpi.so", "another MPI"},   {"liboshmem.so", "Open SHMEM"},
    {"libsma.so", "Cray SHMEM"},  {"libmpi_cray.so", "Cray MPI"},
};

/* The rest of the line: a path; what stands before it has no slash. */
static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

static const char *library_of(const char *name)
{
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++)
        if (strncmp(name, libraries[i].begins, strlen(libraries[i].begins)) == 0)
            return libraries[i].name;
    return NULL;
}

/* Our libmpi.so and libmpi.so.12 need libmpt.so, which the loader maps after them: in between they look like others'.
 */
static bool is_ours(const char *path)
{
    static const char need[] = "libmpt.so";
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat st;
    void *bytes = MAP_FAILED;
    bool ours = false;

    if (fd >= 0 && fstat(fd, &st) == 0 && st.st_size > 0)
        bytes = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (bytes != MAP_FAILED) {
        ours = memmem(bytes, (size_t)st.st_size, need, sizeof need - 1);
        munmap(bytes, (size_t)st.st_size);
    }
    if (fd >= 0)
        close(fd);
    return ours;
}

/* A library of others, by its path, in a process that has not mapped ours. NULL: none. */
static const char *find(pid_t pid, char *path, size_t n)
{
    char maps[32], line[4096];
    const char *found = NULL;
    FILE *in;

    snprintf(maps, sizeof maps, "/proc/%d/maps", (int)pid);
    if (!(in = fopen(maps, "re")))
        return NULL;
    while (fgets(line, sizeof line, in)) {
        char *file = strchr(line, '/');
        const char *whose;

        if (!file)
            continue;
        file[strcspn(file, "\n")] = '\0';
        if (strncmp(name_of(file), "libmpt.so", 9) == 0) {
            found = NULL;
            break;
        }
        if (!found && (whose = library_of(name_of(file)))) {
            found = whose;
            snprintf(path, n, "%s", file);
        }
    }
    fclose(in);
    return found && !is_ours(path) ? found : NULL;
}

static pid_t first_process(const struct launch *l)
{
    for (unsigned i = 0; i < l->npes; i++)
        if (l->watch.pids[i])
            return l->watch.pids[i];
    return 0;
}

void launch_another_mpi_begin(struct launch *l)
{
    l->another_mpi_ms = FIRST_MS;
    l->another_mpi_at = l->npes > 1 ? core_clock_ns() + FIRST_MS * 1000000ull : 0;
}

void launch_another_mpi_look(struct launch *l)
{
    pid_t pid = first_process(l);
    char path[1024];
    const char *whose;

    if (!l->another_mpi_at || core_clock_ns() < l->another_mpi_at)
        return;
    l->another_mpi_ms *= 2;
    l->another_mpi_at = l->another_mpi_ms <= LAST_MS ? core_clock_ns() + l->another_mpi_ms * 1000000ull : 0;
    if (__atomic_load_n(&l->header->started, __ATOMIC_RELAXED) || !pid || l->watch.ending) {
        l->another_mpi_at = 0;
        return;
    }
    if (!(whose = find(pid, path, sizeof path)))
        return;
    core_watch_say(&l->watch,
                   "the program uses %s (%s), not MPT: it would run as %u programs of one rank each; "
                   "compile it with MPT's mpicc (docs/mpi.md tells how programs of others run)",
                   whose, path, l->npes);
    core_watch_end(&l->watch, EXIT_FAILURE, false);
    l->another_mpi_at = 0;
}
