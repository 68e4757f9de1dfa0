/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Random operations with random datatypes on both sides, against a model: every
 * rank plays the whole job's operations (all draw from the same seed) on arrays of
 * its own, in which datatypes are lists of element numbers. Each round writes to
 * an element once, so the order does not matter.
 */
#include "window.h"

enum { ELEMENTS = 4000, ROUNDS = 40, OPS = 6, MAX_PICK = 600 };

/* Which elements of an array a datatype takes, in its order. */
struct picks {
    MPI_Datatype type;
    int n;
    int at[MAX_PICK];
    int count; /* of the type; the elements are of all of them */
    int span;  /* elements from the first byte to the end */
};

static uint64_t seed;

static int below(int n)
{
    return (int)check_random_below(&seed, (uint64_t)n);
}

static void pick_contiguous(struct picks *p)
{
    p->n = p->count = 1 + below(MAX_PICK - 1);
    p->type = MPI_INT64_T;
    for (int i = 0; i < p->n; i++)
        p->at[i] = i;
    p->span = p->n;
}

static void pick_vector(struct picks *p)
{
    int blocks = 1 + below(8), length = 1 + below(5), stride = length + below(6), count = 1 + below(4);
    int extent = (blocks - 1) * stride + length;

    OK(MPI_Type_vector(blocks, length, stride, MPI_INT64_T, &p->type));
    OK(MPI_Type_commit(&p->type));
    p->n = 0;
    p->count = count;
    for (int c = 0; c < count; c++)
        for (int b = 0; b < blocks; b++)
            for (int i = 0; i < length; i++)
                p->at[p->n++] = c * extent + b * stride + i;
    p->span = count * extent;
}

/* Blocks in any order, of any lengths. */
static void pick_indexed(struct picks *p)
{
    int blocks = 1 + below(60), lengths[64], displs[64], at = 0;

    for (int b = 0; b < blocks; b++) {
        lengths[b] = below(5);
        displs[b] = at + below(4);
        at = displs[b] + lengths[b];
    }
    for (int b = blocks - 1; b > 0; b--) { /* shuffle */
        int other = below(b + 1), l = lengths[b], d = displs[b];

        lengths[b] = lengths[other], displs[b] = displs[other];
        lengths[other] = l, displs[other] = d;
    }
    OK(MPI_Type_indexed(blocks, lengths, displs, MPI_INT64_T, &p->type));
    OK(MPI_Type_commit(&p->type));
    p->n = 0;
    p->count = 1;
    for (int b = 0; b < blocks; b++)
        for (int i = 0; i < lengths[b]; i++)
            p->at[p->n++] = displs[b] + i;
    p->span = at;
}

static void pick(struct picks *p)
{
    switch (below(3)) {
    case 0:
        pick_contiguous(p);
        break;
    case 1:
        pick_vector(p);
        break;
    default:
        pick_indexed(p);
        break;
    }
}

/* The origin's side with as many elements: contiguous, or every second one. */
static void pick_like(struct picks *p, int n)
{
    bool strided = n > 0 && below(2);

    p->n = n;
    p->count = strided ? 1 : n;
    p->type = MPI_INT64_T;
    for (int i = 0; i < n; i++)
        p->at[i] = strided ? 2 * i : i;
    if (strided) {
        OK(MPI_Type_vector(n, 1, 2, MPI_INT64_T, &p->type));
        OK(MPI_Type_commit(&p->type));
    }
}

static void drop(struct picks *p)
{
    if (p->type != MPI_INT64_T)
        OK(MPI_Type_free(&p->type));
}

struct plan {
    int kind, from, to, at; /* at: first element at the target */
    struct picks target, origin;
    int64_t value[2 * MAX_PICK]; /* origin's buffer */
    int64_t *result;
};
enum kind { PUT, GET, ADD, FETCH_ADD, REPLACE, KINDS };

/* A stretch of the target that nobody else uses in this round; false: none left. */
static bool place(struct plan *o, int *used)
{
    if (used[o->to] + o->target.span > ELEMENTS)
        return false;
    o->at = used[o->to];
    used[o->to] += o->target.span + below(3);
    return true;
}

