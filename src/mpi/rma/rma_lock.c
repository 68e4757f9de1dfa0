/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The lock of a window's memory, in the target's control block. Handing it over
 * to whoever waits costs a change of processes when they share cores, so who
 * comes when it is free takes it. Waiters that have had enough of that draw a
 * ticket: while there is a queue only its head may enter, so nobody starves. Who
 * leaves wakes the head.
 */
#include "mpi/rma/win.h"

static bool enter(struct mpii_rma_lock *l, bool exclusive)
{
    uint32_t state = __atomic_load_n(&l->state, __ATOMIC_RELAXED);

    if (exclusive) {
        state = 0;
        /* model: rma_lock.enter */
        return __atomic_compare_exchange_n(&l->state, &state, RMA_WRITER, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
    }
    while (!(state & RMA_WRITER))
        /* model: rma_lock.enter_shared */
        if (__atomic_compare_exchange_n(&l->state, &state, state + 1, true, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
            return true;
    return false;
}

bool mpii_rma_lock_try(struct mpii_rma_ctrl *c, bool exclusive)
{
    if (__atomic_load_n(&c->lock.next, __ATOMIC_RELAXED) != __atomic_load_n(&c->lock.serve, __ATOMIC_RELAXED))
        return false;
    return enter(&c->lock, exclusive);
}

uint32_t mpii_rma_lock_draw(struct mpii_rma_ctrl *c, uint32_t mask, int pe)
{
    /* model: rma_lock.draw */
    uint32_t ticket = __atomic_fetch_add(&c->lock.next, 1, __ATOMIC_ACQ_REL);

    /* No more tickets wait than there are members, so none is overwritten. */
    /* model: rma_lock.who */
    __atomic_store_n(&c->who[ticket & mask], (uint32_t)pe, __ATOMIC_RELEASE);
    return ticket;
}

/* Who draws a ticket later looks for itself; who drew it earlier and sleeps is in `who`. */
static void wake_head(struct mpii_rma_ctrl *c, uint32_t mask)
{
    uint32_t serve = __atomic_load_n(&c->lock.serve, __ATOMIC_RELAXED);

    if (MPT_UNLIKELY(__atomic_load_n(&c->lock.next, __ATOMIC_RELAXED) != serve))
        /* model: rma_lock.head */
        core_wake((int)__atomic_load_n(&c->who[serve & mask], __ATOMIC_ACQUIRE));
}

bool mpii_rma_lock_turn(struct mpii_rma_ctrl *c, uint32_t mask, uint32_t ticket, bool exclusive)
{
    /* model: rma_lock.turn */
    if (__atomic_load_n(&c->lock.serve, __ATOMIC_ACQUIRE) != ticket || !enter(&c->lock, exclusive))
        return false;
    /* model: rma_lock.served */
    __atomic_store_n(&c->lock.serve, ticket + 1, __ATOMIC_RELEASE);
    if (!exclusive)
        wake_head(c, mask); /* the next may be a reader, too */
    return true;
}

void mpii_rma_lock_leave(struct mpii_rma_ctrl *c, uint32_t mask, bool exclusive)
{
    if (exclusive)
        /* model: rma_lock.leave */
        __atomic_store_n(&c->lock.state, 0, __ATOMIC_RELEASE);
    else
        /* model: rma_lock.leave_shared */
        __atomic_fetch_sub(&c->lock.state, 1, __ATOMIC_RELEASE);
    core_waiters_fence();
    wake_head(c, mask);
}
