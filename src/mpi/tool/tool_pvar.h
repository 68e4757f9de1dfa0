/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The table of performance variables, for their sessions and handles.
 */
#ifndef MPI_TOOL_PVAR_H
#define MPI_TOOL_PVAR_H

#include "mpi/tool/tool.h"

struct mpii_pvar {
    const char *name, *help;
    int class;
    enum mpii_tool_category category;
    uint64_t (*read)(const void *arg);
    const void *arg;
};
extern const struct mpii_pvar mpii_pvars[];
extern const int mpii_npvars;

/* Can be started, stopped, reset and written, each handle by itself. */
static inline bool mpii_pvar_counts(const struct mpii_pvar *v)
{
    return v->class == MPI_T_PVAR_CLASS_COUNTER || v->class == MPI_T_PVAR_CLASS_AGGREGATE;
}

#endif
