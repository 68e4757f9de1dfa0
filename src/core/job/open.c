/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Open jobs: processes enter and leave while the job runs. The memory has room for
 * thousands of slots and is sparse. What a process left behind stays readable, until
 * slots run out: then those of processes that have gone are retired in a round. Each
 * process handles what they had sent, forgets them, and says so; when all have, their
 * memory is given back and they serve anew. So nobody ever holds a stale position in a ring.
 * Nothing that dies can block others: each ring and word has one writer, and the
 * header's counters change by single instructions.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/internal.h"
#include "core/topo/topology.h"

/* Bodies of messages lie in the arena. */
#define ARENA (4ull << 30)
enum { SLOTS_MIN = 16 };

static pid_t owner; /* the process that stands in our slot: a forked child does not */
static bool in;

const char core_job_env_open[] = CORE_WIRE_ENV_OPEN;

bool core_job_env_read(const char *text, int *fd, int *slot)
{
    unsigned version;
    return sscanf(text, "%u:%d:%d", &version, fd, slot) == 3 && version == CORE_WIRE_VERSION && *fd >= 0 && *slot >= 0;
}

void core_job_env_write(char *text, size_t n, int fd, int slot)
{
    snprintf(text, n, "%s=%u:%d:%d", CORE_WIRE_ENV_OPEN, CORE_WIRE_VERSION, fd, slot);
}

/* -------------------------------------------------------------- the memory -- */

/* As many slots as address space allows. */
static int make_memory(unsigned slots)
{
    const struct core_sizes sizes = {.arena = ARENA, .open = true};
    uint64_t room = core_wire_room();
    struct core_header *h, plan = {0};
    int fd;
    while (slots > SLOTS_MIN && (core_wire_layout(&plan, slots, sizes) != 0 || plan.file_size > room))
        slots /= 2;
    fd = core_wire_create(&h, slots, core_topology_cores(), sizes);
    if (fd < 0) {
        core_error("cannot make the memory of %u tasks: %s; is there a limit (ulimit -v, ulimit -f)?", slots, strerror(-fd));
        return fd;
    }
    munmap(h, CORE_HEADER_SIZE);
    return fd;
}

static int load_params(void)
{
    char why[512];
    int rc = core_param_load(why, sizeof why);
    if (rc != 0)
        core_error("%s", why);
    return rc;
}

static int attach(int fd)
{
    struct core_place place = {.fd = fd};
    int rc = core_segment_size(fd, &place.nslices);
    if (rc != 0)
        return rc;
    place.npes = (int)place.nslices;
    if ((rc = core_segment_attach(&place)) != 0)
        return rc;
    if (!core_seg.open) {
        core_error("%s leads to a job that cannot be entered", CORE_WIRE_ENV_OPEN);
        return -EPROTO;
    }
    fcntl(fd, F_SETFD, FD_CLOEXEC);
    core_copy_init();
    core_ask_for_short_slice();
    return 0;
}

/* ---------------------------------------------------------- coming, leaving -- */

static void at_exit(int status, void *arg)
{
    (void)status;
    (void)arg;
    core_job_part(false);
}

