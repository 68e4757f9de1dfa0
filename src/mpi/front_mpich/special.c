/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Functions of MPICH's ABI whose arguments need more than their kinds say:
 * functions with an extra state, shorter strings, arrays inside results.
 */
#include "mpi/front_mpich/calls.h"

/* The standard's ABI is not what this library offers. */
int mpich_Abi_get_version(int *abi_major, int *abi_minor)
{
    if (!abi_major || !abi_minor)
        return mpich_code_out(MPI_ERR_ARG);
    *abi_major = *abi_minor = -1;
    return MPI_SUCCESS;
}
MPICH_NAMES(Abi_get_version)

/* Programs that were built with MPICH's header add this much for each message to the buffers they attach. */
static void __attribute__((constructor)) reckon_as_they_do(void)
{
    enum { MPI_BSEND_OVERHEAD_THERE = 96 };

    *mpt_mpich_inside.bsend_overhead = MPI_BSEND_OVERHEAD_THERE;
}

/* -------------------------------------------------------------- strings -- */

enum { MAX_PROCESSOR_NAME = 128, MAX_PORT_NAME = 256 }; /* there */

int mpich_Get_processor_name(char *name, int *resultlen)
{
    char long_name[MPI_MAX_PROCESSOR_NAME];
    int err = mpt_mpi_table.Get_processor_name(name ? long_name : NULL, resultlen);

    if (err != MPI_SUCCESS)
        return mpich_code_out(err);
    if (*resultlen >= MAX_PROCESSOR_NAME)
        *resultlen = MAX_PROCESSOR_NAME - 1;
    memcpy(name, long_name, (size_t)*resultlen);
    name[*resultlen] = '\0';
    return MPI_SUCCESS;
}
MPICH_NAMES(Get_processor_name)

/* Part of a port's name would lead nowhere. */
static int port_out(int err, char *to, const char *from)
{
    if (err == MPI_SUCCESS && strlen(from) >= MAX_PORT_NAME)
        err = MPI_ERR_PORT;
    if (err == MPI_SUCCESS)
        strcpy(to, from);
    return mpich_code_out(err);
}

int mpich_Open_port(int info, char *port_name)
{
    char name[MPI_MAX_PORT_NAME];

    return port_out(mpt_mpi_table.Open_port(mpich_info_in(info), port_name ? name : NULL), port_name, name);
}
MPICH_NAMES(Open_port)

int mpich_Lookup_name(const char *service_name, int info, char *port_name)
{
    char name[MPI_MAX_PORT_NAME];

    return port_out(mpt_mpi_table.Lookup_name(service_name, mpich_info_in(info), port_name ? name : NULL), port_name,
                    name);
}
MPICH_NAMES(Lookup_name)

/* ------------------------------------------------------------ datatypes -- */

MPI_Datatype mpich_alias_in(int handle)
{
    for (int i = 0; i < mpich_alias.n; i++)
        if (mpich_alias.pairs[i].there == handle) {
            int type = mpich_alias.pairs[i].here;

            mpich_types_out[type & 0xff] = handle;
            return (MPI_Datatype)(uintptr_t)(unsigned)type;
        }
    return MPICH_BAD_HANDLE;
}

/* Of darray (5.1.9): size, rank, ndims, then ndims each of sizes, distributions, arguments and process counts, order.
 * Of subarray: ndims, then ndims each of sizes, subsizes and starts, order. The large form of either has no sizes here.
 */
static void darray_out(int *v, MPI_Count n)
{
    MPI_Count dims = v[2], at = n == 4 * dims + 4 ? 3 + dims : 3;

    if (dims < 0 || at + 3 * dims >= n)
        return;
    for (MPI_Count i = at; i < at + 2 * dims; i++)
        v[i] = mpich_value_out(&mpich_distribution, v[i]);
    v[at + 3 * dims] = mpich_value_out(&mpich_order, v[at + 3 * dims]);
}

