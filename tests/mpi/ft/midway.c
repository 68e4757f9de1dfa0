/* SPDX-License-Identifier: BSD-3-Clause */
/* A member dies in the middle of a collective, with some of its data posted: the others get an error, whatever they
 * have to go on with. Its buffer ends in memory that it may not read. Usage: midway [first kind] */
#include <sys/mman.h>

#include "ft.h"

enum { PAGE = 4096, READABLE = 40960, BYTES = 45056, KINDS = 20 };

static MPI_Comm comm = MPI_COMM_WORLD;
static int rank, size;

static char *room(size_t n)
{
    void *p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    CHECK(p != MAP_FAILED, "no memory");
    return p;
}

static int later(int code, MPI_Request *request)
{
    return code == MPI_SUCCESS ? MPI_Wait(request, MPI_STATUS_IGNORE) : code;
}

/* The last rank gives, and is the root where only a root gives; rank 0 is the root where only a root takes. */
static int call(int kind, const char *in, char *out)
{
    int giver = size - 1, counts[8], displs[8];
    MPI_Request r;

    for (int i = 0; i < size; i++) {
        counts[i] = BYTES / size;
        displs[i] = i * counts[i];
    }
    switch (kind) {
    case 0:
        return MPI_Bcast(rank == giver ? (void *)(uintptr_t)in : out, BYTES, MPI_CHAR, giver, comm);
    case 1:
        return later(MPI_Ibcast(rank == giver ? (void *)(uintptr_t)in : out, BYTES, MPI_CHAR, giver, comm, &r), &r);
    case 2:
        return MPI_Scatter(in, BYTES / size, MPI_CHAR, out, BYTES / size, MPI_CHAR, giver, comm);
    case 3:
        return later(MPI_Iscatter(in, BYTES / size, MPI_CHAR, out, BYTES / size, MPI_CHAR, giver, comm, &r), &r);
    case 4:
        return MPI_Scatterv(in, counts, displs, MPI_CHAR, out, counts[rank], MPI_CHAR, giver, comm);
    case 5:
        return MPI_Gather(in, BYTES, MPI_CHAR, out, BYTES, MPI_CHAR, 0, comm);
    case 6:
        return later(MPI_Igather(in, BYTES, MPI_CHAR, out, BYTES, MPI_CHAR, 0, comm, &r), &r);
    case 7:
        return MPI_Allgather(in, BYTES, MPI_CHAR, out, BYTES, MPI_CHAR, comm);
    case 8:
        return later(MPI_Iallgather(in, BYTES, MPI_CHAR, out, BYTES, MPI_CHAR, comm, &r), &r);
    case 9:
        return MPI_Alltoall(in, BYTES / size, MPI_CHAR, out, BYTES / size, MPI_CHAR, comm);
    case 10:
        return later(MPI_Ialltoall(in, BYTES / size, MPI_CHAR, out, BYTES / size, MPI_CHAR, comm, &r), &r);
    case 11:
        return MPI_Alltoallv(in, counts, displs, MPI_CHAR, out, counts, displs, MPI_CHAR, comm);
    case 12:
        return MPI_Reduce(in, out, BYTES / 8, MPI_INT64_T, MPI_SUM, 0, comm);
    case 13:
        return later(MPI_Ireduce(in, out, BYTES / 8, MPI_INT64_T, MPI_SUM, 0, comm, &r), &r);
    case 14:
        return MPI_Allreduce(in, out, BYTES / 8, MPI_INT64_T, MPI_SUM, comm);
    case 15:
        return later(MPI_Iallreduce(in, out, BYTES / 8, MPI_INT64_T, MPI_SUM, comm, &r), &r);
    case 16:
        return MPI_Reduce_scatter_block(in, out, BYTES / 8 / size, MPI_INT64_T, MPI_SUM, comm);
    case 17:
        return MPI_Scan(in, out, BYTES / 8, MPI_INT64_T, MPI_SUM, comm);
    case 18:
        return MPI_Exscan(in, out, BYTES / 8, MPI_INT64_T, MPI_SUM, comm);
    default:
        return MPI_Gatherv(in, counts[0], MPI_CHAR, out, counts, displs, MPI_CHAR, 0, comm);
    }
}

/* Some calls need nothing of who dies, and succeed. */
static void one_dies(int kind)
{
    char *in = room(BYTES), *out = room((size_t)BYTES * 8);
    MPI_Comm next;
    int code, flag = 1;

    if (rank == size - 1) {
        mprotect(in + READABLE / PAGE * PAGE, BYTES - READABLE, PROT_NONE);
        call(kind, in, out);
        ft_die(); /* the call did not read so far */
    }
    code = call(kind, in, out);
    CHECK(code == MPI_SUCCESS || ft_class(code) == MPIX_ERR_PROC_FAILED, "kind %d: class %d", kind, ft_class(code));
    code = MPIX_Comm_agree(comm, &flag);
    CHECK(ft_class(code) == MPIX_ERR_PROC_FAILED, "kind %d: the agreement gave class %d", kind, ft_class(code));
    OK(MPIX_Comm_shrink(comm, &next));
    comm = next;
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    munmap(in, BYTES);
    munmap(out, (size_t)BYTES * 8);
}

int main(int argc, char **argv)
{
    int kind = argc > 1 ? atoi(argv[1]) : 0;

    ft_start();
    rank = mc_rank;
    size = mc_size;
    while (size > 2) /* two would read each other's memory */
        one_dies(kind++ % KINDS);
    return ft_finish();
}
