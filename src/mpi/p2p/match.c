/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What has arrived meets what was posted: the contexts this process knows (by
 * its communicators, or by messages that came before them), the handler of
 * messages, and the inbox for those that come while another thread works here.
 */
#include <pthread.h>
#include <sched.h>

#include "mpi/p2p/p2p.h"

/* ------------------------------------------------------------- contexts -- */

static struct {
    struct mpii_p2p_context **chain;
    unsigned mask, n;
    struct mpii_p2p_context *last; /* most messages are of the context of the last one */
} table;

static inline unsigned hash(uint64_t key)
{
    return (unsigned)((key * 0x9e3779b97f4a7c15u) >> 40);
}

static void rehash(unsigned chains)
{
    struct mpii_p2p_context **chain = calloc(chains, sizeof *chain);

    if (!chain) {
        if (!table.chain)
            core_fatal("out of memory for the table of communicators");
        return;
    }
    for (unsigned i = 0; table.chain && i <= table.mask; i++)
        for (struct mpii_p2p_context *c = table.chain[i], *next; c; c = next) {
            next = c->next;
            c->next = chain[hash(c->key) & (chains - 1)];
            chain[hash(c->key) & (chains - 1)] = c;
        }
    free(table.chain);
    table.chain = chain;
    table.mask = chains - 1;
}

static struct mpii_p2p_context *find(uint64_t key)
{
    struct mpii_p2p_context *c = table.chain ? table.chain[hash(key) & table.mask] : NULL;

    while (c && c->key != key)
        c = c->next;
    return c;
}

struct mpii_p2p_context *mpii_p2p_context_make(uint64_t key)
{
    struct mpii_p2p_context *c = find(key), **at;

    if (c)
        return c;
    if (!table.chain || table.n > table.mask)
        rehash(table.chain ? 2 * (table.mask + 1) : 64);
    c = malloc(sizeof *c);
    if (!c)
        core_fatal("out of memory for the messages of a communicator");
    match_init(&c->q);
    c->key = key;
    at = &table.chain[hash(key) & table.mask];
    c->next = *at;
    *at = c;
    table.n++;
    return c;
}

struct mpii_p2p_context *mpii_p2p_context_open(struct mpii_comm *c, enum mpii_lane lane)
{
    struct mpii_p2p_context **lanes = c->match;

    if (!lanes) {
        lanes = calloc(MPII_LANES, sizeof *lanes);
        if (!lanes)
            core_fatal("out of memory for the messages of a communicator");
        c->match = lanes;
    }
    if (!lanes[lane])
        lanes[lane] = mpii_p2p_context_make(c->context + lane);
    return lanes[lane];
}

/* Nobody will receive it. */
static void drop_body(const struct mpii_p2p_arrived *a)
{
    if (a->mail.data || !a->mail.n)
        return;
    if (a->mail.form == P2P_IS_OFFER)
        while (!mpii_p2p_offer_drop(&a->far)) /* soon: its sender is copying it */
            sched_yield();
    else
        mpii_p2p_fetch_end(&a->far);
}

/* What nobody has received by then nobody can receive. */
static void context_free(struct mpii_p2p_context *c)
{
    struct mpii_p2p_context **at = &table.chain[hash(c->key) & table.mask];
    struct match_node *n;

    while (*at != c)
        at = &(*at)->next;
    *at = c->next;
    table.n--;
    if (table.last == c)
        table.last = NULL;
    while ((n = c->q.arrived.order.first)) {
        struct mpii_p2p_arrived *a = (struct mpii_p2p_arrived *)(void *)n;

        match_take(&c->q, n);
        drop_body(a);
        mpii_p2p_arrived_free(a);
    }
    match_finish(&c->q);
    free(c);
}

void mpii_match_forget(struct mpii_comm *c)
{
    struct mpii_p2p_context **lanes = c->match;

    for (int i = 0; i < MPII_LANES; i++) {
        struct mpii_p2p_context *there = lanes && lanes[i] ? lanes[i] : find(c->context + (unsigned)i);

        if (there)
            context_free(there);
    }
    free(lanes);
    c->match = NULL;
    free(c->bsend); /* empty: what was in it held c */
    c->bsend = NULL;
}

/* --------------------------------------------------- messages nobody expects -- */

/* Kept by size: most messages are short, and many of them may wait. */
static const size_t rooms[] = {64, 256, CORE_SEND_MAX - P2P_SHORT, CORE_SEND_FAR_MAX};
enum { ROOMS = sizeof rooms / sizeof *rooms, SPARE_BYTES = 256 << 10 };
static struct {
    struct mpii_p2p_arrived *first;
    size_t bytes;
} spare[ROOMS];

static unsigned room_for(size_t n)
{
    unsigned i = 0;

    while (i < ROOMS - 1 && rooms[i] < n)
        i++;
    return i;
}

static struct mpii_p2p_arrived *arrived_new(size_t n)
{
    unsigned i = room_for(n);
    struct mpii_p2p_arrived *a = spare[i].first;

