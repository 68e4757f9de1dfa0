/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Control messages: what processes tell each other besides messages of programs.
 */
#include "mpi/p2p/p2p.h"
#include "mpi/rt/inbox.h"

static void on_taken(int from, const struct mpii_p2p_control *c, const struct core_mail *mail)
{
    (void)from, (void)mail;
    mpii_request_done((struct mpii_request *)(uintptr_t)c->id, MPI_SUCCESS);
}

/* The sender wants a message back: it gets it while nobody has matched it. */
static void on_cancel(int from, const struct mpii_p2p_control *c, const struct core_mail *mail)
{
    struct mpii_p2p_context *there = mpii_p2p_context_find(c->arg);
    struct match_node *n = there ? there->q.arrived.order.first : NULL;
    struct mpii_p2p_control answer = {P2P_CANCELLED, 0, c->id, 0};

    (void)mail;
    while (n && (((struct mpii_p2p_arrived *)(void *)n)->mail.from != from ||
                 ((struct mpii_p2p_arrived *)(void *)n)->mail.id != c->id))
        n = n->link[MATCH_ORDER].next;
    answer.arg = n != NULL;
    mpii_p2p_say(from, &answer);
    if (n)
        mpii_p2p_unexpected_drop(there, n); /* behind the answer */
}

mpii_p2p_control_fn mpii_p2p_on_cancelled, mpii_p2p_on_part_go, mpii_p2p_on_part_data, mpii_p2p_on_part_meet;
static void on_nothing(int from, const struct mpii_p2p_control *c, const struct core_mail *mail)
{
    (void)from, (void)c, (void)mail;
}

static mpii_p2p_control_fn *const own[P2P_KINDS] = {
    [P2P_TAKEN] = on_taken,
    [P2P_CANCEL] = on_cancel,
    [P2P_CANCELLED] = mpii_p2p_on_cancelled,
    [P2P_PART_GO] = mpii_p2p_on_part_go,
    [P2P_PART_DATA] = mpii_p2p_on_part_data,
    [P2P_PART_MEET] = mpii_p2p_on_part_meet,
    [P2P_NOTHING] = on_nothing,
};

static mpii_p2p_control_fn *handler_of(uint32_t kind)
{
    switch (kind) {
    case P2P_REVOKE:
        return mpii_state.p2p.above.revoke;
    case P2P_AGREE:
        return mpii_state.p2p.above.agree;
    default:
        return kind < P2P_KINDS ? own[kind] : NULL;
    }
}

static void on_control(const struct core_mail *mail)
{
    const struct mpii_p2p_control *c = mail->head;
    mpii_p2p_control_fn *handle = handler_of(c->kind);

    if (!handle)
        core_fatal("process %d sends a word of MPI that this process does not know (%u)", mail->from, c->kind);
    handle(mail->from, c, mail);
}

void mpii_p2p_on_control_mail(const struct core_mail *mail)
{
    enum mpii_entered e = mpii_inbox_enter();

    if (MPT_UNLIKELY(e == MPII_OUTSIDE)) {
        mpii_inbox_keep(mail, on_control);
        return;
    }
    on_control(mail);
    mpii_inbox_leave(e);
}
