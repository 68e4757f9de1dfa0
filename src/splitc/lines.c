/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What each source line moves, to and from whom (MPT_SPLITC_PROFILE). A table by file name and line; names are
 * compared as addresses first, since one line's name is nearly always one string.
 */
#include <stdio.h>

#include "splitc/splitci.h"

struct record {
    const char *file;
    int line;
    enum splitci_kind kind;
    uint64_t times, bytes;
    uint64_t *to; /* bytes by processor */
};

static struct {
    struct record *record;
    unsigned n, room; /* room: a power of two */
} table;

static const char *const name[SPLITCI_KINDS] = {"=  read", "=  write", ":= get", ":= put", ":- store"};

static bool is_it(const struct record *r, const char *file, int line, enum splitci_kind kind)
{
    return r->line == line && r->kind == kind && (r->file == file || strcmp(r->file, file) == 0);
}

/* Its place, or the free one where it belongs. */
static struct record *place(const char *file, int line, enum splitci_kind kind)
{
    unsigned i = ((unsigned)line * 31 + kind) * 2654435761u;

    for (;; i++) {
        struct record *r = &table.record[i & (table.room - 1)];

        if (!r->file || is_it(r, file, line, kind))
            return r;
    }
}

static void grow(void)
{
    struct record *old = table.record;
    unsigned room = table.room;

    table.room = room ? 2 * room : 256;
    table.record = calloc(table.room, sizeof *table.record);
    if (!table.record)
        core_fatal("MPT_SPLITC_PROFILE: out of memory");
    for (unsigned i = 0; i < room; i++)
        if (old[i].file)
            *place(old[i].file, old[i].line, old[i].kind) = old[i];
    free(old);
}

void splitci_line_count(const char *file, int line, enum splitci_kind kind, int pe, size_t n)
{
    struct record *r;

    if (2 * table.n >= table.room)
        grow();
    r = place(file, line, kind);
    if (!r->file) {
        *r = (struct record){.file = file, .line = line, .kind = kind, .to = calloc((size_t)core_size(), sizeof *r->to)};
        if (!r->to)
            core_fatal("MPT_SPLITC_PROFILE: out of memory");
        table.n++;
    }
    r->times++;
    r->bytes += n;
    r->to[pe] += n;
}

static int most_bytes_first(const void *a, const void *b)
{
    const struct record *x = a, *y = b;

    return x->bytes != y->bytes ? (x->bytes < y->bytes) - (x->bytes > y->bytes) : x->line - y->line;
}

static void print(const struct record *r)
{
    fprintf(stderr, "PE %d  %s:%d  %s  %llu times, %llu bytes, with", core_me(), r->file, r->line, name[r->kind],
            (unsigned long long)r->times, (unsigned long long)r->bytes);
    for (int pe = 0; pe < core_size(); pe++)
        if (r->to[pe])
            fprintf(stderr, " %d: %llu", pe, (unsigned long long)r->to[pe]);
    fputc('\n', stderr);
}

void splitci_line_report(void)
{
    unsigned n = 0;

    for (unsigned i = 0; i < table.room; i++)
        if (table.record[i].file)
            table.record[n++] = table.record[i];
    if (n)
        qsort(table.record, n, sizeof *table.record, most_bytes_first);
    for (int pe = 0; pe < core_size(); pe++) {
        for (unsigned i = 0; pe == core_me() && i < n; i++)
            print(&table.record[i]);
        core_job_barrier();
    }
    table.n = table.room = 0; /* what follows is not counted with these */
}
