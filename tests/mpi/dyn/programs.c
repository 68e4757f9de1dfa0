/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MPI_Comm_spawn_multiple and what both spawns are told: several programs in one
 * job with their own numbers and arguments, the reserved info keys (MPI-5.0,
 * 11.8.3 and 11.8.4), arguments that count on the root only, and errors.
 */
#include <errno.h>
#include <sys/stat.h>

#include "children.h"

/* Says what it got: argument count, hash of the arguments, application, working directory, variable. */
struct said {
    int argc, appnum, rank, has_variable, returns;
    uint64_t hash;
    char where[256];
};

static uint64_t hash_of(int argc, char **argv)
{
    uint64_t h = 1;

    for (int i = 1; i < argc; i++)
        for (const char *c = argv[i]; c == argv[i] || c[-1]; c++)
            h = check_mix(h + (unsigned char)*c);
    return h;
}

static void child_says(MPI_Comm parent, int argc, char **argv)
{
    struct said s = {.argc = argc, .appnum = -1, .hash = hash_of(argc, argv)};
    int *appnum, flag;
    const char *v = getenv("DYN_TEST_VARIABLE");
    MPI_Errhandler handler;

    OK(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, &appnum, &flag));
    if (flag)
        s.appnum = *appnum;
    OK(MPI_Comm_get_errhandler(MPI_COMM_WORLD, &handler));
    s.returns = handler == MPI_ERRORS_RETURN;
    OK(MPI_Errhandler_free(&handler));
    s.rank = mc_rank;
    s.has_variable = v && strcmp(v, "a value=1") == 0;
    CHECK(getcwd(s.where, sizeof s.where) != NULL, "no working directory");
    OK(MPI_Send(&s, sizeof s, MPI_BYTE, 0, 3, parent));
}

static struct said hear(MPI_Comm inter, int rank)
{
    struct said s = {.argc = -1};

    OK(MPI_Recv(&s, sizeof s, MPI_BYTE, rank, 3, inter, MPI_STATUS_IGNORE));
    return s;
}

static void several(MPI_Comm comm)
{
    char *path = (char *)(uintptr_t)own_path();
    char *odd[] = {(char *)"says", (char *)"",   (char *)"two words", (char *)"a\nb",
                   (char *)":",    (char *)"-n", (char *)"$HOME '\"", NULL};
    char *plain[] = {(char *)"says", NULL};
    char *commands[] = {path, path, path}, **argvs[] = {plain, odd, plain};
    int maxprocs[] = {1, 2, 1}, codes[5] = {-1, -1, -1, -1, -1}, rank, size;
    MPI_Info infos[] = {MPI_INFO_NULL, MPI_INFO_NULL, MPI_INFO_NULL};
    uint64_t expected[3] = {hash_of(2, (char *[]){path, plain[0]}), 0, 0};
    MPI_Comm inter;

    char *whole[] = {path, odd[0], odd[1], odd[2], odd[3], odd[4], odd[5], odd[6]};
    expected[1] = hash_of(8, whole);
    expected[2] = expected[0];
    MPI_Comm_rank(comm, &rank);
    if (rank == 0)
        OK(MPI_Comm_spawn_multiple(3, commands, argvs, maxprocs, infos, 0, comm, &inter, codes));
    else
        OK(MPI_Comm_spawn_multiple(-5, NULL, NULL, NULL, NULL, 0, comm, &inter, codes));
    for (int i = 0; i < 4; i++)
        CHECK(codes[i] == MPI_SUCCESS, "code %d is %d", i, codes[i]);
    CHECK(codes[4] == -1, "a fifth code");
    MPI_Comm_remote_size(inter, &size);
    CHECK(size == 4, "%d children", size);
    for (int i = 0; rank == 0 && i < 4; i++) {
        struct said s = hear(inter, i);
        int app = (i + 1) / 2;

        CHECK(s.rank == i && s.appnum == app, "child %d is rank %d of application %d", i, s.rank, s.appnum);
        CHECK(s.argc == (app == 1 ? 8 : 2) && s.hash == expected[app], "child %d has %d arguments, or others", i,
              s.argc);
    }
    part_from(&inter);
}

