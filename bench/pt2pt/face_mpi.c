/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages of MPI, for the tests that mpi/ doesn't have in MPI's own words: non-blocking sends, one under way at a
 * time, so that two processes may send to each other first and receive then.
 */
#include "face_own.h"

#include "../mpi/mpijob.h"

enum { TAG_MESSAGE = 21, TAG_NUMBER };

const struct face_way face_ways[] = {{"MPI_Isend, MPI_Recv", NULL, 0, true}, {NULL, NULL, 0, false}};

static MPI_Request under_way = MPI_REQUEST_NULL;

void face_start(int argc, char **argv, const struct face_program *p, size_t bytes)
{
    const struct mpijob_program program = {face_name("mpi", p), p->purpose, p->least, p->seconds, p->quick_seconds};

    mpijob_start(argc, argv, &program);
    face = (struct face){mpijob.rank, mpijob.size};
    face_make_room(p, bytes);
}

static void complete(void)
{
    MPI_Wait(&under_way, MPI_STATUS_IGNORE);
}

int face_finish(void)
{
    complete();
    face_drop_room();
    return mpijob_finish();
}

void face_die(const char *text)
{
    mpijob_fatal("%s", text);
}

void face_barrier(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}

long face_agree(long value)
{
    return mpijob_agree(value);
}

double face_share(const char *label)
{
    return mpijob_case(label);
}

bool face_right(bool mine)
{
    complete();
    return mpijob_right(mine);
}

enum bench_stop face_measure(bench_body *body, void *arg, double budget_ns, bool longest, struct bench_series *out)
{
    return mpijob_measure(body, arg, budget_ns, longest ? MPIJOB_LONGEST : MPIJOB_RANK0, out);
}

struct bench_params face_params(const struct face_way *way)
{
    struct bench_params p = mpijob_params();

    bench_param_text(&p, "call", way->call);
    return p;
}

void face_send(const struct face_way *way, int to, long bytes)
{
    (void)way;
    complete();
    MPI_Isend(face_take_out(), (int)bytes, MPI_CHAR, to, TAG_MESSAGE, MPI_COMM_WORLD, &under_way);
}

void face_receive(const struct face_way *way, int from, long bytes)
{
    (void)way;
    MPI_Recv(face_take_in(from), (int)bytes, MPI_CHAR, from, TAG_MESSAGE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    complete();
}

void face_tell(int to, long value)
{
    complete();
    MPI_Send(&value, 1, MPI_LONG, to, TAG_NUMBER, MPI_COMM_WORLD);
}

long face_told(int from)
{
    long value;

    complete();
    MPI_Recv(&value, 1, MPI_LONG, from, TAG_NUMBER, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return value;
}

bool face_heard(int from)
{
    int heard;

    MPI_Iprobe(from, TAG_NUMBER, MPI_COMM_WORLD, &heard, MPI_STATUS_IGNORE);
    return heard != 0;
}

void face_told_aside(int from)
{
    face_told(from);
}
