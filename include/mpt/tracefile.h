/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads the files pe.N.trace of `mptrun --trace DIR` (docs/trace-format.md) in C and C++. Nothing is to be linked; all
 * that is read is checked, so that a file may be damaged, and end, anywhere.
 *
 *     struct mpt_tracefile f;
 *     struct mpt_trace_record r;
 *     const char *wrong = mpt_tracefile_open(&f, "DIR/pe.0.trace");
 *     for (uint64_t i = 0; !wrong && i < f.records; i++)
 *         if (mpt_tracefile_get(&f, i, &r) && r.kind == MPT_TRACE_CALL)
 *             printf("%.9f %s\n", mpt_tracefile_seconds(&f, r.begin), mpt_tracefile_name(&f, r.call));
 *     mpt_tracefile_close(&f);
 *
 * For hosts whose integers are little-endian, as those in the files are.
 */
#ifndef MPT_TRACEFILE_H
#define MPT_TRACEFILE_H

#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "mpt/tracefile.h: for little-endian hosts"
#endif

#ifdef __cplusplus
extern "C" {
#endif

enum {
    MPT_TRACE_NONE,
    MPT_TRACE_CALL,
    MPT_TRACE_SEND,
    MPT_TRACE_RECEIVE,
    MPT_TRACE_SENT,
    MPT_TRACE_HANDLER,
    MPT_TRACE_REGION,
    MPT_TRACE_COUNTERS,
    MPT_TRACE_CLOCK,
    MPT_TRACE_START,
    MPT_TRACE_DONE,
    MPT_TRACE_RECORDER,
    MPT_TRACE_DEF_CALL = 16,
    MPT_TRACE_DEF_SITE,
    MPT_TRACE_DEF_GROUP,
    MPT_TRACE_DEF_LINE,
    MPT_TRACE_DEF_SOURCES,
    MPT_TRACE_MORE = 255
};

enum {
    MPT_TRACE_SENDS = 1,
    MPT_TRACE_RECEIVES = 2,
    MPT_TRACE_BEGINS = 4,
    MPT_TRACE_COLLECTIVE = 8,
    MPT_TRACE_STORES = 16,
    MPT_TRACE_LOADS = 32,
    MPT_TRACE_WAITS = 64,
    MPT_TRACE_SYNC = 128
};

struct mpt_trace_header {
    char magic[8];
    uint32_t version, pe, pes, record_n;
    uint64_t ticks_per_second, dropped, ticks, epoch_ns, pid;
};

struct mpt_trace_record {
    uint8_t kind, role;
    uint16_t call, thread, result;
    uint64_t begin, end;
    int32_t peer, tag;
    uint64_t bytes;
    uint32_t group, site;
    uint64_t message, value;
};

/* A definition: where its text is, in records. */
struct mpt_trace_definition {
    uint8_t kind;
    uint32_t number;
    uint64_t at;
    char *text; /* made when it is first asked for */
};

struct mpt_tracefile {
    const unsigned char *data;
    size_t size;
    void *mapped, *joined; /* by mpt_tracefile_open: the file, or the file with its tail */
    struct mpt_trace_header header;
    uint64_t records; /* whole ones, after the header */
    struct mpt_trace_definition *definitions; /* by kind and number; of two with one number the last */
    size_t definitions_n;
};

/* Record i; 0: there is none. */
static inline int mpt_tracefile_get(const struct mpt_tracefile *f, uint64_t i, struct mpt_trace_record *r)
{
    if (i >= f->records)
        return 0;
    memcpy(r, f->data + sizeof f->header + (size_t)i * sizeof *r, sizeof *r);
    return 1;
}

static inline int mpt_tracefile_order_(const void *a, const void *b)
{
    const struct mpt_trace_definition *one = (const struct mpt_trace_definition *)a,
                                      *other = (const struct mpt_trace_definition *)b;

    if (one->kind != other->kind)
        return one->kind < other->kind ? -1 : 1;
    if (one->number != other->number)
        return one->number < other->number ? -1 : 1;
    return one->at < other->at ? -1 : one->at > other->at;
}

static inline uint32_t mpt_tracefile_number_(const struct mpt_trace_record *r)
{
    if (r->kind == MPT_TRACE_DEF_CALL)
        return r->call;
    return r->kind == MPT_TRACE_DEF_GROUP || r->kind == MPT_TRACE_DEF_SOURCES ? r->group : r->site;
}

/* 0: no memory. */
static inline int mpt_tracefile_sort_(struct mpt_tracefile *f)
{
    struct mpt_trace_record r;
    size_t room = 0, n = 0;

    for (uint64_t i = 0; mpt_tracefile_get(f, i, &r); i++) {
        if (r.kind < MPT_TRACE_DEF_CALL || r.kind > MPT_TRACE_DEF_SOURCES)
            continue;
        if (n == room) {
            size_t more = room ? 2 * room : 256;
            void *to = realloc(f->definitions, more * sizeof *f->definitions);

            if (!to)
                return 0;
            f->definitions = (struct mpt_trace_definition *)to;
            room = more;
        }
        f->definitions[n].kind = r.kind;
        f->definitions[n].number = mpt_tracefile_number_(&r);
        f->definitions[n].at = i;
        f->definitions[n++].text = NULL;
    }
    if (n > 0)
        qsort(f->definitions, n, sizeof *f->definitions, mpt_tracefile_order_);
    f->definitions_n = n;
    return 1;
}

/* A file that lies in memory, which must stay as it is. NULL, or what is wrong with it; then there is nothing to close.
 */
static inline const char *mpt_tracefile_bytes(struct mpt_tracefile *f, const void *data, size_t size)
{
    memset(f, 0, sizeof *f);
    if (size < sizeof f->header)
        return "shorter than a header";
    memcpy(&f->header, data, sizeof f->header);
    if (memcmp(f->header.magic, "MPTTRACE", 8) != 0)
        return "no trace";
    if (f->header.version != 1)
        return "another version of the format";
    if (f->header.record_n != sizeof(struct mpt_trace_record) || f->header.ticks_per_second == 0)
        return "a damaged header";
    f->data = (const unsigned char *)data;
    f->size = size;
    f->records = (size - sizeof f->header) / sizeof(struct mpt_trace_record);
    if (!mpt_tracefile_sort_(f)) {
        free(f->definitions);
        f->definitions = NULL;
        return "no memory";
    }
    return NULL;
}

/* What lies in `pe.N.tail` beside `pe.N.trace`, the ring of a PE that was killed, is put behind the records of the
 * file: *size bytes, which are the caller's. NULL: there is nothing that fits. */
static inline unsigned char *mpt_tracefile_join_(const char *path, const void *file, size_t *size)
{
    enum { AT = 4096, EACH = 64 };
    struct {
        char magic[8];
        uint64_t ring_n, written, room;
    } head;
    size_t n = strlen(path), end = sizeof ".trace" - 1;
    unsigned char *all = NULL;
    char *name = n > end && strcmp(path + n - end, ".trace") == 0 ? (char *)malloc(n + 1) : NULL;
    int fd = -1;

    if (name) {
        memcpy(name, path, n - end);
        strcpy(name + n - end, ".tail");
        fd = open(name, O_RDONLY | O_CLOEXEC);
        free(name);
    }
    if (fd >= 0 && pread(fd, &head, sizeof head, 0) == (ssize_t)sizeof head && memcmp(head.magic, "MPTTAIL", 8) == 0 &&
        head.ring_n > 0 && head.ring_n <= 1u << 24 && head.written >= 1 && head.written <= *size / EACH &&
        head.room >= head.written && head.room - head.written <= head.ring_n)
        all = (unsigned char *)calloc((size_t)head.room, EACH);
    if (all) {
        memcpy(all, file, (size_t)head.written * EACH);
        for (uint64_t i = head.written; i < head.room; i++)
            if (pread(fd, all + i * EACH, EACH, (off_t)(AT + i % head.ring_n * EACH)) != EACH)
                break; /* the others are empty */
        *size = (size_t)head.room * EACH;
    }
    if (fd >= 0)
        close(fd);
    return all;
}

/* The same of a path. Files that grow meanwhile are read as far as they went. */
static inline const char *mpt_tracefile_open(struct mpt_tracefile *f, const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    const char *wrong = "cannot be opened";
    unsigned char *joined;
    struct stat s;
    size_t n;
    void *at;

    memset(f, 0, sizeof *f);
    if (fd < 0)
        return wrong;
    if (fstat(fd, &s) == 0 && s.st_size > 0) {
        n = (size_t)s.st_size;
        at = mmap(NULL, n, PROT_READ, MAP_PRIVATE, fd, 0);
        joined = at == MAP_FAILED ? NULL : mpt_tracefile_join_(path, at, &n);
        if (at == MAP_FAILED)
            wrong = "cannot be mapped";
        else if ((wrong = mpt_tracefile_bytes(f, joined ? joined : at, n)))
            free(joined);
        else
            f->joined = joined;
        if (at != MAP_FAILED && (wrong || joined))
            munmap(at, (size_t)s.st_size);
        else if (!wrong)
            f->mapped = at;
    } else {
        wrong = "shorter than a header";
    }
    close(fd);
    return wrong;
}

static inline void mpt_tracefile_close(struct mpt_tracefile *f)
{
    for (size_t i = 0; i < f->definitions_n; i++)
        free(f->definitions[i].text);
    free(f->definitions);
    if (f->mapped)
        munmap(f->mapped, f->size);
    free(f->joined);
    memset(f, 0, sizeof *f);
}

/* Copies the bytes of the definition that is record i, up to `most` of them, to `to`. How many it has; -1: record i is
 * none, or its bytes are not all there. */
static inline int64_t mpt_tracefile_body(const struct mpt_tracefile *f, uint64_t i, void *to, size_t most)
{
    const size_t each = sizeof(struct mpt_trace_record) - 1;
    struct mpt_trace_record r;
    uint64_t n, first = i + 1;

    if (!mpt_tracefile_get(f, i, &r) || r.kind < MPT_TRACE_DEF_CALL || r.kind > MPT_TRACE_DEF_SOURCES)
        return -1;
    n = r.bytes;
    if (n > (f->records - first) * each)
        return -1;
    for (uint64_t done = 0; done < n; done += each) {
        const unsigned char *more = f->data + sizeof f->header + (size_t)(first + done / each) * sizeof r;
        size_t left = n - done < each ? (size_t)(n - done) : each;

        if (more[0] != MPT_TRACE_MORE)
            return -1;
        if (done < most)
            memcpy((char *)to + done, more + 1, left < most - done ? left : most - (size_t)done);
    }
    return (int64_t)n;
}

/* The definition of this kind and number; NULL: there is none. */
static inline struct mpt_trace_definition *mpt_tracefile_find(const struct mpt_tracefile *f, int kind, uint32_t number)
{
    size_t lo = 0, hi = f->definitions_n;

    while (lo < hi) { /* the first that lies behind */
        size_t mid = lo + (hi - lo) / 2;
        const struct mpt_trace_definition *d = &f->definitions[mid];

        if (d->kind < kind || (d->kind == kind && d->number <= number))
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo > 0 && f->definitions[lo - 1].kind == kind && f->definitions[lo - 1].number == number
               ? &f->definitions[lo - 1]
               : NULL;
}

static inline const char *mpt_tracefile_text_(const struct mpt_tracefile *f, int kind, uint32_t number)
{
    struct mpt_trace_definition *d = mpt_tracefile_find(f, kind, number);
    int64_t n;

    if (!d || d->text)
        return d ? d->text : "";
    n = mpt_tracefile_body(f, d->at, NULL, 0);
    if (n < 0 || !(d->text = (char *)malloc((size_t)n + 1)))
        return "";
    mpt_tracefile_body(f, d->at, d->text, (size_t)n);
    d->text[n] = '\0';
    return d->text;
}

/* A call's or region's name; a site's `file:line in function`. "": not known. Valid until the file is closed. */
static inline const char *mpt_tracefile_name(const struct mpt_tracefile *f, uint16_t call)
{
    return mpt_tracefile_text_(f, MPT_TRACE_DEF_CALL, call);
}

static inline const char *mpt_tracefile_line(const struct mpt_tracefile *f, uint32_t site)
{
    return mpt_tracefile_text_(f, MPT_TRACE_DEF_LINE, site);
}

static inline uint64_t mpt_tracefile_pes_(const struct mpt_tracefile *f, int kind, uint32_t group, int32_t *to,
                                          size_t most)
{
    const struct mpt_trace_definition *d = mpt_tracefile_find(f, kind, group);
    struct mpt_trace_record r;
    int64_t n = d ? mpt_tracefile_body(f, d->at, to, most * sizeof *to) : -1;

    return n >= 0 && mpt_tracefile_get(f, d->at, &r) && r.value <= (uint64_t)n / sizeof *to ? r.value : 0;
}

/* A group's members, up to `most` of them. How many it has; 0: not known, or all PEs (group 0). */
static inline uint64_t mpt_tracefile_members(const struct mpt_tracefile *f, uint32_t group, int32_t *to, size_t most)
{
    return mpt_tracefile_pes_(f, MPT_TRACE_DEF_GROUP, group, to, most);
}

/* The same of those from which this PE receives in neighbourhood collective calls. */
static inline uint64_t mpt_tracefile_sources(const struct mpt_tracefile *f, uint32_t group, int32_t *to, size_t most)
{
    return mpt_tracefile_pes_(f, MPT_TRACE_DEF_SOURCES, group, to, most);
}

/* Seconds since 1970 by this PE's host's clock, uncorrected: records CLOCK tell how far it is from that of PE 0's. */
static inline double mpt_tracefile_seconds(const struct mpt_tracefile *f, uint64_t ticks)
{
    const struct mpt_trace_header *h = &f->header;
    double apart = ticks >= h->ticks ? (double)(ticks - h->ticks) : -(double)(h->ticks - ticks);

    return (double)h->epoch_ns * 1e-9 + apart / (double)h->ticks_per_second;
}

#ifdef __cplusplus
}
#endif
#endif
