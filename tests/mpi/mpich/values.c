/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The numbers that programs built with MPICH pass, written out: what they mean
 * to libmpi.so.12. And what means something to the standard's ABI only, or to
 * nobody, is an error here.
 */
#include "mcheck.h"

enum { WORLD = 0x44000000, SELF = 0x44000001 };

static void datatypes(void)
{
    static const struct {
        unsigned type;
        int size;
    } known[] = {{0x4c000101, 1},  {0x4c000203, 2}, {0x4c000405, 4},  {0x4c000406, 4}, {0x4c000807, 8}, {0x4c000809, 8},
                 {0x4c00040a, 4},  {0x4c00080b, 8}, {0x4c00100c, 16}, {0x4c00010d, 1}, {0x4c00010f, 1}, {0x4c000816, 8},
                 {0x4c000118, 1},  {0x4c000137, 1}, {0x4c000238, 2},  {0x4c000439, 4}, {0x4c00083a, 8}, {0x4c00013f, 1},
                 {0x4c001041, 16}, {0x4c000843, 8}, {0x4c000845, 8},  {0x4c00041b, 4}, {0x4c00081f, 8}, {0x8c000000, 8},
                 {0x8c000001, 12}, {0x8c000003, 6}};
    static const unsigned unknown[] = {
        0, 0x0c000000, 0x4c000406 + 0x100, 0x4c0000ff, 0x8c0000ff, 0xcc000000 + 77777, 0x209, 521};
    MPI_Datatype named, inside;
    int size;

    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        OK(MPI_Type_size((int)known[i].type, &size));
        CHECK(size == known[i].size, "type %#x has %d bytes", known[i].type, size);
    }
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        FAILS(MPI_Type_size((int)unknown[i], &size), 3);
    OK(MPI_Type_dup(0x4c000246, &named)); /* MPIX_C_FLOAT16 */
    OK(MPI_Type_get_contents(named, 0, 0, 1, &size, NULL, &inside));
    CHECK(inside == 0x4c000246, "MPIX_C_FLOAT16 came back as %#x", (unsigned)inside);
    OK(MPI_Type_free(&named));
    OK(MPI_Type_match_size(1, 8, &named)); /* a real */
    CHECK((unsigned)named == 0x4c000829 || (unsigned)named == 0x4c00081f, "REAL of 8 bytes is %#x", (unsigned)named);
}

static void communicators(void)
{
    int rank, size, result, group, other, status;

    OK(MPI_Comm_rank(WORLD, &rank));
    OK(MPI_Comm_size(WORLD, &size));
    CHECK(rank == mc_rank && size == mc_size, "%d of %d", rank, size);
    OK(MPI_Comm_compare(WORLD, WORLD, &result));
    CHECK(result == 0, "identical: %d", result);
    OK(MPI_Comm_compare(WORLD, SELF, &result));
    CHECK(result == (mc_size == 1 ? 1 : 3), "world and self: %d", result);
    OK(MPI_Comm_split(WORLD, -32766, 0, &other));
    CHECK(other == 0x04000000, "MPI_COMM_NULL is %#x", (unsigned)other);
    OK(MPI_Comm_group(WORLD, &group));
    OK(MPI_Group_translate_ranks(group, 1, (int[]){-1}, 0x48000000, &other));
    CHECK(other == -1, "MPI_PROC_NULL is %d", other);
    OK(MPI_Group_translate_ranks(group, 1, (int[]){0}, 0x48000000, &other));
    CHECK(other == -32766, "MPI_UNDEFINED is %d", other);
    OK(MPI_Group_free(&group));
    CHECK(group == 0x08000000, "MPI_GROUP_NULL is %#x", (unsigned)group);
    OK(MPI_Topo_test(WORLD, &status));
    CHECK(status == -32766, "no topology is %d", status);
    OK(MPI_Comm_split_type(WORLD, 1, 0, 0x1c000000, &other));
    OK(MPI_Comm_free(&other));
    FAILS(MPI_Comm_split_type(WORLD, 221, 0, 0x1c000000, &other), 12);
    FAILS(MPI_Comm_rank(0x04000000, &rank), 5);
    FAILS(MPI_Comm_rank(257, &rank), 5);
    FAILS(MPI_Comm_rank((int)0xc4000000 + 999999, &rank), 5);
}

