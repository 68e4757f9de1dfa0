/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The tables of a virtual machine. They lie in the face area of PE 0: tasks of its
 * node use them in place, others by puts, gets and atomics. Each task's own face
 * area begins with a few words by which others end its waits.
 */
#include <errno.h>
#include <sched.h>
#include <string.h>

#include "core/channel/fastpath.h"
#include "pvm/pvmi.h"

enum { OWN = 4096, HOME = 0 }; /* bytes of own words; the PE that has the tables */
_Static_assert(sizeof(uint64_t) * PVMI_WORDS <= OWN, "the own words fit their page");
_Static_assert(OWN + sizeof(struct pvmi_tables) <= CORE_FACE_SIZE - CORE_FACE_MPI, "the tables fit PVM's part");

static char *area(void)
{
    return core_face_area(NULL);
}

/* The tables as an address of this process's own face area (as puts and gets take
 * it), and where they can be used in place; NULL: on another node. */
static void *symmetric(size_t at)
{
    return area() + OWN + at;
}

static void *in_place(size_t at)
{
    return core_on_node(HOME) ? core_coll_at(HOME, symmetric(at)) : NULL;
}

void *pvmi_look(size_t at, size_t n, void *copy)
{
    void *p = in_place(at);
    if (p)
        return p;
    core_get(CORE_FLOW_DEFAULT, HOME, copy, symmetric(at), n);
    return copy;
}

void pvmi_put(size_t at, size_t n, const void *p)
{
    if (p == in_place(at))
        return;
    core_put(CORE_FLOW_DEFAULT, HOME, symmetric(at), p, n);
    core_quiet(CORE_FLOW_DEFAULT);
}

uint32_t pvmi_add(size_t at, uint32_t n)
{
    uint32_t *word = in_place(at);
    if (word)
        return __atomic_fetch_add(word, n, __ATOMIC_ACQ_REL);
    return (uint32_t)core_amo(CORE_FLOW_DEFAULT, HOME, symmetric(at),
                              (struct core_amo){.op = CORE_AMO_ADD, .width = 4, .value = n});
}

/* ------------------------------------------------------------------ lock -- */

/* From `old` to `new`; returns what was there. */
static uint32_t swap_lock(uint32_t old, uint32_t new)
{
    size_t at = PVMI_AT(lock);
    uint32_t *word = in_place(at);
    if (!word)
        return (uint32_t)core_amo(CORE_FLOW_DEFAULT, HOME, symmetric(at),
                                  (struct core_amo){.op = CORE_AMO_CSWAP, .width = 4, .value = new, .cond = old});
    __atomic_compare_exchange_n(word, &old, new, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
    return old;
}

/* In a fixed job the launcher ends all when one dies. */
static bool died(uint32_t holder)
{
    struct pvmi_task copy;
    const struct pvmi_task *t = pvmi_look(PVMI_AT(task[holder - 1]), sizeof copy, &copy);
    return pvmi.network && !pvmi_process_alive(t->pid, t->born);
}

void pvmi_lock(void)
{
    enum { LOOK_EVERY = 1024, SPINS = 20 };
    uint32_t mine = (uint32_t)pvmi.me + 1, holder;
    for (unsigned tries = 1; (holder = swap_lock(0, mine)) != 0; tries++) {
        if (tries % LOOK_EVERY == 0 && died(holder) && swap_lock(holder, mine) == holder)
            return;
        if (in_place(0) && tries < SPINS) { /* it is held for some hundred instructions */
            core_relax();
            continue;
        }
        core_progress(); /* a holder on another node waits for an answer, perhaps ours */
        sched_yield();
    }
}

void pvmi_unlock(void)
{
    core_quiet(CORE_FLOW_DEFAULT);
    swap_lock((uint32_t)pvmi.me + 1, 0);
}

/* ------------------------------------------------------------- own words -- */

uint64_t *pvmi_own_word(int word)
{
    return (uint64_t *)(void *)area() + word;
}

void pvmi_post(int slot, int word, uint64_t value)
{
    if (core_on_node(slot)) {
        uint64_t *at = core_coll_at(slot, pvmi_own_word(word));
        __atomic_store_n(at, value, __ATOMIC_RELEASE);
        core_changed(slot, at, sizeof *at);
        return;
    }
    core_amo(CORE_FLOW_DEFAULT, slot, pvmi_own_word(word),
             (struct core_amo){.op = CORE_AMO_SET, .width = 8, .value = value});
}

uint64_t pvmi_word(int word)
{
    return __atomic_load_n(pvmi_own_word(word), __ATOMIC_ACQUIRE);
}

/* -------------------------------------------------------------- liveness -- */

/* A stand-alone task that has made no call yet has an empty row. */
static bool alive_alone(int slot, const struct pvmi_task *t)
{
    return slot < core_size() && t->state != PVMI_GONE && !core_pe_left(slot);
}

static void set_gone(int slot, struct pvmi_task *t)
{
    if (__atomic_exchange_n(&t->state, PVMI_GONE, __ATOMIC_ACQ_REL) == PVMI_GONE)
        return;
    pvmi.vm.on_dead(slot);
}

bool pvmi_alive(int slot)
{
    struct pvmi_task copy, *t;
    size_t at = PVMI_AT(task[slot]);
    if (slot < 0 || slot >= PVMI_TASKS)
        return false;
    t = pvmi_look(at, sizeof copy, &copy);
    if (!pvmi.network)
        return alive_alone(slot, t);
    int32_t state = __atomic_load_n(&t->state, __ATOMIC_ACQUIRE);
    if (state != PVMI_RUNNING && state != PVMI_STARTING)
        return false;
    if (slot == pvmi.me || (t->pid == 0 ? !core_job_gone(slot) : pvmi_process_alive(t->pid, t->born)))
        return true;
    set_gone(slot, t);
    return false;
}

void pvmi_never_came(int slot)
{
    struct pvmi_task copy, *t = pvmi_look(PVMI_AT(task[slot]), sizeof copy, &copy);
    if (__atomic_load_n(&t->state, __ATOMIC_ACQUIRE) == PVMI_FREE ||
        (t->pid > 0 && pvmi_process_alive(t->pid, t->born)))
        return;
    core_job_expect(slot, -1, 0);
    set_gone(slot, t);
}
