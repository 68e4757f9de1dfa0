/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The tree of what is under way (watch_tree.h): a search tree by first byte, a heap by random numbers.
 */
#include "mpi/check/watch_tree.h"

static bool before(const struct mpii_watch *a, const struct mpii_watch *b)
{
    return a->region.low != b->region.low ? a->region.low < b->region.low : (uintptr_t)a < (uintptr_t)b;
}

static uintptr_t reach_of(const struct mpii_watch *w)
{
    return w ? w->region.reach : 0;
}

static struct mpii_watch *settle(struct mpii_watch *w)
{
    uintptr_t left = reach_of(w->region.left), right = reach_of(w->region.right), most = left > right ? left : right;

    w->region.reach = w->region.high > most ? w->region.high : most;
    return w;
}

static struct mpii_watch *merge(struct mpii_watch *a, struct mpii_watch *b)
{
    if (!a || !b)
        return a ? a : b;
    if (a->region.dice > b->region.dice) {
        a->region.right = merge(a->region.right, b);
        return settle(a);
    }
    b->region.left = merge(a, b->region.left);
    return settle(b);
}

/* Those before w, and the others. */
static void split(struct mpii_watch *tree, const struct mpii_watch *w, struct mpii_watch **low,
                  struct mpii_watch **high)
{
    if (!tree) {
        *low = *high = NULL;
    } else if (before(tree, w)) {
        split(tree->region.right, w, &tree->region.right, high);
        *low = settle(tree);
    } else {
        split(tree->region.left, w, low, &tree->region.left);
        *high = settle(tree);
    }
}

void mpii_watch_tree_add(struct mpii_watch *w)
{
    struct mpii_check_state *state = &mpii_state.check;
    struct mpii_watch **at = &state->tree;

    state->dice = state->dice * 1664525u + 1013904223u;
    w->region.dice = state->dice;
    while (*at && (*at)->region.dice > w->region.dice) {
        struct mpii_region *above = &(*at)->region;

        above->reach = above->reach > w->region.high ? above->reach : w->region.high;
        at = before(*at, w) ? &above->right : &above->left;
    }
    split(*at, w, &w->region.left, &w->region.right);
    *at = settle(w);
    state->under_way++;
}

static struct mpii_watch *without(struct mpii_watch *tree, const struct mpii_watch *w)
{
    if (tree == w)
        return merge(tree->region.left, tree->region.right);
    if (before(tree, w))
        tree->region.right = without(tree->region.right, w);
    else
        tree->region.left = without(tree->region.left, w);
    return settle(tree);
}

void mpii_watch_tree_remove(struct mpii_watch *w)
{
    struct mpii_check_state *state = &mpii_state.check;

    if (state->tree)
        state->tree = without(state->tree, w);
    state->under_way--;
}

void mpii_watch_tree_clear(void)
{
    mpii_state.check.tree = NULL;
}

static bool meet(struct mpii_watch *tree, struct mpii_watch *w,
                 bool (*look)(struct mpii_watch *w, struct mpii_watch *other))
{
    if (!tree || tree->region.reach <= w->region.low)
        return true;
    if (!meet(tree->region.left, w, look))
        return false;
    if (tree->region.low >= w->region.high)
        return true;
    if (tree != w && tree->region.high > w->region.low && !look(w, tree))
        return false;
    return meet(tree->region.right, w, look);
}

void mpii_watch_tree_meet(struct mpii_watch *w, bool (*look)(struct mpii_watch *w, struct mpii_watch *other))
{
    meet(mpii_state.check.tree, w, look);
}
