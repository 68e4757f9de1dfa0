/* SPDX-License-Identifier: BSD-3-Clause */
/* What a C++ program asks the loader and the unwinder, in each PE's copy: exceptions in the PE and in a thread of its
 * own, a cancelled thread, casts, names of addresses and addresses of names. */
#include <dlfcn.h>
#include <pthread.h>
#include <shmem.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <thread>
#include <typeinfo>

extern "C" {
int tasks_copies_variable = 5;
int *tasks_copies_pointer = &tasks_copies_variable + 1; /* behind the last byte */
}

struct shape {
    virtual ~shape() = default;
    virtual int corners() const
    {
        return 0;
    }
};
struct square : shape {
    int corners() const override
    {
        return 4;
    }
};

static std::string text("constructed");
static shape *(*const make)() = [] { return static_cast<shape *>(new square); };

static void fall(int deep)
{
    if (deep == 0)
        throw std::runtime_error("fell in " + std::to_string(shmem_my_pe()));
    fall(deep - 1);
}

static std::string caught()
{
    try {
        fall(5);
    } catch (const std::exception &e) {
        return e.what();
    }
    return "nothing";
}

struct note {
    std::atomic<int> *stage;
    ~note()
    {
        *stage = 2;
    }
};

static void *wait_for_end(void *stage)
{
    note n{static_cast<std::atomic<int> *>(stage)};
    *n.stage = 1;
    for (;;)
        usleep(1000);
}

static bool cancel()
{
    std::atomic<int> stage{0};
    pthread_t thread;
    pthread_create(&thread, nullptr, wait_for_end, &stage);
    while (stage == 0)
        usleep(100);
    pthread_cancel(thread);
    pthread_join(thread, nullptr);
    return stage == 2;
}

static bool names()
{
    Dl_info info{};
    void *program = dlopen(nullptr, RTLD_LAZY);
    bool right = dladdr(&tasks_copies_variable, &info) && info.dli_saddr == &tasks_copies_variable &&
                 std::string(info.dli_sname) == "tasks_copies_variable" &&
                 dlsym(RTLD_DEFAULT, "tasks_copies_variable") == &tasks_copies_variable &&
                 dlsym(program, "tasks_copies_variable") == &tasks_copies_variable &&
                 dlsym(RTLD_NEXT, "shmem_my_pe") == reinterpret_cast<void *>(shmem_my_pe) &&
                 dlsym(RTLD_NEXT, "tasks_copies_variable") == nullptr;
    dlclose(program);
    return right;
}

int main()
{
    std::string in_thread;
    shmem_init();
    std::thread([&] { in_thread = caught(); }).join();
    shape *s = make();
    bool cast = dynamic_cast<square *>(s) && typeid(*s) == typeid(square) && s->corners() == 4;
    bool place = tasks_copies_pointer == &tasks_copies_variable + 1;
    delete s;
    std::printf("PE %d: %s, %s, %s, cancel %d, names %d, cast %d, place %d\n", shmem_my_pe(), text.c_str(),
                caught().c_str(), in_thread.c_str(), cancel(), names(), cast, place);
    shmem_finalize();
    return 0;
}
