/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The memory of a node whose PEs were started by somebody else: the lowest of
 * them makes it and tells the others its process and descriptor number, by which
 * they open it in /proc. So it has no name, and vanishes with the last of them.
 */
#include "core/job/pmix.h"

#ifdef CORE_HAVE_PMIX
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/internal.h"
#include "core/topo/topology.h"

#define KEY_NOTE "mpt.node"
#define KEY_OPEN "mpt.open"

enum { CPU_WORDS = 128 }; /* 8192 CPUs */

/* What a PE tells the others of its node. */
struct note {
    uint64_t key; /* the maker's, also in the header: another process may have the same number in a container */
    int32_t pid, fd;
    uint64_t space; /* in which pid counts */
    uint64_t cpus[CPU_WORDS]; /* it may run on; cut after the last one */
};

struct node {
    unsigned n, self;
    int *pes; /* rising */
    uint64_t cpus[CPU_WORDS];
};

static int rising(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* "0,4,7": the processes of this node. */
static int parse_peers(struct node *node, char *text, const struct core_location *location)
{
    char *save;
    for (char *word = strtok_r(text, ",", &save); word; word = strtok_r(NULL, ",", &save)) {
        char *end;
        long pe = strtol(word, &end, 10);
        if (end == word || *end || pe < 0 || pe >= location->npes || node->n >= (unsigned)location->npes)
            return -EPROTO;
        node->pes[node->n++] = (int)pe;
    }
    qsort(node->pes, node->n, sizeof *node->pes, rising);
    for (node->self = 0; node->self < node->n; node->self++)
        if (node->pes[node->self] == location->me)
            return 0;
    return -EPROTO;
}

static int find_peers(struct node *node, const struct core_location *location)
{
    char *text = NULL;
    node->pes = malloc((size_t)location->npes * sizeof *node->pes);
    if (!node->pes) {
        core_error("no memory for a list of %d PEs", location->npes);
        return -ENOMEM;
    }
    int rc = core_pmix_text(PMIX_LOCAL_PEERS, &text);
    if (rc == 0)
        rc = parse_peers(node, text, location);
    free(text);
    if (rc == 0)
        return 0;
    core_debug("the launcher does not say who is on host %s: each of its PEs is a node of its own", core_host(-1));
    node->n = 1;
    node->self = 0;
    node->pes[0] = location->me;
    return 0;
}

/* ---------------------------------------------------------------- memory -- */

static int make(unsigned npes, uint64_t *key)
{
    const struct core_sizes sizes = {core_params.heap_size, core_params.data_max, core_params.arena_max, false};
    char why[CORE_WIRE_WHY];
    struct core_header *h;
    int fd = core_wire_create(&h, npes, core_topology_cores(), sizes);
    if (fd < 0) {
        core_error("cannot make the memory of %u PEs on host %s with %s", npes, core_host(-1),
                   core_wire_why(why, -fd, npes, sizes));
        return fd;
    }
    if (getrandom(key, sizeof *key, 0) != (ssize_t)sizeof *key)
        *key = (uint64_t)getpid() << 32 | (uint32_t)fd;
    h->key = *key;
    munmap(h, CORE_HEADER_SIZE);
    return fd;
}

/* The maker's memory, or a negative errno: where processes have numbers of their
 * own, or may not look at each other, it cannot be had. */
static int open_made(const struct note *maker, unsigned npes)
{
    char path[64];
    struct core_header h;
    snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)maker->pid, (int)maker->fd);
    int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0)
        return -errno;
    if (pread(fd, &h, sizeof h, 0) == (ssize_t)sizeof h && h.magic == CORE_WIRE_MAGIC && h.key == maker->key &&
        h.npes == npes)
        return fd;
    close(fd);
    return -ESTALE;
}

static size_t own_cpus(uint64_t *words)
{
    size_t size, used = 0;
    cpu_set_t *set = core_topology_mask(0, &size);
    for (unsigned cpu = 0; set && cpu < size * 8 && cpu < CPU_WORDS * 64; cpu++)
        if (CPU_ISSET_S(cpu, size, set)) {
            words[cpu / 64] |= 1ull << cpu % 64;
            used = cpu / 64 + 1;
        }
    CPU_FREE(set);
    return used;
}

/* Launchers bind each PE to a core or two: what counts is what all may use. */
static unsigned count_cores(const struct node *node)
{
    unsigned cores = 0, quota = core_topology_quota();
    for (unsigned i = 0; i < CPU_WORDS; i++)
        cores += (unsigned)__builtin_popcountll(node->cpus[i]);
    if (cores == 0)
        cores = core_topology_cores();
    return quota && quota < cores ? quota : cores;
}

