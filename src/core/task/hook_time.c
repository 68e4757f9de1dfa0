/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Times of day: results lie in memory of the PE's, and the time zone is that of its environment. The variables
 * that describe it follow the functions that set them. And lgamma, which leaves the sign in a variable, too.
 */
#include <string.h>
#include <time.h>

#include "core/task/hooks.h"
#include "core/task/own.h"

/* tzname, timezone and daylight as some task sees them. */
struct zone {
    char *names[2];
    long west;
    int summer;
};

/* As the C library has set them at last: it leaves them alone while the zone stays the same. */
static struct {
    bool known;
    struct zone now;
} core_task_zone;

static struct zone read_zone(const struct core_task *t)
{
    char *const *names = t->variables[CORE_VAR_TZNAME];

    return (struct zone){
        {names[0], names[1]}, *(long *)t->variables[CORE_VAR_TIMEZONE], *(int *)t->variables[CORE_VAR_DAYLIGHT]};
}

static void write_zone(const struct core_task *t, const struct zone *z)
{
    memcpy(t->variables[CORE_VAR_TZNAME], z->names, sizeof z->names);
    *(long *)t->variables[CORE_VAR_TIMEZONE] = z->west;
    *(int *)t->variables[CORE_VAR_DAYLIGHT] = z->summer;
}

/* The variables of the first task are the process's. It gets them back after another one's call. */
static struct zone begin(void)
{
    struct zone first = read_zone(core_task_first);

    if (core_task_zone.known)
        write_zone(core_task_first, &core_task_zone.now);
    return first;
}

static void end(struct zone first)
{
    struct core_task *t = core_task_here();

    core_task_zone.now = read_zone(core_task_first);
    core_task_zone.known = true;
    write_zone(t, &core_task_zone.now);
    if (t != core_task_first)
        write_zone(core_task_first, &first);
}

static void set_zone(void)
{
    struct zone first = begin();

    core_task_real.set_zone();
    end(first);
}

static struct tm *keep(const struct tm *result)
{
    struct tm *kept = &core_task_here()->own->tm;

    if (!result)
        return NULL;
    *kept = *result;
    return kept;
}

static struct tm *local_time(const time_t *t)
{
    struct zone first = begin();
    struct tm *result = keep(core_task_real.local_time(t));

    end(first);
    return result;
}

/* It need not look at the zone; another PE may have set its own. */
static struct tm *local_time_to(const time_t *t, struct tm *to)
{
    struct zone first = begin();
    struct tm *result;

    core_task_real.set_zone();
    result = core_task_real.local_time_to(t, to);
    end(first);
    return result;
}

static struct tm *universal_time(const time_t *t)
{
    struct zone first = begin();
    struct tm *result = keep(core_task_real.universal_time(t));

    end(first);
    return result;
}

static time_t make_time(struct tm *tm)
{
    struct zone first = begin();
    time_t t = core_task_real.make_time(tm);

    end(first);
    return t;
}

static char *keep_text(const char *text)
{
    char *kept = core_task_here()->own->time;

    if (!text)
        return NULL;
    strncpy(kept, text, CORE_RESULT_ROOM - 1);
    return kept;
}

static char *time_text(const struct tm *tm)
{
    return keep_text(core_task_real.time_text(tm));
}

static char *local_text(const time_t *t)
{
    struct zone first = begin();
    char *text = keep_text(core_task_real.local_text(t));

    end(first);
    return text;
}

static size_t format_time(char *to, size_t n, const char *format, const struct tm *tm)
{
    struct zone first = begin();
    size_t length = core_task_real.format_time(to, n, format, tm);

    end(first);
    return length;
}

const struct core_task_hook core_task_hooks_time[] = {
    HOOK("tzset", set_zone, set_zone),
    HOOK("localtime", local_time, local_time),
    HOOK("localtime_r", local_time_to, local_time_to),
    HOOK("gmtime", universal_time, universal_time),
    HOOK("mktime", make_time, make_time),
    HOOK("asctime", time_text, time_text),
    HOOK("ctime", local_text, local_text),
    HOOK("strftime", format_time, format_time),
    {0},
};