static int claim(unsigned slot)
{
    struct core_ctrl *c = core_ctrl_of(slot);
    pid_t nobody = 0;
    uint32_t new = CORE_PE_NEW;
    if (!__atomic_compare_exchange_n(&c->pid, &nobody, getpid(), false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
        return -EBUSY;
    c->born = core_process_born(getpid());
    c->seen = __atomic_load_n(&core_seg.header->round, __ATOMIC_ACQUIRE); /* what was retired by now it has never known */
    /* Release: who sees the state sees who that is. Somebody may have given us up. */
    if (!__atomic_compare_exchange_n(&c->state, &new, CORE_PE_RUNNING, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
        return -EBUSY;
    __atomic_fetch_add(&core_seg.header->alive, 1, __ATOMIC_RELAXED);
    return 0;
}

static int stand_at(int slot)
{
    int rc;
    if (slot < 0 && (slot = core_job_reserve()) < 0)
        return slot;
    if ((unsigned)slot >= core_job_high()) {
        core_error("slot %d of the open job has been given to nobody", slot);
        return -EINVAL;
    }
    if ((rc = claim((unsigned)slot)) != 0)
        return rc;
    owner = getpid();
    in = true;
    core_wait_init();
    if ((rc = core_segment_stand((unsigned)slot, slot)) == 0) {
        mpt_fast.node_n = mpt_fast.reach_n = core_seg.run_n;
        core_wait_retune();
        core_poll_restart();
        rc = core_channel_restart();
    }
    if (rc != 0) {
        core_error("no memory to enter the open job");
        core_job_part(true);
    }
    return rc;
}

int core_job_open(unsigned slots)
{
    int rc = load_params(), fd;
    if (rc != 0)
        return rc;
    fd = make_memory(slots);
    return fd < 0 ? fd : core_job_enter(fd, -1);
}

int core_job_enter(int fd, int slot)
{
    static bool registered;
    int rc;
    if (core_job_is_in() || (core_seg.header && !core_seg.open)) {
        core_error("this process is in a job already");
        return -EBUSY;
    }
    if (!core_seg.header && ((rc = load_params()) != 0 || (rc = attach(fd)) != 0))
        return rc;
    if (!registered)
        on_exit(at_exit, NULL);
    registered = true;
    return stand_at(slot);
}

/* The counter goes down once, by who first finds that it is so. */
static void set_gone(struct core_ctrl *c, enum core_pe_state how)
{
    uint32_t running = CORE_PE_RUNNING;
    if (__atomic_compare_exchange_n(&c->state, &running, how, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
        __atomic_fetch_sub(&core_seg.header->alive, 1, __ATOMIC_RELAXED);
}

/* Nobody is woken: who waits for room in a ring of ours looks up now and then. Rings
 * stay as they are, as our last messages lie in them. */
void core_job_part(bool clean)
{
    if (!core_job_is_in())
        return;
    in = false;
    mpt_fast.node_n = mpt_fast.reach_n = mpt_fast.look_n = 0;
    if (clean && core_seg.header->arena_size)
        madvise(core_seg.own + core_seg.header->off_arena, core_seg.header->arena_size, MADV_REMOVE);
    set_gone(core_ctrl_of(core_seg.idx), CORE_PE_FINISHED);
}

/* ------------------------------------------------------------------ asking -- */

int core_job_fd(void)
{
    return core_seg.open ? core_seg.fd : -1;
}

bool core_job_is_in(void)
{
    return in && getpid() == owner;
}

unsigned core_job_high(void)
{
    return core_seg.open ? __atomic_load_n(&core_seg.header->used, __ATOMIC_ACQUIRE) : 0;
}

static int take_spare(void)
{
    static unsigned last; /* so that each serves as seldom as possible */
    unsigned n = core_job_high() - 1;
    for (unsigned i = 0; i < n; i++) {
        unsigned slot = 1 + (last + i) % n;
        uint32_t spare = CORE_PE_SPARE;
        if (!__atomic_compare_exchange_n(&core_ctrl_of(slot)->state, &spare, CORE_PE_NEW, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
            continue;
        __atomic_fetch_sub(&core_seg.header->spare, 1, __ATOMIC_RELAXED);
        return (int)(last = slot);
    }
    return -ENOSPC;
}

unsigned core_job_worn(void)
{
    const struct core_header *h = core_seg.header;
    uint32_t others = __atomic_load_n(&h->alive, __ATOMIC_RELAXED) + __atomic_load_n(&h->spare, __ATOMIC_RELAXED);
    uint32_t high = core_job_high();
    return high > others ? high - others : 0;
}

int core_job_reserve(void)
{
    struct core_header *h = core_seg.header;
    uint32_t next;
    int slot;
    if (!core_seg.open)
        return -ENOTCONN;
    if (__atomic_load_n(&h->spare, __ATOMIC_RELAXED) > 0 && (slot = take_spare()) >= 0)
        return slot;
    next = __atomic_load_n(&h->used, __ATOMIC_RELAXED);
    do {
        if (next >= h->npes)
            return take_spare();
    } while (!__atomic_compare_exchange_n(&h->used, &next, next + 1, true, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));
    return (int)next;
}

void core_job_expect(int slot, int pid, uint64_t born)
{
    struct core_ctrl *c = core_ctrl_of((unsigned)slot);
    c->expected_born = born;
    __atomic_store_n(&c->expected, pid, __ATOMIC_RELEASE);
}

/* Who was to come has ended, and nobody has come. */
static bool never_came(struct core_ctrl *c)
{
    uint32_t new = CORE_PE_NEW;
    pid_t pid = __atomic_load_n(&c->expected, __ATOMIC_ACQUIRE);
    if (pid == 0 || core_process_alive(pid, c->expected_born))
        return false;
    return __atomic_compare_exchange_n(&c->state, &new, CORE_PE_LEFT, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

bool core_job_gone(int slot)
{
    struct core_ctrl *c;
    if (!core_seg.open || slot < 0 || (unsigned)slot >= core_job_high())
        return false;
    c = core_ctrl_of((unsigned)slot);
    switch ((enum core_pe_state)__atomic_load_n(&c->state, __ATOMIC_ACQUIRE)) {
    case CORE_PE_NEW: return never_came(c);
    case CORE_PE_RUNNING: break;
    case CORE_PE_FINISHED:
    case CORE_PE_LEFT:
    case CORE_PE_DEAD:
    case CORE_PE_SPARE: return true;
    }
    if (core_process_alive(c->pid, c->born))
        return false;
    set_gone(c, CORE_PE_LEFT);
    return true;
}
