/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What is changed on the way between MPICH's ABI and the bodies: statuses field by
 * field, arrays longer than the ones on the stack, functions of the program that
 * get handles, symbols, and the calls that only this library has.
 */
#include "mcheck.h"

/* --------------------------------------------------------------- statuses -- */

static void statuses(void)
{
    MPI_Status s = {.MPI_ERROR = 4711}, back;
    MPI_Fint f[5];
    MPI_Count n;
    int count, flag, value = 42, got = 0;

    OK(MPI_Sendrecv(&value, 1, MPI_INT, mc_rank, 5, &got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &s));
    CHECK(s.MPI_SOURCE == mc_rank && s.MPI_TAG == 5, "from %d with %d", s.MPI_SOURCE, s.MPI_TAG);
    CHECK(s.count_lo == 4 && s.count_hi_and_cancelled == 0, "%d bytes and %d", s.count_lo, s.count_hi_and_cancelled);
    CHECK(s.MPI_ERROR == 4711, "a call for one message left %d in MPI_ERROR", s.MPI_ERROR);
    OK(MPI_Recv(&value, 1, MPI_INT, MPI_PROC_NULL, 5, MPI_COMM_WORLD, &s));
    CHECK(s.MPI_SOURCE == -1 && s.MPI_TAG == -1 && s.count_lo == 0, "of MPI_PROC_NULL: %d, %d", s.MPI_SOURCE,
          s.MPI_TAG);
    OK(MPI_Recv(&value, 1, MPI_INT, MPI_PROC_NULL, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE));

    OK(MPI_Status_set_elements_x(&s, MPI_BYTE, 0x123456789abll));
    OK(MPI_Status_set_cancelled(&s, 1));
    CHECK((unsigned)s.count_lo == 0x456789abu && s.count_hi_and_cancelled == (0x123 << 1 | 1), "%#x and %#x",
          (unsigned)s.count_lo, (unsigned)s.count_hi_and_cancelled);
    OK(MPI_Get_elements_x(&s, MPI_BYTE, &n));
    CHECK(n == 0x123456789abll, "%lld", (long long)n);
    OK(MPI_Get_count(&s, MPI_BYTE, &count));
    CHECK(count == MPI_UNDEFINED, "%d", count);
    OK(MPI_Test_cancelled(&s, &flag));
    CHECK(flag, "not cancelled");
    OK(MPI_Status_set_cancelled(&s, 0));
    CHECK((s.count_hi_and_cancelled & 1) == 0 && (unsigned)s.count_lo == 0x456789abu, "%#x",
          (unsigned)s.count_hi_and_cancelled);
    OK(MPI_Status_c2f(&s, f));
    OK(MPI_Status_f2c(f, &back));
    CHECK(memcmp(&s, &back, sizeof s) == 0 && f[2] == s.MPI_SOURCE && f[3] == s.MPI_TAG && f[4] == s.MPI_ERROR,
          "through Fortran");
    FAILS(MPI_Status_c2f(MPI_STATUS_IGNORE, f), MPI_ERR_ARG);
    FAILS(MPI_Get_count(NULL, MPI_BYTE, &count), MPI_ERR_ARG);
    OK(MPI_Barrier(MPI_COMM_WORLD)); /* what comes next is not for the receive from anybody above */
}

