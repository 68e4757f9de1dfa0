/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Functions that keep something from call to call, or whose result lies in the C library's memory until the next call:
 * both are each PE's. Most are the C library's functions with memory of the caller's.
 */
#include <errno.h>
#include <grp.h>
#include <netdb.h>
#include <pwd.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/task/hooks.h"
#include "core/task/own.h"

static struct core_task_own *own(void)
{
    return core_task_here()->own;
}

static char *next_token(char *text, const char *ends)
{
    return strtok_r(text, ends, &own()->token);
}

/* --------------------------------------------------------------- numbers -- */

/* The C library's text, kept for the PE. */
static char *keep(const char *text)
{
    char *kept = own()->number;

    strncpy(kept, text, CORE_RESULT_ROOM - 1);
    return kept;
}

static char *digits(double x, int n, int *point, int *sign)
{
    return keep(core_task_real.ecvt(x, n, point, sign));
}

static char *decimals(double x, int n, int *point, int *sign)
{
    return keep(core_task_real.fcvt(x, n, point, sign));
}

static char *letters(long n)
{
    return keep(core_task_real.l64a(n));
}

/* ---------------------------------------------------------------- names -- */

static char *name_terminal(int fd)
{
    char *name = own()->terminal;
    int rc = ttyname_r(fd >= 0 && fd <= 2 ? core_task_here()->descriptors[fd] : fd, name, CORE_RESULT_ROOM);

    if (rc != 0)
        errno = rc;
    return rc == 0 ? name : NULL;
}

static char *name_file(char *name)
{
    return core_task_real.name_file(name ? name : own()->file);
}

/* ---------------------------------------------------------------- tables -- */

static int make_table(size_t n)
{
    return hcreate_r(n, &own()->table);
}

static void free_table(void)
{
    hdestroy_r(&own()->table);
}

static ENTRY *search_table(ENTRY e, ACTION what)
{
    ENTRY *found;

    return hsearch_r(e, what, &found, &own()->table) ? found : NULL;
}

/* -------------------------------------------------------------- accounts -- */

/* Memory for the strings of a result; more of it while the function says that it is too small. */
static bool grow(struct core_task_text *t)
{
    size_t n = t->n ? t->n * 2 : 1024;
    char *more = realloc(t->bytes, n);

    if (!more)
        return false;
    *t = (struct core_task_text){more, n};
    return true;
}

/* NAME(ARG): CALL gives rc and a pointer `found`. */
#define ACCOUNT(name, type, arg, field, call)                                           \
    static type *name(arg)                                                              \
    {                                                                                   \
        struct core_task_own *o = own();                                                \
        struct core_task_text *t = &o->field##_text;                                    \
        type *to = &o->field, *found = NULL;                                            \
        int rc = ERANGE;                                                                \
                                                                                        \
        while (rc == ERANGE && (t->n || grow(t)) && (rc = (call)) == ERANGE && grow(t)) \
            continue;                                                                   \
        if (rc != 0)                                                                    \
            errno = rc;                                                                 \
        return found;                                                                   \
    }
ACCOUNT(user_named, struct passwd, const char *name, user, getpwnam_r(name, to, t->bytes, t->n, &found))
ACCOUNT(user_numbered, struct passwd, uid_t id, user, getpwuid_r(id, to, t->bytes, t->n, &found))
ACCOUNT(group_named, struct group, const char *name, group, getgrnam_r(name, to, t->bytes, t->n, &found))
ACCOUNT(group_numbered, struct group, gid_t id, group, getgrgid_r(id, to, t->bytes, t->n, &found))
ACCOUNT(host_named, struct hostent, const char *name, host, gethostbyname_r(name, to, t->bytes, t->n, &found, &h_errno))

const struct core_task_hook core_task_hooks_result[] = {
    REPLACE("strtok", next_token),       HOOK("ecvt", digits, ecvt),           HOOK("fcvt", decimals, fcvt),
    HOOK("l64a", letters, l64a),         REPLACE("ttyname", name_terminal),    HOOK("tmpnam", name_file, name_file),
    REPLACE("hcreate", make_table),      REPLACE("hdestroy", free_table),      REPLACE("hsearch", search_table),
    REPLACE("getpwnam", user_named),     REPLACE("getpwuid", user_numbered),   REPLACE("getgrnam", group_named),
    REPLACE("getgrgid", group_numbered), REPLACE("gethostbyname", host_named), {0},
};
