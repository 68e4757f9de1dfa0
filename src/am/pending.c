/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Bytes that take their time: bodies of stores that this PE fetches, gets over the
 * network, and bodies of asynchronous stores that others read. Each ends with a handler.
 */
#include "am/ami.h"
#include "am/out.h"

/* True when it has ended; then it is freed. */
static bool advance(struct ami_pending *p)
{
    struct ami_pending c;

    if (!p->ended && !core_flow_idle(&p->flow))
        return false;
    if (!p->ended)
        core_flow_finish(&p->flow);
    p->ended = true;
    if (p->rndv.n > 0 && !core_fetch_end_try(&p->rndv))
        return false;
    c = *p;
    free(p);
    ami_run_mem(c.src, c.reply, c.handler, c.addr, c.n, c.arg);
    return true;
}

void ami_pend(const struct ami_pending *what, const void *get_from)
{
    struct ami_pending *p = malloc(sizeof *p);

    if (!p)
        core_fatal("am: out of memory for a transfer of %zu bytes with PE %d", what->n, what->src);
    *p = *what;
    if (get_from)
        core_get_nbi(&p->flow, p->src, p->addr, get_from, p->n);
    else
        core_fetch(&p->flow, p->addr, &p->rndv, 0, p->n);
    if (advance(p))
        return;
    p->next = ami.under_way;
    ami.under_way = p;
    ami.pending++;
    ami_kick();
}

static bool end_stores(void)
{
    struct core_sending *s = __atomic_exchange_n(&ami.ended, NULL, __ATOMIC_ACQUIRE);
    bool some = s != NULL;

    while (s) {
        struct ami_out *out = (struct ami_out *)s;

        s = out->next;
        ami_out_end(out);
    }
    return some;
}

bool ami_pending_step(void)
{
    struct ami_pending *p, *next, *todo = ami.under_way;
    bool some = end_stores();

    ami.under_way = NULL; /* handlers may add others */
    for (p = todo; p; p = next) {
        next = p->next;
        if (advance(p)) {
            ami.pending--;
            some = true;
            continue;
        }
        p->next = ami.under_way;
        ami.under_way = p;
    }
    return some;
}

/* In any thread. */
void ami_end_later(struct core_sending *s)
{
    struct ami_out *out = (struct ami_out *)s;

    out->next = __atomic_load_n(&ami.ended, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(&ami.ended, &out->next, s, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
        ;
    core_wake(core_me());
}
