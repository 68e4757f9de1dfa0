/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Opening, closing, deleting, sizes, hints, queries, and the errors of these
 * (14.2): what is agreed by all members, and that nothing is left behind.
 */
#include "io/folder.h"

enum { RW = MPI_MODE_RDWR | MPI_MODE_CREATE };

static MPI_File open_ok(const char *name, int amode)
{
    MPI_File f = MPI_FILE_NULL;

    OK(MPI_File_open(MPI_COMM_WORLD, name, amode, MPI_INFO_NULL, &f));
    CHECK(f != MPI_FILE_NULL, "no handle");
    return f;
}

static void close_ok(MPI_File *f)
{
    OK(MPI_File_close(f));
    CHECK(*f == MPI_FILE_NULL, "handle stays after close");
}

static void test_modes(void)
{
    const char *name = in_folder("modes");
    MPI_File f;
    int amode = -1;

    f = open_ok(name, RW);
    OK(MPI_File_get_amode(f, &amode));
    CHECK(amode == RW, "amode is %d", amode);
    close_ok(&f);
    CHECK(is_there(name), "created file is not there");
    MPI_Barrier(MPI_COMM_WORLD);
    FAILS(MPI_File_open(MPI_COMM_WORLD, name, RW | MPI_MODE_EXCL, MPI_INFO_NULL, &f), MPI_ERR_FILE_EXISTS);
    CHECK(f == MPI_FILE_NULL, "a handle from a failed open");
    f = open_ok(name, MPI_MODE_RDONLY | MPI_MODE_UNIQUE_OPEN);
    close_ok(&f);
    f = open_ok(name, MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE);
    CHECK(is_there(name), "deleted before close");
    MPI_Barrier(MPI_COMM_WORLD);
    close_ok(&f);
    CHECK(!is_there(name), "not deleted on close");
    MPI_Barrier(MPI_COMM_WORLD);
    f = open_ok(name, RW | MPI_MODE_EXCL);
    close_ok(&f);
    remove_file(name);
}

static void test_bad_modes(void)
{
    static const int bad[] = {0,
                              MPI_MODE_CREATE,
                              MPI_MODE_RDONLY | MPI_MODE_WRONLY,
                              MPI_MODE_RDONLY | MPI_MODE_RDWR,
                              MPI_MODE_RDONLY | MPI_MODE_CREATE,
                              MPI_MODE_RDONLY | MPI_MODE_EXCL,
                              MPI_MODE_RDWR | MPI_MODE_SEQUENTIAL,
                              MPI_MODE_RDWR | 1 << 20};
    MPI_File f;

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        FAILS(MPI_File_open(MPI_COMM_WORLD, in_folder("bad"), bad[i], MPI_INFO_NULL, &f), MPI_ERR_AMODE);
    CHECK(!is_there(in_folder("bad")), "a failed open created a file");
    MPI_Barrier(MPI_COMM_WORLD);
    if (mc_size > 1) { /* one member's error is everybody's */
        FAILS(MPI_File_open(MPI_COMM_WORLD, in_folder("bad"), mc_rank == 1 ? 0 : RW, MPI_INFO_NULL, &f), MPI_ERR_AMODE);
        FAILS(MPI_File_open(MPI_COMM_WORLD, in_folder("bad"), mc_rank == 1 ? RW : RW | MPI_MODE_APPEND, MPI_INFO_NULL,
                            &f),
              MPI_ERR_NOT_SAME);
        CHECK(!is_there(in_folder("bad")), "a failed open created a file");
    }
}