static void keys(void)
{
    MPI_Comm inter;
    MPI_Info info;
    struct said s;
    struct stat a, b;
    char *argv[] = {(char *)"says", NULL}, here[PATH_MAX];
    int size, codes[4];

    OK(MPI_Info_create(&info));
    OK(MPI_Info_set(info, "wdir", "/tmp"));
    OK(MPI_Info_set(info, "env", "DYN_TEST_VARIABLE=a value=1\nOTHER=2"));
    OK(MPI_Info_set(info, "host", "localhost"));
    OK(MPI_Info_set(info, "mpi_initial_errhandler", "mpi_errors_return"));
    OK(MPI_Info_set(info, "file", "/nonexistent"));
    inter = spawn_with(MPI_COMM_SELF, 0, 1, argv, info);
    s = hear(inter, 0);
    CHECK(stat(s.where, &a) == 0 && stat("/tmp", &b) == 0 && a.st_ino == b.st_ino, "child is in %s", s.where);
    CHECK(s.has_variable, "variable is not there");
    CHECK(s.returns, "the initial error handler is another one");
    part_from(&inter);
    OK(MPI_Info_free(&info));

    OK(MPI_Info_create(&info));
    OK(MPI_Info_set(info, "soft", "7,4:9:5,0:2"));
    OK(MPI_Comm_spawn(own_path(), argv, 3, info, 0, MPI_COMM_SELF, &inter, codes));
    MPI_Comm_remote_size(inter, &size);
    CHECK(size == 2, "%d children of 3 with soft", size);
    CHECK(codes[0] == MPI_SUCCESS && codes[1] == MPI_SUCCESS && codes[2] != MPI_SUCCESS, "codes %d %d %d", codes[0],
          codes[1], codes[2]);
    for (int i = 0; i < size; i++) {
        s = hear(inter, i);
        CHECK(!s.returns, "an initial error handler that nobody asked for");
        CHECK(!s.has_variable && getcwd(here, sizeof here) && strcmp(here, s.where) == 0, "child is in %s", s.where);
    }
    part_from(&inter);
    OK(MPI_Info_free(&info));
}

/* By its name alone, in the folder that `path` names. */
static void by_path(void)
{
    char folder[PATH_MAX], *slash, *argv[] = {(char *)"says", NULL};
    MPI_Comm inter;
    MPI_Info info;
    int code = -1;

    snprintf(folder, sizeof folder, "%s", own_path());
    slash = strrchr(folder, '/');
    *slash = '\0';
    OK(MPI_Info_create(&info));
    OK(MPI_Info_set(info, "path", folder));
    OK(MPI_Comm_spawn(slash + 1, argv, 1, info, 0, MPI_COMM_SELF, &inter, &code));
    CHECK(code == MPI_SUCCESS && hear(inter, 0).argc == 2, "code %d", code);
    part_from(&inter);
    OK(MPI_Info_free(&info));
}

static void refused(const char *key, const char *value, int class)
{
    MPI_Comm inter = MPI_COMM_WORLD;
    MPI_Info info;
    int code = -7, got;

    OK(MPI_Info_create(&info));
    OK(MPI_Info_set(info, key, value));
    got = MPI_Comm_spawn(own_path(), MPI_ARGV_NULL, 1, info, 0, MPI_COMM_SELF, &inter, &code);
    CHECK(got == class && code == MPI_ERR_SPAWN, "%s=%s: class %d, code %d", key, value, got, code);
    CHECK(inter == MPI_COMM_NULL, "a communicator");
    OK(MPI_Info_free(&info));
}

