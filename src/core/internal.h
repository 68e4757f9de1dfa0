/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What core's own files share and no other layer may see.
 */
#ifndef CORE_INTERNAL_H
#define CORE_INTERNAL_H

#include <pthread.h>

#include "core/core.h"
#include "core/wire.h"

/* This process's view of its node's memory. */
struct core_segment {
    struct core_header *header;
    char *base;    /* the whole memfd, mapped                       */
    char *slices;  /* slice of node PE 0                            */
    size_t length; /* bytes mapped                                  */
    unsigned idx;  /* own index on the node                         */
    int fd;        /* stays open (not in programs a PE starts): forked children ask it for holes */
    ino_t inode;   /* to know it again */
};
extern struct core_segment core_seg;

static inline struct core_ctrl *core_ctrl_of(unsigned idx)
{
    return core_wire_ctrl(core_seg.base, core_seg.header, idx);
}

/* Map the job in `fd` as node PE `idx` and fill mpt_fast (all but node_n, which
 * job.c sets when calls may go through). */
int core_segment_map(int fd, unsigned idx);

/* Move the executable's .data/.bss into this PE's slice (globals.c). */
int core_globals_share(void);

/* Start of the channel area in the slice of `receiver` (a PE of this node). */
void *core_chan_area(int receiver);

void core_wait_init(void);

/* Forked PEs and their supervisor (self.c): returns the PE number in the
 * children, never in the parent; negative errno when it fails. */
int core_self_start(int npes, int *fd);

/* Ends the job when a PE asked for that, or when nobody is left who could end
 * this PE's wait. Called by waits now and then. */
void core_job_check(const char *where);

#endif
