/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The tool interface's own files to each other (chapter 15). Its functions
 * return codes and call no error handler; most results may be NULL. With --check
 * a call while the interface is not initialized is a finding, whatever it returns.
 */
#ifndef MPI_TOOL_H
#define MPI_TOOL_H

#include "mpi/mpii.h"

int mpii_tool_ready(void); /* MPI_T_ERR_NOT_INITIALIZED */
#define TOOL_READY() MPII_TRY(mpii_tool_ready())

/* A string result: *len is its room, 0 or text NULL: only the length is asked for. */
void mpii_tool_text(const char *from, char *text, int *len);
/* An int result that may not be NULL. */
int mpii_tool_tell(int *to, int value);
/* The index of the row that is called `name`, of n rows of `size` bytes that begin with a const char *. */
int mpii_tool_find(const char *name, int *index, const void *rows, int n, size_t size);
#define TOOL_OUT(to_, value_)  \
    do {                       \
        if (to_)               \
            *(to_) = (value_); \
    } while (0)

/* An enumeration: names of 0 ... n - 1. */
struct mpii_tool_enum {
    const char *name;
    int n;
    const char *const *items;
};
extern const struct mpii_tool_enum mpii_tool_switch;

enum mpii_tool_category { TOOL_ENVIRONMENT, TOOL_TRAFFIC, TOOL_OBJECTS, TOOL_MEMORY, TOOL_CATEGORIES };

int mpii_tool_cvars(void); /* how many; all in TOOL_ENVIRONMENT */
int mpii_tool_pvars(void);
enum mpii_tool_category mpii_tool_pvar_category(int index);
void mpii_tool_cvars_finish(void); /* give back handles */
void mpii_tool_pvars_finish(void);

#endif
