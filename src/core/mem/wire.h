/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The wire format of a job on one node: what lies where in the memfd that the
 * launcher makes and every PE maps. The launcher knows this file and nothing
 * else of core but supervise.h and param.h.
 *
 *   | job header | slice of PE 0 | slice of PE 1 | ...          (stride apart)
 *   slice: | control | collective area | face area | channel rings | globals | heap | arena |
 *
 * The file is sparse: what nobody touches costs nothing.
 */
#ifndef CORE_WIRE_H
#define CORE_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "mpt/fast.h"

#define CORE_WIRE_MAGIC 0x314a54504dull /* "MPTJ1" */
#define CORE_WIRE_VERSION 2u
#define CORE_WIRE_ENV "MPT_JOB" /* "<version>:<fd>:<slice>" */
#define CORE_WIRE_ENV_PARENT "MPT_PARENT" /* MPI: the port of the process that spawned this job */
#define CORE_WIRE_ENV_TASKS \
    "MPT_TASKS_HERE" /* "<PEs of this process>:<stdout>,<stderr>:...", or "<PEs>@<the first>" (core/task) */
#define CORE_WIRE_ENV_APP \
    "MPT_APPNUM"    /* MPI: "<which of the job's programs>:<most PEs of it>:<numbers that will do>" */
#define CORE_WIRE_ENV_OPEN "MPT_MACHINE"  /* "<version>:<fd>:<slot>": a slot of an open job (open.c) */
#define CORE_WIRE_ALIGN (2ul << 20)

enum core_pe_state {
    CORE_PE_NEW = 0,  /* process not yet in the job                       */
    CORE_PE_RUNNING,  /* between start and finish                         */
    CORE_PE_FINISHED, /* left by core_job_finish                          */
    CORE_PE_LEFT,     /* exited without finishing; its memory stays valid */
    CORE_PE_SPARE,    /* open jobs: the slot is as new, for another process */
    CORE_PE_DEAD,     /* ended without finishing, and the job goes on; by its supervisor */
};

enum { CORE_TASK_ALONE = 1, CORE_TASK_WITH_THREADS }; /* others of its threads sleep on its bell, too */

enum core_abort { CORE_ABORT_CLAIMED = 1, CORE_ABORT_SAID };

/* One per PE near the start of its slice: not at the start of a page, where the
 * line that every store looks at would alias (in the low 12 bits of its address,
 * which processors compare first) with the first word of every page-aligned
 * array; an atomic there took 8.4 ns instead of 6. */
#define CORE_CTRL_OFFSET 0xf00ul
struct core_ctrl {
    struct mpt_bell bell; /* line 0: see mpt/fast.h */
    char pad0[64 - sizeof(struct mpt_bell)];
    uint32_t state; /* enum core_pe_state */
    pid_t pid;
    char where[56]; /* the call this PE sleeps in or polls with, "" otherwise; for reports */
    /* poll.c: when PEs are reached by a network */
    int32_t pipe;   /* write end of the pipe beside the bell, a descriptor of this PE */
    uint32_t polls; /* a sleeper polls that pipe */
    uint32_t deaf;  /* somebody could not write to it */
    uint32_t outside; /* somebody outside the job may end its waits */
    /* open jobs: start time of the process, to know it again (process.c); and before it has
     * come, the process that will come, or start the one that does */
    uint64_t born, expected_born;
    pid_t expected;
    uint32_t uses;    /* processes that stood here before */
    uint32_t retired; /* the round in which all are to forget the process here; 0: not yet */
    uint32_t seen;    /* the last round that this process has done so in */
    /* deadlock.c: does this PE wait in vain? */
    uint32_t helpers;   /* threads of the process that are the library's, or of what that loaded */
    uint32_t steps;     /* times that something came in a wait */
    uint32_t self_rung; /* of bell.rung: by this process itself */
    uint32_t timed;     /* so many of its waits end in time, whatever others do; a timer of its program counts, too */
    /* jobs that survive deaths */
    uint32_t survives; /* this PE can do without others */
    uint32_t barriers; /* it has come to so many of all PEs */
    /* poller.c: ms of the clock; since when it waits in a loop over tests (0: it does not), and when it said so last */
    uint32_t polls_since, polled_at;
    /* of a PE that shares its process (core/task): whose slice has their board, and its bit there */
    uint32_t tasked, host, bit; /* tasked: CORE_TASK_ALONE, or ... */
    char pad1[36];
};

