/* SPDX-License-Identifier: BSD-3-Clause */
/* What the team tests share: a model of a team (the world PEs of its members, in order), the check of a team handle
 * against its model, and a quick proof that the team's collectives reach exactly its members. */
#ifndef TESTS_SHMEM_TEAM_H
#define TESTS_SHMEM_TEAM_H

#include "check.h"

#define TEAM_MAX 1024

struct team_model {
    int n;
    int pe[TEAM_MAX]; /* world PE of each member */
};

static inline struct team_model team_model_world(void)
{
    struct team_model m = {.n = shmem_n_pes()};
    for (int i = 0; i < m.n; i++)
        m.pe[i] = i;
    return m;
}

/* The members start, start + stride, ... of the parent; the triplet must be valid. */
static inline struct team_model team_model_strided(const struct team_model *parent, int start, int stride, int size)
{
    struct team_model m = {.n = size};
    for (int i = 0; i < size; i++)
        m.pe[i] = parent->pe[start + i * stride];
    return m;
}

/* This PE's number in the model, or -1. */
static inline int team_model_index(const struct team_model *m, int world_pe)
{
    for (int i = 0; i < m->n; i++)
        if (m->pe[i] == world_pe)
            return i;
    return -1;
}

static inline bool team_triplet_valid(int n, int start, int stride, int size)
{
    int last = start + (size - 1) * stride;
    return start >= 0 && start < n && size >= 1 && last >= 0 && last < n && (stride != 0 || size == 1);
}

/* Local questions only: who am I in it, how many are we, who is each member. */
static inline bool team_check(shmem_team_t team, const struct team_model *m, const char *what)
{
    int index = team_model_index(m, shmem_my_pe());
    int me = shmem_team_my_pe(team), n = shmem_team_n_pes(team);
    bool good = CHECK(me == index, "%s: shmem_team_my_pe is %d, expected %d", what, me, index);

    if (index < 0)
        return good & CHECK(team == SHMEM_TEAM_INVALID, "%s: a PE outside the team holds a valid handle", what);
    good &= CHECK(n == m->n, "%s: shmem_team_n_pes is %d, expected %d", what, n, m->n);
    for (int i = 0; i < m->n && good; i++) {
        int world = shmem_team_translate_pe(team, i, SHMEM_TEAM_WORLD);
        int back = shmem_team_translate_pe(SHMEM_TEAM_WORLD, m->pe[i], team);
        good &= CHECK(world == m->pe[i], "%s: member %d is world PE %d, expected %d", what, i, world, m->pe[i]);
        good &= CHECK(back == i, "%s: world PE %d is member %d, expected %d", what, m->pe[i], back, i);
    }
    return good;
}

/* Every member gathers every member's world PE: reaches all of them, in order, and nobody else. */
static inline bool team_works(shmem_team_t team, const struct team_model *m, const char *what)
{
    static int mine, all[TEAM_MAX];
    bool good = true;
    int status;

    if (team == SHMEM_TEAM_INVALID)
        return true;
    mine = shmem_my_pe();
    memset(all, -1, sizeof all);
    /* a member that is ahead must not write into `all` before it is cleared here */
    status = shmem_team_sync(team);
    good &= CHECK(status == 0, "%s: shmem_team_sync returned %d", what, status);
    status = shmem_int_fcollect(team, all, &mine, 1);
    good &= CHECK(status == 0, "%s: shmem_int_fcollect returned %d", what, status);
    for (int i = 0; i < m->n; i++)
        good &= CHECK(all[i] == m->pe[i], "%s: fcollect has %d from member %d, expected %d", what, all[i], i, m->pe[i]);
    for (int i = m->n; i < TEAM_MAX; i++)
        good &= CHECK(all[i] == -1, "%s: fcollect wrote %d beyond its %d members", what, all[i], m->n);
    /* dest may be cleared for the next use only after all have left */
    status = shmem_team_sync(team);
    return good & CHECK(status == 0, "%s: second shmem_team_sync returned %d", what, status);
}

#endif
