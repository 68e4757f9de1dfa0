/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Data representations (14.5): bytes of external32, extents and views in it, files
 * that end within an element, representations of the program's own, and what
 * set_view and get_view take and tell (14.3).
 */
#include "io/folder.h"

enum { RW = MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE };

static MPI_File open_own(const char *name)
{
    char own[64];
    MPI_File f = MPI_FILE_NULL;

    snprintf(own, sizeof own, "%s%d", name, mc_rank);
    OK(MPI_File_open(MPI_COMM_SELF, in_folder(own), RW, MPI_INFO_NULL, &f));
    return f;
}

static void raw(MPI_File f, void *to, int n)
{
    OK(MPI_File_set_view(f, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL));
    OK(MPI_File_read_at(f, 0, to, n, MPI_BYTE, MPI_STATUS_IGNORE));
}

static void test_bytes(void)
{
    static const unsigned char expected[] = {0x01, 0x02, 0x03, 0x04, 0xff, 0xff, 0xff, 0xfe,
                                             0x3f, 0xf0, 0,    0,    0,    0,    0,    0};
    MPI_File f = open_own("bytes");
    int numbers[2] = {0x01020304, -2}, back[2] = {0};
    unsigned char bytes[16] = {0};
    double one = 1.0, d = 0;
    MPI_Status status;

    OK(MPI_File_set_view(f, 0, MPI_INT, MPI_INT, "external32", MPI_INFO_NULL));
    OK(MPI_File_write(f, numbers, 2, MPI_INT, &status));
    CHECK(count_of(&status, MPI_INT) == 2, "wrote %lld", (long long)count_of(&status, MPI_INT));
    OK(MPI_File_write(f, &one, 1, MPI_DOUBLE, &status));
    OK(MPI_File_seek(f, 0, MPI_SEEK_SET));
    OK(MPI_File_read(f, back, 2, MPI_INT, &status));
    OK(MPI_File_read(f, &d, 1, MPI_DOUBLE, &status));
    CHECK(back[0] == numbers[0] && back[1] == numbers[1] && d == one, "read %x %d %g", back[0], back[1], d);
    raw(f, bytes, 16);
    for (int i = 0; i < 16; i++)
        CHECK(bytes[i] == expected[i], "byte %d is %x, expected %x", i, bytes[i], expected[i]);
    OK(MPI_File_close(&f));
}

/* long double has 16 bytes in both; long has 8 here and 8 there; wchar and bool may differ. */
static void test_extents(void)
{
    static const struct {
        MPI_Datatype t;
        int extent;
    } rows[] = {{MPI_INT, 4},  {MPI_SHORT, 2}, {MPI_DOUBLE, 8}, {MPI_LONG_LONG, 8},
                {MPI_CHAR, 1}, {MPI_FLOAT, 4}, {MPI_INT16_T, 2}};
    MPI_File f = open_own("extents");
    MPI_Datatype v, s;
    MPI_Aint extent = -1;

    OK(MPI_File_set_view(f, 0, MPI_BYTE, MPI_BYTE, "external32", MPI_INFO_NULL));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        OK(MPI_File_get_type_extent(f, rows[i].t, &extent));
        CHECK(extent == rows[i].extent, "row %zu has extent %lld", i, (long long)extent);
    }
    OK(MPI_Type_vector(3, 2, 5, MPI_INT, &v));
    OK(MPI_File_get_type_extent(f, v, &extent));
    CHECK(extent == 48, "vector has extent %lld", (long long)extent);
    MPI_Type_free(&v);
    OK(MPI_Type_create_subarray(1, (int[]){9}, (int[]){2}, (int[]){3}, MPI_ORDER_C, MPI_DOUBLE, &s));
    OK(MPI_File_get_type_extent(f, s, &extent));
    CHECK(extent == 72, "subarray has extent %lld", (long long)extent);
    MPI_Type_free(&s);
    OK(MPI_File_close(&f));
}