    if (MPT_LIKELY(a != NULL)) {
        spare[i].first = a->next;
        spare[i].bytes -= rooms[i];
    } else if (!(a = malloc(sizeof *a + rooms[i]))) {
        core_fatal("out of memory for a message of %zu bytes that no receive has matched", n);
    }
    a->room = rooms[i];
    return a;
}

void mpii_p2p_arrived_free(struct mpii_p2p_arrived *a)
{
    unsigned i = room_for(a->room);

    if (spare[i].bytes >= SPARE_BYTES) {
        free(a);
        return;
    }
    a->next = spare[i].first;
    spare[i].first = a;
    spare[i].bytes += a->room;
}

static void hold(struct mpii_p2p_context *c, const struct mpii_p2p_mail *m)
{
    struct mpii_p2p_arrived *a = arrived_new(m->data ? m->n : 0);

    a->node.source = m->source;
    a->node.tag = m->tag;
    a->context = c;
    a->mail = *m;
    if (m->data) {
        a->mail.data = a->data;
        core_copy(a->data, m->data, m->n);
    } else if (m->n) {
        a->far = *m->far;
        a->mail.far = &a->far;
    }
    match_hold(&c->q, &a->node);
    mpii_counters.unexpected++;
}

static inline void arrive(uint64_t key, const struct mpii_p2p_mail *m)
{
    struct mpii_p2p_context *c = table.last;
    struct match_node *n;

    if (MPT_UNLIKELY(!c || c->key != key))
        table.last = c = mpii_p2p_context_make(key);
    n = match_arrive(&c->q, m->source, m->tag);
    if (MPT_LIKELY(n != NULL))
        mpii_p2p_recv_from(mpii_p2p_request_of(n), m); /* the node is first in `own` */
    else
        hold(c, m);
}

static void on_control(int from, const struct mpii_p2p_control *c, const struct core_mail *mail);

static inline void on_message(const struct core_mail *mail)
{
    const struct mpii_p2p_head *h = mail->head;
    struct mpii_p2p_mail m = {mail->from, h->source, h->tag, mail->head_n >= P2P_LONG ? h->id : 0, mail->n, mail->body, &mail->far,
                              mail->head_n == P2P_LAID ? P2P_IS_LAID : P2P_PLAIN};
    struct core_far far;

    if (MPT_UNLIKELY(mail->head_n == P2P_OFFER)) {
        m.n = mpii_p2p_offer_read(mail, &far);
        m.far = &far;
        m.data = NULL;
        m.form = P2P_IS_OFFER;
    }
    arrive(h->context, &m);
}

/* ---------------------------------------------------------------- inbox -- */

struct item {
    struct item *next;
    void (*done)(struct core_sending *s); /* NULL: a message */
    struct core_sending *s;
    void (*handle)(const struct core_mail *mail);
    struct core_mail mail;
    _Alignas(16) unsigned char data[];
};

bool mpii_p2p_inbox_news;
static struct {
    pthread_mutex_t lock;
    struct item *first, **last;
} inbox = {PTHREAD_MUTEX_INITIALIZER, NULL, &inbox.first};

