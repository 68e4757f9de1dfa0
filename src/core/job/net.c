/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Does this job need a network, and do its PEs fit together? Chooses the
 * transport, exchanges the PEs' business cards and compares them: another
 * version of the library, another heap size or other global variables on some
 * host would make remote addresses wrong, so they are errors that name host and
 * PE.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "core/channel/internal.h"
#include "core/internal.h"
#include "core/task/task.h"
#include "core/rma/late.h"
#include "core/rma/transport.h"
#include "mpt/version.h"

/* 0, or a negative errno after a message. */
static int is_needed(const struct core_location *location, bool *needed)
{
    enum core_word transport = core_params.transport;
    bool rndv = location->nslices < (unsigned)location->npes;
    if (transport == CORE_TRANSPORT_SHM && rndv) {
        core_error("MPT_TRANSPORT=shm, but %d of the %d PEs are on other nodes than host %s",
                   location->npes - (int)location->nslices, location->npes, core_host(-1));
        return -ENETUNREACH;
    }
    *needed = rndv || ((transport == CORE_TRANSPORT_TCP || transport == CORE_TRANSPORT_OFI) && location->npes > 1);
    return 0;
}

static int fill_card(struct core_card *own)
{
    size_t n = sizeof own->net;
    *own = (struct core_card){.magic = CORE_WIRE_MAGIC,
                              .build = core_wire_build(),
                              .heap_size = mpt_fast.heap_len,
                              .data_len = mpt_fast.data_len,
                              .version = MPT_VERSION,
                              .pid = getpid(),
                              .node = core_node_pe(0),
                              .records = core_trace_writes()};
    strncpy(own->host, core_host(-1), sizeof own->host - 1);
    int rc = core_state.rma.net->open(own->net, &n);
    if (rc != 0)
        return rc;
    own->net_n = (uint32_t)n;
    return core_detector_prepare(own);
}

/* What must agree with this PE's card; one line for the first PE that does not. */
static int compare(const struct core_card *own, int pe)
{
    const struct core_card *c = &core_state.rma.cards[pe];
    if (c->magic != own->magic || c->build != own->build) {
        core_error("PE %d on host %s uses another build of the library (version %.15s, %llx) than PE %d on host %s "
                   "(version %s, %llx); "
                   "install the same one on all hosts",
                   pe, c->host, c->version, (unsigned long long)c->build, core_me(), own->host, own->version,
                   (unsigned long long)own->build);
        return -EPROTO;
    }
    if (c->heap_size != own->heap_size) {
        core_error("the symmetric heap has %llu bytes at PE %d on host %s and %llu bytes at PE %d on host %s; give all "
                   "PEs the same "
                   "SHMEM_SYMMETRIC_SIZE",
                   (unsigned long long)c->heap_size, pe, c->host, (unsigned long long)own->heap_size, core_me(),
                   own->host);
        return -EPROTO;
    }
    if (c->data_len != own->data_len) {
        core_error(
            "the program's global variables take %llu bytes at PE %d on host %s and %llu bytes at PE %d on host %s: "
            "not the same program? (MPT_SHARE_GLOBALS=0 does without them)",
            (unsigned long long)c->data_len, pe, c->host, (unsigned long long)own->data_len, core_me(), own->host);
        return -EPROTO;
    }
    return 0;
}

static int check_cards(const struct core_card *own)
{
    for (int pe = 0; pe < core_size(); pe++) {
        int rc = compare(own, pe);
        if (rc != 0)
            return rc;
    }
    return 0;
}

/* For those who serve this PE while it does not run: a wait of its looks again. */
static int serve_task(void)
{
    int handled = core_state.rma.net->progress();
    if (handled > 0)
        core_wake_slice(core_seg->idx);
    return handled;
}

static int share_network(void)
{
    const struct core_task_network network = {core_state.rma.net->wait_fd(), serve_task, core_state.rma.net->may_sleep};
    return core_task_on() ? core_task_network(&network) : 0;
}

int core_net_start(const struct core_location *location)
{
    bool needed = false;
    int rc = is_needed(location, &needed);
    if (rc != 0 || !needed)
        return rc;
    core_state.rma.net = &core_network;
    struct core_card own;
    if ((rc = fill_card(&own)) != 0 || (rc = core_state.job.backend->exchange(&own, &core_state.rma.cards)) != 0)
        return rc;
    if ((rc = check_cards(&own)) != 0 || (rc = core_push_start()) != 0 || (rc = core_state.rma.net->connect()) != 0 ||
        (rc = share_network()) != 0)
        return rc;
    core_state.rma.net_on = core_state.rma.later = true;
    core_progress_needed();
    core_wait_retune();
    return core_detector_start();
}

void core_net_stop(void)
{
    if (!core_state.rma.net_on)
        return;
    core_state.rma.net_on = false;
    core_state.rma.later = core_late_on();
    if (core_task_on())
        core_task_no_network();
    core_state.rma.net->close();
    core_push_stop();
    core_state.rma.net = NULL;
}
