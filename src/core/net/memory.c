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

#include "core/net/fabric.h"

static const char *const region_names[NET_REGIONS] = {[NET_HEAP] = "the symmetric heap",
                                                      [NET_DATA] = "the global variables",
                                                      [NET_COLL] = "the collective area",
                                                      [NET_FACE] = "the tables"};

int core_net_register_regions(void)
{
    size_t coll_n, face_n;
    char *coll = core_coll_area(&coll_n), *face = core_face_area(&face_n);
    core_state.net.region[NET_HEAP] = (struct core_net_region){(char *)mpt_fast.heap_lo, mpt_fast.heap_len, {0}};
    core_state.net.region[NET_DATA] = (struct core_net_region){(char *)mpt_fast.data_lo, mpt_fast.data_len, {0}};
    core_state.net.region[NET_COLL] = (struct core_net_region){coll, coll_n, {0}};
    core_state.net.region[NET_FACE] = (struct core_net_region){face, face_n, {0}};
    for (int i = 0; i < NET_REGIONS; i++) {
        struct core_net_region *r = &core_state.net.region[i];
        int rc = r->len ? core_state.net.fabric->enroll(&r->memory, r->base, r->len, true) : 0;
        if (rc != 0) {
            core_error(
                "cannot register %s (%zu bytes) with the network: %s; is there a limit on locked memory (ulimit -l)?",
                region_names[i], r->len, core_state.net.fabric->error(-rc));
            return rc;
        }
    }
    return 0;
}

void core_net_release_regions(void)
{
    for (int i = 0; i < NET_REGIONS; i++) {
        if (core_state.net.region[i].memory.handle)
            core_state.net.fabric->release(&core_state.net.region[i].memory);
        core_state.net.region[i].memory = (struct core_net_memory){0};
    }
}

/* ------------------------------------------------------------- addresses -- */

static int region_of(const void *p)
{
    for (int i = 0; i < NET_REGIONS; i++)
        if ((uintptr_t)p - (uintptr_t)core_state.net.region[i].base < core_state.net.region[i].len)
            return i;
    return -1;
}

core_net_address core_net_address_of(const void *p)
{
    int r = region_of(p);
    if (r < 0)
        core_fatal("%p is no address of symmetric memory", p);
    return (uint64_t)r << 62 | (uint64_t)((const char *)p - core_state.net.region[r].base);
}

void *core_net_address_here(core_net_address address, size_t n, int from)
{
    uint64_t offset = core_net_address_offset(address);
    unsigned r = (unsigned)core_net_address_region(address);
    if (r >= NET_REGIONS || offset > core_state.net.region[r].len || n > core_state.net.region[r].len - offset)
        core_fatal(
            "a message of PE %d on host %s is for memory that this PE does not have (%zu bytes at offset %llu of %s)",
            from, core_host(from), n, (unsigned long long)offset, r < NET_REGIONS ? region_names[r] : "nothing");
    return core_state.net.region[r].base + offset;
}

/* ------------------------------------------------- bodies of large sends -- */

int core_net_register(const void *p, size_t n, struct core_rndv *rndv, void **registration)
{
    struct core_net_memory m = {0};
    int r = region_of(p), rc = 0;
    *registration = NULL;
    rndv->n = n;
    bool locked = core_net_lock();
    if (r >= 0 && n <= core_state.net.region[r].len - (size_t)((const char *)p - core_state.net.region[r].base)) {
        rndv->key = core_state.net.region[r].memory.key;
        rndv->addr = (uint64_t)(core_state.net.promise.virtual_addr
                                    ? (uintptr_t)p
                                    : (uintptr_t)((const char *)p - core_state.net.region[r].base));
    } else if ((rc = core_state.net.fabric->enroll(&m, (void *)(uintptr_t)p, n, false)) == 0) {
        rndv->key = m.key;
        rndv->addr = core_state.net.promise.virtual_addr ? (uintptr_t)p : 0;
        *registration = m.handle;
    }
    core_net_unlock(locked);
    return rc == 0 ? 0 : -ENOTSUP;
}

void core_net_unpin(void *registration)
{
    struct core_net_memory m = {.handle = registration};
    if (!registration)
        return;
    bool locked = core_net_lock();
    core_state.net.fabric->release(&m);
    core_net_unlock(locked);
}

void core_net_fetch(struct core_flow *f, void *to, const struct core_rndv *rndv, size_t offset, size_t n)
{
    struct core_net_turn t;
    core_net_turn_begin(&t, "the body of a message", rndv->pe);
    core_net_read(&t, f, to, rndv->addr + offset, rndv->key, n);
    core_net_turn_end(&t);
}
