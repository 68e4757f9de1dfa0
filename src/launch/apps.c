/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which program each PE runs. Most jobs have one; `mpiexec -n 1 a : -n 2 b` has
 * several, and so may a job that a program of MPI spawns: that one comes as a
 * table through a socket (words ended by 0, numbers among them as text), so that
 * nothing needs quoting, and how it ended goes back the same way.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "launch/launch.h"

enum { TABLE_MAX = 16 << 20, WORDS_MAX = 1 << 20 };

const struct launch_app *launch_app_of(const struct launch *l, unsigned pe)
{
    const struct launch_app *app = l->options.apps;

    while (pe >= app->npes) {
        pe -= app->npes;
        app++;
    }
    return app;
}

struct launch_app *launch_app_add(struct launch_options *o)
{
    struct launch_app *more = realloc(o->apps, (o->napps + 1) * sizeof *more);

    if (!more)
        return NULL;
    o->apps = more;
    more[o->napps] = (struct launch_app){0};
    return &more[o->napps++];
}

unsigned launch_apps_count(struct launch_options *o, unsigned ncores)
{
    unsigned n = 0;

    for (unsigned i = 0; i < o->napps; i++) {
        if (!o->apps[i].npes)
            o->apps[i].npes = ncores;
        n += o->apps[i].npes;
    }
    return n;
}

/* ----------------------------------------------------------- a table to read -- */

struct reader {
    char *at, *end;
    bool bad;
};

static char *word(struct reader *r)
{
    char *w = r->at, *stop = r->at < r->end ? memchr(r->at, 0, (size_t)(r->end - r->at)) : NULL;

    if (!stop) {
        r->bad = true;
        return (char *)"";
    }
    r->at = stop + 1;
    return w;
}

static unsigned number(struct reader *r)
{
    unsigned long n = strtoul(word(r), NULL, 10);

    if (n > WORDS_MAX)
        r->bad = true;
    return r->bad ? 0 : (unsigned)n;
}

static char **words(struct reader *r)
{
    unsigned n = number(r);
    char **list = malloc((n + 1) * sizeof *list);

    if (!list) {
        r->bad = true;
        return NULL;
    }
    for (unsigned i = 0; i < n; i++)
        list[i] = word(r);
    list[n] = NULL;
    return list;
}

static char *receive(int fd, size_t *n)
{
    char *text = NULL;
    uint64_t size = 0;
    ssize_t got = recv(fd, &size, sizeof size, MSG_WAITALL);

    if (got == (ssize_t)sizeof size && size <= TABLE_MAX)
        text = malloc(size + 1);
    if (!text || recv(fd, text, size, MSG_WAITALL) != (ssize_t)size) {
        free(text);
        return NULL;
    }
    *n = size;
    return text; /* the table points into it: kept for good */
}

/* A word for each: PEs, working directory, environment, program and arguments. */
int launch_apps_read(struct launch_options *o, int fd)
{
    size_t n = 0;
    char *text = receive(fd, &n);
    struct reader r = {text, text + n, text == NULL};

    for (unsigned left = number(&r); left > 0 && !r.bad; left--) {
        struct launch_app *app = launch_app_add(o);

        if (!app)
            return -ENOMEM;
        app->npes = number(&r);
        app->wdir = word(&r);
        app->env = words(&r);
        app->program = words(&r);
        if (!app->npes || r.bad || !app->program[0])
            return -EINVAL;
    }
    return r.bad || o->napps == 0 ? -EINVAL : 0;
}

void launch_apps_tell(const struct launch_options *o, int status)
{
    if (o->spawner >= 0)
        send(o->spawner, &status, sizeof status, MSG_NOSIGNAL | MSG_DONTWAIT);
}
