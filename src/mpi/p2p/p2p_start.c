/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Start and end of point-to-point.
 */
#include "mpi/p2p/bsend.h"

static int never_starts(struct mpii_request *r)
{
    (void)r;
    return MPI_ERR_REQUEST;
}

static const struct mpii_request_ops sent_ops = {.what = "send", .start = never_starts};

int mpii_p2p_init(void)
{
    mpii_state.request.sent = mpii_request_new(&sent_ops, NULL); /* also: says how large requests are */
    if (!mpii_state.request.sent)
        return MPI_ERR_NO_MEM;
    mpii_state.request.sent->done = true;
    if (core_adversary_always(CORE_ADVERSARY_SYNC))
        core_params.mpi_buffer_max = 0;
    mpii_p2p_buffering_changed();
    mpii_ahead_init();
    return mpii_p2p_channels_open();
}

/* A send or receive under way whose request the user has freed? All of the pool are looked at, for this is rare. */
static bool freed_messages(void)
{
    for (const struct mpii_request *r = mpii_request_next(NULL); r; r = mpii_request_next(r))
        if ((r->ops == &mpii_p2p_send_ops || r->ops == &mpii_p2p_recv_ops) && r->freed && !r->done)
            return true;
    return false;
}

void mpii_p2p_flush(bool together)
{
    struct core_waiter w;

    mpii_bsend_forget(&mpii_state.p2p.buffer);
    mpii_wait_begin(&w, together ? "MPI_Finalize" : "MPI_Session_finalize: messages that are not received yet");
    while (mpii_state.p2p.waiting || mpii_state.p2p.fetching || mpii_state.p2p.offers.n_open || mpii_p2p_words_wait() ||
           (!together && (mpii_state.p2p.buffers_out || freed_messages())))
        mpii_wait_pause(&w);
    mpii_wait_end(&w);
}

void mpii_p2p_finish(void)
{
    struct mpii_request *sent = mpii_state.request.sent;

    mpii_state.request.sent = NULL;
    mpii_request_free(sent);
    mpii_p2p_blocks_finish();
}
