/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Errors of files (14.7): checks of handles, classes of the operating system's
 * errors, and how members of a collective call learn of each other's.
 */
#include <errno.h>
#include <string.h>

#include "mpi/io/io.h"
#include "mpi/ulfm/ulfm.h"

const struct mpii_blame mpii_io_against_amode = {.kind = CORE_FINDING_ARGUMENT, .rule = "MPI-5.0, 14.2.1"};

int mpii_io_check_file(MPI_File handle, struct mpii_file **f, const char *call)
{
    *f = mpii_object_of(handle, MPII_FILE);
    if (MPT_LIKELY(*f != NULL)) {
        mpii_coll_within((*f)->comm, call);
        return MPI_SUCCESS;
    }
    MPII_TRY(mpii_check_started(call));
    if (handle == MPI_FILE_NULL)
        return mpii_error(&mpii_file_null, MPI_ERR_FILE, call, "fh is MPI_FILE_NULL");
    return mpii_error(&mpii_file_null, MPI_ERR_FILE, call, "fh is %p, which is not an open file (closed?)",
                      mpii_bad_handle(MPII_FILE, handle));
}

int mpii_io_check_asked(MPI_File handle, struct mpii_file **f, const void *out, const char *arg, const char *call)
{
    MPII_TRY(mpii_io_check_file(handle, f, call));
    return mpii_check_pointer(*f, out, arg, call);
}

int mpii_io_check_random(struct mpii_file *f, const char *call)
{
    if (!(f->amode & MPI_MODE_SEQUENTIAL))
        return MPI_SUCCESS;
    return mpii_error_blame(&mpii_io_against_amode, f, MPI_ERR_UNSUPPORTED_OPERATION, call,
                            "\"%s\" was opened with MPI_MODE_SEQUENTIAL: only the shared file pointer can be used",
                            f->name);
}

int mpii_io_check_split(struct mpii_file *f, const char *call)
{
    if (f->split == IO_NO_SPLIT)
        return MPI_SUCCESS;
    return mpii_error(f, MPI_ERR_OTHER, call, "a split collective access to \"%s\" has begun and not ended", f->name);
}

void mpii_io_wait_quiet(struct mpii_file *f, const char *call)
{
    struct core_waiter w;

    mpii_wait_begin(&w, call);
    while (f->pending > 0)
        mpii_wait_pause(&w);
    mpii_wait_end(&w);
}

int mpii_io_class_of(int error)
{
    static const struct {
        int error, class;
    } rows[] = {
        {ENOENT, MPI_ERR_NO_SUCH_FILE}, {EEXIST, MPI_ERR_FILE_EXISTS}, {EACCES, MPI_ERR_ACCESS},
        {EPERM, MPI_ERR_ACCESS},        {EROFS, MPI_ERR_READ_ONLY},    {ENAMETOOLONG, MPI_ERR_BAD_FILE},
        {EISDIR, MPI_ERR_BAD_FILE},     {ENOTDIR, MPI_ERR_BAD_FILE},   {ELOOP, MPI_ERR_BAD_FILE},
        {ENXIO, MPI_ERR_BAD_FILE},      {ENOSPC, MPI_ERR_NO_SPACE},    {EFBIG, MPI_ERR_NO_SPACE},
        {EDQUOT, MPI_ERR_QUOTA},        {EBUSY, MPI_ERR_FILE_IN_USE},  {ETXTBSY, MPI_ERR_FILE_IN_USE},
        {ENOMEM, MPI_ERR_NO_MEM},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].error == error)
            return rows[i].class;
    return MPI_ERR_IO;
}

int mpii_io_raise_errno(struct mpii_file *f, const char *name, int error, const char *tried, const char *call)
{
    void *object = f ? &f->anchor : &mpii_file_null;

    return mpii_error(object, mpii_io_class_of(error), call, "cannot %s \"%s\": %s", tried, name, strerror(error));
}

int mpii_io_agree(void *object, struct mpii_comm *c, int error, const char *call)
{
    int64_t worst = error;
    int met = c->size > 1 ? mpii_coll_allreduce(c, &worst, 1, MPI_MAX) : MPI_SUCCESS;

    if (mpii_ft_class(met))
        return error != MPI_SUCCESS ? error : mpii_ft_raise(object, met, call);
    if (met != MPI_SUCCESS)
        worst = MPI_ERR_OTHER;
    if (worst == MPI_SUCCESS || error != MPI_SUCCESS)
        return error;
    return mpii_error_blame(&(struct mpii_blame){.kind = CORE_FINDING_KINDS}, object, (int)worst, call,
                            "the call failed on another process of the file's group");
}

bool mpii_io_same(struct mpii_comm *c, const int64_t *values, int n)
{
    int64_t both[16];

    if (c->size == 1)
        return true;
    for (int i = 0; i < n; i++) {
        both[2 * i] = values[i];
        both[2 * i + 1] = ~values[i]; /* its greatest is the least of the values, without overflow */
    }
    if (mpii_coll_allreduce(c, both, 2 * n, MPI_MAX) != MPI_SUCCESS)
        return false;
    for (int i = 0; i < n; i++)
        if (both[2 * i] != ~both[2 * i + 1])
            return false;
    return true;
}

/* Of the communicator that it has for itself. */
int mpii_File_revoke(MPI_File fh)
{
    struct mpii_file *f;

    MPII_TRY(mpii_io_check_file(fh, &f, __func__));
    mpii_ulfm_revoke(f->comm);
    return MPI_SUCCESS;
}
