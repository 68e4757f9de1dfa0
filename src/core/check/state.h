/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The state of check: see core/state.h.
 */
#ifndef CORE_CHECK_STATE_H
#define CORE_CHECK_STATE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct core_race_shared;
struct core_race_line;
struct core_race_page;
struct core_race_pe;

/* A call of the program, and its number in the table of all PEs. */
struct core_race_known {
    uintptr_t pc;
    const char *call;
    uint32_t site;
};

enum { CORE_LANDING_MOST = 64 };

/* A piece of memory that an operation under way brings its result to (landing.h). `owner` stands for what completes the
 * operation, `group` for all of an interface. */
struct core_landing {
    uintptr_t lo;
    size_t n;
    const void *owner, *group;
    uintptr_t site; /* the operation's */
    int kind;       /* of the finding */
    bool said;
    char call[40];
    const char *arg, *rule, *advice; /* literals; advice NULL: the kind's */
};

struct core_check_state {
    struct core_landing_state {
        pthread_mutex_t lock;
        unsigned n;
        struct core_landing table[CORE_LANDING_MOST];
    } landing;
    struct {
        struct core_race_shared *shared; /* NULL: races are not looked for */
        struct core_race_line *lines;    /* of the whole memory of the node */
        struct core_race_page *pages;    /* likewise */
        struct core_race_pe *own;
        unsigned me, n;          /* slices: of this PE, and how many */
        pthread_mutex_t lock;          /* of what this PE knows, which its threads share; and of the calls */
        struct core_race_known *known; /* calls of this process, */
        struct core_race_known last;   /* and the last of them */
        uint64_t told[64];       /* pairs of calls of which a finding has been said */
        uint64_t looked_at[4];   /* where the program has just loaded what it may have waited for, ... */
        unsigned looks;          /* ... and how many these are */
        uint64_t unsaid[256 / 64]; /* lines of mpt_watch with loads that are not told yet */
        uint32_t stored;         /* the last epoch in which the program has stored something itself */
        struct core_race_ghost {
            uintptr_t lo;
            size_t n;
            const char *place;
        } ghosts[32]; /* memory that is not the job's, and the place in it that stands for it */
        unsigned n_ghosts; /* that have been in use */
        uint64_t slice_pages; /* from a slice's begin to the next one's */
        uint32_t mailed[64], heard[64]; /* messages to and from each slice */
        bool blinded;            /* another interface is in use here, or other jobs are */
        bool asked;              /* operations on windows are to bring something back */
        bool polls;              /* what the program loads may be flags */
        bool whole;              /* the memory of all PEs is watched */
        uintptr_t bases[32];     /* where this process has the modules of the shared table; 0: not known */
    } race;
};

struct core_check_thread {
    uintptr_t pc; /* the program's call, as the public function noted it; 0: not known */
    const char *where; /* and the function's name */
    uintptr_t block; /* of the symmetric heap, which the thread has used last */
    size_t block_n;
    uint32_t blocks; /* the version of all of them that has it */
    int called_back;   /* the library has called a function of the program */
};

#endif
