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

static struct spare {
    size_t room; /* behind the struct */
    struct pvmi_chunk *list;
    unsigned n;
} spares[] = {{.room = 0}, {.room = 64}, {.room = PVMI_INLINE}, {.room = CORE_SEND_MAX}};
enum { SPARES = sizeof spares / sizeof *spares };

static unsigned char *behind(struct pvmi_chunk *c)
{
    return (unsigned char *)(c + 1);
}

static struct pvmi_chunk *private_new(size_t room)
{
    struct spare *s = spares;
    struct pvmi_chunk *c;

    while (s < spares + SPARES && s->room < room)
        s++;
    if (s < spares + SPARES) {
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

static void private_free(struct pvmi_chunk *c)
{
    struct spare *s = spares;

    if (c->data != behind(c)) /* of the arena */
        c->room = 0;
    while (s < spares + SPARES && s->room != c->room)
        s++;
    if (s == spares + SPARES || s->n == SPARE_MAX) {
        free(c);
        return;
    }
    *c = (struct pvmi_chunk){.next = s->list, .room = s->room, .owner = pvmi.me};
    s->list = c;
    s->n++;
}

/* ------------------------------------------------------- blocks of the arena -- */

enum {
    CLASS_MIN = 10, /* the smallest block has room for 1 KiB, the next one for twice as much ... */
    CLASSES = 13,   /* ... up to PVMI_PIECE */
    LOOK = 8,       /* blocks looked at each time one is missing */
    BURY_EVERY = 64,
};
#define KEEP_MAX (64ul << 20) /* bytes kept free */

static struct {
    struct pvmi_hold *free[CLASSES];
    size_t kept;
    struct pvmi_hold *first, *last; /* those that others still refer to, as far as known */
} blocks;

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

    if (k == CLASSES || h->room > KEEP_MAX - blocks.kept) {
        core_arena_free(h);
        return;
    }
    h->next = blocks.free[k];
    blocks.free[k] = h;
    blocks.kept += h->room;
}

static void give_all_back(void)
{
    struct pvmi_hold *h;

    for (unsigned k = 0; k < CLASSES; k++)
        while ((h = blocks.free[k])) {
            blocks.free[k] = h->next;
            core_arena_free(h);
        }
    blocks.kept = 0;
}

static void wait_for_others(struct pvmi_hold *h)
{
    h->waits = true;
    h->next = NULL;
    if (blocks.last)
        blocks.last->next = h;
    else
        blocks.first = h;
    blocks.last = h;
}

/* Look at the `n` blocks that have waited longest. */
static void look_at(size_t n)
{
    struct pvmi_hold *stop = blocks.last, *h;

    while (n-- && (h = blocks.first)) {
        blocks.first = h->next;
        if (!blocks.first)
            blocks.last = NULL;
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
    clean = !blocks.first;
    memset(&blocks, 0, sizeof blocks);
    return clean;
}

/* Before more memory is asked for, but not each time. */
static void look_for_dead(void)
{
    static unsigned turns;

    if (pvmi.network && blocks.first && turns++ % BURY_EVERY == 0)
        pvmi_chunk_bury();
}

static struct pvmi_hold *block_new(size_t room)
{
    unsigned k = class_of(room);
    struct pvmi_hold *h;

    if (k < CLASSES) {
        if (!blocks.free[k] && blocks.first)
            look_at(LOOK);
        if (!blocks.free[k])
            look_for_dead();
        if ((h = blocks.free[k])) {
            blocks.free[k] = h->next;
            blocks.kept -= h->room;
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

void pvmi_chunk_bury(void)
{
    for (struct pvmi_hold *h = blocks.first; h; h = h->next)
        pvmi_hold_bury(h);
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
    } else if (c->far.n) {
        core_fetch_end(&c->far);
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

    if (c->far.n == 0)
        return c->offered ? await_all(c) : PvmOk;
    if (!(h = block_new(c->far.n)))
        return PvmNoMem;
    c->data = (unsigned char *)h + PVMI_HOLD;
    core_fetch(&flow, c->data, &c->far, 0, c->far.n);
    core_flow_finish(&flow);
    core_fetch_end(&c->far);
    memset(h->held, 0, sizeof h->held);
    __atomic_store_n(&h->refs, 1, __ATOMIC_RELAXED);
    c->hold = h;
    c->used = c->room = c->far.n;
    c->owner = pvmi.me;
    c->far.n = 0;
    return PvmOk;
}
