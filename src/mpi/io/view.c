/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Views (14.3): where in the file the bytes of a stream are, and the calls that
 * set a view and tell it.
 */
#include <string.h>

#include "mpi/io/io.h"
#include "mpi/type/type.h"

/* Tiles that bytes [at, at + n) touch, as one step of a program; at becomes relative to it. */
static struct mpii_step tiles(const struct mpii_io_view *v, MPI_Offset *at, MPI_Count n, MPI_Offset *base)
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
    bool (*visit)(void *arg, const struct mpii_io_run *run);
    void *arg;
};

static bool visit_runs(struct mpii_walk *w, uintptr_t disp, MPI_Aint stride, MPI_Count bytes, MPI_Count n,
                       const struct mpii_type *basic)
{
    struct runs *r = (struct runs *)(void *)w;

    (void)basic;
    return r->visit(r->arg, &(struct mpii_io_run){(MPI_Offset)disp, bytes, n > 1 ? stride : 0, n});
}

void mpii_io_view_runs(const struct mpii_io_view *v, MPI_Offset at, MPI_Count n,
                       bool (*visit)(void *arg, const struct mpii_io_run *run), void *arg)
{
    struct runs r = {{.visit = visit_runs}, visit, arg};
    struct mpii_step step;
    MPI_Offset base;

    if (n <= 0)
        return;
    if (v->layout->dense) {
        visit(arg, &(struct mpii_io_run){v->disp + at, n, 0, 1});
        return;
    }
    step = tiles(v, &at, n, &base);
    mpii_walk_step(&r.walk, &step, (uintptr_t)base, at, at + n);
}

static bool first_disp(void *arg, const struct mpii_io_run *run)
{
    *(MPI_Offset *)arg = run->at;
    return false;
}

MPI_Offset mpii_io_view_locate(const struct mpii_io_view *v, MPI_Offset at)
{
    MPI_Offset disp = v->disp;

    if (v->layout->size > 0)
        mpii_io_view_runs(v, at, 1, first_disp, &disp);
    return disp;
}

