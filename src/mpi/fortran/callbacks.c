/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Callbacks of generalised requests (13.2) and of data representations (14.5.3):
 * C's extra state is a structure with Fortran's procedures and Fortran's own.
 */
#include "fortran.h"
#include "slots.h"

#define DECLARE(name_, ...)              \
    void MPIF_PUBLIC name_(__VA_ARGS__); \
    void name_(__VA_ARGS__)

/* ---- generalised requests ---- */

typedef void query_fn(MPI_Aint *extra_state, int *status, int *ierror);
typedef void free_fn(MPI_Aint *extra_state, int *ierror);
typedef void cancel_fn(MPI_Aint *extra_state, int *complete, int *ierror);

struct greq {
    query_fn *query;
    free_fn *free;
    cancel_fn *cancel;
    MPI_Aint extra;
};

static int greq_query(void *state, MPI_Status *status)
{
    struct greq *g = state;
    int error = MPI_SUCCESS;

    g->query(&g->extra, (int *)(void *)status, &error);
    return error;
}

/* The last call for a request. */
static int greq_free(void *state)
{
    struct greq *g = state;
    int error = MPI_SUCCESS;

    g->free(&g->extra, &error);
    free(g);
    return error;
}

static int greq_cancel(void *state, int complete)
{
    struct greq *g = state;
    int error = MPI_SUCCESS;

    complete = complete != 0;
    g->cancel(&g->extra, &complete, &error);
    return error;
}

DECLARE(pmpi_grequest_start_, query_fn *query, free_fn *free_procedure, cancel_fn *cancel, const MPI_Aint *extra_state,
        int *request, int *ierror)
{
    struct greq *g = malloc(sizeof *g);
    MPI_Request made = MPI_REQUEST_NULL;
    int error = MPI_ERR_NO_MEM;

    if (!g) {
        mpif_result(ierror, mpif_no_memory());
        return;
    }
    *g = (struct greq){query, free_procedure, cancel, *extra_state};
    error = PMPI_Grequest_start(greq_query, greq_free, greq_cancel, g, &made);
    if (error == MPI_SUCCESS)
        *request = mpif_request_int(made);
    else
        free(g);
    mpif_result(ierror, error);
}
MPIF_NAMES(mpi_grequest_start);

/* ---- data representations: once registered they stay until the end ---- */

typedef void extent_fn(int *datatype, MPI_Aint *extent, MPI_Aint *extra_state, int *ierror);

struct datarep {
    struct datarep *next;
    mpif_conversion *read, *write;
    extent_fn *extent;
    MPI_Aint extra;
};
static struct datarep *datareps;

static int convert(struct datarep *d, mpif_conversion *procedure, void *userbuf, MPI_Datatype datatype,
                   const void *count, void *filebuf, MPI_Offset position)
{
    int type = mpif_type_int(datatype), error = MPI_SUCCESS;

    procedure(userbuf, &type, count, filebuf, &position, &d->extra, &error);
    return error;
}

#define CONVERSION(name_, Count_, member_)                                                                       \
    static int name_(void *userbuf, MPI_Datatype datatype, Count_ count, void *filebuf, MPI_Offset position,     \
                     void *state)                                                                                \
    {                                                                                                            \
        return convert(state, ((struct datarep *)state)->member_, userbuf, datatype, &count, filebuf, position); \
    }
CONVERSION(read_small, int, read)
CONVERSION(write_small, int, write)
CONVERSION(read_large, MPI_Count, read)
CONVERSION(write_large, MPI_Count, write)

static int extent_of(MPI_Datatype datatype, MPI_Aint *extent, void *state)
{
    struct datarep *d = state;
    int type = mpif_type_int(datatype), error = MPI_SUCCESS;

    d->extent(&type, extent, &d->extra, &error);
    return error;
}

/* Calls one of PMPI_Register_datarep and its large form. */
static int register_any(struct datarep *d, const char *name, bool large)
{
    bool no_read = d->read == mpi_conversion_fn_null_ || d->read == mpi_conversion_fn_null_c_;
    bool no_write = d->write == mpi_conversion_fn_null_ || d->write == mpi_conversion_fn_null_c_;

    return large ? PMPI_Register_datarep_c(name, no_read ? MPI_CONVERSION_FN_NULL_C : read_large,
                                           no_write ? MPI_CONVERSION_FN_NULL_C : write_large, extent_of, d)
                 : PMPI_Register_datarep(name, no_read ? MPI_CONVERSION_FN_NULL : read_small,
                                         no_write ? MPI_CONVERSION_FN_NULL : write_small, extent_of, d);
}

static int datarep_new(struct datarep from, const char *name, size_t name_len, bool large)
{
    struct datarep *d = malloc(sizeof *d);
    char *name_c = mpif_string(name, name_len);
    int error;

    if (d)
        *d = from;
    error = d && name_c ? register_any(d, name_c, large) : mpif_no_memory();
    free(name_c);
    if (error != MPI_SUCCESS) {
        free(d);
        return error;
    }
    d->next = __atomic_load_n(&datareps, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(&datareps, &d->next, d, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
    return MPI_SUCCESS;
}

#define REGISTER(name_, large_)                                                                             \
    DECLARE(name_, const char *datarep, mpif_conversion *read, mpif_conversion *write, extent_fn *extent,   \
            const MPI_Aint *extra_state, int *ierror, size_t datarep_len)                                   \
    {                                                                                                       \
        mpif_result(ierror, datarep_new((struct datarep){NULL, read, write, extent, *extra_state}, datarep, \
                                        datarep_len, large_));                                              \
    }
REGISTER(pmpi_register_datarep_, false)
REGISTER(pmpi_register_datarep_c_f08_, true)
MPIF_NAMES(mpi_register_datarep);
MPIF_NAMES_08(mpi_register_datarep_c);
