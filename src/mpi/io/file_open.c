/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Opening, closing and deleting files (14.2.1 to 14.2.3). Rank 0 opens first, and
 * creates; the others open what is there then. Either all have the file or none.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mpi/comm/comm.h"
#include "mpi/io/io.h"

enum {
    WAYS = MPI_MODE_RDONLY | MPI_MODE_RDWR | MPI_MODE_WRONLY,
    MODES = WAYS | MPI_MODE_APPEND | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE | MPI_MODE_EXCL | MPI_MODE_SEQUENTIAL |
        MPI_MODE_UNIQUE_OPEN,
};

static int bad_mode(int amode, const char *why, const char *call)
{
    return mpii_error(&mpii_file_null, MPI_ERR_AMODE, call, "amode is %d: %s", amode, why);
}

static int check_mode(int amode, const char *call)
{
    int way = amode & WAYS;

    if (amode & ~MODES)
        return bad_mode(amode, "it has bits that are no MPI_MODE of files", call);
    if (way == 0 || (way & (way - 1)))
        return bad_mode(amode, "expected one of MPI_MODE_RDONLY, MPI_MODE_RDWR, MPI_MODE_WRONLY", call);
    if (way == MPI_MODE_RDONLY && amode & (MPI_MODE_CREATE | MPI_MODE_EXCL))
        return bad_mode(amode, "MPI_MODE_RDONLY goes with neither MPI_MODE_CREATE nor MPI_MODE_EXCL", call);
    if (way == MPI_MODE_RDWR && amode & MPI_MODE_SEQUENTIAL)
        return bad_mode(amode, "MPI_MODE_RDWR does not go with MPI_MODE_SEQUENTIAL", call);
    return MPI_SUCCESS;
}

static int check_name(const char *filename, const char *call)
{
    if (!filename)
        return mpii_error(&mpii_file_null, MPI_ERR_ARG, call, "filename is NULL");
    if (!*filename)
        return mpii_error(&mpii_file_null, MPI_ERR_BAD_FILE, call, "filename is empty");
    return MPI_SUCCESS;
}

/* An error of the arguments that other members need to learn of. */
static int check_open(const char *filename, int amode, MPI_Info info, const MPI_File *fh, const char *call)
{
    MPII_TRY(mpii_check_pointer(&mpii_file_null, fh, "fh", call));
    MPII_TRY(check_name(filename, call));
    MPII_TRY(mpii_check_info(&mpii_file_null, info, call));
    return check_mode(amode, call);
}

static int check_comm(MPI_Comm comm, struct mpii_comm **c, const char *call)
{
    MPII_TRY(mpii_check_started(call));
    *c = mpii_comm_of(comm);
    if (!*c)
        return mpii_error(&mpii_file_null, MPI_ERR_COMM, call, "comm is %s%p, which is not a communicator",
                          comm == MPI_COMM_NULL ? "MPI_COMM_NULL, " : "", (void *)comm);
    if ((*c)->inter)
        return mpii_error(&mpii_file_null, MPI_ERR_COMM, call, "comm is an intercommunicator");
    return MPI_SUCCESS;
}

/* ------------------------------------------------------------ the system's -- */

static int open_flags(int amode)
{
    return (amode & MPI_MODE_RDONLY ? O_RDONLY : amode & MPI_MODE_WRONLY ? O_WRONLY : O_RDWR) | O_CLOEXEC;
}

static int open_at(const char *name, int flags, mode_t permissions)
{
    struct stat st;
    int fd;

    do
        fd = open(name, flags, permissions);
    while (fd < 0 && errno == EINTR);
    if (fd < 0)
        return -errno;
    if (fstat(fd, &st) == 0 && S_ISDIR(st.st_mode)) {
        close(fd);
        return -EISDIR;
    }
    return fd;
}

/* On rank 0. *created: it was not there before. */
static int open_first(const struct mpii_file *f, bool *created)
{
    int flags = open_flags(f->amode), fd;
    mode_t permissions = f->hints.permissions >= 0 ? (mode_t)f->hints.permissions : 0666;

    *created = false;
    if (!(f->amode & MPI_MODE_CREATE))
        return f->amode & MPI_MODE_EXCL && access(f->name, F_OK) == 0 ? -EEXIST : open_at(f->name, flags, 0);
    fd = open_at(f->name, flags | O_CREAT | O_EXCL, permissions);
    if (fd >= 0)
        *created = true;
    else if (fd == -EEXIST && !(f->amode & MPI_MODE_EXCL))
        fd = open_at(f->name, flags | O_CREAT, permissions);
    return fd;
}

/* Sets f->fd on all members, or on none. */
static int open_all(struct mpii_file *f, const char *call)
{
    bool created = false;
    int64_t first = 0;
    int err = MPI_SUCCESS;

    if (f->comm->rank == 0)
        first = f->fd = open_first(f, &created);
    if (f->comm->size > 1)
        MPII_TRY(mpii_coll_bcast(f->comm, &first, sizeof first, 0));
    if (first < 0)
        return mpii_io_raise_errno(NULL, f->name, (int)-first, "open", call);
    if (f->comm->rank > 0)
        f->fd = open_at(f->name, open_flags(f->amode), 0);
    if (f->fd < 0)
        err = mpii_io_raise_errno(NULL, f->name, -f->fd, "open", call);
    err = mpii_io_agree(&mpii_file_null, f->comm, err, call);
    if (err != MPI_SUCCESS && created)
        unlink(f->name);
    return err;
}

/* ------------------------------------------------------------- the object -- */

