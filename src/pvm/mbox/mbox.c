/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The mailbox: messages that tasks leave under a name for whoever asks.
 * What may be replaced or deleted by whom is as measured of the library of old:
 * an entry's owner may, and anybody where it is overwritable; a put with
 * PvmMboxMultiInstance never replaces, it takes the lowest free index.
 */
#include "pvm/mbox/mbox.h"
#include "pvm/msg/message.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { NONE = -1 };

/* ------------------------------------------------------------ the entries -- */

static size_t at_entry(int i)
{
    return PVMI_AT(mbox) + offsetof(struct pvmi_mbox, entry) + (size_t)i * sizeof(struct pvmi_entry);
}

static size_t at_used(int i)
{
    return PVMI_AT(mbox) + offsetof(struct pvmi_mbox, used) + (size_t)i * sizeof(uint32_t);
}

static int high(void)
{
    uint32_t copy;
    return (int)*(uint32_t *)pvmi_look(PVMI_AT(mbox) + offsetof(struct pvmi_mbox, high), sizeof copy, &copy);
}

static const uint32_t *directory(int n)
{
    static uint32_t used[PVMI_ENTRIES];
    return pvmi_look(at_used(0), (size_t)n * sizeof *used, used);
}

static struct pvmi_entry *look(int i, struct pvmi_entry *copy)
{
    return pvmi_look(at_entry(i), sizeof *copy, copy);
}

static void set_word(size_t at, uint32_t value)
{
    uint32_t copy, *p = pvmi_look(at, sizeof copy, &copy);
    *p = value;
    pvmi_put(at, sizeof copy, p);
}

static uint32_t hash_of(const char *name)
{
    uint32_t h = 5381;
    for (const unsigned char *p = (const unsigned char *)name; *p; p++)
        h = h * 33 ^ *p;
    return h | 1;
}

/* Entry (name, index), or with `or_later` the one with the lowest index from there on. */
static int find(const char *name, int index, bool or_later)
{
    int n = high(), best = NONE, best_index = INT_MAX;
    uint32_t hash = hash_of(name);
    const uint32_t *used = directory(n);
    for (int i = 0; i < n; i++) {
        struct pvmi_entry copy, *e;
        if (used[i] != hash)
            continue;
        e = look(i, &copy);
        if (strcmp(e->name, name) != 0 || e->index < index || (e->index > index && !or_later) || e->index >= best_index)
            continue;
        best = i;
        best_index = e->index;
    }
    return best;
}

/* The lowest from there on; of PVMI_ENTRIES + 1 numbers one is free. */
static int lowest_free_index(const char *name, int from)
{
    bool taken[PVMI_ENTRIES + 1] = {false};
    int n = high(), index = 0;
    uint32_t hash = hash_of(name);
    const uint32_t *used = directory(n);
    for (int i = 0; i < n; i++) {
        struct pvmi_entry copy, *e;
        if (used[i] != hash)
            continue;
        e = look(i, &copy);
        if (e->index >= from && e->index - from <= PVMI_ENTRIES && strcmp(e->name, name) == 0)
            taken[e->index - from] = true;
    }
    while (taken[index])
        index++;
    return from + index;
}

static int free_entry(void)
{
    int n = high();
    const uint32_t *used = directory(n);
    for (int i = 0; i < n; i++)
        if (!used[i])
            return i;
    if (n == PVMI_ENTRIES)
        return NONE;
    set_word(PVMI_AT(mbox) + offsetof(struct pvmi_mbox, high), (uint32_t)n + 1);
    return n;
}

static void erase(int i)
{
    struct pvmi_entry copy;
    pvmi_space_drop(look(i, &copy)->at);
    set_word(at_used(i), 0);
}

static bool mine_to_change(int i)
{
    struct pvmi_entry copy, *e = look(i, &copy);
    return e->owner == pvmi.tid || (e->flags & PvmMboxOverWritable);
}

void pvmi_mbox_forget(int slot)
{
    int n = high(), tid = pvmi_tid_of(slot);
    uint32_t used[PVMI_ENTRIES];
    memcpy(used, directory(n), (size_t)n * sizeof *used);
    for (int i = 0; i < n; i++) {
        struct pvmi_entry copy, *e;
        if (!used[i] || (e = look(i, &copy))->owner != tid)
            continue;
        if (!(e->flags & PvmMboxPersistent)) {
            erase(i);
            continue;
        }
        e->owner = 0;
        pvmi_put(at_entry(i), sizeof *e, e);
    }
}

/* -------------------------------------------------------------- messages -- */

