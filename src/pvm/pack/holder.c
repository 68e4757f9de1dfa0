/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Who has references to a block of the arena: a task that is killed gives none back,
 * so each block counts them by task, and its owner takes back those of the dead.
 */
#include "pvm/pack/buffer.h"

/* How many references each task has been given is kept in a few words of the block; who finds none free is not
 * found when it dies. An entry: lower bits of the tid above, the number below. Stand-alone programs end with whoever
 * dies. */
enum { PLACES = sizeof((struct pvmi_hold *)0)->held / sizeof(uint32_t), NUMBER = 0x3fff, TASK_AT = 14, TASK = 0x3ffff };

static bool change(uint32_t *entry, uint32_t from, uint32_t to)
{
    return __atomic_compare_exchange_n(entry, &from, to, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

static bool count_at(uint32_t *entry, uint32_t task, bool more)
{
    for (;;) {
        uint32_t old = __atomic_load_n(entry, __ATOMIC_RELAXED), one = task << TASK_AT | 1;

        if (old >> TASK_AT == task && (old & NUMBER) != (more ? NUMBER : 0)) {
            if (change(entry, old, more ? old + 1 : old - 1))
                return true;
        } else if (!more || (old & NUMBER) != 0) {
            return false;
        } else if (change(entry, old, one)) {
            return true;
        }
    }
}

void pvmi_hold_count(struct pvmi_hold *h, int slot, bool more)
{
    uint32_t task;

    if (MPT_LIKELY(!pvmi.network) || (more && slot == pvmi.me)) /* our own end with us */
        return;
    task = (uint32_t)pvmi_tid_of(slot) & TASK;
    for (int i = 0; i < PLACES; i++)
        if (count_at(&h->held[i], task, more))
            return;
}

void pvmi_hold_give(struct pvmi_hold *h, int slot)
{
    __atomic_fetch_add(&h->refs, 1, __ATOMIC_RELAXED);
    pvmi_hold_count(h, slot, true);
}

void pvmi_hold_take_back(struct pvmi_hold *h, int slot)
{
    pvmi_hold_count(h, slot, false);
    __atomic_sub_fetch(&h->refs, 1, __ATOMIC_RELEASE);
}

static bool has_gone(uint32_t task)
{
    int slot = pvmi_slot_of((int)(1u << 18 | task));

    return slot < 0 || core_job_gone(slot);
}

/* What tasks had that have ended without giving it back. */
void pvmi_hold_free_dead(struct pvmi_hold *h)
{
    for (int i = 0; i < PLACES; i++) {
        uint32_t entry = __atomic_load_n(&h->held[i], __ATOMIC_RELAXED);

        if ((entry & NUMBER) != 0 && has_gone(entry >> TASK_AT) && change(&h->held[i], entry, 0))
            __atomic_sub_fetch(&h->refs, entry & NUMBER, __ATOMIC_RELEASE);
    }
}