static void test_bad_names(void)
{
    char longest[300];
    MPI_File f;

    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = 0;
    FAILS(MPI_File_open(MPI_COMM_WORLD, in_folder("none"), MPI_MODE_RDONLY, MPI_INFO_NULL, &f), MPI_ERR_NO_SUCH_FILE);
    FAILS(MPI_File_open(MPI_COMM_WORLD, in_folder("none/file"), RW, MPI_INFO_NULL, &f), MPI_ERR_NO_SUCH_FILE);
    FAILS(MPI_File_open(MPI_COMM_WORLD, "", RW, MPI_INFO_NULL, &f), MPI_ERR_BAD_FILE);
    FAILS(MPI_File_open(MPI_COMM_WORLD, longest, RW, MPI_INFO_NULL, &f), MPI_ERR_BAD_FILE);
    FAILS(MPI_File_open(MPI_COMM_WORLD, folder, MPI_MODE_RDONLY, MPI_INFO_NULL, &f), MPI_ERR_BAD_FILE);
    FAILS(MPI_File_open(MPI_COMM_WORLD, folder, MPI_MODE_RDWR, MPI_INFO_NULL, &f), MPI_ERR_BAD_FILE);
    FAILS(MPI_File_delete(in_folder("none"), MPI_INFO_NULL), MPI_ERR_NO_SUCH_FILE);
    FAILS(MPI_File_delete("", MPI_INFO_NULL), MPI_ERR_BAD_FILE);
    FAILS(MPI_File_open(MPI_COMM_NULL, in_folder("none"), RW, MPI_INFO_NULL, &f), MPI_ERR_COMM);
}

/* The text of the last error names the file. */
static void test_text(void)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    MPI_File f;
    int n = 0, code = MPI_File_open(MPI_COMM_SELF, in_folder("missing-file"), MPI_MODE_RDONLY, MPI_INFO_NULL, &f);

    OK(MPI_Error_string(code, text, &n));
    CHECK(strstr(text, "missing-file") != NULL, "text is \"%s\"", text);
}

static void test_delete(void)
{
    const char *name = in_folder("victim");

    make_file(name, "abc", 3);
    if (mc_rank == mc_size - 1)
        OK(MPI_File_delete(name, MPI_INFO_NULL));
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(!is_there(name), "still there");
}

static void test_access(void)
{
    const char *name = in_folder("locked");
    MPI_File f;

    make_file(name, "abc", 3);
    if (geteuid() != 0) {
        if (mc_rank == 0)
            CHECK(chmod(name, 0) == 0, "chmod");
        MPI_Barrier(MPI_COMM_WORLD);
        FAILS(MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDONLY, MPI_INFO_NULL, &f), MPI_ERR_ACCESS);
    }
    remove_file(name);
}

static void test_sizes(void)
{
    const char *name = in_folder("sizes");
    MPI_File f = open_ok(name, RW | MPI_MODE_DELETE_ON_CLOSE);
    static const MPI_Offset sizes[] = {0, 100, 10, 5000000000};
    MPI_Offset size = -1;

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        OK(MPI_File_set_size(f, sizes[i]));
        OK(MPI_File_get_size(f, &size));
        CHECK(size == sizes[i], "size is %lld, expected %lld", (long long)size, (long long)sizes[i]);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    OK(MPI_File_set_size(f, 7));
    OK(MPI_File_preallocate(f, 5));
    OK(MPI_File_get_size(f, &size));
    CHECK(size == 7, "preallocate of less changed the size to %lld", (long long)size);
    OK(MPI_File_preallocate(f, 20000));
    OK(MPI_File_preallocate(f, 0));
    OK(MPI_File_get_size(f, &size));
    CHECK(size == 20000, "preallocated size is %lld", (long long)size);
    FAILS(MPI_File_set_size(f, -1), MPI_ERR_ARG);
    FAILS(MPI_File_preallocate(f, -1), MPI_ERR_ARG);
    if (mc_size > 1)
        FAILS(MPI_File_set_size(f, mc_rank), MPI_ERR_NOT_SAME);
    OK(MPI_File_get_size(f, &size));
    CHECK(size == 20000, "a failed call changed the size to %lld", (long long)size);
    close_ok(&f);
}

static void test_directions(void)
{
    const char *name = in_folder("directions");
    MPI_File f;
    MPI_Status status;
    MPI_Offset size = 0;
    char byte = 'x';

    make_file(name, "hello", 5);
    f = open_ok(name, MPI_MODE_RDONLY);
    FAILS(MPI_File_write(f, &byte, 1, MPI_BYTE, &status), MPI_ERR_READ_ONLY);
    FAILS(MPI_File_write_all(f, &byte, 1, MPI_BYTE, &status), MPI_ERR_READ_ONLY);
    FAILS(MPI_File_set_size(f, 1), MPI_ERR_READ_ONLY);
    FAILS(MPI_File_preallocate(f, 1), MPI_ERR_READ_ONLY);
    OK(MPI_File_read(f, &byte, 1, MPI_BYTE, &status));
    CHECK(byte == 'h', "read %c", byte);
    close_ok(&f);
    f = open_ok(name, MPI_MODE_WRONLY);
    FAILS(MPI_File_read(f, &byte, 1, MPI_BYTE, &status), MPI_ERR_ACCESS);
    FAILS(MPI_File_read_at_all(f, 0, &byte, 1, MPI_BYTE, &status), MPI_ERR_ACCESS);
    OK(MPI_File_get_size(f, &size));
    CHECK(size == 5, "size is %lld", (long long)size);
    close_ok(&f);
    remove_file(name);
}

