/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A program's atomics carried out by the network adapters. Those are not atomic
 * with instructions, so they serve only jobs whose PEs are each alone on their node,
 * and there for all PEs, each PE's own words included. What the library itself does
 * with shared words (locks, signals, barriers) stays with the processors.
 */
#include <errno.h>
#include <stdio.h>

#include "core/net/ofi.h"

/* Providers whose atomics are software: the target's processor does them there as
 * it does ours, and later. */
static const char *const emulated[] = {"ofi_rxm", "ofi_rxd", "sockets", "net", "shm", "sm2", "efa", "opx", "psm"};

static const char *const reasons[OFI_NATIVE_REASONS] = {
    [OFI_NATIVE_UNWANTED] = "has another MPT_OFI_ATOMICS",
    [OFI_NATIVE_SHARED] = "shares memory with other PEs of its node, which change the same words by instructions "
                          "(start one PE on each node)",
    [OFI_NATIVE_EMULATED] = "has another MPT_OFI_ATOMICS",
    [OFI_NATIVE_LACKING] = "has a provider without them",
};

static const struct {
    enum fi_op op;
    const char *name;
    bool fetched, alone; /* used with and without result */
} ops[CORE_AMO_OPS] = {
    [CORE_AMO_SET] = {FI_ATOMIC_WRITE, "FI_ATOMIC_WRITE", false, true},
    [CORE_AMO_FETCH] = {FI_ATOMIC_READ, "FI_ATOMIC_READ", true, false},
    [CORE_AMO_SWAP] = {FI_ATOMIC_WRITE, "FI_ATOMIC_WRITE with fetch", true, false},
    [CORE_AMO_CSWAP] = {FI_CSWAP, "FI_CSWAP", false, false},
    [CORE_AMO_ADD] = {FI_SUM, "FI_SUM", true, true},
    [CORE_AMO_AND] = {FI_BAND, "FI_BAND", true, true},
    [CORE_AMO_OR] = {FI_BOR, "FI_BOR", true, true},
    [CORE_AMO_XOR] = {FI_BXOR, "FI_BXOR", true, true},
};

/* --------------------------------------------------------- is it possible -- */

static bool is_emulated(const char *provider)
{
    for (unsigned i = 0; i < sizeof emulated / sizeof *emulated; i++)
        if (core_ofi_provider_has(provider, emulated[i]))
            return true;
    return false;
}

/* The provider lacks something, which `auto` does without. */
static int lacking(const char *what)
{
    core_ofi.native = OFI_NATIVE_LACKING;
    if (core_params.ofi_atomics != CORE_ATOMICS_NATIVE)
        return 0;
    core_error(
        "MPT_OFI_ATOMICS=native: libfabric's provider %s on %s has no %s; choose another by MPT_OFI_PROVIDER, or "
        "MPT_OFI_ATOMICS=auto",
        core_ofi.info->fabric_attr->prov_name, core_ofi.info->domain_attr->name, what);
    return -ENOTSUP;
}

int core_ofi_native_choose(bool one_host)
{
    const enum core_word wanted = core_params.ofi_atomics;
    unsigned sharing = core_seg->shared ? core_seg->header->npes : core_seg->run_n;
    core_ofi.native = wanted == CORE_ATOMICS_CPU ? OFI_NATIVE_UNWANTED : sharing > 1 ? OFI_NATIVE_SHARED : OFI_NATIVE;
    if (core_ofi.native == OFI_NATIVE_SHARED && wanted == CORE_ATOMICS_NATIVE) {
        core_error("MPT_OFI_ATOMICS=native: this PE, on host %s, %s", core_host(-1), reasons[OFI_NATIVE_SHARED]);
        return -ENOTSUP;
    }
    if (core_ofi.native == OFI_NATIVE && wanted == CORE_ATOMICS_AUTO &&
        is_emulated(core_ofi.info->fabric_attr->prov_name))
        core_ofi.native = OFI_NATIVE_EMULATED;
    if (core_ofi.native == OFI_NATIVE && core_ofi_choose_atomics(one_host, &core_ofi.info) != 0)
        return lacking("FI_ATOMIC");
    return 0;
}

static enum fi_datatype type_of(unsigned width)
{
    return width == 4 ? FI_UINT32 : FI_UINT64;
}

static bool has(enum core_amo_op op, unsigned width)
{
    enum fi_datatype type = type_of(width);
    size_t n = 0;
    if (op == CORE_AMO_CSWAP && (fi_compare_atomicvalid(core_ofi.ep, type, FI_CSWAP, &n) != 0 || n < 1))
        return false;
    if (ops[op].fetched && (fi_fetch_atomicvalid(core_ofi.ep, type, ops[op].op, &n) != 0 || n < 1))
        return false;
    return !ops[op].alone || (fi_atomicvalid(core_ofi.ep, type, ops[op].op, &n) == 0 && n >= 1);
}

int core_ofi_native_check(void)
{
    char what[64];
    for (int op = 0; op < CORE_AMO_OPS && core_ofi.native == OFI_NATIVE; op++)
        for (unsigned width = 4; width <= 8; width += 4)
            if (!has((enum core_amo_op)op, width)) {
                snprintf(what, sizeof what, "%s of %u bytes", ops[op].name, width);
                return lacking(what);
            }
    return 0;
}

int core_ofi_native_meet(int pe, enum core_ofi_native theirs)
{
    if (theirs == OFI_NATIVE)
        return 0;
    core_state.rma.atomics_native = false;
    if (core_params.ofi_atomics != CORE_ATOMICS_NATIVE || theirs >= OFI_NATIVE_REASONS)
        return 0;
    core_error("MPT_OFI_ATOMICS=native: PE %d on host %s %s", pe, core_host(pe), reasons[theirs]);
    return -ENOTSUP;
}

/* ----------------------------------------------------------- the operation -- */

/* Its completion says that it is done at the target. */
int core_ofi_atomic(struct core_net_op *op, enum core_amo_op which, unsigned width, struct core_net_target at,
                    void *fetch)
{
    struct fi_ioc value = {&op->value, 1}, cond = {&op->cond, 1}, result = {fetch ? fetch : &op->old, 1};
    struct fi_rma_ioc address = {at.addr, 1, at.key};
    struct fi_msg_atomic msg = {.msg_iov = &value,
                                .iov_count = 1,
                                .addr = core_ofi.peer[op->pe],
                                .rma_iov = &address,
                                .rma_iov_count = 1,
                                .datatype = type_of(width),
                                .op = ops[which].op,
                                .context = op};
    if (which == CORE_AMO_CSWAP)
        return (int)fi_compare_atomicmsg(core_ofi.ep, &msg, &cond, NULL, 1, &result, NULL, 1, FI_COMPLETION);
    if (ops[which].fetched && (fetch || !ops[which].alone))
        return (int)fi_fetch_atomicmsg(core_ofi.ep, &msg, &result, NULL, 1, FI_COMPLETION);
    return (int)fi_atomicmsg(core_ofi.ep, &msg, FI_COMPLETION | FI_DELIVERY_COMPLETE);
}
