/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Strided transfers: small blocks travel packed, as many to a message as fit, and
 * the target's CPU stores them; blocks that fill messages of their own
 * go by plain puts and gets.
 */
#include "core/net/fabric.h"

enum {
    PACKED_MAX = 1024, /* bytes of a block; larger ones by RMA */
    ROOM = NET_MSG_USUAL - (int)sizeof(struct core_net_head) - (int)sizeof(struct core_strides),
    GATHERS_MAX = 64 /* replies under way to one caller, so that they find room */
};

/* As many as a message holds, and so near to each other that no sum of addresses is too large. */
bool core_net_strides_fit(const struct core_strides *s)
{
    ptrdiff_t last;
    size_t most = s->bytes && s->bytes <= PACKED_MAX ? (size_t)ROOM / s->bytes : 0;
    return s->nblocks > 0 && s->nblocks <= most && !__builtin_mul_overflow((ptrdiff_t)s->nblocks, s->remote, &last) &&
           last < PTRDIFF_MAX / 2 && last > PTRDIFF_MIN / 2;
}

/* Blocks may lie below the first one. */
void *core_net_blocks_here(core_net_address address, const struct core_strides *s, int from)
{
    ptrdiff_t last = s->nblocks ? (ptrdiff_t)(s->nblocks - 1) * s->remote : 0;
    size_t span = (size_t)(last < 0 ? -last : last) + s->bytes;
    char *low = core_net_address_here(last < 0 ? address - (uint64_t)-last : address, span, from);
    return last < 0 ? low - last : low;
}

static size_t packed(const struct core_strides *s)
{
    return s->bytes && s->bytes <= PACKED_MAX ? (size_t)ROOM / s->bytes : 0;
}

static void scatter(struct core_flow *f, int pe, char *to, const char *from, struct core_strides s)
{
    struct core_net_turn t;
    core_net_turn_begin(&t, "strided put", pe);
    struct core_net_op *message = core_net_message_new(t.what, pe), *reply = core_net_flow_message(f, t.what, pe);
    core_net_message_begin(message, NET_M_SCATTER, core_net_address_of(to))->cookie = core_net_op_cookie(reply);
    core_net_message_add(message, &s, sizeof s);
    core_copy_strided(core_net_message_room(message, s.bytes * s.nblocks), (ptrdiff_t)s.bytes, from, s.local, s.bytes,
                      s.nblocks);
    core_net_message_send(&t, message);
    core_net_flow_sent(f, pe, reply);
    core_net_turn_end(&t);
}

static void gather(struct core_flow *f, int pe, char *to, const char *from, struct core_strides s)
{
    struct core_net_turn t;
    core_net_turn_begin(&t, "strided get", pe);
    core_net_turn_until_few(&t, f, GATHERS_MAX);
    struct core_net_op *message = core_net_message_new(t.what, pe), *reply = core_net_op_new(NET_REPLY, t.what, pe, f);
    reply->to = to;
    reply->strides = s;
    core_net_message_begin(message, NET_M_GATHER, core_net_address_of(from))->cookie = core_net_op_cookie(reply);
    core_net_message_add(message, &s, sizeof s);
    core_net_message_send(&t, message);
    core_net_turn_end(&t);
}

static void in_pieces(struct core_flow *f, int pe, char *to, ptrdiff_t to_stride, const char *from,
                      ptrdiff_t from_stride, struct core_strides s,
                      void move(struct core_flow *, int, char *, const char *, struct core_strides))
{
    size_t left = s.nblocks, most = packed(&s);
    while (left > 0) {
        s.nblocks = left < most ? left : most;
        move(f, pe, to, from, s);
        to += (ptrdiff_t)s.nblocks * to_stride;
        from += (ptrdiff_t)s.nblocks * from_stride;
        left -= s.nblocks;
    }
}

void core_net_put_strided(struct core_flow *f, int pe, void *remote, const void *local, struct core_strides s)
{
    if (packed(&s)) {
        in_pieces(f, pe, remote, s.remote, local, s.local, s, scatter);
        return;
    }
    for (size_t i = 0; i < s.nblocks; i++)
        core_net_put(f, pe, (char *)remote + (ptrdiff_t)i * s.remote, (const char *)local + (ptrdiff_t)i * s.local,
                     s.bytes);
}

void core_net_get_strided(struct core_flow *f, int pe, void *local, const void *remote, struct core_strides s)
{
    if (packed(&s)) {
        in_pieces(f, pe, local, s.local, remote, s.remote, s, gather);
        return;
    }
    for (size_t i = 0; i < s.nblocks; i++)
        core_net_get_nbi(f, pe, (char *)local + (ptrdiff_t)i * s.local, (const char *)remote + (ptrdiff_t)i * s.remote,
                         s.bytes);
}
