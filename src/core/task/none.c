/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Where PEs cannot be tasks yet: on processors that machine.h does not know.
 */
#include <stdlib.h>
#include <unistd.h>

#include "core/internal.h"
#include "core/task/task.h"

_Thread_local struct core_task *core_task_self __attribute__((tls_model("initial-exec")));

__attribute__((constructor)) static void begin(void)
{
    if (!core_param_foreign(CORE_WIRE_ENV_TASKS))
        return;
    core_error("--tasks: PEs can be tasks on x86-64 and arm64 only");
    _exit(EXIT_FAILURE);
}

void core_task_yield(void) {}

void core_task_give_way(void) {}

void core_task_around(void (*away)(void), void (*back)(void))
{
    (void)away, (void)back;
}

void core_task_shuffle(uint64_t seed)
{
    (void)seed;
}

bool core_task_rung(void)
{
    return true;
}

bool core_task_block_in(const char *where)
{
    (void)where;
    return true;
}

bool core_task_block(void)
{
    return true;
}

void core_task_ready_beside(unsigned bit)
{
    (void)bit;
}

void core_task_ready(struct core_task_board *board, unsigned bit)
{
    (void)board, (void)bit;
}

void core_task_ready_all(struct core_task_board *board, unsigned word, uint64_t mask)
{
    (void)board, (void)word, (void)mask;
}

int core_task_network(const struct core_task_network *network)
{
    (void)network;
    return 0;
}

void core_task_no_network(void) {}
int core_task_watch(int fd)
{
    (void)fd;
    return 0;
}

void core_task_watch_no_longer(int fd)
{
    (void)fd;
}

void core_task_at_end(void (*call)(void))
{
    (void)call;
}

void core_task_waits(const char *where)
{
    (void)where;
}

char *core_task_base(void)
{
    return NULL;
}

unsigned core_task_bit(void)
{
    return 0;
}

bool core_task_alone(void)
{
    return false;
}

unsigned core_task_count(void)
{
    return 1;
}

bool core_task_once(enum core_task_duty what)
{
    (void)what;
    return true;
}

void **core_task_kept(enum core_task_keeper what)
{
    static void *core_task_keeps[CORE_TASK_KEEPERS];

    return &core_task_keeps[what];
}

void core_task_prepare(void) {}

unsigned core_task_threads(void)
{
    return 0;
}

const char *core_task_refusal(const char *path, bool *uses)
{
    (void)path;
    *uses = false;
    return "PEs can be tasks on x86-64 and arm64 only";
}
