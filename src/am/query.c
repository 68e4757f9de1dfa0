/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What is possible between two PEs, and of which message a handler runs.
 */
#include <limits.h>

#include "am/ami.h"

static bool is_pe(vnn_t pe)
{
    return (unsigned)pe < (unsigned)core_size();
}

int am_max_size(void)
{
    return INT_MAX;
}
int am_max_short(void)
{
    return (CORE_FAST_LINE - (int)sizeof(struct ami_head)) / (int)sizeof(am_word);
}
int am_max_medium(vnn_t dest)
{
    return is_pe(dest) ? (int)AMI_MEDIUM_MAX : -1;
}
long am_max_long(vnn_t dest)
{
    return is_pe(dest) ? INT_MAX : -1;
}
int am_max_requests(vnn_t dest)
{
    return !is_pe(dest) ? -1 : dest == core_me() ? INT_MAX : AMI_WINDOW;
}

int am_token(struct am_token_info *info)
{
    const struct ami_context *c = ami.context;

    if (!c || !info)
        return -1;
    *info = (struct am_token_info){.source = c->src,
                                   .is_request = !c->reply,
                                   .may_reply = !c->reply && !c->replied,
                                   .words = (int)c->words,
                                   .nbytes = (int)c->n,
                                   .handler = c->handler};
    return 0;
}

void am_dummy(vnn_t src)
{
    (void)src;
}
