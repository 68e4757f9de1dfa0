/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Operations under way: where their structs come from, how they count in their
 * flow, the lock around the fabric, and the wait for its room.
 */
#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include "core/net/fabric.h"

enum { CHUNK = 64 };

/* Ops come in chunks, which are kept until the end. */
struct core_net_chunk {
    struct core_net_op op[CHUNK];
};

/* ------------------------------------------------------------------ lock -- */

/* Elided in a process of one thread: none is created while the lock is held. */
bool core_net_lock(void)
{
    if (MPT_LIKELY(core_process_single()))
        return false;
    pthread_mutex_lock(&core_state.net.lock);
    return true;
}

void core_net_unlock(bool locked)
{
    if (MPT_UNLIKELY(locked))
        pthread_mutex_unlock(&core_state.net.lock);
}

/* ------------------------------------------------------------------- ops -- */

static struct core_net_op **list_of(bool buffer)
{
    return buffer ? &core_state.net.free_messages : &core_state.net.free_ops;
}

static void more_ops(bool buffer)
{
    struct core_net_chunk *c = calloc(1, sizeof *c),
                          **all = realloc(core_state.net.chunks, (core_state.net.n_chunks + 1) * sizeof *all);
    unsigned char *data = NULL;
    if (!c || !all || (buffer && posix_memalign((void **)&data, 64, (size_t)CHUNK * NET_MSG_MAX) != 0))
        core_fatal("out of memory for operations on the network");
    core_state.net.chunks = all;
    core_state.net.chunks[core_state.net.n_chunks++] = c;
    for (uint32_t i = 0; i < CHUNK; i++) {
        struct core_net_op *op = &c->op[i], **list = list_of(buffer);
        op->number = (core_state.net.n_chunks - 1) * CHUNK + i + 1;
        op->data = buffer ? data + (size_t)i * NET_MSG_MAX : NULL;
        op->next = *list;
        *list = op;
    }
}

static struct core_net_op *take_op(bool buffer, enum core_net_kind kind, const char *what, int pe)
{
    struct core_net_op **list = list_of(buffer), *op;
    if (!*list)
        more_ops(buffer);
    op = *list;
    *list = op->next;
    op->kind = kind;
    op->uses++;
    op->what = what;
    op->pe = pe;
    op->flow = NULL;
    op->next = NULL;
    op->to = NULL;
    op->width = 0;
    op->n = op->tail_n = 0;
    op->holds = 0;
    return op;
}

void core_net_op_of_flow(struct core_net_op *op, struct core_flow *f)
{
    op->flow = f;
    if (!f)
        return;
    __atomic_store_n(&f->begun, f->begun + 1, __ATOMIC_RELAXED);
    core_state.net.begun++;
}

struct core_net_op *core_net_op_new(enum core_net_kind kind, const char *what, int pe, struct core_flow *f)
{
    struct core_net_op *op = take_op(false, kind, what, pe);
    core_net_op_of_flow(op, f);
    return op;
}

struct core_net_op *core_net_message_new(const char *what, int pe)
{
    return take_op(true, NET_MESSAGE, what, pe);
}

void core_net_op_free(struct core_net_op *op)
{
    struct core_net_op **list = list_of(op->data != NULL);
    if (MPT_UNLIKELY(op->tail_copy != NULL)) {
        free(op->tail_copy);
        op->tail_copy = NULL;
    }
    op->kind = NET_FREE;
    op->next = *list;
    *list = op;
}

void core_net_op_done(struct core_net_op *op)
{
    if (op->flow) {
        __atomic_store_n(&op->flow->done, op->flow->done + 1, __ATOMIC_RELEASE);
        core_state.net.done++;
    }
    core_net_op_free(op);
}

/* It was never begun. */
void core_net_op_undo(struct core_net_op *op)
{
    if (op->flow) {
        op->flow->begun--;
        core_state.net.begun--;
    }
    core_net_op_free(op);
}

struct core_net_op *core_net_op_waiting(uint64_t cookie, int from)
{
    uint32_t i = (uint32_t)cookie - 1;
    struct core_net_op *op =
        i < core_state.net.n_chunks * CHUNK ? &core_state.net.chunks[i / CHUNK]->op[i % CHUNK] : NULL;
    return op && op->kind == NET_REPLY && op->uses == cookie >> 32 && op->pe == from ? op : NULL;
}

struct core_net_op *core_net_op_of_peer(int pe)
{
    for (uint32_t i = 0; i < core_state.net.n_chunks * CHUNK; i++) {
        struct core_net_op *op = &core_state.net.chunks[i / CHUNK]->op[i % CHUNK];
        if (op->kind == NET_REPLY && op->pe == pe)
            return op;
    }
    return NULL;
}

void core_net_ops_release(void)
{
    while (core_state.net.n_chunks > 0) {
        struct core_net_chunk *c = core_state.net.chunks[--core_state.net.n_chunks];
        free(c->op[0].data);
        free(c);
    }
    free(core_state.net.chunks);
    core_state.net.chunks = NULL;
    core_state.net.free_ops = core_state.net.free_messages = NULL;
}

/* ----------------------------------------------------------------- turns -- */

void core_net_turn_begin(struct core_net_turn *t, const char *what, int pe)
{
    t->what = what;
    t->pe = pe;
    t->waiting = false;
    t->locked = core_net_lock();
}

/* Others get the lock, and what has arrived its turn. */
static void pause_turn(struct core_net_turn *t)
{
    core_net_unlock(t->locked);
    if (!t->waiting)
        core_wait_begin(&t->w, t->what);
    t->waiting = true;
    core_wait_pause(&t->w);
    t->locked = core_net_lock();
}

bool core_net_turn_again(struct core_net_turn *t, int rc)
{
    if (MPT_LIKELY(rc == 0))
        return false;
    if (rc != -EAGAIN)
        core_net_fail(t->what, t->pe, -rc, "");
    pause_turn(t);
    return true;
}

void core_net_turn_until_idle(struct core_net_turn *t, struct core_flow *f)
{
    while (!core_net_idle_locked(f))
        pause_turn(t);
}

void core_net_turn_until_few(struct core_net_turn *t, const struct core_flow *f, uint64_t few)
{
    while (f->begun - f->done >= few)
        pause_turn(t);
}

void core_net_turn_end(struct core_net_turn *t)
{
    core_net_unlock(t->locked);
    if (MPT_UNLIKELY(t->waiting))
        core_wait_end(&t->w);
}

/* ---------------------------------------------------------------- errors -- */

/* A peer that was killed is first seen here as a lost connection; who supervises
 * the job knows more and gets a moment to end it. */
#define GRACE_NS 500000000l

void core_net_fail(const char *what, int pe, int error, const char *more)
{
    struct timespec grace = {0, GRACE_NS / 10};
    for (int i = 0; i < 10; i++) {
        core_job_check(what);
        nanosleep(&grace, NULL);
    }
    if (pe >= 0)
        core_fatal("%s: the network to PE %d on host %s failed: %s%s%s", what, pe, core_host(pe),
                   core_state.net.fabric->error(error), *more ? "; " : "", more);
    core_fatal("%s: the network failed: %s%s%s", what, core_state.net.fabric->error(error), *more ? "; " : "", more);
}
