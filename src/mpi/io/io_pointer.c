/* SPDX-License-Identifier: BSD-3-Clause
 *
 * File pointers, individual (14.4.3) and shared (14.4.4): seek and tell, and what
 * byte of the file an offset is.
 */
#include <errno.h>
#include <sys/stat.h>

#include "mpi/io/io.h"

/* First etype of the view that begins at or behind the end of the file. */
static int end_of(struct mpii_file *f, MPI_Offset *etypes, const char *call)
{
    struct stat st;

    if (fstat(f->fd, &st) != 0)
        return mpii_io_raise_errno(f, f->name, errno, "find the end of", call);
    *etypes = (mpii_io_view_end(&f->view, st.st_size) + f->view.etype_size - 1) / f->view.etype_size;
    return MPI_SUCCESS;
}

static int target(struct mpii_file *f, MPI_Offset offset, int whence, MPI_Offset current, MPI_Offset *to,
                  const char *call)
{
    MPI_Offset base = 0;

    if (whence == MPI_SEEK_CUR)
        base = current;
    else if (whence == MPI_SEEK_END)
        MPII_TRY(end_of(f, &base, call));
    else if (whence != MPI_SEEK_SET)
        return mpii_error(f, MPI_ERR_ARG, call, "whence is %d; expected MPI_SEEK_SET, MPI_SEEK_CUR or MPI_SEEK_END",
                          whence);
    if (__builtin_add_overflow(base, offset, to) || *to < 0)
        return mpii_error(f, MPI_ERR_ARG, call, "offset is %lld, which leads to %lld, before the beginning of the view",
                          (long long)offset, (long long)*to);
    return MPI_SUCCESS;
}

static int check(MPI_File fh, struct mpii_file **f, const char *call)
{
    MPII_TRY(mpii_io_check_file(fh, f, call));
    return mpii_io_check_random(*f, call);
}

int mpii_File_seek(MPI_File fh, MPI_Offset offset, int whence)
{
    struct mpii_file *f;
    MPI_Offset to;

    MPII_TRY(check(fh, &f, __func__));
    MPII_TRY(target(f, offset, whence, f->position, &to, __func__));
    f->position = to;
    return MPI_SUCCESS;
}

int mpii_File_get_position(MPI_File fh, MPI_Offset *offset)
{
    struct mpii_file *f;

    MPII_TRY(check(fh, &f, __func__));
    MPII_TRY(mpii_check_pointer(f, offset, "offset", __func__));
    *offset = f->position;
    return MPI_SUCCESS;
}

int mpii_File_get_byte_offset(MPI_File fh, MPI_Offset offset, MPI_Offset *disp)
{
    struct mpii_file *f;
    MPI_Offset at;

    MPII_TRY(check(fh, &f, __func__));
    MPII_TRY(mpii_check_pointer(f, disp, "disp", __func__));
    if (offset < 0 || __builtin_mul_overflow(offset, f->view.etype_size, &at))
        return mpii_error(f, MPI_ERR_ARG, __func__, "offset is %lld, which is not in the view", (long long)offset);
    *disp = mpii_io_view_locate(&f->view, at);
    return MPI_SUCCESS;
}

/* Rank 0 computes and sets; all hear whether it worked, and go on after that. */
static int seek_shared(struct mpii_file *f, MPI_Offset offset, int whence, const char *call)
{
    MPI_Offset to;
    int err = MPI_SUCCESS;

    if (f->comm->rank == 0) {
        err = target(f, offset, whence, mpii_io_shared_add(f, 0), &to, call);
        if (err == MPI_SUCCESS)
            mpii_io_shared_set(f, to);
    }
    return mpii_io_agree(f, f->comm, err, call);
}

int mpii_File_seek_shared(MPI_File fh, MPI_Offset offset, int whence)
{
    struct mpii_file *f;

    MPII_TRY(check(fh, &f, __func__));
    if (!mpii_io_same(f->comm, (int64_t[]){offset, whence}, 2))
        return mpii_error(f, MPI_ERR_NOT_SAME, __func__,
                          "offset or whence is not the same on all processes (%lld, %d here)", (long long)offset,
                          whence);
    return seek_shared(f, offset, whence, __func__);
}

int mpii_File_get_position_shared(MPI_File fh, MPI_Offset *offset)
{
    struct mpii_file *f;

    mpii_looked();
    MPII_TRY(check(fh, &f, __func__));
    MPII_TRY(mpii_check_pointer(f, offset, "offset", __func__));
    *offset = mpii_io_shared_add(f, 0);
    return MPI_SUCCESS;
}