/* Ranks write a column each of an external32 matrix, collectively; rank 0 looks at the bytes. */
static void test_columns(void)
{
    enum { ROWS = 300 };
    static short mine[ROWS], back[ROWS];
    static unsigned char bytes[2 * ROWS * 8];
    MPI_Datatype column;
    MPI_Status status;
    MPI_File f;

    OK(MPI_File_open(MPI_COMM_WORLD, in_folder("columns"), RW, MPI_INFO_NULL, &f));
    OK(MPI_Type_create_subarray(2, (int[]){ROWS, mc_size}, (int[]){ROWS, 1}, (int[]){0, mc_rank}, MPI_ORDER_C,
                                MPI_SHORT, &column));
    OK(MPI_Type_commit(&column));
    OK(MPI_File_set_view(f, 0, MPI_SHORT, column, "external32", MPI_INFO_NULL));
    for (int i = 0; i < ROWS; i++)
        mine[i] = (short)(i * 10 + mc_rank);
    OK(MPI_File_write_all(f, mine, ROWS, MPI_SHORT, &status));
    CHECK(count_of(&status, MPI_SHORT) == ROWS, "wrote %lld", (long long)count_of(&status, MPI_SHORT));
    OK(MPI_File_sync(f));
    OK(MPI_File_read_at_all(f, 0, back, ROWS, MPI_SHORT, &status));
    CHECK(memcmp(mine, back, sizeof mine) == 0, "read back other data");
    CHECK(look_into(in_folder("columns"), bytes, sizeof bytes) == 2 * ROWS * mc_size, "file has another size");
    for (int i = 0; i < ROWS * mc_size; i++)
        if (!CHECK(bytes[2 * i] * 256 + bytes[2 * i + 1] == i / mc_size * 10 + i % mc_size, "element %d is %x %x", i,
                   bytes[2 * i], bytes[2 * i + 1]))
            break;
    MPI_Type_free(&column);
    OK(MPI_File_close(&f));
}

/* The file ends within an element, of a struct with two sizes: whole elements count. */
static void test_short_file(void)
{
    struct pair {
        int i;
        double d;
    } pairs[3] = {{1, 1.5}, {2, 2.5}, {3, 3.5}}, back[3];
    MPI_File f = open_own("short");
    MPI_Datatype t, resized;
    MPI_Count elements = -1;
    MPI_Status status;

    OK(MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, 8}, (MPI_Datatype[]){MPI_INT, MPI_DOUBLE}, &t));
    OK(MPI_Type_create_resized(t, 0, sizeof(struct pair), &resized));
    OK(MPI_Type_commit(&resized));
    MPI_Type_free(&t);
    OK(MPI_File_set_view(f, 0, MPI_BYTE, MPI_BYTE, "external32", MPI_INFO_NULL));
    OK(MPI_File_write(f, pairs, 3, resized, &status));
    OK(MPI_File_set_size(f, 12 + 4 + 5)); /* a pair, an int, five bytes of a double */
    memset(back, 0, sizeof back);
    OK(MPI_File_read_at(f, 0, back, 3, resized, &status));
    OK(MPI_Get_elements_c(&status, resized, &elements));
    CHECK(elements == 3, "read %lld elements", (long long)elements);
    CHECK(back[0].i == 1 && back[0].d == 1.5 && back[1].i == 2 && back[1].d == 0, "read %d %g %d %g", back[0].i,
          back[0].d, back[1].i, back[1].d);
    MPI_Type_free(&resized);
    OK(MPI_File_close(&f));
}

/* ---------------------------------------------- a representation of our own -- */

/* Ints in three bytes, all else is refused. */
static int three_extent(MPI_Datatype t, MPI_Aint *extent, void *state)
{
    (*(int *)state)++;
    *extent = t == MPI_INT ? 3 : 1;
    return MPI_SUCCESS;
}

/* count items from `position` on; the memory types here are contiguous ints. */
static int three_write(void *buf, MPI_Datatype t, int count, void *file, MPI_Offset position, void *state)
{
    (void)t;
    (void)state;
    for (int i = 0; i < count; i++)
        memcpy((char *)file + 3 * i, (int *)buf + position + i, 3);
    return MPI_SUCCESS;
}

