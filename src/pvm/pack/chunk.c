/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The pieces of memory that messages consist of. Those in the arena are shared
 * between the buffer they were packed into and the messages that are out: each has
 * a reference, and whichever task drops the last one, the owner makes use of the
 * block again. Memory is kept for the next message, so that a loop of sends asks
 * the allocators for nothing.
 */
#include <stdlib.h>
#include <string.h>

#include "pvm/pack/buffer.h"

/* --------------------------------------------------------- private memory -- */

enum { SPARE_MAX = 1024 }; /* kept of each size */

static unsigned char *behind(struct pvmi_chunk *c)
{
    return (unsigned char *)(c + 1);
}

static struct pvmi_chunk *private_new(size_t room)
{
    struct pvmi_spare *s = pvmi.pack.chunks;
    struct pvmi_chunk *c;

    while (s < pvmi.pack.chunks + PVMI_ROOMS && s->room < room)
        s++;
    if (s < pvmi.pack.chunks + PVMI_ROOMS) {
        room = s->room;
        if (s->list) {
            c = s->list;
            s->list = c->next;
            s->n--;
            c->next = NULL;
            c->data = behind(c);
            c->used = 0;
            return c;
        }
    }
    if (room > SIZE_MAX - sizeof *c || !(c = malloc(sizeof *c + room)))
        return NULL;
    *c = (struct pvmi_chunk){.data = behind(c), .room = room, .owner = pvmi.me};
    return c;
}

static const struct pvmi_chunk blank;

static void private_free(struct pvmi_chunk *c)
{
    struct pvmi_spare *s = pvmi.pack.chunks;

    if (c->data != behind(c)) /* of the arena */
        c->room = 0;
    while (s < pvmi.pack.chunks + PVMI_ROOMS && s->room != c->room)
        s++;
    if (s == pvmi.pack.chunks + PVMI_ROOMS || s->n == SPARE_MAX) {
        free(c);
        return;
    }
    *c = blank; /* in a few instructions: a literal would be set by a slow one */
    c->next = s->list;
    c->room = s->room;
    c->owner = pvmi.me;
    s->list = c;
    s->n++;
}

/* ------------------------------------------------------- blocks of the arena -- */

enum {
    CLASS_MIN = 10, /* the smallest block has room for 1 KiB, the next one for twice as much ... */
    CLASSES = PVMI_CLASSES_OF_BLOCKS, /* ... up to PVMI_PIECE */
    LOOK = 8,       /* blocks looked at each time one is missing */
    BURY_EVERY = 64,
};
#define KEEP_MAX (64ul << 20) /* bytes kept free */

_Static_assert(1 << (CLASS_MIN + CLASSES - 1) == PVMI_PIECE, "the largest class");
_Static_assert(sizeof(struct pvmi_hold) <= PVMI_HOLD, "the data lies behind the hold");

/* CLASSES: larger than all. */
static unsigned class_of(size_t room)
{
    unsigned k = 0;

    while (k < CLASSES && (size_t)1 << (k + CLASS_MIN) < room)
        k++;
    return k;
}

static void block_free(struct pvmi_hold *h)
{
    unsigned k = class_of(h->room);

    if (k == CLASSES || h->room > KEEP_MAX - pvmi.pack.blocks.kept) {
        core_arena_free(h);
        return;
    }
    h->next = pvmi.pack.blocks.free[k];
    pvmi.pack.blocks.free[k] = h;
    pvmi.pack.blocks.kept += h->room;
}

static void give_all_back(void)
{
    struct pvmi_hold *h;

    for (unsigned k = 0; k < CLASSES; k++)
        while ((h = pvmi.pack.blocks.free[k])) {
            pvmi.pack.blocks.free[k] = h->next;
            core_arena_free(h);
        }
    pvmi.pack.blocks.kept = 0;
}

static void wait_for_others(struct pvmi_hold *h)
{
    h->waits = true;
    h->next = NULL;
    if (pvmi.pack.blocks.last)
        pvmi.pack.blocks.last->next = h;
    else
        pvmi.pack.blocks.first = h;
    pvmi.pack.blocks.last = h;
}

/* Look at the `n` blocks that have waited longest. */
static void look_at(size_t n)
{
    struct pvmi_hold *stop = pvmi.pack.blocks.last, *h;

    while (n-- && (h = pvmi.pack.blocks.first)) {
        pvmi.pack.blocks.first = h->next;
        if (!pvmi.pack.blocks.first)
            pvmi.pack.blocks.last = NULL;
        /* Acquire: the receivers have read before they dropped it. */
        if (__atomic_load_n(&h->refs, __ATOMIC_ACQUIRE) == 0) {
            h->waits = false;
            block_free(h);
        } else {
            wait_for_others(h);
        }
        if (h == stop)
            return;
    }
}

void pvmi_chunk_sweep(void)
{
    look_at(SIZE_MAX);
}

bool pvmi_chunk_leave(void)
{
    bool clean;

    pvmi_chunk_sweep();
    clean = !pvmi.pack.blocks.first;
    memset(&pvmi.pack.blocks, 0, sizeof pvmi.pack.blocks);
    return clean;
}

/* Before more memory is asked for, but not each time. */
static void look_for_dead(void)
{
    if (pvmi.network && pvmi.pack.blocks.first && pvmi.pack.shortages++ % BURY_EVERY == 0)
        pvmi_chunk_free_dead();
}

static struct pvmi_hold *block_new(size_t room)
{
    unsigned k = class_of(room);
    struct pvmi_hold *h;