static int write_bytes(uint64_t at, const struct pvmi_chunk *body)
{
    for (; body; body = body->next) {
        size_t to_at = pvmi_space_at(at);
        if (body->used == 0)
            continue;
        void *to = pvmi_look(to_at, 0, NULL);
        if (to)
            core_copy(to, body->data, body->used);
        else
            pvmi_put(to_at, body->used, body->data);
        at += body->used;
    }
    return 0;
}

static size_t length_of(const struct pvmi_chunk *body)
{
    size_t n = 0;
    for (; body; body = body->next)
        n += body->used;
    return n;
}

static void drop_chain(struct pvmi_chunk *c)
{
    while (c) {
        struct pvmi_chunk *next = c->next;
        pvmi_chunk_drop(c);
        c = next;
    }
}

/* Under the lock. The index, or a code. */
static int store(const char *name, const struct pvmi_msg *m, const struct pvmi_chunk *body, struct pvmi_put how)
{
    int index = how.index, old = find(name, index, false), at;
    struct pvmi_entry e = {.owner = pvmi.tid,
                           .flags = how.flags,
                           .src = pvmi.tid,
                           .tag = m->tag,
                           .context = m->context,
                           .encoding = m->encoding == PvmDataInPlace ? PvmDataRaw : m->encoding,
                           .wid = m->wid,
                           .n = length_of(body)};
    if (old != NONE && how.only_new)
        return PvmDenied;
    if (old != NONE && (how.flags & PvmMboxMultiInstance)) {
        index = lowest_free_index(name, index);
        old = NONE;
    }
    if (old != NONE && !mine_to_change(old))
        return PvmDenied;
    if ((e.at = pvmi_space_take(e.n)) == UINT64_MAX)
        return PvmNoMem;
    if (old != NONE)
        erase(old);
    if ((at = free_entry()) == NONE) {
        pvmi_space_drop(e.at);
        return PvmOutOfRes;
    }
    write_bytes(e.at, body);
    strcpy(e.name, name);
    e.index = index;
    struct pvmi_entry copy, *to = look(at, &copy);
    *to = e;
    pvmi_put(at_entry(at), sizeof e, to);
    set_word(at_used(at), hash_of(name));
    return index;
}

/* Those who wait for an entry look again. */
static void tell_waiters(void)
{
    int32_t copy;
    int used = pvmi.network ? *(int32_t *)pvmi_look(PVMI_AT(high), sizeof copy, &copy) : core_size();
    for (int slot = 0; slot < used; slot++) {
        struct pvmi_task row, *t = pvmi_look(PVMI_AT(task[slot]), sizeof row, &row);
        if (__atomic_load_n(&t->waits_mbox, __ATOMIC_SEQ_CST))
            pvmi_post(slot, PVMI_WORD_CHANGE, (uint64_t)pvmi.tid << 32 | ++pvmi.mbox.changes);
    }
}

static int check_name(const char *name)
{
    if (!name || !*name)
        return pvmi_fail(PvmBadParam, "no name of a class");
    if (strlen(name) >= PVMI_CLASS_NAME)
        return pvmi_fail(PvmBadParam, "the name has %zu characters; %d are possible", strlen(name),
                         PVMI_CLASS_NAME - 1);
    return 0;
}

int pvmi_mbox_put(const char *name, struct pvmi_msg *m, struct pvmi_put how)
{
    bool fresh;
    int rc = check_name(name);
    if (rc < 0)
        return rc;
    struct pvmi_chunk *body = pvmi_msg_body(m, &fresh, false, &rc);
    if (rc == 0 && !fresh)
        rc = pvmi_chain_load(body);
    if (rc < 0)
        return pvmi_fail(rc, "the message cannot be read");
    pvmi_lock();
    rc = store(name, m, body, how);
    pvmi_unlock();
    if (fresh)
        drop_chain(body);
    if (rc == PvmDenied || rc == PvmExists)
        return pvmi_answer(rc);
    if (rc < 0)
        return pvmi_fail(rc, "entry \"%s\", index %d, flags %d", name, how.index, how.flags);
    tell_waiters();
    return rc;
}

int pvm_putinfo(char *name, int bufid, int flags)
{
    int rc = pvmi_begin("pvm_putinfo");
    struct pvmi_msg *m;
    if (rc < 0)
        return rc;
    if (flags < 0)
        return pvmi_fail(PvmBadParam, "flags are %d", flags);
    if (!(m = bufid > 0 ? pvmi_msg_of(bufid) : NULL))
        return pvmi_fail(bufid > 0 ? PvmNoSuchBuf : PvmBadParam, "there is no buffer %d", bufid);
    return pvmi_mbox_put(
        name, m, (struct pvmi_put){.flags = flags % (2 * PvmMboxMaxFlag), .index = PvmMboxDirectIndexOf(flags)});
}

