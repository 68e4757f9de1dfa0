/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a network's transport hands to the channel.
 */
#ifndef CORE_ARRIVE_H
#define CORE_ARRIVE_H

#include "core/channel/channel.h"

/* progress.c: a message came in over the network (inside progress). */
void core_channel_arrived(int from, unsigned id, const void *head, size_t head_n, const void *body, size_t n,
                          const struct core_rndv *rndv);

/* push.c: the same of pushed bodies, in any thread. One that lies there; or one of n bytes of which only the head has
 * come: the transport hands on the head, gives the receiver time to ask for the body, stores its bytes at
 * core_push_destination (which decides), all in one thread at a time, and says core_push_came. */
struct core_pushed;
void core_push_arrived(const struct core_rndv *rndv, const void *data, size_t n, void *landing);
struct core_pushed *core_push_coming(const struct core_rndv *rndv, size_t n);
void *core_push_destination(struct core_pushed *body);
void core_push_came(struct core_pushed *body);
void core_push_granted(int from, uint64_t n);

#endif
