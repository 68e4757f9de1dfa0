/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A victim of tasks_plugin.py: loads a library of which symbols are missing, lazily, and at once.
 */
#include <dlfcn.h>
#include <shmem.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int (*count)(int), counted = 0;
    void *library;

    shmem_init();
    shmem_barrier_all();
    library = argc > 1 ? dlopen(argv[1], RTLD_NOW) : NULL;
    if (library)
        fprintf(stderr, "PE %d: what is missing was not missed\n", shmem_my_pe());
    shmem_barrier_all();
    library = argc > 1 ? dlopen(argv[1], RTLD_LAZY) : NULL;
    *(void **)&count = library ? dlsym(library, "five_count") : NULL;
    if (count)
        counted = count(1);
    shmem_barrier_all();
    printf("PE %d: %s\n", shmem_my_pe(), counted > 0 ? "counted" : "not loaded");
    shmem_finalize();
    return 0;
}