    if (k < CLASSES) {
        if (!pvmi.pack.blocks.free[k] && pvmi.pack.blocks.first)
            look_at(LOOK);
        if (!pvmi.pack.blocks.free[k])
            look_for_dead();
        if ((h = pvmi.pack.blocks.free[k])) {
            pvmi.pack.blocks.free[k] = h->next;
            pvmi.pack.blocks.kept -= h->room;
            return h;
        }
        room = (size_t)1 << (k + CLASS_MIN);
    }
    if (room > SIZE_MAX - PVMI_HOLD)
        return NULL;
    if (!(h = core_arena_alloc(PVMI_HOLD + room, 0))) {
        pvmi_chunk_sweep();
        give_all_back();
        if (!(h = core_arena_alloc(PVMI_HOLD + room, 0)))
            return NULL;
    }
    h->room = room;
    h->waits = false;
    return h;
}

/* -------------------------------------------------------------------- chunks -- */

struct pvmi_chunk *pvmi_chunk_new(size_t room, bool shared)
{
    struct pvmi_chunk *c = private_new(shared ? 0 : room);

    if (!c || !shared)
        return c;
    if (!(c->hold = block_new(room))) {
        private_free(c);
        return NULL;
    }
    c->data = (unsigned char *)c->hold + PVMI_HOLD;
    c->room = c->hold->room;
    memset(c->hold->held, 0, sizeof c->hold->held);
    __atomic_store_n(&c->hold->refs, 1, __ATOMIC_RELAXED); /* who gets it learns of it by a message */
    return c;
}

/* Full: only the buffer it was packed into may append. */
struct pvmi_chunk *pvmi_chunk_of(struct pvmi_hold *hold, size_t used, int owner)
{
    struct pvmi_chunk *c = private_new(0);

    if (c) {
        c->hold = hold;
        c->data = (unsigned char *)hold + PVMI_HOLD;
        c->used = c->room = used;
        c->owner = owner;
    }
    return c;
}

void pvmi_chunk_hold(struct pvmi_chunk *c)
{
    if (c->hold)
        __atomic_fetch_add(&c->hold->refs, 1, __ATOMIC_RELAXED);
}

void pvmi_chunk_free_dead(void)
{
    for (struct pvmi_hold *h = pvmi.pack.blocks.first; h; h = h->next)
        pvmi_hold_free_dead(h);
    pvmi_chunk_sweep();
}

static void release(struct pvmi_hold *h, int owner)
{
    if (owner != pvmi.me)
        pvmi_hold_count(h, pvmi.me, false);
    /* Release: what was read here is read; acquire: by the others too, if this was the last one. */
    uint32_t left = __atomic_sub_fetch(&h->refs, 1, __ATOMIC_ACQ_REL);

    if (owner == pvmi.me && !h->waits) {
        if (left == 0)
            block_free(h);
        else
            wait_for_others(h);
    }
}

void pvmi_chunk_drop(struct pvmi_chunk *c)
{
    if (MPT_UNLIKELY(c->offered))
        pvmi_offer_drop(c);
    if (c->hold) {
        release(c->hold, c->owner);
    } else if (c->rndv.n) {
        core_fetch_end(&c->rndv);
    }
    private_free(c);
}

int pvmi_chunk_own(struct pvmi_chunk *c)
{
    int rc = pvmi_chunk_load(c);
    unsigned char *data;

    if (rc < 0 || !c->hold)
        return rc;
    if (!(data = malloc(c->used + 1)))
        return PvmNoMem;
    core_copy(data, c->data, c->used);
    release(c->hold, c->owner);
    c->hold = NULL;
    c->data = data;
    c->room = c->used;
    return PvmOk;
}

static int await_all(struct pvmi_chunk *c)
{
    size_t before = 0, there;

    while (c->offered) {
        there = pvmi_offer_there(c, before);
        if (c->offered && there <= before)
            return PvmNoData;
        before = there;
    }
    return PvmOk;
}

int pvmi_chunk_adopt(struct pvmi_chunk *c)
{
    struct pvmi_hold *h;

    if (!c->hold || c->owner == pvmi.me)
        return PvmOk;
    if (!(h = block_new(c->used)))
        return PvmNoMem;
    core_copy((unsigned char *)h + PVMI_HOLD, c->data, c->used);
    release(c->hold, c->owner);
    memset(h->held, 0, sizeof h->held);
    __atomic_store_n(&h->refs, 1, __ATOMIC_RELAXED);
    c->hold = h;
    c->data = (unsigned char *)h + PVMI_HOLD;
    c->room = c->used;
    c->owner = pvmi.me;
    return PvmOk;
}

/* Into the arena, so that it can be passed on. */
int pvmi_chunk_load(struct pvmi_chunk *c)
{
    struct core_flow flow = {0};
    struct pvmi_hold *h;

    if (c->rndv.n == 0)
        return c->offered ? await_all(c) : PvmOk;
    if (!(h = block_new(c->rndv.n)))
        return PvmNoMem;
    c->data = (unsigned char *)h + PVMI_HOLD;
    core_fetch(&flow, c->data, &c->rndv, 0, c->rndv.n);
    core_flow_finish(&flow);
    core_fetch_end(&c->rndv);
    memset(h->held, 0, sizeof h->held);
    __atomic_store_n(&h->refs, 1, __ATOMIC_RELAXED);
    c->hold = h;
    c->used = c->room = c->rndv.n;
    c->owner = pvmi.me;
    c->rndv.n = 0;
    return PvmOk;
}
