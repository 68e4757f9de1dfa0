/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What --check finds (MPT_CHECK=1): one way to say it, for all interfaces.
 *
 *     struct core_finding f;
 *     core_finding_begin(&f, CORE_FINDING_REQUEST, "MPI-5.0, 3.7.3", "MPI_Finalize: %d requests were not completed",
 * n); core_finding_at(&f, pe, site, "MPI_Isend(to rank 0, tag 7)"); // for each PE and call that belongs to it
 *     core_finding_end(&f);                                         // prints it, counts it, adds it to the report
 *
 * A finding is one block of at most 12 lines on stderr, written at once. One of the same kind at the same lines is said
 * once in a job (of each node) and counted. A job with findings that would end with status 0 ends with
 * CORE_FINDING_STATUS. Never to be said of a right program.
 */
#ifndef CORE_CHECK_FINDING_H
#define CORE_CHECK_FINDING_H

#include <stdbool.h>
#include <stdint.h>

enum core_finding_kind {
#define KIND(name, word, what, help) CORE_FINDING_##name,
#include "core/check/kinds.def"
#undef KIND
    CORE_FINDING_KINDS
};

struct core_finding_words {
    const char *word, *what, *help;
};
extern const struct core_finding_words core_finding_kinds[CORE_FINDING_KINDS];

enum {
    CORE_FINDING_STATUS = 86,
    CORE_FINDING_PLACES = 8, /* more are counted only */
    CORE_FINDING_SITE = 192,
    CORE_FINDING_CALL = 176,
};

struct core_finding_place {
    int pe; /* -1: not of one */
    char call[CORE_FINDING_CALL]; /* with its arguments */
    char site[CORE_FINDING_SITE]; /* as core_site_text writes it; "": not known */
};

struct core_finding {
    enum core_finding_kind kind;
    char rule[96]; /* standard and section */
    char what[400]; /* begins with the call that found it */
    char advice[240]; /* "": that of the kind */
    unsigned n, more; /* places; those for which there was no room */
    struct core_finding_place places[CORE_FINDING_PLACES];
};

void core_finding_begin(struct core_finding *f, enum core_finding_kind kind, const char *rule, const char *fmt, ...)
    __attribute__((format(printf, 4, 5), cold));
/* A call of PE `pe`, at an address in this process as core_site() gives it; 0: not known. */
void core_finding_at(struct core_finding *f, int pe, uintptr_t site, const char *fmt, ...)
    __attribute__((format(printf, 4, 5), cold));
/* The same with the text of the line, of another PE for instance. */
void core_finding_at_text(struct core_finding *f, int pe, const char *site, const char *fmt, ...)
    __attribute__((format(printf, 4, 5), cold));
/* In place of the kind's own advice. */
void core_finding_advise(struct core_finding *f, const char *fmt, ...) __attribute__((format(printf, 2, 3), cold));
/* False: the same has been said before. Without any place, the call that this thread is in is one. */
bool core_finding_end(struct core_finding *f);
/* The same of whoever watches a job; me -1: it is no PE. */
struct core_header;
bool core_finding_end_of(struct core_finding *f, struct core_header *h, int me);

/* All at once: of the call that this PE is in, with its line. */
bool core_finding_of_call(enum core_finding_kind kind, const char *rule, const char *fmt, ...)
    __attribute__((format(printf, 3, 4), cold));

/* Exit status of a job that would end with `status`. */
int core_finding_status(int status);

const char *core_finding_word(enum core_finding_kind kind);

#endif
