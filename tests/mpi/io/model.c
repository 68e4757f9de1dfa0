/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Random independent accesses of one process through random views, compared with a
 * file in memory: explicit offsets, the individual and the shared pointer, blocking
 * and nonblocking, in the small and the large form, with sieving and without.
 */
#include "io/views.h"

enum { FILE_MAX = 1 << 20, STEPS = 60, ROUNDS = 14, BUFFER = 1 << 16 };

static unsigned char model[FILE_MAX];
static MPI_Offset model_size;

struct state {
    MPI_File f;
    uint64_t random;
    struct tile view;
    MPI_Offset disp;
    int unit; /* bytes of an etype */
    MPI_Offset own, shared; /* pointers */
};

static MPI_Datatype units[] = {[1] = MPI_BYTE, [2] = MPI_INT16_T, [4] = MPI_INT32_T, [8] = MPI_DOUBLE};

static void choose_view(struct state *s)
{
    if (s->view.type != MPI_DATATYPE_NULL)
        MPI_Type_free(&s->view.type);
    s->unit = 1 << check_random_below(&s->random, 4);
    s->disp = (MPI_Offset)check_random_below(&s->random, 300);
    tile_make(&s->view, &s->random, s->unit, units[s->unit]);
    if (check_random_below(&s->random, 4) == 0)
        tile_shorten(&s->view, &s->random);
    OK(MPI_File_set_view(s->f, s->disp, units[s->unit], s->view.type, "native", MPI_INFO_NULL));
    s->own = s->shared = 0;
}

/* ---------------------------------------------------------------- one access -- */

struct access {
    int place; /* 0: explicit, 1: individual, 2: shared */
    bool later; /* nonblocking */
    bool large;
    MPI_Offset offset; /* in etypes */
    void *buf;
    MPI_Count count;
    MPI_Datatype type;
};

