/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pvm_notify: a message when a task ends. A task that leaves tells who its row says
 * is watching, by a note that comes after its last message. Of one that was killed
 * the kernel tells: a descriptor of its process ends this task's sleep. Hosts come
 * and go with the machine, so what is asked of them is only kept and cancelled.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "pvm/msg/message.h"

struct pvmi_watch {
    struct pvmi_watch *next;
    int kind, tag, context, tid;
    int slot; /* -1: a host */
    int fd;   /* of its process, -1: none */
    bool ended; /* its process */
};

/* ----------------------------------------------------------------- telling -- */

/* The message: the tid that has ended. As if its host had sent it. */
static void tell(const struct pvmi_watch *w)
{
    struct pvmi_msg *m = pvmi_msg_new(PvmDataDefault);

    if (!m || pvmi_pack(m, PVM_INT, &w->tid, 1, 1) < 0)
        core_fatal("%s: no memory for the message that t%x has ended", pvmi.call, (unsigned)w->tid);
    m->src = (int)PVMI_PVMD;
    m->dst = pvmi.tid;
    m->tag = w->tag;
    m->context = w->context;
    pvmi_queue_add(m);
}

static void forget(struct pvmi_watch **at)
{
    struct pvmi_watch *w = *at;

    *at = w->next;
    if (pvmi.msg.notify.last == &w->next)
        pvmi.msg.notify.last = at;
    if (w->fd >= 0)
        close(w->fd); /* which takes it out of `ends` */
    pvmi.msg.watched -= w->slot >= 0;
    free(w);
}

/* ---------------------------------------------------------------- watching -- */

/* -1 where the kernel or the number of descriptors does not allow it: then the row is looked at. */
static int watch_process(struct pvmi_watch *w, int pid)
{
    struct epoll_event e = {.events = EPOLLIN, .data.ptr = w};
    int fd = pid > 0 ? (int)syscall(SYS_pidfd_open, pid, 0) : -1;

    if (fd < 0)
        return -1;
    if (pvmi.msg.notify.ends < 0 && (pvmi.msg.notify.ends = epoll_create1(EPOLL_CLOEXEC)) >= 0 &&
        core_wait_also(pvmi.msg.notify.ends) != 0) {
        close(pvmi.msg.notify.ends);
        pvmi.msg.notify.ends = -1;
    }
    if (pvmi.msg.notify.ends < 0 || epoll_ctl(pvmi.msg.notify.ends, EPOLL_CTL_ADD, fd, &e) != 0) {
        close(fd);
        return -1;
    }
    return fd;
}

/* Ask the task to tell us. Its pid in *pid; false: it has left. */
static bool subscribe(int slot, int *pid)
{
    uint32_t copy, mine = (uint32_t)pvmi.me + 1, *watched;
    struct pvmi_task row, *t;
    bool there;

    pvmi_lock();
    t = pvmi_look(PVMI_AT(task[slot]), sizeof row, &row);
    there = __atomic_load_n(&t->state, __ATOMIC_ACQUIRE) != PVMI_GONE;
    *pid = t->pid;
    if (there) {
        watched = pvmi_look(PVMI_AT(task[slot].watched), sizeof copy, &copy);
        *watched = *watched == 0 || *watched == mine ? mine : UINT32_MAX;
        pvmi_put(PVMI_AT(task[slot].watched), sizeof *watched, watched);
    }
    pvmi_unlock();
    return there;
}

/* 0 or PvmNoMem. */
static int add(int kind, int tag, int tid, int slot)
{
    struct pvmi_watch *w = malloc(sizeof *w);
    bool ended = (slot < 0 && kind != PvmHostDelete) || (slot >= 0 && !pvmi_alive(slot));
    int pid = 0;

    if (!w)
        return PvmNoMem;
    *w = (struct pvmi_watch){NULL, kind, tag, pvmi.context, tid, slot, -1, false};
    if (!ended && slot >= 0)
        ended = !subscribe(slot, &pid);
    *pvmi.msg.notify.last = w;
    pvmi.msg.notify.last = &w->next;
    pvmi.msg.watched += slot >= 0;
    if (!ended && slot >= 0 && slot != pvmi.me && pvmi.network) {
        w->fd = watch_process(w, pid);
        ended = !pvmi_alive(slot); /* between the look and the descriptor */
    }
    if (ended) {
        struct pvmi_watch **at = &pvmi.msg.notify.first;

        tell(w);
        while (*at != w)
            at = &(*at)->next;
        forget(at);
    }
    return 0;
}

/* ------------------------------------------------------------------ noticing -- */

static void ask_kernel(void)
{
    enum { AT_ONCE = 64 };
    struct epoll_event e[AT_ONCE];
    int n = pvmi.msg.notify.ends < 0 ? 0 : epoll_wait(pvmi.msg.notify.ends, e, AT_ONCE, 0);

    for (int i = 0; i < n; i++)
        ((struct pvmi_watch *)e[i].data.ptr)->ended = true;
}

static bool has_ended(const struct pvmi_watch *w)
{
    struct pvmi_task row;
    const struct pvmi_task *t;

    if (w->slot < 0 || w->slot == pvmi.me)
        return false;
    t = pvmi_look(PVMI_AT(task[w->slot]), sizeof row, &row);
    if (__atomic_load_n(&t->state, __ATOMIC_ACQUIRE) == PVMI_GONE)
        return true;
    return (w->fd < 0 || w->ended) && !pvmi_alive(w->slot);
}

/* What an ended task sent comes before the message that it has ended. */
static void take_what_is_there(void)
{
    enum { ROUNDS = 512 };

    for (int i = 0; i < ROUNDS && core_progress() > 0; i++)
        ;
}

