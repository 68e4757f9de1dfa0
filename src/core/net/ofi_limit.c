/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Up to libfabric 1.17 the tcp provider sends more than 16 KiB only when it has
 * been asked for it (ofi_rxm's rendezvous), which is what pushing bodies is to save. A
 * variable of the environment moves that limit; it is read once, for all
 * providers, and must not be there for verbs.
 */
#include <dirent.h>
#include <stdlib.h>

#include "core/net/ofi.h"

#define RXM_LIMIT "FI_OFI_RXM_EAGER_LIMIT"
enum { RXM_MOST = 16 << 10 };

/* No adapter that verbs could use. */
static bool only_sockets(void)
{
    DIR *adapters;
    const struct dirent *e;
    bool any = false;

    if (core_ofi_provider_has(core_params.ofi_provider, "tcp"))
        return true;
    if (!(adapters = opendir("/sys/class/infiniband")))
        return true;
    while (!any && (e = readdir(adapters)))
        any = e->d_name[0] != '.';
    closedir(adapters);
    return !any;
}

void core_ofi_limit_raise(void)
{
    char text[16];

    core_ofi.limit_raised = !core_param_foreign(RXM_LIMIT) && only_sockets();
    if (core_ofi.limit_raised) {
        snprintf(text, sizeof text, "%d", NET_MSG_MAX);
        setenv(RXM_LIMIT, text, 1);
    }
}

void core_ofi_limit_known(void)
{
    if (core_ofi.limit_raised)
        unsetenv(RXM_LIMIT); /* children decide anew */
}

size_t core_ofi_push_most(void)
{
    bool limited = !core_ofi.limit_raised && core_ofi_provider_has(core_ofi.info->fabric_attr->prov_name, "ofi_rxm");
    return (limited ? (size_t)RXM_MOST : (size_t)NET_MSG_MAX) - NET_PUSH_HEAD;
}
