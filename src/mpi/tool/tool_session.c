/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sessions and handles of performance variables (15.3.7). Each handle has its
 * own view of a counter: what was added while it was started.
 */
#include <stdlib.h>

#include "mpi/tool/tool_pvar.h"

struct pvar_handle {
    struct pvar_handle *next;
    const struct mpii_pvar *var;
    bool started;
    uint64_t sum, since; /* value = sum, and when started the counter's growth since */
};

struct mpii_pvar_session {
    struct mpii_pvar_session *next;
    struct pvar_handle *handles;
};

static struct mpii_pvar_session **find_session(MPI_T_pvar_session handle)
{
    struct mpii_pvar_session **at = &mpii_state.tool.pvar_sessions;

    while (*at && (void *)*at != (void *)handle)
        at = &(*at)->next;
    return at;
}

static struct pvar_handle **find(struct mpii_pvar_session *s, MPI_T_pvar_handle handle)
{
    struct pvar_handle **at = &s->handles;

    while (*at && (void *)*at != (void *)handle)
        at = &(*at)->next;
    return at;
}

static int check(MPI_T_pvar_session session, MPI_T_pvar_handle handle, struct pvar_handle **h)
{
    struct mpii_pvar_session *s;

    TOOL_READY();
    s = *find_session(session);
    if (!s)
        return MPI_T_ERR_INVALID_SESSION;
    *h = *find(s, handle);
    return *h ? MPI_SUCCESS : MPI_T_ERR_INVALID_HANDLE;
}

static void free_session(struct mpii_pvar_session **at)
{
    struct mpii_pvar_session *s = *at;

    *at = s->next;
    while (s->handles) {
        struct pvar_handle *h = s->handles;

        s->handles = h->next;
        free(h);
    }
    free(s);
}

void mpii_tool_pvars_finish(void)
{
    while (mpii_state.tool.pvar_sessions)
        free_session(&mpii_state.tool.pvar_sessions);
}

int mpii_T_pvar_session_create(MPI_T_pvar_session *pe_session)
{
    struct mpii_pvar_session *s;

    TOOL_READY();
    if (!pe_session)
        return MPI_T_ERR_INVALID;
    s = calloc(1, sizeof *s);
    if (!s)
        return MPI_T_ERR_MEMORY;
    s->next = mpii_state.tool.pvar_sessions;
    mpii_state.tool.pvar_sessions = s;
    *pe_session = (MPI_T_pvar_session)(void *)s;
    return MPI_SUCCESS;
}

int mpii_T_pvar_session_free(MPI_T_pvar_session *pe_session)
{
    struct mpii_pvar_session **at;

    TOOL_READY();
    if (!pe_session)
        return MPI_T_ERR_INVALID;
    at = find_session(*pe_session);
    if (!*at)
        return MPI_T_ERR_INVALID_SESSION;
    free_session(at);
    *pe_session = MPI_T_PVAR_SESSION_NULL;
    return MPI_SUCCESS;
}

int mpii_T_pvar_handle_alloc(MPI_T_pvar_session pe_session, int pvar_index, void *obj_handle, MPI_T_pvar_handle *handle,
                             int *count)
{
    struct mpii_pvar_session *s;
    struct pvar_handle *h;

    (void)obj_handle; /* no variable is bound to an object */
    TOOL_READY();
    s = *find_session(pe_session);
    if (!s)
        return MPI_T_ERR_INVALID_SESSION;
    if (pvar_index < 0 || pvar_index >= mpii_npvars)
        return MPI_T_ERR_INVALID_INDEX;
    if (!handle || !count)
        return MPI_T_ERR_INVALID;
    h = calloc(1, sizeof *h);
    if (!h)
        return MPI_T_ERR_MEMORY;
    h->var = &mpii_pvars[pvar_index];
    h->next = s->handles;
    s->handles = h;
    *handle = (MPI_T_pvar_handle)(void *)h;
    *count = 1;
    return MPI_SUCCESS;
}