/* Then room for the PE's business card (backend.h), used when PEs of one
 * machine are to use the network. */
#define CORE_CARD_OFFSET 0x1000ul
#define CORE_CARD_SIZE 0xf00ul
/* And for the line of the program in which it waits, once it has been asked for that (live/waits.h). */
#define CORE_SITE_OFFSET 0x1f00ul
struct core_wire_site {
    uint32_t told;
    char text[252];
};

/* With MPT_CHECK: for whom threads of this PE wait (wait/blocked.h, read by live/knot.c). */
#define CORE_BLOCKED_OFFSET 0x2000ul
enum { CORE_BLOCKED_THREADS = 8, CORE_BLOCKED_PES = 512 };
enum core_blocked_mode {
    CORE_BLOCKED_NOT = 0,
    CORE_BLOCKED_ANY, /* any of these PEs may end the wait */
    CORE_BLOCKED_ALL, /* each of these PEs must do something before it ends */
    CORE_BLOCKED_FREE /* something else may end it */
};
enum core_blocked_told { CORE_BLOCKED_UNTOLD = 0, CORE_BLOCKED_UNASKED, CORE_BLOCKED_ASKED };
struct core_wire_blocked_thread {
    uint32_t version; /* odd while what follows changes */
    uint32_t mode;
    uint32_t everybody; /* in place of pes: all PEs */
    uint32_t serial; /* of the wait, and of for whom it is: another one each time */
    uint32_t looks; /* announced since then, each followed by a look in vain */
    uint32_t told; /* enum core_blocked_told: the texts have been written */
    uint64_t pes[CORE_BLOCKED_PES / 64];
    /* Of a loop over tests, with the texts: how many have been in vain, and ms of the clock: from, to. 0: it is a wait.
     */
    uint64_t tests, from_ms, to_ms;
    char call[176], miss[176], site[192];
};
struct core_wire_blocked {
    uint32_t network; /* PEs are reached by a network, too */
    struct core_wire_blocked_thread of[CORE_BLOCKED_THREADS];
};

enum { CORE_FINDINGS_KNOWN = 128 };

/* With MPT_TRACE (trace/clock.c): the clock of all PEs of this host, set by the first that comes. */
struct core_wire_trace_clock {
    uint32_t state; /* 0, 1: somebody sets it, 2: it is set */
    uint32_t by_clock; /* ticks are nanoseconds of core_clock_ns */
    uint32_t described; /* the launcher writes job.json */
    uint64_t ticks_per_second, ticks, epoch_ns;
};

