/* SPDX-License-Identifier: BSD-3-Clause */
/* Long data, which members take from each other's buffers: of malloc, of MPI_Alloc_mem, of the program's globals, or
 * some of each; odd sizes; in place; layouts with gaps on some ranks; operations that do not commute; broadcasts of
 * which some rank takes less. Each result is compared with what its rank must get. */
#include "cases.h"

enum { MOST = 300000, RANKS = 9 }; /* bytes of a part */
enum where { MALLOC, ALLOC_MEM, GLOBAL, MIXED, WHERES };

static char globals[2][MOST * RANKS];
static MPI_Comm comm;
static int me, size;

static void *get(enum where where, int which, size_t n)
{
    void *p;

    if (where == MIXED)
        where = (enum where)((me + which) % MIXED);
    if (where == GLOBAL)
        return globals[which];
    if (where == ALLOC_MEM)
        OK(MPI_Alloc_mem((MPI_Aint)n, MPI_INFO_NULL, &p));
    else
        p = malloc(n);
    return p;
}

static void give(enum where where, int which, void *p)
{
    if (where == MIXED)
        where = (enum where)((me + which) % MIXED);
    if (where == ALLOC_MEM)
        OK(MPI_Free_mem(p));
    else if (where == MALLOC)
        free(p);
}

static unsigned char byte_of(int from, int to, long i, int salt)
{
    return (unsigned char)check_mix((uint64_t)(i / 8) * 0x9e3779b9u + (uint64_t)from * 131 + (uint64_t)to * 31 +
                                    (uint64_t)salt + 1);
}

static void fill(unsigned char *p, long n, int from, int to, int salt)
{
    for (long i = 0; i < n; i++)
        p[i] = byte_of(from, to, i, salt);
}

static void same(const char *what, const unsigned char *p, long n, int from, int to, int salt)
{
    for (long i = 0; i < n; i++)
        if (!CHECK(p[i] == byte_of(from, to, i, salt), "%s: byte %ld of %ld from %d to %d: %#x, expected %#x", what, i,
                   n, from, to, p[i], byte_of(from, to, i, salt)))
            return;
}

static void moves(enum where where, long n, int salt)
{
    unsigned char *in = get(where, 0, (size_t)(n * size)), *out = get(where, 1, (size_t)(n * size));
    int root = salt % size;

    fill(in, n, root, 0, salt);
    if (me != root)
        memset(in, 0, (size_t)n);
    OK(MPI_Bcast(in, (int)n, MPI_BYTE, root, comm));
    same("MPI_Bcast", in, n, root, 0, salt);

    for (int i = 0; i < size; i++)
        fill(in + i * n, n, me, i, salt);
    memset(out, 0, (size_t)(n * size));
    OK(MPI_Alltoall(in, (int)n, MPI_BYTE, out, (int)n, MPI_BYTE, comm));
    for (int i = 0; i < size; i++)
        same("MPI_Alltoall", out + i * n, n, i, me, salt);
    OK(MPI_Alltoall(MPI_IN_PLACE, 0, MPI_BYTE, out, (int)n, MPI_BYTE, comm));
    for (int i = 0; i < size; i++)
        same("MPI_Alltoall in place", out + i * n, n, me, i, salt);

    OK(MPI_Scatter(in, (int)n, MPI_BYTE, me == root && salt % 2 ? MPI_IN_PLACE : out, (int)n, MPI_BYTE, root, comm));
    if (me != root || salt % 2 == 0)
        same("MPI_Scatter", out, n, root, me, salt);
    memset(out, 0, (size_t)(n * size));
    OK(MPI_Gather(in + root * n, (int)n, MPI_BYTE, out, (int)n, MPI_BYTE, root, comm));
    for (int i = 0; me == root && i < size; i++)
        same("MPI_Gather", out + i * n, n, i, root, salt);

    memset(out, 0, (size_t)(n * size));
    memcpy(out + me * n, in, (size_t)n);
    OK(MPI_Allgather(salt % 2 ? MPI_IN_PLACE : in, (int)n, MPI_BYTE, out, (int)n, MPI_BYTE, comm));
    for (int i = 0; i < size; i++)
        same("MPI_Allgather", out + i * n, n, i, 0, salt);
    give(where, 0, in);
    give(where, 1, out);
}

/* Of affine maps x -> ax + b: to apply one after the other, which does not commute. */
struct map {
    uint32_t a, b;
};

static void follow(void *in, void *inout, int *n, MPI_Datatype *type)
{
    const struct map *f = in;
    struct map *g = inout;

    (void)type;
    for (int i = 0; i < *n; i++)
        g[i] = (struct map){f[i].a * g[i].a, f[i].a * g[i].b + f[i].b};
}

static struct map map_of(int rank, long i)
{
    return (struct map){(uint32_t)(2 * i + 2 * rank + 3), (uint32_t)(i * 7 + rank)};
}

