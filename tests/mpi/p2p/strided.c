/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Long messages of random layouts on both sides, against lists of where each int
 * lies: memory that peers reach and memory that they don't, receives posted
 * before and after, synchronous sends, receives that are too short, to itself.
 */
#include <mcheck.h>
#include <sys/mman.h>

enum { INTS_MAX = 60000, SPAN = 1 << 20, ROUNDS = 120 }; /* SPAN: ints of a buffer; the layout begins in its middle */

static int right, left;
static int global[2][SPAN];

struct layout {
    MPI_Datatype type;
    long extent; /* ints */
    int n, *at;  /* where the k-th int lies, in ints */
    char text[160];
};

static void note(struct layout *l, const char *what, long a, long b)
{
    size_t n = strlen(l->text);

    snprintf(l->text + n, sizeof l->text - n, " %s(%ld,%ld)", what, a, b);
}

/* `count` copies, the i-th at where[i]. */
static void copies(struct layout *l, MPI_Datatype type, int count, const long *where, long extent)
{
    MPI_Datatype sized;
    int had = l->n;

    for (int i = count; i-- > 0;)
        for (int k = 0; k < had; k++)
            l->at[i * had + k] = l->at[k] + (int)where[i];
    l->n = count * had;
    OK(MPI_Type_free(&l->type));
    OK(MPI_Type_create_resized(type, 0, extent * (long)sizeof(int), &sized));
    OK(MPI_Type_free(&type));
    l->type = sized;
    l->extent = extent;
}

static bool fits(const struct layout *l, int count, long extent)
{
    return (long)l->n * count <= INTS_MAX && extent < SPAN / 4;
}

static void regular(struct layout *l, uint64_t *rng)
{
    int count = 1 + (int)check_random_below(rng, check_random_below(rng, 3) ? 40 : 4000);
    long gap = l->extent + (long)check_random_below(rng, check_random_below(rng, 2) ? 3 : 70), extent = gap * count,
         *where;
    bool back = check_random_below(rng, 4) == 0;
    MPI_Datatype t;

    if (!fits(l, count, extent))
        return;
    where = malloc((size_t)count * sizeof *where);
    for (int i = 0; i < count; i++)
        where[i] = (back ? count - 1 - i : i) * gap;
    OK(MPI_Type_create_hvector(count, 1, (back ? -gap : gap) * (long)sizeof(int), l->type, &t));
    if (back) { /* its first copy is the last in memory */
        MPI_Datatype moved;
        MPI_Aint shift = where[0] * (MPI_Aint)sizeof(int);

        OK(MPI_Type_create_hindexed_block(1, 1, &shift, t, &moved));
        OK(MPI_Type_free(&t));
        t = moved;
    }
    copies(l, t, count, where, extent);
    note(l, back ? "back" : "every", count, gap);
    free(where);
}

static void irregular(struct layout *l, uint64_t *rng)
{
    int count = 1 + (int)check_random_below(rng, 60);
    MPI_Aint bytes[60];
    long where[60], at = 0;
    MPI_Datatype t;

    for (int i = 0; i < count; i++) {
        at += (long)check_random_below(rng, 9);
        where[i] = at;
        bytes[i] = at * (MPI_Aint)sizeof(int);
        at += l->extent;
    }
    if (!fits(l, count, at))
        return;
    OK(MPI_Type_create_hindexed_block(count, 1, bytes, l->type, &t));
    copies(l, t, count, where, at);
    note(l, "indexed", count, at);
}

/* At least `ints` of them, by copies of whatever came out. */
static struct layout layout_new(uint64_t *rng)
{
    struct layout l = {MPI_DATATYPE_NULL, 1, 1, calloc(INTS_MAX, sizeof *l.at), ""};

    OK(MPI_Type_dup(MPI_INT, &l.type));
    for (int step = 1 + (int)check_random_below(rng, 4); step > 0; step--)
        if (check_random_below(rng, 3))
            regular(&l, rng);
        else
            irregular(&l, rng);
    OK(MPI_Type_commit(&l.type));
    return l;
}

static void layout_free(struct layout *l)
{
    OK(MPI_Type_free(&l->type));
    free(l->at);
}

/* ------------------------------------------------------------------- memory -- */

enum memory { HEAP, GLOBAL, PRIVATE, ALLOCATED, MEMORIES };

