/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A file of 100 MB, written and read in records of 4 KB: plainly, and through buffers of 128 records that are written
 * or read ahead while the program goes on, dealt to one to four files. Past the page cache, and through it.
 */
#define _GNU_SOURCE 1
#include "engine.h"
#include "place.h"

#include "../common/bench.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define RECORD 4096ul
#define CHUNK (128 * RECORD)
#define BLOCKS_A_MB 256 /* 25600 records are the paper's 100 MB */
#define MOST_RUNS 20

static const char *directories;
static bool memory_too, threads;
static long file_mb = 100;
static const struct bench_option own[] = {
    {"directories", BENCH_TEXT, &directories,
     "one to four, separated by commas (default: /tmp, /var/tmp and ., one of each file system)"},
    {"memory", BENCH_FLAG, &memory_too, "also where the file system is in memory"},
    {"threads", BENCH_FLAG, &threads, "the C library's asynchronous I/O, also where there is io_uring"},
    {"mb", BENCH_LONG, &file_mb, "size of the file (default 100)"},
    {NULL, BENCH_FLAG, NULL, NULL},
};

static struct place places[MOST_PARTITIONS], partitions[MOST_PARTITIONS];
static int place_count;
static size_t bytes;
static char *source, *sink; /* the whole file in memory, written from and read to */
static char *buffers[MOST_SLOTS];
static bool failed;

/* A row of the paper's table; none of the buffers: each record by itself. */
struct layout {
    const char *assign;
    int partitions, buffers;
    bool quick;
};

static const struct layout layouts[] = {
    {"No assign (1 partition)", 1, 0, true},
    {"assign -n 25600 -q 128 -F bufa:128:2 u:10", 1, 2, true},
    {"assign -n 25600 -q 128 -p 0-1 -F bufa:128:4 u:10", 2, 4, false},
    {"assign -n 25600 -q 128 -p 0-2 -F bufa:128:6 u:10", 3, 6, false},
    {"assign -n 25600 -q 128 -p 0-3 -F bufa:128:8 u:10", 4, 8, true},
};
#define LAYOUTS (int)(sizeof layouts / sizeof layouts[0])

static void die(const char *what, const char *of)
{
    fprintf(stderr, "io_stripe: %s: %s: %s\n", of, what, strerror(errno));
    exit(2);
}

/* ---- files ---- */

struct striped {
    int fd[MOST_PARTITIONS], n;
    const char *directory; /* the first one, for messages */
};

static size_t chunk_bytes(size_t chunk)
{
    const size_t left = bytes - chunk * CHUNK;

    return left < CHUNK ? left : CHUNK;
}

/* Space is set aside as by `assign -n`, where the file system can. False when it can't be read or written directly. */
static bool open_striped(struct striped *s, const struct layout *l, bool direct)
{
    const off_t share = (off_t)((bytes / CHUNK / (size_t)l->partitions + 1) * CHUNK);

    s->n = l->partitions;
    s->directory = places[0].directory;
    for (int p = 0; p < s->n; p++) {
        const struct place *const at = &partitions[p];

        s->fd[p] = place_file(at, direct ? O_DIRECT : 0);
        if (s->fd[p] < 0 && errno == EINVAL && direct) {
            while (p-- > 0)
                close(s->fd[p]);
            return false;
        }
        if (s->fd[p] < 0)
            die("a file", at->directory);
        if (l->buffers && fallocate(s->fd[p], 0, 0, share) && errno != EOPNOTSUPP)
            die("space for it", at->directory);
    }
    return true;
}

static void close_striped(struct striped *s)
{
    for (int p = 0; p < s->n; p++)
        close(s->fd[p]);
}

/* Everything of it on the device, and nothing left in memory. */
static void flush(const struct striped *s, bool drop)
{
    for (int p = 0; p < s->n; p++) {
        if (fdatasync(s->fd[p]))
            die("fdatasync", s->directory);
        if (drop)
            posix_fadvise(s->fd[p], 0, 0, POSIX_FADV_DONTNEED);
    }
}

/* Whether no page of it is in the page cache. */
static bool cold(const struct striped *s)
{
    static unsigned char resident[64 << 10];
    bool any = false;

    for (int p = 0; p < s->n; p++) {
        const off_t length = lseek(s->fd[p], 0, SEEK_END);
        const size_t step = sizeof resident * RECORD;
        char *const map = length > 0 ? mmap(NULL, (size_t)length, PROT_READ, MAP_SHARED, s->fd[p], 0) : MAP_FAILED;

        if (map == MAP_FAILED)
            return false;
        for (size_t at = 0; at < (size_t)length; at += step) {
            const size_t n = (size_t)length - at < step ? (size_t)length - at : step;

            if (mincore(map + at, n, resident))
                any = true;
            for (size_t i = 0; i < (n + RECORD - 1) / RECORD; i++)
                any = any || (resident[i] & 1);
        }
        munmap(map, (size_t)length);
    }
    return !any;
}

