/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Views of array sections. Types come from the library (mpi/front/sections.h). A copy
 * goes back byte by byte where it has changed: the rest of the section is not the
 * call's, others may write there meanwhile.
 */
#include "section.h"

#include "mpi/collective/follow.h"
#include "mpi/front/sections.h"

extern __typeof__(mpt_abi_sections) mpt_abi_sections __attribute__((weak)); /* not in others' libmpi_abi */

struct mpif_copy {
    struct mpt_section s;
    MPI_Count bytes;
    bool back;
    unsigned char *before; /* what was copied in; NULL: not back */
    _Alignas(16) unsigned char data[];
};

/* False: it has no elements. */
static bool section_of(struct mpt_section *s, const struct mpif_array *d)
{
    *s = (struct mpt_section){.base = d->base_addr, .element = mpif_element(d), .rank = d->dtype.rank};
    for (int i = 0; i < d->dtype.rank; i++) {
        s->dim[i].extent = d->dim[i].upper - d->dim[i].lower + 1;
        s->dim[i].stride = d->dim[i].stride * d->span;
        if (s->dim[i].extent <= 0)
            return false;
    }
    return s->element > 0;
}

/* The view before anything is known of it. Returns whether `d` is a section that needs more; *error: when it cannot be
 * had. */
static bool begin(struct mpif_view *v, const struct mpif_array *d, struct mpt_section *s, int *error)
{
    *v = (struct mpif_view){.at = d->base_addr};
    *error = MPI_SUCCESS;
    if (mpif_flat(d) || !section_of(s, d))
        return false;
    if (!mpt_abi_sections)
        *error = mpif_error(MPI_ERR_UNSUPPORTED_OPERATION);
    return *error == MPI_SUCCESS;
}

int mpif_view_typed(struct mpif_view *v, const struct mpif_array *d, MPI_Count count, int datatype, const char *call,
                    const char *arg)
{
    MPI_Datatype made = MPI_DATATYPE_NULL;
    struct mpt_section s;
    int error;

    if (begin(v, d, &s, &error))
        error = mpt_abi_sections()->type(&s, count, mpif_type(datatype), &made, call, arg);
    v->typed = error == MPI_SUCCESS && made != MPI_DATATYPE_NULL;
    v->type = v->typed ? mpif_type_int(made) : datatype;
    return error;
}

int mpif_view_first(struct mpif_view *v, const struct mpif_array *d, int datatype, const char *call, const char *arg)
{
    MPI_Count size = 0;
    struct mpt_section s;
    int error;

    if (!begin(v, d, &s, &error))
        return error;
    error = PMPI_Type_size_c(mpif_type(datatype), &size);
    return error == MPI_SUCCESS ? mpt_abi_sections()->together(&s, size > 0 ? size : 0, call, arg) : error;
}

int mpif_view_whole(struct mpif_view *v, const struct mpif_array *d, const char *call, const char *arg)
{
    struct mpt_section s;
    int error;

    if (begin(v, d, &s, &error))
        error = mpt_abi_sections()->together(&s, -1, call, arg);
    return error;
}

/* ---- copies ---- */

static inline __attribute__((always_inline)) void copy_back(unsigned char *to, const unsigned char *data,
                                                            const unsigned char *before, size_t n)
{
    for (size_t i = 0; i < n; i += 8) {
        size_t m = n - i < 8 ? n - i : 8;
        uint64_t is = 0, was = 0;

        memcpy(&is, data + i, m);
        memcpy(&was, before + i, m);
        if (is != was)
            for (size_t k = i; k < i + m; k++)
                if (data[k] != before[k])
                    to[k] = data[k];
    }
}

/* `count` pieces of n bytes, `stride` apart. */
static inline __attribute__((always_inline)) void pieces(char *at, MPI_Aint stride, MPI_Count count, size_t n,
                                                         unsigned char *data, const unsigned char *before)
{
    for (MPI_Count i = 0; i < count; i++, at += stride, data += n) {
        if (before) {
            copy_back((unsigned char *)at, data, before, n);
            before += n;
        } else {
            memcpy(data, at, n);
        }
    }
}

/* Of numbers, most often. before: NULL on the way in. */
static void row(char *at, MPI_Aint stride, MPI_Count count, size_t n, unsigned char *data, const unsigned char *before)
{
    if (n == 4)
        pieces(at, stride, count, 4, data, before);
    else if (n == 8)
        pieces(at, stride, count, 8, data, before);
    else
        pieces(at, stride, count, n, data, before);
}

