/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Makes the executable's writable data (.data, .bss, Fortran COMMON) shared:
 * its pages are copied into this PE's slice and the slice is mapped over them,
 * so that the program goes on with the same addresses and its peers see them.
 * The part that is read-only after relocation (RELRO) stays private. Works for
 * PIE and non-PIE alike, because only the offset must agree between PEs.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/number.h"
#include "core/base/page.h"
#include "core/internal.h"
#include "core/task/task.h"

struct range {
    uintptr_t lo, file_end, hi; /* [lo,file_end) comes from the file, the rest is .bss */
};

/* Faults of threads that write to the pages while these move, and after it. */
struct core_faults {
    uintptr_t lo, hi;
    struct sigaction old; /* what the program does about SIGSEGV */
    bool moved;
    int late; /* after the move: so many threads may still have a fault of before under way */
};

static uintptr_t page_down(uintptr_t a)
{
    return a & ~(core_state.mem.page_size - 1);
}

/* First object that dl_iterate_phdr reports is the executable. */
static int find_data(struct dl_phdr_info *info, size_t size, void *arg)
{
    (void)size;
    struct range *r = arg;
    uintptr_t relro_end = 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        uintptr_t lo = info->dlpi_addr + p->p_vaddr;
        if (p->p_type == PT_GNU_RELRO)
            relro_end = page_down(lo + p->p_memsz);
        if (p->p_type != PT_LOAD || !(p->p_flags & PF_W))
            continue;
        if (!r->hi || lo < r->lo)
            r->lo = page_down(lo);
        if (lo + p->p_memsz > r->hi) {
            r->hi = core_round_up(lo + p->p_memsz, core_state.mem.page_size);
            r->file_end = core_round_up(lo + p->p_filesz, core_state.mem.page_size);
        }
    }
    if (relro_end > r->lo && relro_end <= r->hi)
        r->lo = relro_end;
    return 1;
}

/* Whole pages, word by word: what lies between variables is copied, too, which
 * the sanitizers' memcpy would refuse. Volatile keeps the loop from becoming one. */
__attribute__((no_sanitize("address", "thread"))) static void copy_words(void *to, const void *from, size_t n)
{
    uint64_t *t = to;
    const volatile uint64_t *f = from;
    for (size_t i = 0; i < n / sizeof *t; i++)
        t[i] = f[i];
}

__attribute__((no_sanitize("address", "thread"))) static bool all_zero(const void *page)
{
    const volatile uint64_t *p = page;
    for (size_t i = 0; i < core_state.mem.page_size / sizeof *p; i++)
        if (p[i])
            return false;
    return true;
}

/* Copy the pages of .bss that have been touched; the others are zero here and,
 * untouched, cost nothing there. Present pages are bit 63 (or swapped: 62) of
 * their entry in /proc/self/pagemap; without it, look for a non-zero byte. */
static void copy_touched(char *to, const char *from, size_t n)
{
    enum { BATCH = 512 };
    uint64_t entry[BATCH];
    int fd = n > 0 ? open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC) : -1;
    for (size_t at = 0; at < n; at += BATCH * core_state.mem.page_size) {
        size_t pages = (n - at) / core_state.mem.page_size < BATCH ? (n - at) / core_state.mem.page_size : BATCH;
        off_t where = (off_t)(((uintptr_t)from + at) / core_state.mem.page_size * sizeof *entry);
        bool known = fd >= 0 && pread(fd, entry, pages * sizeof *entry, where) == (ssize_t)(pages * sizeof *entry);
        for (size_t i = 0; i < pages; i++) {
            const char *page = from + at + i * core_state.mem.page_size;
            bool touched = known ? entry[i] >> 62 != 0 : !all_zero(page);
            if (touched)
                copy_words(to + at + i * core_state.mem.page_size, page, core_state.mem.page_size);
        }
    }
    if (fd >= 0)
        close(fd);
}

/* Copy the shared pages [lo, lo + n), which begin at `offset` of the memfd, to
 * private ones. Which of them hold data only the file knows: this process has
 * not touched all that its peers have, and a new child has touched none. */
static void copy_shared(char *to, uintptr_t lo, size_t n, off_t offset)
{
    struct stat st;
    bool ours =
        fstat(core_seg->fd, &st) == 0 && st.st_ino == core_seg->inode; /* programs may close what they don't know */
    off_t end = offset + (off_t)n, from = offset, hole;
    while (ours && (from = lseek(core_seg->fd, from, SEEK_DATA)) >= 0 && from < end) {
        hole = lseek(core_seg->fd, from, SEEK_HOLE);
        hole = hole < from || hole > end ? end : hole;
        copy_words(to + (from - offset), (void *)(lo + (size_t)(from - offset)), (size_t)(hole - from));
        from = hole;
    }
    for (size_t at = 0; !ours && at < n; at += core_state.mem.page_size)
        if (!all_zero((void *)(lo + at)))
            copy_words(to + at, (void *)(lo + at), core_state.mem.page_size);
}

int core_unshare(uintptr_t lo, size_t n, off_t offset)
{
    void *copy = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (copy == MAP_FAILED)
        return -errno;
    copy_shared(copy, lo, n, offset);
    return mremap(copy, n, n, MREMAP_MAYMOVE | MREMAP_FIXED, (void *)lo) == MAP_FAILED ? -errno : 0;
}

