// SPDX-License-Identifier: BSD-3-Clause
// Catches what a plugin throws (tasks_plugin_three.cc): tasks_plugin_user FOLDER.
#include <dlfcn.h>
#include <shmem.h>

#include <cstdio>
#include <exception>
#include <string>

static int me, told[8];

extern "C" void tell(int what)
{
    told[what]++;
}

extern "C" int program_pe()
{
    return me;
}

int main(int argc, char **argv)
{
    shmem_init();
    me = shmem_my_pe();
    void *handle = dlopen((std::string(argc > 1 ? argv[1] : ".") + "/libplugin_three.so").c_str(), RTLD_NOW);
    if (!handle) {
        std::printf("%d: %s\n", me, dlerror());
        return 1;
    }
    auto *caught = reinterpret_cast<int (*)()>(dlsym(handle, "plugin_catch"));
    auto *thrown = reinterpret_cast<void (*)()>(dlsym(handle, "plugin_throw"));
    for (int i = 0; i <= me; i++) {
        std::printf("%d: %d\n", me, caught());
        shmem_barrier_all();
    }
    for (int i = me; i < shmem_n_pes(); i++)
        shmem_barrier_all();
    try {
        thrown();
    } catch (const std::exception &e) {
        std::printf("%d: caught what was %s\n", me, e.what());
    }
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
