/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Independent transfers. Memory that is not in one piece goes by vectors when its
 * blocks are large, else through a buffer of one piece. Reads of small pieces that
 * lie close together read all between them, too (data sieving); writes never do,
 * as others may write there at the same time. In atomic mode (14.6.1) a lock
 * on all of the range makes accesses follow each other.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/uio.h>

#include "mpi/io/io.h"

enum {
    CHUNK = 1 << 20,       /* bytes of the buffer */
    VECTORS = 256,
    VECTOR_BYTES = 2048,   /* memory blocks of at least this, on average, go by vectors */
    SIEVE_RUN = 16384,     /* pieces of the file no longer than this, on average, are sieved */
    SIEVE_WASTE = 16,      /* unless they are less than 1 in so many bytes */
};

/* Part of an access: bytes of the stream to or from memory that is in one piece. */
struct part {
    struct mpii_io_access *a;
    char *memory;
    MPI_Count moved;
    int error; /* errno */
    bool ended; /* the end of the file */
};

static bool move_block(struct part *p, MPI_Offset disp, MPI_Count n)
{
    MPI_Count done;

    p->error = p->a->write ? mpii_io_file_write(p->a->f->fd, p->memory + p->moved, n, disp, &done)
                           : mpii_io_file_read(p->a->f->fd, p->memory + p->moved, n, disp, &done);
    p->moved += done;
    p->ended = done < n;
    return !p->ended && p->error == 0;
}

static bool move_run(void *arg, const struct mpii_io_run *run)
{
    for (MPI_Count i = 0; i < run->n; i++)
        if (!move_block(arg, run->at + i * run->stride, run->bytes))
            return false;
    return true;
}

/* ------------------------------------------------------------------- sieving -- */

struct sieve {
    char *window, *packed;
    MPI_Offset low;
};

static bool sieve_run(void *arg, const struct mpii_io_run *run)
{
    struct sieve *s = arg;

    mpii_io_run_gather(run, s->window, s->low, s->packed);
    s->packed += run->bytes * run->n;
    return true;
}

static bool worth_sieving(const struct mpii_io_access *a)
{
    const struct mpii_io_view *v = &a->f->view;

    if (a->write || v->layout->dense || a->f->hints.sieve_read == IO_DISABLE || a->bytes < 2 * v->run)
        return false;
    if (!mpii_io_view_rises(v, a->at, a->bytes))
        return false;
    return a->f->hints.sieve_read == IO_ENABLE ||
           (v->run <= SIEVE_RUN && v->layout->size > v->layout->extent / SIEVE_WASTE);
}

static void read_sieved(struct part *p, MPI_Offset at, MPI_Count n, MPI_Count room, char *window)
{
    const struct mpii_io_view *v = &p->a->f->view;
    MPI_Offset end = at + n;

    while (at < end && !p->ended) {
        MPI_Offset low = mpii_io_view_locate(v, at), high = mpii_io_view_locate(v, end - 1) + 1, next = end;
        struct sieve s = {window, p->memory + p->moved, low};
        MPI_Count got;

        if (high - low > room) {
            high = low + room;
            next = mpii_io_view_before(v, high, at, end);
        }
        p->error = mpii_io_file_read(p->a->f->fd, window, high - low, low, &got);
        if (p->error)
            return;
        if (got < high - low) {
            next = mpii_io_view_before(v, low + got, at, end);
            p->ended = true;
        }
        mpii_io_view_runs(v, at, next - at, sieve_run, &s);
        p->moved += next - at;
        at = next;
    }
}

/* -------------------------------------------------------------------- memory -- */

/* n bytes from stream offset `at` on, with memory in one piece. */
static void move_part(struct part *p, MPI_Offset at, MPI_Count n)
{
    struct mpii_io_access *a = p->a;
    MPI_Count room = n < a->f->hints.sieve_size ? 2 * n : a->f->hints.sieve_size;
    char *window = worth_sieving(a) ? malloc((size_t)room) : NULL;

    if (window)
        read_sieved(p, at, n, room, window);
    else
        mpii_io_view_runs(&a->f->view, at, n, move_run, p);
    free(window);
}

