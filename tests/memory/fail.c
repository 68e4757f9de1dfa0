/* SPDX-License-Identifier: BSD-3-Clause */
/* To be preloaded: of the allocations that libmpt, and no other library, asks for, the one whose number is in FAIL_AT
 * finds no memory. A line on stderr says so, with the place (for addr2line). */
#include <errno.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t each);
void *__libc_realloc(void *p, size_t n);

static uintptr_t base, from, to; /* libmpt's code */
static long fail_at, asked;

static int find(struct dl_phdr_info *info, size_t size, void *unused)
{
    (void)size;
    (void)unused;
    if (!strstr(info->dlpi_name, "/libmpt.so"))
        return 0;
    base = info->dlpi_addr;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD && info->dlpi_phdr[i].p_flags & PF_X) {
            from = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
            to = from + info->dlpi_phdr[i].p_memsz;
        }
    return 1;
}

__attribute__((constructor)) static void start(void)
{
    static const char name[] = "FAIL_AT";
    const char *text = getenv(name);

    fail_at = text ? atol(text) : 0;
    dl_iterate_phdr(find, NULL);
    if (!to && write(STDERR_FILENO, "no libmpt\n", 10) < 0)
        _exit(1);
}

static int fails(void *caller)
{
    if ((uintptr_t)caller < from || (uintptr_t)caller >= to ||
        __atomic_add_fetch(&asked, 1, __ATOMIC_RELAXED) != fail_at)
        return 0;
    dprintf(STDERR_FILENO, "[this allocation fails, at libmpt+%#lx]\n", (unsigned long)((uintptr_t)caller - base));
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t n)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(n);
}

void *calloc(size_t n, size_t each)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(n, each);
}

void *realloc(void *p, size_t n)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(p, n);
}

static char *copy(const char *s, size_t n)
{
    char *to_ = __libc_malloc(n + 1);

    if (to_) {
        memcpy(to_, s, n);
        to_[n] = '\0';
    }
    return to_;
}

char *strdup(const char *s)
{
    return fails(__builtin_return_address(0)) ? NULL : copy(s, strlen(s));
}

char *strndup(const char *s, size_t n)
{
    return fails(__builtin_return_address(0)) ? NULL : copy(s, strnlen(s, n));
}
