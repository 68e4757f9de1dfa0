/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Start and end of a Split-C program: its memory is laid out so that every address of a PE means the same byte to all,
 * static spread arrays come to be, and splitc_main runs on a stack that peers reach.
 */
#include <link.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "splitc/splitci.h"

struct sc_job sc_job = {.me = -1, .log = -1};
struct splitci splitci;

void splitci_need_start(const char *call)
{
    if (MPT_UNLIKELY(!sc_job.procs))
        core_finding_fatal(CORE_FINDING_CALL_STATE, SPLITCI_RULE,
                           "%s: called before splitc_main; is this program Split-C's?", call);
}

/* In the order of the program's constructors, which is the same on all PEs. */
void sc_static_add(struct sc_static *s)
{
    struct sc_static **at = &splitci.statics;

    for (; *at; at = &(*at)->next)
        if (*at == s)
            return;
    *at = s;
}

void sc_setter_add(struct sc_setter *s)
{
    struct sc_setter **at = &splitci.setters;

    while (*at)
        at = &(*at)->next;
    *at = s;
}

static void statics_make(void)
{
    for (struct sc_static *s = splitci.statics; s; s = s->next) {
        size_t n = s->bytes();

        if (*s->part)
            continue; /* another tentative definition of it came first */
        for (struct sc_static *t = s->next; t; t = t->next)
            if (t->part == s->part && t->bytes() > n)
                n = t->bytes();
        *s->part = splitci_heap(n, s->name, "a static spread array");
        memset(*s->part, 0, n);
    }
    for (const struct sc_setter *s = splitci.setters; s; s = s->next)
        s->set();
}

/* ------------------------------------------------------------------ addresses -- */

static void reduce_word(uint64_t *word, enum coll_op op)
{
    struct coll_call c = {.kind = COLL_ALLREDUCE,
                          .team = COLL_WORLD,
                          .where = "splitc_main",
                          .dest = splitci.shared->out,
                          .source = splitci.shared->in,
                          .n = sizeof *word,
                          .nelems = 1,
                          .type = COLL_U64,
                          .op = op};

    memcpy(splitci.shared->in, word, sizeof *word);
    coll_run(&c);
    memcpy(word, splitci.shared->out, sizeof *word);
}

static void must_agree(uint64_t word, const char *what, const char *how)
{
    uint64_t lo = word, hi = word;

    reduce_word(&lo, COLL_MIN);
    reduce_word(&hi, COLL_MAX);
    if (lo != hi) {
        core_job_be_first();
        core_fatal("splitc_main: the PEs have %s at different addresses, so pointers cannot be passed among them: %s",
                   what, how);
    }
}

/* The executable comes first. */
static int image_find(struct dl_phdr_info *info, size_t size, void *unused)
{
    (void)size, (void)unused;
    splitci.image_lo = UINTPTR_MAX;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD && info->dlpi_addr + info->dlpi_phdr[i].p_vaddr < splitci.image_lo)
            splitci.image_lo = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
    splitci.image_hi = mpt_fast.data_lo > splitci.image_lo ? mpt_fast.data_lo : splitci.image_lo;
    return 1;
}

static void job_fill(void)
{
    enum { LOWEST = 1 << 16 }; /* of addresses that can be an object's */
    unsigned procs = (unsigned)core_size(), own = mpt_idx(core_me());

    sc_job.slice_lo = (uintptr_t)mpt_bell_of(own);
    sc_job.slice_len = mpt_fast.stride;
    sc_job.slice_to = mpt_fast.ctrl - sc_job.slice_lo;
    sc_job.data_lo = mpt_fast.data_lo;
    sc_job.data_len = mpt_fast.data_len;
    sc_job.data_to = mpt_fast.data_to;
    sc_job.stride = mpt_fast.stride;
    sc_job.bell = mpt_fast.ctrl;
    sc_job.first = mpt_fast.node_first;
    splitci_reach();
    sc_job.me = core_me();
    sc_job.procs = (int)procs;
    sc_job.log = procs & (procs - 1) ? -1 : __builtin_ctz(procs);
    sc_job.mask = procs - 1;
    dl_iterate_phdr(image_find, NULL);
    must_agree(sc_job.slice_lo, "their heaps", "is there a limit of address space, or a sanitizer?");
    must_agree(sc_job.data_lo, "their global variables", "link the program with scc, or with -no-pie");
    if (procs == 1) { /* all addresses are its own, the private ones too, but NULL */
        sc_job.slice_lo = LOWEST;
        sc_job.slice_len = UINTPTR_MAX - LOWEST;
        sc_job.slice_to = 0;
    }
}

