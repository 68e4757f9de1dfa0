/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Views (14.3): where in the file the bytes of a stream are, and the calls that
 * set a view and tell it.
 */
#include <string.h>

#include "mpi/io.h"
#include "mpi/type.h"

/* Tiles that bytes [at, at + n) touch, as one step of a program; at becomes relative to it. */
static struct mpii_step tiles(const struct io_view *v, MPI_Offset *at, MPI_Count n, MPI_Offset *base)
{
    MPI_Count size = v->layout->size, first = *at / size;
    struct mpii_step step;

    *at -= first * size;
    *base = v->disp + first * v->layout->extent;
    mpii_program_repeat(v->layout->program, v->layout->extent, (*at + n + size - 1) / size, &step);
    return step;
}

struct runs {
    struct mpii_walk walk;
    bool (*visit)(void *arg, const struct io_run *run);
    void *arg;
};

static bool visit_runs(struct mpii_walk *w, uintptr_t place, MPI_Aint stride, MPI_Count bytes, MPI_Count n, const struct mpii_type *basic)
{
    struct runs *r = (struct runs *)(void *)w;

    (void)basic;
    return r->visit(r->arg, &(struct io_run){(MPI_Offset)place, bytes, n > 1 ? stride : 0, n});
}

void io_view_runs(const struct io_view *v, MPI_Offset at, MPI_Count n, bool (*visit)(void *arg, const struct io_run *run), void *arg)
{
    struct runs r = {{.visit = visit_runs}, visit, arg};
    struct mpii_step step;
    MPI_Offset base;

    if (n <= 0)
        return;
    if (v->layout->dense) {
        visit(arg, &(struct io_run){v->disp + at, n, 0, 1});
        return;
    }
    step = tiles(v, &at, n, &base);
    mpii_walk_step(&r.walk, &step, (uintptr_t)base, at, at + n);
}

static bool first_place(void *arg, const struct io_run *run)
{
    *(MPI_Offset *)arg = run->at;
    return false;
}

MPI_Offset io_view_locate(const struct io_view *v, MPI_Offset at)
{
    MPI_Offset place = v->disp;

    if (v->layout->size > 0)
        io_view_runs(v, at, 1, first_place, &place);
    return place;
}

