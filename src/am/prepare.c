/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Medium requests whose body the program writes itself where it is sent from: in the
 * receiver's ring, or, where there is no room or a network is between, in a buffer.
 */
#include "am/ami.h"
#include "am/trace.h"

void *am_request_prepare(vnn_t dest, int nbytes, int n)
{
    size_t words = (size_t)n * sizeof(am_word), all = words + (size_t)nbytes;

    if (ami_refuse_request("am_request_prepare", dest, NULL) != 0)
        return NULL;
    if (nbytes < 0 || nbytes > (int)AMI_MEDIUM_MAX || n < 0 || n > AM_WORDS_MAX) {
        bool bytes = nbytes < 0 || nbytes > (int)AMI_MEDIUM_MAX;

        ami_bad("am_request_prepare", bytes ? "nbytes" : "n", bytes ? nbytes : n,
                bytes ? "0 to am_max_medium()" : "0 to AM_WORDS_MAX");
        return NULL;
    }
    if (dest != core_me() && !ami_has_room(&ami.peer[dest]))
        ami_wait_for_room(&ami.peer[dest], false, "am_request_prepare");
    ami.prepared.open = true;
    ami.prepared.dest = dest;
    ami.prepared.bytes = nbytes;
    ami.prepared.words = n;
    ami.prepared.fast = dest == core_me() ? NULL : core_fast_to(dest);
    if (ami.prepared.fast && !core_fast_prepare(ami.prepared.fast, all, &ami.prepared.place))
        ami.prepared.fast = NULL;
    return (ami.prepared.fast ? ami.prepared.place.payload : (unsigned char *)ami.prepared.buffer) + words;
}

static int commit_in_place(struct ami_head h, const am_word *words, size_t n, size_t all)
{
    struct ami_peer *p = &ami.peer[ami.prepared.dest];
    struct core_fast_head q;

    h.done = p->done;
    memcpy(&q, &h, sizeof q);
    if (ami.prepared.fast->out.stamp == ami.prepared.place.stamp)
        core_copy(ami.prepared.place.payload, words, n);
    if (!core_fast_commit(ami.prepared.fast, &ami.prepared.place, AMI_CHANNEL, q, all))
        return ami_error(AM_E_RULE, ami.prepared.dest, NULL,
                         "am_request_commit: another message was sent to PE %d after am_request_prepare",
                         ami.prepared.dest);
    p->told = h.done;
    p->sent++;
    return 0;
}

static int commit(vnn_t dest, handler_medium_t handler, int nbytes, const am_word *words, int n)
{
    static const char call[] = "am_request_commit";
    struct ami_head h = {.kind = AMI_MEDIUM, .words = (uint8_t)n};
    size_t w = (size_t)n * sizeof *words, all = w + (size_t)nbytes;
    struct ami_msg m = {.head_n = sizeof h, .body = ami.prepared.buffer, .n = all};
    int rc = ami_refuse_request(call, dest, (am_handler)handler);

    if (rc != 0)
        return rc;
    if (!ami.prepared.open || dest != ami.prepared.dest || n != ami.prepared.words)
        return ami_error(AM_E_RULE, dest, (am_handler)handler, "%s: nothing with %d words was prepared for PE %d", call,
                         n, dest);
    if (nbytes < 0 || nbytes > ami.prepared.bytes)
        return ami_bad(call, "nbytes", nbytes, "0 to what was prepared");
    if (!handler || (n > 0 && !words))
        return ami_bad(call, handler ? "words" : "handler", 0, "an address");
    ami.prepared.open = false;
    h.handler = dest == core_me() ? 0 : ami_handler_out((am_handler)handler);
    if (ami.prepared.fast)
        return commit_in_place(h, words, w, all);
    core_copy(ami.prepared.buffer, words, w);
    if (dest == core_me())
        return ami_run_here(call, &h, (am_handler)handler, ami.prepared.buffer, ami.prepared.buffer + n,
                            (size_t)nbytes);
    m.h.head = h;
    return ami_send(dest, &m, false, call);
}

int am_request_commit(vnn_t dest, handler_medium_t handler, int nbytes, const am_word *words, int n)
{
    AMI_TRACE(t, "am_request_commit");
    uint64_t at = MPT_UNLIKELY(core_trace_on()) ? core_trace_now() : 0;
    int rc = commit(dest, handler, nbytes, words, n);

    if (MPT_UNLIKELY(core_trace_on()) && rc == 0)
        ami_trace_sent(&t, dest, false, (size_t)n * sizeof *words + (size_t)nbytes, at);
    return rc;
}
