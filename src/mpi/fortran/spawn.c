/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Spawning: arrays of CHARACTER become arrays of strings, without the blanks at
 * both ends (11.8.2). A list of arguments ends with one that is all blanks. At
 * processes that are not the root the arrays are not looked at.
 */
#include "fortran.h"

#define DECLARE(name_, ...)              \
    void MPIF_PUBLIC name_(__VA_ARGS__); \
    void name_(__VA_ARGS__)

static bool blank(const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (text[i] != ' ')
            return false;
    return true;
}

static void free_strings(char **strings)
{
    for (char **s = strings; s && *s; s++)
        free(*s);
    free(strings);
}

/* n strings of `len` characters, `stride` apart, as a list that ends with NULL; n < 0: until a blank one. */
static char **strings(const char *text, int n, size_t len, size_t stride)
{
    char **list;
    int count = n;

    if (n < 0)
        for (count = 0; !blank(text + (size_t)count * stride, len);)
            count++;
    list = calloc((size_t)count + 1, sizeof *list);
    for (int i = 0; list && i < count; i++) {
        list[i] = mpif_trimmed(text + (size_t)i * stride, len);
        if (!list[i]) {
            free_strings(list);
            return NULL;
        }
    }
    return list;
}

static bool is_root(const int *root, const int *comm)
{
    int rank = 0;

    return PMPI_Comm_rank(mpif_comm(*comm), &rank) == MPI_SUCCESS && rank == *root;
}

static bool no_arguments(const char *argv)
{
    return argv == &mpt_f_argv_null_ || argv == &mpt_f_argvs_null_;
}

DECLARE(pmpi_comm_spawn_, const char *command, const char *argv, const int *maxprocs, const int *info, const int *root,
        const int *comm, int *intercomm, int *errcodes, int *ierror, size_t command_len, size_t argv_len)
{
    bool here = is_root(root, comm), with = here && !no_arguments(argv);
    char *name = here ? mpif_trimmed(command, command_len) : NULL,
         **list = with ? strings(argv, -1, argv_len, argv_len) : NULL;
    MPI_Comm made = MPI_COMM_NULL;
    int error;

    if ((here && !name) || (with && !list))
        error = mpif_no_memory();
    else
        error = PMPI_Comm_spawn(name, with ? list : MPI_ARGV_NULL, here ? *maxprocs : 0,
                                here ? mpif_info(*info) : MPI_INFO_NULL, *root, mpif_comm(*comm), &made,
                                mpif_errcodes(errcodes));
    if (made != MPI_COMM_NULL || error == MPI_SUCCESS)
        *intercomm = mpif_comm_int(made);
    free(name);
    free_strings(list);
    mpif_result(ierror, error);
}
MPIF_NAMES(mpi_comm_spawn);

/* What one call of spawn_multiple needs as C arrays. */
struct several {
    int n;
    char **commands, ***argvs;
    MPI_Info *infos;
};

static bool several_make(struct several *s, const char *commands, size_t command_len, const char *argvs,
                         size_t argv_len, const int *infos)
{
    s->commands = strings(commands, s->n, command_len, command_len);
    s->infos = calloc((size_t)s->n + 1, sizeof *s->infos);
    if (!s->commands || !s->infos)
        return false;
    for (int i = 0; i < s->n; i++)
        s->infos[i] = mpif_info(infos[i]);
    if (no_arguments(argvs))
        return true;
    s->argvs = calloc((size_t)s->n + 1, sizeof *s->argvs);
    for (int i = 0; s->argvs && i < s->n; i++) { /* element (i, j) of argvs(n, *) */
        s->argvs[i] = strings(argvs + (size_t)i * argv_len, -1, argv_len, (size_t)s->n * argv_len);
        if (!s->argvs[i])
            return false;
    }
    return s->argvs != NULL;
}

static void several_free(struct several *s)
{
    free_strings(s->commands);
    for (int i = 0; s->argvs && i < s->n; i++)
        free_strings(s->argvs[i]);
    free(s->argvs);
    free(s->infos);
}

DECLARE(pmpi_comm_spawn_multiple_, const int *count, const char *commands, const char *argvs, const int *maxprocs,
        const int *infos, const int *root, const int *comm, int *intercomm, int *errcodes, int *ierror,
        size_t command_len, size_t argv_len)
{
    bool here = is_root(root, comm);
    struct several s = {.n = here && *count > 0 ? *count : 0};
    MPI_Comm made = MPI_COMM_NULL;
    int error;

    if (here && !several_make(&s, commands, command_len, argvs, argv_len, infos))
        error = mpif_no_memory();
    else
        error = PMPI_Comm_spawn_multiple(here ? *count : 0, s.commands, s.argvs ? s.argvs : MPI_ARGVS_NULL, maxprocs,
                                         s.infos, *root, mpif_comm(*comm), &made, mpif_errcodes(errcodes));
    if (made != MPI_COMM_NULL || error == MPI_SUCCESS)
        *intercomm = mpif_comm_int(made);
    several_free(&s);
    mpif_result(ierror, error);
}
MPIF_NAMES(mpi_comm_spawn_multiple);
