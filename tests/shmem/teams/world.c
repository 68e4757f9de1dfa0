/* SPDX-License-Identifier: BSD-3-Clause */
/* The predefined teams: SHMEM_TEAM_WORLD is everybody, SHMEM_TEAM_SHARED those whose memory can be loaded and stored
 * directly, SHMEM_TEAM_INVALID nobody; the handles can stand in the initialisers of static variables. */
#include "team.h"

static shmem_team_t world = SHMEM_TEAM_WORLD;
static shmem_team_t shared = SHMEM_TEAM_SHARED;
static shmem_team_t invalid = SHMEM_TEAM_INVALID;
static shmem_ctx_t context = SHMEM_CTX_DEFAULT;
static long word;

static void check_shared(void)
{
    int n = shmem_team_n_pes(shared), me = shmem_team_my_pe(shared);
    long *heap = shmem_calloc(1, sizeof *heap);
    struct team_model m = {.n = n};

    REQUIRE(heap != NULL, "shmem_calloc returned NULL");
    REQUIRE(n >= 1 && n <= check_npes, "SHMEM_TEAM_SHARED has %d of %d PEs", n, check_npes);
    CHECK(me >= 0 && me < n, "my number in SHMEM_TEAM_SHARED is %d of %d", me, n);
    for (int i = 0; i < n; i++) {
        m.pe[i] = shmem_team_translate_pe(shared, i, world);
        CHECK(shmem_ptr(heap, m.pe[i]) != NULL, "shmem_ptr of PE %d, member of SHMEM_TEAM_SHARED, is NULL", m.pe[i]);
    }
    team_check(shared, &m, "shared");
    team_works(shared, &m, "shared");
    shmem_free(heap);
}

static void check_invalid(void)
{
    shmem_team_t x = world, y = world;

    CHECK(shmem_team_my_pe(invalid) == -1, "my_pe of the invalid team is %d, expected -1", shmem_team_my_pe(invalid));
    CHECK(shmem_team_n_pes(invalid) == -1, "n_pes of the invalid team is %d, expected -1", shmem_team_n_pes(invalid));
    CHECK(shmem_team_split_strided(invalid, 0, 1, 1, NULL, 0, &x) != 0, "split_strided of the invalid team succeeded");
    CHECK(x == SHMEM_TEAM_INVALID, "split_strided of the invalid team left a handle that is valid");
    x = world;
    CHECK(shmem_team_split_2d(invalid, 1, NULL, 0, &x, NULL, 0, &y) != 0, "split_2d of the invalid team succeeded");
    CHECK(x == SHMEM_TEAM_INVALID && y == SHMEM_TEAM_INVALID, "split_2d of the invalid team left valid handles");
    shmem_team_destroy(invalid);
}

int main(void)
{
    check_start();
    struct team_model all = team_model_world();

    CHECK(world != invalid && shared != invalid, "a predefined team equals SHMEM_TEAM_INVALID");
    team_check(world, &all, "world");
    team_works(world, &all, "world");
    check_shared();
    check_invalid();
    shmem_ctx_long_p(context, &word, check_me + 1, check_next());
    shmem_barrier_all();
    CHECK(word == check_previous() + 1, "word is %ld, expected %d", word, check_previous() + 1);
    return check_finish();
}
