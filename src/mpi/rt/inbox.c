/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A queue of messages and ended sendings, with a lock of its own.
 */
#include "mpi/rt/inbox.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct mpii_inbox_item {
    struct mpii_inbox_item *next;
    void (*done)(struct core_sending *s); /* NULL: a message */
    struct core_sending *s;
    void (*handle)(const struct core_mail *mail);
    struct core_mail mail;
    _Alignas(16) unsigned char data[];
};

static struct mpii_inbox *const inbox = &mpii_state.rt.inbox;

static void add(struct mpii_inbox_item *i)
{
    i->next = NULL;
    pthread_mutex_lock(&inbox->lock);
    *inbox->last = i;
    inbox->last = &i->next;
    pthread_mutex_unlock(&inbox->lock);
    __atomic_store_n(&inbox->news, true, __ATOMIC_RELAXED);
    /* Whoever has the lock looks at `news` after it has let go; we try the
     * lock after this: one of us sees the other. */
    /* model: news.left_fence */
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

static struct mpii_inbox_item *take(void)
{
    struct mpii_inbox_item *i;

    pthread_mutex_lock(&inbox->lock);
    i = inbox->first;
    if (i && !(inbox->first = i->next))
        inbox->last = &inbox->first;
    if (!inbox->first)
        __atomic_store_n(&inbox->news, false, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&inbox->lock);
    return i;
}

void mpii_inbox_handle(void)
{
    struct mpii_inbox_item *i;

    if (inbox->busy)
        return;
    inbox->busy = true;
    while ((i = take())) {
        if (i->done)
            i->done(i->s);
        else
            i->handle(&i->mail);
        free(i);
    }
    inbox->busy = false;
    core_wake(core_me()); /* threads that wait for what came */
}

/* The lock may have become free meanwhile. */
static void enter_for_inbox(void)
{
    mpii_inbox_leave(mpii_inbox_enter());
}

static struct mpii_inbox_item *item_new(size_t bytes)
{
    struct mpii_inbox_item *i = malloc(sizeof *i + bytes);

    if (!i)
        core_fatal("out of memory for messages that arrived while another thread was in MPI");
    i->done = NULL;
    return i;
}

void mpii_inbox_keep(const struct core_mail *mail, void (*handle)(const struct core_mail *mail))
{
    size_t head_n = (mail->head_n + 15) & ~15ul, n = mail->body ? mail->n : 0;
    struct mpii_inbox_item *i = item_new(head_n + n);

    i->handle = handle;
    i->mail = *mail;
    i->mail.head = i->data;
    memcpy(i->data, mail->head, mail->head_n);
    if (mail->body) {
        i->mail.body = i->data + head_n;
        core_copy(i->data + head_n, mail->body, n);
    }
    add(i);
    enter_for_inbox();
}

void mpii_inbox_ended(struct core_sending *s, void (*done)(struct core_sending *s))
{
    enum mpii_entered e = mpii_inbox_enter();
    struct mpii_inbox_item *i;

    if (MPT_LIKELY(e != MPII_OUTSIDE)) {
        done(s);
        mpii_inbox_leave(e);
        return;
    }
    i = item_new(0);
    i->done = done;
    i->s = s;
    add(i);
    enter_for_inbox();
}
