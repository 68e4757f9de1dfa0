/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MPI_Dist_graph_create (MPI-5.0, 8.5.4): any process may give any edge. Each edge
 * is sent to both its ends; a sum tells every process from how many others it
 * hears. Neighbours are put in the order of whoever gave the edge, and there as given,
 * so that the graph does not depend on chance.
 */
#include <stdlib.h>
#include <string.h>

#include "mpi/topo/graph_dist.h"

/* An edge as one of its ends is told. */
struct end {
    int out;    /* 1: the edge leaves this end */
    int other;  /* the other end */
    int weight;
};

/* What one process sends to another (counts as many), or got from it. */
struct parcel {
    int rank, n;
    struct end *ends;
};

struct edges {
    struct mpii_comm *c;
    int *starts;           /* by rank: where its ends begin in `ends`; one more entry */
    struct end *ends;      /* all ends this process gives, by rank, as given */
    int senders;           /* processes this one hears from */
    struct parcel *got;    /* senders of them */
};

/* A list of the call's arguments. */
struct given {
    int n;
    const int *sources, *degrees, *destinations, *weights;
};

static int check_given(struct mpii_comm *c, const struct given *g, const char *call)
{
    int64_t total = 0;

    MPII_TRY(mpii_dist_check_edges(c, "sources", g->n, g->sources, MPI_UNWEIGHTED, call));
    if (g->n > 0)
        MPII_TRY(mpii_check_pointer(c, g->degrees, "degrees", call));
    for (int i = 0; i < g->n; total += g->degrees[i++])
        if (g->degrees[i] < 0)
            return mpii_error(c, MPI_ERR_ARG, call, "degrees[%d] is %d, less than 0", i, g->degrees[i]);
    if (total > INT32_MAX / 2)
        return mpii_error(c, MPI_ERR_ARG, call, "degrees give %lld edges, too many", (long long)total);
    return mpii_dist_check_edges(c, "destinations", (int)total, g->destinations, g->weights, call);
}

/* Calls put for both ends of each edge. */
static void each_end(const struct given *g, struct edges *e, void (*put)(struct edges *e, int rank, struct end end))
{
    for (int i = 0, at = 0; i < g->n; i++)
        for (int k = 0; k < g->degrees[i]; k++, at++) {
            const int from = g->sources[i], to = g->destinations[at],
                      weight = g->weights == MPI_UNWEIGHTED ? 0 : g->weights[at];

            put(e, from, (struct end){1, to, weight});
            put(e, to, (struct end){0, from, weight});
        }
}

static void count_end(struct edges *e, int rank, struct end end)
{
    (void)end;
    e->starts[rank + 1]++;
}

/* Uses starts[rank + 1] as the index of the next; it ends where the next rank's begin. */
static void store_end(struct edges *e, int rank, struct end end)
{
    e->ends[e->starts[rank + 1]++] = end;
}

static int sort_given(const struct given *g, struct edges *e)
{
    const int size = e->c->size;
    int total = 0;

    e->starts = calloc((size_t)size + 1, sizeof *e->starts);
    if (!e->starts)
        return MPI_ERR_NO_MEM;
    each_end(g, e, count_end);
    for (int rank = 0; rank < size; rank++) { /* counts to first indices */
        const int n = e->starts[rank + 1];

        e->starts[rank + 1] = total;
        total += n;
    }
    e->ends = malloc((size_t)total * sizeof *e->ends + 1);
    if (!e->ends)
        return MPI_ERR_NO_MEM;
    each_end(g, e, store_end);
    return MPI_SUCCESS;
}

/* How many processes have something for this one. */
static int count_senders(struct edges *e)
{
    const int size = e->c->size;
    int64_t *tells = calloc((size_t)size, sizeof *tells);
    int err;

    if (!tells)
        return MPI_ERR_NO_MEM;
    for (int rank = 0; rank < size; rank++)
        tells[rank] = e->starts[rank + 1] > e->starts[rank];
    err = mpii_coll_allreduce(e->c, tells, size, MPI_SUM);
    e->senders = (int)tells[e->c->rank];
    free(tells);
    return err;
}

static int by_rank(const void *a, const void *b)
{
    return ((const struct parcel *)a)->rank - ((const struct parcel *)b)->rank;
}