/* ------------------------------------------------------------- agreement -- */

/* Processes have numbers in one name space or another; 0: not known. */
static uint64_t number_space(void)
{
    struct stat st;
    return stat("/proc/self/ns/pid", &st) == 0 ? st.st_ino : 0;
}

static int tell(const struct node *node, int *fd, struct note *own)
{
    *fd = -1;
    if (node->self == 0) {
        *fd = make(node->n, &own->key);
        if (*fd < 0)
            return *fd;
    }
    own->pid = getpid();
    own->fd = *fd;
    own->space = number_space();
    size_t words = own_cpus(own->cpus);
    int rc = core_pmix_put(KEY_NOTE, own, offsetof(struct note, cpus) + words * sizeof *own->cpus, true);
    return rc != 0 ? rc : core_pmix_fence(CORE_PMIX_NEAR, "the start of the job");
}

/* Everybody's note is there: open the memory, sum up the CPUs. */
static int listen_to_peers(struct node *node, const struct note *own, int *fd)
{
    for (unsigned i = 0; i < node->n; i++) {
        struct note note = {0};
        long n = core_pmix_get(node->pes[i], KEY_NOTE, &note, sizeof note);
        if (n < (long)offsetof(struct note, cpus))
            return n < 0 ? (int)n : -EPROTO;
        for (unsigned k = 0; k < CPU_WORDS; k++)
            node->cpus[k] |= note.cpus[k];
        if (i == (node->self + 1) % node->n && i != node->self && note.space == own->space)
            core_pmix_watch(i, note.pid);
        if (i > 0 || node->self == 0)
            continue;
        *fd = open_made(&note, node->n);
        if (*fd < 0)
            core_debug("cannot open the memory that process %d of host %s made: %s", (int)note.pid, core_host(-1),
                       strerror(-*fd));
    }
    return 0;
}

/* Shared memory needs all of the node: one that cannot makes each its own node. */
static int all_can(const struct node *node, bool can, bool *all)
{
    unsigned char word = can;
    int rc = core_pmix_put(KEY_OPEN, &word, sizeof word, true);
    if (rc != 0 || (rc = core_pmix_fence(CORE_PMIX_NEAR, "the start of the job")) != 0)
        return rc;
    *all = can;
    for (unsigned i = 0; i < node->n; i++) {
        long n = core_pmix_get(node->pes[i], KEY_OPEN, &word, sizeof word);
        if (n != (long)sizeof word)
            return n < 0 ? (int)n : -EPROTO;
        *all = *all && word;
    }
    return 0;
}

/* No cores of its own where they do not go round: it must not spin. */
static int be_alone(struct node *node, const struct core_location *location, int *fd, unsigned *cores)
{
    uint64_t key;
    *cores = *cores >= node->n ? 1 : 0;
    core_debug("PEs of host %s do not share memory: some cannot open what others made (/proc hidden, or containers "
               "with process numbers of their own)",
               core_host(-1));
    if (*fd >= 0)
        close(*fd);
    node->n = 1;
    node->self = 0;
    node->pes[0] = location->me;
    *fd = make(1, &key);
    return *fd < 0 ? *fd : 0;
}

/* Each PE of the node stores the same. */
static int set_cores(int fd, unsigned cores)
{
    struct core_header *h = mmap(NULL, CORE_HEADER_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (h == MAP_FAILED)
        return -errno;
    __atomic_store_n(&h->ncores, cores, __ATOMIC_RELAXED);
    munmap(h, CORE_HEADER_SIZE);
    return 0;
}

static int agree(struct node *node, const struct core_location *location, int *fd)
{
    struct note own = {0};
    bool all;
    int rc = tell(node, fd, &own);
    if (rc != 0 || (rc = listen_to_peers(node, &own, fd)) != 0 || (rc = all_can(node, *fd >= 0, &all)) != 0)
        return rc;
    unsigned cores = count_cores(node);
    if (!all && (rc = be_alone(node, location, fd, &cores)) != 0)
        return rc;
    return set_cores(*fd, cores);
}

int core_pmix_node(struct core_location *location)
{
    struct node node = {0};
    int fd = -1, rc = find_peers(&node, location);
    if (rc == 0)
        rc = agree(&node, location, &fd);
    if (rc != 0) {
        free(node.pes);
        return rc;
    }
    location->fd = fd;
    location->slice = node.self;
    location->nslices = node.n;
    if (node.n < (unsigned)location->npes)
        location->pes = node.pes; /* stays */
    else
        free(node.pes); /* the whole job, in order */
    return 0;
}
#endif
