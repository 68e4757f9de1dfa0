/* SPDX-License-Identifier: BSD-3-Clause */
/* The v and w forms with random counts, displacements and layouts (no two ranks agree but where they must), small and
 * large counts, in place and not; and parts that are much larger than others. */
#include "cases.h"

enum { MOST = 16, ROUNDS = 24 };

static MPI_Comm comm;
static int rank, size, salt;

/* One side: part i is pairs[i] pairs at slot at[i] of a buffer. Widths of arrays: int and MPI_Count. */
struct side {
    int layout;
    long pairs[MOST], at[MOST]; /* at: in pairs */
    int counts[MOST], displs[MOST], bytes[MOST];
    MPI_Count counts_c[MOST], displs_c[MOST], bytes_c[MOST];
    MPI_Datatype types[MOST];
    void *buf;
};

/* How many pairs go from one rank to another: the same answer everywhere. */
static long flow(int from, int to)
{
    uint64_t x = check_mix((uint64_t)(from * 1009 + to * 31 + salt * 7919));

    return x % 5 == 0 ? 0 : x % 5 == 1 && salt % 4 == 0 ? (long)(x / 8 % 9000) : (long)(x / 8 % 60);
}

static void lay_out(struct side *s, int layout)
{
    long at = 0;

    s->layout = layout;
    for (int k = size - 1; k >= 0; k--) { /* parts in another order than ranks, with gaps between them */
        int i = (k + salt) % size;

        s->at[i] = at;
        at += s->pairs[i] + (i + salt) % 3;
        s->counts_c[i] = s->counts[i] = (int)s->pairs[i] * case_each[layout];
        s->displs_c[i] = s->displs[i] = (int)s->at[i] * case_each[layout];
        s->bytes_c[i] = s->bytes[i] = (int)(s->at[i] * case_step[layout]);
        s->types[i] = case_type[layout];
    }
    s->buf = case_room(layout, at);
}

static void *part(const struct side *s, int i)
{
    return (char *)s->buf + s->at[i] * case_step[s->layout];
}

static void gatherv(int form, bool wide, bool in_place, int root)
{
    struct side s;
    int layout = (salt + 1) % LAYOUTS;
    long n = flow(rank, root);
    void *in = case_room(layout, n);
    const void *send = rank == root && in_place ? MPI_IN_PLACE : in;

    for (int i = 0; i < size; i++)
        s.pairs[i] = flow(i, root);
    lay_out(&s, salt % LAYOUTS);
    case_put(in, layout, n, rank, root, salt);
    if (send == MPI_IN_PLACE)
        case_put(part(&s, rank), s.layout, n, rank, root, salt);
    if (wide)
        OK(MPI_Gatherv_c(send, n * case_each[layout], case_type[layout], s.buf, s.counts_c, (MPI_Aint *)s.displs_c,
                         case_type[s.layout], root, comm));
    else
        RUN_FORM(form, true, Gatherv, Igatherv, send, (int)n * case_each[layout], case_type[layout], s.buf, s.counts,
                 s.displs, case_type[s.layout], root, comm);
    for (int i = 0; rank == root && i < size; i++)
        case_check("gatherv", part(&s, i), s.layout, s.pairs[i], i, root, salt);
    free(in);
    free(s.buf);
}

static void scatterv(int form, bool wide, bool in_place, int root)
{
    struct side s;
    int layout = (salt + 2) % LAYOUTS;
    long n = flow(root, rank);
    void *out = case_room(layout, n), *recv = rank == root && in_place ? MPI_IN_PLACE : out;

    for (int i = 0; i < size; i++)
        s.pairs[i] = flow(root, i);
    lay_out(&s, salt % LAYOUTS);
    for (int i = 0; i < size; i++)
        case_put(part(&s, i), s.layout, s.pairs[i], root, i, salt);
    if (wide)
        OK(MPI_Scatterv_c(s.buf, s.counts_c, (MPI_Aint *)s.displs_c, case_type[s.layout], recv, n * case_each[layout],
                          case_type[layout], root, comm));
    else
        RUN_FORM(form, true, Scatterv, Iscatterv, s.buf, s.counts, s.displs, case_type[s.layout], recv,
                 (int)n * case_each[layout], case_type[layout], root, comm);
    if (recv != MPI_IN_PLACE)
        case_check("scatterv", out, layout, n, root, rank, salt);
    free(out);
    free(s.buf);
}

