/* SPDX-License-Identifier: BSD-3-Clause */
/* Error classes, codes and strings (9.4, 9.5): the standard's each have a string and are their own class; the user's
 * follow a model through random additions and removals; MPI_LASTUSEDCODE follows them. */
#include "mcheck.h"

#define MANY 64

static int last_used(void)
{
    int *value = NULL, flag = 0;

    OK(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &value, &flag));
    return flag ? *value : -1;
}

static void standard(void)
{
    char text[MPI_MAX_ERROR_STRING], seen[200][64];
    int n = 0;

    for (int code = 0; code <= MPI_ERR_LASTCODE; code = code == MPI_ERR_ABI                ? 1001
                                                        : code == MPI_T_ERR_PVAR_NO_ATOMIC ? MPI_ERR_LASTCODE
                                                                                           : code + 1) {
        int class = -1, len = -1;

        OK(MPI_Error_class(code, &class));
        CHECK(class == code, "class of %d is %d", code, class);
        OK(MPI_Error_string(code, text, &len));
        CHECK(len == (int)strlen(text) && len > 5, "length %d of \"%s\"", len, text);
        snprintf(seen[n], sizeof seen[n], "%.63s", text);
        for (int i = 0; i < n; i++)
            CHECK(strcmp(seen[i], seen[n]) != 0, "two errors are \"%s\"", seen[n]);
        n++;
    }
    CHECK(n == 63 + 18 + 1, "%d codes", n);
    OK(MPI_Error_string(MPI_ERR_RANK, text, &n));
    CHECK(strncmp(text, "MPI_ERR_RANK", 12) == 0, "%s", text);
}

/* The string of an error just raised says more than its class. */
static void raised(void)
{
    char text[MPI_MAX_ERROR_STRING];
    int len, code;

    code = MPI_Send(NULL, 0, MPI_INT, mc_size + 5, 0, MPI_COMM_WORLD);
    OK(MPI_Error_string(code, text, &len));
    CHECK(len < MPI_MAX_ERROR_STRING && strstr(text, "MPI_Send") && strstr(text, "dest"),
          "\"%s\" names neither call nor argument", text);
}

struct mine {
    int number, class; /* number 0: free */
    bool string;
};

static struct mine *pick(struct mine *all, uint64_t *seed)
{
    return &all[check_random_below(seed, MANY)];
}

static int members(const struct mine *all, int class)
{
    int n = 0;

    for (int i = 0; i < MANY; i++)
        n += all[i].number && all[i].class == class && all[i].number != class;
    return n;
}

static void check_one(const struct mine *m)
{
    char text[MPI_MAX_ERROR_STRING], expected[32] = "";
    int class = -1, len = -1;

    OK(MPI_Error_class(m->number, &class));
    CHECK(class == m->class, "class of %d is %d, expected %d", m->number, class, m->class);
    if (m->string)
        snprintf(expected, sizeof expected, "text of %d", m->number);
    OK(MPI_Error_string(m->number, text, &len));
    CHECK(strcmp(text, expected) == 0 && len == (int)strlen(expected), "string of %d is \"%s\"", m->number, text);
}

static void add(struct mine *m, const struct mine *all, uint64_t *seed)
{
    const struct mine *other = &all[check_random_below(seed, MANY)];
    int before = last_used();

    if (check_random_below(seed, 2)) {
        OK(MPI_Add_error_class(&m->number));
        m->class = m->number;
    } else {
        m->class = other->number ? other->class : MPI_ERR_OTHER;
        OK(MPI_Add_error_code(m->class, &m->number));
    }
    m->string = false;
    CHECK(m->number > MPI_ERR_LASTCODE && m->number > before, "new code %d after %d", m->number, before);
    CHECK(last_used() == m->number, "MPI_LASTUSEDCODE is %d after %d was added", last_used(), m->number);
}

static void change_string(struct mine *m)
{
    char text[32];

    if (m->string)
        OK(MPI_Remove_error_string(m->number));
    else {
        FAILS(MPI_Remove_error_string(m->number), MPI_ERR_ARG);
        snprintf(text, sizeof text, "text of %d", m->number);
        OK(MPI_Add_error_string(m->number, text));
    }
    m->string = !m->string;
}

