/* SPDX-License-Identifier: BSD-3-Clause */
/* What the tests of dynamic processes share. A program spawns itself: with an argument it is a child and does the part
 * of that name. Checks of children count too: a child that has failures says so to its parents before they part. */
#ifndef TESTS_MPI_DYN_CHILDREN_H
#define TESTS_MPI_DYN_CHILDREN_H

#include <limits.h>

#include "mcheck.h"

struct part {
    const char *name;
    void (*child)(MPI_Comm parent, int argc, char **argv);
};

static inline const char *own_path(void)
{
    static char path[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);

    return n > 0 ? path : NULL;
}

/* Failures of the other side are ours. Collective over both; then they part. */
static inline void part_from(MPI_Comm *inter)
{
    long theirs = 0, mine = check_failures;

    OK(MPI_Allreduce(&mine, &theirs, 1, MPI_LONG, MPI_SUM, *inter));
    CHECK(theirs == 0, "%ld failures on the other side", theirs);
    OK(MPI_Comm_disconnect(inter));
    CHECK(*inter == MPI_COMM_NULL, "disconnected, and not null");
}

static inline MPI_Comm spawn_with(MPI_Comm comm, int root, int n, char **argv, MPI_Info info)
{
    MPI_Comm inter = MPI_COMM_NULL;
    int codes[64], size, remote, is_inter = 0;

    for (int i = 0; i < 64; i++)
        codes[i] = -1;
    OK(MPI_Comm_spawn(own_path(), argv, n, info, root, comm, &inter, codes));
    if (inter == MPI_COMM_NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < n; i++)
        CHECK(codes[i] == MPI_SUCCESS, "child %d of %d has code %d", i, n, codes[i]);
    CHECK(codes[n] == -1, "a code too many");
    MPI_Comm_test_inter(inter, &is_inter);
    MPI_Comm_remote_size(inter, &remote);
    MPI_Comm_size(comm, &size);
    CHECK(is_inter && remote == n, "intercommunicator %d of %d children, expected %d", is_inter, remote, n);
    MPI_Comm_size(inter, &remote);
    CHECK(remote == size, "local size %d, expected %d", remote, size);
    return inter;
}

static inline MPI_Comm spawn_part(MPI_Comm comm, int root, int n, const char *part)
{
    return spawn_with(comm, root, n, (char *[]){(char *)(uintptr_t)part, NULL}, MPI_INFO_NULL);
}

/* True in a child, which has done its part. */
static inline int run_child(const struct part *parts, int argc, char **argv)
{
    MPI_Comm parent, again;
    const struct part *p = parts;

    OK(MPI_Comm_get_parent(&parent));
    if (parent == MPI_COMM_NULL)
        return 0;
    while (p->name && (argc < 2 || strcmp(p->name, argv[1]) != 0))
        p++;
    if (!p->name)
        CHECK(0, "a child without a part (%d arguments)", argc);
    else
        p->child(parent, argc, argv);
    OK(MPI_Comm_get_parent(&again));
    part_from(&parent);
    OK(MPI_Comm_dup(MPI_COMM_SELF, &parent)); /* may lie where that one was */
    OK(MPI_Comm_get_parent(&again));
    CHECK(again == MPI_COMM_NULL, "a parent after parting");
    OK(MPI_Comm_free(&parent));
    return 1;
}

#endif