static void allgatherv(int form, bool wide, bool in_place)
{
    struct side s;
    int layout = (salt + 1) % LAYOUTS;
    long n = flow(rank, 0);
    void *in = case_room(layout, n);
    const void *send = in_place ? MPI_IN_PLACE : in;

    for (int i = 0; i < size; i++)
        s.pairs[i] = flow(i, 0);
    lay_out(&s, (salt + rank) % LAYOUTS);
    case_put(in, layout, n, rank, 0, salt);
    if (in_place)
        case_put(part(&s, rank), s.layout, n, rank, 0, salt);
    if (wide)
        OK(MPI_Allgatherv_c(send, n * case_each[layout], case_type[layout], s.buf, s.counts_c, (MPI_Aint *)s.displs_c,
                            case_type[s.layout], comm));
    else
        RUN_FORM(form, true, Allgatherv, Iallgatherv, send, (int)n * case_each[layout], case_type[layout], s.buf,
                 s.counts, s.displs, case_type[s.layout], comm);
    for (int i = 0; i < size; i++)
        case_check("allgatherv", part(&s, i), s.layout, s.pairs[i], i, 0, salt);
    free(in);
    free(s.buf);
}

/* In place both directions of a pair have the same length. */
static long pair_flow(int from, int to, bool in_place)
{
    return in_place && from > to ? flow(to, from) : flow(from, to);
}

static void alltoall(int form, bool wide, bool in_place, bool w)
{
    struct side out, in;

    for (int i = 0; i < size; i++) {
        out.pairs[i] = pair_flow(rank, i, in_place);
        in.pairs[i] = pair_flow(i, rank, in_place);
    }
    lay_out(&out, salt % LAYOUTS);
    lay_out(&in, (salt / 3 + rank) % LAYOUTS);
    for (int i = 0; i < size; i++) {
        case_put(part(&out, i), out.layout, out.pairs[i], rank, i, salt);
        if (in_place)
            case_put(part(&in, i), in.layout, in.pairs[i], rank, i, salt);
    }
    const void *send = in_place ? MPI_IN_PLACE : out.buf;

    if (wide && w)
        OK(MPI_Alltoallw_c(send, out.counts_c, (MPI_Aint *)out.bytes_c, out.types, in.buf, in.counts_c,
                           (MPI_Aint *)in.bytes_c, in.types, comm));
    else if (wide)
        OK(MPI_Alltoallv_c(send, out.counts_c, (MPI_Aint *)out.displs_c, case_type[out.layout], in.buf, in.counts_c,
                           (MPI_Aint *)in.displs_c, case_type[in.layout], comm));
    else if (w)
        RUN_FORM(form, !in_place, Alltoallw, Ialltoallw, send, out.counts, out.bytes, out.types, in.buf, in.counts,
                 in.bytes, in.types, comm);
    else
        RUN_FORM(form, !in_place, Alltoallv, Ialltoallv, send, out.counts, out.displs, case_type[out.layout], in.buf,
                 in.counts, in.displs, case_type[in.layout], comm);
    for (int i = 0; i < size; i++)
        case_check(w ? "alltoallw" : "alltoallv", part(&in, i), in.layout, in.pairs[i], i, rank, salt);
    free(out.buf);
    free(in.buf);
}

static void on_comm(void)
{
    OK(MPI_Comm_rank(comm, &rank));
    OK(MPI_Comm_size(comm, &size));
    for (int round = 0; round < ROUNDS; round++)
        for (int form = 0; form < FORMS; form++) {
            bool wide = form == BLOCKING && round % 2, in_place = (round / 2) % 2;

            salt++;
            gatherv(form, wide, in_place, round % size);
            scatterv(form, wide, in_place, round % size);
            allgatherv(form, wide, in_place);
            alltoall(form, wide, in_place, false);
            alltoall(form, wide, in_place, true);
        }
}

int main(void)
{
    mc_start();
    salt = (int)(check_seed(1) % 100000);
    cases_start();
    for (int n = mc_size < MOST ? mc_size : MOST; n >= 1; n -= n > 5 ? 3 : 1) {
        comm = case_comm(n);
        if (comm == MPI_COMM_NULL)
            continue;
        on_comm();
        OK(MPI_Comm_free(&comm));
    }
    cases_finish();
    return mc_finish();
}
