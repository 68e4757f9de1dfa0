/* SPDX-License-Identifier: BSD-3-Clause */
/* Info objects (chapter 10): every call, against a model that keeps pairs in the order they were first set; lengths at
 * their limits; what each call says to a wrong argument; MPI_INFO_ENV. */
#include "mcheck.h"

#define KEYS 24

struct model {
    int n;
    char keys[KEYS][8], values[KEYS][16];
};

static int model_find(const struct model *m, const char *key)
{
    for (int i = 0; i < m->n; i++)
        if (strcmp(m->keys[i], key) == 0)
            return i;
    return -1;
}

static void model_set(struct model *m, const char *key, const char *value)
{
    int i = model_find(m, key);

    if (i < 0) {
        i = m->n++;
        strcpy(m->keys[i], key);
    }
    strcpy(m->values[i], value);
}

static void model_delete(struct model *m, int i)
{
    for (m->n--; i < m->n; i++) {
        strcpy(m->keys[i], m->keys[i + 1]);
        strcpy(m->values[i], m->values[i + 1]);
    }
}

static void compare(MPI_Info info, const struct model *m)
{
    int n = -1, flag, len;
    char key[MPI_MAX_INFO_KEY], value[32];

    OK(MPI_Info_get_nkeys(info, &n));
    CHECK(n == m->n, "%d keys, expected %d", n, m->n);
    for (int i = 0; i < m->n; i++) {
        OK(MPI_Info_get_nthkey(info, i, key));
        CHECK(strcmp(key, m->keys[i]) == 0, "key %d is %s, expected %s", i, key, m->keys[i]);
        len = sizeof value;
        flag = -1;
        OK(MPI_Info_get_string(info, key, &len, value, &flag));
        CHECK(flag == 1 && strcmp(value, m->values[i]) == 0, "%s = %s, expected %s", key, value, m->values[i]);
        CHECK(len == (int)strlen(m->values[i]) + 1, "buflen %d for %s", len, m->values[i]);
    }
}

static void random_calls(void)
{
    uint64_t seed = check_seed(4) + (uint64_t)mc_rank;
    struct model m = {0};
    MPI_Info info, copy;

    OK(MPI_Info_create(&info));
    for (int round = 0; round < 2000; round++) {
        char key[8], value[16];
        int i;

        snprintf(key, sizeof key, "k%d", (int)check_random_below(&seed, KEYS));
        snprintf(value, sizeof value, "%.*s%d", (int)check_random_below(&seed, 9), "aaaaaaaaa", round);
        i = model_find(&m, key);
        switch (check_random_below(&seed, 4)) {
        case 0:
            if (i >= 0) {
                OK(MPI_Info_delete(info, key));
                model_delete(&m, i);
            } else
                FAILS(MPI_Info_delete(info, key), MPI_ERR_INFO_NOKEY);
            break;
        case 1:
            OK(MPI_Info_dup(info, &copy));
            OK(MPI_Info_free(&info));
            CHECK(info == MPI_INFO_NULL, "MPI_Info_free leaves %p", (void *)info);
            info = copy;
            break;
        default:
            OK(MPI_Info_set(info, key, value));
            model_set(&m, key, value);
        }
        if (round % 50 == 0)
            compare(info, &m);
    }
    compare(info, &m);
    OK(MPI_Info_free(&info));
}

