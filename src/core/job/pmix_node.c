/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The memory of a node whose processes were started by somebody else: the lowest of
 * them makes it and tells the others its process and descriptor number, by which
 * they open it in /proc. So it has no name, and vanishes with the last of them.
 * What is in it comes when the numbers of PEs of all processes are known.
 */
#include "core/job/pmix.h"

#ifdef CORE_HAVE_PMIX
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/internal.h"
#include "core/job/start.h"
#include "core/task/task.h"
#include "core/topo/topology.h"

#define KEY_NOTE "mpt.node"
#define KEY_OPEN "mpt.open"

enum { CPU_WORDS = 128 }; /* 8192 CPUs */

/* What a process tells the others of its node. */
struct note {
    uint64_t key; /* the maker's, also in the header: another process may have the same number in a container */
    int32_t pid, fd;
    uint64_t space; /* in which pid counts */
    uint64_t cpus[CPU_WORDS]; /* it may run on; cut after the last one */
};

struct node {
    unsigned n, self, size; /* its processes, this one among them; those of the job */
    int *ranks; /* rising */
    uint64_t cpus[CPU_WORDS];
};

static int rising(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* "0,4,7": the processes of this node. */
static int parse_peers(struct node *node, char *text)
{
    char *save;
    for (char *word = strtok_r(text, ",", &save); word; word = strtok_r(NULL, ",", &save)) {
        char *end;
        long rank = strtol(word, &end, 10);
        if (end == word || *end || rank < 0 || rank >= (long)node->size || node->n >= node->size)
            return -EPROTO;
        node->ranks[node->n++] = (int)rank;
    }
    qsort(node->ranks, node->n, sizeof *node->ranks, rising);
    for (node->self = 0; node->self < node->n; node->self++)
        if (node->ranks[node->self] == (int)core_pmix.me.rank)
            return 0;
    return -EPROTO;
}

static void be_only_one(struct node *node)
{
    node->n = 1;
    node->self = 0;
    node->ranks[0] = (int)core_pmix.me.rank;
}

static int find_peers(struct node *node)
{
    char *text = NULL;
    node->ranks = malloc(node->size * sizeof *node->ranks);
    if (!node->ranks) {
        core_error("no memory for a list of %u processes", node->size);
        return -ENOMEM;
    }
    int rc = core_pmix_text(PMIX_LOCAL_PEERS, &text);
    if (rc == 0)
        rc = parse_peers(node, text);
    free(text);
    if (rc == 0)
        return 0;
    core_debug("the launcher does not say who is on host %s: each of its processes is a node of its own",
               core_host(-1));
    be_only_one(node);
    return 0;
}

/* Its PEs before the process that is `k`-th on the node. */
static unsigned slices_before(const struct core_pmix_process *p, const struct node *node, unsigned k)
{
    unsigned n = 0;
    for (unsigned i = 0; i < k; i++)
        n += core_pmix_first(p, (unsigned)node->ranks[i] + 1) - core_pmix_first(p, (unsigned)node->ranks[i]);
    return n;
}

/* ---------------------------------------------------------------- memory -- */

/* Processes look at the boards of others, which may not have begun yet. */
static int tell_boards(const struct core_pmix_process *p, const struct node *node, int fd, struct core_header *h)
{
    for (unsigned i = 0; i < node->n; i++) {
        unsigned first = slices_before(p, node, i), n = slices_before(p, node, i + 1) - first;
        int rc = n > 1 ? core_deal_tell(fd, h, first, n, 1) : 0;
        if (rc != 0)
            return rc;
        h->tasks |= n > 1;
    }
    return 0;
}

static int lay(const struct core_pmix_process *p, const struct node *node, int fd, unsigned cores)
{
    const struct core_sizes sizes = {core_params.heap_size, core_params.data_max, core_params.arena_max, false};
    unsigned npes = slices_before(p, node, node->n);
    char why[CORE_WIRE_WHY];
    struct core_header *h;
    int rc = core_wire_lay(fd, &h, npes, cores, sizes);
    if (rc != 0) {
        core_error("cannot make the memory of %u PEs on host %s with %s", npes, core_host(-1),
                   core_wire_why(why, -rc, npes, sizes));
        return rc;
    }
    if ((rc = tell_boards(p, node, fd, h)) != 0 || (rc = core_pmix_deal_write(p, node->size, fd, h)) != 0)
        core_error("cannot write to the job's memory: %s", strerror(-rc));
    munmap(h, CORE_HEADER_SIZE);
    return rc;
}

/* The maker's memory, or a negative errno: where processes have numbers of their
 * own, or may not look at each other, it cannot be had. */
static int open_made(const struct note *maker)
{
    char path[64];
    uint64_t key;
    snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)maker->pid, (int)maker->fd);
    int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0)
        return -errno;
    if (pread(fd, &key, sizeof key, offsetof(struct core_header, key)) == (ssize_t)sizeof key && key == maker->key)
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

/* Launchers bind each process to a core or two: what counts is what all may use. */
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

