/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The state of env: see mpi/state.h.
 */
#ifndef MPI_ENV_STATE_H
#define MPI_ENV_STATE_H

#include <stdbool.h>
#include <stddef.h>

#include "mpi/kind.h"

struct mpii_alloc_block;
struct mpii_blame;
struct mpii_errhandler;
struct mpii_info;
struct mpii_keyval;
struct mpii_user_code;

/* Values of predefined attributes, to which programs get pointers (attr_calls.c). */
struct mpii_env_values {
    int tag_ub, io, host, wtime_is_global, appnum, universe, ft;
    int last_used_code; /* the largest error code in use */
};

/* Error codes and classes that the program has added (errcode.c). */
struct mpii_user_codes {
    struct mpii_user_code *at;
    int n, room;
};

/* Memory of MPI_Alloc_mem (memory.c). */
struct mpii_alloc_blocks {
    struct mpii_alloc_block *at; /* open addressing; base NULL: free */
    size_t n, room; /* room: a power of two, or 0 */
};

struct mpii_env_state {
    struct mpii_env_values values;
    struct {
        struct mpii_keyval *at;
        int n;
    } keyvals; /* attr.c */
    struct mpii_user_codes codes;
    struct mpii_errhandler *initial; /* what the launcher's initial error handler says; NULL: not asked yet */
    struct mpii_info *info_env;      /* MPI_INFO_ENV; NULL: not made yet */
    struct mpii_alloc_blocks blocks;
    bool file_handler_set; /* the program has chosen an error handler of files */
};

/* What was last raised in this thread, by code: MPI_Error_string tells it too. */
struct mpii_env_thread {
    int code;
    enum mpii_kind bad_kind; /* mpii_bad_handle; NULL: none */
    const void *bad;
    const struct mpii_blame *blame; /* of the error that is being raised; or NULL */
    char text[384];
};

#endif
