/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The study of decompositions over MPI: processes in the topology of MPI_Cart_create, faces as derived datatypes or
 * packed, sent in the standard, buffered and synchronous modes.
 */
#include <stdlib.h>

#include "../mpi/mpijob.h"
#include "study.h"

enum { STANDARD = 0, BUFFERED = 1, SYNCHRONOUS = 2, MODE = 3, BY_HAND = 4, BY_MPI = 8 };

static struct {
    int n;
    MPI_Comm comm;          /* of the decomposition, MPI_COMM_NULL before the first */
    MPI_Datatype face[3];   /* a layer across each direction: own ones and ghosts look the same */
    int kind;
    char *attached;         /* for the buffered mode */
    char *out[2], *in[2];   /* packed faces, below and above */
    int bytes;              /* of each of them */
    struct cell *fields[2];
} x = {.comm = MPI_COMM_NULL};

static void begin(int n, size_t cells, struct cell *fields[2])
{
    const size_t face = (size_t)(n + 2) * (size_t)(n + 2) * sizeof(struct cell);
    const size_t attached = 4 * (face + MPI_BSEND_OVERHEAD); /* two sides, of this step and of the one before */

    x.n = n;
    x.bytes = (int)face + 1024; /* MPI_Pack may need more than the data */
    x.attached = malloc(attached);
    for (int i = 0; i < 2; i++) {
        x.out[i] = malloc((size_t)x.bytes);
        x.in[i] = malloc((size_t)x.bytes);
        x.fields[i] = fields[i] = malloc(cells * sizeof(struct cell));
    }
    if (!x.attached || !x.out[0] || !x.out[1] || !x.in[0] || !x.in[1] || !fields[0] || !fields[1])
        mpijob_fatal("no memory for a cube of %d cells each way", n);
    MPI_Buffer_attach(x.attached, (int)attached);
}

static void end(void)
{
    int bytes;
    void *buffer;

    MPI_Buffer_detach(&buffer, &bytes);
    if (x.comm != MPI_COMM_NULL)
        MPI_Comm_free(&x.comm);
    free(x.attached);
    for (int i = 0; i < 2; i++) {
        free(x.out[i]);
        free(x.in[i]);
        free(x.fields[i]);
    }
}

/* The library may reorder, as the paper lets it. */
static int place(const int dims[3])
{
    static const int periods[3] = {0, 0, 0};
    int me;

    if (x.comm != MPI_COMM_NULL)
        MPI_Comm_free(&x.comm);
    MPI_Cart_create(MPI_COMM_WORLD, 3, dims, periods, 1, &x.comm);
    MPI_Comm_rank(x.comm, &me);
    return me;
}

static void prepare(const struct grid *g, const struct study_way *way)
{
    x.kind = way->kind;
    for (int d = 0; d < 3; d++) {
        const struct face f = grid_face(g, d, 0, false);

        MPI_Type_vector((int)f.blocks, 2 * (int)f.block, 2 * (int)f.stride, MPI_DOUBLE, &x.face[d]);
        MPI_Type_commit(&x.face[d]);
    }
}

static void finish(void)
{
    for (int d = 0; d < 3; d++)
        MPI_Type_free(&x.face[d]);
}

static void start_send(const void *from, int count, MPI_Datatype type, int to, int tag, MPI_Request *request)
{
    switch (x.kind & MODE) {
    case BUFFERED:
        MPI_Ibsend(from, count, type, to, tag, x.comm, request);
        break;
    case SYNCHRONOUS:
        MPI_Issend(from, count, type, to, tag, x.comm, request);
        break;
    default:
        MPI_Isend(from, count, type, to, tag, x.comm, request);
    }
}