static int three_read(void *buf, MPI_Datatype t, int count, void *file, MPI_Offset position, void *state)
{
    (void)t;
    (void)state;
    for (int i = 0; i < count; i++) {
        int value = 0;

        memcpy(&value, (char *)file + 3 * i, 3);
        ((int *)buf)[position + i] = value;
    }
    return MPI_SUCCESS;
}

static int three_fails(void *buf, MPI_Datatype t, int count, void *file, MPI_Offset position, void *state)
{
    (void)buf, (void)t, (void)count, (void)file, (void)position, (void)state;
    return MPI_ERR_OTHER;
}

static int wide_write(void *buf, MPI_Datatype t, MPI_Count count, void *file, MPI_Offset position, void *state)
{
    return three_write(buf, t, (int)count, file, position, state);
}

static int wide_read(void *buf, MPI_Datatype t, MPI_Count count, void *file, MPI_Offset position, void *state)
{
    return three_read(buf, t, (int)count, file, position, state);
}

static void use_three(const char *rep)
{
    MPI_File f = open_own(rep);
    int numbers[5] = {0x010203, 5, 6, 7, 8}, back[6] = {0};
    unsigned char bytes[30] = {0};
    MPI_Datatype every;
    MPI_Status status;

    OK(MPI_Type_create_resized(MPI_INT, 0, 6, &every)); /* three bytes of data, three of gap */
    OK(MPI_Type_commit(&every));
    OK(MPI_File_set_view(f, 2, MPI_INT, every, rep, MPI_INFO_NULL));
    MPI_Type_free(&every);
    OK(MPI_File_write(f, numbers, 5, MPI_INT, &status));
    CHECK(count_of(&status, MPI_INT) == 5, "wrote %lld", (long long)count_of(&status, MPI_INT));
    OK(MPI_File_read_at(f, 0, back, 6, MPI_INT, &status));
    CHECK(count_of(&status, MPI_INT) == 5 && memcmp(back, numbers, sizeof numbers) == 0, "read %lld: %x %d",
          (long long)count_of(&status, MPI_INT), back[0], back[1]);
    raw(f, bytes, 30);
    CHECK(bytes[2] == 3 && bytes[3] == 2 && bytes[4] == 1 && bytes[5] == 0 && bytes[8] == 5 && bytes[26] == 8,
          "bytes are %x %x %x %x %x", bytes[2], bytes[3], bytes[4], bytes[5], bytes[8]);
    OK(MPI_File_close(&f));
}

/* Distances given in elements are of the file's elements, those in bytes are of bytes. */
static void check_three(void)
{
    MPI_Datatype types[7];
    static const int expected[7] = {15, 12, 21, 27, 103, 3, 24};
    MPI_File f = open_own("three-extents");
    MPI_Aint extent = -1;

    OK(MPI_Type_vector(3, 1, 2, MPI_INT, &types[0]));
    OK(MPI_Type_indexed(2, (int[]){1, 1}, (int[]){0, 3}, MPI_INT, &types[1]));
    OK(MPI_Type_create_indexed_block(2, 2, (int[]){0, 5}, MPI_INT, &types[2]));
    OK(MPI_Type_create_subarray(1, (int[]){9}, (int[]){2}, (int[]){3}, MPI_ORDER_C, MPI_INT, &types[3]));
    OK(MPI_Type_create_hvector(2, 1, 100, MPI_INT, &types[4]));
    OK(MPI_Type_dup(MPI_INT, &types[5]));
    OK(MPI_Type_create_darray(2, 0, 1, (int[]){8}, (int[]){MPI_DISTRIBUTE_CYCLIC}, (int[]){3}, (int[]){2}, MPI_ORDER_C,
                              MPI_INT, &types[6]));
    OK(MPI_File_set_view(f, 0, MPI_INT, MPI_INT, "three", MPI_INFO_NULL));
    for (int i = 0; i < 7; i++) {
        OK(MPI_File_get_type_extent(f, types[i], &extent));
        CHECK(extent == expected[i], "type %d has extent %lld, expected %d", i, (long long)extent, expected[i]);
    }
    OK(MPI_Type_commit(&types[6]));
    OK(MPI_File_set_view(f, 0, MPI_INT, types[6], "three", MPI_INFO_NULL));
    for (int i = 0; i < 10; i++) {
        static const int owned[5] = {0, 1, 2, 6, 7}; /* of 8 */
        MPI_Offset at = -1;

        OK(MPI_File_get_byte_offset(f, i, &at));
        CHECK(at == 24 * (i / 5) + 3 * owned[i % 5], "element %d is at %lld", i, (long long)at);
    }
    for (int i = 0; i < 7; i++)
        MPI_Type_free(&types[i]);
    OK(MPI_File_close(&f));
}