/* ---------------------------------------------------------------------- stack -- */

/* f() on another stack, until it returns; one run for each pair of contexts. */
static void on_another(struct splitci_stacks *s, void *stack, size_t n, void (*f)(void))
{
    getcontext(&s->there);
    s->there.uc_stack.ss_sp = stack;
    s->there.uc_stack.ss_size = n;
    s->there.uc_link = &s->back;
    makecontext(&s->there, f, 0);
    swapcontext(&s->back, &s->there);
}

static void on_stack(void)
{
    splitci.program.status = splitci.program.run(splitci.program.argc, splitci.program.argv);
}

/* A page that cannot be touched ends it. NULL: no room. */
static char *stack_make(size_t *n)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *p;

    *n = (core_params.splitc_stack + 2 * page - 1) / page * page;
    if (*n < 16 * page)
        *n = 16 * page;
    p = core_arena_alloc(*n, page);
    if (p)
        mprotect(p, page, PROT_NONE);
    return p;
}

static int run_on_stack(int argc, char **argv, int (*run)(int argc, char **argv))
{
    size_t n;
    char *stack;

    if (!mpt_malloc.n) /* nobody to reach it, or nothing that keeps a forked child from it */
        return run(argc, argv);
    stack = stack_make(&n);
    if (!stack)
        core_fatal("splitc_main: no room for a stack of %zu bytes (MPT_SPLITC_STACK) in the arena (MPT_ARENA_MAX)", n);
    splitci.program.run = run;
    splitci.program.argc = argc;
    splitci.program.argv = argv;
    on_another(&splitci.program.stacks, stack, n, on_stack);
    return splitci.program.status;
}

/* f(arg) on a private stack, for what must not stand in shared memory: fork. Not within itself. */
void sc_outside(void (*f)(void *), void *arg) __attribute__((visibility("default")));

static void on_private_stack(void)
{
    splitci.outside.f(splitci.outside.arg);
}

void sc_outside(void (*f)(void *), void *arg)
{
    enum { SIZE = 256 << 10 };

    if (!splitci.outside.stack)
        splitci.outside.stack = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (splitci.outside.stack == MAP_FAILED)
        core_fatal("fork: PE %d: no memory for a stack", core_me());
    splitci.outside.f = f;
    splitci.outside.arg = arg;
    on_another(&splitci.outside.stacks, splitci.outside.stack, SIZE, on_private_stack);
}

/* exit() in splitc_main comes here, too. */
static void at_end(int status, void *unused)
{
    (void)unused;
    if (splitci.lines.reported || !sc_job.procs || status != 0 || !splitci.profile)
        return;
    splitci.lines.reported = true;
    splitci_line_report();
}

int sc_start(int argc, char **argv, int (*run)(int argc, char **argv))
{
    int status;

    if (ami_core_start() != 0)
        return EXIT_FAILURE; /* core said why */
    splitci.profile = core_params.splitc_profile;
    splitci.shared = splitci_heap(sizeof *splitci.shared, "splitc_main", "the runtime's own");
    job_fill();
    splitci_stores_start();
    statics_make();
    splitci_memory_start();
    core_malloc_start_all();
    if (splitci.profile)
        on_exit(at_end, NULL);
    core_job_barrier("the start of splitc_main");
    status = run_on_stack(argc, argv, run);
    if (status == 0)
        splitci_barrier("the end of splitc_main");
    return status;
}
