/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Filetypes of odd shapes: lower bounds above 0, extents less than the data's, so that tiles lie in each other, parts
 * of no bytes, and (for reading) parts that overlap. Through every way to move data: each byte of the stream must be
 * where the type map says (14.1.1, 14.3).
 */
#include "io/folder.h"

enum { OWN = 16384, STREAM = 2048 };

struct shape {
    const char *name;
    MPI_Datatype type;
    MPI_Offset extent;
    int n;          /* bytes of data */
    int at[STREAM]; /* where they are in the type */
};

static void add(struct shape *s, int at, int bytes)
{
    for (int i = 0; i < bytes; i++)
        s->at[s->n++] = at + i;
}

static int place(const struct shape *s, int i)
{
    return (int)(i / s->n * s->extent) + s->at[i % s->n];
}

/* ------------------------------------------------------------------ the shapes -- */

/* As PnetCDF makes them: a header, and a whole subarray behind it, whose lower bound (an explicit one) is the struct's.
 */
static void header_and_subarray(struct shape *s)
{
    MPI_Datatype array;

    OK(MPI_Type_create_subarray(2, (int[]){2, 5}, (int[]){2, 5}, (int[]){0, 0}, MPI_ORDER_C, MPI_INT, &array));
    OK(MPI_Type_create_struct(2, (int[]){512, 1}, (MPI_Aint[]){0, 512}, (MPI_Datatype[]){MPI_BYTE, array}, &s->type));
    OK(MPI_Type_free(&array));
    add(s, 0, 552);
    s->extent = 40;
}

static void header_and_column(struct shape *s)
{
    MPI_Datatype array;

    OK(MPI_Type_create_subarray(2, (int[]){6, 5}, (int[]){6, 2}, (int[]){0, 1}, MPI_ORDER_C, MPI_INT, &array));
    OK(MPI_Type_create_struct(2, (int[]){64, 1}, (MPI_Aint[]){0, 64}, (MPI_Datatype[]){MPI_BYTE, array}, &s->type));
    OK(MPI_Type_free(&array));
    add(s, 0, 64);
    for (int i = 0; i < 6; i++)
        add(s, 64 + i * 20 + 4, 8);
    s->extent = 120;
}

/* The second tile lies in the first one's gaps. */
static void interleaved(struct shape *s)
{
    MPI_Datatype pieces;

    OK(MPI_Type_create_hvector(9, 8, 32, MPI_BYTE, &pieces));
    OK(MPI_Type_create_resized(pieces, 0, 8, &s->type));
    OK(MPI_Type_free(&pieces));
    for (int i = 0; i < 9; i++)
        add(s, i * 32, 8);
    s->extent = 8;
}

static void above_zero(struct shape *s)
{
    OK(MPI_Type_create_hindexed(3, (int[]){4, 12, 8}, (MPI_Aint[]){100, 104, 200}, MPI_BYTE, &s->type));
    add(s, 100, 16);
    add(s, 200, 8);
    s->extent = 108;
}

static void empty_parts(struct shape *s)
{
    MPI_Datatype nothing;

    OK(MPI_Type_contiguous(0, MPI_DOUBLE, &nothing));
    OK(MPI_Type_create_struct(5, (int[]){0, 8, 3, 0, 4}, (MPI_Aint[]){900, 16, 0, 0, 40},
                              (MPI_Datatype[]){MPI_INT, MPI_BYTE, nothing, MPI_BYTE, MPI_BYTE}, &s->type));
    OK(MPI_Type_free(&nothing));
    add(s, 16, 8);
    add(s, 40, 4);
    s->extent = 0;
}

/* For reading only. */
static void overlapping(struct shape *s)
{
    OK(MPI_Type_create_hindexed(3, (int[]){100, 12, 8}, (MPI_Aint[]){0, 40, 60}, MPI_BYTE, &s->type));
    add(s, 0, 100);
    add(s, 40, 12);
    add(s, 60, 8);
    s->extent = 100;
}

