/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Windows as objects: attributes, group, name, hints, memory of members with
 * different sizes and units, windows over parts of the world, many of them at once
 * and one after the other, user's attributes and error handlers.
 */
#include "window.h"

static void attributes(const struct window *w)
{
    static const int flavors[FLAVOURS] = {MPI_WIN_FLAVOR_CREATE,   MPI_WIN_FLAVOR_CREATE, MPI_WIN_FLAVOR_CREATE,
                                          MPI_WIN_FLAVOR_ALLOCATE, MPI_WIN_FLAVOR_SHARED, MPI_WIN_FLAVOR_SHARED,
                                          MPI_WIN_FLAVOR_DYNAMIC};
    void *base;
    MPI_Aint *size;
    int *unit, *flavor, *model, flag = 0;

    OK(MPI_Win_get_attr(w->win, MPI_WIN_BASE, &base, &flag));
    CHECK(flag && base == (w->flavour == DYNAMIC ? MPI_BOTTOM : w->base), "%s: MPI_WIN_BASE",
          flavour_names[w->flavour]);
    OK(MPI_Win_get_attr(w->win, MPI_WIN_SIZE, &size, &flag));
    CHECK(flag && *size == (w->flavour == DYNAMIC ? 0 : w->bytes), "%s: MPI_WIN_SIZE %ld", flavour_names[w->flavour],
          (long)*size);
    OK(MPI_Win_get_attr(w->win, MPI_WIN_DISP_UNIT, &unit, &flag));
    CHECK(flag && *unit == (w->flavour == DYNAMIC ? 1 : (int)w->unit), "%s: MPI_WIN_DISP_UNIT %d",
          flavour_names[w->flavour], *unit);
    OK(MPI_Win_get_attr(w->win, MPI_WIN_CREATE_FLAVOR, &flavor, &flag));
    CHECK(flag && *flavor == flavors[w->flavour], "%s: MPI_WIN_CREATE_FLAVOR %d", flavour_names[w->flavour], *flavor);
    OK(MPI_Win_get_attr(w->win, MPI_WIN_MODEL, &model, &flag));
    CHECK(flag && *model == MPI_WIN_UNIFIED, "%s: MPI_WIN_MODEL %d", flavour_names[w->flavour], *model);
}

static void group_and_name(const struct window *w)
{
    char name[MPI_MAX_OBJECT_NAME], longest[MPI_MAX_OBJECT_NAME];
    MPI_Group group, world;
    int result, length = -1;

    OK(MPI_Win_get_group(w->win, &group));
    OK(MPI_Comm_group(MPI_COMM_WORLD, &world));
    OK(MPI_Group_compare(group, world, &result));
    CHECK(result == MPI_IDENT, "group of the window: %d", result);
    MPI_Group_free(&group);
    MPI_Group_free(&world);
    OK(MPI_Win_get_name(w->win, name, &length));
    CHECK(length == 0 && name[0] == 0, "no name at first: '%s'", name);
    memset(longest, 'x', sizeof longest);
    longest[sizeof longest - 1] = 0;
    OK(MPI_Win_set_name(w->win, longest));
    OK(MPI_Win_get_name(w->win, name, &length));
    CHECK(length == MPI_MAX_OBJECT_NAME - 1 && strcmp(name, longest) == 0, "the longest name");
    OK(MPI_Win_set_name(w->win, "a window"));
    OK(MPI_Win_get_name(w->win, name, &length));
    CHECK(length == 8 && strcmp(name, "a window") == 0, "'%s'", name);
}

static void expect_hint(MPI_Info info, const char *key, const char *expected)
{
    char value[64] = "";
    int length = sizeof value, flag = 0;

    OK(MPI_Info_get_string(info, key, &length, value, &flag));
    CHECK(flag && strcmp(value, expected) == 0, "%s is '%s', not '%s'", key, value, expected);
}

