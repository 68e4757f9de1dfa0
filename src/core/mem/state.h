/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The state of mem: see core/state.h.
 */
#ifndef CORE_MEM_STATE_H
#define CORE_MEM_STATE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/mem/copy_loops.h"
#include "core/mem/heap_space.h"

struct core_header;
struct core_faults;

enum core_advice { CORE_ADVICE_UNKNOWN, CORE_ADVICE_WORKS, CORE_ADVICE_IDLE };

/* This process's view of its node's memory. A slice is a PE's part of it; slices
 * are in the order of PE numbers. mpt_fast covers a run of slices whose PE
 * numbers follow one another, this PE's among them: on most jobs all of them. */
struct core_segment {
    struct core_header *header;
    char *base;    /* the whole memfd, mapped                       */
    char *slices;  /* slice 0                                       */
    char *own;     /* this PE's slice                               */
    size_t length; /* bytes mapped                                  */
    unsigned idx;  /* own slice                                     */
    unsigned run_first, run_n; /* slices that mpt_fast covers       */
    const int *pes; /* PE of each slice; NULL: slice i is PE i      */
    unsigned *slice_of; /* slice of each PE of the job, UINT_MAX elsewhere; NULL: slice i is PE i */
    bool shared;   /* other slices are used (not so with MPT_TRANSPORT=ofi) */
    bool open;     /* an open job (open.c)                          */
    int fd;        /* stays open (not in programs a PE starts): forked children ask it for holes */
    ino_t inode;   /* to know it again */
    uint8_t advice; /* pages.c: does madvise give pages back? */
};

struct core_heap {
    pthread_mutex_t lock;
    char *base;
    size_t n, dumped; /* its bytes, and how many of them core files hold */
    size_t align; /* no block is aligned to more */
    char *poisoned_to; /* guard.c: nothing behind it is poisoned for AddressSanitizer */
    struct core_heap_space space;
};

struct core_arena {
    pthread_mutex_t lock;
    char *base;
    size_t n, high; /* high: no block has ever ended above */
    size_t dumped;  /* bytes that core files hold */
    struct core_heap_space space;
};

/* Which loop copies how much (copy.c). Until core_copy_init, and on processors without loops of their own: memcpy. */
struct core_copies {
    core_copy_loop *cached, *stream;
    size_t cached_max, stream_min;
    const struct core_swap_loops *swap; /* swap.c: NULL: not chosen yet; every thread finds the same */
};

/* Blocks of the program's malloc (malloc.c). */
struct core_blocks {
    bool started;
    size_t idle;           /* bytes of freed blocks that have kept their pages, about */
    int gate[2];           /* of a fork: the parent waits until the child has its copies */
    uintptr_t frozen_base; /* what the child is to copy */
    size_t frozen_n;
    bool in_child;         /* all is private already */
};

struct core_mem_state {
    struct core_segment segment;
    struct core_copies copies;
    struct core_heap heap;
    struct core_arena arena;
    struct core_blocks blocks;
    struct core_faults *faults; /* globals.c; NULL: the program had no threads */
    size_t page_size;     /* globals.c */
    bool globals_private; /* in a forked child, and so in a child of it */
};

struct core_mem_thread {
    bool frozen; /* the arena, by this thread, which forks */
};

#endif