void mpich_integers_out(int datatype, MPI_Count max, int *integers)
{
    MPI_Count n, addresses, counts, types;
    int combiner;

    if (!integers || mpt_mpi_table.Type_get_envelope(mpich_type_in(datatype), &n, &addresses, &counts, &types,
                                                     &combiner, 1) != MPI_SUCCESS)
        return;
    if (n > max)
        n = max;
    if (combiner == MPI_COMBINER_DARRAY && n > 2)
        darray_out(integers, n);
    if (combiner == MPI_COMBINER_SUBARRAY && n > 1)
        integers[n - 1] = mpich_value_out(&mpich_order, integers[n - 1]);
}

/* Written by the program as by the library, so each keeps its own functions. */
struct datarep {
    int (*extent)(int, MPI_Aint *, void *);
    MPII_Function *read, *write;
    void *extra;
};
typedef int small_conversion(void *, int, int, void *, MPI_Offset, void *);
typedef int large_conversion(void *, int, MPI_Count, void *, MPI_Offset, void *);

#define CONVERSION(name_, member_, Count_, type_)                                                       \
    static int name_(void *user, MPI_Datatype type, Count_ n, void *file, MPI_Offset at, void *extra)   \
    {                                                                                                   \
        const struct datarep *d = extra;                                                                \
                                                                                                        \
        return mpich_code_in(((type_ *)d->member_)(user, mpich_type_out(type), n, file, at, d->extra)); \
    }
CONVERSION(read_small, read, int, small_conversion)
CONVERSION(write_small, write, int, small_conversion)
CONVERSION(read_large, read, MPI_Count, large_conversion)
CONVERSION(write_large, write, MPI_Count, large_conversion)

static int extent_of(MPI_Datatype type, MPI_Aint *extent, void *extra)
{
    const struct datarep *d = extra;

    return mpich_code_in(d->extent(mpich_type_out(type), extent, d->extra));
}

static int register_datarep(const char *name, struct datarep given, int wide)
{
    struct datarep *d = malloc(sizeof *d); /* there is no way to take a representation back */
    MPII_Function *read = wide ? (MPII_Function *)read_large : (MPII_Function *)read_small;
    MPII_Function *write = wide ? (MPII_Function *)write_large : (MPII_Function *)write_small;
    int err;

    if (!d)
        return mpich_code_out(MPI_ERR_NO_MEM);
    *d = given;
    err = mpt_mpi_table.Register_datarep(name, d->read ? read : NULL, d->write ? write : NULL,
                                         d->extent ? extent_of : NULL, d, wide);
    if (err != MPI_SUCCESS)
        free(d);
    return mpich_code_out(err);
}

int mpich_Register_datarep(const char *datarep, MPII_Function *read, MPII_Function *write, MPII_Function *extent,
                           void *extra)
{
    return register_datarep(datarep, (struct datarep){(int (*)(int, MPI_Aint *, void *))extent, read, write, extra}, 0);
}
MPICH_NAMES(Register_datarep)

int mpich_Register_datarep_c(const char *datarep, MPII_Function *read, MPII_Function *write, MPII_Function *extent,
                             void *extra)
{
    return register_datarep(datarep, (struct datarep){(int (*)(int, MPI_Aint *, void *))extent, read, write, extra}, 1);
}
MPICH_NAMES(Register_datarep_c)

/* ------------------------------------------------- generalized requests -- */

struct greq {
    int (*query)(void *, struct mpich_status *);
    int (*free)(void *);
    int (*cancel)(void *, int);
    void *extra;
};

static int greq_query(void *extra, MPI_Status *status)
{
    const struct greq *g = extra;
    struct mpich_status there = {0};
    int err;

    if (!g->query)
        return MPI_SUCCESS;
    mpich_status_out(&there, status);
    err = g->query(g->extra, &there);
    mpich_status_in(status, &there);
    return mpich_code_in(err);
}

static int greq_cancel(void *extra, int complete)
{
    const struct greq *g = extra;

    return g->cancel ? mpich_code_in(g->cancel(g->extra, complete)) : MPI_SUCCESS;
}

static int greq_free(void *extra)
{
    struct greq g = *(struct greq *)extra;

    free(extra);
    return g.free ? mpich_code_in(g.free(g.extra)) : MPI_SUCCESS;
}