static void make_plan(struct plan *o, int *used)
{
    o->kind = below(KINDS);
    o->from = below(mc_size);
    o->to = below(mc_size);
    pick(&o->target);
    pick_like(&o->origin, o->target.n);
    for (int i = 0; i < 2 * MAX_PICK; i++)
        o->value[i] = (int64_t)(check_random(&seed) >> 20);
    if (!place(o, used)) {
        drop(&o->target);
        drop(&o->origin);
        o->kind = KINDS;
    }
}

static void act(struct window *w, struct plan *o)
{
    MPI_Aint disp = window_disp(w, o->to, (MPI_Aint)o->at * 8);
    const struct picks *a = &o->origin, *t = &o->target;
    int64_t *buf = o->value;

    if (o->kind == KINDS || o->from != mc_rank)
        return;
    o->result = calloc(2 * MAX_PICK, sizeof *o->result);
    switch (o->kind) {
    case PUT:
        OK(MPI_Put(buf, a->count, a->type, o->to, disp, t->count, t->type, w->win));
        break;
    case GET:
        OK(MPI_Get(o->result, a->count, a->type, o->to, disp, t->count, t->type, w->win));
        break;
    case ADD:
        OK(MPI_Accumulate(buf, a->count, a->type, o->to, disp, t->count, t->type, MPI_SUM, w->win));
        break;
    case REPLACE:
        OK(MPI_Accumulate(buf, a->count, a->type, o->to, disp, t->count, t->type, MPI_REPLACE, w->win));
        break;
    case FETCH_ADD:
        OK(MPI_Get_accumulate(buf, a->count, a->type, o->result, a->count, a->type, o->to, disp, t->count, t->type,
                              MPI_SUM, w->win));
        break;
    }
}

/* What the operation does to the model, and what should have come back. */
static void model_and_check(const struct window *w, struct plan *o, int64_t *model, int round)
{
    int64_t *target = model + (size_t)o->to * ELEMENTS + o->at;

    if (o->kind == KINDS)
        return;
    for (int i = 0; i < o->target.n; i++) {
        int64_t old = target[o->target.at[i]], value = o->value[o->origin.at[i]];

        if (o->kind == PUT || o->kind == REPLACE)
            target[o->target.at[i]] = value;
        else if (o->kind != GET)
            target[o->target.at[i]] = old + value;
        if ((o->kind == GET || o->kind == FETCH_ADD) && o->from == mc_rank)
            CHECK(o->result[o->origin.at[i]] == old, "%s: round %d, kind %d, element %d of %d came as %lld, not %lld",
                  flavour_names[w->flavour], round, o->kind, i, o->target.n, (long long)o->result[o->origin.at[i]],
                  (long long)old);
    }
    if (o->from == mc_rank)
        free(o->result);
    drop(&o->target);
    drop(&o->origin);
}

static void run(enum flavour f)
{
    struct window w = window_make(f, ELEMENTS * 8, 8);
    int64_t *model = calloc((size_t)mc_size * ELEMENTS, sizeof *model);
    struct plan *plans = malloc((size_t)(OPS * mc_size) * sizeof *plans);
    int *used = malloc((size_t)mc_size * sizeof *used);

    for (int round = 0; round < ROUNDS; round++) {
        enum sync how = (enum sync)(round % SYNCS);

        memset(used, 0, (size_t)mc_size * sizeof *used);
        for (int i = 0; i < OPS * mc_size; i++)
            make_plan(&plans[i], used);
        sync_begin(&w, how);
        for (int i = 0; i < OPS * mc_size; i++)
            act(&w, &plans[i]);
        sync_end(&w, how);
        for (int i = 0; i < OPS * mc_size; i++)
            model_and_check(&w, &plans[i], model, round);
        for (int i = 0; i < ELEMENTS; i++)
            if (!CHECK(((int64_t *)(void *)w.base)[i] == model[(size_t)mc_rank * ELEMENTS + (size_t)i],
                       "%s: round %d, %s: element %d is %lld, not %lld", flavour_names[f], round, sync_names[how], i,
                       (long long)((int64_t *)(void *)w.base)[i],
                       (long long)model[(size_t)mc_rank * ELEMENTS + (size_t)i]))
                break;
        MPI_Barrier(MPI_COMM_WORLD);
    }
    window_free(&w);
    free(model);
    free(plans);
    free(used);
}

int main(void)
{
    mc_start();
    seed = check_seed(20251);
    for (int f = 0; f < FLAVOURS; f++)
        if (window_possible((enum flavour)f))
            run((enum flavour)f);
    return mc_finish();
}
