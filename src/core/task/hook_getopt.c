/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Each PE parses its arguments. The C library keeps where it is in variables that programs see, and in a struct that
 * they don't: where it is among options in one argument, and which arguments it has moved. Both are exchanged around
 * each call.
 */
#include <getopt.h>
#include <link.h>
#include <string.h>

#include "core/task/hooks.h"
#include "core/task/own.h"

/* The start of the C library's struct, as it has been since 2004; what follows need not be known. */
struct hidden {
    int optind, opterr, optopt;
    char *optarg;
    int initialized;
    char *next;
};
_Static_assert(sizeof(struct hidden) <= CORE_GETOPT_HIDDEN, "the struct has three numbers more");

static struct {
    bool sought;
    struct hidden *hidden; /* NULL: not found. Then PEs that call in turn must not have options in one argument. */
} core_task_getopt;

struct search {
    const char *next;
    const struct hidden *found;
};

static int look_for(struct dl_phdr_info *info, size_t size, void *arg)
{
    struct search *s = arg;

    (void)size;
    if (!strstr(info->dlpi_name, "/libc.so"))
        return 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        const char *from = (const char *)(info->dlpi_addr + ((p->p_vaddr + 7) & ~7ul)), *end = from + p->p_memsz;

        if (p->p_type != PT_LOAD || !(p->p_flags & PF_W))
            continue;
        for (; from + CORE_GETOPT_HIDDEN + 8 < end; from += 8) {
            const struct hidden *h = (const void *)from;

            if (h->next == s->next && h->optind == optind && h->opterr == opterr && h->optopt == optopt &&
                h->optarg == optarg && h->initialized == 1)
                s->found = h;
        }
    }
    return 1;
}

/* It is where the C library, in the middle of an argument, has noted the place. It was all zero before. */
static void find_hidden(void)
{
    char name[] = "", options[] = "-ab", *arguments[] = {name, options, NULL};
    struct search s = {.next = options + 2};
    int old_optind = optind, old_optopt = optopt;

    core_task_getopt.sought = true;
    optind = 1;
    core_task_real.getopt(2, arguments, "ab");
    core_task_real.iterate(look_for, &s);
    optind = old_optind;
    optopt = old_optopt;
    core_task_getopt.hidden = (struct hidden *)s.found;
    if (s.found)
        memset(core_task_getopt.hidden, 0, CORE_GETOPT_HIDDEN);
}

static void exchange(struct core_task *t)
{
    if (t == core_task_first)
        return;
    core_task_swap_variable(t, CORE_VAR_STDERR); /* for messages */
    for (enum core_task_variable i = CORE_VAR_OPTIND; i <= CORE_VAR_OPTOPT; i++)
        core_task_swap_variable(t, i);
    if (core_task_getopt.hidden)
        core_task_swap_bytes(core_task_getopt.hidden, t->own->getopt, CORE_GETOPT_HIDDEN);
}

static struct core_task *begin(void)
{
    struct core_task *t = core_task_here();

    if (!core_task_getopt.sought)
        find_hidden();
    exchange(t);
    return t;
}

static int get_option(int argc, char *const *argv, const char *options)
{
    struct core_task *t = begin();
    int rc = core_task_real.getopt(argc, argv, options);

    exchange(t);
    return rc;
}

static int get_posix(int argc, char *const *argv, const char *options)
{
    struct core_task *t = begin();
    int rc = core_task_real.getopt_posix(argc, argv, options);

    exchange(t);
    return rc;
}

static int get_long(int argc, char *const *argv, const char *options, const struct option *names, int *which)
{
    struct core_task *t = begin();
    int rc = core_task_real.getopt_long(argc, argv, options, names, which);

    exchange(t);
    return rc;
}

static int get_long_only(int argc, char *const *argv, const char *options, const struct option *names, int *which)
{
    struct core_task *t = begin();
    int rc = core_task_real.getopt_long_only(argc, argv, options, names, which);

    exchange(t);
    return rc;
}

const struct core_task_hook core_task_hooks_getopt[] = {
    HOOK("getopt", get_option, getopt),
    HOOK("__posix_getopt", get_posix, getopt_posix),
    HOOK("getopt_long", get_long, getopt_long),
    HOOK("getopt_long_only", get_long_only, getopt_long_only),
    {0},
};