/* Packing is part of initiating. The tag is the side from which the receiver sees it come. */
static void send(const struct grid *g, struct cell *field, int d, int side, MPI_Request *request)
{
    const struct face f = grid_face(g, d, side, false);
    const int to = g->neighbour[d][side];
    int packed = 0;

    if (x.kind & BY_HAND) {
        field_pack(field, &f, (struct cell *)x.out[side]);
        start_send(x.out[side], (int)(2 * f.blocks * f.block), MPI_DOUBLE, to, 1 - side, request);
    } else if (x.kind & BY_MPI) {
        MPI_Pack(field + f.first, 1, x.face[d], x.out[side], x.bytes, &packed, x.comm);
        start_send(x.out[side], packed, MPI_PACKED, to, 1 - side, request);
    } else
        start_send(field + f.first, 1, x.face[d], to, 1 - side, request);
}

static void start_receive(const struct grid *g, struct cell *field, int d, int side, MPI_Request *request)
{
    const int from = g->neighbour[d][side];

    if (x.kind & BY_HAND)
        MPI_Irecv(x.in[side], x.bytes / (int)sizeof(double), MPI_DOUBLE, from, side, x.comm, request);
    else if (x.kind & BY_MPI)
        MPI_Irecv(x.in[side], x.bytes, MPI_PACKED, from, side, x.comm, request);
    else
        MPI_Irecv(field + grid_face(g, d, side, true).first, 1, x.face[d], from, side, x.comm, request);
}

static void unpack(const struct grid *g, struct cell *field, int d, int side)
{
    const struct face f = grid_face(g, d, side, true);
    int at = 0;

    if (x.kind & BY_HAND)
        field_unpack(field, &f, (const struct cell *)x.in[side]);
    else if (x.kind & BY_MPI)
        MPI_Unpack(x.in[side], x.bytes, &at, field + f.first, 1, x.face[d], x.comm);
}

/* One direction after the other, so that no face is sent while ghosts at its rim still come. */
static double exchange(const struct grid *g, struct cell *field)
{
    double initiating = 0;

    for (int d = 0; d < 3; d++) {
        MPI_Request requests[4];
        int n = 0;
        int64_t t0;

        for (int side = 0; side < 2; side++)
            if (g->neighbour[d][side] >= 0)
                start_receive(g, field, d, side, &requests[n++]);
        t0 = bench_now();
        for (int side = 0; side < 2; side++)
            if (g->neighbour[d][side] >= 0)
                send(g, field, d, side, &requests[n++]);
        initiating += (double)(bench_now() - t0);
        MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
        for (int side = 0; side < 2; side++)
            if (g->neighbour[d][side] >= 0)
                unpack(g, field, d, side);
    }
    return initiating;
}

static enum bench_stop measure(bench_body *body, void *arg, double budget_ns, struct bench_series *out)
{
    const enum bench_stop stop = mpijob_measure(body, arg, budget_ns, MPIJOB_LONGEST, out);

    return (enum bench_stop)mpijob_agree((long)stop);
}

static double mean(double mine)
{
    double sum = 0;

    MPI_Reduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    return sum / mpijob.size;
}

int main(int argc, char **argv)
{
    static const struct mpijob_program program = {"partition_mpi", "finite differences on a divided cube", 2, 60, 5};
    static const struct study_way ways[] = {{"derived datatype", "standard", STANDARD, false},
                                            {"derived datatype", "buffered", BUFFERED, true},
                                            {"derived datatype", "synchronous", SYNCHRONOUS, true},
                                            {"packed by hand", "standard", BY_HAND | STANDARD, false},
                                            {"MPI_Pack", "standard", BY_MPI | STANDARD, false},
                                            {NULL, NULL, 0, false}};
    struct study_library lib = {.ways = ways,
                                .begin = begin,
                                .end = end,
                                .place = place,
                                .prepare = prepare,
                                .exchange = exchange,
                                .finish = finish,
                                .budget = mpijob_case,
                                .right = mpijob_right,
                                .measure = measure,
                                .mean = mean};
    const char *why;

    mpijob_own(study_options);
    mpijob_start(argc, argv, &program);
    why = study_complaint(mpijob.size);
    if (why && mpijob.rank == 0)
        mpijob_fatal("%s: %s", program.name, why);
    MPI_Barrier(MPI_COMM_WORLD);
    lib.npes = mpijob.size;
    lib.reports = mpijob.rank == 0;
    study_run(&lib);
    return mpijob_finish();
}
