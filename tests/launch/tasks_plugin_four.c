/* SPDX-License-Identifier: BSD-3-Clause */
/* A plugin that finds what it uses in another one, loaded for all (RTLD_GLOBAL), waits while it is constructed, and
 * loads a third one. */
#include <dlfcn.h>
#include <shmem.h>
#include <stddef.h>

int two_count(int by);

static int begun;

__attribute__((constructor)) static void begin(void)
{
    shmem_barrier_all();
    begun = 1;
}

int plugin_four(int by)
{
    return begun ? two_count(by) + 1000 : -1;
}

/* Calls nothing until another PE has written there. */
int plugin_spin(const volatile int *flag)
{
    while (*flag == 0)
        continue;
    return *flag;
}

/* It lies beside this one. */
int plugin_loads(void)
{
    void *one = dlopen("libplugin_one.so", RTLD_NOW);
    int (*count)(int) = one ? (int (*)(int))dlsym(one, "plugin_count") : NULL;
    int found = count ? count(0) : -1;

    return one && dlclose(one) == 0 ? found : -2;
}