MPI_Offset io_view_before(const struct io_view *v, MPI_Offset place)
{
    MPI_Offset low, high, place_in, whole;

    if (place <= v->disp || v->layout->size == 0)
        return 0;
    if (v->layout->dense)
        return place - v->disp;
    place_in = place - v->disp;
    high = (place_in / v->layout->extent + 1) * v->layout->size;
    whole = place_in - v->layout->true_lb - v->layout->true_extent; /* tiles that end before it */
    low = whole < 0 ? 0 : (whole / v->layout->extent + 1) * v->layout->size;
    if (v->single) {
        low = 0;
        high = v->layout->size;
    }
    while (low < high) { /* places rise with the stream */
        MPI_Offset middle = low + (high - low) / 2;

        if (io_view_locate(v, middle) < place)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* ------------------------------------------------------------ what is a view -- */

enum { EXAMINED = 1 << 20 }; /* blocks of a filetype that are looked at */

struct look {
    MPI_Offset end; /* of the last block's first byte */
    MPI_Count blocks, bytes;
    MPI_Offset joined;
    bool falls, overlaps;
};

static bool look_at(void *arg, const struct io_run *run)
{
    struct look *l = arg;

    l->falls |= run->at < l->end || (run->n > 1 && run->stride < 0);
    l->overlaps |= run->at < l->joined || (run->n > 1 && run->stride < run->bytes);
    l->end = run->at + (run->n - 1) * run->stride;
    l->blocks += run->n - (l->joined == run->at);
    l->bytes += run->bytes * run->n;
    l->joined = l->end + run->bytes;
    return !l->falls && l->blocks < EXAMINED;
}

/* Displacements must not fall, and where a file may be written nothing overlap (14.1.1). If the next tile begins before
 * this one's last block, a program can only mean one. */
static int examine(struct io_view *v, bool writes, const char **why)
{
    struct mpii_type *t = v->layout;
    struct look l = {.joined = -1};

    v->run = 0;
    if (t->size == 0 || t->dense)
        return MPI_SUCCESS;
    *why = "filetype has negative displacements";
    if (t->true_lb < 0)
        return MPI_ERR_TYPE;
    *why = "filetype's extent is not positive";
    if (t->extent <= 0)
        return MPI_ERR_TYPE;
    l.end = v->disp;
    io_view_runs(v, 0, t->size, look_at, &l);
    *why = "filetype's displacements are not in rising order";
    if (l.falls)
        return MPI_ERR_TYPE;
    v->single = l.bytes == t->size && l.end > v->disp + t->extent + t->true_lb;
    v->run = l.bytes / l.blocks;
    if (l.bytes == t->size && !v->single)
        l.overlaps |= l.joined > v->disp + t->extent + t->true_lb;
    *why = "filetype's parts overlap, and the file is open for writing";
    return writes && l.overlaps ? MPI_ERR_TYPE : MPI_SUCCESS;
}

static int check_units(const struct io_view *v, const struct mpii_type *etype, const char **why)
{
    *why = "etype has a size of 0";
    if (v->etype_size == 0)
        return MPI_ERR_TYPE;
    *why = "filetype's size is not a multiple of etype's";
    return v->layout->size % v->etype_size == 0 && etype->size > 0 ? MPI_SUCCESS : MPI_ERR_TYPE;
}

int io_view_set(struct io_view *v, MPI_Offset disp, struct mpii_type *etype, struct mpii_type *filetype, const struct io_rep *rep,
                bool writes, const char **why)
{
    struct io_view new = {.disp = disp, .rep = rep};
    struct mpii_type *unit;
    int err = MPI_SUCCESS;

    *why = "a datatype cannot be laid out in this data representation";
    unit = io_type_in_file(rep, etype, &err);
    if (!unit)
        return err;
    new.etype_size = unit->size;
    mpii_type_release(unit);
    new.layout = io_type_in_file(rep, filetype, &err);
    if (!new.layout)
        return err;
    err = check_units(&new, etype, why);
    if (err == MPI_SUCCESS)
        err = examine(&new, writes, why);
    if (err != MPI_SUCCESS) {
        mpii_type_release(new.layout);
        return err;
    }
    mpii_type_hold(etype);
    mpii_type_hold(filetype);
    new.etype = etype;
    new.filetype = filetype;
    io_view_clear(v);
    *v = new;
    return MPI_SUCCESS;
}

void io_view_clear(struct io_view *v)
{
    if (!v->layout)
        return;
    mpii_type_release(v->layout);
    mpii_type_release(v->etype);
    mpii_type_release(v->filetype);
    v->layout = NULL;
}

/* ------------------------------------------------------------------ the calls -- */

/* The absolute displacement: in sequential mode, where the shared pointer is. */
static int displacement(struct mpii_file *f, MPI_Offset *disp, const char *call)
{
    bool current = *disp == MPI_DISPLACEMENT_CURRENT;

    if (f->amode & MPI_MODE_SEQUENTIAL && !current)
        return mpii_error(f, MPI_ERR_ARG, call, "disp is %lld; expected MPI_DISPLACEMENT_CURRENT, as the file was opened with MPI_MODE_SEQUENTIAL",
                          (long long)*disp);
    if (!(f->amode & MPI_MODE_SEQUENTIAL) && current)
        return mpii_error(f, MPI_ERR_ARG, call, "disp is MPI_DISPLACEMENT_CURRENT, but the file was not opened with MPI_MODE_SEQUENTIAL");
    if (*disp < 0 && !current)
        return mpii_error(f, MPI_ERR_ARG, call, "disp is %lld, less than 0", (long long)*disp);
    if (current)
        *disp = io_view_locate(&f->view, io_shared_add(f, 0) * f->view.etype_size);
    return MPI_SUCCESS;
}

static int prepare(struct mpii_file *f, struct io_view *v, MPI_Offset disp, MPI_Datatype etype, MPI_Datatype filetype,
                   const char *datarep, MPI_Info info, const char *call)
{
    struct mpii_type *e, *t;
    const struct io_rep *rep;
    const char *why = "";
    int err;

    MPII_TRY(io_check_split(f, call));
    io_wait_quiet(f, call);
    MPII_TRY(displacement(f, &disp, call));
    MPII_TRY(mpii_check_type(f, etype, &e, "etype", call));
    MPII_TRY(mpii_check_type(f, filetype, &t, "filetype", call));
    MPII_TRY(mpii_check_pointer(f, datarep, "datarep", call));
    MPII_TRY(mpii_check_info(f, info, call));
    rep = io_rep_find(datarep);
    if (!rep)
        return mpii_error(f, MPI_ERR_UNSUPPORTED_DATAREP, call, "datarep is \"%s\", which is neither one of the standard's nor registered", datarep);
    err = io_view_set(v, disp, e, t, rep, (f->amode & MPI_MODE_RDONLY) == 0, &why);
    return err == MPI_SUCCESS ? err : mpii_error(f, err, call, "%s", why);
}

static int64_t hash_of(const char *text)
{
    uint64_t h = 0;

    for (; *text; text++)
        h = (h ^ (unsigned char)*text) * 0x9e3779b97f4a7c15u;
    return (int64_t)h;
}

int mpii_File_set_view(MPI_File fh, MPI_Offset disp, MPI_Datatype etype, MPI_Datatype filetype, const char *datarep, MPI_Info info)
{
    struct io_view v = {0};
    struct mpii_file *f;
    int err;

    MPII_TRY(io_check_file(fh, &f, __func__));
    err = prepare(f, &v, disp, etype, filetype, datarep, info, __func__);
    err = io_agree(f, f->comm, err, __func__);
    if (err == MPI_SUCCESS && !io_same(f->comm, (int64_t[]){v.etype_size, hash_of(datarep)}, 2))
        err = mpii_error(f, MPI_ERR_NOT_SAME, __func__, "etype's size or datarep is not the same on all processes (%lld, \"%s\" here)",
                         (long long)v.etype_size, datarep);
    if (err != MPI_SUCCESS) {
        io_view_clear(&v);
        return err;
    }
    io_view_clear(&f->view);
    f->view = v;
    f->position = 0;
    io_hints_take(&f->hints, info, false);
    if (f->comm->rank == 0)
        io_shared_set(f, 0);
    mpii_coll_barrier(f->comm); /* nobody moves the shared pointer before that */
    return MPI_SUCCESS;
}

/* The user frees it, unless it is predefined. */
static MPI_Datatype give(struct mpii_type *t)
{
    if (!mpii_type_is_predefined(t)) {
        mpii_type_hold(t);
        t->handles++;
    }
    return t->handle;
}

int mpii_File_get_view(MPI_File fh, MPI_Offset *disp, MPI_Datatype *etype, MPI_Datatype *filetype, char *datarep)
{
    struct mpii_file *f;

    MPII_TRY(io_check_file(fh, &f, __func__));
    MPII_TRY(mpii_check_pointer(f, disp, "disp", __func__));
    MPII_TRY(mpii_check_pointer(f, etype, "etype", __func__));
    MPII_TRY(mpii_check_pointer(f, filetype, "filetype", __func__));
    MPII_TRY(mpii_check_pointer(f, datarep, "datarep", __func__));
    *disp = f->view.disp;
    *etype = give(f->view.etype);
    *filetype = give(f->view.filetype);
    memcpy(datarep, f->view.rep->name, strlen(f->view.rep->name) + 1);
    return MPI_SUCCESS;
}
