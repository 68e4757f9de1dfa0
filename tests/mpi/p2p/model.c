/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The matching engine beside a naive one: two plain lists that are searched from
 * the front. Random receives (with wildcards), messages, withdrawals and probes
 * must meet the same partners, with few and with many distinct tags.
 */
#include "../../../src/mpi/p2p/match.h"
#include <mcheck.h>

enum { MOST = 4096 };

struct item {
    struct match_node node;
    int id;
};

struct naive {
    struct item *list[MOST];
    int n;
};

static struct naive receives, messages;
static struct match_queue queue;
static int ids;

static void drop(struct naive *l, int at)
{
    memmove(&l->list[at], &l->list[at + 1], (size_t)(--l->n - at) * sizeof *l->list);
}

static int place(const struct naive *l, const struct item *i)
{
    int at = 0;

    while (at < l->n && l->list[at] != i)
        at++;
    return at;
}

static bool fits(int want_source, int want_tag, int source, int tag)
{
    return (want_source == MPI_ANY_SOURCE || want_source == source) && (want_tag == MPI_ANY_TAG || want_tag == tag);
}

static struct item *new_item(int source, int tag)
{
    struct item *i = malloc(sizeof *i);

    i->node.source = source;
    i->node.tag = tag;
    i->id = ids++;
    return i;
}

static int naive_message(int source, int tag)
{
    for (int i = 0; i < messages.n; i++)
        if (fits(source, tag, messages.list[i]->node.source, messages.list[i]->node.tag))
            return i;
    return -1;
}

static int naive_receive(int source, int tag)
{
    for (int i = 0; i < receives.n; i++)
        if (fits(receives.list[i]->node.source, receives.list[i]->node.tag, source, tag))
            return i;
    return -1;
}

static int id_of(const struct match_node *n)
{
    return n ? ((const struct item *)(const void *)n)->id : -1;
}

static void receive(int source, int tag)
{
    struct match_node *found = match_find(&queue, source, tag);
    int at = naive_message(source, tag);
    struct item *i;

    CHECK(id_of(found) == (at < 0 ? -1 : messages.list[at]->id), "a receive (%d, %d) finds message %d", source, tag,
          id_of(found));
    if (found) {
        match_take(&queue, found);
        drop(&messages, place(&messages, (struct item *)(void *)found));
        free(found);
    } else if (receives.n < MOST) {
        i = new_item(source, tag);
        match_post(&queue, &i->node);
        receives.list[receives.n++] = i;
    }
}

static void message(int source, int tag)
{
    struct match_node *found = match_arrive(&queue, source, tag);
    int at = naive_receive(source, tag);
    struct item *i;

    CHECK(id_of(found) == (at < 0 ? -1 : receives.list[at]->id), "a message (%d, %d) finds receive %d", source, tag,
          id_of(found));
    if (found) {
        drop(&receives, place(&receives, (struct item *)(void *)found));
        free(found);
    } else if (messages.n < MOST) {
        i = new_item(source, tag);
        match_hold(&queue, &i->node);
        messages.list[messages.n++] = i;
    }
}

static void withdraw(uint64_t *state)
{
    int at;

    if (!receives.n)
        return;
    at = (int)check_random_below(state, (uint64_t)receives.n);
    match_withdraw(&queue, &receives.list[at]->node);
    free(receives.list[at]);
    drop(&receives, at);
}

/* Of 16 steps `receiving` post a receive: above 8 receives pile up, below messages do. */
static void traffic(uint64_t *state, int steps, uint64_t sources, uint64_t tags, uint64_t wild, uint64_t receiving)
{
    for (int i = 0; i < steps && !check_failures; i++) {
        uint64_t what = check_random_below(state, 16);
        int source = (int)check_random_below(state, sources), tag = (int)check_random_below(state, tags);

        if (what < receiving) {
            if (check_random_below(state, 100) < wild)
                source = MPI_ANY_SOURCE;
            if (check_random_below(state, 100) < wild)
                tag = MPI_ANY_TAG;
            receive(source, tag);
        } else if (what == 15 && i % 4 == 0) {
            withdraw(state);
        } else {
            message(source, tag);
        }
        CHECK(queue.arrived.n == (unsigned)messages.n, "messages held: %u, model %d", queue.arrived.n, messages.n);
    }
}

static void empty(void)
{
    while (messages.n)
        receive(MPI_ANY_SOURCE, MPI_ANY_TAG);
    while (receives.n) {
        match_withdraw(&queue, &receives.list[0]->node);
        free(receives.list[0]);
        drop(&receives, 0);
    }
    CHECK(!queue.posted.n && !queue.posted.order.first && !queue.arrived.n && !queue.arrived.order.first, "not empty");
}

int main(void)
{
    uint64_t state;

    mc_start();
    state = check_seed(7) + (uint64_t)mc_rank;
    match_init(&queue);
    for (uint64_t wild = 0; wild <= 100; wild += 25)
        for (uint64_t receiving = 4; receiving <= 12; receiving += 4) {
            traffic(&state, 6000, 4, 3, wild, receiving);
            traffic(&state, 6000, 20, 1000, wild, receiving);
            if (receiving == 8)
                empty();
        }
    empty();
    match_finish(&queue);
    return mc_finish();
}
