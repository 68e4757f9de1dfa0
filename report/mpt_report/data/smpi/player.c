/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program for mptsim (src/predict/sim.h) carried out under SimGrid's SMPI: each process does the steps of its PE.
 * Prints what mptsim prints. Status 3: a step that MPI's two sides cannot do.
 */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { COMPUTE, SEND, RECEIVE, ISEND, IRECEIVE, WAIT, BARRIER = 8, BROADCAST, REDUCE, ALLREDUCE, ALLTOALL, MARK };

struct step {
    uint32_t pe, op;
    int32_t peer, tag;
    uint64_t bytes;
    double seconds;
};

struct player {
    int me, pes;
    MPI_Request *begun;
    int n, room;
    char *buffer; /* what is in it does not matter */
    size_t bytes;
};

static char *room(struct player *p, size_t bytes)
{
    if (bytes > p->bytes) {
        free(p->buffer);
        p->buffer = malloc(p->bytes = bytes);
    }
    return p->buffer;
}

static MPI_Request *begin(struct player *p)
{
    if (p->n == p->room)
        p->begun = realloc(p->begun, (size_t)(p->room = 2 * p->room + 64) * sizeof *p->begun);
    return &p->begun[p->n++];
}

static void together(struct player *p, const struct step *s)
{
    const int n = (int)s->bytes;
    char *in = room(p, 2 * s->bytes * (s->op == ALLTOALL ? (size_t)p->pes : 1) + 1), *out = in + s->bytes;

    if (s->op == BARRIER)
        MPI_Barrier(MPI_COMM_WORLD);
    else if (s->op == BROADCAST)
        MPI_Bcast(in, n, MPI_BYTE, s->peer, MPI_COMM_WORLD);
    else if (s->op == REDUCE)
        MPI_Reduce(in, out, n, MPI_BYTE, MPI_BOR, s->peer, MPI_COMM_WORLD);
    else if (s->op == ALLREDUCE)
        MPI_Allreduce(in, out, n, MPI_BYTE, MPI_BOR, MPI_COMM_WORLD);
    else
        MPI_Alltoall(in, n, MPI_BYTE, in + s->bytes * (size_t)p->pes, n, MPI_BYTE, MPI_COMM_WORLD);
}

static void play(struct player *p, const struct step *s)
{
    const int n = (int)s->bytes;

    if (s->op == COMPUTE) {
        smpi_execute(s->seconds);
    } else if (s->op == SEND) {
        MPI_Send(room(p, s->bytes), n, MPI_BYTE, s->peer, s->tag, MPI_COMM_WORLD);
    } else if (s->op == RECEIVE) {
        MPI_Recv(room(p, s->bytes), n, MPI_BYTE, s->peer, s->tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (s->op == ISEND) {
        MPI_Isend(room(p, s->bytes), n, MPI_BYTE, s->peer, s->tag, MPI_COMM_WORLD, begin(p));
    } else if (s->op == IRECEIVE) {
        MPI_Irecv(room(p, s->bytes), n, MPI_BYTE, s->peer, s->tag, MPI_COMM_WORLD, begin(p));
    } else if (s->op == WAIT) {
        MPI_Waitall(p->n, p->begun, MPI_STATUSES_IGNORE);
        p->n = 0;
    } else if (s->op >= BARRIER && s->op <= ALLTOALL) {
        together(p, s);
    } else if (s->op == MARK) {
        printf("mark %d %d %.12g\n", p->me, s->tag, MPI_Wtime());
    } else {
        fprintf(stderr, "PE %d: operation %u is one-sided\n", p->me, s->op);
        exit(3);
    }
}

int main(int argc, char **argv)
{
    struct player p = {0};
    struct step s;
    size_t most = 1;
    FILE *program;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &p.me);
    MPI_Comm_size(MPI_COMM_WORLD, &p.pes);
    program = fopen(argv[1], "rb");
    if (!program)
        return 1;
    /* Requests keep the buffer's address: it must not move. */
    while (fread(&s, sizeof s, 1, program) == 1)
        if (s.pe == (uint32_t)p.me && s.op <= IRECEIVE && s.bytes > most)
            most = s.bytes;
    room(&p, most);
    rewind(program);
    while (fread(&s, sizeof s, 1, program) == 1)
        if (s.pe == (uint32_t)p.me)
            play(&p, &s);
    fclose(program);
    printf("clock %d %.12g\n", p.me, MPI_Wtime());
    fflush(stdout);
    MPI_Finalize();
    return 0;
}