static int *memory_new(enum memory m, int side)
{
    int *p = NULL;

    switch (m) {
    case HEAP:
        p = malloc(SPAN * sizeof *p);
        break;
    case GLOBAL:
        p = global[side];
        break;
    case PRIVATE:
        p = mmap(NULL, SPAN * sizeof *p, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        p = p == MAP_FAILED ? NULL : p;
        break;
    default:
        OK(MPI_Alloc_mem(SPAN * sizeof *p, MPI_INFO_NULL, &p));
    }
    if (!p) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    return p;
}

static void memory_free(enum memory m, int *p)
{
    if (m == HEAP)
        free(p);
    else if (m == PRIVATE)
        munmap(p, SPAN * sizeof *p);
    else if (m == ALLOCATED)
        OK(MPI_Free_mem(p));
}

/* -------------------------------------------------------------------- rounds -- */

struct side {
    struct layout l;
    enum memory m;
    int count; /* of l */
    int *base, *buf;
    int ints;
};

static void side_new(struct side *s, uint64_t *rng, int which)
{
    s->l = layout_new(rng);
    s->m = (enum memory)check_random_below(rng, MEMORIES);
    s->count = 1 + (int)check_random_below(rng, 3);
    while (s->count > 1 && (s->count * (long)s->l.n > INTS_MAX || s->count * s->l.extent > SPAN / 2))
        s->count--;
    s->base = memory_new(s->m, which);
    s->buf = s->base + SPAN / 4;
    s->ints = s->count * s->l.n;
}

static int *place(const struct side *s, int k)
{
    return s->buf + (k / s->l.n) * s->l.extent + s->l.at[k % s->l.n];
}

static int value(int round, int rank, int k)
{
    return (k + 1) * 7919 + rank * 31 + round;
}

static void check(struct side *in, const struct side *out, int round, int from, int got)
{
    bool right_ints = true;

    for (int k = 0; k < got && right_ints; k++) {
        int want = value(round, from, k), is = *place(in, k);

        right_ints = CHECK(is == want, "round %d,%s to%s: int %d of %d is %d, expected %d", round, out->l.text,
                           in->l.text, k, got, is, want);
        *place(in, k) = -1;
    }
    for (int i = 0; i < SPAN && right_ints; i++)
        right_ints =
            CHECK(in->base[i] == -1, "round %d,%s to%s: memory at %d, which is not of the message, was changed to %d",
                  round, out->l.text, in->l.text, i - SPAN / 4, in->base[i]);
}

static void exchange(int round, uint64_t *rng)
{
    struct side out, in;
    bool synchronous = check_random_below(rng, 3) == 0, early = check_random_below(rng, 2),
         self = check_random_below(rng, 6) == 0;
    int to = self ? mc_rank : right, from = self ? mc_rank : left, got = -1, error, class = MPI_SUCCESS;
    MPI_Request r[2];
    MPI_Status s;

    side_new(&out, rng, 0);
    side_new(&in, rng, 1);
    for (int k = 0; k < out.ints; k++)
        *place(&out, k) = value(round, mc_rank, k);
    memset(in.base, 0xff, SPAN * sizeof *in.base);
    if (early)
        OK(MPI_Irecv(in.buf, in.count, in.l.type, from, round, MPI_COMM_WORLD, &r[1]));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK((synchronous ? MPI_Issend : MPI_Isend)(out.buf, out.count, out.l.type, to, round, MPI_COMM_WORLD, &r[0]));
    if (!early) {
        OK(MPI_Barrier(MPI_COMM_WORLD));
        OK(MPI_Irecv(in.buf, in.count, in.l.type, from, round, MPI_COMM_WORLD, &r[1]));
    }
    error = MPI_Wait(&r[1], &s);
    MPI_Error_class(error, &class);
    OK(MPI_Wait(&r[0], MPI_STATUS_IGNORE));
    CHECK(class == (out.ints > in.ints ? MPI_ERR_TRUNCATE : MPI_SUCCESS), "%d ints into room for %d: class %d",
          out.ints, in.ints, class);
    got = out.ints < in.ints ? out.ints : in.ints;
    check(&in, &out, round, from, got);
    memory_free(out.m, out.base);
    memory_free(in.m, in.base);
    layout_free(&out.l);
    layout_free(&in.l);
}

int main(void)
{
    uint64_t rng;

    mc_start();
    rng = check_seed(4711); /* the same on all: layouts are */
    right = (mc_rank + 1) % mc_size;
    left = (mc_rank + mc_size - 1) % mc_size;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (int round = 0; round < ROUNDS; round++)
        exchange(round, &rng);
    return mc_finish();
}