/* Sizes travel first, from anybody; then what they announce. */
static int receive(struct edges *e, int tag, int body_tag)
{
    struct mpii_type *bytes = mpii_type_of(MPI_BYTE);

    e->got = calloc((size_t)e->senders + 1, sizeof *e->got);
    if (!e->got)
        return MPI_ERR_NO_MEM;
    for (int i = 0; i < e->senders; i++) {
        struct mpii_request *r;

        MPII_TRY(mpii_irecv(&e->got[i], 2 * sizeof(int), bytes, MPI_ANY_SOURCE, tag, e->c, MPII_LANE_SETUP, &r));
        MPII_TRY(mpii_request_wait(r, NULL));
    }
    qsort(e->got, (size_t)e->senders, sizeof *e->got, by_rank);
    for (int i = 0; i < e->senders; i++) {
        struct parcel *p = &e->got[i];

        p->ends = malloc((size_t)p->n * sizeof *p->ends);
        if (!p->ends)
            return MPI_ERR_NO_MEM;
        MPII_TRY(mpii_recv_bytes(p->ends, (size_t)p->n * sizeof *p->ends, p->rank, body_tag, e->c, MPII_LANE_SETUP));
    }
    return MPI_SUCCESS;
}

static int exchange(struct edges *e)
{
    const int size = e->c->size, tag = mpii_setup_tag(e->c), body_tag = mpii_setup_tag(e->c);
    struct mpii_type *bytes = mpii_type_of(MPI_BYTE);
    struct mpii_request **sent = calloc(2 * (size_t)size, sizeof *sent);
    struct parcel *said = malloc((size_t)size * sizeof *said);
    int err = sent && said ? MPI_SUCCESS : MPI_ERR_NO_MEM, n = 0;

    for (int rank = 0; err == MPI_SUCCESS && rank < size; rank++) {
        const int count = e->starts[rank + 1] - e->starts[rank];

        if (count == 0)
            continue;
        said[rank] = (struct parcel){.rank = e->c->rank, .n = count};
        err =
            mpii_isend(&said[rank], 2 * sizeof(int), bytes, rank, tag, e->c, MPII_LANE_SETUP, MPII_STANDARD, &sent[n]);
        n += err == MPI_SUCCESS;
        if (err == MPI_SUCCESS)
            err = mpii_isend(e->ends + e->starts[rank], (MPI_Count)((size_t)count * sizeof *e->ends), bytes, rank,
                             body_tag, e->c, MPII_LANE_SETUP, MPII_STANDARD, &sent[n]);
        n += err == MPI_SUCCESS;
    }
    if (err == MPI_SUCCESS)
        err = receive(e, tag, body_tag);
    for (int i = 0; i < n; i++) {
        const int done = mpii_request_wait(sent[i], NULL);

        err = err != MPI_SUCCESS ? err : done;
    }
    free(sent);
    free(said);
    return err;
}

static struct mpii_topo *assemble(const struct edges *e, bool weighted)
{
    struct mpii_topo *t;
    int in = 0, out = 0;

    for (int i = 0; i < e->senders; i++)
        for (int k = 0; k < e->got[i].n; k++)
            *(e->got[i].ends[k].out ? &out : &in) += 1;
    t = mpii_dist_new(in, out, weighted);
    if (!t)
        return NULL;
    in = out = 0;
    for (int i = 0; i < e->senders; i++)
        for (int k = 0; k < e->got[i].n; k++) {
            const struct end *end = &e->got[i].ends[k];

            if (end->out) {
                t->destinations[out] = end->other;
                t->dist.out_weights[out++] = end->weight;
            } else {
                t->sources[in] = end->other;
                t->dist.in_weights[in++] = end->weight;
            }
        }
    return t;
}

static void drop(struct edges *e)
{
    for (int i = 0; e->got && i < e->senders; i++)
        free(e->got[i].ends);
    free(e->got);
    free(e->ends);
    free(e->starts);
}

int mpii_Dist_graph_create(MPI_Comm comm_old, int n, const int sources[], const int degrees[], const int destinations[],
                           const int weights[], MPI_Info info, int reorder, MPI_Comm *comm_dist_graph)
{
    const struct given given = {n, sources, degrees, destinations, weights};
    const bool weighted = weights != MPI_UNWEIGHTED;
    struct edges e = {0};
    struct mpii_topo *t = NULL;
    int err;

    MPII_TRY(mpii_comm_begin(comm_old, comm_dist_graph, &e.c, __func__));
    MPII_TRY(mpii_topo_check_intra(e.c, __func__));
    MPII_TRY(mpii_check_together(e.c, __func__, 1, &(struct mpii_same){"reorder", reorder != 0, false}));
    MPII_TRY(mpii_check_info(e.c, info, __func__));
    MPII_TRY(mpii_dist_agree(e.c, check_given(e.c, &given, __func__), weighted, __func__));
    err = sort_given(&given, &e);
    if (err == MPI_SUCCESS)
        err = count_senders(&e);
    if (err == MPI_SUCCESS)
        err = exchange(&e);
    if (err == MPI_SUCCESS)
        t = assemble(&e, weighted);
    drop(&e);
    if (err != MPI_SUCCESS)
        return mpii_error(e.c, err, __func__, "the edges could not be exchanged");
    return mpii_dist_give(e.c, t, info, comm_dist_graph, __func__);
}
