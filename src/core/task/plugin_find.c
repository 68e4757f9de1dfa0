/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Where the loader would find a library, without loading it: in the folders of who asks, in those that the loader names
 * for the program, in its cache.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/task/hooks.h"
#include "core/task/plugin.h"

static char *in_folder(const char *folder, size_t n, const char *name)
{
    char *path;

    if (asprintf(&path, "%.*s/%s", n ? (int)n : 1, n ? folder : ".", name) < 0)
        return NULL;
    if (access(path, R_OK) == 0)
        return path;
    free(path);
    return NULL;
}

/* "$ORIGIN" or "${ORIGIN}" at the beginning is the folder of the file. */
static char *in_own_folder(const char *folder, size_t n, const char *name, const char *file)
{
    static const char *const words[] = {"$ORIGIN", "${ORIGIN}"};
    const char *slash = strrchr(file, '/');
    char *path = NULL, *whole;

    for (size_t i = 0; i < 2; i++) {
        size_t skip = strlen(words[i]);

        if (n < skip || strncmp(folder, words[i], skip) != 0 || !slash)
            continue;
        if (asprintf(&whole, "%.*s%.*s", (int)(slash - file), file, (int)(n - skip), folder + skip) < 0)
            return NULL;
        path = in_folder(whole, strlen(whole), name);
        free(whole);
        return path;
    }
    return in_folder(folder, n, name);
}

/* Those that a linker has written into it. */
static char *in_folders_of(const struct core_image *m, ElfW(Sxword) tag, const char *name)
{
    uintptr_t at = core_image_value(m, tag);
    char *path = NULL;

    for (const char *f = at ? m->strings + at : NULL, *end; f && *f && !path; f = *end ? end + 1 : end) {
        end = strchrnul(f, ':');
        path = in_own_folder(f, (size_t)(end - f), name, m->path);
    }
    return path;
}

/* The program's, LD_LIBRARY_PATH and the system's. */
static char *in_known_folders(const char *name)
{
    void *program = core_task_real.open_library(NULL, RTLD_LAZY | RTLD_NOLOAD);
    Dl_serinfo size, *all;
    char *path = NULL;

    if (!program || dlinfo(program, RTLD_DI_SERINFOSIZE, &size) != 0 || !(all = malloc(size.dls_size)))
        return NULL;
    all->dls_size = size.dls_size;
    all->dls_cnt = size.dls_cnt;
    if (dlinfo(program, RTLD_DI_SERINFO, all) == 0)
        for (unsigned i = 0; i < all->dls_cnt && !path; i++)
            path = in_folder(all->dls_serpath[i].dls_name, strlen(all->dls_serpath[i].dls_name), name);
    free(all);
    return path;
}

/* ---------------------------------------------------- the loader's cache -- */

struct cache {
    char magic[20];
    uint32_t n, strings_n;
    uint32_t unused[5];
    struct {
        int32_t flags;
        uint32_t name, path; /* from the beginning of this */
        uint32_t system;
        uint64_t processor;
    } entries[];
};
enum { OF_THIS_PROCESSOR = 0x0303 };

static char *look_up(const struct cache *c, size_t size, const char *name)
{
    const char *text = (const char *)c;

    if (size < sizeof *c || memcmp(c->magic, "glibc-ld.so.cache1.1", sizeof c->magic) != 0 ||
        c->n > (size - sizeof *c) / sizeof c->entries[0])
        return NULL;
    for (uint32_t i = 0; i < c->n; i++)
        if (c->entries[i].flags == OF_THIS_PROCESSOR && c->entries[i].processor == 0 && c->entries[i].name < size &&
            c->entries[i].path < size && strcmp(text + c->entries[i].name, name) == 0)
            return strdup(text + c->entries[i].path);
    return NULL;
}

static char *in_cache(const char *name)
{
    int fd = open("/etc/ld.so.cache", O_RDONLY | O_CLOEXEC);
    struct stat st;
    char *path = NULL;
    void *at;

    if (fd < 0)
        return NULL;
    if (fstat(fd, &st) == 0 && st.st_size > 0) {
        at = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (at != MAP_FAILED) {
            path = look_up(at, (size_t)st.st_size, name);
            munmap(at, (size_t)st.st_size);
        }
    }
    close(fd);
    return path;
}

char *core_plugin_find(const char *name, const struct core_image *in)
{
    char *path = NULL;

    if (strchr(name, '/'))
        return access(name, R_OK) == 0 ? strdup(name) : NULL;
    if (in)
        path = in_folders_of(in, core_image_value(in, DT_RUNPATH) ? DT_RUNPATH : DT_RPATH, name);
    if (!path)
        path = in_known_folders(name);
    return path ? path : in_cache(name);
}