struct core_header {
    uint64_t magic;
    uint32_t version;
    uint32_t npes;
    uint32_t ncores; /* cores these PEs may use, CPU quota considered */
    uint32_t tasks; /* some process has several PEs */
    uint32_t line_output; /* PEs' stdout is read by a launcher: flush at newlines */
    uint64_t build; /* core_wire_build(): all PEs must agree */
    uint64_t heap_size;
    uint64_t data_max;
    uint64_t arena_size;
    uint64_t coll_size;
    uint64_t stride;
    uint64_t off_coll, off_face, off_chan, off_data, off_heap, off_arena; /* inside a slice */
    uint64_t file_size;
    pid_t launcher; /* 0: a lone PE, which nobody supervises */
    int32_t leash; /* leash.h: what PEs inherit ... */
    uint64_t leash_inode; /* ... and are to find there; 0: nothing */
    uint64_t key; /* random, of jobs started by PMIx: this memory and no other */
    uint64_t secret[2]; /* random, for identity.c: nobody but the job can read this */
    uint32_t held; /* a debugger holds the launcher: PEs that start wait until it goes on (launch/mpir.c) */
    uint32_t open; /* processes come and go (open.c); npes is then the number of slots */
    char pad0[64];
    uint32_t used; /* slots below have been given to somebody; fixed jobs: npes */
    uint32_t alive; /* processes in the job now; fixed jobs: npes */
    uint32_t round; /* open jobs: how often slots were retired */
    uint32_t spare; /* open jobs: slots below `used` that are as new */
    char pad2[64];
    /* written by the PEs */
    uint32_t started; /* how often PEs have come to a barrier of the job, or to the exchange of addresses */
    uint32_t finished;
    uint32_t left; /* PEs that exited without core_job_finish */
    uint32_t ask_sites; /* PEs that wait are to say in which line of the program */
    uint32_t guarded; /* valgrind or AddressSanitizer watches a PE, and all are on this node (guard.h) */
    uint32_t crash; /* a PE tells of its fault, or has told (crash.c) */
    char pad1[52];
    uint32_t survivable; /* a PE's death need not end the job (dead.c) */
    uint32_t dead; /* PEs that have died, by their supervisor; their state comes first */
    char pad3[56];
    uint32_t aborting; /* 0, or enum core_abort: a PE asked for the end of the job ... */
    int32_t abort_status; /* ... with this exit status; valid once CORE_ABORT_SAID */
    int32_t abort_pe;
    uint32_t leaving; /* 0, or 1 + a PE that ends and lives on, waiting for the others */
    /* With MPT_CHECK (check/finding.h): findings, repeated ones too, and what tells those apart that have been said. */
    uint32_t findings;
    uint32_t findings_begun; /* that are being printed */
    uint64_t findings_known[CORE_FINDINGS_KNOWN];
    struct core_wire_trace_clock trace_clock;
};

#define CORE_HEADER_SIZE 4096ul
#define CORE_COLL_SIZE (32ul << 20)

/* Bytes of channel rings in a slice: one ring per sender. */
#define CORE_CHAN_RING (16ul << 10)

/* Where the slice of a PE begins in the file. */
static inline uint64_t core_wire_slice(const struct core_header *h, unsigned idx)
{
    return CORE_HEADER_SIZE + idx * h->stride;
}

static inline struct core_ctrl *core_wire_ctrl(void *base, const struct core_header *h, unsigned idx)
{
    return (struct core_ctrl *)((char *)base + core_wire_slice(h, idx) + CORE_CTRL_OFFSET);
}

/* At its start: the board of the tasks of a process whose first PE it is. */
struct core_task_board;
static inline struct core_task_board *core_wire_board(const void *base, const struct core_header *h, unsigned idx)
{
    return (struct core_task_board *)((uintptr_t)base + core_wire_slice(h, idx));
}

/* Identifies this build of the library: PEs and launcher of different versions
 * must not share memory. */
uint64_t core_wire_build(void);

/* Bytes of each PE, rounded up to pages where they are laid out. The arena is halved
 * until all fits. */
struct core_sizes {
    uint64_t heap, data, arena;
    bool open; /* an open job: no collective area */
};

/* Fill the header of a job of npes PEs. Returns 0, or -EOVERFLOW when it can't fit
 * an address space. */
int core_wire_layout(struct core_header *h, unsigned npes, struct core_sizes sizes);

/* The least bytes of address space that each of npes PEs takes. */
uint64_t core_wire_each(unsigned npes, struct core_sizes sizes);

/* Bytes of address space that a job may take; where it is limited (ulimit -v) half of that. */
uint64_t core_wire_room(void);

/* A new memfd holding the job; *header is its first page, mapped. Returns the
 * fd (close-on-exec not set: PEs inherit it) or a negative errno. */
int core_wire_create(struct core_header **header, unsigned npes, unsigned ncores, struct core_sizes sizes);
/* The same in two steps, where the number of PEs is not known yet: a memfd that others can know by its key; then the
 * job is laid out in it, with that key. A negative errno when it fails. */
int core_wire_begin(uint64_t *key);
int core_wire_lay(int fd, struct core_header **header, unsigned npes, unsigned ncores, struct core_sizes sizes);

/* Why that (or mapping it) failed with `error` > 0, for a message: the variables that ask for most, the largest first,
 * and what they are too much for. */
enum { CORE_WIRE_WHY = 320 };
const char *core_wire_why(char text[CORE_WIRE_WHY], int error, unsigned npes, struct core_sizes sizes);

#endif
