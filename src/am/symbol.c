/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Names of functions for messages: static ones too, which the dynamic linker does not
 * know, from the symbol table in the file, where it was not stripped.
 */
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "am/ami.h"

struct image {
    const char *at;
    size_t n;
};

static const void *part(const struct image *f, size_t offset, size_t n)
{
    return offset <= f->n && n <= f->n - offset ? f->at + offset : NULL;
}

static const char *name_in(const struct image *f, const ElfW(Shdr) * symbols, const ElfW(Shdr) * names, uintptr_t value)
{
    const ElfW(Sym) *s = part(f, symbols->sh_offset, symbols->sh_size);
    const char *text = part(f, names->sh_offset, names->sh_size);

    for (size_t i = 0; s && text && i < symbols->sh_size / sizeof *s; i++)
        if ((s[i].st_info & 15) == STT_FUNC && s[i].st_value == value && s[i].st_name < names->sh_size)
            return text + s[i].st_name;
    return NULL;
}

static const char *find(const struct image *f, uintptr_t value)
{
    const ElfW(Ehdr) *h = part(f, 0, sizeof *h);
    const ElfW(Shdr) *s =
        h && memcmp(h->e_ident, ELFMAG, SELFMAG) == 0 ? part(f, h->e_shoff, h->e_shnum * sizeof *s) : NULL;

    for (unsigned i = 0; s && i < h->e_shnum; i++)
        if (s[i].sh_type == SHT_SYMTAB && s[i].sh_link < h->e_shnum)
            return name_in(f, &s[i], &s[s[i].sh_link], value);
    return NULL;
}

bool ami_symbol(const char *file, uintptr_t value, char *text, size_t n)
{
    int fd = open(file, O_RDONLY | O_CLOEXEC);
    struct stat st;
    struct image f = {MAP_FAILED, 0};
    const char *name = NULL;

    if (fd >= 0 && fstat(fd, &st) == 0 && st.st_size > 0)
        f = (struct image){mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0), (size_t)st.st_size};
    if (fd >= 0)
        close(fd);
    if (f.at == MAP_FAILED)
        return false;
    if ((name = find(&f, value)) != NULL)
        snprintf(text, n, "%s", name);
    munmap((void *)(uintptr_t)f.at, f.n);
    return name != NULL;
}
