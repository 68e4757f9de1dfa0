/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See queue.h.
 */
#include "predict/queue.h"

#include <stdbool.h>

#include "predict/sim.h"

static bool before(const struct sim_event *a, const struct sim_event *b)
{
    if (a->when != b->when)
        return a->when < b->when;
    return a->kind != b->kind ? a->kind > b->kind : a->number < b->number;
}

void sim_queue_push(struct sim_queue *q, struct sim_event x)
{
    int i = q->n++;

    if (q->n > q->room)
        q->heap = sim_grow(q->heap, q->room = 2 * q->n, sizeof *q->heap);
    for (; i > 0 && before(&x, &q->heap[(i - 1) / 2]); i = (i - 1) / 2)
        q->heap[i] = q->heap[(i - 1) / 2];
    q->heap[i] = x;
}

struct sim_event sim_queue_pop(struct sim_queue *q)
{
    struct sim_event top = q->heap[0], last = q->heap[--q->n];
    int i = 0;

    for (int child; (child = 2 * i + 1) < q->n; i = child) {
        if (child + 1 < q->n && before(&q->heap[child + 1], &q->heap[child]))
            child++;
        if (!before(&q->heap[child], &last))
            break;
        q->heap[i] = q->heap[child];
    }
    q->heap[i] = last;
    return top;
}
