/* SPDX-License-Identifier: BSD-3-Clause */
/* What a program loads by dlopen is the PE's: tasks_plugin FOLDER, with the libraries of tasks_plugin.py there. Each PE
 * prints what it finds, the same as a process and as a task. */
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int me, n;
static const char *folder;
int told[8]; /* by plugins: which function has run how often */
const char *program_name = "program";

/* Plugins call this one. */
void tell(int what)
{
    told[what]++;
}

int program_pe(void)
{
    return me;
}

struct plugin {
    void *handle;
    int (*count)(int by);
    int (*thread_count)(int by);
    int (*deep)(int by);
    int (*table)(int which);
    const char *(*name)(void);
    int (*pe)(void);
    int (*later)(void);
    int *variable;
};

static struct plugin load(const char *file, int mode)
{
    char path[300];
    struct plugin p = {0};

    snprintf(path, sizeof path, "%s/%s", folder, file);
    p.handle = dlopen(path, mode);
    if (!p.handle) {
        printf("%d: %s\n", me, dlerror());
        exit(1);
    }
    *(void **)&p.count = dlsym(p.handle, "plugin_count");
    *(void **)&p.thread_count = dlsym(p.handle, "plugin_thread_count");
    *(void **)&p.deep = dlsym(p.handle, "plugin_deep");
    *(void **)&p.table = dlsym(p.handle, "plugin_table");
    *(void **)&p.name = dlsym(p.handle, "plugin_name");
    *(void **)&p.pe = dlsym(p.handle, "plugin_pe");
    *(void **)&p.later = dlsym(p.handle, "plugin_later");
    p.variable = dlsym(p.handle, "plugin_variable");
    return p;
}

static void say(const char *when, const struct plugin *p)
{
    printf("%d: %s: count %d, in thread %d, below %d, table %d, %s, PE %d, variable %d\n", me, when, p->count(0),
           p->thread_count(0), p->deep(0), p->table(1), p->name(), p->pe(), *p->variable);
    printf("%d: told %d %d %d %d %d\n", me, told[0], told[1], told[2], told[3], told[4]);
}

static void *in_thread(void *arg)
{
    const struct plugin *p = arg;

    p->count(1000);
    p->thread_count(7);
    printf("%d: thread: %d %d\n", me, p->count(0), p->thread_count(0));
    return NULL;
}

struct seen {
    const char *file;
    uintptr_t address;
    int times, inside;
};

static int look(struct dl_phdr_info *info, size_t size, void *arg)
{
    struct seen *s = arg;

    (void)size;
    if (!strstr(info->dlpi_name, s->file))
        return 0;
    s->times++;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD &&
            s->address - info->dlpi_addr - info->dlpi_phdr[i].p_vaddr < info->dlpi_phdr[i].p_memsz)
            s->inside = 1;
    return 0;
}

static void ask_loader(const struct plugin *p)
{
    struct seen s = {"plugin_one", (uintptr_t)p->variable, 0, 0};
    Dl_info info = {0};
    void *again;

    dl_iterate_phdr(look, &s);
    printf("%d: in the list %d, has the variable %d\n", me, s.times, s.inside);
    dladdr(p->variable, &info);
    printf("%d: %s in %s\n", me, info.dli_sname ? info.dli_sname : "none",
           info.dli_fname && strrchr(info.dli_fname, '/') ? strrchr(info.dli_fname, '/') + 1 : "none");
    printf("%d: base %d, symbol %d\n", me, info.dli_fbase && (uintptr_t)info.dli_fbase < s.address,
           info.dli_saddr == p->variable);
    printf("%d: own %d, not there %d\n", me, dlsym(RTLD_DEFAULT, "program_name") == (void *)&program_name,
           dlsym(p->handle, "nothing") == NULL);
    printf("%d: %s\n", me, dlerror());
    again = dlopen("libplugin_one.so", RTLD_LAZY | RTLD_NOLOAD);
    printf("%d: again %d\n", me, again == p->handle);
    if (again)
        dlclose(again);
}

/* What one plugin finds in another. */
static void across(void)
{
    static int flag;
    void *two = load("libplugin_two.so", RTLD_NOW | RTLD_GLOBAL).handle,
         *four = load("libplugin_four.so", RTLD_NOW).handle;
    int (*count)(int) = (int (*)(int))dlsym(four, "plugin_four"), (*loads)(void);
    int (*spin)(const volatile int *) = (int (*)(const volatile int *))dlsym(four, "plugin_spin");

    loads = (int (*)(void))dlsym(four, "plugin_loads");
    printf("%d: four %d %d, default %d\n", me, count(me), count(me),
           dlsym(RTLD_DEFAULT, "two_count") == dlsym(two, "two_count"));
    if (me > 0)
        printf("%d: waits for %d\n", me, spin(&flag));
    shmem_int_p(&flag, me + 1, (me + 1) % n);
    printf("%d: four loads one %d\n", me, loads());
    shmem_barrier_all();
}

int main(int argc, char **argv)
{
    struct plugin one, again;
    pthread_t thread;

    shmem_init();
    me = shmem_my_pe();
    n = shmem_n_pes();
    folder = argc > 1 ? argv[1] : ".";
    if (me % 2 == 0) /* some later than others */
        shmem_barrier_all();
    one = load("libplugin_one.so", me % 2 ? RTLD_NOW : RTLD_LAZY);
    if (me % 2)
        shmem_barrier_all();
    say("first", &one);
    one.count(me + 1);
    one.thread_count(10 * me);
    one.deep(100 + me);
    *one.variable += me;
    shmem_barrier_all();
    say("changed", &one);
    pthread_create(&thread, NULL, in_thread, &one);
    pthread_join(thread, NULL);
    ask_loader(&one);
    shmem_barrier_all();
    again = load("libplugin_one.so", RTLD_NOW);
    printf("%d: the same %d %d\n", me, again.handle == one.handle, again.count == one.count);
    dlclose(again.handle);
    say("still", &one);
    printf("%d: later %d\n", me, one.later());
    if (me % 2) { /* it begins anew */
        printf("%d: closed %d\n", me, dlclose(one.handle));
        printf("%d: told %d %d %d %d %d\n", me, told[0], told[1], told[2], told[3], told[4]);
        one = load("libplugin_one.so", RTLD_NOW);
        say("fresh", &one);
    }
    shmem_barrier_all();
    one.count(5);
    say("last", &one);
    across();
    printf("%d: none %d\n", me, dlopen("libplugin_none.so", RTLD_NOW) == NULL);
    printf("%d: the C library's %d\n", me, dlsym(RTLD_DEFAULT, "malloc") != NULL);
    fflush(stdout);
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