static void many_requests(void)
{
    enum { N = 100 };
    int in[N], out[N], next = (mc_rank + 1) % mc_size, last = (mc_rank + mc_size - 1) % mc_size, indices[2 * N],
                       done = 0, n;
    MPI_Request r[2 * N];
    MPI_Status s[2 * N];

    for (int i = 0; i < N; i++) {
        out[i] = 1000 * mc_rank + i;
        OK(MPI_Irecv(&in[i], 1, MPI_INT, last, i, MPI_COMM_WORLD, &r[i]));
        OK(MPI_Isend(&out[i], 1, MPI_INT, next, i, MPI_COMM_WORLD, &r[N + i]));
    }
    OK(MPI_Waitall(2 * N, r, s));
    for (int i = 0; i < N; i++) {
        CHECK(in[i] == 1000 * last + i && s[i].MPI_SOURCE == last && s[i].MPI_TAG == i, "message %d: %d from %d", i,
              in[i], s[i].MPI_SOURCE);
        CHECK(r[i] == 0x2c000000 && r[N + i] == MPI_REQUEST_NULL, "request %d is %#x", i, (unsigned)r[i]);
    }
    for (int i = 0; i < N; i++) {
        OK(MPI_Irecv(&in[i], 1, MPI_INT, last, i, MPI_COMM_WORLD, &r[i]));
        OK(MPI_Isend(&in[i], 0, MPI_INT, next, i, MPI_COMM_WORLD, &r[N + i]));
    }
    while (done < 2 * N) {
        OK(MPI_Waitsome(2 * N, r, &n, indices, s));
        CHECK(n > 0, "MPI_Waitsome found %d", n);
        for (int i = 0; i < n; i++)
            CHECK(r[indices[i]] == MPI_REQUEST_NULL && (indices[i] >= N || s[i].MPI_TAG == indices[i]), "index %d",
                  indices[i]);
        done += n;
    }
    OK(MPI_Testsome(2 * N, r, &n, indices, MPI_STATUSES_IGNORE));
    CHECK(n == MPI_UNDEFINED, "%d", n);
    FAILS(MPI_Waitall(1, NULL, MPI_STATUSES_IGNORE), MPI_ERR_ARG);
    FAILS(MPI_Waitall(-1, r, s), MPI_ERR_COUNT);
    r[0] = (int)0xec000000 + 999999; /* no such request: it stays what it is */
    FAILS(MPI_Wait(&r[0], MPI_STATUS_IGNORE), MPI_ERR_REQUEST);
    CHECK((unsigned)r[0] == 0xec000000 + 999999, "a bad handle became %#x", (unsigned)r[0]);
}

static void cut_off(void)
{
    MPI_Request r[2];
    MPI_Status s[2];
    char two[2] = "ab", room[2];

    OK(MPI_Irecv(room, 1, MPI_CHAR, mc_rank, 1, MPI_COMM_WORLD, &r[0]));
    OK(MPI_Irecv(room + 1, 1, MPI_CHAR, mc_rank, 2, MPI_COMM_WORLD, &r[1]));
    OK(MPI_Send(two, 2, MPI_CHAR, mc_rank, 1, MPI_COMM_WORLD));
    OK(MPI_Send(two, 1, MPI_CHAR, mc_rank, 2, MPI_COMM_WORLD));
    FAILS(MPI_Waitall(2, r, s), 17 /* MPI_ERR_IN_STATUS */);
    CHECK(s[0].MPI_ERROR == 14 && s[1].MPI_ERROR == 0, "in the statuses: %d, %d", s[0].MPI_ERROR, s[1].MPI_ERROR);
}

/* -------------------------------------------------------------- functions -- */

static MPI_Datatype op_type;

static void first_of_two(void *in, void *inout, int *n, MPI_Datatype *type)
{
    op_type = *type;
    memcpy(inout, in, (size_t)*n * sizeof(int));
}

static void first_of_two_c(void *in, void *inout, MPI_Count *n, MPI_Datatype *type)
{
    op_type = *type;
    memcpy(inout, in, (size_t)*n * sizeof(int));
}

