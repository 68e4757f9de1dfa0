/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Agreement among those who live (ft.h). The first member alive leads: it gathers what
 * all alive give, makes a proposal of it, and when all alive have that, the decision. When a leader dies
 * everybody turns to the next one, with the last proposal seen, which that one must
 * propose again. Nobody decides before all alive have the proposal, so whatever somebody decided,
 * who may be dead by now, the next leader hears of. (No process is taken for dead that lives: core/live/dead.h.)
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "mpi/ulfm/ulfm.h"

static struct mpii_agree_state *const state = &mpii_state.ulfm.agree;

enum word { GIVE, PROPOSE, HAVE, DECIDE };

/* What travels: head, then two bits for each member. */
struct body {
    uint32_t word;
    int32_t from;    /* member; of a leader: its round, too */
    int32_t flag;    /* given */
    int32_t round;   /* of the proposal, -1: none; GIVE: the last seen */
    int32_t decided; /* GIVE: and that is the decision */
    int32_t value_flag, value_error;
    uint32_t settled; /* earlier ones that the sender, or of a proposal everybody, has done with: so many */
    uint64_t context;
    unsigned char bits[];
};
/* bits: GIVE: what is known to have failed, what of that is acknowledged, and of the proposal who has failed. */

struct mpii_agreement {
    struct mpii_agreement *next;
    uint64_t key;
    uint32_t serial;
    int n, me, leader;
    int *procs;
    bool decided, held;             /* held: its result has not been taken */
    uint32_t settled, all_settled;  /* as in struct body; the leader's, and the proposal's */
    int32_t flag;                   /* what this member gives, */
    unsigned char *failed, *acked;  /* and knows */
    int round;                      /* of the proposal it has, -1 */
    struct mpii_agreed value;
    unsigned char *value_failed;
    /* the leader's */
    unsigned char *gave, *have;
    int32_t all_flag;
    unsigned char *all_failed, *all_acked;
};

/* What came before this process called; and what found no room. */
struct mpii_agree_kept {
    struct mpii_agree_kept *next;
    int proc;
    size_t n;
    struct mpii_p2p_control control;
    _Alignas(16) unsigned char body[CORE_SEND_MAX];
};

/* ------------------------------------------------------------- sending -- */

static struct mpii_agree_kept *keep(struct mpii_agree_kept **list, int proc, const struct mpii_p2p_control *c,
                                    const void *body, size_t n)
{
    struct mpii_agree_kept *k = malloc(sizeof *k);

    if (!k)
        core_fatal("out of memory for an agreement");
    *k = (struct mpii_agree_kept){.next = *list, .proc = proc, .n = n, .control = *c};
    memcpy(k->body, body, n);
    return *list = k;
}

static bool try_send(int proc, const struct mpii_p2p_control *c, const void *body, size_t n)
{
    int err = mpii_ft_is_dead(proc) ? 0 : mpii_p2p_wire_send(proc, MPII_CHANNEL_CONTROL, c, sizeof *c, body, n);

    if (err != 0 && err != -EAGAIN && err != -EPIPE)
        core_fatal("cannot send a word of an agreement to process %d: %s", proc, strerror(-err));
    return err != -EAGAIN;
}

/* Their order does not matter. */
static void step_unsent(struct mpii_hook *hook)
{
    for (struct mpii_agree_kept **at = &state->unsent, *k; (k = *at) != NULL;) {
        if (!try_send(k->proc, &k->control, k->body, k->n)) {
            at = &k->next;
            continue;
        }
        *at = k->next;
        free(k);
    }
    if (!state->unsent)
        mpii_hook_remove(hook);
}

static void handle(struct mpii_agreement *a, const struct body *b);

static size_t bytes_of_bits(int n)
{
    return ((size_t)n + 7) / 8;
}

static void pack(unsigned char *bits, const unsigned char *set, int n)
{
    memset(bits, 0, bytes_of_bits(n));
    for (int i = 0; i < n; i++)
        bits[i / 8] |= (unsigned char)(set[i] << i % 8);
}

static bool bit(const unsigned char *bits, int i)
{
    return bits[i / 8] >> i % 8 & 1;
}

static void send(struct mpii_agreement *a, int to, enum word word)
{
    _Alignas(16) unsigned char room[CORE_SEND_MAX];
    struct body *b = (struct body *)(void *)room;
    struct mpii_p2p_control c = {P2P_AGREE, 0, a->key, a->serial};
    size_t m = bytes_of_bits(a->n), n = sizeof *b + 3 * m;

    *b = (struct body){word,
                       a->me,
                       a->flag,
                       a->round,
                       a->decided,
                       a->value.flag,
                       a->value.error,
                       word == GIVE ? a->settled : a->all_settled,
                       a->value.context};
    pack(b->bits, a->failed, a->n);
    pack(b->bits + m, a->acked, a->n);
    pack(b->bits + 2 * m, a->value_failed, a->n);
    if (to == a->me) {
        handle(a, b);
        return;
    }
    if (try_send(a->procs[to], &c, b, n))
        return;
    if (!state->unsent) {
        state->unsent_hook.step = step_unsent;
        mpii_hook_add(&state->unsent_hook);
    }
    keep(&state->unsent, a->procs[to], &c, b, n);
}