static void take_away(struct mine *m, const struct mine *all)
{
    bool class = m->class == m->number, may = !m->string && (!class || members(all, m->number) == 0);

    FAILS(class ? MPI_Remove_error_code(m->number) : MPI_Remove_error_class(m->number), MPI_ERR_ARG);
    if (!may) {
        FAILS(class ? MPI_Remove_error_class(m->number) : MPI_Remove_error_code(m->number), MPI_ERR_ARG);
        return;
    }
    OK(class ? MPI_Remove_error_class(m->number) : MPI_Remove_error_code(m->number));
    FAILS(class ? MPI_Remove_error_class(m->number) : MPI_Remove_error_code(m->number), MPI_ERR_ARG);
    FAILS(MPI_Error_class(m->number, &(int){0}), MPI_ERR_ARG);
    FAILS(MPI_Add_error_string(m->number, "gone"), MPI_ERR_ARG);
    *m = (struct mine){0};
}

static void random_calls(void)
{
    uint64_t seed = check_seed(7) + (uint64_t)mc_rank;
    struct mine all[MANY] = {{0}};

    for (int round = 0; round < 5000; round++) {
        struct mine *m = pick(all, &seed);

        if (!m->number)
            add(m, all, &seed);
        else if (check_random_below(&seed, 2))
            change_string(m);
        else
            take_away(m, all);
        m = pick(all, &seed);
        if (m->number)
            check_one(m);
    }
}

static void wrong(void)
{
    char text[MPI_MAX_ERROR_STRING], longest[MPI_MAX_ERROR_STRING + 1];
    int number, n;

    FAILS(MPI_Add_error_class(NULL), MPI_ERR_ARG);
    FAILS(MPI_Add_error_code(MPI_ERR_OTHER, NULL), MPI_ERR_ARG);
    FAILS(MPI_Add_error_code(12345, &number), MPI_ERR_ARG);
    FAILS(MPI_Add_error_code(-1, &number), MPI_ERR_ARG);
    for (int code = -1; code < 3; code++) {
        FAILS(MPI_Remove_error_class(code), MPI_ERR_ARG);
        FAILS(MPI_Remove_error_code(code), MPI_ERR_ARG);
        FAILS(MPI_Remove_error_string(code), MPI_ERR_ARG);
        FAILS(MPI_Add_error_string(code, "x"), MPI_ERR_ARG);
    }
    FAILS(MPI_Error_class(-1, &n), MPI_ERR_ARG);
    FAILS(MPI_Error_class(MPI_ERR_ABI + 1, &n), MPI_ERR_ARG);
    FAILS(MPI_Error_class(MPI_SUCCESS, NULL), MPI_ERR_ARG);
    FAILS(MPI_Error_string(999999, text, &n), MPI_ERR_ARG);
    FAILS(MPI_Error_string(MPI_SUCCESS, NULL, &n), MPI_ERR_ARG);
    FAILS(MPI_Error_string(MPI_SUCCESS, text, NULL), MPI_ERR_ARG);
    OK(MPI_Add_error_class(&number));
    FAILS(MPI_Add_error_string(number, NULL), MPI_ERR_ARG);
    memset(longest, 'x', sizeof longest);
    longest[MPI_MAX_ERROR_STRING] = 0;
    FAILS(MPI_Add_error_string(number, longest), MPI_ERR_ARG);
    longest[MPI_MAX_ERROR_STRING - 1] = 0;
    OK(MPI_Add_error_string(number, longest));
    OK(MPI_Error_string(number, text, &n));
    CHECK(n == MPI_MAX_ERROR_STRING - 1 && strcmp(text, longest) == 0, "the longest string has %d", n);
    OK(MPI_Add_error_string(number, "shorter")); /* replaces */
    OK(MPI_Error_string(number, text, &n));
    CHECK(strcmp(text, "shorter") == 0, "%s", text);
}

int main(void)
{
    int class = -1, number = -1;

    OK(MPI_Add_error_class(&number)); /* before MPI_Init, too */
    OK(MPI_Error_class(number, &class));
    CHECK(class == number, "class of %d is %d", number, class);
    mc_start();
    CHECK(last_used() == number, "MPI_LASTUSEDCODE is %d, expected %d", last_used(), number);
    OK(MPI_Remove_error_class(number));
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    standard();
    raised();
    random_calls();
    wrong();
    return mc_finish();
}
