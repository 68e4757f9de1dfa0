/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The memory side of an access: the user's buffer as bytes of the file's
 * representation, converted as a whole when it is not the native one (14.5).
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "mpi/io/io.h"

static int convert_user(struct mpii_io_access *a, MPI_Count elements)
{
    const struct mpii_io_rep *rep = a->f->view.rep;
    MPII_Function *function = a->write ? rep->write : rep->read;
    int err;

    if (!function && a->bytes == a->count * a->type->size) { /* the file's form is the native one */
        if (a->write)
            mpii_pack(a->converted, a->buf, a->count, a->type, 0, a->bytes);
        else
            mpii_unpack(a->buf, a->count, a->type, 0, a->converted, a->done);
        return MPI_SUCCESS;
    }
    if (!function || (!rep->wide && elements > INT_MAX))
        return MPI_ERR_CONVERSION;
    if (rep->wide)
        err = ((MPI_Datarep_conversion_function_c *)function)(a->buf, a->type->handle, elements, a->converted, 0,
                                                              rep->extra);
    else
        err = ((MPI_Datarep_conversion_function *)function)(a->buf, a->type->handle, (int)elements, a->converted, 0,
                                                            rep->extra);
    return err == MPI_SUCCESS ? MPI_SUCCESS : MPI_ERR_CONVERSION;
}

static int convert_out(struct mpii_io_access *a)
{
    if (a->f->view.rep->kind == IO_USER)
        return convert_user(a, a->count * mpii_elements(a->type, a->type->size));
    return mpii_external_pack(a->converted, a->buf, a->count, a->type, 0, a->bytes) ? MPI_SUCCESS : MPI_ERR_NO_MEM;
}

int mpii_io_access_begin(struct mpii_io_access *a)
{
    if (a->f->view.rep->kind == IO_NATIVE || a->bytes == 0) {
        a->from = a->buf;
        a->from_count = a->count;
        a->from_type = a->type;
        return MPI_SUCCESS;
    }
    a->converted = malloc((size_t)a->bytes);
    if (!a->converted)
        return MPI_ERR_NO_MEM;
    a->from = a->converted;
    a->from_count = a->bytes;
    a->from_type = mpii_type_of(MPI_BYTE);
    return a->write ? convert_out(a) : MPI_SUCCESS;
}

/* Whole elements only: the end of the file may lie in the middle of one. */
static int convert_in(struct mpii_io_access *a, MPI_Count *bytes)
{
    const struct mpii_io_rep *rep = a->f->view.rep;
    struct mpii_io_prefix p = mpii_io_type_prefix(rep, a->type, a->done);
    MPI_Count end = a->done;

    *bytes = p.memory;
    if (p.memory == 0)
        return MPI_SUCCESS;
    if (rep->kind == IO_USER)
        return convert_user(a, p.elements);
    while (end > 0 && a->done < a->bytes && mpii_io_type_prefix(rep, a->type, end - 1).memory == p.memory)
        end--; /* at most an element's size */
    return mpii_external_unpack(a->buf, a->count, a->type, 0, a->converted, end) ? MPI_SUCCESS : MPI_ERR_NO_MEM;
}

int mpii_io_access_end(struct mpii_io_access *a, MPI_Count *bytes)
{
    int err = MPI_SUCCESS;

    *bytes = a->done;
    if (a->converted && a->write)
        *bytes = a->done == a->bytes ? a->count * a->type->size
                                     : mpii_io_type_prefix(a->f->view.rep, a->type, a->done).memory;
    else if (a->converted)
        err = convert_in(a, bytes);
    free(a->converted);
    a->converted = NULL;
    return a->error != MPI_SUCCESS ? a->error : err;
}

int mpii_io_access_raise(const struct mpii_io_access *a, int class, const char *call)
{
    const char *verb = a->write ? "writing" : "reading", *name = a->f->name;

    if (a->os_error)
        return mpii_error(a->f, class, call, "%s \"%s\": %s", verb, name, strerror(a->os_error));
    if (class == MPI_ERR_CONVERSION)
        return mpii_error(a->f, class, call, "%s \"%s\": the conversion function of data representation \"%s\" failed",
                          verb, name, a->f->view.rep->name);
    if (class == MPI_ERR_NO_MEM)
        return mpii_error(a->f, class, call, "%s \"%s\": out of memory", verb, name);
    return mpii_error(a->f, class, call, "%s \"%s\": failed on a process that does it for others", verb, name);
}
