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

/* Of one PE: "" or a call, and "" or a line. */
struct core_waits_in {
    char call[sizeof((struct core_ctrl *)0)->where];
    char site[sizeof((struct core_wire_site *)0)->text];
};

/* For supervisors. Ask all, and give them some time; then read what a PE has said. */
struct core_watch;
void core_waits_ask(const struct core_watch *w);
void core_waits_read(const struct core_watch *w, unsigned pe, struct core_waits_in *in);

#endif
