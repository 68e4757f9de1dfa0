/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How programs are found and started.
 */
#ifndef PVM_SPAWN_H
#define PVM_SPAWN_H

/* -------------------------------------------------------------- lookup.c --
 * The program a name means, to be given back by free(); NULL: there is none. */
char *pvmi_find_program(const char *file);
char *pvmi_expand(const char *text); /* $NAME for variables; to be given back by free() */

/* --------------------------------------------------------------- start.c --
 * Start a program that is no child of this process. argv begins with its path; out: what
 * becomes its stdout and stderr; wd: NULL or its folder. Its number to *pid; 0 or errno. */
struct pvmi_start {
    char *const *argv, *const *env;
    const char *wd;
    int out, fd; /* fd: stays open in it */
};
int pvmi_start_program(const struct pvmi_start *s, int *pid);

#endif
