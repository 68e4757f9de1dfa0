/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Start and end in jobs that survive deaths, and revocation: it spreads by each
 * process telling all others once, so it reaches all who live whoever dies meanwhile.
 */
#include <stdlib.h>
#include <string.h>

#include "core/live/dead.h"
#include "mpi/ulfm/ulfm.h"

static struct mpii_ulfm_state *const state = &mpii_state.ulfm;

static void say_why_not(void)
{
    if (state->said || !core_params.survive || core_me() != 0 || core_size() < 2)
        return;
    state->said = true;
    core_error("MPT_FT=1 (--ft) has no effect in this job: %s",
               core_has_network() ? "its PEs are reached over a network, where a death ends the job"
                                  : "it was not started by mptrun");
}

void mpii_ulfm_start(void)
{
    if (!core_survivable()) {
        say_why_not();
        return;
    }
    core_survive(true);
    mpii_ft_begin();
}

void mpii_ulfm_finish(void)
{
    if (!mpii_state.ft.on)
        return;
    mpii_agree_finish();
    mpii_ft_end();
    free(state->early.contexts);
    state->early.contexts = NULL;
    state->early.n = 0;
}

/* -------------------------------------------------------- new communicators -- */

/* The end of a process of another job is seen by its connection: one to each, while it lives. */
static void connect_foreign(const struct mpii_group *g)
{
    for (int i = 0; g && i < g->size; i++) {
        int at = g->procs[i] - core_size();

        if (at >= state->connected.room) {
            unsigned char *more = realloc(state->connected.at, (size_t)at + 64);

            if (!more)
                core_fatal("out of memory for the processes of another job");
            memset(more + state->connected.room, 0, (size_t)(at + 64 - state->connected.room));
            state->connected.at = more;
            state->connected.room = at + 64;
        }
        if (at < 0 || state->connected.at[at])
            continue;
        state->connected.at[at] = 1;
        mpii_p2p_say(g->procs[i], &(struct mpii_p2p_control){.kind = P2P_NOTHING});
    }
}

void mpii_ulfm_made(struct mpii_comm *c)
{
    if (c->context != 0 && core_survivable()) {
        connect_foreign(c->group);
        connect_foreign(c->remote);
    }
    for (int i = 0; i < state->early.n && c->context != 0; i++)
        if (state->early.contexts[i] == c->context) {
            state->early.contexts[i] = state->early.contexts[--state->early.n];
            mpii_ulfm_revoke(c);
            return;
        }
}

/* -------------------------------------------------------------- revocation -- */

static void tell(const struct mpii_comm *c, const int *procs, int n)
{
    for (int i = 0; i < n; i++)
        if (procs[i] != core_me() && !mpii_ft_is_dead(procs[i]))
            mpii_p2p_say(procs[i], &(struct mpii_p2p_control){P2P_REVOKE, 0, c->context, 0});
}

void mpii_ulfm_revoke(struct mpii_comm *c)
{
    if (c->trouble & MPII_REVOKED)
        return;
    mpii_ft_begin();
    mpii_ft_trouble(c, MPII_REVOKED);
    tell(c, c->group->procs, c->group->size);
    if (c->remote)
        tell(c, c->remote->procs, c->remote->size);
    mpii_ft_tell();
}

static void find_comm(struct mpii_comm *c)
{
    if (c->context == state->found.context)
        state->found.comm = c;
}

static void find_in_request(struct mpii_request *r)
{
    find_comm(r->comm);
}

static void remember(uint64_t context)
{
    uint64_t *more = realloc(state->early.contexts, ((size_t)state->early.n + 1) * sizeof *more);

    if (!more)
        core_fatal("out of memory for a communicator that was revoked");
    state->early.contexts = more;
    state->early.contexts[state->early.n++] = context;
}

void mpii_ulfm_on_revoke(int from, const struct mpii_p2p_control *c, const struct core_mail *mail)
{
    (void)from, (void)mail;
    mpii_ft_begin();
    state->found.comm = NULL;
    state->found.context = c->id;
    mpii_ft_each_request(find_in_request);
    mpii_ft_each_comm(find_comm);
    if (state->found.comm)
        mpii_ulfm_revoke(state->found.comm);
    else
        remember(c->id);
}