/* What is cut, and what says how much room it takes. */
static void lengths(void)
{
    MPI_Info info;
    char value[MPI_MAX_INFO_VAL + 1], key[MPI_MAX_INFO_KEY + 1], got[MPI_MAX_INFO_VAL + 1];
    int len, flag;

    OK(MPI_Info_create(&info));
    OK(MPI_Info_set(info, "a", "hello"));
    for (int room = 0; room < 9; room++) {
        int stored = room == 0 ? 0 : room <= 5 ? room - 1 : 5;

        memset(got, '#', sizeof got);
        len = room;
        OK(MPI_Info_get_string(info, "a", &len, got, &flag));
        CHECK(len == 6 && flag, "buflen %d flag %d with room %d", len, flag, room);
        CHECK(room == 0 || (memcmp(got, "hello", (size_t)stored) == 0 && got[stored] == 0), "value %.5s with room %d",
              got, room);
        CHECK(got[room] == '#', "more than %d characters written", room);
        memset(got, '#', sizeof got);
        OK(MPI_Info_get(info, "a", room, got, &flag));
        stored = room < 5 ? room : 5;
        CHECK(flag && memcmp(got, "hello", (size_t)stored) == 0 && got[stored] == 0 && got[room + 1] == '#',
              "get with valuelen %d", room);
    }
    len = 7;
    flag = 3;
    strcpy(got, "same");
    OK(MPI_Info_get_string(info, "none", &len, got, &flag));
    CHECK(flag == 0 && len == 7 && strcmp(got, "same") == 0, "a missing key changed something: flag %d len %d", flag,
          len);
    OK(MPI_Info_get_valuelen(info, "none", &len, &flag));
    CHECK(flag == 0 && len == 7, "valuelen of a missing key: flag %d len %d", flag, len);
    OK(MPI_Info_get_valuelen(info, "a", &len, &flag));
    CHECK(flag == 1 && len == 5, "valuelen %d", len);

    memset(key, 'k', sizeof key);
    memset(value, 'v', sizeof value);
    key[MPI_MAX_INFO_KEY - 1] = value[MPI_MAX_INFO_VAL - 1] = 0;
    OK(MPI_Info_set(info, key, value));
    len = sizeof got;
    OK(MPI_Info_get_string(info, key, &len, got, &flag));
    CHECK(flag && len == MPI_MAX_INFO_VAL && strcmp(got, value) == 0, "the longest pair, len %d", len);
    key[MPI_MAX_INFO_KEY - 1] = 'k';
    key[MPI_MAX_INFO_KEY] = 0;
    FAILS(MPI_Info_set(info, key, "v"), MPI_ERR_INFO_KEY);
    value[MPI_MAX_INFO_VAL - 1] = 'v';
    value[MPI_MAX_INFO_VAL] = 0;
    FAILS(MPI_Info_set(info, "b", value), MPI_ERR_INFO_VALUE);
    OK(MPI_Info_set(info, "empty", ""));
    len = 4;
    OK(MPI_Info_get_string(info, "empty", &len, got, &flag));
    CHECK(flag && len == 1 && got[0] == 0, "an empty value: len %d", len);
    OK(MPI_Info_free(&info));
}

static void wrong(void)
{
    MPI_Info info, freed, none = MPI_INFO_NULL, env = MPI_INFO_ENV;
    char text[MPI_MAX_INFO_KEY];
    int n = 4, flag;

    OK(MPI_Info_create(&info));
    freed = info;
    OK(MPI_Info_free(&info));
    FAILS(MPI_Info_free(&info), MPI_ERR_INFO);
    for (int i = 0; i < 2; i++) {
        MPI_Info bad = i ? none : freed;

        FAILS(MPI_Info_set(bad, "a", "b"), MPI_ERR_INFO);
        FAILS(MPI_Info_delete(bad, "a"), MPI_ERR_INFO);
        FAILS(MPI_Info_get_nkeys(bad, &n), MPI_ERR_INFO);
        FAILS(MPI_Info_get_nthkey(bad, 0, text), MPI_ERR_INFO);
        FAILS(MPI_Info_get_string(bad, "a", &n, text, &flag), MPI_ERR_INFO);
        FAILS(MPI_Info_get(bad, "a", n, text, &flag), MPI_ERR_INFO);
        FAILS(MPI_Info_get_valuelen(bad, "a", &n, &flag), MPI_ERR_INFO);
        FAILS(MPI_Info_dup(bad, &info), MPI_ERR_INFO);
    }
    FAILS(MPI_Info_set((MPI_Info)MPI_COMM_WORLD, "a", "b"), MPI_ERR_INFO);
    OK(MPI_Info_create(&info));
    FAILS(MPI_Info_create(NULL), MPI_ERR_ARG);
    FAILS(MPI_Info_set(info, NULL, "b"), MPI_ERR_INFO_KEY);
    FAILS(MPI_Info_set(info, "", "b"), MPI_ERR_INFO_KEY);
    FAILS(MPI_Info_set(info, "a", NULL), MPI_ERR_INFO_VALUE);
    FAILS(MPI_Info_get_nthkey(info, 0, text), MPI_ERR_ARG);
    OK(MPI_Info_set(info, "a", "b"));
    FAILS(MPI_Info_get_nthkey(info, 1, text), MPI_ERR_ARG);
    FAILS(MPI_Info_get_nthkey(info, -1, text), MPI_ERR_ARG);
    FAILS(MPI_Info_get_nthkey(info, 0, NULL), MPI_ERR_ARG);
    FAILS(MPI_Info_get_nkeys(info, NULL), MPI_ERR_ARG);
    FAILS(MPI_Info_get_string(info, "a", NULL, text, &flag), MPI_ERR_ARG);
    FAILS(MPI_Info_get_string(info, "a", &n, text, NULL), MPI_ERR_ARG);
    FAILS(MPI_Info_get_string(info, "a", &n, NULL, &flag), MPI_ERR_ARG);
    n = -1;
    FAILS(MPI_Info_get_string(info, "a", &n, text, &flag), MPI_ERR_ARG);
    FAILS(MPI_Info_get(info, "a", -1, text, &flag), MPI_ERR_ARG);
    FAILS(MPI_Info_dup(info, NULL), MPI_ERR_ARG);
    OK(MPI_Info_free(&info));
    FAILS(MPI_Info_set(MPI_INFO_ENV, "a", "b"), MPI_ERR_INFO);
    FAILS(MPI_Info_delete(MPI_INFO_ENV, "command"), MPI_ERR_INFO);
    FAILS(MPI_Info_free(&env), MPI_ERR_INFO);
    CHECK(env == MPI_INFO_ENV, "freeing MPI_INFO_ENV changed the handle");
}

