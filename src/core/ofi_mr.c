/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Registered memory: the symmetric regions, once, and bodies of large messages
 * while they are being sent. The latter are released as soon as the receiver has
 * them: registering is cheap where the network is software, and providers that
 * pin pages keep a cache of their own, which knows when memory is given back to
 * the system; one of ours would not.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/ofi.h"

static const char *const region_names[OFI_REGIONS] = {
    [OFI_HEAP] = "the symmetric heap", [OFI_DATA] = "the global variables", [OFI_COLL] = "the collective area", [OFI_FACE] = "the tables"};

/* A key that chance has made twice is another one the next time. */
static int register_key(void *p, size_t n, uint64_t access, struct fid_mr **mr)
{
    enum { TRIES = 8 };
    int rc = -FI_ENOKEY;
    for (int i = 0; i < TRIES && rc == -FI_ENOKEY; i++)
        rc = fi_mr_reg(ofi.domain, p, n, access, 0, ofi.own_keys ? ofi_memory_key() : 0, 0, mr, NULL);
    return rc;
}

int ofi_register(void *p, size_t n, uint64_t access, struct fid_mr **mr)
{
    int rc = register_key(p, n, access, mr);
    if (rc != 0 || !(ofi.info->domain_attr->mr_mode & FI_MR_ENDPOINT))
        return rc;
    if ((rc = fi_mr_bind(*mr, &ofi.ep->fid, 0)) == 0 && (rc = fi_mr_enable(*mr)) == 0)
        return 0;
    fi_close(&(*mr)->fid);
    return rc;
}

int ofi_register_regions(void)
{
    size_t coll_n, face_n;
    char *coll = core_coll_area(&coll_n), *face = core_face_area(&face_n);
    ofi.region[OFI_HEAP] = (struct ofi_region){(char *)mpt_fast.heap_lo, mpt_fast.heap_len, NULL};
    ofi.region[OFI_DATA] = (struct ofi_region){(char *)mpt_fast.data_lo, mpt_fast.data_len, NULL};
    ofi.region[OFI_COLL] = (struct ofi_region){coll, coll_n, NULL};
    ofi.region[OFI_FACE] = (struct ofi_region){face, face_n, NULL};
    for (int i = 0; i < OFI_REGIONS; i++) {
        struct ofi_region *r = &ofi.region[i];
        int rc = r->len ? ofi_register(r->base, r->len, FI_REMOTE_READ | FI_REMOTE_WRITE, &r->mr) : 0;
        if (rc != 0) {
            core_error("cannot register %s (%zu bytes) with the network: %s; is there a limit on locked memory (ulimit -l)?",
                       region_names[i], r->len, ofi_lib.strerror(-rc));
            return rc;
        }
    }
    return 0;
}

void ofi_release_regions(void)
{
    for (int i = 0; i < OFI_REGIONS; i++) {
        if (ofi.region[i].mr)
            fi_close(&ofi.region[i].mr->fid);
        ofi.region[i].mr = NULL;
    }
}

/* ---------------------------------------------------------------- places -- */

static int region_of(const void *p)
{
    for (int i = 0; i < OFI_REGIONS; i++)
        if ((uintptr_t)p - (uintptr_t)ofi.region[i].base < ofi.region[i].len)
            return i;
    return -1;
}

ofi_place ofi_place_of(const void *p)
{
    int r = region_of(p);
    if (r < 0)
        core_fatal("%p is no address of symmetric memory", p);
    return (uint64_t)r << 62 | (uint64_t)((const char *)p - ofi.region[r].base);
}

void *ofi_place_here(ofi_place place, size_t n, int from)
{
    uint64_t offset = ofi_place_offset(place);
    unsigned r = (unsigned)ofi_place_region(place);
    if (r >= OFI_REGIONS || offset > ofi.region[r].len || n > ofi.region[r].len - offset)
        core_fatal("a message of PE %d on host %s is for memory that this PE does not have (%zu bytes at offset %llu of %s)", from,
                   core_host(from), n, (unsigned long long)offset, r < OFI_REGIONS ? region_names[r] : "nothing");
    return ofi.region[r].base + offset;
}

/* ------------------------------------------------- bodies of large sends -- */

int ofi_pin(const void *p, size_t n, struct core_far *far, void **pin)
{
    struct fid_mr *mr = NULL;
    int r = region_of(p), rc = 0;
    *pin = NULL;
    far->n = n;
    bool locked = ofi_lock();
    if (r >= 0 && n <= ofi.region[r].len - (size_t)((const char *)p - ofi.region[r].base)) {
        far->key = fi_mr_key(ofi.region[r].mr);
        far->addr = (uint64_t)(ofi.virtual_addr ? (uintptr_t)p : (uintptr_t)((const char *)p - ofi.region[r].base));
    } else if ((rc = ofi_register((void *)(uintptr_t)p, n, FI_REMOTE_READ, &mr)) == 0) {
        far->key = fi_mr_key(mr);
        far->addr = ofi.virtual_addr ? (uintptr_t)p : 0;
        *pin = mr;
    }
    ofi_unlock(locked);
    return rc == 0 ? 0 : -ENOTSUP;
}

void ofi_unpin(void *pin)
{
    struct fid_mr *mr = pin;
    if (!mr)
        return;
    bool locked = ofi_lock();
    fi_close(&mr->fid);
    ofi_unlock(locked);
}

void ofi_fetch(struct core_flow *f, void *to, const struct core_far *far, size_t offset, size_t n)
{
    struct ofi_turn t;
    ofi_turn_begin(&t, "the body of a message", far->pe);
    ofi_read(&t, f, to, far->addr + offset, far->key, n);
    ofi_turn_end(&t);
}