/* MPI_File_read and _write, blocking and not, at the three places, with small and large counts. */
#define CALLS(read_)                                                                               \
    static void read_##_now(MPI_File f, const struct access *a, MPI_Status *status)                \
    {                                                                                              \
        int n = (int)a->count;                                                                     \
                                                                                                   \
        if (a->place == 0)                                                                         \
            OK(a->large ? MPI_File_##read_##_at_c(f, a->offset, a->buf, a->count, a->type, status) \
                        : MPI_File_##read_##_at(f, a->offset, a->buf, n, a->type, status));        \
        else if (a->place == 1)                                                                    \
            OK(a->large ? MPI_File_##read_##_c(f, a->buf, a->count, a->type, status)               \
                        : MPI_File_##read_(f, a->buf, n, a->type, status));                        \
        else                                                                                       \
            OK(a->large ? MPI_File_##read_##_shared_c(f, a->buf, a->count, a->type, status)        \
                        : MPI_File_##read_##_shared(f, a->buf, n, a->type, status));               \
    }                                                                                              \
    static void read_##_later(MPI_File f, const struct access *a, MPI_Status *status)              \
    {                                                                                              \
        MPI_Request r = MPI_REQUEST_NULL;                                                          \
        int n = (int)a->count;                                                                     \
                                                                                                   \
        if (a->place == 0)                                                                         \
            OK(a->large ? MPI_File_i##read_##_at_c(f, a->offset, a->buf, a->count, a->type, &r)    \
                        : MPI_File_i##read_##_at(f, a->offset, a->buf, n, a->type, &r));           \
        else if (a->place == 1)                                                                    \
            OK(a->large ? MPI_File_i##read_##_c(f, a->buf, a->count, a->type, &r)                  \
                        : MPI_File_i##read_(f, a->buf, n, a->type, &r));                           \
        else                                                                                       \
            OK(a->large ? MPI_File_i##read_##_shared_c(f, a->buf, a->count, a->type, &r)           \
                        : MPI_File_i##read_##_shared(f, a->buf, n, a->type, &r));                  \
        OK(MPI_Wait(&r, status));                                                                  \
    }
CALLS(read)
CALLS(write)

/* ------------------------------------------------------------------- a step -- */

/* Writes to the model what the access should, or checks what was read; returns the bytes. */
static MPI_Offset follow(struct state *s, const struct access *a, const struct tile *memory, const unsigned char *buf,
                         bool write)
{
    MPI_Offset bytes = a->count * memory->n, first = a->offset * s->unit, i;

    for (i = 0; i < bytes; i++) {
        MPI_Offset place = tile_place(&s->view, s->disp, first + i);
        unsigned char got = buf[tile_place(memory, 0, i)];

        if (write) {
            model[place] = got;
            model_size = place + 1 > model_size ? place + 1 : model_size;
        } else if (place >= model_size) {
            return i;
        } else if (!CHECK(got == model[place], "byte %lld of the stream (place %lld) is %d, expected %d",
                          (long long)(first + i), (long long)place, got, model[place])) {
            return i;
        }
    }
    return bytes;
}

static void check_gaps(const struct tile *memory, const unsigned char *buf, size_t room, MPI_Offset got, uint64_t seed)
{
    static unsigned char touched[BUFFER];
    size_t wrong = 0;

    memset(touched, 0, room);
    for (MPI_Offset i = 0; i < got; i++)
        touched[tile_place(memory, 0, i)] = 1;
    for (size_t i = 0; i < room; i++)
        wrong += !touched[i] && buf[i] != check_pattern(seed, i);
    CHECK(wrong == 0, "%zu bytes of the buffer changed that are not of the type or not in the file", wrong);
}

static void step(struct state *s)
{
    static unsigned char buf[BUFFER];
    struct tile memory;
    struct access a = {.place = (int)check_random_below(&s->random, 3),
                       .later = check_random(&s->random) & 1,
                       .large = check_random(&s->random) & 1};
    bool write = check_random_below(&s->random, 3) > 0;
    uint64_t seed = check_random(&s->random);
    MPI_Status status;
    MPI_Offset moved, etypes, at = -1;
    size_t room;

    tile_make(&memory, &s->random, s->unit, units[s->unit]);
    a.type = memory.type;
    a.count = (MPI_Count)check_random_below(&s->random, 9);
    a.offset = a.place == 0 ? (MPI_Offset)check_random_below(&s->random, 200) : a.place == 1 ? s->own : s->shared;
    if (tile_place(&s->view, s->disp, a.offset * s->unit + a.count * memory.n) >= FILE_MAX)
        a.count = 0;
    room = tile_room(&memory, a.count);
    check_fill(buf, room, seed);
    a.buf = buf;
    (write ? a.later ? write_later : write_now : a.later ? read_later : read_now)(s->f, &a, &status);
    moved = follow(s, &a, &memory, buf, write);
    CHECK(count_of(&status, MPI_BYTE) == moved, "status tells %lld bytes, expected %lld",
          (long long)count_of(&status, MPI_BYTE), (long long)moved);
    check_gaps(&memory, buf, room, write ? 0 : moved, seed);
    etypes = a.count * memory.n / s->unit;
    s->own += a.place == 1 ? etypes : 0;
    s->shared += a.place == 2 ? etypes : 0;
    OK(MPI_File_get_position(s->f, &at));
    CHECK(at == s->own, "individual pointer is %lld, expected %lld", (long long)at, (long long)s->own);
    OK(MPI_File_get_position_shared(s->f, &at));
    CHECK(at == s->shared, "shared pointer is %lld, expected %lld", (long long)at, (long long)s->shared);
    MPI_Type_free(&memory.type);
}

/* Does the tile in front of byte i end where the file does? */
static bool ends_at(const struct state *s, MPI_Offset i, MPI_Offset size)
{
    return i > 0 && i % s->view.n == 0 && tile_place(&s->view, s->disp, i - 1) == size - 1;
}

static void seek_somewhere(struct state *s)
{
    MPI_Offset to = (MPI_Offset)check_random_below(&s->random, 150), etypes = 0, disp = -1, i;

    OK(MPI_File_seek(s->f, to, MPI_SEEK_SET));
    OK(MPI_File_seek(s->f, 3, MPI_SEEK_CUR));
    s->own = to + 3;
    OK(MPI_File_get_byte_offset(s->f, to, &disp));
    CHECK(disp == tile_place(&s->view, s->disp, to * s->unit), "byte offset of %lld is %lld, expected %lld",
          (long long)to, (long long)disp, (long long)tile_place(&s->view, s->disp, to * s->unit));
    if (check_random_below(&s->random, 4))
        return;
    for (i = 0; tile_place(&s->view, s->disp, i) < model_size && !ends_at(s, i, model_size); i++)
        ;
    etypes = (i + s->unit - 1) / s->unit;
    OK(MPI_File_seek(s->f, 0, MPI_SEEK_END));
    OK(MPI_File_get_position(s->f, &disp));
    CHECK(disp == etypes, "end of the file is etype %lld, expected %lld", (long long)disp, (long long)etypes);
    OK(MPI_File_seek_shared(s->f, -etypes, MPI_SEEK_END));
    OK(MPI_File_seek(s->f, s->own, MPI_SEEK_SET));
    s->shared = 0;
}

static void compare(const char *name)
{
    static unsigned char bytes[FILE_MAX];
    long long size = look_into(name, bytes, sizeof bytes);
    MPI_Offset i = 0;

    CHECK(size == model_size, "file has %lld bytes, expected %lld", size, (long long)model_size);
    while (i < model_size && bytes[i] == model[i])
        i++;
    CHECK(i == model_size, "byte %lld of the file is %d, expected %d", (long long)i, bytes[i], model[i]);
}

static void round_of(int round, const char *name)
{
    static const char *const sieving[] = {"automatic", "enable", "disable"};
    struct state s = {.random = check_seed(7100) + (uint64_t)(round * 64 + mc_rank),
                      .view = {.type = MPI_DATATYPE_NULL}};
    MPI_Info info;

    memset(model, 0, sizeof model);
    model_size = 0;
    MPI_Info_create(&info);
    MPI_Info_set(info, "romio_ds_read", sieving[round % 3]);
    MPI_Info_set(info, "ind_rd_buffer_size", round % 2 ? "100" : "65536");
    OK(MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE, info, &s.f));
    MPI_Info_free(&info);
    OK(MPI_File_set_atomicity(s.f, round % 4 == 3));
    for (int i = 0; i < STEPS; i++) {
        if (i % 12 == 0)
            choose_view(&s);
        if (i % 5 == 4)
            seek_somewhere(&s);
        step(&s);
    }
    compare(name);
    MPI_Type_free(&s.view.type);
    OK(MPI_File_close(&s.f));
}

int main(void)
{
    char name[32];

    mc_start();
    folder_make();
    snprintf(name, sizeof name, "model%d", mc_rank);
    for (int round = 0; round < ROUNDS; round++)
        round_of(round, in_folder(name));
    folder_remove();
    return mc_finish();
}
