/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What users mistype and nothing refuses: a variable with nearly the name of one of ours, options behind the program,
 * the number of an option that stands where the program should.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "core/base/nearest.h"
#include "core/base/param.h"
#include "launch/options.h"

static const char *const beginnings[] = {"MPT_", "SHMEM_", "SMA_"};

/* Compared without what all of ours begin with. */
static void tell_variable(const char *variable, size_t begin)
{
    const size_t n = strcspn(variable, "=");
    struct core_nearest nearest = {.typed = variable + begin, .typed_n = n - begin};
    const struct core_param_row *row;

    for (unsigned i = 0; (row = core_param_row(i, NULL)); i++)
        if (strncmp(row->name, variable, begin) == 0)
            core_nearest_try(&nearest, row->name + begin, strlen(row->name) - begin);
        else if (row->old && strncmp(row->old, variable, begin) == 0)
            core_nearest_try(&nearest, row->old + begin, strlen(row->old) - begin);
    if (nearest.word)
        launch_say("%.*s is no variable of this library; did you mean %.*s%.*s? (--params lists them)", (int)n,
                   variable, (int)begin, variable, (int)nearest.word_n, nearest.word);
}

static void tell_variables(char *const *entries)
{
    for (; entries && *entries; entries++)
        for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
            if (strncmp(*entries, beginnings[i], strlen(beginnings[i])) == 0 && !launch_is_ours(*entries))
                tell_variable(*entries, strlen(beginnings[i]));
}

static bool number(const char *word)
{
    return *word && strspn(word, "0123456789") == strlen(word);
}

/* "prog -n 4": the program's, as what stands behind it always is. Some programs have such an option, so it is a hint,
 * and only where nobody said how many PEs there are to be. */
static void tell_behind(const struct launch_app *app)
{
    char *const *words = app->program;

    if (app->npes || !words[1] || !words[2])
        return;
    if ((strcmp(words[1], "-n") == 0 || strcmp(words[1], "-np") == 0) && number(words[2]))
        launch_say("%s %s stands behind the program and is its own; the launcher's options come before it", words[1],
                   words[2]);
}

void launch_tell_mistyped(const struct launch_options *o)
{
    if (o->quiet || o->spawner >= 0)
        return;
    tell_variables(environ);
    if (o->napps == 1)
        tell_behind(o->apps);
    for (unsigned i = 0; o->napps > 1 && i < o->napps; i++) /* of an only one they are in the environment */
        tell_variables(o->apps[i].env);
}

const char *launch_program_hint(const char *name, int error)
{
    if (error == ENOENT && number(name))
        return "; -n N says how many PEs, --tasks=N of how many processes they are tasks";
    return "";
}
