/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the console keeps for its user: aliases, variables that spawned tasks get,
 * options of its own task.
 */
#include <stdlib.h>
#include <string.h>

#include "pvm/console/console.h"

extern char **environ;

/* Words with blanks between; static memory. */
static const char *join(int argc, char **argv)
{
    static char text[4096];
    size_t at = 0;
    text[0] = '\0';
    for (int i = 0; i < argc && at < sizeof text; i++)
        at += (size_t)snprintf(text + at, sizeof text - at, "%s%s", i ? " " : "", argv[i]);
    return text;
}

void cmd_echo(int argc, char **argv)
{
    puts(join(argc - 1, argv + 1));
}

/* ------------------------------------------------------------------ aliases -- */

struct alias {
    struct alias *next;
    char *name, *text;
};

static struct alias **place_of(const char *name)
{
    struct alias **at = &console.aliases;
    while (*at && strcmp((*at)->name, name) != 0)
        at = &(*at)->next;
    return at;
}

const char *alias_of(const char *name)
{
    const struct alias *a = *place_of(name);
    return a ? a->text : NULL;
}

static void forget(struct alias **at)
{
    struct alias *a = *at;
    if (!a)
        return;
    *at = a->next;
    free(a->name);
    free(a->text);
    free(a);
}

void cmd_alias(int argc, char **argv)
{
    struct alias *a, **end;
    if (argc == 1)
        for (a = console.aliases; a; a = a->next)
            printf("%s\t%s\n", a->name, a->text);
    if (argc < 3) {
        if (argc == 2 && alias_of(argv[1]))
            printf("%s\t%s\n", argv[1], alias_of(argv[1]));
        return;
    }
    forget(place_of(argv[1]));
    a = calloc(1, sizeof *a);
    if (!a || !(a->name = strdup(argv[1])) || !(a->text = strdup(join(argc - 2, argv + 2)))) {
        fputs("out of memory\n", stderr);
        if (a)
            free(a->name);
        free(a);
        return;
    }
    for (end = &console.aliases; *end; end = &(*end)->next)
        ;
    *end = a;
}

void cmd_unalias(int argc, char **argv)
{
    if (wrong_args(argc, 2, WORDS_MAX, argv))
        return;
    for (int i = 1; i < argc; i++)
        forget(place_of(argv[i]));
}

/* ---------------------------------------------------------------- variables -- */

const char *variable_of(const char *name)
{
    size_t n = strlen(name);
    for (char **e = environ; *e; e++)
        if (strncmp(*e, name, n) == 0 && (*e)[n] == '=')
            return *e + n + 1;
    return NULL;
}

static void show_variable(const char *name)
{
    const char *value = variable_of(name);
    if (value)
        printf("%s=%s\n", name, value);
}

void cmd_setenv(int argc, char **argv)
{
    if (wrong_args(argc, 1, 3, argv))
        return;
    if (argc == 1)
        for (char **e = environ; *e; e++)
            puts(*e);
    else if (argc == 2)
        show_variable(argv[1]);
    else
        setenv(argv[1], argv[2], 1);
}

static void show_export(void)
{
    show_variable("PVM_EXPORT");
}

void cmd_export(int argc, char **argv)
{
    if (argc == 1)
        show_export();
    for (int i = 1; i < argc; i++)
        if (pvm_export(argv[i]) < 0)
            printf("export: %s is no name\n", argv[i]);
}

void cmd_unexport(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (pvm_unexport(argv[i]) < 0)
            printf("unexport: %s is no name\n", argv[i]);
}

/* ------------------------------------------------------------------ options -- */

static const char *const names[] = {
    [PvmRoute] = "PvmRoute",
    [PvmDebugMask] = "PvmDebugMask",
    [PvmAutoErr] = "PvmAutoErr",
    [PvmOutputTid] = "PvmOutputTid",
    [PvmOutputCode] = "PvmOutputCode",
    [PvmTraceTid] = "PvmTraceTid",
    [PvmTraceCode] = "PvmTraceCode",
    [PvmTraceBuffer] = "PvmTraceBuffer",
    [PvmTraceOptions] = "PvmTraceOptions",
    [PvmFragSize] = "PvmFragSize",
    [PvmResvTids] = "PvmResvTids",
    [PvmSelfOutputTid] = "PvmSelfOutputTid",
    [PvmSelfOutputCode] = "PvmSelfOutputCode",
    [PvmSelfTraceTid] = "PvmSelfTraceTid",
    [PvmSelfTraceCode] = "PvmSelfTraceCode",
    [PvmSelfTraceBuffer] = "PvmSelfTraceBuffer",
    [PvmSelfTraceOptions] = "PvmSelfTraceOptions",
    [PvmShowTids] = "PvmShowTids",
    [PvmPollType] = "PvmPollType",
    [PvmPollTime] = "PvmPollTime",
    [PvmOutputContext] = "PvmOutputContext",
    [PvmTraceContext] = "PvmTraceContext",
    [PvmSelfOutputContext] = "PvmSelfOutputContext",
    [PvmSelfTraceContext] = "PvmSelfTraceContext",
    [PvmNoReset] = "PvmNoReset",
};
enum { NAMES = sizeof names / sizeof *names };

/* With or without Pvm; 0 after a message. */
static int option_of(const char *name)
{
    for (int i = 1; i < NAMES; i++)
        if (names[i] && (strcmp(names[i], name) == 0 || strcmp(names[i] + 3, name) == 0))
            return i;
    printf("PVM Option \"%s\" Unknown.\n", name);
    return 0;
}

static void show_option(int what)
{
    printf("%s Currently Set to %d\n", names[what], pvm_getopt(what));
}

void cmd_getopt(int argc, char **argv)
{
    int what;
    if (wrong_args(argc, 1, 2, argv))
        return;
    if (argc == 2 && (what = option_of(argv[1])))
        show_option(what);
    for (int i = 1; argc == 1 && i < NAMES; i++)
        if (names[i])
            show_option(i);
}

void cmd_setopt(int argc, char **argv)
{
    int what, rc;
    if (wrong_args(argc, 3, 3, argv) || !(what = option_of(argv[1])))
        return;
    rc = pvm_setopt(what, (int)strtol(argv[2], NULL, 0));
    if (rc < 0 && what != PvmOutputCode)
        printf("setopt: %s\n", text_of(rc));
    show_option(what);
}
