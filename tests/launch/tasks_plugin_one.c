/* SPDX-License-Identifier: BSD-3-Clause */
/* A plugin with all kinds of state, which uses the program, OpenSHMEM and another library (tasks_plugin_two.c). */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void tell(int what);
int program_pe(void);
extern const char *program_name;
int two_count(int by);

int plugin_variable = 50;
static int counter;
static _Thread_local int in_thread = 3;
static _Thread_local int zero_in_thread;
static int *pointer = &counter;
static int zero[4096];

static int first(void)
{
    return 1;
}
static int second(void)
{
    return *pointer + 2;
}
static int (*const functions[])(void) = {first, second};
static const char *const *name = &program_name;

__attribute__((constructor)) static void begin(void)
{
    tell(0);
    counter = 20 + two_count(0);
}

__attribute__((destructor)) static void end(void)
{
    tell(1);
    dprintf(1, "%d: plugin ends with %d\n", program_pe(), counter);
}

static void at_end(void)
{
    tell(2);
    dprintf(1, "%d: asked for at %d\n", program_pe(), counter);
}

int plugin_count(int by)
{
    zero[by % 4096]++;
    return counter += by;
}

int plugin_thread_count(int by)
{
    zero_in_thread += by;
    return (in_thread += by) * 1000 + zero_in_thread;
}

int plugin_deep(int by)
{
    return two_count(by);
}

int plugin_table(int which)
{
    return functions[which]();
}

const char *plugin_name(void)
{
    return *name;
}

int plugin_pe(void)
{
    return 100 * shmem_my_pe() + program_pe();
}

int plugin_later(void)
{
    printf("%d: printed by the plugin\n", program_pe());
    return atexit(at_end);
}
