/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What --check says of messages and their receives: see label.h.
 */
#include "mpi/p2p/label.h"

#include <string.h>

#include "core/base/site_call.h"
#include "mpi/ft/ft.h"
#include "mpi/p2p/p2p.h"

static struct mpii_p2p_state *const p2p = &mpii_state.p2p;

/* ------------------------------------------------------------- the label -- */

/* Most calls come from few lines. */
uint64_t mpii_p2p_away(uintptr_t site)
{
    struct mpii_p2p_line *l = &p2p->lines[(site ^ site >> 7) % P2P_LINES];

    if (l->site != site)
        *l = (struct mpii_p2p_line){site, core_site_away(site)};
    return l->away;
}

const struct mpii_p2p_label *mpii_p2p_label_make(struct mpii_p2p_label *label, const struct mpii_p2p_message *m,
                                                 const char *call, const void *from)
{
    const struct mpii_type *element = m->type->element ? m->type->element : m->type->basic ? m->type : NULL;
    uintptr_t site = from ? core_site_by(from) : core_site();

    *label = (struct mpii_p2p_label){
        .signature = mpii_signature(m->type, m->count),
        .site = site,
        .away = mpii_p2p_away(site),
        .elements = element && element->size ? (int64_t)m->n / element->size : m->count,
        .element = element ? (uint32_t)(uintptr_t)element->handle : 0,
    };
    snprintf(label->call, sizeof label->call, "%s", call);
    return label;
}

/* "10 x MPI_INT": as much as is known. */
static const char *amount(char *text, size_t n, int64_t elements, uint32_t element)
{
    const struct mpii_type *t = element ? mpii_type_of((MPI_Datatype)(uintptr_t)element) : NULL;
    const struct mpii_basic *row = t ? mpii_basic_row(t) : NULL;

    if (row)
        snprintf(text, n, "%lld x %s", (long long)elements, row->name);
    else
        snprintf(text, n, "%lld x a datatype of several", (long long)elements);
    return text;
}

const char *mpii_p2p_label_text(const struct mpii_p2p_label *label, char *text, size_t n)
{
    char many[64];

    snprintf(text, n, "%.*s(%s)", (int)sizeof label->call, label->call,
             amount(many, sizeof many, label->elements, label->element));
    return text;
}

/* What the receive takes. */
static const char *taken(const struct mpii_p2p_recv *v, char *text, size_t n)
{
    const struct mpii_type *t = v->type, *element = t->element ? t->element : t->basic ? t : NULL;

    return amount(text, n, element && element->size ? v->count * t->size / element->size : v->count,
                  element ? (uint32_t)(uintptr_t)element->handle : 0);
}

/* ------------------------------------------------------------ the receive -- */

void mpii_p2p_asker_set(struct mpii_request *r, const char *call, const void *from)
{
    mpii_p2p_recv_in(r)->asker =
        (struct mpii_p2p_asker){.call = call, .site = from ? core_site_by(from) : core_site(), .from = -1};
}

static bool fits(const struct mpii_p2p_recv *v, const struct mpii_p2p_label *label, size_t n)
{
    uint64_t own = label->signature ? mpii_signature_of_bytes(v->type, (MPI_Count)n) : 0;

    return own == 0 || own == label->signature;
}

static void say_types(const struct mpii_request *r, const struct mpii_p2p_recv *v, const struct mpii_p2p_mail *m)
{
    const struct mpii_p2p_asker *own = &v->asker;
    char sent[64], room[64], call[96];
    struct core_finding f;

    core_finding_begin(&f, CORE_FINDING_TYPE, "MPI-5.0, 3.3.1",
                       "%s: the message of rank %d with tag %d is of %s, but the receive takes %s", own->call,
                       m->source, m->tag, amount(sent, sizeof sent, m->label->elements, m->label->element),
                       taken(v, room, sizeof room));
    core_finding_at(&f, m->from, core_site_here(m->label->away), "%s to rank %d, tag %d",
                    mpii_p2p_label_text(m->label, call, sizeof call), r->comm->rank, m->tag);
    core_finding_at(&f, core_me(), own->site, "%s(%s) from rank %d", own->call, room, m->source);
    core_finding_end(&f);
}

void mpii_p2p_label_look(struct mpii_request *r, const struct mpii_p2p_mail *m)
{
    struct mpii_p2p_recv *v = mpii_p2p_recv_in(r);

    if (!v->asker.call)
        return;
    v->asker.from = m->from;
    v->asker.label = *m->label;
    if ((MPI_Count)m->n <= mpii_p2p_bytes(v->count, v->type) && !fits(v, m->label, m->n))
        say_types(r, v, m);
}

