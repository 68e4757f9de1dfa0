/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The table of the console's commands and what serves them all.
 */
#include <stdlib.h>
#include <string.h>

#include "core/base/nearest.h"
#include "pvm/console/console.h"

static void cmd_trace(int argc, char **argv)
{
    (void)argc;
    printf("%s: there is no tracer\n", argv[0]);
}

const struct command commands[] = {
    {"add", "Add hosts to the machine (they come from its launcher: none can be added)", "host ...", cmd_add},
    {"alias", "Define or list aliases of commands", "[ name command ... ]", cmd_alias},
    {"conf", "List the hosts of the machine",
     "\nFields: HOST name, DTID tid of the host, ARCH architecture,\n  SPEED relative speed, DSIG format of data",
     cmd_conf},
    {"delete", "Delete hosts from the machine (none can be)", "host ...", cmd_delete},
    {"echo", "Print the arguments", "[ word ... ]", cmd_echo},
    {"export", "Add names to PVM_EXPORT, the variables for spawned tasks", "[ name ... ]", cmd_export},
    {"getopt", "Show options of the console's task", "[ option ]", cmd_getopt},
    {"halt", "End all tasks, and the console", "", cmd_halt},
    {"help", "Tell about a command", "[ command ]", cmd_help},
    {"id", "Print the console's tid", "", cmd_id},
    {"jobs", "List jobs whose output is shown", "[ -l ]\n  -l   their tasks, too", cmd_jobs},
    {"kill", "Terminate tasks", "[ -c ] tid ...\n  -c   those that the task has spawned", cmd_kill},
    {"mstat", "Show the state of hosts", "host ...", cmd_mstat},
    {"names", "List the entries of the mailbox", "[ pattern ]", cmd_names},
    {"ps", "List tasks",
     "[ -alx ] [ -nHOST ] [ -hTID ]\n  -a   of all hosts\n  -n   of the host with this name\n  -h   of the host with "
     "this tid\n"
     "  -l   with parent and process\n  -x   consoles, too\nFlags: f spawned, c connected",
     cmd_ps},
    {"pstat", "Show the state of tasks", "tid ...", cmd_pstat},
    {"quit", "End the console", "", cmd_quit},
    {"reset", "Terminate all tasks but consoles, and empty the mailbox", "", cmd_reset},
    {"setenv", "Show or set variables", "[ name [ value ] ]", cmd_setenv},
    {"setopt", "Set an option of the console's task", "option value", cmd_setopt},
    {"sig", "Send a signal to tasks", "signal tid ...", cmd_sig},
    {"spawn", "Spawn tasks",
     "[ options ] program [ argument ... ]\n  -COUNT      so many\n  -HOST       on this host\n  -ARCH       on hosts "
     "of this architecture\n"
     "  -:FOLDER    with this working folder (also -HOST:FOLDER)\n  -?          under the debugger\n"
     "  ->          show what they print\n  ->FILE      write it to a file\n  ->>FILE     add it to a file",
     cmd_spawn},
    {"trace", "Show or set the trace mask (there is no tracer)", "", cmd_trace},
    {"unalias", "Forget an alias", "name ...", cmd_unalias},
    {"unexport", "Take names out of PVM_EXPORT", "name ...", cmd_unexport},
    {"version", "Show the version of PVM's interface", "", cmd_version},
    {NULL, NULL, NULL, NULL},
};

const struct command *command_of(const char *name)
{
    for (const struct command *c = commands; c->name; c++)
        if (strcmp(c->name, name) == 0)
            return c;
    return NULL;
}

void tell_unknown(const char *name, const char *what)
{
    struct core_nearest nearest = {.typed = name, .typed_n = strlen(name)};

    for (const struct command *c = commands; c->name; c++)
        core_nearest_try(&nearest, c->name, strlen(c->name));
    printf("%s: %s\n", name, what); /* as PVM's console has it, which scripts read */
    if (nearest.word || strcmp(name, "exit") == 0)
        printf("Did you mean %s?\n", nearest.word ? nearest.word : "quit");
}

/* Of its syntax the first line. */
void tell_usage(const char *name)
{
    const char *usage = command_of(name) ? command_of(name)->usage : "";

    printf("%s: wrong #args\nSyntax:  %s %.*s\n", name, name, (int)strcspn(usage, "\n"), usage);
}

bool wrong_args(int argc, int least, int most, char **argv)
{
    if (argc >= least && argc <= most)
        return false;
    tell_usage(argv[0]);
    return true;
}

int tid_of(const char *text)
{
    const char *digits = *text == 't' ? text + 1 : text;
    char *end;
    unsigned long tid = strtoul(digits, &end, 16);
    if (end > digits && !*end && tid > 0 && tid <= 0xfffffffful)
        return (int)(unsigned)tid;
    printf("%s: not a tid\n", text);
    return 0;
}

const char *text_of(int code)
{
    pvm_errno = code;
    return pvm_strerror();
}

void cmd_help(int argc, char **argv)
{
    const struct command *c = argc > 1 ? command_of(argv[1]) : command_of("help");
    if (!c) {
        tell_unknown(argv[1], "no such command");
        return;
    }
    printf("%-11s %s\nSyntax:  %s %s\n", c->name, c->purpose, c->name, c->usage);
    if (argc > 1)
        return;
    puts("Commands are:");
    for (c = commands; c->name; c++)
        printf("  %-11s %s\n", c->name, c->purpose);
}

void cmd_version(int argc, char **argv)
{
    (void)argc, (void)argv;
    puts(pvm_version());
}

/* Tasks go on; the machine ends when nobody of them has anything to do. */
void cmd_quit(int argc, char **argv)
{
    struct pvmtaskinfo *tasks;
    int n = 0;
    (void)argc, (void)argv;
    puts("\nConsole: exit handler called");
    if (pvm_tasks(0, &n, &tasks) == 0 && n > 1)
        printf("%d task%s still running.\n", n - 1, n > 2 ? "s" : "");
    end_console();
}