static void inbox_add(struct item *i)
{
    i->next = NULL;
    pthread_mutex_lock(&inbox.lock);
    *inbox.last = i;
    inbox.last = &i->next;
    pthread_mutex_unlock(&inbox.lock);
    __atomic_store_n(&mpii_p2p_inbox_news, true, __ATOMIC_RELAXED);
    /* Whoever has the lock looks at mpii_p2p_inbox_news after it has let go; we try the
     * lock after this: one of us sees the other. */
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

static struct item *inbox_take(void)
{
    struct item *i;

    pthread_mutex_lock(&inbox.lock);
    i = inbox.first;
    if (i && !(inbox.first = i->next))
        inbox.last = &inbox.first;
    if (!inbox.first)
        __atomic_store_n(&mpii_p2p_inbox_news, false, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&inbox.lock);
    return i;
}

void mpii_p2p_inbox_handle(void)
{
    static bool busy; /* what handles a message may lock and unlock */
    struct item *i;

    if (busy)
        return;
    busy = true;
    while ((i = inbox_take())) {
        if (i->done)
            i->done(i->s);
        else
            i->handle(&i->mail);
        free(i);
    }
    busy = false;
    core_wake(core_me()); /* threads that wait for what came */
}

/* The lock, unless another thread has it. What came before is handled first. */
enum entered { OUTSIDE, ALONE, LOCKED };
static inline enum entered enter(void)
{
    enum entered e = ALONE;

    if (MPT_UNLIKELY(!core_process_single())) {
        if (!mpii_trylock())
            return OUTSIDE;
        e = LOCKED;
    }
    if (MPT_UNLIKELY(__atomic_load_n(&mpii_p2p_inbox_news, __ATOMIC_RELAXED)))
        mpii_p2p_inbox_handle();
    return e;
}

static inline void leave(enum entered e)
{
    if (MPT_UNLIKELY(e == LOCKED))
        mpii_unlock();
}

/* The lock may have become free meanwhile. */
static void enter_for_inbox(void)
{
    leave(enter());
}

static struct item *item_new(size_t bytes)
{
    struct item *i = malloc(sizeof *i + bytes);

    if (!i)
        core_fatal("out of memory for messages that arrived while another thread was in MPI");
    i->done = NULL;
    return i;
}

static __attribute__((noinline)) void keep_for_later(const struct core_mail *mail, void handle(const struct core_mail *mail))
{
    size_t head_n = (mail->head_n + 15) & ~15ul, n = mail->body ? mail->n : 0;
    struct item *i = item_new(head_n + n);

    i->handle = handle;
    i->mail = *mail;
    i->mail.head = i->data;
    memcpy(i->data, mail->head, mail->head_n);
    if (mail->body) {
        i->mail.body = i->data + head_n;
        core_copy(i->data + head_n, mail->body, n);
    }
    inbox_add(i);
    enter_for_inbox();
}

static void message_handler(const struct core_mail *mail)
{
    enum entered e = enter();

    if (MPT_UNLIKELY(e == OUTSIDE)) {
        keep_for_later(mail, on_message);
        return;
    }
    on_message(mail);
    leave(e);
}

static void control_in_lock(const struct core_mail *mail)
{
    on_control(mail->from, mail->head, mail);
}

static void control_handler(const struct core_mail *mail)
{
    enum entered e = enter();

    if (MPT_UNLIKELY(e == OUTSIDE)) {
        keep_for_later(mail, control_in_lock);
        return;
    }
    control_in_lock(mail);
    leave(e);
}

void mpii_p2p_on_ended(struct core_sending *s, void (*done)(struct core_sending *s))
{
    enum entered e = enter();
    struct item *i;

    if (MPT_LIKELY(e != OUTSIDE)) {
        done(s);
        leave(e);
        return;
    }
    i = item_new(0);
    i->done = done;
    i->s = s;
    inbox_add(i);
    enter_for_inbox();
}

/* -------------------------------------------------------- control messages -- */

static void on_taken(int from, const struct mpii_p2p_control *c, const struct core_mail *mail)
{
    (void)from, (void)mail;
    mpii_request_done((struct mpii_request *)(uintptr_t)c->id, MPI_SUCCESS);
}

/* The sender wants a message back: it gets it while nobody has matched it. */
static void on_cancel(int from, const struct mpii_p2p_control *c, const struct core_mail *mail)
{
    struct mpii_p2p_context *there = find(c->arg);
    struct match_node *n = there ? there->q.arrived.order.first : NULL;
    struct mpii_p2p_control answer = {P2P_CANCELLED, 0, c->id, 0};
    struct mpii_p2p_arrived *a;

    (void)mail;
    while (n && (((struct mpii_p2p_arrived *)(void *)n)->mail.from != from || ((struct mpii_p2p_arrived *)(void *)n)->mail.id != c->id))
        n = n->link[MATCH_ORDER].next;
    answer.arg = n != NULL;
    mpii_p2p_say(from, &answer);
    if (!n)
        return;
    a = (struct mpii_p2p_arrived *)(void *)n;
    match_take(&there->q, n);
    drop_body(a); /* behind the answer */
    mpii_p2p_arrived_free(a);
}

typedef void control_fn(int from, const struct mpii_p2p_control *c, const struct core_mail *mail);
control_fn mpii_p2p_on_cancelled, mpii_p2p_on_part_go, mpii_p2p_on_part_data, mpii_p2p_on_part_meet, mpii_p2p_on_revoke, mpii_p2p_on_agree;
static void on_nothing(int from, const struct mpii_p2p_control *c, const struct core_mail *mail)
{
    (void)from, (void)c, (void)mail;
}

static control_fn *const on_kind[P2P_KINDS] = {
    [P2P_TAKEN] = on_taken,
    [P2P_CANCEL] = on_cancel,
    [P2P_CANCELLED] = mpii_p2p_on_cancelled,
    [P2P_PART_GO] = mpii_p2p_on_part_go,
    [P2P_PART_DATA] = mpii_p2p_on_part_data,
    [P2P_PART_MEET] = mpii_p2p_on_part_meet,
    [P2P_NOTHING] = on_nothing,
    [P2P_REVOKE] = mpii_p2p_on_revoke,
    [P2P_AGREE] = mpii_p2p_on_agree,
};

static void on_control(int from, const struct mpii_p2p_control *c, const struct core_mail *mail)
{
    if (c->kind >= P2P_KINDS || !on_kind[c->kind])
        core_fatal("process %d sends a word of MPI that this process does not know (%u)", from, c->kind);
    on_kind[c->kind](from, c, mail);
}

void mpii_p2p_arrived_over_bridge(enum mpii_channel channel, const struct core_mail *mail)
{
    (channel == MPII_CHANNEL_MESSAGE ? message_handler : control_handler)(mail);
}

int mpii_p2p_channels_open(void)
{
    if (core_channel_open(MPII_CHANNEL_MESSAGE, message_handler) != 0 || core_channel_open(MPII_CHANNEL_CONTROL, control_handler) != 0)
        return MPI_ERR_NO_MEM;
    return MPI_SUCCESS;
}
