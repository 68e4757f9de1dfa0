/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the tests of collectives: communicators of all sizes, data laid out by several datatypes with one
 * signature, and each collective in its forms (blocking, large count, nonblocking, persistent started twice). */
#ifndef TESTS_MPI_COLL_CASES_H
#define TESTS_MPI_COLL_CASES_H

#include "mcheck.h"

enum form { BLOCKING, STARTED, PERSISTENT, FORMS };

/* Runs a collective in one of its forms; again: a persistent one may be started twice with the same result. */
#define RUN_FORM(form, again, Name, Iname, ...)                        \
    do {                                                               \
        MPI_Request q_ = MPI_REQUEST_NULL;                             \
        if ((form) == BLOCKING) {                                      \
            OK(MPI_##Name(__VA_ARGS__));                               \
        } else if ((form) == STARTED) {                                \
            OK(MPI_##Iname(__VA_ARGS__, &q_));                         \
            OK(MPI_Wait(&q_, MPI_STATUS_IGNORE));                      \
            CHECK(q_ == MPI_REQUEST_NULL, #Iname " left its request"); \
        } else {                                                       \
            OK(MPI_##Name##_init(__VA_ARGS__, MPI_INFO_NULL, &q_));    \
            for (int i_ = 0; i_ < ((again) ? 2 : 1); i_++) {           \
                OK(MPI_Start(&q_));                                    \
                OK(MPI_Wait(&q_, MPI_STATUS_IGNORE));                  \
            }                                                          \
            OK(MPI_Request_free(&q_));                                 \
        }                                                              \
    } while (0)

/* Layouts of pairs of ints: all have the signature of 2n ints. */
enum { LAYOUTS = 3 };
static MPI_Datatype case_type[LAYOUTS];
static const int case_each[LAYOUTS] = {2, 1, 1};          /* elements for a pair */
static const MPI_Aint case_step[LAYOUTS] = {8, 8, 24};    /* bytes of memory for a pair */

static inline void cases_start(void)
{
    MPI_Datatype v;

    case_type[0] = MPI_INT;
    OK(MPI_Type_contiguous(2, MPI_INT, &case_type[1]));
    OK(MPI_Type_commit(&case_type[1]));
    OK(MPI_Type_vector(2, 1, 3, MPI_INT, &v));
    OK(MPI_Type_create_resized(v, 0, 24, &case_type[2]));
    OK(MPI_Type_commit(&case_type[2]));
    OK(MPI_Type_free(&v));
}

static inline void cases_finish(void)
{
    OK(MPI_Type_free(&case_type[1]));
    OK(MPI_Type_free(&case_type[2]));
}

/* Where int i of a run of pairs lies. */
static inline int *case_int(void *buf, int layout, long i)
{
    return (int *)((char *)buf + i / 2 * case_step[layout] + (i % 2) * (layout == 2 ? 12 : 4));
}

/* What rank `from` sends to rank `to`. */
static inline int case_value(int from, int to, long i, int salt)
{
    return (int)check_mix((uint64_t)from * 0x10001u + (uint64_t)to * 0x300007u + (uint64_t)i * 0x5bd1e995u +
                          (uint64_t)salt);
}

static inline void case_put(void *buf, int layout, long pairs, int from, int to, int salt)
{
    for (long i = 0; i < 2 * pairs; i++)
        *case_int(buf, layout, i) = case_value(from, to, i, salt);
}

static inline void case_check(const char *what, void *buf, int layout, long pairs, int from, int to, int salt)
{
    for (long i = 0; i < 2 * pairs; i++) {
        int got = *case_int(buf, layout, i), want = case_value(from, to, i, salt);

        if (!CHECK(got == want, "%s: int %ld of %ld pairs from %d to %d, layout %d: %#x, expected %#x", what, i, pairs,
                   from, to, layout, (unsigned)got, (unsigned)want))
            return;
    }
}

static inline void *case_room(int layout, long pairs)
{
    size_t n = (size_t)(pairs * case_step[layout]) + 64;
    void *p = malloc(n);

    memset(p, 0xa5, n);
    return p;
}

/* Communicators of the first 1, 2, ... ranks, in order and, every other one, reversed. */
static inline MPI_Comm case_comm(int size)
{
    MPI_Comm c;

    OK(MPI_Comm_split(MPI_COMM_WORLD, mc_rank < size ? 0 : MPI_UNDEFINED, size % 2 ? mc_rank : -mc_rank, &c));
    return c;
}

#endif
