/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Random collective accesses, whose pieces interleave without overlap, compared
 * with the file computed naively: every element of the file has an owner by a
 * random pattern. Blocking, split and nonblocking, by exchange or by everybody
 * itself, with windows of odd sizes.
 */
#include "io/folder.h"

enum { ELEMENTS = 6000, TILE = 240, ROUNDS = 36 };

struct round {
    uint64_t random; /* the same on all ranks */
    int unit;        /* bytes of an element */
    int tile;        /* elements of the pattern, which repeats */
    int owner[TILE];
    int mine;        /* elements of the pattern that are this rank's */
    MPI_Offset disp;
    MPI_Datatype filetype, element;
    int elements;    /* in the file */
};

/* Element i of rank's stream. */
static int element_of(const struct round *r, int i)
{
    int k = i % r->mine;

    for (int e = 0;; e++)
        if (r->owner[e] == mc_rank && k-- == 0)
            return i / r->mine * r->tile + e;
}

static void make_pattern(struct round *r)
{
    int places[TILE], run = 1 + (int)check_random_below(&r->random, 12);
    MPI_Datatype blocks;

    r->unit = 1 + (int)check_random_below(&r->random, 12);
    r->tile = mc_size + (int)check_random_below(&r->random, (uint64_t)(TILE - mc_size));
    r->disp = (MPI_Offset)check_random_below(&r->random, 5000);
    r->mine = 0;
    for (int e = 0; e < r->tile; e++) {
        r->owner[e] = e < mc_size ? e
                      : e % run   ? r->owner[e - 1]
                                  : (int)check_random_below(&r->random, (uint64_t)mc_size + 1);
        if (r->owner[e] == mc_rank)
            places[r->mine++] = e;
    }
    OK(MPI_Type_contiguous(r->unit, MPI_BYTE, &r->element));
    OK(MPI_Type_commit(&r->element));
    OK(MPI_Type_create_indexed_block(r->mine, 1, places, r->element, &blocks));
    OK(MPI_Type_create_resized(blocks, 0, (MPI_Aint)r->tile * r->unit, &r->filetype));
    OK(MPI_Type_commit(&r->filetype));
    MPI_Type_free(&blocks);
    r->elements = 1 + (int)check_random_below(&r->random, ELEMENTS / r->tile) * r->tile;
}

/* Elements of this rank's below `end` of the file. */
static int owned(const struct round *r, int end)
{
    int n = end / r->tile * r->mine;

    for (int e = 0; e < end % r->tile; e++)
        n += r->owner[e] == mc_rank;
    return n;
}

/* ------------------------------------------------------------------- the calls -- */

enum form { NOW, AT, SPLIT, SPLIT_AT, LATER, LATER_AT, FORMS };