static bool alive(const struct mpii_agreement *a, int member)
{
    return !mpii_ft_is_dead(a->procs[member]);
}

static void send_all(struct mpii_agreement *a, enum word word)
{
    for (int i = 0; i < a->n; i++)
        if (i != a->me && alive(a, i))
            send(a, i, word);
}

/* ------------------------------------------------------------ the leader -- */

static bool all_alive(const struct mpii_agreement *a, const unsigned char *set)
{
    for (int i = 0; i < a->n; i++)
        if (!set[i] && alive(a, i))
            return false;
    return true;
}

/* Of those that all had done with when they came to this one nobody will ask any more. */
static void drop_before(const struct mpii_agreement *than);

static void decide(struct mpii_agreement *a)
{
    a->decided = true;
    drop_before(a);
    core_wake(core_me());
}

static void make_value(struct mpii_agreement *a)
{
    a->value = (struct mpii_agreed){.flag = a->all_flag, .context = mpii_context_new(), .failed = a->value_failed};
    for (int i = 0; i < a->n; i++) {
        a->value_failed[i] = a->all_failed[i] || !alive(a, i);
        if (a->value_failed[i] && !a->all_acked[i])
            a->value.error = MPIX_ERR_PROC_FAILED;
    }
}

/* As far as it gets. */
static void lead(struct mpii_agreement *a)
{
    if (a->decided || a->leader != a->me)
        return;
    if (!a->gave[a->me] || !all_alive(a, a->gave))
        return;
    if (!a->have[a->me]) {
        if (a->round < 0)
            make_value(a);
        a->round = a->me;
        a->have[a->me] = 1;
        send_all(a, PROPOSE);
    }
    if (!all_alive(a, a->have))
        return;
    decide(a);
    send_all(a, DECIDE);
}

static void take_value(struct mpii_agreement *a, const struct body *b)
{
    const unsigned char *failed = b->bits + 2 * bytes_of_bits(a->n);

    a->round = b->round;
    a->value = (struct mpii_agreed){b->value_flag, b->value_error, b->context, a->value_failed};
    for (int i = 0; i < a->n; i++)
        a->value_failed[i] = bit(failed, i);
}

static void on_give(struct mpii_agreement *a, const struct body *b)
{
    const size_t m = bytes_of_bits(a->n);

    if (a->decided) {
        send(a, b->from, DECIDE);
        return;
    }
    if (a->gave[b->from])
        return;
    a->gave[b->from] = 1;
    if (b->settled < a->all_settled)
        a->all_settled = b->settled;
    a->all_flag &= b->flag;
    for (int i = 0; i < a->n; i++) {
        a->all_failed[i] |= bit(b->bits, i);
        a->all_acked[i] &= bit(b->bits + m, i);
    }
    if (b->round > a->round)
        take_value(a, b);
    if (b->decided) {
        decide(a);
        send_all(a, DECIDE);
        return;
    }
    lead(a);
}

static void handle(struct mpii_agreement *a, const struct body *b)
{
    switch ((enum word)b->word) {
    case GIVE:
        on_give(a, b);
        return;
    case PROPOSE: /* of one who was found dead meanwhile: the next leader has been told without it */
        if (a->decided || b->from < a->leader)
            return;
        take_value(a, b);
        a->all_settled = b->settled;
        send(a, b->from, HAVE);
        return;
    case HAVE:
        if (a->leader == a->me && b->round == a->me) {
            a->have[b->from] = 1;
            lead(a);
        }
        return;
    case DECIDE:
        if (a->decided)
            return;
        take_value(a, b);
        a->all_settled = b->settled;
        decide(a);
        return;
    }
}

/* ----------------------------------------------------------- one agreement -- */

static void give(struct mpii_agreement *a)
{
    while (a->leader < a->me && !alive(a, a->leader))
        a->leader++;
    send(a, a->leader, GIVE);
}

void mpii_agree_news(void)
{
    for (struct mpii_agreement *a = state->first; a; a = a->next) {
        if (a->leader < a->me && !alive(a, a->leader))
            give(a);
        else
            lead(a);
    }
}

static void free_agreement(struct mpii_agreement *a)
{
    free(a->procs);
    free(a->failed);
    free(a);
}