static void hints(void)
{
    MPI_Info info, used;
    char *base;
    MPI_Win win;

    OK(MPI_Info_create(&info));
    OK(MPI_Info_set(info, "no_locks", "true"));
    OK(MPI_Info_set(info, "accumulate_ordering", "rar,waw"));
    OK(MPI_Info_set(info, "accumulate_ops", "nonsense"));
    OK(MPI_Info_set(info, "unknown_key", "1"));
    OK(MPI_Info_set(info, "mpi_minimum_memory_alignment", "4096"));
    OK(MPI_Win_allocate(100, 1, info, MPI_COMM_WORLD, &base, &win));
    CHECK((uintptr_t)base % 4096 == 0, "aligned to 4096: %p", (void *)base);
    OK(MPI_Win_get_info(win, &used));
    expect_hint(used, "no_locks", "true");
    expect_hint(used, "accumulate_ordering", "rar,waw");
    expect_hint(used, "accumulate_ops", "same_op_no_op");
    expect_hint(used, "same_size", "false");
    OK(MPI_Info_free(&used));
    OK(MPI_Info_set(info, "accumulate_ordering", "none"));
    OK(MPI_Info_set(info, "accumulate_ops", "same_op"));
    OK(MPI_Info_set(info, "no_locks", "false"));
    OK(MPI_Info_set(info, "mpi_minimum_memory_alignment", "64")); /* too late */
    OK(MPI_Win_set_info(win, info));
    OK(MPI_Win_get_info(win, &used));
    expect_hint(used, "no_locks", "false");
    expect_hint(used, "mpi_minimum_memory_alignment", "4096");
    expect_hint(used, "accumulate_ordering", "none");
    expect_hint(used, "accumulate_ops", "same_op");
    OK(MPI_Info_free(&used));
    OK(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
    OK(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win));
    OK(MPI_Win_unlock(0, win));
    OK(MPI_Info_set(info, "no_locks", "true"));
    OK(MPI_Win_set_info(win, info));
    OK(MPI_Info_free(&info));
    FAILS(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win), MPI_ERR_RMA_SYNC);
    OK(MPI_Win_free(&win));
}

/* Every rank another size and unit; zero is a size. */
static void unequal(void)
{
    MPI_Aint bytes = (MPI_Aint)(mc_rank % 3) * 1000;
    int unit = 1 << (mc_rank % 4);
    char *base;
    MPI_Win win;

    OK(MPI_Win_allocate(bytes, unit, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win));
    if (bytes)
        memset(base, 0, (size_t)bytes);
    OK(MPI_Win_fence(0, win));
    for (int to = 0; to < mc_size; to++) {
        char mark = (char)(mc_rank + 1);

        if (to % 3)
            OK(MPI_Put(&mark, 1, MPI_CHAR, to, (8 * (mc_rank + 1)) >> (to % 4), 1, MPI_CHAR, win));
        else
            OK(MPI_Put(&mark, 0, MPI_CHAR, to, 0, 0, MPI_CHAR, win));
    }
    OK(MPI_Win_fence(0, win));
    for (int from = 0; bytes && from < mc_size; from++)
        CHECK(base[8 * (from + 1)] == from + 1, "unit %d: from %d: %d", unit, from, base[8 * (from + 1)]);
    OK(MPI_Win_free(&win));
}

/* Odd and even ranks have windows of their own, with the same ranks inside. */
static void halves(void)
{
    int rank, size, value, *base;
    MPI_Comm half;
    MPI_Win win;

    OK(MPI_Comm_split(MPI_COMM_WORLD, mc_rank % 2, -mc_rank, &half));
    OK(MPI_Comm_rank(half, &rank));
    OK(MPI_Comm_size(half, &size));
    OK(MPI_Win_allocate((MPI_Aint)sizeof(int) * size, sizeof(int), MPI_INFO_NULL, half, &base, &win));
    OK(MPI_Comm_free(&half)); /* the window goes on */
    OK(MPI_Win_fence(MPI_MODE_NOPRECEDE, win));
    value = mc_rank;
    for (int to = 0; to < size; to++)
        OK(MPI_Put(&value, 1, MPI_INT, to, rank, 1, MPI_INT, win));
    OK(MPI_Win_fence(MPI_MODE_NOSUCCEED, win));
    for (int from = 0; from < size; from++)
        CHECK(base[from] % 2 == mc_rank % 2 && base[from] == base[0] - 2 * from, "half %d: from %d: %d", mc_rank % 2,
              from, base[from]);
    OK(MPI_Win_free(&win));
}

