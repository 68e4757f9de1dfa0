/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The part of the face that SHMEM and active messages share.
 */
#include "face_job.h"

#include <string.h>

#define PAGE 4096

long *face_words(void)
{
    long *const words = shmem_calloc((size_t)face.n, sizeof *words);

    if (!words)
        face_fatal("the symmetric heap is too small");
    shmem_barrier_all();
    return words;
}

static bool allocate(void)
{
    face_room.out = shmem_align(PAGE, face_room.out_bytes);
    face_room.in = shmem_align(PAGE, face_room.in_bytes);
    if (face_room.out && face_room.in)
        return true;
    shmem_free(face_room.out);
    shmem_free(face_room.in);
    return false;
}

void face_start(int argc, char **argv, const struct face_program *p, size_t bytes)
{
    const char *const name = face_name(face_prefix, p);
    const struct bench_program program = {name, p->purpose, NULL, p->least, p->seconds, p->quick_seconds};

    bench_job.library = face_library;
    bench_job_start(argc, argv, &program);
    face = (struct face){bench_job.me, bench_job.npes};
    face_plan_room(p, bytes);
    while (!allocate())
        if (!face_halve_room())
            face_fatal("%s: the symmetric heap has no room for %d messages of %zu bytes", name, face.n + 1, bytes);
    memset(face_room.out, 1, face_room.out_bytes);
    memset(face_room.in, 2, face_room.in_bytes);
    face_open_room();
    shmem_barrier_all();
    face_open();
}

int face_finish(void)
{
    face_close();
    return bench_job_finish();
}

void face_die(const char *text)
{
    bench_job_fatal("%s", text);
}

void face_barrier(void)
{
    shmem_barrier_all();
}

long face_agree(long value)
{
    return bench_agree(value);
}

double face_share(const char *label)
{
    return bench_agree_budget(bench_plan_next("%s", label));
}

bool face_right(bool mine)
{
    return bench_agree_right(mine);
}

enum bench_stop face_measure(bench_body *body, void *arg, double budget_ns, bool longest, struct bench_series *out)
{
    return bench_measure_together(body, arg, budget_ns, longest ? BENCH_LONGEST : BENCH_PE0, out, NULL);
}

struct bench_params face_params(const struct face_way *way)
{
    struct bench_params p = bench_job_params();

    bench_param_text(&p, "call", way->call);
    return p;
}