static void test_append(void)
{
    const char *name = in_folder("append");
    MPI_File f;
    MPI_Status status;
    MPI_Offset at = -1;
    char text[64] = "";

    make_file(name, "start", 5);
    f = open_ok(name, MPI_MODE_WRONLY | MPI_MODE_APPEND);
    OK(MPI_File_get_position(f, &at));
    CHECK(at == 5, "individual pointer is %lld", (long long)at);
    OK(MPI_File_get_position_shared(f, &at));
    CHECK(at == 5, "shared pointer is %lld", (long long)at);
    MPI_Barrier(MPI_COMM_WORLD);
    text[0] = (char)('a' + mc_rank);
    OK(MPI_File_write_ordered(f, text, 1, MPI_CHAR, &status));
    close_ok(&f);
    CHECK(look_into(name, text, sizeof text) == 5 + mc_size, "size is wrong");
    CHECK(strncmp(text, "startabcdefgh", (size_t)(5 + mc_size)) == 0, "holds \"%.20s\"", text);
    remove_file(name);
}

static void test_queries(void)
{
    MPI_File f = open_ok(in_folder("queries"), RW | MPI_MODE_DELETE_ON_CLOSE);
    MPI_Group g, world;
    MPI_Aint extent = 0;
    MPI_Count extent_c = 0;
    int result = -1;

    OK(MPI_File_get_group(f, &g));
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_compare(g, world, &result);
    CHECK(result == MPI_IDENT, "groups compare as %d", result);
    MPI_Group_free(&g);
    MPI_Group_free(&world);
    OK(MPI_File_get_type_extent(f, MPI_DOUBLE, &extent));
    OK(MPI_File_get_type_extent_c(f, MPI_SHORT, &extent_c));
    CHECK(extent == 8 && extent_c == 2, "extents %lld, %lld", (long long)extent, (long long)extent_c);
    FAILS(MPI_File_get_type_extent(f, MPI_DATATYPE_NULL, &extent), MPI_ERR_TYPE);
    FAILS(MPI_File_get_size(MPI_FILE_NULL, &(MPI_Offset){0}), MPI_ERR_FILE);
    FAILS(MPI_File_get_amode(f, NULL), MPI_ERR_ARG);
    close_ok(&f);
    FAILS(MPI_File_close(&f), MPI_ERR_FILE);
}

/* A handle that was closed is found out. */
static void test_closed(void)
{
    MPI_File f = open_ok(in_folder("closed"), RW | MPI_MODE_DELETE_ON_CLOSE), old = f;
    MPI_Offset size;

    close_ok(&f);
    FAILS(MPI_File_get_size(old, &size), MPI_ERR_FILE);
    FAILS(MPI_File_write(old, &size, 1, MPI_BYTE, MPI_STATUS_IGNORE), MPI_ERR_FILE);
}

static void expect_hint(MPI_File f, const char *key, const char *value)
{
    char text[64] = "";
    int flag = 0, room = sizeof text;
    MPI_Info used;

    OK(MPI_File_get_info(f, &used));
    OK(MPI_Info_get_string(used, key, &room, text, &flag));
    CHECK(flag && strcmp(text, value) == 0, "hint %s is \"%s\", expected \"%s\"", key, flag ? text : "(none)", value);
    MPI_Info_free(&used);
}

