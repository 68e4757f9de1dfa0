/* SPDX-License-Identifier: BSD-3-Clause */
/* Broadcast, gather, scatter, allgather and alltoall with equal parts: every communicator size, root, form, pair of
 * layouts and a range of sizes, in place and not, each result compared with what its rank must get. */
#include "cases.h"

static const long sizes[] = {0, 1, 3, 64, 257, 3000, 20000};
enum { SIZES = sizeof sizes / sizeof *sizes };

static MPI_Comm comm;
static int rank, size;
static int salt;

static void bcast(int form, int layout, long n, int root)
{
    void *buf = case_room(layout, n);

    if (rank == root)
        case_put(buf, layout, n, root, 0, salt);
    RUN_FORM(form, true, Bcast, Ibcast, buf, (int)n * case_each[layout], case_type[layout], root, comm);
    case_check("bcast", buf, layout, n, root, 0, salt);
    free(buf);
}

static void gather(int form, int from, int to, long n, int root, bool in_place)
{
    void *in = case_room(from, n), *out = case_room(to, n * size);
    const void *send = in;

    case_put(in, from, n, rank, root, salt);
    if (rank == root && in_place) {
        case_put((char *)out + rank * n * case_step[to], to, n, rank, root, salt);
        send = MPI_IN_PLACE;
    }
    RUN_FORM(form, true, Gather, Igather, send, (int)n * case_each[from], case_type[from], rank == root ? out : NULL,
             rank == root ? (int)n * case_each[to] : -1, rank == root ? case_type[to] : MPI_DATATYPE_NULL, root, comm);
    for (int i = 0; rank == root && i < size; i++)
        case_check("gather", (char *)out + i * n * case_step[to], to, n, i, root, salt);
    free(in);
    free(out);
}

static void scatter(int form, int from, int to, long n, int root, bool in_place)
{
    void *in = case_room(from, n * size), *out = case_room(to, n);
    bool keeps = rank == root && in_place;

    for (int i = 0; i < size; i++)
        case_put((char *)in + i * n * case_step[from], from, n, root, i, salt);
    RUN_FORM(form, true, Scatter, Iscatter, rank == root ? in : NULL, rank == root ? (int)n * case_each[from] : -1,
             rank == root ? case_type[from] : MPI_DATATYPE_NULL, keeps ? MPI_IN_PLACE : out, (int)n * case_each[to],
             case_type[to], root, comm);
    if (!keeps)
        case_check("scatter", out, to, n, root, rank, salt);
    free(in);
    free(out);
}

static void allgather(int form, int from, int to, long n, bool in_place)
{
    void *in = case_room(from, n), *out = case_room(to, n * size);

    case_put(in, from, n, rank, 0, salt);
    if (in_place)
        case_put((char *)out + rank * n * case_step[to], to, n, rank, 0, salt);
    RUN_FORM(form, true, Allgather, Iallgather, in_place ? MPI_IN_PLACE : in, (int)n * case_each[from], case_type[from],
             out, (int)n * case_each[to], case_type[to], comm);
    for (int i = 0; i < size; i++)
        case_check("allgather", (char *)out + i * n * case_step[to], to, n, i, 0, salt);
    free(in);
    free(out);
}

static void alltoall(int form, int from, int to, long n, bool in_place)
{
    void *in = case_room(from, n * size), *out = case_room(to, n * size);

    for (int i = 0; i < size; i++) {
        case_put((char *)in + i * n * case_step[from], from, n, rank, i, salt);
        if (in_place)
            case_put((char *)out + i * n * case_step[to], to, n, rank, i, salt);
    }
    RUN_FORM(form, !in_place, Alltoall, Ialltoall, in_place ? MPI_IN_PLACE : in, (int)n * case_each[from],
             case_type[from], out, (int)n * case_each[to], case_type[to], comm);
    for (int i = 0; i < size; i++)
        case_check("alltoall", (char *)out + i * n * case_step[to], to, n, i, rank, salt);
    free(in);
    free(out);
}

static void all_kinds(int form, int from, int to, long n, int root, bool in_place)
{
    salt++;
    if (!in_place)
        bcast(form, rank % 2 ? from : to, n, root);
    gather(form, from, to, n, root, in_place);
    scatter(form, from, to, n, root, in_place);
    if (n * size > 30000)
        return;
    if (root == 0) {
        allgather(form, from, to, n, in_place);
        alltoall(form, from, to, n, in_place);
    }
}

static void on_comm(int which)
{
    int turn = 0;

    OK(MPI_Comm_rank(comm, &rank));
    OK(MPI_Comm_size(comm, &size));
    for (int s = 0; s < SIZES; s++)
        for (int root = 0; root < size; root++)
            for (int form = 0; form < FORMS; form++, turn++) {
                if (sizes[s] > 5000 && root > 0 && root < size - 1)
                    continue;
                all_kinds(form, turn % LAYOUTS, (turn / LAYOUTS + which) % LAYOUTS, sizes[s], root, turn % 2);
                all_kinds(form, (turn + 1) % LAYOUTS, turn % LAYOUTS, sizes[s], root, !(turn % 2));
            }
}

/* Large-count forms, of bytes. */
static void large_forms(void)
{
    MPI_Count n = 100;
    char in[16 * 100], out[16 * 100];

    if (size > 16)
        return;
    check_fill(in, sizeof in, (uint64_t)rank);
    OK(MPI_Allgather_c(in, n, MPI_BYTE, out, n, MPI_BYTE, comm));
    for (int i = 0; i < size; i++)
        CHECK(check_differs(out + i * 100, 100, (uint64_t)i) == 100, "allgather_c of rank %d", i);
    OK(MPI_Bcast_c(in, n, MPI_BYTE, size - 1, comm));
    CHECK(check_differs(in, 100, (uint64_t)size - 1) == 100, "bcast_c");
    for (int i = 0; i < size; i++)
        memset(in + i * 100, rank * 16 + i, 100);
    OK(MPI_Alltoall_c(in, n, MPI_BYTE, out, n, MPI_BYTE, comm));
    for (int i = 0; i < size; i++)
        CHECK((unsigned char)out[i * 100 + 99] == (unsigned char)(i * 16 + rank), "alltoall_c of rank %d: %d", i,
              out[i * 100 + 99]);
    OK(MPI_Gather_c(in, n, MPI_BYTE, out, n, MPI_BYTE, 0, comm));
    for (int i = 0; rank == 0 && i < size; i++)
        CHECK((unsigned char)out[i * 100] == (unsigned char)(i * 16), "gather_c of rank %d: %d", i, out[i * 100]);
    OK(MPI_Scatter_c(in, n, MPI_BYTE, out, n, MPI_BYTE, 0, comm));
    CHECK((unsigned char)out[0] == (unsigned char)rank, "scatter_c: %d", out[0]);
}

int main(void)
{
    mc_start();
    cases_start();
    for (int n = mc_size; n >= 1; n -= n > 5 ? 3 : 1) {
        comm = case_comm(n);
        if (comm == MPI_COMM_NULL)
            continue;
        on_comm(n);
        large_forms();
        OK(MPI_Comm_free(&comm));
    }
    cases_finish();
    return mc_finish();
}