static void drop_before(const struct mpii_agreement *than)
{
    for (struct mpii_agreement **at = &state->first, *a; (a = *at) != NULL;) {
        if (a->key != than->key || a->serial >= than->all_settled || !a->decided || a->held) {
            at = &a->next;
            continue;
        }
        *at = a->next;
        free_agreement(a);
    }
}

void mpii_agree_finish(void)
{
    while (state->first) {
        struct mpii_agreement *a = state->first;

        state->first = a->next;
        free_agreement(a);
    }
}

int mpii_agree_members(const struct mpii_comm *c, int *procs)
{
    const struct mpii_group *one = c->group, *other = c->remote;

    if (other && !c->first) {
        one = c->remote;
        other = c->group;
    }
    memcpy(procs, one->procs, (size_t)one->size * sizeof *procs);
    if (other)
        memcpy(procs + one->size, other->procs, (size_t)other->size * sizeof *procs);
    return one->size + (other ? other->size : 0);
}

static bool set_up(struct mpii_agreement *a, struct mpii_comm *c)
{
    enum { SETS = 7 };
    int room = c->size + (c->remote ? c->remote->size : 0), failed;
    unsigned char *sets = calloc((size_t)room, SETS);

    a->failed = sets;
    a->procs = malloc((size_t)room * sizeof *a->procs);
    if (!sets || !a->procs)
        return false;
    a->acked = sets + room;
    a->value_failed = sets + 2 * room;
    a->gave = sets + 3 * room;
    a->have = sets + 4 * room;
    a->all_failed = sets + 5 * room;
    a->all_acked = sets + 6 * room;
    memset(a->all_acked, 1, (size_t)room);
    a->n = mpii_agree_members(c, a->procs);
    failed = mpii_ft_failed(c, NULL);
    int procs[failed + 1];

    mpii_ft_failed(c, procs);
    for (int i = 0; i < a->n; i++) {
        if (a->procs[i] == core_me())
            a->me = i;
        for (int k = 0; k < failed; k++)
            if (procs[k] == a->procs[i]) {
                a->failed[i] = 1;
                a->acked[i] = k < c->acked;
            }
    }
    return true;
}

static void replay(struct mpii_agreement *a)
{
    for (struct mpii_agree_kept **at = &state->early, *k; (k = *at) != NULL;) {
        if (k->control.id != a->key || (uint32_t)k->control.arg != a->serial) {
            at = &k->next;
            continue;
        }
        *at = k->next;
        handle(a, (const struct body *)(const void *)k->body);
        free(k);
    }
}

static uint32_t first_open(uint64_t key, uint32_t serial)
{
    for (const struct mpii_agreement *a = state->first; a; a = a->next)
        if (a->key == key && !a->decided && a->serial < serial)
            serial = a->serial;
    return serial;
}

struct mpii_agreement *mpii_agree_start(struct mpii_comm *c, int flag)
{
    struct mpii_agreement *a = calloc(1, sizeof *a);

    if (!a || !set_up(a, c)) {
        if (a)
            free_agreement(a);
        return NULL;
    }
    if (sizeof(struct body) + 3 * bytes_of_bits(a->n) > CORE_SEND_MAX - sizeof(struct mpii_p2p_control))
        core_fatal("an agreement of %d processes: there is room for %zu", a->n,
                   8 * ((CORE_SEND_MAX - sizeof(struct mpii_p2p_control) - sizeof(struct body)) / 3));
    mpii_ft_begin();
    a->key = c->context;
    a->serial = c->agreements++;
    a->settled = a->all_settled = first_open(c->context, a->serial);
    a->held = true;
    a->flag = a->all_flag = flag;
    a->round = -1;
    a->next = state->first;
    state->first = a;
    give(a);
    replay(a);
    return a;
}

bool mpii_agree_done(const struct mpii_agreement *a)
{
    return a->decided;
}

struct mpii_agreed mpii_agree_result(const struct mpii_agreement *a)
{
    return a->value;
}

void mpii_agree_release(struct mpii_agreement *a)
{
    a->held = false;
}

void mpii_agree_on_word(int from, const struct mpii_p2p_control *c, const struct core_mail *mail)
{
    _Alignas(16) unsigned char room[CORE_SEND_MAX];

    mpii_ft_begin();
    for (struct mpii_agreement *a = state->first; a; a = a->next)
        if (a->key == c->id && a->serial == (uint32_t)c->arg) {
            memcpy(room, mail->body, mail->n);
            handle(a, (const struct body *)(const void *)room);
            return;
        }
    memcpy(room, mail->body, mail->n);
    if (!((const struct body *)(const void *)room)
             ->decided) /* else everybody has called, and this is one that all had done with */
        keep(&state->early, from, c, mail->body, mail->n);
}