#define CALLS(read_, const_)                                                                                     \
    static void read_##_form(enum form form, MPI_File f, MPI_Offset at, const_ void *buf, int n, MPI_Datatype t, \
                             MPI_Status *status)                                                                 \
    {                                                                                                            \
        MPI_Request r = MPI_REQUEST_NULL;                                                                        \
                                                                                                                 \
        OK(MPI_File_seek(f, at, MPI_SEEK_SET));                                                                  \
        switch (form) {                                                                                          \
        case NOW:                                                                                                \
            OK(MPI_File_##read_##_all(f, buf, n, t, status));                                                    \
            break;                                                                                               \
        case AT:                                                                                                 \
            OK(MPI_File_##read_##_at_all_c(f, at, buf, n, t, status));                                           \
            break;                                                                                               \
        case SPLIT:                                                                                              \
            OK(MPI_File_##read_##_all_begin(f, buf, n, t));                                                      \
            OK(MPI_File_##read_##_all_end(f, buf, status));                                                      \
            break;                                                                                               \
        case SPLIT_AT:                                                                                           \
            OK(MPI_File_##read_##_at_all_begin(f, at, buf, n, t));                                               \
            OK(MPI_File_##read_##_at_all_end(f, buf, status));                                                   \
            break;                                                                                               \
        case LATER:                                                                                              \
            OK(MPI_File_i##read_##_all(f, buf, n, t, &r));                                                       \
            break;                                                                                               \
        default:                                                                                                 \
            OK(MPI_File_i##read_##_at_all(f, at, buf, n, t, &r));                                                \
            break;                                                                                               \
        }                                                                                                        \
        if (form >= LATER)                                                                                       \
            OK(MPI_Wait(&r, status));                                                                            \
    }
CALLS(read, )
CALLS(write, const)

/* -------------------------------------------------------------------- a round -- */

/* What byte k of element e holds. */
static unsigned char content(uint64_t seed, int e, int k)
{
    return check_pattern(seed, (size_t)e * 16 + (size_t)k);
}

/* Memory with or without gaps between elements: a byte in front of each. */
static MPI_Datatype memory_type(const struct round *r, bool gaps, int *step)
{
    MPI_Datatype t, placed;

    *step = gaps ? r->unit + 1 : r->unit;
    if (!gaps) {
        OK(MPI_Type_dup(r->element, &t));
    } else {
        OK(MPI_Type_create_hindexed(1, (int[]){1}, (MPI_Aint[]){1}, r->element, &placed));
        OK(MPI_Type_create_resized(placed, 0, *step, &t));
        MPI_Type_free(&placed);
    }
    OK(MPI_Type_commit(&t));
    return t;
}

static void check_file(const struct round *r, const char *name, uint64_t seed, int parts)
{
    static unsigned char bytes[16 * ELEMENTS + 8192];
    long long size = look_into(name, bytes, sizeof bytes), last = 0;

    for (int e = 0; e < r->elements; e++) {
        unsigned char *at = bytes + r->disp + (size_t)e * (size_t)r->unit;
        bool given = r->owner[e % r->tile] < mc_size;
        int wrong = 0;

        for (int k = 0; k < r->unit; k++)
            wrong += at[k] != (given ? content(seed, e, k) : 0xee);
        last = given ? r->disp + (long long)(e + 1) * r->unit : last;
        if (!CHECK(wrong == 0, "element %d of %d (owner %d, %d bytes) is wrong after %d parts", e, r->elements,
                   r->owner[e % r->tile], r->unit, parts))
            return;
    }
    CHECK(size >= last, "file has %lld bytes, expected %lld or more", size, last);
}

static void fill(const struct round *r, unsigned char *buf, int first, int n, int step, uint64_t seed)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < r->unit; k++)
            buf[i * step + (step - r->unit) + k] = content(seed, element_of(r, first + i), k);
}

static void check_read(const struct round *r, const unsigned char *buf, int first, int n, int step, uint64_t seed,
                       enum form form)
{
    int wrong = 0, at = -1;

    for (int i = 0; i < n && !wrong; i++) {
        for (int k = 0; k < r->unit; k++)
            wrong += buf[i * step + (step - r->unit) + k] != content(seed, element_of(r, first + i), k);
        at = i;
        if (step > r->unit)
            wrong += buf[i * step] != 0x77;
    }
    CHECK(wrong == 0, "element %d of %d from %d on was read wrong by form %d", at, n, first, form);
}

/* Writes in two parts that need not be cut at the same place on all ranks, reads in two others and beyond the end. */
static void transfer(struct round *r, MPI_File f, const char *name, int number)
{
    static unsigned char buf[17 * (2 * ELEMENTS + TILE)];
    uint64_t seed = check_random(&r->random), own = r->random + (uint64_t)mc_rank;
    int total = owned(r, r->elements), cut = (int)check_random_below(&own, (uint64_t)total + 1), step;
    MPI_Datatype t = memory_type(r, check_random(&own) & 1, &step);
    MPI_Status status;

    for (int part = 0; part < 2; part++) {
        int first = part ? cut : 0, n = part ? total - cut : cut;

        fill(r, buf, first, n, step, seed);
        write_form((enum form)((number + part) % FORMS), f, first, buf, n, t, &status);
        CHECK(count_of(&status, t) == n, "wrote %lld elements of %d", (long long)count_of(&status, t), n);
    }
    OK(MPI_File_sync(f));
    if (mc_rank == 0)
        check_file(r, name, seed, number);
    MPI_Barrier(MPI_COMM_WORLD);
    OK(MPI_File_set_size(f, r->disp + (MPI_Offset)r->elements * r->unit));
    cut = (int)check_random_below(&own, (uint64_t)total + 1);
    for (int part = 0; part < 2; part++) {
        int first = part ? cut : 0, n = part ? total - cut : cut, beyond = part ? TILE : 0;
        enum form form = (enum form)((number / 2 + part) % FORMS);

        memset(buf, 0x77, sizeof buf);
        read_form(form, f, first, buf, n + beyond, t, &status);
        CHECK(count_of(&status, t) == n, "read %lld elements of %d (form %d, %d asked)",
              (long long)count_of(&status, t), n, form, n + beyond);
        check_read(r, buf, first, n, step, seed, form);
    }
    MPI_Type_free(&t);
    r->random += 77;
}

static MPI_Info info_of(struct round *r, int number)
{
    static const char *const ways[] = {"automatic", "enable", "enable", "disable"};
    char text[32];
    MPI_Info info;

    MPI_Info_create(&info);
    snprintf(text, sizeof text, "%d", number % 3 == 0 ? 1 << 22 : 100 + (int)check_random_below(&r->random, 9000));
    MPI_Info_set(info, "cb_buffer_size", text);
    snprintf(text, sizeof text, "%d", 1 + (int)check_random_below(&r->random, 5));
    MPI_Info_set(info, "cb_nodes", text);
    MPI_Info_set(info, "romio_cb_write", ways[number % 4]);
    MPI_Info_set(info, "romio_cb_read", ways[number / 2 % 4]);
    return info;
}

/* The file is full of 0xee before. */
static void background(const char *name, const struct round *r)
{
    static unsigned char bytes[16 * ELEMENTS + 8192];

    memset(bytes, 0xee, sizeof bytes);
    make_file(name, bytes, (size_t)r->disp + (size_t)r->elements * (size_t)r->unit);
}

static void round_of(int number)
{
    const char *name = in_folder("together");
    struct round r = {.random = check_seed(7200) + (uint64_t)number * 1000};
    MPI_Info info = info_of(&r, number);
    MPI_File f;

    make_pattern(&r);
    background(name, &r);
    OK(MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, info, &f));
    MPI_Info_free(&info);
    OK(MPI_File_set_atomicity(f, number % 9 == 8));
    OK(MPI_File_set_view(f, r.disp, r.element, r.filetype, "native", MPI_INFO_NULL));
    transfer(&r, f, name, number);
    OK(MPI_File_close(&f));
    MPI_Type_free(&r.filetype);
    MPI_Type_free(&r.element);
}

/* -------------------------------------------------------------- several at once -- */

/* Nonblocking collective accesses overlap each other and messages: rank 0 starts and then sends, the others start late.
 */
static void test_overlap(void)
{
    enum { N = 3000, OPS = 4 };
    static int out[OPS][N], in[OPS][N];
    MPI_Request r[OPS];
    MPI_Status status[OPS];
    MPI_Datatype t;
    MPI_Info info;
    MPI_File f;
    int token = 0;

    MPI_Info_create(&info);
    MPI_Info_set(info, "collective_buffering", "true");
    MPI_Info_set(info, "cb_buffer_size", "4096");
    OK(MPI_File_open(MPI_COMM_WORLD, in_folder("overlap"), MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE,
                     info, &f));
    MPI_Info_free(&info);
    OK(MPI_Type_create_resized(MPI_INT, 0, mc_size * 4, &t));
    OK(MPI_Type_commit(&t));
    OK(MPI_File_set_view(f, mc_rank * 4, MPI_INT, t, "native", MPI_INFO_NULL));
    MPI_Type_free(&t);
    for (int i = 0; i < OPS * N; i++)
        out[i / N][i % N] = mc_rank * 1000000 + i;
    if (mc_rank > 0)
        MPI_Recv(&token, 1, MPI_INT, mc_rank - 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < OPS; i++)
        OK(MPI_File_iwrite_at_all(f, i * N, out[i], N, MPI_INT, &r[i]));
    if (mc_rank + 1 < mc_size)
        MPI_Send(&token, 1, MPI_INT, mc_rank + 1, 5, MPI_COMM_WORLD);
    for (int i = OPS - 1; i >= 0; i--) /* not in the order of starting */
        OK(MPI_Wait(&r[i], &status[i]));
    OK(MPI_File_sync(f));
    for (int i = 0; i < OPS; i++)
        OK(MPI_File_iread_at_all(f, i * N, in[i], N, MPI_INT, &r[i]));
    OK(MPI_Waitall(OPS, r, status));
    for (int i = 0; i < OPS; i++) {
        CHECK(count_of(&status[i], MPI_INT) == N, "access %d read %lld", i, (long long)count_of(&status[i], MPI_INT));
        CHECK(memcmp(in[i], out[i], sizeof in[i]) == 0, "access %d read other data", i);
    }
    OK(MPI_File_close(&f));
}

/* A member whose arguments are wrong gets its error; the others' accesses happen. */
static void test_one_is_wrong(void)
{
    MPI_File f;
    MPI_Status status;
    MPI_Request r = MPI_REQUEST_NULL;
    int value = 40 + mc_rank, got = 0, last = mc_size - 1;

    OK(MPI_File_open(MPI_COMM_WORLD, in_folder("wrong"), MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE,
                     MPI_INFO_NULL, &f));
    OK(MPI_File_set_view(f, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    if (mc_rank == last)
        FAILS(MPI_File_write_at_all(f, mc_rank, &value, -1, MPI_INT, &status), MPI_ERR_COUNT);
    else
        OK(MPI_File_write_at_all(f, mc_rank, &value, 1, MPI_INT, &status));
    if (mc_rank == last)
        FAILS(MPI_File_iwrite_at_all(f, -5, &value, 1, MPI_INT, &r), MPI_ERR_ARG);
    else
        OK(MPI_File_iwrite_at_all(f, mc_rank + mc_size, &value, 1, MPI_INT, &r));
    OK(MPI_Wait(&r, &status));
    if (mc_rank == last)
        FAILS(MPI_File_write_ordered(f, &value, 1, MPI_DATATYPE_NULL, &status), MPI_ERR_TYPE);
    else
        OK(MPI_File_write_ordered(f, &value, 1, MPI_INT, &status));
    if (mc_rank != last) {
        OK(MPI_File_read_at(f, mc_rank + mc_size, &got, 1, MPI_INT, &status));
        CHECK(got == value, "read %d", got);
    }
    OK(MPI_File_close(&f));
}

int main(void)
{
    mc_start();
    folder_make();
    for (int number = 0; number < ROUNDS; number++)
        round_of(number);
    test_overlap();
    test_one_is_wrong();
    folder_remove();
    return mc_finish();
}
