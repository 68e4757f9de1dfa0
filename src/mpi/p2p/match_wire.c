/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What waits while a process takes no more: words to it, and how many sends.
 * Nothing here waits for it: a progress hook tries again.
 */
#include <errno.h>

#include "mpi/ft/ft.h"
#include "mpi/p2p/p2p.h"

static struct mpii_p2p_state *const p2p = &mpii_state.p2p;

/* ------------------------------------------------- words that wait for room -- */

struct mpii_p2p_word {
    struct mpii_p2p_word *next;
    int proc;
    bool ends; /* `far`, not `control` */
    struct mpii_p2p_control control;
    uint32_t more;
    struct core_rndv rndv;
};

static bool try_word(const struct mpii_p2p_word *w)
{
    int err;

    if (w->ends && w->rndv.pe >= core_size()) {
        p2p->foreign->end(&w->rndv);
        return true;
    }
    if (w->ends)
        return core_fetch_end_try(&w->rndv);
    err = mpii_p2p_wire_send(w->proc, MPII_CHANNEL_CONTROL, &w->control, sizeof w->control, &w->more, sizeof w->more);
    if (err == -EPIPE && (w->proc >= core_size() || mpii_state.ft.on))
        return true; /* it has ended, and needs to know no more */
    if (err != 0 && err != -EAGAIN)
        core_fatal("cannot send a word of MPI to process %d: %s", w->proc, strerror(-err));
    return err == 0;
}

/* A process that takes no more holds up the words for others: there are few. */
static void step_words(struct mpii_hook *hook)
{
    while (p2p->words.first && try_word(p2p->words.first)) {
        struct mpii_p2p_word *w = p2p->words.first;

        p2p->words.first = w->next;
        free(w);
    }
    if (!p2p->words.first) {
        p2p->words.last = &p2p->words.first;
        mpii_hook_remove(hook);
    }
}

static void later(struct mpii_p2p_word *w)
{
    struct mpii_p2p_word *kept = malloc(sizeof *kept);

    if (!kept)
        core_fatal("out of memory for a word to process %d", w->proc);
    *kept = *w;
    kept->next = NULL;
    if (!p2p->words.first) {
        p2p->words.hook.step = step_words;
        mpii_hook_add(&p2p->words.hook);
    }
    *p2p->words.last = kept;
    p2p->words.last = &kept->next;
}

void mpii_p2p_say(int proc, const struct mpii_p2p_control *c)
{
    mpii_p2p_say_more(proc, c, 0);
}

void mpii_p2p_say_more(int proc, const struct mpii_p2p_control *c, uint32_t more)
{
    struct mpii_p2p_word w = {NULL, proc, false, *c, more, {0}};

    if (p2p->words.first || !try_word(&w))
        later(&w);
}

bool mpii_p2p_words_wait(void)
{
    return p2p->words.first != NULL;
}

void mpii_p2p_fetch_end(const struct core_rndv *rndv)
{
    struct mpii_p2p_word w = {NULL, rndv->pe, true, {0}, 0, *rndv};

    if (p2p->words.first || !try_word(&w))
        later(&w);
}

/* ------------------------------------------------ queued sends by process -- */

struct mpii_p2p_peer_queue *mpii_p2p_peer_queue_of(int proc)
{
    if (MPT_UNLIKELY(proc >= p2p->n_peer_queues)) {
        int n = proc + 1 > core_size() ? proc + 16 : core_size();
        struct mpii_p2p_peer_queue *more = realloc(p2p->peer_queues, (size_t)n * sizeof *more);

        if (!more)
            core_fatal("out of memory for sends that wait");
        memset(more + p2p->n_peer_queues, 0, (size_t)(n - p2p->n_peer_queues) * sizeof *more);
        p2p->peer_queues = more;
        p2p->n_peer_queues = n;
    }
    return &p2p->peer_queues[proc];
}