/* In or back, in rows of pieces that lie together. */
static void move(struct mpif_copy *c, bool back)
{
    const struct mpt_section *s = &c->s;
    MPI_Count index[MPT_SECTION_RANK] = {0}, n = s->element, all;
    char *at = s->base;
    int first = 0, i;

    for (; s->dim[first].extent == 1 || s->dim[first].stride == n; first++)
        n *= s->dim[first].extent;
    all = s->dim[first].extent;
    for (MPI_Count done = 0; done < c->bytes; done += all * n) {
        MPI_Count whole = (c->bytes - done) / n < all ? (c->bytes - done) / n : all, end = done + whole * n;

        row(at, s->dim[first].stride, whole, (size_t)n, c->data + done, back ? c->before + done : NULL);
        if (whole < all && end < c->bytes)
            row(at + whole * s->dim[first].stride, 0, 1, (size_t)(c->bytes - end), c->data + end,
                back ? c->before + end : NULL);
        for (i = first + 1; i < s->rank && ++index[i] == s->dim[i].extent; i++) {
            at -= (s->dim[i].extent - 1) * s->dim[i].stride;
            index[i] = 0;
        }
        if (i < s->rank)
            at += s->dim[i].stride;
    }
}

static void copy_in(struct mpif_copy *c)
{
    move(c, false);
    if (c->back)
        memcpy(c->before, c->data, (size_t)c->bytes);
}

/* The first `bytes` of the buffer. */
static int copied(struct mpif_view *v, const struct mpt_section *s, size_t bytes, bool back)
{
    v->copy = malloc(sizeof *v->copy + (back ? 2 : 1) * bytes);
    if (!v->copy)
        return mpif_no_memory();
    *v->copy = (struct mpif_copy){.s = *s, .bytes = (MPI_Count)bytes, .back = back};
    v->copy->before = v->copy->data + bytes;
    v->at = v->copy->data;
    copy_in(v->copy);
    return MPI_SUCCESS;
}

int mpif_view_copied(struct mpif_view *v, const struct mpif_array *d, bool back)
{
    struct mpt_section s;

    *v = (struct mpif_view){.at = d->base_addr};
    return mpif_flat(d) || !section_of(&s, d) ? MPI_SUCCESS : copied(v, &s, (size_t)mpt_section_bytes(&s), back);
}

enum { FEW_BYTES = 4096, PREDEFINED = 0x1000 };

int mpif_view_now(struct mpif_view *v, const struct mpif_array *d, MPI_Count count, int datatype, bool back,
                  const char *call, const char *arg)
{
    MPI_Count lb, extent;
    struct mpt_section s;

    *v = (struct mpif_view){.at = d->base_addr, .type = datatype};
    if (mpif_flat(d) || !section_of(&s, d))
        return MPI_SUCCESS;
    if (count > 0 && count <= FEW_BYTES && datatype < PREDEFINED &&
        PMPI_Type_get_extent_c(mpif_type(datatype), &lb, &extent) == MPI_SUCCESS && extent > 0 &&
        count * extent <= FEW_BYTES && count * extent <= mpt_section_bytes(&s))
        return copied(v, &s, (size_t)(count * extent), back);
    return mpif_view_typed(v, d, count, datatype, call, arg);
}

void mpif_views_back(struct mpif_view *v, int n)
{
    for (int i = 0; i < n; i++)
        if (v[i].copy && v[i].copy->back)
            move(v[i].copy, true);
}

/* ---- copies that outlive the call ---- */

enum { KEPT = 2 };
struct mpif_kept {
    struct mpif_copy *copies[KEPT];
};

static void kept_start(void *arg)
{
    const struct mpif_kept *k = arg;

    for (int i = 0; i < KEPT; i++)
        if (k->copies[i])
            copy_in(k->copies[i]);
}

static void kept_done(void *arg)
{
    const struct mpif_kept *k = arg;

    for (int i = 0; i < KEPT; i++)
        if (k->copies[i] && k->copies[i]->back)
            move(k->copies[i], true);
}

static void kept_free(void *arg)
{
    struct mpif_kept *k = arg;

    for (int i = 0; i < KEPT; i++)
        free(k->copies[i]);
    free(k);
}

int mpif_views_later(struct mpif_view *v, int n)
{
    bool any = false;

    for (int i = 0; i < n; i++)
        any |= v[i].copy != NULL;
    if (!any)
        return MPI_SUCCESS;
    if (!mpt_abi_sections)
        return mpif_error(MPI_ERR_UNSUPPORTED_OPERATION);
    v[0].kept = calloc(1, sizeof *v[0].kept);
    if (!v[0].kept)
        return mpif_no_memory();
    for (int i = 0; i < n; i++) {
        v[0].kept->copies[i] = v[i].copy;
        v[i].copy = NULL;
    }
    return MPI_SUCCESS;
}

int mpif_views_keep(struct mpif_view *v, int request)
{
    static const struct mpt_hooks hooks = {kept_start, kept_done, kept_free};
    struct mpif_kept *k = v[0].kept;

    v[0].kept = NULL;
    return k ? mpt_abi_sections()->follow(mpif_request(request), &hooks, k) : MPI_SUCCESS;
}

void mpif_views_close(struct mpif_view *v, int n)
{
    for (int i = 0; i < n; i++) {
        MPI_Datatype type = v[i].typed ? mpif_type(v[i].type) : MPI_DATATYPE_NULL;

        if (v[i].typed)
            PMPI_Type_free(&type);
        free(v[i].copy);
    }
    if (v[0].kept)
        kept_free(v[0].kept);
}