static void many(void)
{
    enum { AT_ONCE = 30, IN_TURN = 150, LARGE = 8 << 20 };
    static MPI_Win win[AT_ONCE];
    int64_t *base[AT_ONCE], value[AT_ONCE];
    int right = (mc_rank + 1) % mc_size, left = (mc_rank + mc_size - 1) % mc_size;

    for (int i = 0; i < AT_ONCE; i++)
        OK(MPI_Win_allocate(64, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &base[i], &win[i]));
    for (int i = 0; i < AT_ONCE; i++)
        OK(MPI_Win_fence(0, win[i]));
    for (int i = 0; i < AT_ONCE; i++) {
        value[i] = 100 * i + mc_rank;
        OK(MPI_Put(&value[i], 1, MPI_INT64_T, right, 3, 1, MPI_INT64_T, win[i]));
    }
    for (int i = AT_ONCE; i-- > 0;)
        OK(MPI_Win_fence(0, win[i]));
    for (int i = 0; i < AT_ONCE; i++)
        CHECK(base[i][3] == 100 * i + left, "window %d: %lld", i, (long long)base[i][3]);
    for (int i = 0; i < AT_ONCE; i++)
        OK(MPI_Win_free(&win[i * 7 % AT_ONCE]));
    for (int i = 0; i < IN_TURN; i++) { /* would not fit if memory were not given back */
        char *p;

        OK(MPI_Win_allocate(LARGE, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &p, &win[0]));
        p[0] = p[LARGE - 1] = 1;
        OK(MPI_Win_free(&win[0]));
    }
}

static int copies, deletes, handled;

static int on_delete(MPI_Win win, int key, void *value, void *extra)
{
    (void)win, (void)key;
    CHECK(value == &deletes && extra == &copies, "delete callback");
    deletes++;
    return MPI_SUCCESS;
}

static void on_error(MPI_Win *win, int *code, ...)
{
    int class_ = 0;

    MPI_Error_class(*code, &class_);
    CHECK(*win != MPI_WIN_NULL && class_ == MPI_ERR_RANK, "handler got class %d", class_);
    handled++;
}

static void users_things(void)
{
    struct window w = window_make(ALLOCATE, 64, 1);
    MPI_Errhandler handler, got;
    void *value;
    int key, flag;

    OK(MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, on_delete, &key, &copies));
    OK(MPI_Win_get_attr(w.win, key, &value, &flag));
    CHECK(!flag, "not set yet");
    OK(MPI_Win_set_attr(w.win, key, &deletes));
    OK(MPI_Win_get_attr(w.win, key, &value, &flag));
    CHECK(flag && value == &deletes, "as set");
    OK(MPI_Win_free_keyval(&key));
    OK(MPI_Win_get_errhandler(w.win, &got));
    CHECK(got == MPI_ERRORS_ARE_FATAL, "handler of a new window");
    OK(MPI_Win_create_errhandler(on_error, &handler));
    OK(MPI_Win_set_errhandler(w.win, handler));
    OK(MPI_Errhandler_free(&handler));
    FAILS(MPI_Win_lock(MPI_LOCK_SHARED, mc_size, 0, w.win), MPI_ERR_RANK);
    CHECK(handled == 1, "handler called %d times", handled);
    window_free(&w);
    CHECK(deletes == 1, "deleted %d times", deletes);
}

static void all(struct window *w)
{
    attributes(w);
    group_and_name(w);
}

int main(void)
{
    mc_start();
    window_each(1000, 4, all);
    hints();
    unequal();
    halves();
    many();
    users_things();
    return mc_finish();
}
