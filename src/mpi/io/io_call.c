/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What all data access calls do (14.4): check the arguments, find the offset, move
 * the data, tell how much it was. A member of a collective call whose arguments are
 * wrong takes part with nothing, so that the others get on.
 */
#include <stdlib.h>
#include <string.h>

#include "mpi/check/watch.h"
#include "mpi/io/io_call.h"

/* -------------------------------------------------------------- arguments -- */

static int check_direction(struct mpii_file *f, const struct mpii_io_form *form, const char *call)
{
    if (form->write && f->amode & MPI_MODE_RDONLY)
        return mpii_error_blame(&mpii_io_against_amode, f, MPI_ERR_READ_ONLY, call,
                                "\"%s\" was opened with MPI_MODE_RDONLY", f->name);
    if (!form->write && f->amode & MPI_MODE_WRONLY)
        return mpii_error_blame(&mpii_io_against_amode, f, MPI_ERR_ACCESS, call,
                                "\"%s\" was opened with MPI_MODE_WRONLY", f->name);
    return form->positioning == IO_SHARED ? MPI_SUCCESS : mpii_io_check_random(f, call);
}

/* Bytes of the access in the file. */
static int measure(struct mpii_io_access *a, const char *call)
{
    const struct mpii_io_view *v = &a->f->view;
    int err = MPI_SUCCESS;
    struct mpii_type *unit = mpii_io_type_in_file(v->rep, a->type, &err);
    MPI_Count size;

    if (!unit)
        return mpii_error(a->f, err, call, "datatype cannot be laid out in data representation \"%s\"", v->rep->name);
    size = unit->size;
    mpii_type_release(unit);
    if (__builtin_mul_overflow(a->count, size, &a->bytes))
        return mpii_error(a->f, MPI_ERR_COUNT, call, "count is %lld: in bytes that does not fit 63 bits",
                          (long long)a->count);
    if (a->bytes % v->etype_size != 0)
        return mpii_error(a->f, MPI_ERR_TYPE, call, "%lld bytes of data are no multiple of the view's etype of %lld",
                          (long long)a->bytes, (long long)v->etype_size);
    if (a->write && a->bytes > 0 && v->layout->size == 0)
        return mpii_error(a->f, MPI_ERR_TYPE, call, "the view's filetype has no room for data");
    return MPI_SUCCESS;
}

static int check_offset(struct mpii_io_access *a, MPI_Offset offset, const char *call)
{
    MPI_Offset end;

    if (offset < 0)
        return mpii_error(a->f, MPI_ERR_ARG, call, "offset is %lld, less than 0", (long long)offset);
    if (__builtin_mul_overflow(offset, a->f->view.etype_size, &a->at) || __builtin_add_overflow(a->at, a->bytes, &end))
        return mpii_error(a->f, MPI_ERR_ARG, call, "offset is %lld: in bytes that does not fit 63 bits",
                          (long long)offset);
    return MPI_SUCCESS;
}

static int check(const struct mpii_io_form *form, const struct mpii_io_args *args, struct mpii_io_access *a,
                 const char *call)
{
    struct mpii_file *f = a->f;

    MPII_TRY(check_direction(f, form, call));
    if (form->positioning == IO_SHARED)
        mpii_io_check_views(f, call);
    MPII_TRY(mpii_check_type(f, args->datatype, &a->type, "datatype", call));
    MPII_TRY(mpii_check_count(f, args->count, "count", call));
    MPII_TRY(mpii_check_buffer(f, args->buf, args->count, a->type, "buf", call));
    MPII_TRY(measure(a, call));
    return form->positioning == IO_AT ? check_offset(a, args->offset, call) : MPI_SUCCESS;
}

static void set_up(struct mpii_io_access *a, struct mpii_file *f, const struct mpii_io_form *form,
                   const struct mpii_io_args *args)
{
    *a = (struct mpii_io_access){
        .f = f, .write = form->write, .buf = (void *)(uintptr_t)args->buf, .count = args->count};
}

/* ------------------------------------------------------------------ offsets -- */

/* One after the other in the order of ranks, from where the shared pointer is (14.4.4). */
static int order(struct mpii_file *f, MPI_Offset etypes, MPI_Offset *at)
{
    int64_t *all = malloc((size_t)f->comm->size * sizeof *all), total = 0, before = 0, base = 0;
    int err = all ? mpii_coll_allgather(f->comm, &etypes, sizeof etypes, all) : MPI_ERR_NO_MEM;

    for (int i = 0; i < f->comm->size && err == MPI_SUCCESS; i++) {
        if (i == f->comm->rank)
            before = total;
        total += all[i];
    }
    free(all);
    if (err != MPI_SUCCESS)
        return err;
    if (f->comm->rank == 0)
        base = mpii_io_shared_add(f, total);
    err = mpii_coll_bcast(f->comm, &base, sizeof base, 0);
    *at = base + before;
    return err;
}

