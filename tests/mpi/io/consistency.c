/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Consistency (14.6): atomic mode under contention, sync between handles; large
 * offsets in sparse files; a full device; large transfers.
 */
#include "io/folder.h"

enum { RW = MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE };

/* Writes through holes overlap those of others: in atomic mode a reader sees all of one or all of another. */
static void test_atomic(void)
{
    enum { N = 1000, TURNS = 60 };
    int mine[N], got[N], flag = -1, torn = 0;
    MPI_Datatype t;
    MPI_Status status;
    MPI_File f;

    OK(MPI_File_open(MPI_COMM_WORLD, in_folder("atomic"), RW, MPI_INFO_NULL, &f));
    OK(MPI_File_get_atomicity(f, &flag));
    CHECK(flag == 0, "atomic at first");
    OK(MPI_File_set_atomicity(f, 1));
    OK(MPI_File_get_atomicity(f, &flag));
    CHECK(flag == 1, "not atomic");
    OK(MPI_Type_vector(N, 1, 3, MPI_INT, &t));
    OK(MPI_Type_commit(&t));
    OK(MPI_File_set_view(f, 0, MPI_INT, t, "native", MPI_INFO_NULL));
    MPI_Type_free(&t);
    OK(MPI_File_set_size(f, 3 * N * 4));
    for (int turn = 0; turn < TURNS; turn++) {
        for (int i = 0; i < N; i++)
            mine[i] = mc_rank * 1000 + turn;
        OK(MPI_File_write_at(f, 0, mine, N, MPI_INT, &status));
        OK(MPI_File_read_at(f, 0, got, N, MPI_INT, &status));
        for (int i = 1; i < N; i++)
            torn += got[i] != got[0];
    }
    CHECK(torn == 0, "%d elements of torn writes", torn);
    if (mc_size > 1)
        FAILS(MPI_File_set_atomicity(f, mc_rank), MPI_ERR_NOT_SAME);
    OK(MPI_File_write_at_all(f, 0, mine, N, MPI_INT, &status)); /* all write the same place: one of them wins */
    OK(MPI_File_read_at_all(f, 0, got, N, MPI_INT, &status));
    for (int i = 1; i < N; i++)
        CHECK(got[i] == got[0], "collective writes are mixed");
    OK(MPI_File_close(&f));
}

/* Two handles of one file: what one has written and synchronized, the other sees after its own sync. */
static void test_sync(void)
{
    MPI_File a, b;
    int value = 7000 + mc_rank, got = 0;
    MPI_Status status;

    OK(MPI_File_open(MPI_COMM_WORLD, in_folder("sync"), RW, MPI_INFO_NULL, &a));
    OK(MPI_File_open(MPI_COMM_WORLD, in_folder("sync"), MPI_MODE_RDONLY, MPI_INFO_NULL, &b));
    OK(MPI_File_write_at(a, 4 * mc_rank, &value, 1, MPI_INT, &status));
    OK(MPI_File_sync(a));
    MPI_Barrier(MPI_COMM_WORLD);
    OK(MPI_File_sync(b));
    OK(MPI_File_read_at(b, 4 * ((mc_rank + 1) % mc_size), &got, 1, MPI_INT, &status));
    CHECK(got == 7000 + (mc_rank + 1) % mc_size, "read %d", got);
    OK(MPI_File_close(&b));
    OK(MPI_File_close(&a));
}

