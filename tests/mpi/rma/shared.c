/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory that is loaded and stored: shared windows, contiguous and apart, what
 * MPI_Win_shared_query tells of every flavour, loads and stores beside operations.
 */
#include "window.h"

static MPI_Comm node;
static int rank, size;

static void *query(MPI_Win win, int of, MPI_Aint *bytes, int *unit)
{
    MPI_Aint bytes_c = -1, unit_c = -1;
    void *p = NULL, *p_c = NULL;

    OK(MPI_Win_shared_query(win, of, bytes, unit, &p));
    OK(MPI_Win_shared_query_c(win, of, &bytes_c, &unit_c, &p_c));
    CHECK(p == p_c && *bytes == bytes_c && *unit == unit_c, "small and large query of rank %d", of);
    return p;
}

/* Rank r has r * 24 bytes, rank 0 none: one behind the other. */
static void contiguous(void)
{
    MPI_Aint bytes;
    int64_t *mine, *first;
    MPI_Win win;
    int unit;

    OK(MPI_Win_allocate_shared((MPI_Aint)rank * 24, 8, MPI_INFO_NULL, node, &mine, &win));
    first = query(win, MPI_PROC_NULL, &bytes, &unit);
    if (size > 1)
        CHECK(bytes == 24 && unit == 8, "the first with memory: %ld bytes, unit %d", (long)bytes, unit);
    else
        CHECK(bytes == 0, "nobody has memory: %ld", (long)bytes);
    for (int r = 1, before = 0; r < size; before += r, r++) {
        int64_t *of = query(win, r, &bytes, &unit);

        CHECK(of == first + 3 * before && bytes == 24 * r, "rank %d: %ld bytes at %ld", r, (long)bytes,
              (long)(of - first));
        CHECK(r != rank || of == mine, "own memory");
    }
    OK(MPI_Win_lock_all(MPI_MODE_NOCHECK, win));
    for (int i = 0; i < 3 * rank; i++)
        mine[i] = rank * 100 + i;
    OK(MPI_Win_sync(win));
    MPI_Barrier(node);
    OK(MPI_Win_sync(win));
    for (int r = 1, at = 0; r < size; r++)
        for (int i = 0; i < 3 * r; i++, at++)
            CHECK(first[at] == r * 100 + i, "element %d of rank %d is %lld", i, r, (long long)first[at]);
    MPI_Barrier(node);
    OK(MPI_Win_unlock_all(win));
    OK(MPI_Win_free(&win));
}

static void apart(void)
{
    MPI_Aint bytes;
    MPI_Info info;
    char *mine;
    MPI_Win win;
    int unit;

    OK(MPI_Info_create(&info));
    OK(MPI_Info_set(info, "alloc_shared_noncontig", "true"));
    OK(MPI_Info_set(info, "mpi_minimum_memory_alignment", "4096"));
    OK(MPI_Win_allocate_shared(100 + rank, 1, info, node, &mine, &win));
    OK(MPI_Info_free(&info));
    CHECK((uintptr_t)mine % 4096 == 0, "aligned: %p", (void *)mine);
    memset(mine, rank + 1, (size_t)(100 + rank));
    OK(MPI_Win_fence(0, win));
    for (int r = 0; r < size; r++) {
        char *of = query(win, r, &bytes, &unit);

        CHECK(bytes == 100 + r && unit == 1 && of[0] == r + 1 && of[bytes - 1] == r + 1, "rank %d: %ld bytes", r,
              (long)bytes);
    }
    OK(MPI_Win_fence(0, win));
    OK(MPI_Win_free(&win));
}

/* What others can be loaded from, and stores to it are seen; private memory says that it cannot. */
static void other_flavours(enum flavour f)
{
    struct window w = window_make(f, 256, 2);
    MPI_Aint bytes;
    int unit;

    OK(MPI_Win_lock_all(0, w.win));
    w.base[7] = (char)(mc_rank + 10);
    OK(MPI_Win_sync(w.win));
    MPI_Barrier(MPI_COMM_WORLD);
    for (int r = 0; r < mc_size; r++) {
        char *p = query(w.win, r, &bytes, &unit);

        CHECK(bytes == 0 || bytes == 256, "%s: %ld bytes", flavour_names[f], (long)bytes);
        CHECK((p != NULL) == (bytes > 0), "%s: address and size", flavour_names[f]);
        CHECK(bytes == 0 || (p[7] == r + 10 && unit == 2), "%s: rank %d has %d", flavour_names[f], r, bytes ? p[7] : 0);
        CHECK(r != mc_rank || p == w.base, "%s: own memory", flavour_names[f]);
        CHECK(!ranks_share_memory() || f == PRIVATE || f == GLOBAL || bytes == 256, "%s: shared on a node",
              flavour_names[f]);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    OK(MPI_Win_unlock_all(w.win));
    window_free(&w);
}

/* A flag by plain stores, data by operations: release by flush, acquire by sync. */
static void flags(void)
{
    volatile int64_t *mine, *peers;
    int64_t *base, value;
    MPI_Aint bytes;
    MPI_Win win;
    int unit, right = (rank + 1) % size;

    OK(MPI_Win_allocate_shared(64, 8, MPI_INFO_NULL, node, &base, &win));
    memset(base, 0, 64);
    MPI_Barrier(node);
    mine = base;
    peers = query(win, right, &bytes, &unit);
    OK(MPI_Win_lock_all(0, win));
    for (int round = 1; round <= 50; round++) {
        value = 1000 * round + rank;
        OK(MPI_Put(&value, 1, MPI_INT64_T, right, 1, 1, MPI_INT64_T, win));
        OK(MPI_Win_flush(right, win));
        peers[0] = round;
        while (mine[0] < round) {
            OK(MPI_Win_sync(win));
            usleep(1);
        }
        OK(MPI_Win_sync(win));
        CHECK(mine[1] == 1000 * round + (rank + size - 1) % size, "round %d: %lld", round, (long long)mine[1]);
        MPI_Barrier(node);
    }
    OK(MPI_Win_unlock_all(win));
    OK(MPI_Win_free(&win));
}

int main(void)
{
    static const enum flavour others[] = {PRIVATE, ALLOC_MEM, GLOBAL, ALLOCATE};

    mc_start();
    OK(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node));
    OK(MPI_Comm_rank(node, &rank));
    OK(MPI_Comm_size(node, &size));
    contiguous();
    apart();
    flags();
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        other_flavours(others[i]);
    if (!ranks_share_memory()) {
        char *p;
        MPI_Win win = MPI_WIN_NULL;

        OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
        FAILS(MPI_Win_allocate_shared(8, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &p, &win), MPI_ERR_RMA_SHARED);
        CHECK(win == MPI_WIN_NULL, "no window");
    }
    OK(MPI_Comm_free(&node));
    return mc_finish();
}
