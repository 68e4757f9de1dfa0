/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Open jobs: a job on this node that processes enter and leave (open.c): its PEs are slots, of
 * which each serves one process at a time. There are the channel, the arena, the face area
 * and the waits; no symmetric memory and no collective call: core_job_start fails.
 * core_size() is the number of slots.
 */
#ifndef CORE_OPEN_H
#define CORE_OPEN_H

#include <stdbool.h>
#include <stdint.h>

/* Make one of at most `slots` slots (fewer where address space is limited) and stand in slot 0. */
int core_job_open(unsigned slots);
/* Enter the job whose memory `fd` is: at a slot that was reserved, or -1: at the next
 * one. Also for a process that has parted from the job, and for a child that such a process has
 * forked: `fd` is then core_job_fd(). -EBUSY, silently: somebody stands in that slot;
 * -ENOSPC, silently: all slots are used up. Others after a message. */
int core_job_enter(int fd, int slot);
int core_job_fd(void);        /* -1: in no open job. Closed in programs that are started */
bool core_job_is_in(void);    /* entered, by this very process, and not parted */
int core_job_reserve(void);   /* a slot for a process that will enter; -ENOSPC */
/* That process is `pid`, or a child of it: if `pid` ends before anybody has come, the slot is gone. */
void core_job_expect(int slot, int pid, uint64_t born);
unsigned core_job_high(void); /* slots given away so far are below */
/* Leave. Messages sent stay good, and so does the arena unless nothing of it is in use
 * by others (`clean`), when its pages go back to the system. */
void core_job_part(bool clean);
/* Has the process in this slot parted or died? False while none has come. What is
 * sent to such a slot is lost; a full ring to it is -EPIPE. */
bool core_job_gone(int slot);

/* Slots of processes that have gone serve again, as soon as every process has been in core_progress since; `again` is
 * called for each. Returns their number. One caller at a time; repeat it, with core_progress. `worn`: so many may be
 * such slots. */
int core_job_recycle(void (*again)(int slot));
unsigned core_job_worn(void);
/* Called in core_progress, when all that the process of a slot has sent is handled: afterwards nothing of its memory
 * may be used, and nothing sent there, until somebody else stands in it. */
void core_job_on_retired(void (*forget)(int slot));

#endif
