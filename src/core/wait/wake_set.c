/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A task that is woken though it does not wait for anything looks once more, and nothing else: so its announcement in
 * the bell need not be looked at. Only threads of a PE, and
 * PEs that are no tasks, sleep on the bell itself (core_ring_bell).
 */
#include <stdlib.h>

#include "core/wait/wake_set.h"
#include "core/internal.h"
#include "core/task/task.h"

struct word {
    struct core_task_board *board;
    unsigned at; /* which of its words */
    uint64_t mask;
};

struct core_wake_set {
    unsigned n_words, n_others, n_pes;
    int *pes; /* all of them, those that are no tasks first */
    struct word words[];
};

static void add_task(struct core_wake_set *s, const struct core_ctrl *c)
{
    struct core_task_board *b = core_board_of(c->host);
    unsigned i = 0;

    while (i < s->n_words && (s->words[i].board != b || s->words[i].at != c->bit / 64))
        i++;
    if (i == s->n_words)
        s->words[s->n_words++] = (struct word){b, c->bit / 64, 0};
    s->words[i].mask |= 1ul << c->bit % 64;
}

struct core_wake_set *core_wake_set_make(int n, int pe(const void *arg, int i), const void *arg)
{
    struct core_wake_set *s;
    int tasks = 0;

    if (!core_seg->header->tasks)
        return NULL;
    s = calloc(1, sizeof *s + (size_t)n * sizeof s->words[0]);
    if (!s || !(s->pes = calloc((size_t)n, sizeof *s->pes))) {
        free(s);
        return NULL;
    }
    for (int i = 0; i < n; i++) {
        int p = pe(arg, i);
        const struct core_ctrl *c = core_on_node(p) && p != core_me() ? core_ctrl_of(core_slice_of(p)) : NULL;

        if (c && c->tasked) {
            add_task(s, c);
            s->pes[n - ++tasks] = p;
        } else if (c) {
            s->pes[s->n_others++] = p;
        }
    }
    for (int i = 0; i < tasks; i++)
        s->pes[s->n_others + (unsigned)i] = s->pes[n - tasks + i];
    s->n_pes = s->n_others + (unsigned)tasks;
    if (tasks > 0)
        return s;
    core_wake_set_free(s);
    return NULL;
}

void core_wake_set_free(struct core_wake_set *s)
{
    if (!s)
        return;
    free(s->pes);
    free(s);
}

void core_wake_set(const struct core_wake_set *s)
{
    bool threads = false;

    for (unsigned i = 0; i < s->n_words; i++) {
        core_task_ready_all(s->words[i].board, s->words[i].at, s->words[i].mask);
        threads |= __atomic_load_n(&s->words[i].board->threads, __ATOMIC_RELAXED);
    }
    for (unsigned i = 0; i < (threads ? s->n_pes : s->n_others); i++)
        core_wake(s->pes[i]);
}
