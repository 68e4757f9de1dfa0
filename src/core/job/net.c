/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Does this job need a network, and do its PEs fit together? Chooses the
 * transport, exchanges the PEs' business cards and compares them: another
 * version of the library, another heap size or other global variables on some
 * host would make remote addresses wrong, so they are errors that name host and
 * PE.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/channel/channel.h"
#include "core/internal.h"
#include "core/rma/transport.h"

static struct core_card *cards; /* of all PEs; NULL: no network */

enum way { AUTO, SHM, TCP, OFI, WAYS };
static const char *const way_names[WAYS] = {[AUTO] = "auto", [SHM] = "shm", [TCP] = "tcp", [OFI] = "ofi"};

static int wanted(enum way *way)
{
    for (*way = AUTO; *way < WAYS; ++*way)
        if (strcmp(core_params.transport, way_names[*way]) == 0)
            return 0;
    core_error("MPT_TRANSPORT=%s: expected auto, shm, tcp or ofi", core_params.transport);
    return -EINVAL;
}

/* 1: yes, 0: no, negative errno after a message. */
static int needed(const struct core_place *place)
{
    enum way way;
    int rc = wanted(&way);
    if (rc != 0)
        return rc;
    bool far = place->nslices < (unsigned)place->npes;
    if (way == SHM && far) {
        core_error("MPT_TRANSPORT=shm, but %d of the %d PEs are on other nodes than host %s", place->npes - (int)place->nslices,
                   place->npes, core_host(-1));
        return -ENETUNREACH;
    }
    return far || ((way == TCP || way == OFI) && place->npes > 1);
}

const char *core_host(int pe)
{
    static char own[64];
    if (cards && (unsigned)pe < (unsigned)mpt_fast.npes)
        return cards[pe].host;
    if (!own[0] && gethostname(own, sizeof own - 1) != 0)
        strcpy(own, "(unnamed)");
    return own;
}

int core_node_of(int pe)
{
    return cards && (unsigned)pe < (unsigned)mpt_fast.npes ? cards[pe].node : core_node_pe(0);
}

const struct core_card *core_card_of(int pe)
{
    return cards ? &cards[pe] : NULL;
}

const void *core_card_net(int pe, size_t *n)
{
    *n = cards[pe].net_n;
    return cards[pe].net;
}

static int fill_card(struct core_card *own)
{
    size_t n = sizeof own->net;
    *own = (struct core_card){.magic = CORE_WIRE_MAGIC, .build = core_wire_build(), .heap_size = mpt_fast.heap_len,
                              .data_len = mpt_fast.data_len, .version = MPT_VERSION, .pid = getpid(),
                              .node = core_node_pe(0)};
    strncpy(own->host, core_host(-1), sizeof own->host - 1);
    int rc = core_net->open(own->net, &n);
    if (rc != 0)
        return rc;
    own->net_n = (uint32_t)n;
    return core_life_prepare(own);
}

/* What must agree with this PE's card; one line for the first PE that does not. */
static int compare(const struct core_card *own, int pe)
{
    const struct core_card *c = &cards[pe];
    if (c->magic != own->magic || c->build != own->build) {
        core_error("PE %d on host %s uses another build of the library (version %.15s, %llx) than PE %d on host %s (version %s, %llx); "
                   "install the same one on all hosts",
                   pe, c->host, c->version, (unsigned long long)c->build, core_me(), own->host, own->version,
                   (unsigned long long)own->build);
        return -EPROTO;
    }
    if (c->heap_size != own->heap_size) {
        core_error("the symmetric heap has %llu bytes at PE %d on host %s and %llu bytes at PE %d on host %s; give all PEs the same "
                   "SHMEM_SYMMETRIC_SIZE",
                   (unsigned long long)c->heap_size, pe, c->host, (unsigned long long)own->heap_size, core_me(), own->host);
        return -EPROTO;
    }
    if (c->data_len != own->data_len) {
        core_error("the program's global variables take %llu bytes at PE %d on host %s and %llu bytes at PE %d on host %s: "
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

int core_net_start(const struct core_place *place)
{
    int rc = needed(place);
    if (rc <= 0)
        return rc;
    core_net = &core_network;
    struct core_card own;
    struct core_card *all = calloc((size_t)core_size(), sizeof *all);
    if (!all) {
        core_error("no memory for the addresses of %d PEs", core_size());
        return -ENOMEM;
    }
    if ((rc = fill_card(&own)) != 0 || (rc = core_backend->exchange(&own, all)) != 0) {
        free(all);
        return rc;
    }
    cards = all;
    if ((rc = check_cards(&own)) != 0 || (rc = core_push_start()) != 0 || (rc = core_net->connect()) != 0)
        return rc;
    core_net_on = true;
    core_progress_needed();
    return core_life_start();
}

void core_net_stop(void)
{
    if (!core_net_on)
        return;
    core_net_on = false;
    core_net->close();
    core_push_stop();
    core_net = NULL;
}
