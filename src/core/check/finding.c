/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Findings as text, folded and counted (finding.h).
 */
#include "core/check/finding.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/base/hash.h"
#include "core/base/param.h"
#include "core/base/site.h"
#include "core/check/report.h"
#include "core/internal.h"

const struct core_finding_words core_finding_kinds[CORE_FINDING_KINDS] = {
#define KIND(name, word, what, help) {word, what, help},
#include "core/check/kinds.def"
#undef KIND
};

const char *core_finding_word(enum core_finding_kind kind)
{
    return core_finding_kinds[kind].word;
}

void core_finding_begin(struct core_finding *f, enum core_finding_kind kind, const char *rule, const char *fmt, ...)
{
    va_list ap;

    f->kind = kind;
    f->n = f->more = 0;
    f->advice[0] = '\0';
    snprintf(f->rule, sizeof f->rule, "%s", rule ? rule : "");
    va_start(ap, fmt);
    vsnprintf(f->what, sizeof f->what, fmt, ap);
    va_end(ap);
}

static struct core_finding_place *next_place(struct core_finding *f, int pe)
{
    struct core_finding_place *p = f->n < CORE_FINDING_PLACES ? &f->places[f->n++] : NULL;

    if (!p)
        f->more++;
    else
        p->pe = pe;
    return p;
}

void core_finding_at(struct core_finding *f, int pe, uintptr_t site, const char *fmt, ...)
{
    struct core_finding_place *p = next_place(f, pe);
    va_list ap;

    if (!p)
        return;
    core_site_text(site, p->site, sizeof p->site);
    va_start(ap, fmt);
    vsnprintf(p->call, sizeof p->call, fmt, ap);
    va_end(ap);
}

void core_finding_at_text(struct core_finding *f, int pe, const char *site, const char *fmt, ...)
{
    struct core_finding_place *p = next_place(f, pe);
    va_list ap;

    if (!p)
        return;
    snprintf(p->site, sizeof p->site, "%s", site);
    va_start(ap, fmt);
    vsnprintf(p->call, sizeof p->call, fmt, ap);
    va_end(ap);
}

void core_finding_advise(struct core_finding *f, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(f->advice, sizeof f->advice, fmt, ap);
    va_end(ap);
}

/* ---------------------------------------------------------------- folding -- */

/* Kind and lines, in any order; never 0. */
static uint64_t hash_of(const struct core_finding *f)
{
    uint64_t sum = 0;
    bool known = false;

    for (unsigned i = 0; i < f->n; i++) {
        known |= f->places[i].site[0] != 0;
        sum += core_hash_text(CORE_HASH_BEGIN, f->places[i].site);
    }
    if (!known)
        sum = core_hash_text(sum, f->what);
    return (sum ^ f->kind) | 1;
}

/* The first of its kind and lines; those for which the table has no room count as such. */
static bool is_new(struct core_header *h, uint64_t hash)
{
    for (unsigned i = 0; i < CORE_FINDINGS_KNOWN; i++) {
        uint64_t none = 0;

        if (__atomic_compare_exchange_n(&h->findings_known[i], &none, hash, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
            return true;
        if (none == hash)
            return false;
    }
    return true;
}

/* ------------------------------------------------------------------- text -- */

struct text {
    char at[4000]; /* less than PIPE_BUF: what several PEs write does not mix */
    size_t n;
};

static void __attribute__((format(printf, 2, 3))) add(struct text *t, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(t->at + t->n, sizeof t->at - t->n, fmt, ap);
    va_end(ap);
    t->n += strlen(t->at + t->n);
}

static const char *advice_of(const struct core_finding *f)
{
    return f->advice[0] ? f->advice : core_finding_kinds[f->kind].help;
}

static void print(const struct core_finding *f, int me)
{
    struct text t = {.n = 0};
    ssize_t rc;

    if (me >= 0)
        add(&t, "mpt: PE %d: %s: %s", me, core_finding_kinds[f->kind].word, f->what);
    else
        add(&t, "mpt: %s: %s", core_finding_kinds[f->kind].word, f->what);
    for (unsigned i = 0; i < f->n; i++) {
        const struct core_finding_place *p = &f->places[i];

        add(&t, "\nmpt:   ");
        if (p->pe >= 0)
            add(&t, "PE %d: ", p->pe);
        add(&t, "%s%s%s%s", p->call, p->site[0] ? " [" : "", p->site, p->site[0] ? "]" : "");
    }
    if (f->more)
        add(&t, "\nmpt:   and %u more", f->more);
    add(&t, "\nmpt:   rule: %s; to do: %s", f->rule[0] ? f->rule : core_finding_kinds[f->kind].what, advice_of(f));
    if (t.n > sizeof t.at - 2)
        t.n = sizeof t.at - 2;
    t.at[t.n++] = '\n';
    rc = write(STDERR_FILENO, t.at, t.n);
    (void)rc; /* nowhere left to report to */
}

/* -------------------------------------------------------------- interface -- */

bool core_finding_end(struct core_finding *f)
{
    const int me = mpt_fast.npes > 0 ? mpt_fast.me : -1;

    if (f->n == 0)
        core_finding_at(f, me, core_site(), "this call");
    return core_finding_end_of(f, core_seg->header, me);
}

bool core_finding_end_of(struct core_finding *f, struct core_header *h, int me)
{
    bool is_first;

    if (h) {
        __atomic_fetch_add(&h->findings, 1, __ATOMIC_RELAXED);
        __atomic_fetch_add(&h->findings_begun, 1, __ATOMIC_ACQ_REL);
    }
    is_first = !h || is_new(h, hash_of(f));
    if (is_first) {
        print(f, me);
        if (core_params.check_report[0])
            core_report_add(core_params.check_report, f, me);
    }
    if (h)
        __atomic_fetch_sub(&h->findings_begun, 1, __ATOMIC_ACQ_REL);
    return is_first;
}

bool core_finding_of_call(enum core_finding_kind kind, const char *rule, const char *fmt, ...)
{
    struct core_finding f;
    char what[sizeof f.what];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(what, sizeof what, fmt, ap);
    va_end(ap);
    core_finding_begin(&f, kind, rule, "%s", what);
    return core_finding_end(&f);
}

int core_finding_status(int status)
{
    const struct core_header *h = core_seg->header;

    return status == 0 && h && __atomic_load_n(&h->findings, __ATOMIC_RELAXED) ? CORE_FINDING_STATUS : status;
}