static void finish_part(struct mpii_io_access *a, const struct part *p)
{
    a->done += p->moved;
    if (!p->error)
        return;
    a->os_error = p->error;
    a->error = mpii_io_class_of(p->error);
}

/* Through a buffer, a chunk at a time. */
static void move_packed(struct mpii_io_access *a)
{
    MPI_Count most = a->bytes < CHUNK ? a->bytes : CHUNK;
    struct part p = {.a = a, .memory = malloc((size_t)most)};

    if (!p.memory)
        a->error = MPI_ERR_NO_MEM;
    for (MPI_Count at = 0; at < a->bytes && !a->error && !p.ended; at += p.moved) {
        MPI_Count n = a->bytes - at < most ? a->bytes - at : most;

        p.moved = 0;
        if (a->write)
            mpii_pack(p.memory, a->from, a->from_count, a->from_type, at, n);
        move_part(&p, a->at + at, n);
        if (!a->write)
            mpii_unpack(a->from, a->from_count, a->from_type, at, p.memory, p.moved);
        finish_part(a, &p);
    }
    free(p.memory);
}

/* ------------------------------------------------------------------- vectors -- */

/* The file is in one piece, memory in large ones. */
static void move_vectors(struct mpii_io_access *a)
{
    MPI_Offset disp = mpii_io_view_locate(&a->f->view, a->at);

    while (a->done < a->bytes && !a->error) {
        struct mpii_block blocks[VECTORS];
        struct iovec io[VECTORS];
        MPI_Count covered;
        int n = mpii_blocks(a->from_count, a->from_type, a->done, blocks, VECTORS, &covered);
        ssize_t moved;

        for (int i = 0; i < n; i++)
            io[i] = (struct iovec){(char *)a->from + blocks[i].at, (size_t)blocks[i].n};
        do
            moved = a->write ? pwritev(a->f->fd, io, n, disp + a->done) : preadv(a->f->fd, io, n, disp + a->done);
        while (moved < 0 && errno == EINTR);
        if (moved < 0 || (moved == 0 && a->write)) {
            a->os_error = moved < 0 ? errno : EIO;
            a->error = mpii_io_class_of(a->os_error);
        }
        if (moved <= 0)
            return;
        a->done += moved;
    }
}

static bool worth_vectors(const struct mpii_io_access *a)
{
    struct mpii_block blocks[VECTORS];
    MPI_Count covered;
    int n = mpii_blocks(a->from_count, a->from_type, 0, blocks, VECTORS, &covered);

    return a->f->view.layout->dense && n > 0 && covered / n >= VECTOR_BYTES;
}

/* -------------------------------------------------------------- atomic mode -- */

static int lock_range(struct mpii_file *f, short kind, MPI_Offset low, MPI_Count n)
{
    struct flock l = {.l_type = kind, .l_whence = SEEK_SET, .l_start = low, .l_len = n};
    int err;

    do
        err = fcntl(f->fd, F_OFD_SETLKW, &l) == 0 ? 0 : errno;
    while (err == EINTR);
    return err;
}

static void move(struct mpii_io_access *a)
{
    struct part p = {.a = a, .memory = (char *)a->from};

    if (!a->from_type->dense) {
        if (worth_vectors(a))
            move_vectors(a);
        else
            move_packed(a);
        return;
    }
    move_part(&p, a->at, a->bytes);
    finish_part(a, &p);
}

void mpii_io_move(struct mpii_io_access *a)
{
    struct mpii_io_span span;

    if (a->bytes == 0 || a->error)
        return;
    if (a->f->view.layout->size == 0) {
        if (a->write)
            a->error = MPI_ERR_IO; /* the view has no data */
        return;
    }
    a->f->dirty |= a->write;
    if (!a->f->atomic) {
        move(a);
        return;
    }
    span = mpii_io_view_span(&a->f->view, a->at, a->bytes);
    a->os_error = lock_range(a->f, a->write ? F_WRLCK : F_RDLCK, span.low, span.high - span.low);
    if (a->os_error) {
        a->error = mpii_io_class_of(a->os_error);
        return;
    }
    move(a);
    lock_range(a->f, F_UNLCK, span.low, span.high - span.low);
}