static void operations(void)
{
    MPI_Op small, large, again;
    MPI_Datatype mine;
    int in[2] = {mc_rank + 1, 7}, out[2], commute, called;

    OK(MPI_Op_create(first_of_two, 0, &small));
    OK(MPI_Op_create_c(first_of_two_c, 0, &large));
    OK(MPI_Op_create(first_of_two, 1, &again));
    OK(MPI_Op_commutative(small, &commute));
    CHECK(!commute, "it does not commute");
    OK(MPI_Allreduce(in, out, 2, MPI_INT, small, MPI_COMM_WORLD));
    CHECK(out[0] == 1 && out[1] == 7, "the first is rank 0's, not %d", out[0]);
    /* which ranks combine is the library's to choose */
    CHECK(op_type == 0 || op_type == MPI_INT, "the function was given type %#x", (unsigned)op_type);
    OK(MPI_Allreduce(&op_type, &called, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD));
    CHECK(mc_size == 1 || called == MPI_INT, "the function was called nowhere");
    OK(MPI_Type_contiguous(1, MPI_INT, &mine));
    OK(MPI_Type_commit(&mine));
    OK(MPI_Reduce_local(in, out, 2, mine, large));
    CHECK(op_type == mine && out[0] == mc_rank + 1, "type %#x, expected %#x", (unsigned)op_type, (unsigned)mine);
    OK(MPI_Type_free(&mine));
    OK(MPI_Op_free(&small));
    OK(MPI_Op_free(&large));
    OK(MPI_Reduce_local(in, out, 2, MPI_INT, again));
    OK(MPI_Op_free(&again));
    CHECK(again == 0x18000000, "MPI_OP_NULL is %#x", (unsigned)again);
    FAILS(MPI_Op_create(NULL, 0, &small), MPI_ERR_ARG);
}

static MPI_Comm told_comm;
static MPI_File told_file;
static int told_code;

static void on_comm(MPI_Comm *comm, int *code, ...)
{
    told_comm = *comm;
    told_code = *code;
}

static void on_file(MPI_File *file, int *code, ...)
{
    told_file = *file;
    told_code = *code;
}

static void handlers(void)
{
    MPI_Errhandler h, fh, got;
    int value = 0;

    OK(MPI_Errhandler_create(on_comm, &h));
    OK(MPI_Errhandler_set(MPI_COMM_SELF, h));
    OK(MPI_Errhandler_get(MPI_COMM_SELF, &got));
    CHECK(got == h, "%#x, expected %#x", (unsigned)got, (unsigned)h);
    OK(MPI_Errhandler_free(&got));
    FAILS(MPI_Send(&value, 1, MPI_INT, 99, 0, MPI_COMM_SELF), 6);
    CHECK(told_comm == MPI_COMM_SELF && told_code == 6, "told %#x and %d", (unsigned)told_comm, told_code);
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    OK(MPI_Errhandler_free(&h));
    CHECK(h == 0x14000000, "MPI_ERRHANDLER_NULL is %#x", (unsigned)h);

    told_file = (MPI_File)&value;
    OK(MPI_File_create_errhandler(on_file, &fh));
    OK(MPI_File_set_errhandler(MPI_FILE_NULL, fh));
    OK(MPI_File_call_errhandler(MPI_FILE_NULL, 32));
    CHECK(told_file == NULL && told_code == 32, "told %p and %d", (void *)told_file, told_code);
    OK(MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN));
    OK(MPI_Errhandler_free(&fh));
}

static int copies, deletes;

static int copy_fn(MPI_Comm comm, int keyval, void *extra, void *from, void *to, int *flag)
{
    CHECK(comm == MPI_COMM_SELF && extra == &copies && keyval != MPI_KEYVAL_INVALID, "copy of %#x", (unsigned)comm);
    copies++;
    *(void **)to = (char *)from + 1;
    *flag = 1;
    return MPI_SUCCESS;
}

static int delete_fn(MPI_Comm comm, int keyval, void *value, void *extra)
{
    (void)comm;
    (void)keyval;
    (void)extra;
    deletes++;
    return value == (void *)13 ? 15 /* MPI_ERR_OTHER */ : MPI_SUCCESS;
}

