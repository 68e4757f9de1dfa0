/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The library files. The build found them; each is loaded for itself, so that none sees the symbols of another. The
 * reference LAPACK names a BLAS it needs and gets the one of that name that is loaded already: the reference one.
 */
#include "libs.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#ifndef LIBS_OPENBLAS
#define LIBS_OPENBLAS NULL
#endif
#ifndef LIBS_REFERENCE_BLAS
#define LIBS_REFERENCE_BLAS NULL
#endif
#ifndef LIBS_REFERENCE_LAPACK
#define LIBS_REFERENCE_LAPACK NULL
#endif
#ifndef LIBS_FFTW
#define LIBS_FFTW NULL
#endif

struct library libraries[] = {
    {"OpenBLAS", LIBS_OPENBLAS, NULL, 20e9, INFINITY, {NULL, NULL}},
    {"reference", LIBS_REFERENCE_BLAS, LIBS_REFERENCE_LAPACK, 0.1e9, 20e9, {NULL, NULL}},
    {NULL, NULL, NULL, 0, 0, {NULL, NULL}},
};
const char *const fftw_file = LIBS_FFTW;

void *file_open(const char *path)
{
    void *const handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);

    if (!handle)
        fprintf(stderr, "libs: %s\n", dlerror());
    return handle;
}

/* An OpenBLAS older than the processor may take it for a lesser one. */
static void look_at_kernels(void *handle)
{
#if defined(__x86_64__)
    char *(*name)(void);

    *(void **)&name = dlsym(handle, "openblas_get_corename");
    if (name && __builtin_cpu_supports("avx512f") && strcmp(name(), "Haswell") == 0)
        fprintf(
            stderr,
            "libs: OpenBLAS doesn't know this processor and uses no AVX-512: OPENBLAS_CORETYPE=SKYLAKEX makes it\n");
#else
    (void)handle;
#endif
}

bool library_open(struct library *l)
{
    void (*threads)(int);

    if (l->handles[0])
        return true;
    l->handles[0] = l->blas ? file_open(l->blas) : NULL;
    l->handles[1] = l->lapack ? file_open(l->lapack) : NULL;
    if (!l->handles[0] || (l->lapack && !l->handles[1]))
        return false;
    *(void **)&threads = dlsym(l->handles[0], "openblas_set_num_threads");
    if (threads)
        threads(1);
    look_at_kernels(l->handles[0]);
    return true;
}

void *library_find(const struct library *l, const char *routine)
{
    void *f = dlsym(l->handles[0], routine);

    if (!f && l->handles[1])
        f = dlsym(l->handles[1], routine);
    if (!f) {
        fprintf(stderr, "libs: %s has no %s\n", l->name, routine);
        exit(2);
    }
    return f;
}