MPI_Offset mpii_io_view_before(const struct mpii_io_view *v, MPI_Offset disp, MPI_Offset from, MPI_Offset to)
{
    while (from < to) {
        MPI_Offset middle = from + (to - from) / 2;

        if (mpii_io_view_locate(v, middle) < disp)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

/* In the first tile that ends there or beyond. */
MPI_Offset mpii_io_view_end(const struct mpii_io_view *v, MPI_Offset size)
{
    const struct mpii_type *t = v->layout;
    MPI_Offset whole = size - v->disp - t->true_lb - t->true_extent, tile;

    if (size <= v->disp || t->size == 0)
        return 0;
    if (t->dense)
        return size - v->disp;
    tile = whole <= 0 ? 0 : (whole + t->extent - 1) / t->extent;
    return mpii_io_view_before(v, size, tile * t->size, (tile + 1) * t->size);
}

bool mpii_io_view_rises(const struct mpii_io_view *v, MPI_Offset at, MPI_Count n)
{
    MPI_Count size = v->layout->size;

    return v->rises && (v->apart || n == 0 || at / size == (at + n - 1) / size);
}

struct mpii_io_span mpii_io_view_span(const struct mpii_io_view *v, MPI_Offset at, MPI_Count n)
{
    const struct mpii_type *t = v->layout;
    MPI_Offset base = v->disp + t->true_lb;

    if (mpii_io_view_rises(v, at, n))
        return (struct mpii_io_span){mpii_io_view_locate(v, at), mpii_io_view_locate(v, at + n - 1) + 1};
    return (struct mpii_io_span){base + at / t->size * t->extent,
                                 base + (at + n - 1) / t->size * t->extent + t->true_extent};
}

/* ------------------------------------------------------------ what is a view -- */

/* What is asked of a layout, or of a part of it. */
struct look {
    MPI_Offset first, last, end; /* first bytes of its first and last block; behind its bytes */
    MPI_Count blocks;            /* those that touch count as one */
    bool falls, overlaps;
};

/* What follows a, `away` from where it is. */
static void look_on(struct look *a, const struct look *next, MPI_Offset away)
{
    MPI_Offset first = next->first + away;

    a->falls |= next->falls || first < a->last;
    a->overlaps |= next->overlaps || first < a->end;
    a->blocks += next->blocks - (first == a->end);
    a->last = next->last + away;
    if (next->end + away > a->end)
        a->end = next->end + away;
}

/* All repetitions of what `one` tells; every two that follow each other do so in the same way. */
static struct look look_at_reps(const struct look *one, MPI_Count n, MPI_Offset stride)
{
    struct look l = *one;

    if (n == 1)
        return l;
    look_on(&l, one, stride);
    l.blocks += (n - 2) * (l.blocks - one->blocks);
    l.last = one->last + (n - 1) * stride;
    l.end = one->end + (n - 1) * stride;
    return l;
}

static struct look look_at(const struct mpii_type_program *p)
{
    MPI_Count n = p->list ? p->nlist : p->nsteps;
    struct look l = {0};

    for (MPI_Count i = 0; i < n; i++) {
        const struct mpii_step *s = p->list ? NULL : &p->steps[i];
        struct look one = {.end = s ? s->bytes : p->block, .blocks = 1};
        MPI_Offset at = s ? s->at : p->list[i];

        if (s && s->body)
            one = look_at(s->body);
        if (s)
            one = look_at_reps(&one, s->n, s->stride);
        if (i == 0)
            l = (struct look){one.first + at, one.last + at, one.end + at, one.blocks, one.falls, one.overlaps};
        else
            look_on(&l, &one, at);
    }
    return l;
}

/* Displacements within the filetype must not fall, and where a file may be written nothing in it overlap (14.1.1).
 * Tiles that lie in each other are no error: the bytes of the stream then follow each other in the file within a tile
 * only. */
static int examine(struct mpii_io_view *v, bool writes, const char **why)
{
    struct mpii_type *t = v->layout;
    struct look l;

    v->run = 0;
    v->rises = v->apart = true;
    if (t->size == 0 || t->dense)
        return MPI_SUCCESS;
    *why = "filetype has negative displacements";
    if (t->true_lb < 0)
        return MPI_ERR_TYPE;
    *why = "filetype's extent is not positive";
    if (t->extent <= 0)
        return MPI_ERR_TYPE;
    l = look_at(t->program);
    *why = "filetype's displacements are not in rising order";
    if (l.falls)
        return MPI_ERR_TYPE;
    v->run = t->size / l.blocks;
    v->rises = !l.overlaps;
    v->apart = t->true_extent <= t->extent;
    *why = "filetype's parts overlap, and the file is open for writing";
    return writes && l.overlaps ? MPI_ERR_TYPE : MPI_SUCCESS;
}

static int check_units(const struct mpii_io_view *v, const struct mpii_type *etype, const char **why)
{
    *why = "etype has a size of 0";
    if (v->etype_size == 0)
        return MPI_ERR_TYPE;
    *why = "filetype's size is not a multiple of etype's";
    return v->layout->size % v->etype_size == 0 && etype->size > 0 ? MPI_SUCCESS : MPI_ERR_TYPE;
}

int mpii_io_view_set(struct mpii_io_view *v, MPI_Offset disp, struct mpii_type *etype, struct mpii_type *filetype,
                     const struct mpii_io_rep *rep, bool writes, const char **why)
{
    struct mpii_io_view new = {.disp = disp, .rep = rep};
    struct mpii_type *unit;
    int err = MPI_SUCCESS;

    *why = "a datatype cannot be laid out in this data representation";
    unit = mpii_io_type_in_file(rep, etype, &err);
    if (!unit)
        return err;
    new.etype_size = unit->size;
    mpii_type_release(unit);
    new.layout = mpii_io_type_in_file(rep, filetype, &err);
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
    mpii_io_view_clear(v);
    *v = new;
    return MPI_SUCCESS;
}

void mpii_io_view_clear(struct mpii_io_view *v)
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
        return mpii_error(
            f, MPI_ERR_ARG, call,
            "disp is %lld; expected MPI_DISPLACEMENT_CURRENT, as the file was opened with MPI_MODE_SEQUENTIAL",
            (long long)*disp);
    if (!(f->amode & MPI_MODE_SEQUENTIAL) && current)
        return mpii_error(f, MPI_ERR_ARG, call,
                          "disp is MPI_DISPLACEMENT_CURRENT, but the file was not opened with MPI_MODE_SEQUENTIAL");
    if (*disp < 0 && !current)
        return mpii_error(f, MPI_ERR_ARG, call, "disp is %lld, less than 0", (long long)*disp);
    if (current)
        *disp = mpii_io_view_locate(&f->view, mpii_io_shared_add(f, 0) * f->view.etype_size);
    return MPI_SUCCESS;
}

static int prepare(struct mpii_file *f, struct mpii_io_view *v, MPI_Offset disp, MPI_Datatype etype,
                   MPI_Datatype filetype, const char *datarep, MPI_Info info, const char *call)
{
    struct mpii_type *e, *t;
    const struct mpii_io_rep *rep;
    const char *why = "";
    int err;

    MPII_TRY(mpii_io_check_split(f, call));
    mpii_io_check_completed(f, call);
    mpii_io_wait_quiet(f, call);
    MPII_TRY(displacement(f, &disp, call));
    MPII_TRY(mpii_check_type(f, etype, &e, "etype", call));
    MPII_TRY(mpii_check_type(f, filetype, &t, "filetype", call));
    MPII_TRY(mpii_check_pointer(f, datarep, "datarep", call));
    MPII_TRY(mpii_check_info(f, info, call));
    rep = mpii_io_rep_find(datarep);
    if (!rep)
        return mpii_error(f, MPI_ERR_UNSUPPORTED_DATAREP, call,
                          "datarep is \"%s\", which is neither one of the standard's nor registered", datarep);
    err = mpii_io_view_set(v, disp, e, t, rep, (f->amode & MPI_MODE_RDONLY) == 0, &why);
    return err == MPI_SUCCESS ? err : mpii_error(f, err, call, "%s", why);
}

static int64_t hash_of(const char *text)
{
    uint64_t h = 0;

    for (; *text; text++)
        h = (h ^ (unsigned char)*text) * 0x9e3779b97f4a7c15u;
    return (int64_t)h;
}

int mpii_File_set_view(MPI_File fh, MPI_Offset disp, MPI_Datatype etype, MPI_Datatype filetype, const char *datarep,
                       MPI_Info info)
{
    struct mpii_io_view v = {0};
    struct mpii_file *f;
    int err;

    MPII_TRY(mpii_io_check_file(fh, &f, __func__));
    if (f->amode & MPI_MODE_SEQUENTIAL)
        mpii_coll_barrier(f->comm); /* all are to find the shared pointer in one place */
    err = prepare(f, &v, disp, etype, filetype, datarep, info, __func__);
    err = mpii_io_agree(f, f->comm, err, __func__);
    if (err == MPI_SUCCESS && !mpii_io_same(f->comm, (int64_t[]){v.etype_size, hash_of(datarep)}, 2))
        err = mpii_error(f, MPI_ERR_NOT_SAME, __func__,
                         "etype's size or datarep is not the same on all processes (%lld, \"%s\" here)",
                         (long long)v.etype_size, datarep);
    if (err != MPI_SUCCESS) {
        mpii_io_view_clear(&v);
        return err;
    }
    mpii_io_view_clear(&f->view);
    f->view = v;
    f->position = 0;
    mpii_io_hints_take(&f->hints, info, false);
    if (f->comm->rank == 0)
        mpii_io_shared_set(f, 0);
    mpii_io_compare_views(f);
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

    MPII_TRY(mpii_io_check_file(fh, &f, __func__));
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