void pvmi_notify_look(void)
{
    bool taken = false;

    if (pvmi.msg.watched == 0)
        return;
    ask_kernel();
    for (struct pvmi_watch **at = &pvmi.msg.notify.first; *at;) {
        if (!has_ended(*at)) {
            at = &(*at)->next;
            continue;
        }
        if (!taken)
            take_what_is_there();
        taken = true;
        tell(*at);
        forget(at);
    }
}

void pvmi_notify_slot(int slot)
{
    for (struct pvmi_watch **at = &pvmi.msg.notify.first; *at;) {
        if ((*at)->slot != slot) {
            at = &(*at)->next;
            continue;
        }
        tell(*at);
        forget(at);
    }
}

static void on_left(int slot, const void *note, size_t n)
{
    (void)slot;
    (void)note;
    (void)n;
    pvmi.msg.due = true;
}

void pvmi_notify_start(void)
{
    pvmi.msg.takers[PVMI_LEFT] = on_left;
}

/* This task has left, and its row says so: wake who watches. Who has no room for the note looks by itself. */
void pvmi_notify_stop(void)
{
    uint32_t copy, watched;
    int32_t high, *used;

    while (pvmi.msg.notify.first)
        forget(&pvmi.msg.notify.first);
    watched = *(uint32_t *)pvmi_look(PVMI_AT(task[pvmi.me].watched), sizeof copy, &copy);
    if (watched == 0)
        return;
    if (watched != UINT32_MAX) {
        pvmi_note_try((int)watched - 1, PVMI_LEFT, NULL, 0);
        return;
    }
    used = pvmi_look(PVMI_AT(high), sizeof high, &high);
    for (int slot = 0; slot < (pvmi.network ? *used : core_size()); slot++)
        if (slot != pvmi.me)
            pvmi_note_try(slot, PVMI_LEFT, NULL, 0);
}

/* -------------------------------------------------------------------- calls -- */

_Static_assert(PVMI_NOTICES == PvmRouteDelete + 1, "kinds of notices");

static int slot_named(int tid)
{
    return tid <= 0 && (pvmi.network || tid < 0) ? -1 : pvmi_slot_of(tid);
}

/* Stand-alone programs may name tasks by PE number. */
static int full_tid(int kind, int tid)
{
    int slot = kind == PvmHostDelete ? -1 : slot_named(tid);

    return slot >= 0 ? pvmi_tid_of(slot) : tid;
}

static bool is_host(int tid)
{
    int host = (int)((unsigned)tid >> 18 & 0xfff);

    return (tid & 0x3ffff) == 0 && host >= 1 && host <= pvmi_nhosts();
}

/* A code, reported, when one of them can name nothing of that kind. */
static int check_tids(int kind, int count, const int *tids)
{
    if (count < 1 || !tids)
        return pvmi_fail(PvmBadParam, "%d tids at %p", count, (const void *)tids);
    for (int i = 0; i < count; i++) {
        bool task = slot_named(tids[i]) >= 0 || (tids[i] > 0 && !(tids[i] & 1 << 30) && (tids[i] & 0x3ffff) != 0);

        if (!task && !(kind == PvmHostDelete && tids[i] != 0 && !(tids[i] & 1 << 30)))
            return pvmi_fail(PvmBadParam, "tid %d (%#x) is no task's", tids[i], (unsigned)tids[i]);
    }
    return 0;
}

static int request(int kind, int tag, int count, const int *tids)
{
    int rc = 0;

    for (int i = 0; i < count && rc == 0; i++) {
        int slot = slot_named(tids[i]);

        if (kind == PvmHostDelete && !is_host(tids[i]) && slot < 0) {
            tell(&(struct pvmi_watch){.tag = tag, .context = pvmi.context, .tid = tids[i]});
            continue;
        }
        rc = add(kind, tag, full_tid(kind, tids[i]), kind == PvmHostDelete ? -1 : slot);
    }
    return rc < 0 ? pvmi_fail(rc, "%d tids", count) : 0;
}

/* One request for each tid ends, as if what it waits for had happened. */
static int cancel(int kind, int tag, int count, const int *tids)
{
    for (int i = 0; i < count; i++) {
        struct pvmi_watch **at = &pvmi.msg.notify.first;

        while (*at && !((*at)->kind == kind && (*at)->tag == tag && (*at)->tid == full_tid(kind, tids[i])))
            at = &(*at)->next;
        if (!*at)
            continue;
        tell(*at);
        forget(at);
    }
    return 0;
}

static int set_additions(int kind, int tag, int count, bool off)
{
    if (count < -1)
        return pvmi_fail(PvmBadParam, "count %d", count);
    pvmi.msg.notify.additions[kind].tag = tag;
    pvmi.msg.notify.additions[kind].context = pvmi.context;
    pvmi.msg.notify.additions[kind].count = off ? 0 : count;
    return 0;
}

int pvm_notify(int what, int tag, int count, int *tids)
{
    int rc = pvmi_begin("pvm_notify"), kind = what & ~PvmNotifyCancel;
    bool off = what & PvmNotifyCancel;

    if (rc < 0)
        return rc;
    if (kind < PvmTaskExit || kind > PvmRouteDelete)
        return pvmi_fail(PvmBadParam, "%d is nothing to be notified of", what);
    if (tag < 0)
        return pvmi_fail(PvmBadParam, "tag %d is negative", tag);
    if (kind == PvmHostAdd || kind == PvmRouteAdd)
        return set_additions(kind, tag, count, off);
    if ((rc = check_tids(kind, count, tids)) < 0)
        return rc;
    return off ? cancel(kind, tag, count, tids) : request(kind, tag, count, tids);
}