static void attributes(void)
{
    int key, dup_key, flag;
    void *value;
    MPI_Comm dup;

    OK(MPI_Comm_create_keyval(copy_fn, delete_fn, &key, &copies));
    OK(MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &dup_key, NULL));
    OK(MPI_Comm_set_attr(MPI_COMM_SELF, key, (void *)10));
    OK(MPI_Comm_set_attr(MPI_COMM_SELF, dup_key, (void *)20));
    OK(MPI_Comm_dup(MPI_COMM_SELF, &dup));
    OK(MPI_Comm_get_attr(dup, key, &value, &flag));
    CHECK(flag && value == (void *)11 && copies == 1, "%d: %p after %d copies", flag, value, copies);
    OK(MPI_Comm_get_attr(dup, dup_key, &value, &flag));
    CHECK(flag && value == (void *)20, "%d: %p", flag, value);
    OK(MPI_Comm_free(&dup));
    CHECK(deletes == 1, "%d deletes", deletes);
    OK(MPI_Comm_set_attr(MPI_COMM_SELF, key, (void *)13));
    FAILS(MPI_Comm_delete_attr(MPI_COMM_SELF, key), 15);
    OK(MPI_Comm_delete_attr(MPI_COMM_SELF, dup_key));
    OK(MPI_Comm_free_keyval(&key));
    CHECK(key == 0x24000000, "MPI_KEYVAL_INVALID is %#x", (unsigned)key);
    OK(MPI_Comm_free_keyval(&dup_key));
}

/* ------------------------------------------------- arrays and what is old -- */

static void types_by_peer(void)
{
    int *to = malloc(4 * sizeof(int) * (size_t)mc_size), *from = to + mc_size, *counts = from + mc_size,
        *displs = counts + mc_size;
    MPI_Datatype *types = malloc(sizeof *types * (size_t)mc_size);
    MPI_Request r;

    for (int i = 0; i < mc_size; i++) {
        to[i] = 100 * mc_rank + i;
        from[i] = -1;
        counts[i] = 1;
        displs[i] = i * (int)sizeof(int);
        types[i] = i % 2 ? MPI_UNSIGNED : MPI_INT;
        if ((mc_rank + i) % 2)
            OK(MPI_Type_contiguous(1, MPI_INT, &types[i]));
        OK(MPI_Type_commit(&types[i]));
    }
    OK(MPI_Ialltoallw(to, counts, displs, types, from, counts, displs, types, MPI_COMM_WORLD, &r));
    OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
    for (int i = 0; i < mc_size; i++)
        CHECK(from[i] == 100 * i + mc_rank, "from %d: %d", i, from[i]);
    OK(MPI_Alltoallw(MPI_IN_PLACE, NULL, NULL, NULL, from, counts, displs, types, MPI_COMM_WORLD));
    for (int i = 0; i < mc_size; i++) {
        CHECK(from[i] == 100 * mc_rank + i, "back from %d: %d", i, from[i]);
        if ((mc_rank + i) % 2)
            OK(MPI_Type_free(&types[i]));
    }
    free(to);
    free(types);
}

static void graphs(void)
{
    int next = (mc_rank + 1) % mc_size, last = (mc_rank + mc_size - 1) % mc_size, in, out, weighted, source, weight = 3;
    MPI_Comm plain, heavy, grid;

    OK(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &last, MPI_UNWEIGHTED, 1, &next, MPI_UNWEIGHTED, MPI_INFO_NULL,
                                      0, &plain));
    OK(MPI_Dist_graph_neighbors_count(plain, &in, &out, &weighted));
    CHECK(in == 1 && out == 1 && !weighted, "%d in, %d out, %d", in, out, weighted);
    OK(MPI_Dist_graph_neighbors(plain, 1, &source, MPI_UNWEIGHTED, 0, NULL, MPI_UNWEIGHTED));
    CHECK(source == last, "%d", source);
    OK(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 0, NULL, MPI_WEIGHTS_EMPTY, 0, NULL, MPI_WEIGHTS_EMPTY,
                                      MPI_INFO_NULL, 0, &heavy));
    OK(MPI_Dist_graph_neighbors_count(heavy, &in, &out, &weighted));
    CHECK(in == 0 && weighted, "%d in, weighted %d", in, weighted);
    OK(MPI_Comm_free(&heavy));
    OK(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &last, &weight, 1, &next, &weight, MPI_INFO_NULL, 0, &heavy));
    weight = 0;
    OK(MPI_Dist_graph_neighbors(heavy, 1, &source, &weight, 0, NULL, &out));
    CHECK(weight == 3, "weight %d", weight);
    OK(MPI_Comm_free(&heavy));
    OK(MPI_Comm_free(&plain));
    OK(MPI_Cart_create(MPI_COMM_WORLD, 1, &mc_size, (int[]){0}, 0, &grid));
    OK(MPI_Cart_shift(grid, 0, 1, &in, &out));
    CHECK(in == (mc_rank == 0 ? -1 : mc_rank - 1) && out == (mc_rank == mc_size - 1 ? -1 : mc_rank + 1),
          "beside: %d and %d", in, out);
    OK(MPI_Topo_test(grid, &in));
    CHECK(in == 2, "MPI_CART is %d", in);
    OK(MPI_Comm_free(&grid));
}

