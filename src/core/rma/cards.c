/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Who is where, as the cards of PEs say.
 */
#include "core/rma/cards.h"

#include <string.h>
#include <unistd.h>

#include "core/internal.h"

const char *core_host(int pe)
{
    char *own = core_state.rma.host;
    if (core_state.rma.cards && (unsigned)pe < (unsigned)mpt_fast.npes)
        return core_state.rma.cards[pe].host;
    if (!own[0] && gethostname(own, sizeof core_state.rma.host - 1) != 0)
        strcpy(own, "(unnamed)");
    return own;
}

int core_node_of(int pe)
{
    return core_state.rma.cards && (unsigned)pe < (unsigned)mpt_fast.npes ? core_state.rma.cards[pe].node
                                                                          : core_node_pe(0);
}

const struct core_card *core_card_of(int pe)
{
    return core_state.rma.cards ? &core_state.rma.cards[pe] : NULL;
}

const void *core_card_net(int pe, size_t *n)
{
    *n = core_state.rma.cards[pe].net_n;
    return core_state.rma.cards[pe].net;
}
