/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The console: a task that lets its user look at a virtual machine and change it.
 * Each command is a function with the words of its line; one table names them all.
 */
#ifndef PVM_CONSOLE_H
#define PVM_CONSOLE_H

#include <stdbool.h>
#include <stdio.h>

#include "pvm3.h"

int mpt_pvm_as_console(void); /* of libmpt: programs that name no machine join this one */

enum { WORDS_MAX = 256, OUTPUT_TAG = 5 };

/* All that the console remembers. */
struct console {
    bool ended;
    struct alias *aliases; /* settings.c */
    struct job *jobs;      /* jobs.c */
    int last_number;       /* of a job */
};
extern struct console console;

struct command {
    const char *name, *purpose; /* one line */
    const char *usage;          /* arguments, then a line for each option */
    void (*run)(int argc, char **argv);
};
extern const struct command commands[]; /* by name, ends with NULL */
const struct command *command_of(const char *name);
bool wrong_args(int argc, int least, int most, char **argv); /* says so */
void tell_usage(const char *name);                           /* of a command that was given wrong arguments */
void tell_unknown(const char *name, const char *what);       /* and which command was perhaps meant */

/* "t40002" or "40002"; 0 after a message */
int tid_of(const char *text);
/* Run one line; false: the console ends. */
bool run_line(char *line);
void end_console(void);
const char *text_of(int code);

/* jobs.c: tasks spawned from here whose output is shown */
void jobs_look(void); /* show what has come */
void cmd_spawn(int argc, char **argv);
void cmd_jobs(int argc, char **argv);

/* hosts.c, tasks.c */
void cmd_add(int argc, char **argv);
void cmd_conf(int argc, char **argv);
void cmd_delete(int argc, char **argv);
void cmd_halt(int argc, char **argv);
void cmd_id(int argc, char **argv);
void cmd_kill(int argc, char **argv);
void cmd_mstat(int argc, char **argv);
void cmd_names(int argc, char **argv);
void cmd_ps(int argc, char **argv);
void cmd_pstat(int argc, char **argv);
void cmd_reset(int argc, char **argv);
void cmd_sig(int argc, char **argv);

/* settings.c */
void cmd_alias(int argc, char **argv);
void cmd_echo(int argc, char **argv);
void cmd_export(int argc, char **argv);
void cmd_getopt(int argc, char **argv);
void cmd_setenv(int argc, char **argv);
void cmd_setopt(int argc, char **argv);
void cmd_unalias(int argc, char **argv);
void cmd_unexport(int argc, char **argv);
const char *alias_of(const char *name); /* NULL: none */
const char *variable_of(const char *name);

/* commands.c */
void cmd_help(int argc, char **argv);
void cmd_quit(int argc, char **argv);
void cmd_version(int argc, char **argv);

#endif
