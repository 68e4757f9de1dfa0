/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Contexts: 64 bits by which messages of different communicators are told
 * apart. One process makes one out of its own number and a counter, without
 * asking anybody, and tells the other members.
 *
 *     | meeting 1 | salt 11 | process 20 | counter 29 | inter or local 1 | lane 2 |
 *
 * Processes of jobs that got connected have the same numbers; there the salt and
 * a counter that begins anywhere keep contexts apart. The world's and COMM_SELF's
 * have salt 0. A meeting's context is not told: those who meet compute it (hash).
 */
#include <sys/random.h>

#include "core/base/clock.h"
#include "mpi/comm/comm.h"

enum { LANE_BITS = 2, PAIR_BITS = 1, COUNTER_BITS = 29, PROCESS_BITS = 20, SALT_BITS = 11 };
enum { LOW_BITS = LANE_BITS + PAIR_BITS };
_Static_assert(LOW_BITS + COUNTER_BITS + PROCESS_BITS + SALT_BITS == 63, "the last bit says: a meeting");
_Static_assert(MPII_LANES == 1 << LANE_BITS, "a context is a multiple of MPII_LANES");

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 31) * 0x9fb21c651e98df25u;
    return x ^ x >> 29;
}

void mpii_contexts_init(void)
{
    uint64_t seed;
    struct timeval now;

    if (getrandom(&seed, sizeof seed, GRND_NONBLOCK) != sizeof seed) { /* young machine, or forbidden */
        now = core_clock_date();
        seed = mix((uint64_t)now.tv_usec * 1000003 + (uint64_t)now.tv_sec + (uint64_t)core_me());
    }
    mpii_state.comm.context.salt = seed % ((1u << SALT_BITS) - 1) + 1;
    mpii_state.comm.context.counter = seed >> 32;
}

uint64_t mpii_context_new(void)
{
    const uint64_t n = mpii_state.comm.context.counter++ & ((1u << COUNTER_BITS) - 1),
                   process = (uint64_t)core_me() & ((1u << PROCESS_BITS) - 1);

    return ((mpii_state.comm.context.salt << PROCESS_BITS | process) << COUNTER_BITS | n) << LOW_BITS;
}

uint64_t mpii_context_meeting(uint64_t seed, const void *data, size_t n)
{
    const unsigned char *bytes = data;

    for (size_t i = 0; i < n; i++)
        seed = mix((seed + bytes[i] + 1) * 0x9e3779b97f4a7c15u);
    return 1ull << 63 | (seed >> 1 & ~(uint64_t)((1u << LOW_BITS) - 1));
}

int mpii_context_agree(struct mpii_comm *c, uint64_t *context)
{
    uint64_t theirs;

    *context = c->rank == 0 ? mpii_context_new() : 0;
    if (!c->inter)
        return mpii_coll_bcast(c, context, sizeof *context, 0);
    MPII_TRY(mpii_inter_exchange(c, context, &theirs, sizeof theirs));
    if (!c->first)
        *context = theirs;
    return MPI_SUCCESS;
}