static void test_hints(void)
{
    struct stat st;
    MPI_Info info;
    MPI_File f;

    MPI_Info_create(&info);
    MPI_Info_set(info, "cb_buffer_size", "65536");
    MPI_Info_set(info, "cb_nodes", "1");
    MPI_Info_set(info, "romio_cb_write", "enable");
    MPI_Info_set(info, "romio_cb_read", "nonsense");
    MPI_Info_set(info, "file_perm", "600");
    MPI_Info_set(info, "unknown_hint", "whatever");
    OK(MPI_File_open(MPI_COMM_WORLD, in_folder("hints"), RW | MPI_MODE_DELETE_ON_CLOSE, info, &f));
    CHECK(stat(in_folder("hints"), &st) == 0 && (st.st_mode & 0777) == 0600, "permissions are %o", st.st_mode & 0777);
    expect_hint(f, "cb_buffer_size", "65536");
    expect_hint(f, "cb_nodes", "1");
    expect_hint(f, "romio_cb_write", "enable");
    expect_hint(f, "romio_cb_read", "automatic");
    MPI_Info_set(info, "ind_rd_buffer_size", "12345");
    MPI_Info_set(info, "cb_nodes", "2");
    OK(MPI_File_set_info(f, info));
    expect_hint(f, "ind_rd_buffer_size", "12345");
    expect_hint(f, "cb_nodes", "1"); /* of the opening only */
    MPI_Info_free(&info);
    close_ok(&f);
}

/* Files of parts of the ranks, several at a time, one of them twice. */
static void test_several(void)
{
    char name[32];
    MPI_File own, half, again;
    MPI_Comm comm;
    MPI_Status status;
    int value = 100 + mc_rank, got = 0;

    MPI_Comm_split(MPI_COMM_WORLD, mc_rank % 2, 0, &comm);
    snprintf(name, sizeof name, "own%d", mc_rank);
    OK(MPI_File_open(MPI_COMM_SELF, in_folder(name), RW | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &own));
    snprintf(name, sizeof name, "half%d", mc_rank % 2);
    OK(MPI_File_open(comm, in_folder(name), RW, MPI_INFO_NULL, &half));
    OK(MPI_File_open(comm, in_folder(name), MPI_MODE_RDONLY | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &again));
    MPI_Comm_free(&comm); /* files keep what they need */
    OK(MPI_File_write_at(own, 0, &value, 1, MPI_INT, &status));
    OK(MPI_File_write_at_all(half, 4 * (mc_rank / 2), &value, 1, MPI_INT, &status));
    OK(MPI_File_read_at(own, 0, &got, 1, MPI_INT, &status));
    CHECK(got == value, "own file holds %d", got);
    OK(MPI_File_sync(half));
    OK(MPI_File_read_at_all(again, 0, &got, 1, MPI_INT, &status));
    CHECK(got == 100 + mc_rank % 2, "shared file holds %d", got);
    close_ok(&own);
    close_ok(&half);
    close_ok(&again);
}

static int called, called_with;

static void handler(MPI_File *f, int *code, ...)
{
    (void)f;
    called++;
    MPI_Error_class(*code, &called_with);
}

static void test_handlers(void)
{
    MPI_Errhandler h, got;
    MPI_File f;

    OK(MPI_File_create_errhandler(handler, &h));
    OK(MPI_File_set_errhandler(MPI_FILE_NULL, h));
    FAILS(MPI_File_open(MPI_COMM_SELF, in_folder("none"), MPI_MODE_RDONLY, MPI_INFO_NULL, &f), MPI_ERR_NO_SUCH_FILE);
    CHECK(called == 1 && called_with == MPI_ERR_NO_SUCH_FILE, "called %d times, with %d", called, called_with);
    f = open_ok(in_folder("handlers"), RW | MPI_MODE_DELETE_ON_CLOSE); /* takes it over */
    OK(MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN));
    OK(MPI_File_get_errhandler(f, &got));
    CHECK(got == h, "another handler");
    MPI_Errhandler_free(&got);
    MPI_Errhandler_free(&h);
    FAILS(MPI_File_seek(f, -1, MPI_SEEK_SET), MPI_ERR_ARG);
    CHECK(called == 2 && called_with == MPI_ERR_ARG, "called %d times, with %d", called, called_with);
    close_ok(&f);
}

int main(void)
{
    mc_start();
    folder_make();
    test_modes();
    test_bad_modes();
    test_bad_names();
    test_text();
    test_delete();
    test_access();
    test_sizes();
    test_directions();
    test_append();
    test_queries();
    test_closed();
    test_hints();
    test_several();
    test_handlers();
    folder_remove();
    return mc_finish();
}
