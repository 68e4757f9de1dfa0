/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Pushed bodies on the wire: one message of the channel with the body behind it.
 * The buffer that receives it is kept until the body is no longer wanted.
 *
 * Up to libfabric 1.17 the tcp provider sends more than 16 KiB only when it has
 * been asked for it (ofi_rxm's rendezvous), which is what pushing is to save. A
 * variable of the environment moves that limit; it is read once, for all
 * providers, and must not be there for verbs.
 */
#include <dirent.h>
#include <stdlib.h>

#include "core/ofi.h"

#define RXM_LIMIT "FI_OFI_RXM_EAGER_LIMIT"
enum { RXM_MOST = 16 << 10 };

static bool raised; /* the limit, by us */

/* No adapter that verbs could use. */
static bool only_sockets(void)
{
    DIR *adapters;
    const struct dirent *e;
    bool any = false;

    if (ofi_provider_has(core_params.ofi_provider, "tcp"))
        return true;
    if (!(adapters = opendir("/sys/class/infiniband")))
        return true;
    while (!any && (e = readdir(adapters)))
        any = e->d_name[0] != '.';
    closedir(adapters);
    return !any;
}

void ofi_push_limit_raise(void)
{
    char text[16];

    raised = !core_param_foreign(RXM_LIMIT) && only_sockets();
    if (raised) {
        snprintf(text, sizeof text, "%d", OFI_MSG_MAX);
        setenv(RXM_LIMIT, text, 1);
    }
}

void ofi_push_limit_known(void)
{
    if (raised)
        unsetenv(RXM_LIMIT); /* children decide anew */
}

size_t ofi_push_most(void)
{
    bool limited = !raised && ofi_provider_has(ofi.info->fabric_attr->prov_name, "ofi_rxm");
    return (limited ? (size_t)RXM_MOST : (size_t)OFI_MSG_MAX) - OFI_PUSH_HEAD;
}

int ofi_push(int pe, unsigned id, const void *head, size_t head_n, const void *body, const struct core_far *far)
{
    bool locked = ofi_lock();
    struct ofi_op *op = ofi_channel_message(pe, id, head, head_n, far);
    ofi_message_add(op, body, far->n);
    return ofi_channel_go(op, locked);
}

void ofi_grant(int pe, uint64_t n)
{
    bool locked = ofi_lock();
    struct ofi_op *op = ofi_message_new("a send", pe);
    ofi_message_begin(op, OFI_M_GRANT, n);
    ofi_message_later(op);
    ofi_unlock(locked);
}

void ofi_land(void *landing)
{
    bool locked = ofi_lock();
    ofi_op_free(landing);
    ofi_unlock(locked);
}