bool mpii_p2p_label_blame(const struct mpii_request *r, int error, struct mpii_blame *b)
{
    const struct mpii_p2p_asker *own = &((const struct mpii_p2p_recv *)(const void *)r->own)->asker;

    if (error != MPI_ERR_TRUNCATE || !own->call || own->from < 0)
        return false;
    *b = (struct mpii_blame){.kind = CORE_FINDING_TRUNCATION, .rule = "MPI-5.0, 3.2.4", .n = 2};
    b->at[0] = (struct mpii_blamed){.pe = core_me(), .site = own->site};
    snprintf(b->at[0].call, sizeof b->at[0].call, "%s of %lld bytes", own->call, (long long)r->bytes);
    b->at[1] = (struct mpii_blamed){.pe = own->from, .site = core_site_here(own->label.away)};
    mpii_p2p_label_text(&own->label, b->at[1].call, sizeof b->at[1].call);
    return true;
}

/* What comes later was not there when the send began. */
void mpii_p2p_label_unexpected(const struct mpii_p2p_mail *m)
{
    struct core_finding f;
    char text[96];

    if (!strstr(m->label->call, "rsend") && !strstr(m->label->call, "Rsend"))
        return;
    core_finding_begin(&f, CORE_FINDING_CALL_STATE, "MPI-5.0, 3.4",
                       "%s: the message of rank %d with tag %d found no receive posted", m->label->call, m->source,
                       m->tag);
    core_finding_at(&f, m->from, core_site_here(m->label->away), "%s",
                    mpii_p2p_label_text(m->label, text, sizeof text));
    core_finding_advise(&f, "post the receive first and say so to the sender, or use MPI_Send");
    core_finding_end(&f);
}

/* -------------------------------------------------------- never received -- */

static const struct mpii_comm *comm_of(uint64_t context)
{
    const struct mpii_pool *pool = &mpii_state.rt.pools[MPII_COMM];

    for (size_t at = 0; at < pool->used; at += pool->slot) {
        const struct mpii_comm *c = (const void *)(pool->base + at);

        if (c->context == context && c->anchor.object.refs > 0)
            return c;
    }
    return NULL;
}

/* The first of those that came by the same line, and how many there are. */
static bool is_first(const struct mpii_p2p_arrived *a, unsigned *many)
{
    const struct match_node *n = a->context->q.arrived.order.first;
    bool before = true;

    *many = 0;
    for (; n; n = n->link[MATCH_ORDER].next) {
        const struct mpii_p2p_arrived *other = (const struct mpii_p2p_arrived *)(const void *)n;

        if (other == a)
            before = false;
        if (other->mail.from != a->mail.from || other->label.site != a->label.site || !other->mail.label)
            continue;
        if (before)
            return false;
        ++*many;
    }
    return true;
}

static void say_unreceived(const struct mpii_p2p_arrived *a, unsigned many)
{
    const struct mpii_comm *c = comm_of(a->context->key - a->context->key % MPII_LANES);
    struct core_finding f;
    char call[96];

    core_finding_begin(&f, CORE_FINDING_UNRECEIVED, "MPI-5.0, 11.2.2",
                       "%u message%s of rank %d with tag %d%s%s%s never received by rank %d", many, many > 1 ? "s" : "",
                       a->mail.source, a->mail.tag, c && c->name[0] ? " on " : "", c ? c->name : "",
                       many > 1 ? " were" : " was", c ? c->rank : core_me());
    core_finding_at(&f, a->mail.from, core_site_here(a->label.away), "%s to rank %d, tag %d",
                    mpii_p2p_label_text(&a->label, call, sizeof call), c ? c->rank : core_me(), a->mail.tag);
    core_finding_end(&f);
}

void mpii_p2p_tell_unreceived(const struct mpii_p2p_context *c)
{
    unsigned many;

    if (c->key % MPII_LANES != MPII_LANE_USER)
        return;
    for (const struct match_node *n = c->q.arrived.order.first; n; n = n->link[MATCH_ORDER].next) {
        const struct mpii_p2p_arrived *a = (const struct mpii_p2p_arrived *)(const void *)n;

        if (a->mail.label && is_first(a, &many))
            say_unreceived(a, many);
    }
}

void mpii_p2p_tell_all_unreceived(void)
{
    for (unsigned i = 0; p2p->contexts.chain && i <= p2p->contexts.mask; i++)
        for (const struct mpii_p2p_context *c = p2p->contexts.chain[i]; c; c = c->next)
            mpii_p2p_tell_unreceived(c);
}