/* Pointers move by what is asked for, whatever the file holds (14.4.3). */
static int take_offset(struct mpii_io_access *a, const struct mpii_io_form *form)
{
    struct mpii_file *f = a->f;
    MPI_Offset etypes = a->bytes / f->view.etype_size, at = 0;

    if (form->positioning == IO_AT)
        return MPI_SUCCESS;
    if (form->positioning == IO_OWN) {
        at = f->position;
        f->position += etypes;
    } else if (form->all) {
        MPII_TRY(order(f, etypes, &at));
    } else {
        at = mpii_io_shared_add(f, etypes);
    }
    a->at = at * f->view.etype_size;
    return MPI_SUCCESS;
}

/* ----------------------------------------------------------------- blocking -- */

static int settle(struct mpii_io_access *a, MPI_Count *bytes, const char *call)
{
    int err = mpii_io_access_end(a, bytes);

    return err == MPI_SUCCESS ? err : mpii_io_access_raise(a, err, call);
}

static int move_own(const struct mpii_io_form *form, const struct mpii_io_args *args, struct mpii_io_access *a,
                    MPI_Count *bytes, const char *call)
{
    int err;

    MPII_TRY(check(form, args, a, call));
    err = take_offset(a, form);
    if (err == MPI_SUCCESS)
        err = mpii_io_access_begin(a);
    if (err != MPI_SUCCESS)
        a->error = err;
    mpii_io_move(a);
    return settle(a, bytes, call);
}

/* The part of a collective access before the exchange. Nonzero: the error, raised; a is of no bytes then. */
static int join(const struct mpii_io_form *form, const struct mpii_io_args *args, struct mpii_io_access *a,
                const char *call)
{
    int err = mpii_io_check_split(a->f, call), placed;

    if (err == MPI_SUCCESS)
        err = check(form, args, a, call);
    if (err != MPI_SUCCESS)
        a->bytes = 0;
    placed = take_offset(a, form);
    if (placed == MPI_SUCCESS && err == MPI_SUCCESS)
        placed = mpii_io_access_begin(a);
    if (placed != MPI_SUCCESS && err == MPI_SUCCESS)
        err = mpii_io_access_raise(a, placed, call);
    if (err != MPI_SUCCESS)
        a->bytes = 0;
    return err;
}

static int move_together(const struct mpii_io_form *form, const struct mpii_io_args *args, struct mpii_io_access *a,
                         MPI_Count *bytes, const char *call)
{
    int err = join(form, args, a, call), done;
    struct mpii_io_exchange *x = mpii_io_exchange_new(a->f, a);
    struct core_waiter w;

    if (!x) {
        a->error = MPI_ERR_NO_MEM;
    } else {
        mpii_wait_begin(&w, call);
        while (!mpii_io_exchange_step(x))
            mpii_wait_pause(&w);
        mpii_wait_end(&w);
    }
    mpii_io_exchange_free(x);
    if (err == MPI_SUCCESS)
        return settle(a, bytes, call);
    done = mpii_io_access_end(a, bytes);
    (void)done; /* the first error counts */
    return err;
}

static int move(const struct mpii_io_form *form, const struct mpii_io_args *args, MPI_Count *bytes, const char *call)
{
    struct mpii_file *f;
    struct mpii_io_access a;

    MPII_TRY(mpii_io_check_file(args->fh, &f, call));
    set_up(&a, f, form, args);
    return form->all ? move_together(form, args, &a, bytes, call) : move_own(form, args, &a, bytes, call);
}

int mpii_io_call_now(const struct mpii_io_form *form, const struct mpii_io_args *args, MPI_Status *status,
                     const char *call)
{
    MPI_Count bytes = 0;

    if (!form->write && !form->all)
        mpii_looked(); /* programs read until another process has written */
    MPII_TRY(move(form, args, &bytes, call));
    mpii_status_set(status, MPI_ANY_SOURCE, MPI_ANY_TAG, bytes, false);
    return MPI_SUCCESS;
}

/* The data have moved; the buffer is the program's again when it has been told so. */
static void watch(const void *owner, const struct mpii_io_form *form, const struct mpii_io_args *args, const char *call)
{
    mpii_watch_add(owner, call, form->write ? MPII_WATCH_READS : MPII_WATCH_WRITES, "buf", args->buf, args->count,
                   mpii_type_of(args->datatype));
    mpii_watch_start(owner, 0);
}

/* ---------------------------------------------------------- split collectives -- */

int mpii_io_call_begin(const struct mpii_io_form *form, const struct mpii_io_args *args, const char *call)
{
    struct mpii_file *f;
    MPI_Count bytes = 0;

    MPII_TRY(move(form, args, &bytes, call));
    MPII_TRY(mpii_io_check_file(args->fh, &f, call));
    f->split = form->split;
    f->split_buf = args->buf;
    f->split_bytes = bytes;
    if (MPT_UNLIKELY(core_params.check)) {
        watch(f, form, args, call);
        mpii_watch_landed(f);
    }
    return MPI_SUCCESS;
}