static void value_of(MPI_Info info, const char *key, char *value, int room)
{
    int flag = 0;

    value[0] = 0;
    OK(MPI_Info_get_string(info, key, &room, value, &flag));
    CHECK(flag, "no key %s", key);
}

static void environment(char *argv0)
{
    char value[MPI_MAX_INFO_VAL], expected[16], here[1024];
    char *words[] = {"prog", "one", "two words", NULL};
    MPI_Info info, copy;
    int flag, len = 0;

    value_of(MPI_INFO_ENV, "command", value, sizeof value);
    CHECK(strcmp(value, argv0) == 0, "command is %s, expected %s", value, argv0);
    snprintf(expected, sizeof expected, "%d", mc_size);
    value_of(MPI_INFO_ENV, "maxprocs", value, sizeof value);
    CHECK(strcmp(value, expected) == 0, "maxprocs is %s, expected %s", value, expected);
    value_of(MPI_INFO_ENV, "thread_level", value, sizeof value);
    CHECK(strcmp(value, "MPI_THREAD_SINGLE") == 0, "thread_level is %s", value);
    value_of(MPI_INFO_ENV, "wdir", value, sizeof value);
    CHECK(getcwd(here, sizeof here) && strcmp(value, here) == 0, "wdir is %s", value);
    value_of(MPI_INFO_ENV, "arch", value, sizeof value);
    value_of(MPI_INFO_ENV, "host", value, sizeof value);
    OK(MPI_Info_get_string(MPI_INFO_ENV, "argv", &len, NULL, &flag));
    CHECK(!flag, "argv of a program without arguments");
    OK(MPI_Info_dup(MPI_INFO_ENV, &copy));
    OK(MPI_Info_set(copy, "command", "changed"));
    value_of(MPI_INFO_ENV, "command", value, sizeof value);
    CHECK(strcmp(value, argv0) == 0, "a copy of MPI_INFO_ENV is not its own object");
    OK(MPI_Info_free(&copy));

    OK(MPI_Info_create_env(3, words, &info));
    value_of(info, "command", value, sizeof value);
    CHECK(strcmp(value, "prog") == 0, "command is %s", value);
    value_of(info, "argv", value, sizeof value);
    CHECK(strcmp(value, "one two words") == 0, "argv is %s", value);
    OK(MPI_Info_set(info, "command", "mine"));
    OK(MPI_Info_free(&info));
    OK(MPI_Info_create_env(0, NULL, &info));
    value_of(info, "command", value, sizeof value);
    CHECK(strcmp(value, argv0) == 0, "command is %s, expected %s", value, argv0);
    OK(MPI_Info_free(&info));
    FAILS(MPI_Info_create_env(0, NULL, NULL), MPI_ERR_ARG);
}

/* Objects come and go without growth: the handle of a freed one is used again. */
static void many(void)
{
    MPI_Info kept[64];

    for (int round = 0; round < 200; round++) {
        for (int i = 0; i < 64; i++) {
            char key[16];

            OK(MPI_Info_create(&kept[i]));
            for (int k = 0; k < 10; k++) {
                snprintf(key, sizeof key, "%d", k * i);
                OK(MPI_Info_set(kept[i], key, "x"));
            }
        }
        for (int i = 0; i < 64; i++)
            OK(MPI_Info_free(&kept[i]));
    }
}

int main(int argc, char **argv)
{
    MPI_Info early;
    int n = -1;

    (void)argc;
    OK(MPI_Info_create(&early)); /* before MPI_Init, too */
    OK(MPI_Info_set(early, "when", "early"));
    mc_start();
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    OK(MPI_Info_get_nkeys(early, &n));
    CHECK(n == 1, "%d keys in an info of before MPI_Init", n);
    OK(MPI_Info_free(&early));
    random_calls();
    lengths();
    wrong();
    environment(argv[0]);
    many();
    return mc_finish();
}