static void destroy(struct mpii_file *f)
{
    mpii_io_view_clear(&f->view);
    if (f->fd >= 0)
        close(f->fd);
    if (f->comm)
        mpii_comm_release(f->comm);
    mpii_errhandler_release(f->anchor.errhandler);
    free(f->name);
    mpii_object_free(f);
}

static bool first_of_node(const struct mpii_comm *c)
{
    int own = c->procs[c->rank];

    for (int i = 0; i < c->rank && own < core_size(); i++)
        if (c->procs[i] < core_size() && core_node_of(c->procs[i]) == core_node_of(own))
            return false;
    return true;
}

static struct mpii_file *file_new(struct mpii_comm *c, const char *filename, int amode, MPI_Info info)
{
    struct mpii_file *f = mpii_object_new(MPII_FILE, sizeof *f);
    const char *why;

    if (!f)
        return NULL;
    f->anchor.errhandler = mpii_errhandler_hold(mpii_file_null.errhandler);
    f->anchor.handle = f;
    f->fd = -1;
    f->amode = amode;
    f->comm = c;
    f->name = strdup(filename);
    f->syncs = first_of_node(c);
    mpii_io_hints_default(&f->hints, c);
    mpii_io_hints_take(&f->hints, info, true);
    if (f->name && mpii_io_view_set(&f->view, 0, mpii_type_of(MPI_BYTE), mpii_type_of(MPI_BYTE),
                                    mpii_io_rep_find("native"), true, &why) == MPI_SUCCESS)
        return f;
    f->comm = NULL;
    destroy(f);
    return NULL;
}

/* Both file pointers are at the end of the file (14.2.1). */
static void append(struct mpii_file *f)
{
    struct stat st;

    if (!(f->amode & MPI_MODE_APPEND) || fstat(f->fd, &st) != 0)
        return;
    f->position = st.st_size;
    if (f->comm->rank == 0)
        mpii_io_shared_set(f, st.st_size);
}

static int make(struct mpii_comm *c, const char *filename, int amode, MPI_Info info, MPI_File *fh, const char *call)
{
    struct mpii_comm *own;
    struct mpii_file *f;
    int err = MPI_SUCCESS;

    MPII_TRY(mpii_comm_dup_quietly(c, &own, call));
    mpii_comm_set_handler(own, mpii_errhandler_of(MPI_ERRORS_RETURN)); /* the file's handler has the say */
    f = file_new(own, filename, amode, info);
    if (!f)
        err = mpii_error(&mpii_file_null, MPI_ERR_NO_MEM, call, "no memory for a file");
    err = mpii_io_agree(&mpii_file_null, own, err, call);
    if (err == MPI_SUCCESS) /* collective accesses need them equal */
        err = mpii_coll_bcast(own, &f->hints, sizeof f->hints, 0);
    if (err == MPI_SUCCESS)
        err = open_all(f, call);
    if (err == MPI_SUCCESS)
        err = mpii_io_check_one_file(f, call);
    if (err == MPI_SUCCESS)
        err = mpii_io_shared_init(f);
    if (err != MPI_SUCCESS) {
        if (f)
            destroy(f);
        else
            mpii_comm_release(own);
        return err;
    }
    append(f);
    mpii_coll_barrier(own); /* all know the end of the file before anybody writes */
    *fh = (MPI_File)f->anchor.handle;
    return MPI_SUCCESS;
}

int mpii_File_open(MPI_Comm comm, const char *filename, int amode, MPI_Info info, MPI_File *fh)
{
    struct mpii_comm *c;
    int err;

    if (fh)
        *fh = MPI_FILE_NULL;
    MPII_TRY(check_comm(comm, &c, __func__));
    MPII_TRY(mpii_check_together(c, __func__, 1, &(struct mpii_same){"amode", amode, true}));
    err = check_open(filename, amode, info, fh, __func__);
    MPII_TRY(mpii_io_agree(&mpii_file_null, c, err, __func__));
    if (!mpii_io_same(c, &(int64_t){amode}, 1))
        return mpii_error(&mpii_file_null, MPI_ERR_NOT_SAME, __func__,
                          "amode is not the same on all processes (%d here)", amode);
    return make(c, filename, amode, info, fh, __func__);
}

int mpii_File_close(MPI_File *fh)
{
    struct mpii_file *f;
    int err = MPI_SUCCESS;

    MPII_TRY(mpii_check_pointer(&mpii_file_null, fh, "fh", __func__));
    MPII_TRY(mpii_io_check_file(*fh, &f, __func__));
    MPII_TRY(mpii_io_check_split(f, __func__));
    mpii_io_check_completed(f, __func__);
    mpii_io_wait_quiet(f, __func__);
    mpii_io_shared_finish(f);
    if (close(f->fd) != 0 && errno != EINTR)
        err = mpii_io_raise_errno(f, f->name, errno, "close", __func__);
    f->fd = -1;
    if (f->amode & MPI_MODE_DELETE_ON_CLOSE) {
        mpii_coll_barrier(f->comm);
        if (f->comm->rank == 0 && unlink(f->name) != 0 && errno != ENOENT)
            err = mpii_io_raise_errno(f, f->name, errno, "delete", __func__);
    }
    err = mpii_io_agree(f, f->comm, err, __func__);
    destroy(f);
    *fh = MPI_FILE_NULL;
    return err;
}

int mpii_File_delete(const char *filename, MPI_Info info)
{
    MPII_TRY(mpii_check_started(__func__));
    MPII_TRY(check_name(filename, __func__));
    MPII_TRY(mpii_check_info(&mpii_file_null, info, __func__));
    if (unlink(filename) == 0)
        return MPI_SUCCESS;
    return mpii_io_raise_errno(NULL, filename, errno, "delete", __func__);
}
