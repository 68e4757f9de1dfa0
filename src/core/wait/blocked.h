/* SPDX-License-Identifier: BSD-3-Clause
 *
 * With MPT_CHECK: for whom a wait is. A PE that sleeps writes it where live/knot.c reads it, at each of its looks, and
 * more when it is asked: the call with its arguments, its line, and what has come that nearly fits.
 *
 * Say less where it is not known: a wait that nothing is said of may be ended by every PE.
 */
#ifndef CORE_BLOCKED_H
#define CORE_BLOCKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct core_waiter;
struct core_wire_blocked_thread;

struct core_blocked_by {
    void (*who)(const void *arg, struct core_wire_blocked_thread *b); /* NULL: everybody may end it */
    void (*say)(const void *arg, struct core_wire_blocked_thread *b); /* NULL, or says more by the two below */
    const void *arg;
};

extern const struct core_blocked_by core_blocked_by_time; /* the wait ends by itself */

/* For `who`: begin with the mode, then name PEs. */
void core_blocked_any(struct core_wire_blocked_thread *b);
void core_blocked_all(struct core_wire_blocked_thread *b);
void core_blocked_pe(struct core_wire_blocked_thread *b, int pe);
void core_blocked_everybody(struct core_wire_blocked_thread *b);
/* Something that is no wait may end it, or is under way. */
void core_blocked_free(struct core_wire_blocked_thread *b);

/* For `say`: the call with its arguments; what has come that nearly fits. */
void core_blocked_call(struct core_wire_blocked_thread *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void core_blocked_miss(struct core_wire_blocked_thread *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* A timer of the program's may end the wait, or do what others wait for. */
bool core_blocked_timer(void);

/* A place for a wait of this PE, of which nothing is known but that it is one, until it is given back; NULL: there is
 * none. And the texts of a call. For blocked.c and loop.c. */
struct core_wire_blocked_thread *core_blocked_take(void);
void core_blocked_give(struct core_wire_blocked_thread *place);
void core_blocked_say(struct core_wire_blocked_thread *b, const char *where, const struct core_blocked_by *by,
                      uintptr_t site);

/* The wait announces its sleep, or has ended. */
void core_blocked_look(const struct core_waiter *w);
void core_blocked_end(const struct core_waiter *w);

#endif