/* ---- transfers ---- */

static void plain(const struct striped *s, bool writes)
{
    for (size_t at = 0; at < bytes; at += RECORD) {
        ssize_t n;

        /* Through a buffer, as the records aren't where direct transfers need them in a program. */
        if (writes) {
            memcpy(buffers[0], source + at, RECORD);
            n = pwrite(s->fd[0], buffers[0], RECORD, (off_t)at);
        } else {
            n = pread(s->fd[0], buffers[0], RECORD, (off_t)at);
            memcpy(sink + at, buffers[0], RECORD);
        }
        if (n != (ssize_t)RECORD)
            die(writes ? "write" : "read", s->directory);
    }
}

static void copy_records(char *to, const char *from, size_t n)
{
    for (size_t at = 0; at < n; at += RECORD)
        memcpy(to + at, from + at, RECORD);
}

static void start(const struct striped *s, size_t chunk, int slot, bool writes)
{
    const size_t n = (size_t)s->n;

    if (engine_submit(slot, s->fd[chunk % n], writes, buffers[slot], chunk_bytes(chunk), (off_t)(chunk / n * CHUNK)))
        die(writes ? "write" : "read", s->directory);
}

static void finish(const struct striped *s, int slot)
{
    if (engine_wait(slot))
        die("transfer", s->directory);
}

static void write_behind(const struct striped *s, int slots)
{
    for (size_t chunk = 0; chunk * CHUNK < bytes; chunk++) {
        const int slot = (int)(chunk % (size_t)slots);

        finish(s, slot);
        copy_records(buffers[slot], source + chunk * CHUNK, chunk_bytes(chunk));
        start(s, chunk, slot, true);
    }
    for (int slot = 0; slot < slots; slot++)
        finish(s, slot);
}

static void read_ahead(const struct striped *s, int slots)
{
    const size_t ahead = (size_t)slots;

    for (size_t chunk = 0; chunk < ahead && chunk * CHUNK < bytes; chunk++)
        start(s, chunk, (int)chunk, false);
    for (size_t chunk = 0; chunk * CHUNK < bytes; chunk++) {
        const int slot = (int)(chunk % ahead);

        finish(s, slot);
        copy_records(sink + chunk * CHUNK, buffers[slot], chunk_bytes(chunk));
        if ((chunk + ahead) * CHUNK < bytes)
            start(s, chunk + ahead, slot, false);
    }
}

/* ---- a case: a file written and read, again and again ---- */

struct series {
    struct bench_series writes, reads;
    bool right, cold;
};

/* MB/s */
static double rate_since(int64_t start_ns)
{
    return (double)bytes * 1e3 / (double)(bench_now() - start_ns);
}

/* A write ends when the device has it. */
static bool once(const struct layout *l, bool direct, struct series *out)
{
    struct striped s;
    int64_t begin;

    if (!open_striped(&s, l, direct))
        return false;
    begin = bench_now();
    if (l->buffers)
        write_behind(&s, l->buffers);
    else
        plain(&s, true);
    flush(&s, false);
    bench_series_add(&out->writes, rate_since(begin));
    flush(&s, true);
    out->cold = out->cold && cold(&s);
    memset(sink, 0, bytes);
    begin = bench_now();
    if (l->buffers)
        read_ahead(&s, l->buffers);
    else
        plain(&s, false);
    bench_series_add(&out->reads, rate_since(begin));
    out->right = out->right && memcmp(source, sink, bytes) == 0;
    close_striped(&s);
    return true;
}

static void emit(const struct layout *l, const char *direction, bool direct, const char *engine, const struct series *s)
{
    const bool writes = strcmp(direction, "write") == 0;
    char names[PLACE_NAMES], types[PLACE_NAMES];
    struct bench_params p = {0};

    place_names(places, place_count, l->partitions, names, types);
    bench_param_text(&p, "assign", l->assign);
    bench_param_integer(&p, "partitions", l->partitions);
    bench_param_integer(&p, "file_mb", file_mb);
    bench_param_text(&p, "direction", direction);
    bench_param_text(&p, "mode", direct ? "direct" : "buffered, fdatasync");
    bench_param_text(&p, "engine", engine);
    bench_param_integer(&p, "directories", l->partitions);
    bench_param_text(&p, "places", names);
    bench_param_text(&p, "filesystem", types);
    if (!writes)
        bench_param_bool(&p, "cold", s->cold);
    bench_report_write(&(struct bench_record){.test = "striped file I/O",
                                              .metric = "bandwidth",
                                              .unit = "MB/s",
                                              .params = &p,
                                              .series = writes ? &s->writes : &s->reads,
                                              .verified = s->right});
}