/* Places beyond 4 GiB, by offset, by displacement and by a filetype with a long stride. */
static void test_far_places(void)
{
    const MPI_Offset far = 5ll << 30;
    int value = 11 + mc_rank, got = 0;
    MPI_Offset size = 0, at = -1;
    MPI_Datatype t;
    MPI_Status status;
    MPI_File f;

    OK(MPI_File_open(MPI_COMM_WORLD, in_folder("far"), RW, MPI_INFO_NULL, &f));
    OK(MPI_File_write_at_all(f, far + 4 * mc_rank, &value, 1, MPI_INT, &status));
    OK(MPI_File_sync(f));
    OK(MPI_File_get_size(f, &size));
    CHECK(size == far + 4 * mc_size, "size is %lld", (long long)size);
    OK(MPI_File_set_view(f, far, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    OK(MPI_File_read_at_all(f, mc_rank, &got, 1, MPI_INT, &status));
    CHECK(got == value, "read %d", got);
    OK(MPI_Type_create_hvector(2, 1, (MPI_Aint)1 << 31, MPI_INT, &t));
    OK(MPI_Type_commit(&t));
    OK(MPI_File_set_view(f, 4 * mc_rank, MPI_INT, t, "native", MPI_INFO_NULL));
    MPI_Type_free(&t);
    OK(MPI_File_write_all(f, (int[]){value, value + 50}, 2, MPI_INT, &status));
    OK(MPI_File_get_byte_offset(f, 1, &at));
    CHECK(at == (1ll << 31) + 4 * mc_rank, "byte offset is %lld", (long long)at);
    OK(MPI_File_set_view(f, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL));
    OK(MPI_File_read_at(f, at, &got, 1, MPI_INT, &status));
    CHECK(got == value + 50, "read %d", got);
    OK(MPI_File_close(&f));
}

static void test_full(void)
{
    MPI_File f;
    char bytes[64] = "x";

    if (access("/dev/full", W_OK) != 0)
        return;
    OK(MPI_File_open(MPI_COMM_SELF, "/dev/full", MPI_MODE_WRONLY, MPI_INFO_NULL, &f));
    FAILS(MPI_File_write_at(f, 0, bytes, 64, MPI_BYTE, MPI_STATUS_IGNORE), MPI_ERR_NO_SPACE);
    OK(MPI_File_close(&f));
}

/* A collective write whose aggregators fail tells all members. */
static void test_full_together(void)
{
    MPI_Datatype t;
    MPI_Info info;
    MPI_File f;
    int values[16] = {0};

    if (access("/dev/full", W_OK) != 0)
        return;
    MPI_Info_create(&info);
    MPI_Info_set(info, "romio_cb_write", "enable");
    OK(MPI_File_open(MPI_COMM_WORLD, "/dev/full", MPI_MODE_WRONLY, info, &f));
    MPI_Info_free(&info);
    OK(MPI_Type_create_resized(MPI_INT, 0, 4 * mc_size, &t));
    OK(MPI_Type_commit(&t));
    OK(MPI_File_set_view(f, 4 * mc_rank, MPI_INT, t, "native", MPI_INFO_NULL));
    MPI_Type_free(&t);
    FAILS(MPI_File_write_all(f, values, 16, MPI_INT, MPI_STATUS_IGNORE), MPI_ERR_NO_SPACE);
    OK(MPI_File_close(&f));
}

/* Some MiB from memory with large and with small gaps. */
static void test_large(void)
{
    enum { N = 1 << 19 };
    int *out = malloc(2 * N * sizeof *out), *in = malloc(2 * N * sizeof *in);
    static const int blocks[] = {1, 3, 1024, N};
    MPI_Datatype t;
    MPI_Status status;
    MPI_File f;

    OK(MPI_File_open(MPI_COMM_WORLD, in_folder("large"), RW, MPI_INFO_NULL, &f));
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) {
        int b = blocks[k], n = N / b / 2, wrong = 0;

        OK(MPI_Type_vector(n, b, 2 * b, MPI_INT, &t));
        OK(MPI_Type_commit(&t));
        for (int i = 0; i < N; i++)
            out[i] = i * 7 + mc_rank, in[i] = -1;
        if (n > 0) {
            OK(MPI_File_write_at(f, (MPI_Offset)mc_rank * N * 4, out, 1, t, &status));
            CHECK(count_of(&status, t) == 1, "wrote %lld", (long long)count_of(&status, MPI_INT));
            OK(MPI_File_read_at(f, (MPI_Offset)mc_rank * N * 4, in, 1, t, &status));
        }
        for (int i = 0; i < n * 2 * b; i++)
            wrong += in[i] != (i / b % 2 ? -1 : out[i]);
        CHECK(wrong == 0, "%d ints of blocks of %d are wrong", wrong, b);
        MPI_Type_free(&t);
    }
    OK(MPI_File_close(&f));
    free(out);
    free(in);
}

int main(void)
{
    mc_start();
    folder_make();
    test_atomic();
    test_sync();
    test_far_places();
    test_full();
    test_full_together();
    test_large();
    folder_remove();
    return mc_finish();
}
