/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Two accesses without order, as a finding.
 */
#include <stdio.h>
#include <string.h>

#include "core/check/finding.h"
#include "core/check/race_internal.h"

/* A PE whose loads are not seen may have polled any flag that others have written to its memory, and whatever it has by
 * address; and a word that it has read may be a flag that its owner has stored there. */
bool core_race_may_have_seen(const struct core_race_record *before, unsigned owner)
{
    union {
        struct core_race_snapshot s;
        uint32_t words[2 + CORE_RACE_PES * (CORE_RACE_PES + 2) + 16];
    } guess;
    struct core_race_record landed = *before;

    if (RACE->own->instrumented)
        return false;
    if (RACE->shared->pointed)
        return true;
    if (before->how & CORE_RACE_SIGNALLED && before->how & CORE_RACE_PENDING && !(before->how & CORE_RACE_EPOCH))
        landed.how &= (uint16_t)~CORE_RACE_PENDING; /* by its signal */
    memcpy(&guess, core_race_newest(), core_race_snapshot_size(RACE->n));
    for (unsigned pe = 0; pe < RACE->n; pe++) {
        uint32_t written = __atomic_load_n(&RACE->shared->last[pe][RACE->me], __ATOMIC_RELAXED);
        uint32_t looked = __atomic_load_n(&RACE->shared->looked[RACE->me][pe], __ATOMIC_RELAXED);

        if (pe != RACE->me && written > 0)
            core_race_join(&guess.s, pe, written, RACE->me);
        if (pe != RACE->me && looked > 0 && !core_race_pe(pe)->instrumented)
            core_race_join(&guess.s, pe, looked, UINT32_MAX);
    }
    return core_race_is_ordered(&guess.s, &landed, before, owner);
}

static const char *verb(unsigned how)
{
    if (how & CORE_RACE_ATOMIC)
        return how & CORE_RACE_WRITE ? "changes" : "reads";
    return how & CORE_RACE_WRITE ? "writes" : "reads";
}

static enum core_finding_kind kind_of(const struct core_race_record *now, const struct core_race_record *before)
{
    if (before->pe != now->pe || !(before->how & CORE_RACE_BUFFER))
        return CORE_FINDING_RACE;
    return before->how & CORE_RACE_WRITE ? CORE_FINDING_INCOMPLETE : CORE_FINDING_BUFFER;
}

static bool is_of_mpi(const struct core_race_record *now, const struct core_race_record *before)
{
    return strncmp(core_race_site_call(now->site), "MPI_", 4) == 0 ||
           strncmp(core_race_site_call(before->site), "MPI_", 4) == 0;
}

static const char *rule_of(const struct core_race_record *now, const struct core_race_record *before)
{
    if (is_of_mpi(now, before))
        return "MPI-5.0, 12.7";
    return now->pe == before->pe ? "OpenSHMEM 1.6, 9.6 and 9.12" : "OpenSHMEM 1.6, 9.12";
}

/* Where in the owner's slice: what the program can make something of. */
static void place_text(char *text, size_t n, unsigned owner, uint64_t at)
{
    const struct core_header *h = core_seg->header;
    uint64_t in = (at - CORE_HEADER_SIZE) % h->stride;
    int pe = core_slice_pe(owner);

    if (in >= h->off_heap && in < h->off_arena)
        snprintf(text, n, "symmetric heap + %#llx of PE %d", (unsigned long long)(in - h->off_heap), pe);
    else if (in >= h->off_data && in < h->off_heap)
        snprintf(text, n, "a global variable of PE %d", pe);
    else
        snprintf(text, n, "a window of PE %d", pe);
}

static void advise(struct core_finding *f, const struct core_race_record *now, const struct core_race_record *before,
                   unsigned owner)
{
    const struct core_race_snapshot *s = core_race_newest();
    int pe = core_slice_pe(before->pe);

    if (is_of_mpi(now, before))
        core_finding_advise(f, before->pe == now->pe
                                   ? "call MPI_Win_flush or end the epoch between the two"
                                   : "put a call that ends the first one's epoch, and one that orders "
                                     "the processes, between the two");
    else if (before->pe == now->pe && before->how & CORE_RACE_BUFFER)
        core_finding_advise(f, "call shmem_quiet before the buffer is used");
    else if (before->pe == now->pe)
        core_finding_advise(f, "call shmem_fence or shmem_quiet between the two");
    else if (before->how & CORE_RACE_PENDING && before->clock <= core_race_known(s, before->pe))
        core_finding_advise(
            f,
            "PE %d must complete its operation (shmem_quiet; a barrier; or shmem_fence before the flag, "
            "if that is put to PE %d, too) before it tells others",
            pe, core_slice_pe(owner));
}

static void add_place(struct core_finding *f, const struct core_race_record *r)
{
    char text[CORE_FINDING_SITE];

    core_finding_at_text(f, core_slice_pe(r->pe), core_race_site_text(r->site, text, sizeof text), "%s %s %u bytes",
                         core_race_site_call(r->site), verb(r->how), (unsigned)(r->hi - r->lo));
}

/* Both calls have been named together before, by this PE: nothing more to say of them. */
static bool is_told(uint32_t a, uint32_t b)
{
    uint64_t pair = (uint64_t)(a > b ? a : b) << 32 | (a > b ? b : a);
    uint64_t *told = &RACE->told[(a * 31 + b * 31) % (sizeof RACE->told / sizeof *RACE->told)];
    bool known = *told == pair;

    *told = pair;
    return known;
}

void core_race_report(const struct core_race_record *now, const struct core_race_record *before, uint64_t page)
{
    unsigned lo = now->lo > before->lo ? now->lo : before->lo;
    uint64_t at = page + lo;
    unsigned owner = (unsigned)((at - CORE_HEADER_SIZE) / core_seg->header->stride);
    const char *call = core_race_site_call(now->site);
    enum core_finding_kind kind = kind_of(now, before);
    struct core_finding f;
    char place[80];

    if (__atomic_load_n(&RACE->shared->off, __ATOMIC_RELAXED) || is_told(now->site, before->site))
        return;
    place_text(place, sizeof place, owner, at);
    if (kind == CORE_FINDING_RACE && before->pe == now->pe)
        core_finding_begin(
            &f, kind, rule_of(now, before),
            "%s: two operations of this PE on the same bytes (%s), which may be carried out in any order", call, place);
    else if (kind == CORE_FINDING_RACE)
        core_finding_begin(&f, kind, rule_of(now, before),
                           "%s: this PE and PE %d use the same bytes (%s), and nothing orders them", call,
                           core_slice_pe(before->pe), place);
    else
        core_finding_begin(&f, kind, rule_of(now, before), "%s: the buffer of %s, which is not complete (%s)", call,
                           core_race_site_call(before->site), place);
    add_place(&f, now);
    add_place(&f, before);
    advise(&f, now, before, owner);
    core_finding_end(&f);
}