static void reductions(void)
{
    static const struct {
        unsigned op;
        int expected;
    } known[] = {{0x58000001, 6}, {0x58000002, 5}, {0x58000003, 11}, {0x58000004, 30}, {0x58000006, 4},
                 {0x58000008, 7}, {0x5800000a, 3}, {0x58000005, 1},  {0x58000007, 1},  {0x58000009, 0}};
    int value, in = 5;

    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        value = 6;
        OK(MPI_Reduce_local(&in, &value, 1, 0x4c000405, (int)known[i].op));
        CHECK(value == known[i].expected, "op %#x gave %d", known[i].op, value);
    }
    FAILS(MPI_Reduce_local(&in, &value, 1, 0x4c000405, 0x18000000), 9);
    FAILS(MPI_Reduce_local(&in, &value, 1, 0x4c000405, 0x21), 9);
    value = mc_rank;
    OK(MPI_Allreduce((void *)-1, &value, 1, 0x4c000405, 0x58000003, WORLD)); /* in place */
    CHECK(value == mc_size * (mc_size - 1) / 2, "sum of ranks is %d", value);
}

static void keys(void)
{
    static const int comm_keys[] = {0x64400001, 0x64400003, 0x64400005, 0x64400007, 0x64400009, 0x6440000b, 0x6440000d};
    int *value, flag, win, none = 0x24000000;
    int expected[] = {0x3fffffff, -1, -2, 1};

    for (size_t i = 0; i < sizeof comm_keys / sizeof *comm_keys; i++) {
        OK(MPI_Comm_get_attr(WORLD, comm_keys[i], &value, &flag));
        CHECK(flag, "key %#x has no value", (unsigned)comm_keys[i]);
        if (i < 3) /* at most so many tags; no host; any process can do I/O */
            CHECK(i ? *value == expected[i] : *value > 32767 && *value <= expected[i], "key %#x is %d",
                  (unsigned)comm_keys[i], *value);
    }
    OK(MPI_Comm_get_attr(WORLD, 0x6440000b, &value, &flag));
    CHECK(*value == 0x3fffffff, "no error code is in use: %#x", (unsigned)*value);
    FAILS(MPI_Comm_get_attr(WORLD, none, &value, &flag), 48);
    FAILS(MPI_Comm_get_attr(WORLD, 501, &value, &flag), 48);
    FAILS(MPI_Comm_free_keyval(&none), 48);
    CHECK(none == 0x24000000, "an invalid key became %#x", (unsigned)none);

    OK(MPI_Win_allocate(8, 1, 0x1c000000, WORLD, &value, &win));
    OK(MPI_Win_get_attr(win, 0x66000007, &value, &flag));
    CHECK(flag && *value == 2, "flavor of an allocated window: %d", *value);
    OK(MPI_Win_get_attr(win, 0x66000009, &value, &flag));
    CHECK(flag && (*value == 1 || *value == 2), "model: %d", *value);
    OK(MPI_Win_lock(234, mc_rank, 1024, win));
    OK(MPI_Win_unlock(mc_rank, win));
    OK(MPI_Win_lock(235, mc_rank, 0, win));
    OK(MPI_Win_unlock(mc_rank, win));
    OK(MPI_Win_set_errhandler(win, 0x54000001));
    FAILS(MPI_Win_lock(301, mc_rank, 0, win), 47);
    FAILS(MPI_Win_fence(1 << 20, win), 53);
    OK(MPI_Win_free(&win));
    CHECK(win == 0x20000000, "MPI_WIN_NULL is %#x", (unsigned)win);
}

static void errors(void)
{
    int class, code, length;
    char text[512];

    for (class = 0; class <= 81; class ++) {
        if (class == 54) /* is none */
            continue;
        OK(MPI_Error_class(class, &code));
        CHECK(code == class, "class of %d is %d", class, code);
        OK(MPI_Error_string(class, text, &length));
    }
    OK(MPI_Error_string(19, text, &length));
    CHECK(strstr(text, "MPI_ERR_REQUEST"), "19 is \"%s\"", text);
    OK(MPI_Add_error_class(&class));
    OK(MPI_Add_error_code(class, &code));
    CHECK(class > 0x3fffffff && code > class, "a new class %#x, a new code %#x", (unsigned)class, (unsigned)code);
    OK(MPI_Add_error_string(code, "mine"));
    OK(MPI_Error_string(code, text, &length));
    CHECK(strcmp(text, "mine") == 0, "\"%s\"", text);
    FAILS(MPI_Comm_call_errhandler(0x04000000, code), 5);
    OK(MPI_Remove_error_string(code));
    OK(MPI_Remove_error_code(code));
    OK(MPI_Remove_error_class(class));
}

int main(void)
{
    int provided, level;

    OK(MPI_Init_thread(NULL, NULL, 3, &provided));
    mc_identify();
    CHECK(provided == 3, "MPI_THREAD_MULTIPLE is 3, given %d", provided);
    OK(MPI_Query_thread(&level));
    CHECK(level == provided, "%d", level);
    OK(MPI_Comm_set_errhandler(WORLD, 0x54000001));
    OK(MPI_Comm_set_errhandler(SELF, 0x54000001));
    datatypes();
    communicators();
    reductions();
    keys();
    errors();
    return mc_finish();
}
