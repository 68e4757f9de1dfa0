/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a spawn is asked for: the program and where it is, its arguments, and the
 * reserved keys of info (11.8.4): host, arch, wdir, path, soft; file is not looked
 * at; mpi_initial_errhandler (9.3). One more: env, lines VAR=value, variables for
 * the processes.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/path.h"
#include "mpi/dyn/dyn.h"

static bool runs(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

bool mpii_spawn_find_on(const char *name, const char *dirs, char path[PATH_MAX])
{
    for (const char *dir = dirs, *end; dir; dir = *end ? end + 1 : NULL) {
        int n;

        end = strchrnul(dir, ':');
        n = (int)(end - dir);
        if ((size_t)snprintf(path, PATH_MAX, "%.*s/%s", n ? n : 1, n ? dir : ".", name) < PATH_MAX && runs(path))
            return true;
    }
    return false;
}

/* Where the processes start comes first, then where we are; a bare name is looked for in `path` and PATH before. */
static bool find_program(const char *name, const char *wdir, const char *path_key, char path[PATH_MAX])
{
    const char *at[] = {wdir && *wdir ? wdir : ".", "."};

    if (!*name)
        return false;
    if (!strchr(name, '/') &&
        (mpii_spawn_find_on(name, path_key, path) || mpii_spawn_find_on(name, core_param_foreign("PATH"), path)))
        return true;
    if (*name == '/')
        return (size_t)snprintf(path, PATH_MAX, "%s", name) < PATH_MAX && runs(path);
    for (size_t i = 0; i < sizeof at / sizeof *at; i++)
        if ((size_t)snprintf(path, PATH_MAX, "%s/%s", at[i], name) < PATH_MAX && runs(path))
            return true;
    return false;
}

/* ------------------------------------------------------------------- keys -- */

/* The processes start on this host, whatever it is called. */
static bool is_this_host(const char *name)
{
    return core_asked_host(name) || strcasecmp(name, core_host(core_me())) == 0;
}

static int take_keys(struct mpii_spawn_app *app, struct mpii_comm *c, MPI_Info info, const char *call)
{
    const char *host = mpii_info_get(info, "host"), *arch = mpii_info_get(info, "arch"),
               *soft = mpii_info_get(info, "soft"), *tasks = mpii_info_get(info, "mpt_tasks");
    char machine[72];

    if (host && !is_this_host(host))
        return mpii_error(c, MPI_ERR_SPAWN, call, "info wants host \"%.100s\"; processes can be spawned on \"%s\" only",
                          host, core_host(core_me()));
    if (arch && strcmp(arch, core_asked_arch(machine, sizeof machine)) != 0)
        return mpii_error(c, MPI_ERR_SPAWN, call, "info wants arch \"%.100s\", and this host is \"%s\"", arch, machine);
    if (tasks && !core_asked_tasks(tasks))
        return mpii_error(c, MPI_ERR_INFO_VALUE, call,
                          "info's mpt_tasks is \"%.100s\"; expected 0, a number of processes, or auto", tasks);
    app->n = soft ? core_asked_soft(soft, app->maxprocs) : app->maxprocs;
    if (app->n < 0)
        return mpii_error(c, MPI_ERR_INFO_VALUE, call, "info's soft is \"%.100s\"; expected ranges as 1,3:9:2", soft);
    if (app->n == 0)
        return mpii_error(c, MPI_ERR_SPAWN, call, "info's soft, \"%.100s\", holds no number from 1 to maxprocs, %d",
                          soft, app->maxprocs);
    return MPI_SUCCESS;
}

/* ------------------------------------------------------------------ words -- */

static void free_words(char **list)
{
    for (char **w = list; w && *w; w++)
        free(*w);
    free(list);
}

/* For who finds no memory for the next one. */
static char **drop_words(char **list)
{
    free_words(list);
    return NULL;
}

/* NULL: no memory, here and below. */
static char **copy_words(const char *first, char *const *rest)
{
    size_t n = 0;
    char **list;

    while (rest && rest[n])
        n++;
    list = calloc(n + 2, sizeof *list);
    if (!list)
        return NULL;
    for (size_t i = 0; i <= n; i++)
        if (!(list[i] = strdup(i == 0 ? first : rest[i - 1])))
            return drop_words(list);
    return list;
}

/* Lines of `text`, those that hold a name and "=", and the initial error handler, which travels so, too. */
static char **copy_lines(const char *text, const char *errhandler)
{
    size_t n = 0, lines = 2;
    char **list;

    for (const char *t = text; t && *t; t++)
        lines += *t == '\n';
    list = calloc(lines + 1, sizeof *list);
    for (const char *end; list && text && *text; text = *end ? end + 1 : end) {
        const char *equals = strchr(text, '=');

        end = strchrnul(text, '\n');
        if (equals && equals > text && equals < end && !(list[n++] = strndup(text, (size_t)(end - text))))
            return drop_words(list);
    }
    if (list && errhandler && asprintf(&list[n], "MPT_INITIAL_ERRHANDLER=%s", errhandler) < 0) {
        list[n] = NULL;
        return drop_words(list);
    }
    return list;
}

/* NULL: not said, or by a word that means nothing here and is ignored, as info's values are. */
static const char *errhandler_of(MPI_Info info)
{
    const char *word = mpii_info_get(info, "mpi_initial_errhandler");
    char expected[128];

    return word && core_param_check("MPT_INITIAL_ERRHANDLER", word, expected, sizeof expected) == 0 ? word : NULL;
}

int mpii_spawn_app_fill(struct mpii_spawn_app *app, struct mpii_comm *c, const char *command, char *argv[],
                        int maxprocs, MPI_Info info, const char *call)
{
    const char *wdir = mpii_info_get(info, "wdir"), *tasks = mpii_info_get(info, "mpt_tasks");
    char path[PATH_MAX];
    struct stat st;

    app->maxprocs = maxprocs;
    MPII_TRY(take_keys(app, c, info, call));
    if (wdir && (stat(wdir, &st) != 0 || !S_ISDIR(st.st_mode)))
        return mpii_error(c, MPI_ERR_SPAWN, call, "info's wdir, \"%.200s\", is no directory", wdir);
    if (!find_program(command, wdir, mpii_info_get(info, "path"), path))
        return mpii_error(c, MPI_ERR_SPAWN, call,
                          "command is \"%.200s\", which is no program that can be found and run", command);
    app->path = core_path_absolute(path);
    app->wdir = wdir ? strdup(wdir) : NULL;
    app->tasks = tasks ? strdup(tasks) : NULL;
    app->argv = app->path ? copy_words(app->path, argv) : NULL;
    app->env = copy_lines(mpii_info_get(info, "env"), errhandler_of(info));
    if (!app->argv || !app->env || (wdir && !app->wdir) || (tasks && !app->tasks))
        return mpii_error(c, MPI_ERR_NO_MEM, call, "no memory for the arguments of \"%.200s\"", command);
    return MPI_SUCCESS;
}

void mpii_spawn_app_free(struct mpii_spawn_app *app)
{
    free(app->path);
    free(app->wdir);
    free(app->tasks);
    free_words(app->argv);
    free_words(app->env);
}
