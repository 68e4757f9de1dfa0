/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the command line's files tell each other: options.c has the table and
 * reads it, option_app.c carries out what concerns one program, words.c reads
 * files of further options.
 */
#ifndef LAUNCH_OPTIONS_H
#define LAUNCH_OPTIONS_H

#include "launch/launch.h"

enum { NPES_MAX = 65536, GO_ON = -1 };

/* GO_ON, or the launcher's exit status after saying what is wrong. */
typedef int launch_setter(struct launch_options *o, const char *option, const char *value);

/* option_app.c: of the program that the command line is at */
launch_setter launch_set_npes, launch_set_npes_here, launch_set_soft, launch_set_wdir, launch_set_path,
    launch_set_variable, launch_set_errhandler;
launch_setter launch_set_universe; /* of all programs */
launch_setter launch_take_hosts, launch_take_hostfile, launch_check_arch;
/* Numbers of PEs that follow from more than one option, when all are known. */
int launch_apps_settle(struct launch_options *o);

/* option_env.c: for all programs, and for this one */
launch_setter launch_set_given, launch_pass_all, launch_pass_none, launch_pass_list, launch_pass_but;
launch_setter launch_pass_all_app, launch_pass_none_app, launch_pass_list_app, launch_pass_but_app;

/* option_bind.c */
launch_setter launch_set_bind, launch_set_no_bind, launch_set_bind_to, launch_set_cpu_bind, launch_set_cpus_each,
    launch_set_map;

/* option_output.c */
launch_setter launch_set_tag, launch_set_stamp, launch_set_merge, launch_set_output, launch_set_output_folder,
    launch_set_out_pattern, launch_set_err_pattern;

/* option_foreign.c: say that it changes nothing, and what would */
launch_setter launch_pass_over, launch_pass_over_mca;
launch_setter launch_refuse_debugger; /* which starts the launcher, and not the other way round */
void launch_tell_foreign(const struct launch_options *o, const char *variable); /* if it is another library's */

/* mistyped.c: what could help where there is no program of this name; "": nothing */
const char *launch_program_hint(const char *name, int error);

/* words.c: options from a file, in front of the rest of the command line. */
launch_setter launch_read_words; /* as if they stood here */
launch_setter launch_read_lines; /* a program on each line: as if colons stood between them */
/* The words of a file, ended by NULL; with `lines`, ":" between those that hold any. NULL: said why. */
char **launch_words_of(const char *file, bool lines, const char *option);
void launch_words_free(char **list);

int launch_no_memory(void); /* says so */

#endif
