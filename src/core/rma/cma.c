/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Private memory of PEs of this node, read and written by system calls where the
 * kernel lets processes of one job do that; found out once for each peer.
 */
#include <pthread.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/uio.h>

#include "core/internal.h"

static uint64_t identity_of(int pe)
{
    return (uint64_t)core_seg->inode * 0x9e3779b97f4a7c15u ^ ((uint64_t)(unsigned)pe << 32 | 0x4d505421u);
}

/* Yama lets a process be read by its ancestors only, but a process may name
 * another one that may read it with all its descendants: our launcher, where we
 * know it. Refused where there is no Yama, which does no harm. */
uint64_t core_cma_key(void)
{
    pid_t launcher = core_seg->header->launcher;

    if (core_params.rndv == CORE_RNDV_PULL)
        return 0;
    /* model: publish.see */
    if (!__atomic_load_n(&core_state.rma.cma.identity, __ATOMIC_ACQUIRE)) {
        prctl(PR_SET_PTRACER, launcher > 0 ? (unsigned long)launcher : PR_SET_PTRACER_ANY, 0, 0, 0);
        /* model: publish.set */
        __atomic_store_n(&core_state.rma.cma.identity, identity_of(core_me()), __ATOMIC_RELEASE);
    }
    return (uintptr_t)&core_state.rma.cma.identity;
}

typedef ssize_t transfer(pid_t pid, const struct iovec *here, unsigned long n_here, const struct iovec *there,
                         unsigned long n_there, unsigned long flags);

/* All blocks of `there`, in order, from or to the memory at `here`. The kernel may stop anywhere. */
static bool move_all(transfer *call, int pe, char *here, struct iovec *there, unsigned n)
{
    pid_t pid = core_ctrl_of(core_slice_of(pe))->pid;

    while (n > 0) {
        struct iovec local = {here, 0};
        ssize_t got;

        for (unsigned i = 0; i < n; i++)
            local.iov_len += there[i].iov_len;
        got = local.iov_len ? call(pid, &local, 1, there, n, 0) : 0;
        if (got < 0 || (got == 0 && local.iov_len > 0))
            return false;
        here += got;
        for (; n > 0 && (size_t)got >= there->iov_len; n--, there++)
            got -= (ssize_t)there->iov_len;
        if (n > 0) {
            there->iov_base = (char *)there->iov_base + got;
            there->iov_len -= (size_t)got;
        }
    }
    return true;
}

bool core_cma_readv(int pe, void *here, struct iovec *there, unsigned n)
{
    return move_all(process_vm_readv, pe, here, there, n);
}

bool core_cma_writev(int pe, struct iovec *there, unsigned n, const void *here)
{
    return move_all(process_vm_writev, pe, (char *)(uintptr_t)here, there, n);
}

bool core_cma_read(int pe, void *here, uint64_t there, size_t n)
{
    return move_all(process_vm_readv, pe, here, &(struct iovec){(void *)(uintptr_t)there, n}, 1);
}

/* What is known of a process: may we read it? 0 not known yet. */
enum { READABLE = 1, NOT_READABLE };

bool core_cma_may(int pe, uint64_t key)
{
    unsigned char *known;
    uint64_t word = 0;

    if (!key || !core_on_node(pe))
        return false;
    pthread_mutex_lock(&core_state.rma.cma.lock);
    if (!core_state.rma.cma.readable)
        core_state.rma.cma.readable = calloc(core_seg->header->npes, 1);
    known = core_state.rma.cma.readable ? &core_state.rma.cma.readable[core_slice_of(pe)] : NULL;
    if (known && *known == 0) {
        bool ok = core_cma_read(pe, &word, key, sizeof word) && word == identity_of(pe);

        *known = ok ? READABLE : NOT_READABLE;
        if (!ok)
            core_debug("the memory of PE %d (process %d) cannot be read: large messages from it come in pieces", pe,
                       (int)core_ctrl_of(core_slice_of(pe))->pid);
    }
    pthread_mutex_unlock(&core_state.rma.cma.lock);
    return known && *known == READABLE;
}

void core_cma_forget(int pe)
{
    if (core_state.rma.cma.readable)
        core_state.rma.cma.readable[core_slice_of(pe)] = 0;
}