static void maps(enum where where, long n, int salt, MPI_Op op, MPI_Datatype type)
{
    struct map *in = get(where, 0, (size_t)n * 8), *out = get(where, 1, (size_t)n * 8);
    int root = salt % size;

    for (int all = 0; all < 2; all++) {
        bool in_place = (salt + all) % 2, wants = all || me == root;

        for (long i = 0; i < n; i++)
            in[i] = out[i] = map_of(me, i);
        if (all)
            OK(MPI_Allreduce(in_place ? MPI_IN_PLACE : in, out, (int)n, type, op, comm));
        else
            OK(MPI_Reduce(in_place && wants ? MPI_IN_PLACE : in, out, (int)n, type, op, root, comm));
        for (long i = 0; wants && i < n; i++) {
            struct map want = map_of(size - 1, i);

            for (int r = size - 2; r >= 0; r--) {
                struct map f = map_of(r, i);

                want = (struct map){f.a * want.a, f.a * want.b + f.b};
            }
            if (!CHECK(out[i].a == want.a && out[i].b == want.b, "element %ld of %ld of %s: %u %u, expected %u %u", i,
                       n, all ? "MPI_Allreduce" : "MPI_Reduce", out[i].a, out[i].b, want.a, want.b))
                break;
        }
    }
    give(where, 0, in);
    give(where, 1, out);
}

static void sums(enum where where, long n, int salt)
{
    double *in = get(where, 0, (size_t)n * 8), *out = get(where, 1, (size_t)n * 8);
    int root = salt % size;

    for (int all = 0; all < 2; all++) {
        for (long i = 0; i < n; i++)
            in[i] = out[i] = (double)(i % 1000 + me * 3);
        if (all)
            OK(MPI_Allreduce(salt % 2 ? MPI_IN_PLACE : in, out, (int)n, MPI_DOUBLE, MPI_SUM, comm));
        else
            OK(MPI_Reduce(salt % 2 && me == root ? MPI_IN_PLACE : in, out, (int)n, MPI_DOUBLE, MPI_SUM, root, comm));
        for (long i = 0; (all || me == root) && i < n; i++) {
            double want = (double)(i % 1000) * size + 3.0 * size * (size - 1) / 2;

            if (!CHECK(out[i] == want, "sum %ld of %ld: %g, expected %g", i, n, out[i], want))
                break;
        }
    }
    give(where, 0, in);
    give(where, 1, out);
}

/* The same signature, with gaps on odd ranks. */
static void layouts(long pairs, int salt)
{
    int mine = me % 2 ? 2 : 1, root = salt % size;
    char *in = malloc((size_t)(pairs * 24 * size)), *out = malloc((size_t)(pairs * 24 * size));

    case_put(in, mine, pairs, me == root ? root : -1, 0, salt);
    OK(MPI_Bcast(in, (int)pairs, case_type[mine], root, comm));
    case_check("MPI_Bcast", in, mine, pairs, root, 0, salt);
    for (int i = 0; i < size; i++)
        case_put(in + i * pairs * case_step[mine], mine, pairs, me, i, salt);
    OK(MPI_Alltoall(in, (int)pairs, case_type[mine], out, (int)pairs * 2, MPI_INT, comm));
    for (int i = 0; i < size; i++)
        case_check("MPI_Alltoall", out + i * pairs * 8, 0, pairs, i, me, salt);
    OK(MPI_Allgather(in, (int)pairs, case_type[mine], out, (int)pairs, case_type[2 - me % 2], comm));
    for (int i = 0; i < size; i++)
        case_check("MPI_Allgather", out + i * pairs * case_step[2 - me % 2], 2 - me % 2, pairs, i, 0, salt);
    free(in);
    free(out);
}

/* Who takes less than the root sends gets an error, the others all, and the communicator goes on. Not where long data
 * pass in parts, between nodes (strangers.py). */
static void shorter(long n)
{
    unsigned char *p = malloc((size_t)n);
    int one = 1, sum = 0;

    fill(p, n, me, 0, 7);
    if (me == 1)
        FAILS(MPI_Bcast(p, (int)(n - 1000), MPI_BYTE, 0, comm), MPI_ERR_TRUNCATE);
    else
        OK(MPI_Bcast(p, (int)n, MPI_BYTE, 0, comm));
    if (me != 1)
        same("MPI_Bcast that one rank takes in part", p, n, 0, 0, 7);
    OK(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm));
    CHECK(sum == size, "a sum of ones: %d of %d", sum, size);
    free(p);
}

static int node_size(void)
{
    MPI_Comm node;
    int n;

    OK(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node));
    OK(MPI_Comm_size(node, &n));
    OK(MPI_Comm_free(&node));
    return n;
}

int main(void)
{
    static const long sizes[] = {40000, 65537, 131072 + 24, MOST};
    MPI_Datatype type;
    MPI_Op op;
    int salt = 0;

    mc_start();
    cases_start();
    OK(MPI_Type_contiguous(8, MPI_BYTE, &type));
    OK(MPI_Type_commit(&type));
    OK(MPI_Op_create(follow, 0, &op));
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    OK(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    OK(MPI_Comm_rank(comm, &me));
    OK(MPI_Comm_size(comm, &size));
    CHECK(size <= RANKS, "%d ranks, the test has room for %d", size, RANKS);
    for (int where = 0; where < WHERES && size <= RANKS; where++)
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
            moves((enum where)where, sizes[k], ++salt);
            maps((enum where)where, sizes[k] / 8, ++salt, op, type);
            sums((enum where)where, sizes[k] / 8, ++salt);
        }
    layouts(6000, 1);
    layouts(20000, 2);
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        if (size > 1 && (size < 4 || node_size() == size))
            shorter(k == 0 ? 33000 : sizes[k]); /* 33000: above the least that is read in place, less 1000 below */
    OK(MPI_Op_free(&op));
    OK(MPI_Type_free(&type));
    OK(MPI_Comm_free(&comm));
    cases_finish();
    return mc_finish();
}
