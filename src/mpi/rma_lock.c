/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The lock of a window's memory, in the target's control block. Tickets are
 * served in order: readers that follow one another enter together, a writer when
 * all before it have left. Each word has one who may change it at a time, but for
 * `next`, and `write` while readers leave. Who waits is known by its ticket and is
 * woken by whoever makes it its turn.
 */
#include "mpi/win.h"

uint32_t rma_lock_draw(struct rma_ctrl *c, uint32_t mask, int pe)
{
    uint32_t ticket = __atomic_fetch_add(&c->lock.next, 1, __ATOMIC_ACQ_REL);

    /* No more tickets wait than there are members, so none is overwritten. */
    __atomic_store_n(&c->who[ticket & mask], (uint32_t)pe, __ATOMIC_RELEASE);
    return ticket;
}

/* Who draws a ticket later finds it served; who drew it earlier and sleeps is in `who`. */
static void wake(struct rma_ctrl *c, uint32_t mask, uint32_t ticket)
{
    if (MPT_UNLIKELY(__atomic_load_n(&c->lock.next, __ATOMIC_RELAXED) != ticket))
        core_wake((int)__atomic_load_n(&c->who[ticket & mask], __ATOMIC_ACQUIRE));
}

void rma_lock_enter(struct rma_ctrl *c, uint32_t mask, uint32_t ticket, bool exclusive)
{
    if (exclusive)
        return;
    __atomic_store_n(&c->lock.read, ticket + 1, __ATOMIC_RELEASE);
    wake(c, mask, ticket + 1); /* the next may be a reader, too */
}

void rma_lock_leave(struct rma_ctrl *c, uint32_t mask, bool exclusive)
{
    struct rma_lock after = {0};
    uint32_t turn;

    if (exclusive) { /* nobody else is in, and nobody can enter before this */
        turn = __atomic_load_n(&c->lock.write, __ATOMIC_RELAXED) + 1;
        after.read = after.write = turn;
        __atomic_store_n(&c->lock.both, after.both, __ATOMIC_RELEASE);
    } else {
        turn = __atomic_add_fetch(&c->lock.write, 1, __ATOMIC_ACQ_REL);
        if (__atomic_load_n(&c->lock.read, __ATOMIC_RELAXED) != turn)
            return; /* other readers are in */
    }
    wake(c, mask, turn);
}
