/* SPDX-License-Identifier: BSD-3-Clause
 *
 * File pointers: seek in all ways, the shared pointer under contention, ordered
 * accesses, sequential mode, split collectives, and the errors of these (14.4.3 to
 * 14.4.5).
 */
#include "io/folder.h"

enum { RW = MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE, EACH = 50 };

static MPI_File open_ints(const char *name)
{
    MPI_File f = MPI_FILE_NULL;

    OK(MPI_File_open(MPI_COMM_WORLD, in_folder(name), RW, MPI_INFO_NULL, &f));
    OK(MPI_File_set_view(f, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    return f;
}

/* All records that were written with the shared pointer are there, each once, those of a rank in its order. */
static void check_records(MPI_File f, int kinds)
{
    static int all[2 * 8 * EACH * 3];
    int next[16] = {0}, n = kinds * mc_size * EACH;
    MPI_Status status;

    OK(MPI_File_read_at(f, 0, all, 3 * n, MPI_INT, &status));
    CHECK(count_of(&status, MPI_INT) == 3 * n, "file has %lld ints, expected %d", (long long)count_of(&status, MPI_INT),
          3 * n);
    for (int i = 0; i < n; i++) {
        int rank = all[3 * i], number = all[3 * i + 1];

        if (!CHECK(rank >= 0 && rank < mc_size && all[3 * i + 2] == rank * number, "record %d is torn: %d %d %d", i,
                   rank, number, all[3 * i + 2]))
            return;
        CHECK(number == next[rank]++, "record %d is number %d of rank %d, expected %d", i, number, rank,
              next[rank] - 1);
    }
}

static void test_shared(void)
{
    MPI_File f = open_ints("shared");
    MPI_Status status;
    MPI_Offset at = -1;
    int record[3];

    for (int i = 0; i < 2 * EACH; i++) {
        MPI_Request r = MPI_REQUEST_NULL;

        record[0] = mc_rank;
        record[1] = i;
        record[2] = mc_rank * i;
        if (i % 2) {
            OK(MPI_File_write_shared(f, record, 3, MPI_INT, &status));
        } else {
            OK(MPI_File_iwrite_shared(f, record, 3, MPI_INT, &r));
            OK(MPI_Wait(&r, &status));
        }
        CHECK(count_of(&status, MPI_INT) == 3, "wrote %lld", (long long)count_of(&status, MPI_INT));
    }
    OK(MPI_File_sync(f));
    check_records(f, 2);
    OK(MPI_File_get_position_shared(f, &at));
    CHECK(at == 3 * 2 * EACH * mc_size, "shared pointer is %lld", (long long)at);
    OK(MPI_File_get_position(f, &at));
    CHECK(at == 0, "individual pointer is %lld", (long long)at);
    OK(MPI_File_close(&f));
}

/* Every record is read by exactly one rank. */
static void test_shared_read(void)
{
    static int seen[8 * EACH], sum[8 * EACH];
    MPI_File f = open_ints("shared_read");
    MPI_Status status;
    int total = mc_size * EACH, value, got = 0;

    if (mc_rank == 0)
        for (int i = 0; i < total; i++)
            OK(MPI_File_write(f, &i, 1, MPI_INT, &status));
    OK(MPI_File_sync(f));
    for (;;) {
        OK(MPI_File_read_shared(f, &value, 1, MPI_INT, &status));
        if (count_of(&status, MPI_INT) != 1)
            break;
        if (CHECK(value >= 0 && value < total, "read %d", value))
            seen[value]++;
        got++;
    }
    CHECK(count_of(&status, MPI_BYTE) == 0, "at the end %lld bytes were read", (long long)count_of(&status, MPI_BYTE));
    MPI_Allreduce(seen, sum, total, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < total; i++)
        CHECK(sum[i] == 1, "record %d was read %d times", i, sum[i]);
    MPI_Barrier(MPI_COMM_WORLD);
    OK(MPI_File_close(&f));
}

/* Rank r writes r + 1 ints, in three forms; rank order holds in each call. */
static void test_ordered(void)
{
    MPI_File f = open_ints("ordered");
    MPI_Status status;
    MPI_Offset at = -1;
    int mine[16], per = mc_size * (mc_size + 1) / 2, before = mc_rank * (mc_rank + 1) / 2, all[200];

    for (int turn = 0; turn < 3; turn++) {
        for (int i = 0; i <= mc_rank; i++)
            mine[i] = turn * per + before + i;
        if (turn == 1) {
            OK(MPI_File_write_ordered_begin(f, mine, mc_rank + 1, MPI_INT));
            OK(MPI_File_write_ordered_end(f, mine, &status));
        } else if (turn == 2) {
            OK(MPI_File_write_ordered_c(f, mine, mc_rank + 1, MPI_INT, &status));
        } else {
            OK(MPI_File_write_ordered(f, mine, mc_rank + 1, MPI_INT, &status));
        }
        CHECK(count_of(&status, MPI_INT) == mc_rank + 1, "wrote %lld", (long long)count_of(&status, MPI_INT));
    }
    OK(MPI_File_sync(f));
    OK(MPI_File_read_at_all(f, 0, all, 200, MPI_INT, &status));
    CHECK(count_of(&status, MPI_INT) == 3 * per, "file has %lld ints, expected %d",
          (long long)count_of(&status, MPI_INT), 3 * per);
    for (int i = 0; i < 3 * per; i++)
        CHECK(all[i] == i, "place %d holds %d", i, all[i]);
    OK(MPI_File_seek_shared(f, -per, MPI_SEEK_CUR));
    OK(MPI_File_read_ordered(f, mine, mc_rank + 1, MPI_INT, &status));
    CHECK(mine[0] == 2 * per + before, "read %d first", mine[0]);
    OK(MPI_File_get_position_shared(f, &at));
    CHECK(at == 3 * per, "shared pointer is %lld", (long long)at);
    OK(MPI_File_seek_shared(f, per, MPI_SEEK_SET));
    OK(MPI_File_read_ordered_begin(f, mine, mc_rank + 1, MPI_INT));
    OK(MPI_File_read_ordered_end(f, mine, &status));
    CHECK(mine[mc_rank] == per + before + mc_rank, "read %d last", mine[mc_rank]);
    OK(MPI_File_close(&f));
}

static void test_seek(void)
{
    MPI_File f = open_ints("seek");
    MPI_Offset at = -1;

    OK(MPI_File_set_size(f, 41)); /* ten ints and a byte */
    OK(MPI_File_seek(f, 5, MPI_SEEK_SET));
    OK(MPI_File_seek(f, -2, MPI_SEEK_CUR));
    OK(MPI_File_get_position(f, &at));
    CHECK(at == 3, "position is %lld", (long long)at);
    FAILS(MPI_File_seek(f, -4, MPI_SEEK_CUR), MPI_ERR_ARG);
    FAILS(MPI_File_seek(f, 0, 77), MPI_ERR_ARG);
    OK(MPI_File_get_position(f, &at));
    CHECK(at == 3, "a failed seek moved the pointer to %lld", (long long)at);
    OK(MPI_File_seek(f, 0, MPI_SEEK_END));
    OK(MPI_File_get_position(f, &at));
    CHECK(at == 11, "end is %lld", (long long)at);
    OK(MPI_File_seek_shared(f, 4, MPI_SEEK_END));
    OK(MPI_File_get_position_shared(f, &at));
    CHECK(at == 15, "shared pointer is %lld", (long long)at);
    FAILS(MPI_File_seek_shared(f, -16, MPI_SEEK_CUR), MPI_ERR_ARG);
    if (mc_size > 1)
        FAILS(MPI_File_seek_shared(f, mc_rank, MPI_SEEK_SET), MPI_ERR_NOT_SAME);
    OK(MPI_File_get_position_shared(f, &at));
    CHECK(at == 15, "a failed seek moved the shared pointer to %lld", (long long)at);
    OK(MPI_File_set_view(f, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL));
    OK(MPI_File_get_position_shared(f, &at));
    CHECK(at == 0, "shared pointer after set_view is %lld", (long long)at);
    OK(MPI_File_close(&f));
}

static void test_sequential(void)
{
    const char *name = in_folder("sequential");
    MPI_Status status;
    MPI_Offset disp = -1;
    MPI_Datatype e, t;
    MPI_File f;
    char c = (char)('a' + mc_rank), rep[MPI_MAX_DATAREP_STRING], bytes[16] = "";
    int two = mc_rank;

    OK(MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_WRONLY | MPI_MODE_CREATE | MPI_MODE_SEQUENTIAL, MPI_INFO_NULL, &f));
    FAILS(MPI_File_write(f, &c, 1, MPI_CHAR, &status), MPI_ERR_UNSUPPORTED_OPERATION);
    FAILS(MPI_File_write_at(f, 0, &c, 1, MPI_CHAR, &status), MPI_ERR_UNSUPPORTED_OPERATION);
    FAILS(MPI_File_seek(f, 0, MPI_SEEK_SET), MPI_ERR_UNSUPPORTED_OPERATION);
    FAILS(MPI_File_get_position(f, &disp), MPI_ERR_UNSUPPORTED_OPERATION);
    FAILS(MPI_File_set_size(f, 0), MPI_ERR_UNSUPPORTED_OPERATION);
    FAILS(MPI_File_set_view(f, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL), MPI_ERR_ARG);
    OK(MPI_File_write_ordered(f, &c, 1, MPI_CHAR, &status));
    OK(MPI_File_set_view(f, MPI_DISPLACEMENT_CURRENT, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    OK(MPI_File_get_view(f, &disp, &e, &t, rep));
    CHECK(disp == mc_size && e == MPI_INT && t == MPI_INT && strcmp(rep, "native") == 0, "view begins at %lld",
          (long long)disp);
    OK(MPI_File_write_ordered(f, &two, 1, MPI_INT, &status));
    OK(MPI_File_close(&f));
    CHECK(look_into(name, bytes, sizeof bytes) == 5 * mc_size, "size is wrong");
    CHECK(memcmp(bytes, "abcdefgh", (size_t)mc_size) == 0, "holds %.8s", bytes);
    remove_file(name);
}

static void test_split_errors(void)
{
    MPI_File f = open_ints("split");
    int value = mc_rank, other = 0;
    MPI_Status status;

    FAILS(MPI_File_write_all_end(f, &value, &status), MPI_ERR_OTHER);
    OK(MPI_File_write_at_all_begin(f, mc_rank, &value, 1, MPI_INT));
    FAILS(MPI_File_write_at_all_begin(f, mc_rank, &value, 1, MPI_INT), MPI_ERR_OTHER);
    FAILS(MPI_File_write_all_end(f, &value, &status), MPI_ERR_OTHER);
    FAILS(MPI_File_write_at_all_end(f, &other, &status), MPI_ERR_BUFFER);
    FAILS(MPI_File_set_view(f, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL), MPI_ERR_OTHER);
    FAILS(MPI_File_close(&f), MPI_ERR_OTHER);
    OK(MPI_File_read_at(f, mc_rank, &other, 1, MPI_INT, &status)); /* independent ones are fine */
    OK(MPI_File_write_at_all_end(f, &value, &status));
    CHECK(count_of(&status, MPI_INT) == 1, "wrote %lld", (long long)count_of(&status, MPI_INT));
    OK(MPI_File_close(&f));
}

/* Parts of a filetype, or its tiles, that overlap: for reading only (14.1.1). */
static void test_overlap(void)
{
    MPI_File f = open_ints("overlap"), read_only;
    MPI_Datatype same, tiles, twice;
    int in[2] = {-1, -1}, value = 7;

    OK(MPI_Type_create_hvector(2, 2, sizeof(int), MPI_INT, &same)); /* 0 1, 1 2 */
    OK(MPI_Type_create_resized(MPI_INT, 0, 2, &tiles));
    OK(MPI_Type_contiguous(2, tiles, &twice));
    OK(MPI_Type_commit(&same));
    OK(MPI_Type_commit(&twice));
    if (mc_rank == 0)
        OK(MPI_File_write_at(f, 1, &value, 1, MPI_INT, MPI_STATUS_IGNORE));
    FAILS(MPI_File_set_view(f, 0, MPI_INT, same, "native", MPI_INFO_NULL), MPI_ERR_TYPE);
    FAILS(MPI_File_set_view(f, 0, MPI_INT, twice, "native", MPI_INFO_NULL), MPI_ERR_TYPE);
    MPI_Barrier(MPI_COMM_WORLD);
    OK(MPI_File_open(MPI_COMM_WORLD, in_folder("overlap"), MPI_MODE_RDONLY, MPI_INFO_NULL, &read_only));
    OK(MPI_File_set_view(read_only, 0, MPI_INT, same, "native", MPI_INFO_NULL));
    OK(MPI_File_read(read_only, in, 2, MPI_INT, MPI_STATUS_IGNORE));
    CHECK(in[1] == 7, "read %d and %d", in[0], in[1]);
    OK(MPI_File_close(&read_only));
    OK(MPI_File_close(&f));
    OK(MPI_Type_free(&same));
    OK(MPI_Type_free(&tiles));
    OK(MPI_Type_free(&twice));
}

static void test_argument_errors(void)
{
    MPI_File f = open_ints("arguments");
    MPI_Request r = MPI_REQUEST_NULL;
    MPI_Status status;
    MPI_Datatype raw;
    int value[4] = {0};

    FAILS(MPI_File_write(f, value, -1, MPI_INT, &status), MPI_ERR_COUNT);
    FAILS(MPI_File_write(f, NULL, 1, MPI_INT, &status), MPI_ERR_BUFFER);
    FAILS(MPI_File_write(f, value, 1, MPI_DATATYPE_NULL, &status), MPI_ERR_TYPE);
    FAILS(MPI_File_write(f, value, 3, MPI_BYTE, &status), MPI_ERR_TYPE); /* no whole etype */
    FAILS(MPI_File_write_at(f, -1, value, 1, MPI_INT, &status), MPI_ERR_ARG);
    FAILS(MPI_File_write_at(f, INT64_MAX / 2, value, 1, MPI_INT, &status), MPI_ERR_ARG);
    FAILS(MPI_File_iwrite(f, value, 1, MPI_INT, NULL), MPI_ERR_ARG);
    FAILS(MPI_File_iread_at(f, -1, value, 1, MPI_INT, &r), MPI_ERR_ARG);
    CHECK(r == MPI_REQUEST_NULL, "a request from a failed call");
    OK(MPI_Type_contiguous(2, MPI_INT, &raw));
    FAILS(MPI_File_write(f, value, 1, raw, &status), MPI_ERR_TYPE); /* not committed */
    FAILS(MPI_File_write_shared(f, value, -1, MPI_INT, &status), MPI_ERR_COUNT);
    MPI_Type_free(&raw);
    OK(MPI_File_write(f, NULL, 0, MPI_INT, &status));
    OK(MPI_File_read(f, value, 4, MPI_INT, MPI_STATUS_IGNORE)); /* beyond the end: nothing */
    OK(MPI_File_close(&f));
}

int main(void)
{
    mc_start();
    folder_make();
    test_shared();
    test_shared_read();
    test_ordered();
    test_seek();
    test_sequential();
    test_split_errors();
    test_overlap();
    test_argument_errors();
    folder_remove();
    return mc_finish();
}
