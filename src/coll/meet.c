/* SPDX-License-Identifier: BSD-3-Clause
 *
 * An allreduce of some words in one meeting: each PE leaves its vector, side by side with the others', in PE 0's
 * memory; the last to come combines all, and all read the result in one more line. A PE whose vector does not fit says
 * so in its tag.
 */
#include <string.h>

#include "coll/meet.h"
#include "coll/internal.h"
#include "core/base/number.h"

/* The room: the result in a line, a tag for each PE (bytes of its vector), and the vectors. */
enum { LINE = 64, NOT_HERE = 0xff };
enum { ROOM = sizeof((struct coll_sync *)0)->exchange };

struct result {
    int64_t bytes; /* -1: another algorithm must serve */
    char data[COLL_MEET_MOST];
};
_Static_assert(sizeof(struct result) == LINE, "the result is a line");

void coll_look_who_left(unsigned kind, const char *where)
{
    core_meet_look(where);
    if (!core_anyone_left())
        return;
    for (int pe = 0; pe < core_size() && core_left_for_good(); pe++)
        if (core_pe_left(pe) && !core_meet_has(kind, pe))
            coll_is_left_by(pe, where);
}

/* On several nodes it is used otherwise; here all PEs are on one. */
struct coll_meet_room coll_meet_room(void)
{
    return (struct coll_meet_room){coll_sync_of(COLL_WORLD, 0)->exchange[0], core_size(), core_me()};
}

static uint8_t *tags(struct coll_meet_room room)
{
    return (uint8_t *)room.at + LINE;
}

/* A power of two, so that vectors of different lengths lie on each other, if they do, in wrong programs only. */
static int64_t stride(int64_t bytes)
{
    return bytes <= 8 ? 8 : bytes <= 16 ? 16 : bytes <= 32 ? 32 : LINE;
}

static char *vectors(struct coll_meet_room room)
{
    return room.at + LINE + core_round_up((size_t)room.n, LINE);
}

bool coll_meet_has_room(struct coll_meet_room room)
{
    return LINE + room.n <= ROOM;
}

static bool fits(struct coll_meet_room room, const struct coll_meet_vector *v)
{
    return v->loop && v->bytes > 0 && v->bytes <= COLL_MEET_MOST &&
           vectors(room) + stride(v->bytes) * room.n <= room.at + ROOM;
}

struct combined {
    struct coll_meet_room room;
    const struct coll_meet_vector *own;
};

static bool all_alike(struct coll_meet_room room, uint8_t tag)
{
    const uint8_t *t = tags(room);
    uint8_t different = tag == NOT_HERE;

    for (int i = 0; i < room.n; i++)
        different |= t[i] ^ tag;
    return different == 0;
}

/* By the last PE to come: the ranks in the order in which the block's bodies combine them. */
static void combine(const void *arg)
{
    const struct combined *x = arg;
    struct result *result = (struct result *)(void *)x->room.at;
    const char *all = vectors(x->room);
    int64_t apart = stride(x->own->bytes), last = (x->room.n - 1) * apart;

    result->bytes = -1;
    if (!all_alike(x->room, tags(x->room)[x->room.me]))
        return; /* the other algorithm finds out, too, and says it */
    core_copy(result->data, all + last, (size_t)x->own->bytes);
    for (int64_t at = last - apart; at >= 0; at -= apart)
        x->own->loop(all + at, result->data, result->data, (size_t)x->own->count);
    result->bytes = x->own->bytes;
}

/* PEs of other processes have their tags in the same line, and mostly say what they have said before. */
static void say(struct coll_meet_room room, uint8_t tag)
{
    if (tags(room)[room.me] != tag)
        tags(room)[room.me] = tag;
}

/* This PE's vector to its place, and the hooks of its meeting. */
static struct core_meet_hooks give(const struct core_meet_hooks *hooks, struct combined *x)
{
    struct core_meet_hooks with_last = *hooks;

    with_last.last = combine;
    with_last.arg = x;
    if (!fits(x->room, x->own)) {
        say(x->room, NOT_HERE);
    } else {
        say(x->room, (uint8_t)x->own->bytes);
        core_copy(vectors(x->room) + stride(x->own->bytes) * x->room.me, x->own->from, (size_t)x->own->bytes);
    }
    return with_last;
}

enum coll_met coll_meet_allreduce_end(struct coll_meet_room room, const struct coll_meet_vector *v)
{
    const struct result *result = (const struct result *)(const void *)room.at;

    if (result->bytes < 0)
        return COLL_MET_ELSEWHERE;
    core_copy(v->to, result->data, (size_t)v->bytes);
    return COLL_MET;
}

enum coll_met coll_meet_allreduce(struct coll_meet_room room, const struct core_meet_hooks *hooks,
                                  const struct coll_meet_vector *v, const char *where)
{
    struct combined x = {room, v};
    struct core_meet_hooks with_last;

    if (!coll_meet_has_room(room))
        return COLL_MET_ELSEWHERE;
    with_last = give(hooks, &x);
    return core_meet(CORE_MEET_MPI, &with_last, where) ? coll_meet_allreduce_end(room, v) : COLL_MET_IN_VAIN;
}

uint64_t coll_meet_allreduce_begin(struct coll_meet_room room, const struct core_meet_hooks *hooks,
                                   const struct coll_meet_vector *v)
{
    struct combined x = {room, v};
    struct core_meet_hooks with_last = give(hooks, &x);

    return core_meet_come(CORE_MEET_MPI, &with_last);
}
