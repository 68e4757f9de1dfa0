/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds the program to run, once for all PEs, and says what is wrong with it
 * before anything is started.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/param.h"
#include "launch/launch.h"

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

/* Looks in each directory of the search path, then in the current one. `error`
 * keeps the reason why a file that is there can't be used. */
static bool search(const char *name, char *path, size_t n, int *error)
{
    const char *dirs = core_param_foreign("PATH"), *end;

    for (const char *dir = dirs ? dirs : "/usr/local/bin:/usr/bin:/bin";; dir = end + 1) {
        int e, len;

        end = strchrnul(dir, ':');
        len = (int)(end - dir);
        if ((size_t)snprintf(path, n, "%.*s/%s", len ? len : 1, len ? dir : ".", name) < n) {
            if (!(e = check(path)))
                return true;
            if (!missing(e) && e != EISDIR)
                *error = e;
        }
        if (!*end)
            break;
    }
    if ((size_t)snprintf(path, n, "./%s", name) >= n)
        return false;
    if (!check(path))
        return true;
    if (!missing(check(path)))
        *error = check(path);
    return false;
}

static int find(const char *name, char *path, size_t n)
{
    int error = ENOENT;

    if (strlen(name) >= n)
        error = ENAMETOOLONG;
    else if (strchr(name, '/')) {
        memcpy(path, name, strlen(name) + 1);
        error = check(path);
    } else if (*name && search(name, path, n, &error))
        error = 0;
    if (!error)
        return 0;
    if (error == ENOENT && !strchr(name, '/'))
        launch_say("program '%s' not found on PATH, nor in the current directory", name);
    else
        launch_say("cannot run '%s': %s", name, strerror(error));
    return missing(error) ? STATUS_NOT_FOUND : STATUS_NOT_EXECUTABLE;
}

int launch_programs_find(struct launch_options *o)
{
    for (unsigned i = 0; i < o->napps; i++) {
        char path[4096];
        int rc = find(o->apps[i].program[0], path, sizeof path);

        if (rc)
            return rc;
        o->apps[i].path = strdup(path);
        if (!o->apps[i].path) {
            launch_say("out of memory");
            return EXIT_FAILURE;
        }
    }
    return 0;
}
