/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds the program to run, once for all PEs, and says what is wrong with it
 * before anything is started.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/param.h"
#include "core/base/path.h"
#include "launch/options.h"

/* 0, or the errno with which executing it would fail. */
static int check(const char *path)
{
    struct stat st;

    if (stat(path, &st))
        return errno;
    if (S_ISDIR(st.st_mode))
        return EISDIR;
    return access(path, X_OK) ? errno : 0;
}

static bool missing(int error)
{
    return error == ENOENT || error == ENOTDIR;
}

/* `error` keeps the reason why a file that is there can't be used. */
static bool is_in(const char *dir, size_t len, const char *name, char *path, size_t n, int *error)
{
    int e;

    if ((size_t)snprintf(path, n, "%.*s/%s", len ? (int)len : 1, len ? dir : ".", name) >= n)
        return false;
    e = check(path);
    if (e && !missing(e) && e != EISDIR)
        *error = e;
    return e == 0;
}

static bool search(const char *name, const char *dirs, char *path, size_t n, int *error)
{
    for (const char *dir = dirs, *end; dir; dir = *end ? end + 1 : NULL) {
        end = strchrnul(dir, ':');
        if (is_in(dir, (size_t)(end - dir), name, path, n, error))
            return true;
    }
    return false;
}

/* Where the program starts comes first, then where we are; a bare name is looked for on the app's path and on PATH
 * before. */
static int find(const struct launch_app *app, char *path, size_t n)
{
    const char *name = app->program[0], *dirs = core_param_foreign("PATH"), *wdir = app->wdir ? app->wdir : "";
    bool bare = !strchr(name, '/');
    int error = ENOENT;

    if (!*name || strlen(name) >= n)
        return *name ? ENAMETOOLONG : ENOENT;
    if (bare && (search(name, app->dirs, path, n, &error) ||
                 search(name, dirs ? dirs : "/usr/local/bin:/usr/bin:/bin", path, n, &error)))
        return 0;
    if ((*wdir && *name != '/' && is_in(wdir, strlen(wdir), name, path, n, &error)) ||
        (bare && is_in("", 0, name, path, n, &error)))
        return 0;
    if (bare && error == ENOENT && check(name) == EISDIR)
        return EISDIR;
    if (bare || error != ENOENT)
        return error;
    memcpy(path, name, strlen(name) + 1);
    return check(path);
}

static int complain(const struct launch_app *app, int error)
{
    const char *name = app->program[0];

    if (error == ENOENT && !strchr(name, '/'))
        launch_say("program '%s' not found on %sPATH, nor in the current directory%s", name, app->dirs ? "-path, " : "",
                   launch_program_hint(name, error));
    else
        return launch_cannot_run(name, error);
    return STATUS_NOT_FOUND;
}

/* A relative path must lead to the file from where the program starts, too. */
static char *keep(const struct launch_app *app, const char *path)
{
    return app->wdir && *app->wdir ? core_path_absolute(path) : strdup(path);
}

int launch_programs_find(struct launch_options *o)
{
    for (unsigned i = 0; i < o->napps; i++) {
        struct launch_app *app = &o->apps[i];
        char path[4096];
        int error = find(app, path, sizeof path);

        if (error)
            return complain(app, error);
        app->path = keep(app, path);
        if (!app->path)
            return launch_no_memory();
    }
    return 0;
}