static void overlapping_often(struct shape *s)
{
    OK(MPI_Type_create_hvector(40, 32, 8, MPI_BYTE, &s->type));
    for (int i = 0; i < 40; i++)
        add(s, i * 8, 32);
    s->extent = 39 * 8 + 32;
}

/* ------------------------------------------------------------------ the ways -- */

static const char *const ways[][3] = {
    /* sieving, collective buffering, their windows */
    {"automatic", "automatic", "65536"},
    {"enable", "enable", "96"},
    {"disable", "disable", "4096"},
};

static MPI_Info hints(const char *const *way)
{
    MPI_Info info;

    MPI_Info_create(&info);
    MPI_Info_set(info, "romio_ds_read", way[0]);
    MPI_Info_set(info, "romio_cb_read", way[1]);
    MPI_Info_set(info, "romio_cb_write", way[1]);
    MPI_Info_set(info, "ind_rd_buffer_size", way[2]);
    MPI_Info_set(info, "cb_buffer_size", way[2]);
    return info;
}

/* This rank's part of the file. */
static void check_part(const struct shape *s, const char *name, const unsigned char *stream, int n)
{
    static unsigned char model[OWN], bytes[OWN * 8];
    long long size = look_into(name, bytes, sizeof bytes);
    int end = 0, wrong;

    memset(model, 0, sizeof model);
    for (int i = 0; i < n; i++) {
        model[place(s, i)] = stream[i];
        end = place(s, i) + 1 > end ? place(s, i) + 1 : end;
    }
    if (!CHECK(size >= mc_rank * OWN + end, "%s: file has %lld bytes, expected %d", s->name, size, mc_rank * OWN + end))
        return;
    for (wrong = 0; wrong < end && bytes[mc_rank * OWN + wrong] == model[wrong]; wrong++)
        ;
    CHECK(wrong == end, "%s: byte %d is %d, expected %d, after %d bytes", s->name, wrong, bytes[mc_rank * OWN + wrong],
          model[wrong], n);
}

static void check_read(const struct shape *s, const unsigned char *got, const unsigned char *file, int from, int n,
                       const char *call)
{
    int i = 0;

    while (i < n && got[i] == file[mc_rank * OWN + place(s, from + i)])
        i++;
    CHECK(i == n, "%s: %s: byte %d of the stream is %d, expected %d", s->name, call, from + i, got[i],
          file[mc_rank * OWN + place(s, from + i)]);
}

static void read_all_ways(const struct shape *s, MPI_File f, const unsigned char *file, int n)
{
    static unsigned char got[STREAM];
    MPI_Status status;

    for (int from = 0; from < n; from += n / 3 + 1) {
        memset(got, 0, sizeof got);
        OK(MPI_File_read_at_all(f, from, got, n - from, MPI_BYTE, &status));
        check_read(s, got, file, from, n - from, "MPI_File_read_at_all");
        memset(got, 0, sizeof got);
        OK(MPI_File_read_at(f, from, got, n - from, MPI_BYTE, &status));
        check_read(s, got, file, from, n - from, "MPI_File_read_at");
        memset(got, 0, sizeof got);
        OK(MPI_File_seek(f, from, MPI_SEEK_SET));
        OK(MPI_File_read_all(f, got, (n - from) / 2, MPI_BYTE, &status));
        OK(MPI_File_read_all(f, got + (n - from) / 2, n - from - (n - from) / 2, MPI_BYTE, &status));
        check_read(s, got, file, from, n - from, "MPI_File_read_all");
    }
}

static void set_view(const struct shape *s, MPI_File f)
{
    OK(MPI_File_set_view(f, (MPI_Offset)mc_rank * OWN, MPI_BYTE, s->type, "native", MPI_INFO_NULL));
}