static int tell(const struct node *node, unsigned tasks, int *fd, struct note *own)
{
    *fd = -1;
    if (node->self == 0) {
        *fd = core_wire_begin(&own->key);
        if (*fd < 0) {
            core_error("cannot make the memory of host %s: %s", core_host(-1), strerror(-*fd));
            return *fd;
        }
    }
    own->pid = getpid();
    own->fd = *fd;
    own->space = number_space();
    size_t words = own_cpus(own->cpus);
    int rc = core_pmix_put(KEY_NOTE, own, offsetof(struct note, cpus) + words * sizeof *own->cpus, true);
    if (rc != 0 || (rc = core_pmix_deal_tell(tasks)) != 0)
        return rc;
    return core_pmix_fence(CORE_PMIX_ALL, "the start of the job");
}

/* Everybody's note is there: open the memory, sum up the CPUs. */
static int listen_to_peers(struct core_pmix_process *p, struct node *node, const struct note *own, int *fd)
{
    for (unsigned i = 0; i < node->n; i++) {
        struct note note = {0};
        long n = core_pmix_get(node->ranks[i], KEY_NOTE, &note, sizeof note);
        if (n < (long)offsetof(struct note, cpus))
            return n < 0 ? (int)n : -EPROTO;
        for (unsigned k = 0; k < CPU_WORDS; k++)
            node->cpus[k] |= note.cpus[k];
        if (i == (node->self + 1) % node->n && i != node->self && note.space == own->space)
            p->next_pid = note.pid;
        if (i > 0 || node->self == 0)
            continue;
        *fd = open_made(&note);
        if (*fd < 0)
            core_debug("memory of process %d on host %s, process number %d, descriptor %d: %s", node->ranks[0],
                       core_host(-1), (int)note.pid, (int)note.fd, strerror(-*fd));
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
        long n = core_pmix_get(node->ranks[i], KEY_OPEN, &word, sizeof word);
        if (n != (long)sizeof word)
            return n < 0 ? (int)n : -EPROTO;
        *all = *all && word;
    }
    return 0;
}

/* No cores of its own where they do not go round: it must not spin. */
static int be_alone(struct core_pmix_process *p, struct node *node, int *fd, unsigned cores)
{
    uint64_t key;
    int rc = 0;
    cores = cores >= node->n ? 1 : 0;
    core_debug("processes of host %s do not share memory: some cannot open what others made (/proc hidden, or "
               "containers with process numbers of their own)",
               core_host(-1));
    if (*fd >= 0)
        close(*fd);
    if (node->self > 0)
        rc = core_pmix_deal_learn(p, node->size);
    be_only_one(node);
    p->next_pid = 0;
    if (rc != 0 || (rc = *fd = core_wire_begin(&key)) < 0)
        return rc;
    return lay(p, node, *fd, cores);
}

/* The maker has laid it out before it said that it can. */
static int read_made(struct core_pmix_process *p, const struct node *node, int fd)
{
    struct core_header h;
    if (pread(fd, &h, sizeof h, 0) == (ssize_t)sizeof h && h.magic == CORE_WIRE_MAGIC)
        return core_pmix_deal_read(p, node->size, fd, &h);
    core_error("the memory that process %d made for host %s is damaged", node->ranks[0], core_host(-1));
    return -EPROTO;
}

static int agree(struct core_pmix_process *p, struct node *node, int *fd)
{
    struct note own = {0};
    bool all, maker = node->self == 0;
    int rc = tell(node, p->tasks, fd, &own);
    if (rc != 0 || (rc = listen_to_peers(p, node, &own, fd)) != 0)
        return rc;
    unsigned cores = count_cores(node);
    if (maker && ((rc = core_pmix_deal_learn(p, node->size)) != 0 || (rc = lay(p, node, *fd, cores)) != 0))
        return rc;
    if ((rc = all_can(node, *fd >= 0, &all)) != 0)
        return rc;
    if (!all)
        return be_alone(p, node, fd, cores);
    return maker ? 0 : read_made(p, node, *fd);
}

/* The PEs of the node; NULL: all of the job, in order. */
static int list_pes(const struct core_pmix_process *p, const struct node *node, const int **pes)
{
    unsigned n = slices_before(p, node, node->n), k = 0;
    int *list;
    *pes = NULL;
    if (node->n == node->size)
        return 0;
    if (!(list = malloc(n * sizeof *list))) {
        core_error("no memory for a list of %u PEs", n);
        return -ENOMEM;
    }
    for (unsigned i = 0; i < node->n; i++)
        for (unsigned pe = core_pmix_first(p, (unsigned)node->ranks[i]); k < slices_before(p, node, i + 1); pe++)
            list[k++] = (int)pe;
    *pes = list; /* stays */
    return 0;
}

static int find_place(struct core_pmix_process *p, const struct node *node, int fd)
{
    struct core_location *at = calloc(1, sizeof *at);
    int rc = at ? list_pes(p, node, &at->pes) : -ENOMEM;
    if (rc != 0)
        return rc;
    at->me = (int)core_pmix_first(p, core_pmix.me.rank);
    at->npes = (int)core_pmix_first(p, node->size);
    at->fd = fd;
    at->slice = slices_before(p, node, node->self);
    at->nslices = slices_before(p, node, node->n);
    p->at = at;
    if (node->n > 1)
        p->next_slice = slices_before(p, node, (node->self + 1) % node->n);
    return 0;
}

int core_pmix_node(struct core_pmix_process *p, unsigned size)
{
    struct node node = {.size = size};
    int fd = -1, rc = find_peers(&node);
    if (rc == 0)
        rc = agree(p, &node, &fd);
    if (rc == 0)
        rc = find_place(p, &node, fd);
    free(node.ranks);
    return rc;
}
#endif
