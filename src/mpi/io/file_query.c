/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A file's size and what else can be asked of it (14.2.4 to 14.2.7), extents in
 * it (14.5), and its consistency: atomic mode and sync (14.6).
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mpi/io/io.h"

int mpii_File_get_amode(MPI_File fh, int *amode)
{
    struct mpii_file *f;

    MPII_TRY(mpii_io_check_asked(fh, &f, amode, "amode", __func__));
    *amode = f->amode;
    return MPI_SUCCESS;
}

int mpii_File_get_group(MPI_File fh, MPI_Group *group)
{
    struct mpii_file *f;

    MPII_TRY(mpii_io_check_asked(fh, &f, group, "group", __func__));
    f->comm->group->object.refs++;
    *group = mpii_group_handle(f->comm->group);
    return MPI_SUCCESS;
}

int mpii_File_get_type_extent(MPI_File fh, MPI_Datatype datatype, void *extent, int wide)
{
    struct mpii_file *f;
    struct mpii_type *t, *unit;
    int err = MPI_SUCCESS;

    (void)wide; /* MPI_Aint has as many bits as MPI_Count */
    MPII_TRY(mpii_io_check_asked(fh, &f, extent, "extent", __func__));
    t = mpii_type_of(datatype);
    if (!t)
        return mpii_check_type(f, datatype, &t, "datatype", __func__);
    unit = mpii_io_type_in_file(f->view.rep, t, &err);
    if (!unit)
        return mpii_error(f, err, __func__, "datatype cannot be laid out in data representation \"%s\"",
                          f->view.rep->name);
    *(MPI_Count *)extent = unit->extent;
    mpii_type_release(unit);
    return MPI_SUCCESS;
}

/* ------------------------------------------------------------------- size -- */

int mpii_File_get_size(MPI_File fh, MPI_Offset *size)
{
    struct mpii_file *f;
    struct stat st;

    mpii_looked();
    MPII_TRY(mpii_io_check_asked(fh, &f, size, "size", __func__));
    if (fstat(f->fd, &st) != 0)
        return mpii_io_raise_errno(f, f->name, errno, "find the size of", __func__);
    *size = st.st_size;
    return MPI_SUCCESS;
}

static int check_resize(struct mpii_file *f, MPI_Offset size, const char *call)
{
    MPII_TRY(mpii_io_check_split(f, call));
    mpii_io_check_completed(f, call);
    mpii_io_wait_quiet(f, call);
    MPII_TRY(mpii_io_check_random(f, call));
    if (size < 0)
        return mpii_error(f, MPI_ERR_ARG, call, "size is %lld, less than 0", (long long)size);
    if (f->amode & MPI_MODE_RDONLY)
        return mpii_error_blame(&mpii_io_against_amode, f, MPI_ERR_READ_ONLY, call,
                                "\"%s\" was opened with MPI_MODE_RDONLY", f->name);
    return MPI_SUCCESS;
}

static int truncate_to(int fd, MPI_Offset size)
{
    return ftruncate(fd, size) == 0 ? 0 : errno;
}

static int allocate(int fd, MPI_Offset size)
{
    return size == 0 ? 0 : posix_fallocate(fd, 0, size);
}

/* Rank 0 does it when all have come; nobody goes on before. */
static int resize(MPI_File fh, MPI_Offset size, int (*how)(int fd, MPI_Offset size), const char *tried,
                  const char *call)
{
    struct mpii_file *f;
    int err, os = 0;

    MPII_TRY(mpii_io_check_file(fh, &f, call));
    err = check_resize(f, size, call);
    MPII_TRY(mpii_io_agree(f, f->comm, err, call));
    if (!mpii_io_same(f->comm, &(int64_t){size}, 1))
        return mpii_error(f, MPI_ERR_NOT_SAME, call, "size is not the same on all processes (%lld here)",
                          (long long)size);
    if (f->comm->rank == 0) {
        do
            os = how(f->fd, size);
        while (os == EINTR);
        f->dirty = true;
        if (os)
            err = mpii_io_raise_errno(f, f->name, os, tried, call);
    }
    return mpii_io_agree(f, f->comm, err, call);
}

int mpii_File_set_size(MPI_File fh, MPI_Offset size)
{
    return resize(fh, size, truncate_to, "set the size of", __func__);
}

int mpii_File_preallocate(MPI_File fh, MPI_Offset size)
{
    return resize(fh, size, allocate, "allocate space for", __func__);
}

/* ------------------------------------------------------------- consistency -- */

int mpii_File_set_atomicity(MPI_File fh, int flag)
{
    struct mpii_file *f;
    int err;

    MPII_TRY(mpii_io_check_file(fh, &f, __func__));
    mpii_io_wait_quiet(f, __func__);
    err = mpii_io_check_split(f, __func__);
    MPII_TRY(mpii_io_agree(f, f->comm, err, __func__));
    if (!mpii_io_same(f->comm, &(int64_t){flag != 0}, 1))
        return mpii_error(f, MPI_ERR_NOT_SAME, __func__, "flag is not the same on all processes (%d here)", flag);
    f->atomic = flag != 0;
    return MPI_SUCCESS;
}

int mpii_File_get_atomicity(MPI_File fh, int *flag)
{
    struct mpii_file *f;

    MPII_TRY(mpii_io_check_asked(fh, &f, flag, "flag", __func__));
    *flag = f->atomic;
    return MPI_SUCCESS;
}

/* One process of each node brings what all of it wrote to the device, if there is anything. */
int mpii_File_sync(MPI_File fh)
{
    struct mpii_file *f;
    int64_t dirty;
    int err;

    MPII_TRY(mpii_io_check_file(fh, &f, __func__));
    mpii_io_check_completed(f, __func__);
    mpii_io_wait_quiet(f, __func__);
    err = mpii_io_check_split(f, __func__);
    MPII_TRY(mpii_io_agree(f, f->comm, err, __func__));
    dirty = f->dirty;
    mpii_coll_allreduce(f->comm, &dirty, 1, MPI_MAX);
    f->dirty = false;
    if (dirty && f->syncs && fsync(f->fd) != 0 && errno != EINVAL && errno != EROFS)
        err = mpii_io_raise_errno(f, f->name, errno, "synchronize", __func__);
    return mpii_io_agree(f, f->comm, err, __func__);
}
