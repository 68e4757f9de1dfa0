/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The handler of messages: what has arrived meets what was posted.
 */
#include "mpi/p2p/p2p.h"
#include "mpi/rt/inbox.h"

static inline void arrive(uint64_t key, const struct mpii_p2p_mail *m)
{
    struct mpii_p2p_context *c = mpii_state.p2p.last_context;
    struct match_node *n;

    if (MPT_UNLIKELY(!c || c->key != key))
        mpii_state.p2p.last_context = c = mpii_p2p_context_make(key);
    n = match_arrive(&c->q, m->source, m->tag);
    if (MPT_LIKELY(n != NULL))
        mpii_p2p_recv_from(mpii_p2p_request_of(n), m); /* the node is first in `own` */
    else
        mpii_p2p_unexpected_hold(c, m);
}

static inline void on_message(const struct core_mail *mail)
{
    const struct mpii_p2p_head *h = mail->head;
    const bool labelled = MPT_UNLIKELY(mail->head_n >= P2P_LABELLED);
    const size_t head_n = labelled ? mail->head_n - P2P_LABELLED + P2P_LONG : mail->head_n;
    struct mpii_p2p_mail m = {mail->from,
                              h->source,
                              h->tag,
                              head_n >= P2P_LONG ? h->id : 0,
                              mail->n,
                              mail->body,
                              &mail->rndv,
                              head_n == P2P_LAID ? P2P_IS_LAID : P2P_PLAIN,
                              labelled ? &h->label : NULL,
                              0,
                              0};
    struct core_rndv rndv;

    if (MPT_UNLIKELY(core_params.check) && h->context % MPII_LANES == MPII_LANE_USER)
        m.number = mpii_ahead_comes(mail->from);
    if (MPT_UNLIKELY(core_trace_on()) && h->context % MPII_LANES == MPII_LANE_USER)
        m.traced = mpii_trace_comes(mail->from);
    if (MPT_UNLIKELY(head_n == P2P_OFFER)) {
        m.n = mpii_p2p_offer_read(mail, &rndv);
        m.rndv = &rndv;
        m.data = NULL;
        m.form = P2P_IS_OFFER;
    }
    arrive(h->context, &m);
}

static void message_handler(const struct core_mail *mail)
{
    enum mpii_entered e = mpii_inbox_enter();

    if (MPT_UNLIKELY(e == MPII_OUTSIDE)) {
        mpii_inbox_keep(mail, on_message);
        return;
    }
    on_message(mail);
    mpii_inbox_leave(e);
}

void mpii_p2p_arrived_over_bridge(enum mpii_channel channel, const struct core_mail *mail)
{
    (channel == MPII_CHANNEL_MESSAGE ? message_handler : mpii_p2p_on_control_mail)(mail);
}

/* By which members of a communicator compare their calls: comes long before this process calls the collective, which
 * itself says what it orders. */
static bool is_comparison(const struct core_mail *mail)
{
    const struct mpii_p2p_head *h = mail->head;

    return h->context % MPII_LANES == MPII_LANE_COLL && (unsigned)h->tag < MPII_CHECK_TAGS;
}

/* For the race checker. */
static void heard_message(const struct core_mail *mail)
{
    if (core_adversary_on()) /* messages of different contexts may pass each other */
        mpii_p2p_heard(mail->from);
    else if (mail->from < core_size() && is_comparison(mail))
        core_race_passes(mail->from);
    else if (mail->from < core_size())
        core_race_hears(mail->from);
    message_handler(mail);
}

static void heard_control_mail(const struct core_mail *mail)
{
    mpii_p2p_heard(mail->from);
    mpii_p2p_on_control_mail(mail);
}

int mpii_p2p_channels_open(void)
{
    bool races = core_race_on();

    if (core_channel_open(MPII_CHANNEL_MESSAGE, races ? heard_message : message_handler) != 0 ||
        core_channel_open(MPII_CHANNEL_CONTROL, races ? heard_control_mail : mpii_p2p_on_control_mail) != 0)
        return MPI_ERR_NO_MEM;
    return MPI_SUCCESS;
}
