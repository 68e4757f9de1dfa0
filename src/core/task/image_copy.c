/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Copies of a patched image as files for the loader, and what they need after loading.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/base/number.h"
#include "core/base/page.h"
#include "core/task/image.h"

/* A debugger that looks for a copy by its path finds its own descriptor of that number, which it would read. So copies
 * have numbers that it does not use, where the limit allows. */
enum { LEAST_FD = 512 };

static int make_file(const char *name)
{
    int fd = memfd_create(name, MFD_CLOEXEC), high = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, LEAST_FD);

    if (high < 0)
        return fd;
    close(fd);
    return high;
}

/* The loader takes a path that it knows for the same library. Extra slashes and dots tell copies apart; all paths have
 * the same length. */
static void path_of(char path[CORE_IMAGE_PATH], int fd, unsigned n)
{
    static const char folder[] = CORE_IMAGE_FOLDER;
    char digits[16], *at = path + sizeof folder - 1;
    int n_digits = snprintf(digits, sizeof digits, "%d", fd);

    memcpy(path, folder, sizeof folder - 1);
    for (unsigned bit = 0; bit < 16; bit++) {
        *at++ = '/';
        *at++ = n >> bit & 1 ? '.' : '/';
    }
    while (at < path + CORE_IMAGE_PATH - 1 - n_digits)
        *at++ = '/';
    memcpy(at, digits, (size_t)n_digits + 1);
}

static bool write_all(int fd, const char *data, size_t n, size_t at)
{
    while (n > 0) {
        ssize_t done = pwrite(fd, data, n, (off_t)at);

        if (done <= 0)
            return false;
        data += done;
        at += (size_t)done;
        n -= (size_t)done;
    }
    return true;
}

/* Text that nothing calls while the loader is at work. Where it is one segment with what the loader reads (linkers'
 * -z noseparate-code; for arm64 that is usual), it has the file's head. */
static bool is_left_out(const struct core_image *m, const ElfW(Phdr) * p)
{
    return p->p_flags & PF_X && p->p_offset > 0 && !m->early_text;
}

static bool write_segments(const struct core_image *m, int fd)
{
    for (unsigned i = 0; i < m->n_segments; i++) {
        const ElfW(Phdr) *p = &m->segments[i];

        if (p->p_type != PT_LOAD || p->p_vaddr == m->strings_address || is_left_out(m, p))
            continue;
        if (!write_all(fd, m->bytes + p->p_offset, p->p_filesz, p->p_offset))
            return false;
    }
    return true;
}

static bool write_strings(const struct core_image *m, int fd, const char (*paths)[CORE_IMAGE_PATH])
{
    return write_all(fd, m->strings, m->strings_n, m->strings_at) &&
           write_all(fd, (const char *)paths, (size_t)m->n_needs * CORE_IMAGE_PATH, m->strings_at + m->strings_n);
}

int core_image_make(const struct core_image *m, unsigned n, const char (*paths)[CORE_IMAGE_PATH],
                    char path[CORE_IMAGE_PATH])
{
    int fd = make_file(m->soname ? m->soname : "program");

    if (fd < 0)
        return -errno;
    path_of(path, fd, n);
    if (ftruncate(fd, (off_t)(m->strings_at + m->strings_room)) == 0 && write_segments(m, fd) &&
        write_strings(m, fd, paths))
        return fd;
    int error = errno;
    close(fd);
    return -error;
}

/* Text and constants come from the file, which all share. */
static int share_segment(const struct core_image *m, const ElfW(Phdr) * p, uintptr_t base)
{
    uintptr_t from = core_page_of(p->p_vaddr), skip = p->p_vaddr - from;
    int protect = (p->p_flags & PF_R ? PROT_READ : 0) | (p->p_flags & PF_X ? PROT_EXEC : 0);
    void *at = (void *)(base + from);

    return mmap(at, p->p_filesz + skip, protect, MAP_PRIVATE | MAP_FIXED, m->file, (off_t)(p->p_offset - skip)) == at
               ? 0
               : -errno;
}

int core_image_settle(const struct core_image *m, uintptr_t base, int fd)
{
    int rc = 0;

    for (unsigned i = 0; i < m->n_segments && rc == 0; i++) {
        const ElfW(Phdr) *p = &m->segments[i];

        if (p->p_type != PT_LOAD || p->p_flags & PF_W || p->p_vaddr == m->strings_address)
            continue;
        rc = share_segment(m, p, base);
        if (rc == 0)
            fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                      (off_t)core_round_up(p->p_offset, core_page_size()), (off_t)(core_page_of(p->p_filesz)));
    }
    return rc;
}

void core_image_copy_variables(const struct core_image *m, const struct core_image *images, const uintptr_t *bases)
{
    uintptr_t base = bases[m - images];

    for (unsigned i = 0; i < m->n_copies; i++) {
        const struct core_image_copy *c = &m->copies[i];
        uintptr_t from = c->from ? bases[c->from - images] + c->value : m->first + c->at;

        memcpy((void *)(base + c->at), (const void *)from, c->n);
    }
}