static void write_and_read(const struct shape *s, const char *name, int way, int n, bool atomic)
{
    static unsigned char stream[STREAM], file[OWN * 8];
    MPI_Info info = hints(ways[way]);
    MPI_Status status;
    MPI_File f;

    check_fill(stream, sizeof stream, check_seed(31) + (uint64_t)(mc_rank + 8 * way));
    for (int collective = 0; collective < 2; collective++) {
        OK(MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE, info, &f));
        OK(MPI_File_set_atomicity(f, atomic));
        set_view(s, f);
        OK(collective ? MPI_File_write_at_all(f, 0, stream, n, MPI_BYTE, &status)
                      : MPI_File_write(f, stream, n, MPI_BYTE, &status));
        MPI_Barrier(MPI_COMM_WORLD);
        check_part(s, name, stream, n);
        look_into(name, file, sizeof file);
        read_all_ways(s, f, file, n);
        OK(MPI_File_close(&f));
    }
    MPI_Info_free(&info);
}

static void read_only(const struct shape *s, const char *name, int way, int n)
{
    static unsigned char file[OWN * 8];
    MPI_Info info = hints(ways[way]);
    MPI_File f;

    check_fill(file, sizeof file, check_seed(33));
    if (mc_rank == 0) {
        OK(MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_WRONLY | MPI_MODE_CREATE, MPI_INFO_NULL, &f));
        OK(MPI_File_write(f, file, sizeof file, MPI_BYTE, MPI_STATUS_IGNORE));
        OK(MPI_File_close(&f));
    }
    MPI_Barrier(MPI_COMM_WORLD);
    OK(MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDONLY | MPI_MODE_DELETE_ON_CLOSE, info, &f));
    set_view(s, f);
    read_all_ways(s, f, file, n);
    OK(MPI_File_close(&f));
    MPI_Info_free(&info);
}

static void refused(const struct shape *s, const char *name)
{
    MPI_File f;

    OK(MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                     &f));
    FAILS(MPI_File_set_view(f, 0, MPI_BYTE, s->type, "native", MPI_INFO_NULL), MPI_ERR_TYPE);
    OK(MPI_File_close(&f));
}

int main(void)
{
    static const struct {
        const char *name;
        void (*make)(struct shape *s);
        int tiles; /* how many the accesses go through */
        bool overlaps;
    } shapes[] = {
        {"header and subarray", header_and_subarray, 1, false},
        {"header and subarray, tiles overlap", header_and_subarray, 3, false},
        {"header and column", header_and_column, 4, false},
        {"interleaved tiles", interleaved, 4, false},
        {"above zero", above_zero, 5, false},
        {"empty parts", empty_parts, 6, false},
        {"overlapping", overlapping, 1, true},
        {"overlapping tiles", overlapping, 5, true},
        {"overlapping often", overlapping_often, 1, true},
    };

    mc_start();
    folder_make();
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        static struct shape s;
        MPI_Aint lb, extent;

        memset(&s, 0, sizeof s);
        s.name = shapes[i].name;
        shapes[i].make(&s);
        OK(MPI_Type_commit(&s.type));
        OK(MPI_Type_get_extent(s.type, &lb, &extent));
        CHECK(s.extent == 0 || extent == s.extent, "%s: extent is %ld, expected %ld", s.name, (long)extent,
              (long)s.extent);
        s.extent = extent;
        for (int way = 0; way < 3; way++) {
            if (shapes[i].overlaps)
                read_only(&s, in_folder("shapes"), way, s.n * shapes[i].tiles);
            else
                write_and_read(&s, in_folder("shapes"), way, s.n * shapes[i].tiles, false);
        }
        if (shapes[i].overlaps)
            refused(&s, in_folder("refused"));
        else
            write_and_read(&s, in_folder("shapes"), 0, s.n * shapes[i].tiles, true);
        OK(MPI_Type_free(&s.type));
    }
    folder_remove();
    return mc_finish();
}
