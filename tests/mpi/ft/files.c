/* SPDX-License-Identifier: BSD-3-Clause */
/* Files and partitioned messages when a member dies. */
#include "ft.h"

enum { N = 5000, PARTS = 8 };

static void files(void)
{
    char name[] = "/tmp/mpt-ft-XXXXXX";
    static int data[N];
    MPI_File file;
    int fd, code, got = 0;

    if (mc_rank == 0) {
        fd = mkstemp(name);
        CHECK(fd >= 0, "no temporary file");
        close(fd);
    }
    OK(MPI_Bcast(name, sizeof name, MPI_CHAR, 0, MPI_COMM_WORLD));
    OK(MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDWR | MPI_MODE_CREATE, MPI_INFO_NULL, &file));
    for (int i = 0; i < N; i++)
        data[i] = mc_rank * N + i;
    OK(MPI_File_write_at_all(file, (MPI_Offset)mc_rank * (int)sizeof data, data, N, MPI_INT, MPI_STATUS_IGNORE));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    if (mc_rank == mc_size - 1)
        ft_die();
    code = MPI_File_write_at_all(file, (MPI_Offset)mc_rank * (int)sizeof data, data, N, MPI_INT, MPI_STATUS_IGNORE);
    CHECK(ft_class(code) == MPIX_ERR_PROC_FAILED || ft_class(code) == MPIX_ERR_REVOKED, "class %d",
          ft_class(code)); /* others go on */
    OK(MPI_File_read_at(file, (MPI_Offset)mc_rank * (int)sizeof data, &got, 1, MPI_INT, MPI_STATUS_IGNORE));
    CHECK(got == mc_rank * N, "got %d", got);
    OK(MPIX_File_revoke(file));
    code = MPI_File_read_at_all(file, 0, &got, 1, MPI_INT, MPI_STATUS_IGNORE);
    CHECK(ft_class(code) == MPIX_ERR_REVOKED, "class %d", ft_class(code));
    MPI_File_close(&file);
    CHECK(file == MPI_FILE_NULL, "the file is not closed");
    if (mc_rank == 0)
        unlink(name);
}

/* The victim starts its side but never is ready, or receives. */
static void partitions(MPI_Comm comm, int rank, int dead)
{
    static char out[PARTS * 20000], in[PARTS * 20000];
    MPI_Request requests[2];
    int flag;

    if (rank == 0 || rank == dead) {
        int peer = rank == 0 ? dead : 0;

        OK(MPI_Psend_init(out, PARTS, 20000, MPI_CHAR, peer, 1, comm, MPI_INFO_NULL, &requests[0]));
        OK(MPI_Precv_init(in, PARTS, 20000, MPI_CHAR, peer, 1, comm, MPI_INFO_NULL, &requests[1]));
        OK(MPI_Startall(2, requests));
        for (int i = 0; i < PARTS / 2; i++)
            OK(MPI_Pready(i, requests[0]));
        MPI_Testall(2, requests, &flag, MPI_STATUSES_IGNORE);
    }
    if (rank == dead)
        ft_die();
    if (rank != 0)
        return;
    FAILS(MPI_Wait(&requests[0], MPI_STATUS_IGNORE), MPIX_ERR_PROC_FAILED);
    FAILS(MPI_Wait(&requests[1], MPI_STATUS_IGNORE), MPIX_ERR_PROC_FAILED);
    OK(MPI_Startall(2, requests));
    FAILS(MPI_Wait(&requests[0], MPI_STATUS_IGNORE), MPIX_ERR_PROC_FAILED);
    FAILS(MPI_Wait(&requests[1], MPI_STATUS_IGNORE), MPIX_ERR_PROC_FAILED);
    OK(MPI_Request_free(&requests[0]));
    OK(MPI_Request_free(&requests[1]));
}

int main(void)
{
    MPI_Comm left;
    int rank, size;

    ft_start();
    if (mc_size < 2)
        return ft_finish();
    files();
    OK(MPIX_Comm_shrink(MPI_COMM_WORLD, &left));
    MPI_Comm_rank(left, &rank);
    MPI_Comm_size(left, &size);
    if (size > 1)
        partitions(left, rank, size - 1);
    OK(MPI_Comm_free(&left));
    return ft_finish();
}
