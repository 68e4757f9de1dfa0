/* SPDX-License-Identifier: BSD-3-Clause
 *
 * --check: what was packed into a message, type by type, and the lines. It goes ahead of the message as a note
 * (msg/label.c), and whoever unpacks is told when the next items are of another type. Signed and unsigned numbers are
 * the same, complex ones are two; raw bytes may be anything. Of what is too much to remember nothing is said.
 */
#include <stdlib.h>

#include "core/base/site.h"
#include "core/check/fatal.h"
#include "pvm/pack/buffer.h"

static const struct {
    int alike; /* the type that it consists of ... */
    unsigned parts; /* ... so many times */
    const char *name;
} types[] = {
    [PVM_BYTE] = {PVM_BYTE, 1, "byte"},      [PVM_SHORT] = {PVM_SHORT, 1, "short"},
    [PVM_INT] = {PVM_INT, 1, "int"},         [PVM_FLOAT] = {PVM_FLOAT, 1, "float"},
    [PVM_CPLX] = {PVM_FLOAT, 2, "cplx"},     [PVM_DOUBLE] = {PVM_DOUBLE, 1, "double"},
    [PVM_DCPLX] = {PVM_DOUBLE, 2, "dcplx"},  [PVM_LONG] = {PVM_LONG, 1, "long"},
    [PVM_USHORT] = {PVM_SHORT, 1, "ushort"}, [PVM_UINT] = {PVM_INT, 1, "uint"},
    [PVM_ULONG] = {PVM_LONG, 1, "ulong"},
};

static bool continues(const struct pvmi_packed_run *last, int type, uint64_t away)
{
    return last->type == (uint32_t)type && last->away == away && type != PVM_BYTE;
}

void pvmi_packed_add(struct pvmi_packed *p, int type, size_t count)
{
    const uint64_t away = core_site_away(core_site()), n = (uint64_t)count * types[type].parts;
    struct pvmi_packed_run *last = p->n ? &p->run[p->n - 1] : NULL;

    if (last && continues(last, type, away)) {
        last->count += n;
        return;
    }
    p->unknown |= p->n == PVMI_PACKED_RUNS;
    if (!p->unknown)
        p->run[p->n++] = (struct pvmi_packed_run){(uint32_t)type, n, away};
}

void pvmi_packed_into(struct pvmi_msg *m, int type, size_t count)
{
    if (!m->packed && !(m->packed = calloc(1, sizeof *m->packed)))
        return;
    if (m->packed->n == 0)
        m->packed->from = pvmi.me;
    pvmi_packed_add(m->packed, type, count);
}

bool pvmi_packed_is_of(const struct pvmi_packed *p, const struct pvmi_msg *m)
{
    size_t length = 0;

    for (uint32_t i = 0; i < p->n; i++) {
        const int type = (int)p->run[i].type;
        const struct pvmi_codec *codec = pvmi_codec_of(type, m->encoding);

        if (!codec)
            return false;
        length += p->run[i].count / types[type].parts * codec->wire;
        length += type == PVM_BYTE ? pvmi_padding(m->encoding, p->run[i].count) : 0;
    }
    return p->tag == m->tag && p->context == m->context && length == m->length;
}

static void say(const struct pvmi_packed *p, const struct pvmi_packed_run *run, int type)
{
    struct core_finding f;

    core_finding_begin(&f, CORE_FINDING_TYPE, "PVM 3.4",
                       "%s: items of type %s are unpacked, but what comes next in the message was packed as %s",
                       pvmi.call, types[type].name, types[run->type].name);
    core_finding_advise(&f, "unpack the types in the order in which they were packed");
    core_finding_at(&f, mpt_fast.me, core_site(), "%s", pvmi.call);
    core_finding_at(&f, p->from, core_site_here(run->away), "packed as %s", types[run->type].name);
    core_finding_end(&f);
}

/* False: no more is known of the message. */
static bool took(struct pvmi_packed *p, int type, uint64_t n)
{
    while (n > 0) {
        const struct pvmi_packed_run *run = &p->run[p->at];
        uint64_t k;

        if (p->at == p->n)
            return false;
        if ((run->type == PVM_BYTE || type == PVM_BYTE) && (run->type != (uint32_t)type || p->used || n != run->count))
            return false;
        if (types[run->type].alike != types[type].alike) {
            say(p, run, type);
            return false;
        }
        k = n < run->count - p->used ? n : run->count - p->used;
        n -= k;
        p->used += k;
        if (p->used == run->count) {
            p->at++;
            p->used = 0;
        }
    }
    return true;
}

void pvmi_packed_took(struct pvmi_msg *m, int type, size_t count)
{
    struct pvmi_packed *p = m->packed;

    if (p->unknown)
        return;
    if (!m->at) /* from the beginning, perhaps once more */
        p->at = p->used = 0;
    p->unknown = !took(p, type, (uint64_t)count * types[type].parts);
}