/* ---------------------------------------------------------------- reading -- */

/* Under the lock: the entry as a message. */
static struct pvmi_msg *load(int i, int *index)
{
    struct pvmi_entry copy, *e = look(i, &copy);
    struct pvmi_msg *m = pvmi_msg_new(e->encoding);
    size_t left = e->n;
    if (!m)
        return NULL;
    for (uint64_t at = e->at; left > 0;) {
        size_t n = left < PVMI_PIECE ? left : PVMI_PIECE;
        void *room = pvmi_msg_room(m, n), *from;
        if (!room) {
            pvmi_msg_free(m);
            return NULL;
        }
        from = pvmi_look(pvmi_space_at(at), n, room);
        if (from != room)
            core_copy(room, from, n);
        at += n;
        left -= n;
    }
    *index = e->index;
    m->src = e->src;
    m->tag = e->tag;
    m->context = e->context;
    m->wid = e->wid;
    m->dst = pvmi.tid;
    return m;
}

/* *m and its index, or a code. */
static int fetch(const char *name, int index, int flags, struct pvmi_msg **m, int *found)
{
    int at, rc = 0;
    pvmi_lock();
    at = find(name, index, flags & PvmMboxFirstAvail);
    if (at == NONE)
        rc = PvmNotFound;
    else if ((flags & PvmMboxReadAndDelete) && !mine_to_change(at))
        rc = PvmDenied;
    else if (!(*m = load(at, found)))
        rc = PvmNoMem;
    else if (flags & PvmMboxReadAndDelete)
        erase(at);
    pvmi_unlock();
    return rc;
}

static void announce_wait(uint32_t waits)
{
    uint32_t copy, *word;
    size_t at = PVMI_AT(task[pvmi.me]) + offsetof(struct pvmi_task, waits_mbox);
    word = pvmi_look(at, sizeof copy, &copy);
    __atomic_store_n(word, waits, __ATOMIC_SEQ_CST);
    pvmi_put(at, sizeof copy, word);
}

/* Who puts an entry looks after that who waits: the lock is taken in between by both. */
static int fetch_when_there(const char *name, int index, int flags, struct pvmi_msg **m, int *found)
{
    int rc;
    announce_wait(1);
    for (;;) {
        uint64_t before = pvmi_word(PVMI_WORD_CHANGE);
        if ((rc = fetch(name, index, flags, m, found)) != PvmNotFound)
            break;
        pvmi_await(PVMI_WORD_CHANGE, before, pvmi.call);
    }
    announce_wait(0);
    return rc;
}

int pvmi_mbox_get(const char *name, int index, int flags, struct pvmi_msg **m, int *found)
{
    int rc = check_name(name);
    if (rc < 0)
        return rc;
    if (index < 0)
        return pvmi_fail(PvmBadParam, "index is %d", index);
    core_looked(); /* programs ask until an entry has changed, or is gone */
    rc = fetch(name, index, flags, m, found);
    if (rc == PvmNotFound && (flags & PvmMboxWaitForInfo))
        rc = fetch_when_there(name, index, flags, m, found);
    if (rc == PvmNotFound) /* programs ask until it is there */
        return pvmi_answer(rc);
    return rc < 0 ? pvmi_fail(rc, "entry \"%s\", index %d", name, index) : 0;
}

/* As a receive does, it makes the message the current receive buffer. */
int pvm_recvinfo(char *name, int index, int flags)
{
    struct pvmi_msg *m = NULL;
    int rc = pvmi_begin("pvm_recvinfo"), found;
    if (rc < 0 || (rc = pvmi_mbox_get(name, index, flags, &m, &found)) < 0)
        return rc;
    pvmi_forget_received();
    return pvmi_accept(m);
}

/* The index of what was deleted, as the library of old answers. */
int pvmi_mbox_delete(const char *name, int index)
{
    int rc = check_name(name), at;
    if (rc < 0)
        return rc;
    if (index < 0)
        return pvmi_fail(PvmBadParam, "index is %d", index);
    pvmi_lock();
    at = find(name, index, false);
    rc = at == NONE ? PvmNotFound : mine_to_change(at) ? index : PvmDenied;
    if (rc >= 0)
        erase(at);
    pvmi_unlock();
    return rc < 0 ? pvmi_answer(rc) : rc;
}

int pvm_delinfo(char *name, int index, int flags)
{
    int rc = pvmi_begin("pvm_delinfo");
    (void)flags;
    return rc < 0 ? rc : pvmi_mbox_delete(name, index);
}
