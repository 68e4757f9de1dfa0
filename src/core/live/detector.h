/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Inner parts of the lifeline between PEs (detector.c, detector_net.c) and what the
 * PMIx backend uses of it. The face for core's other files is in internal.h.
 */
#ifndef CORE_DETECTOR_H
#define CORE_DETECTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#include "core/live/state.h"

/* This process ends now, because the job does and another PE has said why: its
 * peers of the node end, too. Any thread. */
void core_detector_exit(int status) __attribute__((noreturn));

/* A detached thread that gets no signals. 0 or a negative errno. */
int core_detector_thread(void *(*body)(void *));

/* A launcher may take a dead process for one that has arrived in a fence: return
 * only when no neighbour is known to have died, else the job ends meanwhile. */
void core_detector_settle(void);

/* Over several nodes a word goes round the lifeline while every PE waits (vain.c). What this PE adds to it; false: it
 * does not wait; strict: or may stop waiting. */
bool core_vain_waits(bool strict, uint64_t *mark);
bool core_vain_is_strict(bool someone_leaves);
/* Ms until the first PE sends the next one, -1: not now; and whether one that has come back with this mark says that
 * all is in vain. */
int core_vain_next(bool someone_leaves, bool *send);
bool core_vain_back(bool strict, uint64_t mark);
void core_vain_say(int leaver, char *why, size_t n); /* in words */

/* detector_net.c: sockets. All return a descriptor or 0, or a negative errno. */
int core_detector_listen(struct core_detector_card *card);
int core_detector_connect(const struct core_detector_card *card, int timeout_ms);
void core_detector_watch(int fd); /* notice silence of MPT_TIMEOUT seconds */

#endif
