/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The members of a team by the node they are on. What a team's groups are
 * follows from its start, stride and size alone, so they are made once and kept:
 * calls on active sets, which make a team each time, find theirs again.
 */
#include <stdlib.h>

#include "coll/internal.h"

static void *allocate(size_t n)
{
    void *p = malloc(n);
    if (!p)
        core_fatal("no memory to note which PEs of a team are on which node (%zu bytes)", n);
    return p;
}

/* Group of each rank, numbered as they come; group_at: by lowest PE of a node. */
static void number(struct coll_groups *g)
{
    int *group_at = allocate((size_t)core_size() * sizeof *group_at);
    for (int pe = 0; pe < core_size(); pe++)
        group_at[pe] = -1;
    for (int r = 0; r < g->size; r++) {
        int *group = &group_at[core_node_of(g->start + r * g->stride)];
        if (*group < 0)
            *group = g->n++;
        g->group_of[r] = *group;
        if (g->start + r * g->stride == core_me())
            g->own = *group;
    }
    free(group_at);
}

static void sort(struct coll_groups *g)
{
    g->first = allocate(((size_t)g->n + 1) * sizeof *g->first);
    for (int i = 0; i <= g->n; i++)
        g->first[i] = 0;
    for (int r = 0; r < g->size; r++)
        g->first[g->group_of[r] + 1]++;
    for (int i = 1; i <= g->n; i++)
        g->first[i] += g->first[i - 1];
    for (int r = 0; r < g->size; r++) {
        g->place_of[r] = g->first[g->group_of[r]]++;
        g->by_group[g->place_of[r]] = r;
    }
    for (int i = g->n; i > 0; i--) /* each has become the start of the next */
        g->first[i] = g->first[i - 1];
    g->first[0] = 0;
}

static struct coll_groups *make(int start, int stride, int size)
{
    struct coll_groups *g = allocate(sizeof *g);
    int *ranks = allocate(3 * (size_t)size * sizeof *ranks);
    *g = (struct coll_groups){.start = start,
                              .stride = stride,
                              .size = size,
                              .by_group = ranks,
                              .group_of = ranks + size,
                              .place_of = ranks + 2 * (size_t)size};
    number(g);
    sort(g);
    return g;
}

const struct coll_groups *coll_groups_of(int start, int stride, int size)
{
    unsigned hash = (unsigned)start * 31 + (unsigned)stride * 7 + (unsigned)size;
    struct coll_groups **bucket = &coll_state.groups.buckets[hash % COLL_GROUP_BUCKETS], *g;
    pthread_mutex_lock(&coll_state.groups.lock);
    for (g = *bucket; g; g = g->next)
        if (g->start == start && g->stride == stride && g->size == size)
            break;
    if (!g) {
        g = make(start, stride, size);
        g->next = *bucket;
        *bucket = g;
    }
    pthread_mutex_unlock(&coll_state.groups.lock);
    return g;
}
