/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Names of files in a folder of the run's own, which rank 0 makes and removes; and
 * looking at files without MPI.
 */
#ifndef TESTS_MPI_IO_FOLDER_H
#define TESTS_MPI_IO_FOLDER_H

#include <fcntl.h>
#include <sys/stat.h>

#include "mcheck.h"

#ifndef MPT_TEST_FOLDER
#error "define MPT_TEST_FOLDER: where the test may make a folder for its files"
#endif

static char folder[sizeof MPT_TEST_FOLDER + 32];

static inline void folder_make(void)
{
    MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN); /* said, so that --check knows: codes are looked at */
    if (mc_rank == 0) {
        snprintf(folder, sizeof folder, "%s", MPT_TEST_FOLDER "/mpt-io-XXXXXX");
        if (!mkdtemp(folder)) {
            perror(folder);
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
    }
    MPI_Bcast(folder, sizeof folder, MPI_CHAR, 0, MPI_COMM_WORLD);
}

/* In one of a few buffers used in turn. */
static inline const char *in_folder(const char *name)
{
    static char names[4][sizeof folder + 64];
    static int turn;

    turn = (turn + 1) % 4;
    snprintf(names[turn], sizeof names[turn], "%s/%s", folder, name);
    return names[turn];
}

/* It must be empty. */
static inline void folder_remove(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
    if (mc_rank == 0)
        CHECK(rmdir(folder) == 0, "%s is not empty", folder);
}

static inline bool is_there(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0;
}

/* Size of the file, of which up to n bytes are read to `to`; -1: no such file. */
static inline long long look_into(const char *path, void *to, size_t n)
{
    int fd = open(path, O_RDONLY);
    struct stat st;
    long long size = -1;

    if (fd < 0)
        return -1;
    if (fstat(fd, &st) == 0 && pread(fd, to, n, 0) >= 0)
        size = st.st_size;
    close(fd);
    return size;
}

/* By rank 0 alone, between barriers. */
static inline void make_file(const char *path, const void *bytes, size_t n)
{
    MPI_Barrier(MPI_COMM_WORLD);
    if (mc_rank == 0) {
        int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);

        CHECK(fd >= 0 && write(fd, bytes, n) == (ssize_t)n, "cannot make %s", path);
        close(fd);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static inline void remove_file(const char *path)
{
    MPI_Barrier(MPI_COMM_WORLD);
    if (mc_rank == 0)
        CHECK(unlink(path) == 0, "cannot remove %s", path);
    MPI_Barrier(MPI_COMM_WORLD);
}

static inline MPI_Count count_of(const MPI_Status *status, MPI_Datatype t)
{
    MPI_Count n = -77;

    MPI_Get_count_c(status, t, &n);
    return n;
}

#endif
