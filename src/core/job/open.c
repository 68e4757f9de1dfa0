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
        core_error("cannot make the memory of %u tasks: %s; is there a limit (ulimit -v, ulimit -f)?", slots,
                   strerror(-fd));
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
    struct core_location location = {.fd = fd};
    int rc = core_segment_size(fd, &location.nslices);
    if (rc != 0)
        return rc;
    location.npes = (int)location.nslices;
    if ((rc = core_segment_attach(&location)) != 0)
        return rc;
    if (!core_seg->open) {
        core_error("%s leads to a job that cannot be entered", CORE_WIRE_ENV_OPEN);
        return -EPROTO;
    }
    core_state.base.end = core_job_abort;
    fcntl(fd, F_SETFD, FD_CLOEXEC);
    core_copy_init();
    core_ask_for_short_time_slice();
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
    c->seen =
        __atomic_load_n(&core_seg->header->round, __ATOMIC_ACQUIRE); /* what was retired by now it has never known */
    /* Release: a process that sees the state sees which process that is. This one may have been given up. */
    if (!__atomic_compare_exchange_n(&c->state, &new, CORE_PE_RUNNING, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
        return -EBUSY;
    __atomic_fetch_add(&core_seg->header->alive, 1, __ATOMIC_RELAXED);
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
    core_state.job.open.owner = getpid();
    core_state.job.open.in = true;
    core_wait_init();
    if ((rc = core_segment_stand((unsigned)slot, slot)) == 0) {
        mpt_fast.node_n = mpt_fast.reach_n = core_seg->run_n;
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
    if (strcmp(core_params.tasks, "0") != 0) {
        core_error("MPT_TASKS=%s: what a virtual machine spawns are processes; unset it, or start the PEs by mptrun or "
                   "NPES",
                   core_params.tasks);
        return -ENOTSUP;
    }
    fd = make_memory(slots);
    return fd < 0 ? fd : core_job_enter(fd, -1);
}

int core_job_enter(int fd, int slot)
{
    int rc;
    if (core_job_is_in() || (core_seg->header && !core_seg->open)) {
        core_error("this process is in a job already");
        return -EBUSY;
    }
    if (!core_seg->header && ((rc = load_params()) != 0 || (rc = attach(fd)) != 0))
        return rc;
    if (!core_state.job.open.registered)
        on_exit(at_exit, NULL);
    core_state.job.open.registered = true;
    return stand_at(slot);
}

/* Nobody is woken: a PE that waits for room in a ring of ours looks up now and then. Rings
 * stay as they are, as our last messages lie in them. */
void core_job_part(bool clean)
{
    if (!core_job_is_in())
        return;
    core_state.job.open.in = false;
    mpt_fast.node_n = mpt_fast.reach_n = mpt_fast.look_n = 0;
    if (clean && core_seg->header->arena_size)
        core_arena_clear(core_seg->own + core_seg->header->off_arena, core_seg->header->arena_size);
    core_slot_set_gone(core_ctrl_of(core_seg->idx), CORE_PE_FINISHED);
}

/* ------------------------------------------------------------------ asking -- */

int core_job_fd(void)
{
    return core_seg->open ? core_seg->fd : -1;
}

bool core_job_is_in(void)
{
    return core_state.job.open.in && getpid() == core_state.job.open.owner;
}

static int take_spare(void)
{
    unsigned *last = &core_state.job.open.last, n = core_job_high() - 1;
    for (unsigned i = 0; i < n; i++) {
        unsigned slot = 1 + (*last + i) % n;
        uint32_t spare = CORE_PE_SPARE;
        /* model: recycle.take */
        if (!__atomic_compare_exchange_n(&core_ctrl_of(slot)->state, &spare, CORE_PE_NEW, false, __ATOMIC_ACQ_REL,
                                         __ATOMIC_RELAXED))
            continue;
        __atomic_fetch_sub(&core_seg->header->spare, 1, __ATOMIC_RELAXED);
        return (int)(*last = slot);
    }
    return -ENOSPC;
}

unsigned core_job_worn(void)
{
    const struct core_header *h = core_seg->header;
    uint32_t others = __atomic_load_n(&h->alive, __ATOMIC_RELAXED) + __atomic_load_n(&h->spare, __ATOMIC_RELAXED);
    uint32_t high = core_job_high();
    return high > others ? high - others : 0;
}

int core_job_reserve(void)
{
    struct core_header *h = core_seg->header;
    uint32_t next;
    int slot;
    if (!core_seg->open)
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