static void run(const struct layout *l, bool direct)
{
    static struct series s;
    const int64_t end = bench_now() + (int64_t)bench_plan_next("%s, %s", l->assign, direct ? "direct" : "buffered");
    const char *const engine = l->buffers ? engine_start(l->buffers, threads) : "synchronous";
    int64_t begin, last;

    s = (struct series){.writes.rates = true, .reads.rates = true, .right = true, .cold = true};
    do {
        begin = bench_now();
        if (!once(l, direct, &s)) {
            fprintf(stderr, "io_stripe: %s (%s) can't be written past the page cache\n", places[0].directory,
                    places[0].type);
            break;
        }
        last = bench_now() - begin;
    } while (bench_now() + last < end && s.writes.n < MOST_RUNS);
    if (l->buffers)
        engine_stop();
    if (s.writes.n == 0)
        return;
    if (!s.right) {
        fprintf(stderr, "io_stripe: %s: what was read isn't what was written\n", l->assign);
        failed = true;
    }
    emit(l, "write", direct, engine, &s);
    emit(l, "read", direct, engine, &s);
}

/* The paper's table of the file system, as far as one is told today. */
static void emit_places(void)
{
    for (int i = 0; i < place_count; i++) {
        struct bench_params p = {0};
        struct statvfs v;
        static struct bench_series one;

        if (statvfs(places[i].directory, &v))
            die("statvfs", places[i].directory);
        bench_param_text(&p, "directory", places[i].directory);
        bench_param_text(&p, "filesystem", places[i].type);
        bench_param_text(&p, "device", places[i].device);
        one = (struct bench_series){.n = 1, .v = {(double)v.f_blocks * (double)v.f_frsize * 1e-6}};
        bench_report_write(&(struct bench_record){
            .test = "file system", .metric = "total", .unit = "MB", .params = &p, .series = &one, .verified = true});
        one.v[0] = 100.0 * (double)v.f_bfree / (double)v.f_blocks;
        bench_report_write(&(struct bench_record){
            .test = "file system", .metric = "free", .unit = "%", .params = &p, .series = &one, .verified = true});
        one.v[0] = (double)v.f_bsize;
        bench_report_write(&(struct bench_record){
            .test = "file system", .metric = "block", .unit = "bytes", .params = &p, .series = &one, .verified = true});
    }
}

static void run_all(void)
{
    int cases = 0;

    for (int i = 0; i < LAYOUTS; i++)
        cases += layouts[i].quick || !bench_options.quick ? 2 : 0;
    bench_plan_begin(cases, bench_options.max_seconds);
    emit_places();
    for (int i = 0; i < LAYOUTS; i++) {
        if (!layouts[i].quick && bench_options.quick)
            continue;
        run(&layouts[i], false);
        run(&layouts[i], true);
    }
    bench_plan_end();
}

static char *memory(size_t n)
{
    char *const p = aligned_alloc(RECORD, n);

    if (!p)
        die("memory", "io_stripe");
    return p;
}

static int usage(const char *why)
{
    fprintf(stderr, "io_stripe: %s\n", why);
    return 2;
}

int main(int argc, char **argv)
{
    static const char *const implementation = "Linux";
    char why[256];

    if (bench_options_parse(argc, argv, own, why, sizeof why))
        return usage(why);
    if (bench_options.help) {
        bench_options_help(stdout, "io_stripe", "a file written and read over one to four partitions", own);
        return 0;
    }
    if (file_mb < 1 || file_mb > 100000)
        return usage("--mb: must be 1 to 100000");
    place_count = place_list(directories, memory_too, places, why, sizeof why);
    if (place_count < 0)
        return usage(why);
    place_partitions(places, place_count, getpid(), partitions);
    if (place_make(partitions))
        die("a directory for each partition", places[0].directory);
    if (bench_options.max_seconds == 0)
        bench_options.max_seconds = bench_options.quick ? 10 : 60;
    bytes = (size_t)file_mb * BLOCKS_A_MB * RECORD;
    source = memory(bytes);
    sink = memory(bytes);
    for (int i = 0; i < MOST_SLOTS; i++)
        buffers[i] = memory(CHUNK);
    bench_pattern_fill(source, bytes, 19);
    if (bench_report_open(bench_options.out, "system", implementation))
        die(bench_options.out, "io_stripe");
    bench_env_write(&(struct bench_env){.library = "system", .implementation = implementation, .npes = 1});
    run_all();
    bench_env_write_end(NULL);
    if (bench_report_close())
        return usage("the records could not be written");
    return failed ? 1 : 0;
}
