/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Options that say which variables of ours PEs have: all, unless a list says which,
 * for all programs (-genvlist) or for one (-envlist), which counts before. What was
 * given by name (-x, -env) comes in any case, and so do the library's variables: a
 * launcher and its PEs must agree on them.
 */
#include <stdlib.h>
#include <string.h>

#include "core/base/param.h"
#include "launch/options.h"

static struct launch_pass *of_all(struct launch_options *o)
{
    return &o->pass;
}

static struct launch_pass *of_app(struct launch_options *o)
{
    return &o->apps[o->napps - 1].pass;
}

/* -------------------------------------------------------- the command line -- */

static int list(struct launch_pass *p, enum launch_passes how, const char *option, const char *names)
{
    if (*names == '\0' || *names == ',' || names[strlen(names) - 1] == ',' || strstr(names, ",,") ||
        strpbrk(names, "= ")) {
        launch_say("%s %s: expected names of variables, separated by commas", option, names);
        return STATUS_USAGE;
    }
    *p = (struct launch_pass){how, names};
    return GO_ON;
}

int launch_pass_all(struct launch_options *o, const char *option, const char *value)
{
    (void)option, (void)value;
    *of_all(o) = (struct launch_pass){PASS_ALL, NULL};
    return GO_ON;
}

int launch_pass_none(struct launch_options *o, const char *option, const char *value)
{
    (void)option, (void)value;
    *of_all(o) = (struct launch_pass){PASS_LISTED, ""};
    return GO_ON;
}

int launch_pass_list(struct launch_options *o, const char *option, const char *value)
{
    return list(of_all(o), PASS_LISTED, option, value);
}

int launch_pass_but(struct launch_options *o, const char *option, const char *value)
{
    return list(of_all(o), PASS_OTHERS, option, value);
}

int launch_pass_all_app(struct launch_options *o, const char *option, const char *value)
{
    (void)option, (void)value;
    *of_app(o) = (struct launch_pass){PASS_ALL, NULL};
    return GO_ON;
}

int launch_pass_none_app(struct launch_options *o, const char *option, const char *value)
{
    (void)option, (void)value;
    *of_app(o) = (struct launch_pass){PASS_LISTED, ""};
    return GO_ON;
}

int launch_pass_list_app(struct launch_options *o, const char *option, const char *value)
{
    return list(of_app(o), PASS_LISTED, option, value);
}

int launch_pass_but_app(struct launch_options *o, const char *option, const char *value)
{
    return list(of_app(o), PASS_OTHERS, option, value);
}

/* For all programs, and for ourselves. PEs usually inherit our environment, so a name alone asks for what is so anyway.
 */
int launch_set_given(struct launch_options *o, const char *option, const char *value)
{
    const char **more;

    if (*value == '\0' || *value == '=') {
        launch_say("%s %s: expected VARIABLE or VARIABLE=value", option, value);
        return STATUS_USAGE;
    }
    more = realloc(o->given, (o->ngiven + 1) * sizeof *more);
    if (!more)
        return launch_no_memory();
    o->given = more;
    more[o->ngiven++] = value;
    launch_tell_foreign(o, value);
    if (!o->quiet && !strchr(value, '=') && !core_param_foreign(value))
        launch_say("%s %s: there is no such variable here", option, value);
    return strchr(value, '=') && putenv((char *)(uintptr_t)value) ? launch_no_memory() : GO_ON;
}

/* -------------------------------------------------------------- what PEs get -- */

/* Do both begin with the same name, of n characters? */
static bool same(const char *a, const char *b, size_t n)
{
    return b && strncmp(a, b, n) == 0 && (b[n] == '\0' || b[n] == '=');
}

static bool listed(const char *names, const char *name, size_t n)
{
    while (*names) {
        size_t len = strcspn(names, ",");

        if (len == n && strncmp(names, name, n) == 0)
            return true;
        names += len + (names[len] == ',');
    }
    return false;
}

static bool is_ours(const char *name, size_t n)
{
    const struct core_param_row *row;

    for (unsigned i = 0; (row = core_param_row(i, NULL)); i++)
        if (same(name, row->name, n) || same(name, row->old, n))
            return true;
    return false;
}

bool launch_passes(const struct launch_options *o, const struct launch_app *app, const char *entry)
{
    const struct launch_pass *p = app->pass.how != PASS_UNSAID ? &app->pass : &o->pass;
    size_t n = strcspn(entry, "=");

    if (p->how == PASS_UNSAID || p->how == PASS_ALL || listed(p->names, entry, n) == (p->how == PASS_LISTED))
        return true;
    for (unsigned i = 0; i < o->ngiven; i++)
        if (same(entry, o->given[i], n))
            return true;
    return is_ours(entry, n);
}

bool launch_is_ours(const char *entry)
{
    return is_ours(entry, strcspn(entry, "="));
}
