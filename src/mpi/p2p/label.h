/* SPDX-License-Identifier: BSD-3-Clause
 *
 * With --check: what a message tells of the call that sent it, and a receive of the one that began it, so that both can
 * be named when they do not fit.
 */
#ifndef MPI_LABEL_H
#define MPI_LABEL_H

#include "mpi/mpii.h"

struct mpii_p2p_message;
struct mpii_p2p_mail;

/* It travels with the message. */
struct mpii_p2p_label {
    uint64_t signature; /* of (count, datatype); 0: fits anything */
    uint64_t away;      /* the sender's line, as core_site_away() gives it */
    uint64_t site;      /* the same in its own process */
    int64_t elements;   /* so many */
    uint32_t element;   /* of this predefined type; 0: of several */
    char call[20];      /* "MPI_Isend" */
};

/* Stays with the receive. */
struct mpii_p2p_asker {
    const char *call; /* a literal; NULL: the library's own */
    uintptr_t site;
    int from; /* process of the message that it took; -1: none has come */
    struct mpii_p2p_label label; /* that message's */
};

/* The label of a message of which buf, count and type are the program's. from: for core_site_by(), or NULL. Returns
 * label. */
const struct mpii_p2p_label *mpii_p2p_label_make(struct mpii_p2p_label *label, const struct mpii_p2p_message *m,
                                                 const char *call, const void *from) __attribute__((cold));
/* core_site_away(), which is known of lines that have called before. */
uint64_t mpii_p2p_away(uintptr_t site) __attribute__((cold));
/* A receive of the program begins, by this call. */
void mpii_p2p_asker_set(struct mpii_request *r, const char *call, const void *from) __attribute__((cold));
/* A labelled message has come for r. */
void mpii_p2p_label_look(struct mpii_request *r, const struct mpii_p2p_mail *m) __attribute__((cold));
/* "MPI_Isend(10 x MPI_INT)" */
const char *mpii_p2p_label_text(const struct mpii_p2p_label *label, char *text, size_t n);
/* The error of a receive that has taken a labelled message. */
bool mpii_p2p_label_blame(const struct mpii_request *r, int error, struct mpii_blame *b) __attribute__((cold));

/* A labelled message has come for which no receive is posted: a ready send must not (3.4). */
void mpii_p2p_label_unexpected(const struct mpii_p2p_mail *m) __attribute__((cold));

/* Messages that nobody has received, of one context or of all: at the end of a communicator and of MPI. */
struct mpii_p2p_context;
void mpii_p2p_tell_unreceived(const struct mpii_p2p_context *c) __attribute__((cold));
void mpii_p2p_tell_all_unreceived(void) __attribute__((cold));

#endif
