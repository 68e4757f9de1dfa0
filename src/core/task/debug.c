/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What debuggers read of tasks (tools/debug/gdb_tasks.py), also where the library has no debugging information: a
 * public name, and where the fields are that they need.
 */
#include "core/task/host.h"

/* A new version for each change of what the words mean. */
struct mpt_tasks {
    const struct core_task_host *host; /* NULL: no tasks */
    uint32_t words[24];
};

extern struct mpt_tasks mpt_tasks __attribute__((visibility("default")));
struct mpt_tasks mpt_tasks = {
    .words = {2, sizeof(struct core_task), sizeof(struct core_image),
              /* of the host */
              offsetof(struct core_task_host, n), offsetof(struct core_task_host, tasks),
              offsetof(struct core_task_host, board), offsetof(struct core_task_host, images),
              offsetof(struct core_task_host, n_images),
              /* of the board */
              offsetof(struct core_task_board, ready), offsetof(struct core_task_board, running),
              /* of a task */
              offsetof(struct core_task, stack), offsetof(struct core_task, thread), offsetof(struct core_task, pe),
              offsetof(struct core_task, ended), offsetof(struct core_task, where), offsetof(struct core_task, bases),
              /* of an image */
              offsetof(struct core_image, path), offsetof(struct core_image, first),
              /* of the host, too */
              offsetof(struct core_task_host, ready)},
};

/* In the first instance only, when all tasks have been made. */
__attribute__((constructor)) static void tell(void)
{
    if (core_task_self && !core_task_self->bases)
        mpt_tasks.host = core_task_self->host;
}