static void old_types(void)
{
    const int blocks[] = {1, 1, 1}, marks[] = {0x4c000010, MPI_INT, 0x4c000011};
    const MPI_Aint at[] = {-4, 0, 12};
    MPI_Datatype t;
    MPI_Aint lb, ub, extent, here;
    int integers[32], n, size;

    OK(MPI_Type_struct(3, blocks, at, marks, &t)); /* MPI_LB, MPI_UB */
    OK(MPI_Type_lb(t, &lb));
    OK(MPI_Type_ub(t, &ub));
    OK(MPI_Type_extent(t, &extent));
    OK(MPI_Type_size(t, &size));
    CHECK(lb == -4 && ub == 12 && extent == 16 && size == 4, "from %ld to %ld, %ld, %d bytes", (long)lb, (long)ub,
          (long)extent, size);
    OK(MPI_Type_free(&t));
    OK(MPI_Type_hvector(2, 1, 8, MPI_INT, &t));
    OK(MPI_Type_extent(t, &extent));
    CHECK(extent == 12, "%ld", (long)extent);
    OK(MPI_Type_free(&t));
    OK(MPI_Address(&size, &here));
    CHECK(here == (MPI_Aint)(intptr_t)&size, "%ld", (long)here);

    OK(MPI_Type_create_darray(1, 0, 2, (int[]){4, 6}, (int[]){121, 123}, (int[]){-49767, -49767}, (int[]){1, 1}, 56,
                              MPI_INT, &t));
    OK(MPI_Type_get_envelope(t, integers, integers + 1, integers + 2, &n));
    CHECK(n == 14 && integers[0] == 12, "MPI_COMBINER_DARRAY is %d, %d integers", n, integers[0]);
    OK(MPI_Type_get_contents(t, 12, 0, 1, integers, NULL, &size));
    CHECK(integers[5] == 121 && integers[6] == 123 && integers[7] == -49767 && integers[11] == 56, "%d %d %d %d",
          integers[5], integers[6], integers[7], integers[11]);
    CHECK(size == MPI_INT, "of %#x", (unsigned)size);
    OK(MPI_Type_free(&t));
    CHECK(MPI_Comm_c2f(MPI_COMM_WORLD) == MPI_COMM_WORLD && MPI_Comm_f2c(0x44000001) == MPI_COMM_SELF,
          "Fortran's handles");
}

static void buffered(void)
{
    char buffer[16 + 96], in[16] = "";
    void *back;
    int size;

    OK(MPI_Buffer_attach(buffer, sizeof buffer)); /* as programs reckon that were built with MPICH */
    OK(MPI_Bsend("fifteen letters", 16, MPI_CHAR, mc_rank, 3, MPI_COMM_WORLD));
    OK(MPI_Recv(in, 16, MPI_CHAR, mc_rank, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK(strcmp(in, "fifteen letters") == 0, "\"%s\"", in);
    OK(MPI_Buffer_detach(&back, &size));
    CHECK(back == buffer && size == (int)sizeof buffer, "%p, %d", back, size);
    OK(MPI_Buffer_attach(MPI_BUFFER_AUTOMATIC, 0));
    OK(MPI_Buffer_detach(&back, &size));
    CHECK(back == (void *)-2, "MPI_BUFFER_AUTOMATIC is %p", back);
}

int main(void)
{
    mc_start();
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    statuses();
    many_requests();
    cut_off();
    operations();
    handlers();
    attributes();
    types_by_peer();
    graphs();
    old_types();
    buffered();
    return mc_finish();
}