int mpich_Grequest_start(MPII_Function *query_fn, MPII_Function *free_fn, MPII_Function *cancel_fn, void *extra_state,
                         int *request)
{
    struct greq *g = malloc(sizeof *g);
    MPI_Request made = MPICH_UNSET;
    int err;

    if (!g)
        return mpich_code_out(MPI_ERR_NO_MEM);
    *g = (struct greq){(int (*)(void *, struct mpich_status *))query_fn, (int (*)(void *))free_fn,
                       (int (*)(void *, int))cancel_fn, extra_state};
    err = mpt_mpi_table.Grequest_start(greq_query, greq_free, greq_cancel, g, request ? &made : NULL);
    if (err == MPI_SUCCESS)
        *request = mpich_request_out(made);
    else
        free(g);
    return mpich_code_out(err);
}
MPICH_NAMES(Grequest_start)

/* ---------------------------------------------------------------- files -- */

int mpich_File_set_view(MPI_File fh, MPI_Offset disp, int etype, int filetype, const char *datarep, int info)
{
    enum { DISPLACEMENT_CURRENT = -54278278 }; /* there */

    if (disp < 0)
        disp = disp == DISPLACEMENT_CURRENT ? MPI_DISPLACEMENT_CURRENT : MPICH_BAD;
    return mpich_code_out(mpt_mpi_table.File_set_view(mpich_file_in(fh), disp, mpich_type_in(etype),
                                                      mpich_type_in(filetype), datarep, mpich_info_in(info)));
}
MPICH_NAMES(File_set_view)

int mpich_File_toint(MPI_File file)
{
    return file ? mpt_mpi_table.File_toint(file) : 0;
}
MPICH_NAMES(File_toint)

MPI_File mpich_File_fromint(int file)
{
    return file ? mpich_file_out(mpt_mpi_table.File_fromint(file)) : NULL;
}
MPICH_NAMES(File_fromint)

/* -------------------------------------------------- processes of others -- */

/* How many started is known at the root, what went wrong is told to all: without an error there is nothing to convert.
 */
static int spawned(int err, int total, int *codes, MPI_Comm made, int *intercomm)
{
    for (int i = 0; err != MPI_SUCCESS && codes && i < total; i++)
        codes[i] = mpich_code_out(codes[i]);
    if (mpich_is_handle(made))
        *intercomm = mpich_comm_out(made);
    return mpich_code_out(err);
}

int mpich_Comm_spawn(const char *command, char *argv[], int maxprocs, int info, int root, int comm, int *intercomm,
                     int array_of_errcodes[])
{
    MPI_Comm made = MPICH_UNSET;
    int err = mpt_mpi_table.Comm_spawn(command, argv, maxprocs, mpich_info_in(info), mpich_rank_in(root),
                                       mpich_comm_in(comm), intercomm ? &made : NULL, array_of_errcodes);

    return spawned(err, maxprocs, array_of_errcodes, made, intercomm);
}
MPICH_NAMES(Comm_spawn)

int mpich_Comm_spawn_multiple(int count, char *array_of_commands[], char **array_of_argv[],
                              const int array_of_maxprocs[], const int array_of_info[], int root, int comm,
                              int *intercomm, int array_of_errcodes[])
{
    MPI_Comm made = MPICH_UNSET, c = mpich_comm_in(comm);
    int rank = -1, n = 0, err, total = 0;

    /* Only the root's arrays mean anything. */
    if (c != MPICH_BAD_HANDLE && mpt_mpi_table.Comm_rank(c, &rank) == MPI_SUCCESS && rank == root &&
        array_of_maxprocs && array_of_info)
        n = count;
    MPICH_ARRAY(MPI_Info, infos, n)
    MPICH_ARRAY_IN(infos, array_of_info, mpich_info_in);
    for (int i = 0; i < n; i++)
        total += array_of_maxprocs[i];
    err = mpt_mpi_table.Comm_spawn_multiple(count, array_of_commands, array_of_argv, array_of_maxprocs, infos,
                                            mpich_rank_in(root), c, intercomm ? &made : NULL, array_of_errcodes);
    return spawned(err, total, array_of_errcodes, made, intercomm);
}
MPICH_NAMES(Comm_spawn_multiple)
