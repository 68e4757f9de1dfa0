/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See pages.h. Emulators of a processor say that the advice has been taken, and do nothing: whether that is so is seen
 * once, by a byte of the first pages.
 */
#include "core/mem/pages.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "core/internal.h"

static bool is_advised(void *p, size_t n)
{
    volatile char *first = p;
    uint8_t *advice = &core_seg->advice, known = __atomic_load_n(advice, __ATOMIC_RELAXED);

    if (known == CORE_ADVICE_UNKNOWN)
        *first = 1;
    if (known == CORE_ADVICE_IDLE || madvise(p, n, MADV_REMOVE) != 0)
        return false;
    if (known == CORE_ADVICE_UNKNOWN) {
        known = *first ? CORE_ADVICE_IDLE : CORE_ADVICE_WORKS;
        __atomic_store_n(advice, known, __ATOMIC_RELAXED);
    }
    return known == CORE_ADVICE_WORKS;
}

bool core_pages_drop(void *p, size_t n)
{
    int error = errno;
    bool done = n == 0 || is_advised(p, n);

    errno = error;
    return done;
}

/* The program may have closed the file, and opened another. */
static bool is_ours(int fd)
{
    struct stat st;

    return fstat(fd, &st) == 0 && st.st_ino == core_seg->inode && (size_t)st.st_size >= core_seg->length;
}

static bool punch(const char *p, size_t n)
{
    return is_ours(core_seg->fd) &&
           fallocate(core_seg->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, p - core_seg->base, (off_t)n) == 0;
}

void core_pages_clear(void *p, size_t n)
{
    int error = errno;

    if (!core_pages_drop(p, n) && !punch(p, n))
        memset(p, 0, n);
    errno = error;
}