static void test_registered(void)
{
    static int asked;
    MPI_File f;
    int value = 1;

    OK(MPI_Register_datarep("three", three_read, three_write, three_extent, &asked));
    OK(MPI_Register_datarep_c("three_c", wide_read, wide_write, three_extent, &asked));
    OK(MPI_Register_datarep("fails", three_fails, three_fails, three_extent, &asked));
    OK(MPI_Register_datarep("same", MPI_CONVERSION_FN_NULL, MPI_CONVERSION_FN_NULL, three_extent, &asked));
    FAILS(MPI_Register_datarep("three", three_read, three_write, three_extent, &asked), MPI_ERR_DUP_DATAREP);
    FAILS(MPI_Register_datarep("native", three_read, three_write, three_extent, &asked), MPI_ERR_DUP_DATAREP);
    FAILS(MPI_Register_datarep("", three_read, three_write, three_extent, &asked), MPI_ERR_ARG);
    use_three("three");
    use_three("three_c");
    check_three();
    CHECK(asked > 0, "the extent function was never asked");
    f = open_own("fails");
    OK(MPI_File_set_view(f, 0, MPI_INT, MPI_INT, "fails", MPI_INFO_NULL));
    FAILS(MPI_File_write(f, &value, 1, MPI_INT, MPI_STATUS_IGNORE), MPI_ERR_CONVERSION);
    OK(MPI_File_set_view(f, 0, MPI_INT, MPI_INT, "same", MPI_INFO_NULL));
    OK(MPI_File_write(f, &value, 1, MPI_INT, MPI_STATUS_IGNORE));
    OK(MPI_File_close(&f));
}

/* ------------------------------------------------------------------ the view -- */

static void test_view(void)
{
    MPI_File f = open_own("view");
    char rep[MPI_MAX_DATAREP_STRING] = "";
    MPI_Datatype t, e, got;
    MPI_Offset disp = -1;
    int size = 0;

    OK(MPI_File_get_view(f, &disp, &e, &got, rep));
    CHECK(disp == 0 && e == MPI_BYTE && got == MPI_BYTE && strcmp(rep, "native") == 0, "the first view is another");
    OK(MPI_Type_vector(2, 3, 5, MPI_INT, &t));
    OK(MPI_Type_commit(&t));
    OK(MPI_File_set_view(f, 77, MPI_INT, t, "internal", MPI_INFO_NULL));
    MPI_Type_free(&t);
    OK(MPI_File_get_view(f, &disp, &e, &got, rep));
    OK(MPI_Type_size(got, &size));
    CHECK(disp == 77 && e == MPI_INT && size == 24 && strcmp(rep, "internal") == 0, "view is %lld, size %d, \"%s\"",
          (long long)disp, size, rep);
    OK(MPI_Type_free(&got));
    OK(MPI_File_close(&f));
}