static void errors(void)
{
    MPI_Comm inter, c = MPI_COMM_WORLD, dup;
    int codes[3] = {-1, -1, -1}, zero = 0;
    char *true_path = (char *)"/bin/true", *none = NULL;
    MPI_Info null = MPI_INFO_NULL;

    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    /* all ranks of comm learn it, and the codes */
    FAILS(MPI_Comm_spawn("/nonexistent/program", MPI_ARGV_NULL, 3, null, 0, c, &inter, codes), MPI_ERR_SPAWN);
    for (int i = 0; i < 3; i++)
        CHECK(codes[i] == MPI_ERR_SPAWN, "code %d is %d", i, codes[i]);
    FAILS(MPI_Comm_spawn("/tmp", MPI_ARGV_NULL, 1, null, mc_size - 1, c, &inter, MPI_ERRCODES_IGNORE), MPI_ERR_SPAWN);
    FAILS(MPI_Comm_spawn(NULL, MPI_ARGV_NULL, 1, null, 0, MPI_COMM_SELF, &inter, MPI_ERRCODES_IGNORE), MPI_ERR_ARG);
    FAILS(MPI_Comm_spawn("", MPI_ARGV_NULL, 1, null, 0, MPI_COMM_SELF, &inter, MPI_ERRCODES_IGNORE), MPI_ERR_SPAWN);
    FAILS(MPI_Comm_spawn(true_path, MPI_ARGV_NULL, 0, null, 0, MPI_COMM_SELF, &inter, MPI_ERRCODES_IGNORE),
          MPI_ERR_ARG);
    FAILS(MPI_Comm_spawn(true_path, MPI_ARGV_NULL, 1, null, 1, MPI_COMM_SELF, &inter, MPI_ERRCODES_IGNORE),
          MPI_ERR_ROOT);
    FAILS(MPI_Comm_spawn(true_path, MPI_ARGV_NULL, 1, null, 0, MPI_COMM_NULL, &inter, MPI_ERRCODES_IGNORE),
          MPI_ERR_COMM);
    FAILS(MPI_Comm_spawn(true_path, MPI_ARGV_NULL, 1, null, 0, MPI_COMM_SELF, NULL, MPI_ERRCODES_IGNORE), MPI_ERR_ARG);
    FAILS(MPI_Comm_spawn_multiple(0, &true_path, NULL, &zero, &null, 0, MPI_COMM_SELF, &inter, MPI_ERRCODES_IGNORE),
          MPI_ERR_COUNT);
    FAILS(MPI_Comm_spawn_multiple(1, &true_path, NULL, &zero, &null, 0, MPI_COMM_SELF, &inter, MPI_ERRCODES_IGNORE),
          MPI_ERR_ARG);
    FAILS(MPI_Comm_spawn_multiple(1, &none, NULL, &(int){1}, &null, 0, MPI_COMM_SELF, &inter, MPI_ERRCODES_IGNORE),
          MPI_ERR_ARG);
    /* runs, and is no program of MPI */
    codes[0] = -1;
    FAILS(MPI_Comm_spawn(true_path, MPI_ARGV_NULL, 1, null, 0, MPI_COMM_SELF, &inter, codes), MPI_ERR_SPAWN);
    CHECK(codes[0] == MPI_ERR_SPAWN, "code %d", codes[0]);
    refused("wdir", "/nonexistent", MPI_ERR_SPAWN);
    refused("host", "another.example", MPI_ERR_SPAWN);
    refused("arch", "pdp11", MPI_ERR_SPAWN);
    refused("soft", "5:9", MPI_ERR_SPAWN);
    refused("soft", "few", MPI_ERR_INFO_VALUE);
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &dup)); /* all still in step */
    OK(MPI_Comm_free(&dup));
}

int main(int argc, char **argv)
{
    static const struct part parts[] = {{"says", child_says}, {NULL, NULL}};

    mc_start();
    if (run_child(parts, argc, argv))
        return mc_finish();
    several(MPI_COMM_WORLD);
    several(MPI_COMM_SELF);
    if (mc_rank == 0) {
        keys();
        by_path();
    }
    errors();
    return mc_finish();
}