/* A child that the program forks must not share its parent's globals: give it
 * private copies of what they are now. Until that is done it may write to none,
 * and `mpt_fast` may be one of them. */
static void after_fork_in_child(void)
{
    if (core_state.mem.globals_private) /* a child of a child */
        return;
    off_t offset = (off_t)(CORE_HEADER_SIZE + core_seg->idx * mpt_fast.stride + core_seg->header->off_data);
    if (core_unshare(mpt_fast.data_lo, mpt_fast.data_len, offset) == 0) {
        core_state.mem.globals_private = true;
        mpt_fast.node_n = mpt_fast.reach_n = mpt_fast.look_n = 0; /* the child is no PE */
        return;
    }
    core_error("a process forked by this PE cannot get global variables of its own: %s", strerror(errno));
    _exit(EXIT_FAILURE); /* going on, it would write to its parent's */
}

/* Other threads of the program may write to the pages while they are moved:
 * then the pages are read-only for that moment, and a writer's fault ends in
 * this handler, which returns so that the store is tried again. A thread may lose
 * the core between its fault and the signal, for longer than the move takes: so
 * the handler stays until each thread has had such a fault, or another one
 * happens. That one happens again, and finds what the program has set up. */
static void retry_store(int sig, siginfo_t *info, void *context)
{
    struct core_faults *faults = core_state.mem.faults;
    uintptr_t at = (uintptr_t)info->si_addr;
    bool ours = info->si_code == SEGV_ACCERR && at >= faults->lo && at < faults->hi;

    (void)context;
    /* model: publish.see */
    if (ours && !__atomic_load_n(&faults->moved, __ATOMIC_ACQUIRE))
        return;
    if (ours && __atomic_sub_fetch(&faults->late, 1, __ATOMIC_RELAXED) >= 0)
        return;
    sigaction(sig, &faults->old, NULL);
    if (info->si_code <= 0) /* somebody sent it */
        raise(sig);
}

/* Threads of the program beside this one. */
static int other_threads(void)
{
    struct stat st; /* one link for each thread beside . and .. */
    return stat("/proc/self/task", &st) == 0 ? (int)st.st_nlink - 3 - (int)core_task_threads() : 0;
}

static void copy_range(const struct range *r, char *to)
{
    copy_words(to, (void *)r->lo, r->file_end - r->lo);
    copy_touched(to + (r->file_end - r->lo), (char *)r->file_end, r->hi - r->file_end);
}

static int move_pages(const struct range *r, char *to, int fd, off_t offset)
{
    struct sigaction retry = {.sa_sigaction = retry_store, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    struct core_faults *faults = NULL;
    size_t n = r->hi - r->lo;
    int others = other_threads();
    int rc = 0;
    if (others > 0) {
        faults = core_state.mem.faults = malloc(sizeof *faults);
        if (!faults)
            return -ENOMEM;
        *faults = (struct core_faults){.lo = r->lo, .hi = r->hi, .late = others};
        /* All that runs below has run once before: lazy binding of a function
         * would have to write to the pages while they are read-only. */
        copy_range(r, to);
        mprotect((void *)r->lo, n, PROT_READ | PROT_WRITE);
        sigaction(SIGSEGV, &retry, &faults->old);
        mprotect((void *)r->lo, n, PROT_READ);
    }
    copy_range(r, to);
    if (mmap((void *)r->lo, n, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, offset) == MAP_FAILED) {
        rc = -errno;
        mprotect((void *)r->lo, n, PROT_READ | PROT_WRITE);
    }
    if (faults)
        /* model: publish.set */
        __atomic_store_n(&faults->moved, true, __ATOMIC_RELEASE);
    return rc;
}

int core_globals_share(void)
{
    struct core_header *h = core_seg->header;
    struct range r = {0};
    core_state.mem.page_size = core_page_size();
    if (!core_params.share_globals)
        return 0;
    dl_iterate_phdr(find_data, &r);
    if (r.hi <= r.lo)
        return 0;
    if (r.file_end < r.lo)
        r.file_end = r.lo;
    if (r.file_end > r.hi)
        r.file_end = r.hi;
    if (r.hi - r.lo > h->data_max) {
        core_error("the program's global variables take %zu bytes, more than MPT_GLOBALS_MAX=%llu; raise that variable",
                   (size_t)(r.hi - r.lo), (unsigned long long)h->data_max);
        return -ENOMEM;
    }
    char *slice = core_seg->slices + core_seg->idx * h->stride;
    off_t offset = (off_t)(core_wire_slice(h, core_seg->idx) + h->off_data);
    int rc = move_pages(&r, slice + h->off_data, core_seg->fd, offset);
    if (rc != 0) {
        core_error("cannot share the program's global variables: %s", strerror(-rc));
        return rc;
    }
    mpt_fast.data_to = (uintptr_t)(core_seg->slices + core_seg->run_first * h->stride + h->off_data) - r.lo;
    mpt_fast.data_lo = r.lo;
    mpt_fast.data_len = r.hi - r.lo;
    pthread_atfork(NULL, NULL, after_fork_in_child);
    core_debug("global variables [%p, %p) are shared", (void *)r.lo, (void *)r.hi);
    return 0;
}