int mpii_io_call_end(enum mpii_io_split split, MPI_File fh, const void *buf, MPI_Status *status, const char *call)
{
    struct mpii_file *f;

    MPII_TRY(mpii_io_check_file(fh, &f, call));
    if (f->split != split)
        return mpii_error(f, MPI_ERR_OTHER, call,
                          f->split == IO_NO_SPLIT ? "no split collective access to \"%s\" has begun"
                                                  : "another kind of split collective access to \"%s\" has begun",
                          f->name);
    if (buf != f->split_buf)
        return mpii_error(f, MPI_ERR_BUFFER, call, "buf is %p, but the access began with %p", buf, f->split_buf);
    f->split = IO_NO_SPLIT;
    if (MPT_UNLIKELY(core_params.check)) {
        mpii_watch_end(f);
        mpii_watch_drop(f);
    }
    mpii_status_set(status, MPI_ANY_SOURCE, MPI_ANY_TAG, f->split_bytes, false);
    return MPI_SUCCESS;
}

/* ---------------------------------------------------------------- nonblocking -- */

/* A collective access under way. */
struct pending {
    struct mpii_hook hook; /* first */
    struct mpii_request *request;
    struct mpii_io_exchange *exchange;
    struct mpii_io_access access;
    char call[48];
};

static struct pending *pending_of(struct mpii_request *r)
{
    return *(struct pending **)(void *)r->own;
}

static void forget(struct mpii_request *r)
{
    free(pending_of(r));
}

static const struct mpii_request_ops ops = {.what = "file access", .free = forget};

static void step(struct mpii_hook *hook)
{
    struct pending *p = (struct pending *)(void *)hook;
    struct mpii_request *r = p->request;
    int err;

    if (!mpii_io_exchange_step(p->exchange))
        return;
    mpii_hook_remove(hook);
    mpii_io_exchange_free(p->exchange);
    p->access.f->pending--;
    err = settle(&p->access, &r->bytes, p->call);
    mpii_type_release(p->access.type);
    mpii_request_done(r, err);
}

static int start_together(const struct mpii_io_form *form, const struct mpii_io_args *args, struct mpii_request *r,
                          struct mpii_file *f, const char *call)
{
    struct pending *p = pending_of(r);
    int err;

    set_up(&p->access, f, form, args);
    err = join(form, args, &p->access, call);
    p->exchange = mpii_io_exchange_new(f, &p->access);
    if (!p->exchange)
        return err != MPI_SUCCESS ? err : mpii_error(f, MPI_ERR_NO_MEM, call, "no memory for a collective access");
    if (err != MPI_SUCCESS)
        p->access.type = mpii_type_of(MPI_BYTE);
    mpii_type_hold(p->access.type);
    p->request = r;
    p->hook.step = step;
    snprintf(p->call, sizeof p->call, "%s", call);
    f->pending++;
    mpii_hook_add(&p->hook);
    if (err == MPI_SUCCESS)
        step(&p->hook);
    else
        r->freed = true; /* the others are helped, the caller has its error */
    return err;
}

static int check_started(const struct mpii_io_args *args, MPI_Request *request, struct mpii_file **f, const char *call)
{
    MPII_TRY(mpii_io_check_file(args->fh, f, call));
    return mpii_check_pointer(*f, request, "request", call);
}

int mpii_io_call_started(const struct mpii_io_form *form, const struct mpii_io_args *args, MPI_Request *request,
                         const char *call)
{
    struct mpii_request *r;
    struct mpii_file *f;
    MPI_Count bytes = 0;
    int err;

    if (!form->write && !form->all)
        mpii_looked();
    MPII_TRY(check_started(args, request, &f, call));
    *request = MPI_REQUEST_NULL;
    if (!form->all)
        MPII_TRY(move(form, args, &bytes, call));
    r = mpii_request_new(&ops, f->comm);
    if (!r)
        return mpii_error(f, MPI_ERR_NO_MEM, call, "no memory for a request");
    *(struct pending **)(void *)r->own = form->all ? calloc(1, sizeof(struct pending)) : NULL;
    if (!form->all) {
        r->bytes = bytes;
        mpii_request_done(r, MPI_SUCCESS);
    } else if (!pending_of(r)) {
        mpii_request_end(r);
        return mpii_error(f, MPI_ERR_NO_MEM, call, "no memory for a collective access");
    } else if ((err = start_together(form, args, r, f, call)) != MPI_SUCCESS) {
        if (!r->freed)
            mpii_request_end(r);
        return err;
    }
    if (MPT_UNLIKELY(core_params.check)) {
        watch(r, form, args, call);
        mpii_watch_request(r);
        if (r->done)
            mpii_watch_landed(r);
    }
    *request = mpii_request_handle(r);
    return MPI_SUCCESS;
}
