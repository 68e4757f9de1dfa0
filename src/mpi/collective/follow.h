/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Who is told when the request of a collective is started, done and free: the Fortran
 * library, for the copies that it has made of array sections.
 */
#ifndef MPI_FOLLOW_H
#define MPI_FOLLOW_H

/* Each may be called in any thread that makes progress, and must not call MPI. */
struct mpt_hooks {
    void (*start)(void *arg); /* a persistent request is started */
    void (*done)(void *arg);  /* the operation is done, its completion not yet reported */
    void (*free)(void *arg);  /* the request goes away */
};

#endif
