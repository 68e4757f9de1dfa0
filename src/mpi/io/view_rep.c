/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Data representations (14.5): the standard's three and those that programs
 * register (14.5.3).
 */
#include <stdlib.h>
#include <string.h>

#include "mpi/io/io.h"

static const struct mpii_io_rep external32 = {.name = "external32", .kind = IO_EXTERNAL32};
static const struct mpii_io_rep internal = {.name = "internal", .kind = IO_NATIVE, .next = &external32};
static const struct mpii_io_rep native = {.name = "native", .kind = IO_NATIVE, .next = &internal};
/* Those that programs have registered come first. */
static const struct mpii_io_rep *first_rep(void)
{
    return mpii_state.io.reps ? mpii_state.io.reps : &native;
}

const struct mpii_io_rep *mpii_io_rep_find(const char *name)
{
    const struct mpii_io_rep *rep = first_rep();

    while (rep && strcmp(rep->name, name) != 0)
        rep = rep->next;
    return rep;
}

int mpii_io_rep_extent(const struct mpii_io_rep *rep, MPI_Datatype basic, MPI_Aint *extent)
{
    MPI_Count bytes;

    if (rep->kind == IO_USER)
        return rep->extent(basic, extent, rep->extra) == MPI_SUCCESS && *extent >= 0 ? MPI_SUCCESS : MPI_ERR_CONVERSION;
    if (rep->kind == IO_NATIVE) {
        *extent = mpii_type_of(basic)->extent;
        return MPI_SUCCESS;
    }
    if (!mpii_external_size(mpii_type_of(basic), &bytes))
        return MPI_ERR_NO_MEM;
    *extent = bytes;
    return MPI_SUCCESS;
}

int mpii_Register_datarep(const char *datarep, MPII_Function *read_conversion_fn, MPII_Function *write_conversion_fn,
                          MPI_Datarep_extent_function *dtype_file_extent_fn, void *extra_state, int wide)
{
    struct mpii_io_rep *rep;

    MPII_TRY(mpii_check_started(__func__));
    MPII_TRY(mpii_check_pointer(&mpii_file_null, datarep, "datarep", __func__));
    if (!*datarep || strlen(datarep) >= MPI_MAX_DATAREP_STRING)
        return mpii_error(&mpii_file_null, MPI_ERR_ARG, __func__, "datarep has %zu characters; expected 1 to %d",
                          strlen(datarep), MPI_MAX_DATAREP_STRING - 1);
    if (!dtype_file_extent_fn)
        return mpii_error(&mpii_file_null, MPI_ERR_ARG, __func__, "dtype_file_extent_fn is NULL");
    if (mpii_io_rep_find(datarep))
        return mpii_error(&mpii_file_null, MPI_ERR_DUP_DATAREP, __func__, "datarep \"%s\" is there already", datarep);
    rep = calloc(1, sizeof *rep);
    if (!rep)
        return mpii_error(&mpii_file_null, MPI_ERR_NO_MEM, __func__, "no memory for a data representation");
    memcpy(rep->name, datarep, strlen(datarep) + 1);
    rep->kind =
        read_conversion_fn || write_conversion_fn ? IO_USER : IO_NATIVE; /* without conversion files are native */
    rep->wide = wide != 0;
    rep->read = read_conversion_fn;
    rep->write = write_conversion_fn;
    rep->extent = dtype_file_extent_fn;
    rep->extra = extra_state;
    rep->next = first_rep();
    mpii_state.io.reps = rep;
    return MPI_SUCCESS;
}
