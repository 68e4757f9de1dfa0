/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Registered memory. */
#include <errno.h>

#include "core/net/ofi.h"

/* A key that chance has made twice is another one the next time. */
static int with_key(void *p, size_t n, uint64_t access, struct fid_mr **mr)
{
    enum { TRIES = 8 };
    int rc = -FI_ENOKEY;
    for (int i = 0; i < TRIES && rc == -FI_ENOKEY; i++)
        rc = fi_mr_reg(core_ofi.domain, p, n, access, 0, core_ofi.own_keys ? core_net_memory_key() : 0, 0, mr, NULL);
    return rc;
}

int core_ofi_enroll(struct core_net_memory *m, void *p, size_t n, bool writable)
{
    struct fid_mr *mr;
    int rc = with_key(p, n, FI_REMOTE_READ | (writable ? FI_REMOTE_WRITE : 0), &mr);
    if (rc == 0 && core_ofi.info->domain_attr->mr_mode & FI_MR_ENDPOINT &&
        ((rc = fi_mr_bind(mr, &core_ofi.ep->fid, 0)) != 0 || (rc = fi_mr_enable(mr)) != 0))
        fi_close(&mr->fid);
    if (rc == 0)
        *m = (struct core_net_memory){fi_mr_key(mr), mr};
    return rc;
}

void core_ofi_release(struct core_net_memory *m)
{
    fi_close(&((struct fid_mr *)m->handle)->fid);
}
