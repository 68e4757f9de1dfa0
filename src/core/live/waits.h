/* SPDX-License-Identifier: BSD-3-Clause
 *
 * In which call and line of the program PEs wait, for reports. A PE finds its line when it is asked, at its next look
 * in the wait: nothing before costs anything.
 */
#ifndef CORE_WAITS_H
#define CORE_WAITS_H

#include "core/mem/wire.h"

/* At each look: this PE says where it is, if it is asked and has not yet. */
void core_waits_tell(void);

/* A call that a PE waits in. */
struct core_waits_in {
    unsigned pe;
    uint64_t tests;                                                  /* 0: a wait; else a loop of so many tests ... */
    uint64_t ms, ago_ms;                                             /* ... in this time, the last so long ago */
    char call[sizeof((struct core_wire_blocked_thread *)0)->call];   /* "": none */
    char site[sizeof((struct core_wire_site *)0)->text];             /* its line, or "" */
    char miss[sizeof((struct core_wire_blocked_thread *)0)->miss];   /* what nearly ended it, or "" */
};

/* For supervisors. Ask all, and give them some time; then read what a PE has said: of how many calls. */
struct core_watch;
enum { CORE_WAITS_MAX = CORE_BLOCKED_THREADS };
void core_waits_ask(const struct core_watch *w);
unsigned core_waits_read(const struct core_watch *w, unsigned pe, struct core_waits_in in[CORE_WAITS_MAX]);

#endif
