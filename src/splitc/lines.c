/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What each source line moves, to and from whom (MPT_SPLITC_PROFILE). A table by file name and line; names are
 * compared as addresses first, since one line's name is nearly always one string.
 */
#include <stdio.h>

#include "splitc/splitci.h"

struct splitci_record {
    const char *file;
    int line;
    enum splitci_kind kind;
    uint64_t times, bytes;
    uint64_t *to; /* bytes by processor */
};

static const char *const name[SPLITCI_KINDS] = {"=  read", "=  write", ":= get", ":= put", ":- store"};

static bool is_it(const struct splitci_record *r, const char *file, int line, enum splitci_kind kind)
{
    return r->line == line && r->kind == kind && (r->file == file || strcmp(r->file, file) == 0);
}

/* Its record, or the free one where it belongs. */
static struct splitci_record *find(const char *file, int line, enum splitci_kind kind)
{
    unsigned i = ((unsigned)line * 31 + kind) * 2654435761u;

    for (;; i++) {
        struct splitci_record *r = &splitci.lines.record[i & (splitci.lines.room - 1)];

        if (!r->file || is_it(r, file, line, kind))
            return r;
    }
}

static void grow(void)
{
    struct splitci_record *old = splitci.lines.record;
    unsigned room = splitci.lines.room;

    splitci.lines.room = room ? 2 * room : 256;
    splitci.lines.record = calloc(splitci.lines.room, sizeof *splitci.lines.record);
    if (!splitci.lines.record)
        core_fatal("MPT_SPLITC_PROFILE: out of memory");
    for (unsigned i = 0; i < room; i++)
        if (old[i].file)
            *find(old[i].file, old[i].line, old[i].kind) = old[i];
    free(old);
}

void splitci_line_count(const char *file, int line, enum splitci_kind kind, int pe, size_t n)
{
    struct splitci_record *r;

    if (2 * splitci.lines.n >= splitci.lines.room)
        grow();
    r = find(file, line, kind);
    if (!r->file) {
        *r = (struct splitci_record){
            .file = file, .line = line, .kind = kind, .to = calloc((size_t)core_size(), sizeof *r->to)};
        if (!r->to)
            core_fatal("MPT_SPLITC_PROFILE: out of memory");
        splitci.lines.n++;
    }
    r->times++;
    r->bytes += n;
    r->to[pe] += n;
}

static int most_bytes_first(const void *a, const void *b)
{
    const struct splitci_record *x = a, *y = b;

    return x->bytes != y->bytes ? (x->bytes < y->bytes) - (x->bytes > y->bytes) : x->line - y->line;
}

static void print(const struct splitci_record *r)
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

    for (unsigned i = 0; i < splitci.lines.room; i++)
        if (splitci.lines.record[i].file)
            splitci.lines.record[n++] = splitci.lines.record[i];
    if (n)
        qsort(splitci.lines.record, n, sizeof *splitci.lines.record, most_bytes_first);
    for (int pe = 0; pe < core_size(); pe++) {
        for (unsigned i = 0; pe == core_me() && i < n; i++)
            print(&splitci.lines.record[i]);
        core_job_barrier("the end of splitc_main");
    }
    splitci.lines.n = splitci.lines.room = 0; /* what follows is not counted with these */
}
