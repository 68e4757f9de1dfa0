/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the file of a program tells about whether its PEs can be tasks, before anything is started. Programs that only
 * lead to another (scripts, env, gdb) tell nothing; what they start finds out for itself (begin.c).
 */
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/task/task.h"

#define FIXED "it is not position-independent; compile it with -fPIE and link it with -pie"
#define STATIC "it is linked statically; link it without -static and -static-pie, with libmpt.so"
#define ARCHIVE "it is linked with the static library; link it with libmpt.so"
#define SANITIZED "it was built with a sanitizer; build it without -fsanitize"
#define SPLITC \
    "variables of Split-C programs must lie at one address in all PEs; run them as processes, without --tasks"
#define VALGRIND "valgrind can't follow tasks; run it on processes, without --tasks"

struct file {
    const char *bytes;
    size_t size;
    const ElfW(Ehdr) * head;
    const ElfW(Phdr) * segments;
    const char *strings; /* of dynamic linking; NULL: none */
    size_t strings_n;
    const ElfW(Dyn) * dynamic;
    size_t n_dynamic;
    bool interpreted; /* by the loader: not static */
};

static bool map_file(struct file *f, const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat st;
    void *bytes = MAP_FAILED;

    if (fd >= 0 && fstat(fd, &st) == 0 && (size_t)st.st_size >= sizeof(ElfW(Ehdr))) {
        f->size = (size_t)st.st_size;
        bytes = mmap(NULL, f->size, PROT_READ, MAP_PRIVATE, fd, 0);
    }
    if (fd >= 0)
        close(fd);
    f->bytes = bytes == MAP_FAILED ? NULL : bytes;
    return f->bytes;
}

/* The n bytes at an offset in the file; NULL: it ends before. */
static const void *part(const struct file *f, uint64_t at, uint64_t n)
{
    return at <= f->size && n <= f->size - at ? f->bytes + at : NULL;
}

static uint64_t offset_of(const struct file *f, uintptr_t address)
{
    for (unsigned i = 0; i < f->head->e_phnum; i++) {
        const ElfW(Phdr) *p = &f->segments[i];

        if (p->p_type == PT_LOAD && address - p->p_vaddr < p->p_filesz)
            return p->p_offset + (address - p->p_vaddr);
    }
    return UINT64_MAX;
}

static uintptr_t value(const struct file *f, ElfW(Sxword) tag)
{
    for (size_t i = 0; i < f->n_dynamic && f->dynamic[i].d_tag != DT_NULL; i++)
        if (f->dynamic[i].d_tag == tag)
            return f->dynamic[i].d_un.d_val;
    return 0;
}

static bool find_parts(struct file *f)
{
    f->head = (const void *)f->bytes;
    if (memcmp(f->head->e_ident, ELFMAG, SELFMAG) != 0 || f->head->e_ident[EI_CLASS] != ELFCLASS64)
        return false;
    f->segments = part(f, f->head->e_phoff, f->head->e_phnum * sizeof *f->segments);
    if (!f->segments)
        return false;
    for (unsigned i = 0; i < f->head->e_phnum; i++) {
        const ElfW(Phdr) *p = &f->segments[i];

        f->interpreted |= p->p_type == PT_INTERP;
        if (p->p_type == PT_DYNAMIC && (f->dynamic = part(f, p->p_offset, p->p_filesz)))
            f->n_dynamic = p->p_filesz / sizeof *f->dynamic;
    }
    if (f->dynamic) {
        f->strings_n = value(f, DT_STRSZ);
        f->strings = part(f, offset_of(f, value(f, DT_STRTAB)), f->strings_n);
    }
    return true;
}

/* Is there a string of dynamic linking that begins so? */
static bool says(const struct file *f, const char *begin)
{
    char text[32] = "";
    size_t n = strlen(begin);

    memcpy(text + 1, begin, n + 1); /* behind the end of the one before */
    return f->strings && memmem(f->strings, f->strings_n, text, n + 1);
}

static bool needs(const struct file *f, const char *const names[], size_t n)
{
    for (size_t i = 0; f->strings && i < f->n_dynamic && f->dynamic[i].d_tag != DT_NULL; i++)
        for (size_t k = 0; f->dynamic[i].d_tag == DT_NEEDED && k < n; k++)
            if (f->dynamic[i].d_un.d_val < f->strings_n &&
                strncmp(f->strings + f->dynamic[i].d_un.d_val, names[k], strlen(names[k])) == 0)
                return true;
    return false;
}

/* The library's own name for what a process is told of its tasks: programs have it from the static library. */
static bool holds_library(const struct file *f)
{
    static const char mark[] = "MPT_TASKS_HERE";

    return memmem(f->bytes, f->size, mark, sizeof mark);
}

static bool sanitized(const struct file *f)
{
    static const char *const libraries[] = {"libasan", "libtsan", "libubsan", "liblsan", "libmsan"};
    static const char *const symbols[] = {"__asan_init", "__tsan_init", "__msan_init", "__ubsan_handle"};

    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++)
        if (says(f, symbols[i]))
            return true;
    return needs(f, libraries, sizeof libraries / sizeof *libraries);
}

static const char *why_not(const struct file *f, bool *uses)
{
    static const char *const ours[] = {"libmpt.", "libmpi", "libmpich", "libpvm3", "libgpvm3"};

    if (holds_library(f)) {
        *uses = true;
        return f->interpreted ? ARCHIVE : STATIC;
    }
    *uses = needs(f, ours, sizeof ours / sizeof *ours);
    if (!*uses)
        return NULL;
    if (says(f, "sc_start"))
        return SPLITC;
    if (sanitized(f))
        return SANITIZED;
    return f->head->e_type == ET_EXEC ? FIXED : NULL;
}

const char *core_task_refusal(const char *path, bool *uses)
{
    const char *name = strrchr(path, '/'), *why = NULL;
    struct file f = {0};

    *uses = false;
    if (strncmp(name ? name + 1 : path, "valgrind", 8) == 0)
        return VALGRIND;
    if (!map_file(&f, path))
        return NULL;
    if (find_parts(&f))
        why = why_not(&f, uses);
    munmap((void *)(uintptr_t)f.bytes, f.size);
    return why;
}