/* A filetype's extent may be less than its data's: the next tile lies in the gaps of the first. */
static void test_short_extent(void)
{
    int values[4] = {mc_rank, -1, 2 * mc_rank, 7}, back[4] = {0};
    MPI_Datatype pieces, t;
    MPI_Status status;
    MPI_File f;

    OK(MPI_File_open(MPI_COMM_WORLD, in_folder("short"), RW, MPI_INFO_NULL, &f));
    OK(MPI_Type_indexed(2, (int[]){2, 2}, (int[]){0, 6}, MPI_INT, &pieces));
    OK(MPI_Type_create_resized(pieces, 0, 3 * sizeof(int), &t));
    OK(MPI_Type_commit(&t));
    OK(MPI_File_set_view(f, 64 * mc_rank, MPI_INT, t, "native", MPI_INFO_NULL));
    OK(MPI_File_write_at_all(f, 0, values, 4, MPI_INT, &status));
    OK(MPI_File_read_at_all(f, 0, back, 4, MPI_INT, &status));
    CHECK(memcmp(values, back, sizeof values) == 0, "%d %d %d %d came back", back[0], back[1], back[2], back[3]);
    OK(MPI_File_write_at_all(f, 4, values, mc_rank == 0 ? 1 : 0, MPI_INT, &status));
    OK(MPI_File_read_at(f, 4, back, mc_rank == 0 ? 1 : 0, MPI_INT, &status));
    CHECK(back[0] == values[0], "%d came back from the second tile", back[0]);
    OK(MPI_File_set_view(f, 64 * mc_rank + 24, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    OK(MPI_File_read_at(f, 0, back, 2, MPI_INT, &status));
    CHECK(back[0] == 2 * mc_rank && back[1] == 7, "the second piece is %d %d", back[0], back[1]);
    OK(MPI_Type_free(&pieces));
    OK(MPI_Type_free(&t));
    OK(MPI_File_close(&f));
}

static void test_bad_views(void)
{
    MPI_Datatype t, committed;
    MPI_Offset disp = -1;
    MPI_File f;
    char rep[MPI_MAX_DATAREP_STRING];

    OK(MPI_File_open(MPI_COMM_WORLD, in_folder("badviews"), RW, MPI_INFO_NULL, &f));
    FAILS(MPI_File_set_view(f, -1, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL), MPI_ERR_ARG);
    FAILS(MPI_File_set_view(f, -2, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL), MPI_ERR_ARG);
    FAILS(MPI_File_set_view(f, 0, MPI_BYTE, MPI_BYTE, "foreign", MPI_INFO_NULL), MPI_ERR_UNSUPPORTED_DATAREP);
    FAILS(MPI_File_set_view(f, 0, MPI_DATATYPE_NULL, MPI_BYTE, "native", MPI_INFO_NULL), MPI_ERR_TYPE);
    FAILS(MPI_File_set_view(f, 0, MPI_INT, MPI_SHORT, "native", MPI_INFO_NULL), MPI_ERR_TYPE); /* no whole etype */
    OK(MPI_Type_contiguous(2, MPI_INT, &t));
    FAILS(MPI_File_set_view(f, 0, MPI_INT, t, "native", MPI_INFO_NULL), MPI_ERR_TYPE); /* not committed */
    MPI_Type_free(&t);
    OK(MPI_Type_indexed(2, (int[]){1, 1}, (int[]){4, 0}, MPI_INT, &committed)); /* falls */
    OK(MPI_Type_commit(&committed));
    FAILS(MPI_File_set_view(f, 0, MPI_INT, committed, "native", MPI_INFO_NULL), MPI_ERR_TYPE);
    MPI_Type_free(&committed);
    if (mc_size > 1) { /* one member's error is everybody's */
        FAILS(MPI_File_set_view(f, 0, MPI_BYTE, MPI_BYTE, mc_rank == 1 ? "foreign" : "native", MPI_INFO_NULL),
              MPI_ERR_UNSUPPORTED_DATAREP);
        FAILS(MPI_File_set_view(f, 0, mc_rank == 1 ? MPI_INT : MPI_BYTE, MPI_INT, "native", MPI_INFO_NULL),
              MPI_ERR_NOT_SAME);
    }
    OK(MPI_File_get_view(f, &disp, &t, &committed, rep));
    CHECK(disp == 0 && t == MPI_BYTE && committed == MPI_BYTE, "a failed call changed the view");
    OK(MPI_File_close(&f));
}

int main(void)
{
    mc_start();
    folder_make();
    test_bytes();
    test_extents();
    test_columns();
    test_short_file();
    test_registered();
    test_view();
    test_short_extent();
    test_bad_views();
    folder_remove();
    return mc_finish();
}