int mpii_T_pvar_handle_free(MPI_T_pvar_session pe_session, MPI_T_pvar_handle *handle)
{
    struct pvar_handle *h;

    if (!handle)
        return MPI_T_ERR_INVALID;
    MPII_TRY(check(pe_session, *handle, &h));
    *find(*find_session(pe_session), *handle) = h->next;
    free(h);
    *handle = MPI_T_PVAR_HANDLE_NULL;
    return MPI_SUCCESS;
}

/* -------------------------------------------------------------- values -- */

static uint64_t now(const struct pvar_handle *h)
{
    return h->var->read(h->var->arg);
}

static uint64_t value(const struct pvar_handle *h)
{
    if (!mpii_pvar_counts(h->var))
        return now(h);
    return h->sum + (h->started ? now(h) - h->since : 0);
}

static int begin(struct pvar_handle *h)
{
    if (!mpii_pvar_counts(h->var))
        return MPI_T_ERR_PVAR_NO_STARTSTOP;
    if (!h->started)
        h->since = now(h);
    h->started = true;
    return MPI_SUCCESS;
}

static int end(struct pvar_handle *h)
{
    if (!mpii_pvar_counts(h->var))
        return MPI_T_ERR_PVAR_NO_STARTSTOP;
    h->sum = value(h);
    h->started = false;
    return MPI_SUCCESS;
}

static int set(struct pvar_handle *h, uint64_t to)
{
    if (!mpii_pvar_counts(h->var))
        return MPI_T_ERR_PVAR_NO_WRITE;
    h->sum = to;
    h->since = now(h);
    return MPI_SUCCESS;
}

static int zero(struct pvar_handle *h)
{
    return set(h, 0);
}

/* One handle, or all of the session for which it can be done. */
static int each(MPI_T_pvar_session session, MPI_T_pvar_handle handle, int (*act)(struct pvar_handle *h))
{
    struct pvar_handle *h;

    if (handle != MPI_T_PVAR_ALL_HANDLES) {
        MPII_TRY(check(session, handle, &h));
        return act(h);
    }
    TOOL_READY();
    if (!*find_session(session))
        return MPI_T_ERR_INVALID_SESSION;
    for (h = (*find_session(session))->handles; h; h = h->next)
        act(h);
    return MPI_SUCCESS;
}

int mpii_T_pvar_start(MPI_T_pvar_session pe_session, MPI_T_pvar_handle handle)
{
    return each(pe_session, handle, begin);
}

int mpii_T_pvar_stop(MPI_T_pvar_session pe_session, MPI_T_pvar_handle handle)
{
    return each(pe_session, handle, end);
}

int mpii_T_pvar_reset(MPI_T_pvar_session pe_session, MPI_T_pvar_handle handle)
{
    return each(pe_session, handle, zero);
}

int mpii_T_pvar_read(MPI_T_pvar_session pe_session, MPI_T_pvar_handle handle, void *buf)
{
    struct pvar_handle *h;

    MPII_TRY(check(pe_session, handle, &h));
    if (!buf)
        return MPI_T_ERR_INVALID;
    *(unsigned long long *)buf = value(h);
    return MPI_SUCCESS;
}

int mpii_T_pvar_readreset(MPI_T_pvar_session pe_session, MPI_T_pvar_handle handle, void *buf)
{
    struct pvar_handle *h;
    uint64_t v;

    MPII_TRY(check(pe_session, handle, &h));
    if (!buf)
        return MPI_T_ERR_INVALID;
    v = value(h);
    if (set(h, 0) != MPI_SUCCESS)
        return MPI_T_ERR_PVAR_NO_ATOMIC;
    *(unsigned long long *)buf = v;
    return MPI_SUCCESS;
}

int mpii_T_pvar_write(MPI_T_pvar_session pe_session, MPI_T_pvar_handle handle, const void *buf)
{
    struct pvar_handle *h;

    MPII_TRY(check(pe_session, handle, &h));
    return buf ? set(h, *(const unsigned long long *)buf) : MPI_T_ERR_INVALID;
}
