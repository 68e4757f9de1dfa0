/* SPDX-License-Identifier: BSD-3-Clause */
/* Windows one of whose members dies: nothing hangs, and what needs it fails. */
#include "ft.h"

enum { N = 1000 };

static MPI_Win make(int kind, int **base)
{
    MPI_Win win;

    if (kind == 0) {
        OK(MPI_Win_allocate(N * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, base, &win));
    } else { /* memory that others reach by system calls or messages */
        static int private[N];

        *base = private;
        OK(MPI_Win_create(private, sizeof private, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    }
    OK(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
    for (int i = 0; i < N; i++)
        (*base)[i] = mc_rank;
    OK(MPI_Win_fence(0, win));
    return win;
}

/* Each has a window of its own; the victim dies holding a lock of rank 0, and owing posts and completes. */
struct windows {
    MPI_Win fenced, locked, grouped;
    MPI_Group others;
    int *base;
};

static void victim(struct windows *w)
{
    int dead = mc_size - 1;

    OK(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, w->locked));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    if (mc_rank == dead)
        ft_die();
}

static void check_locks(struct windows *w)
{
    int value = 5, dead = mc_size - 1, code;

    FAILS(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, w->locked), MPIX_ERR_PROC_FAILED);
    FAILS(MPI_Win_lock(MPI_LOCK_SHARED, dead, 0, w->locked), MPIX_ERR_PROC_FAILED);
    FAILS(MPI_Win_lock_all(0, w->locked), MPIX_ERR_PROC_FAILED);
    code = MPI_Win_lock(MPI_LOCK_SHARED, mc_rank, 0, w->locked);
    if (code == MPI_SUCCESS) {
        OK(MPI_Put(&value, 1, MPI_INT, mc_rank, 0, 1, MPI_INT, w->locked));
        OK(MPI_Win_unlock(mc_rank, w->locked));
    }
    CHECK(code == MPI_SUCCESS || mc_rank == 0, "rank %d's own lock gave class %d", mc_rank, ft_class(code));
}

static void check_fence(struct windows *w)
{
    int value = 7, dead = mc_size - 1;

    FAILS(MPI_Put(&value, 1, MPI_INT, dead, 0, 1, MPI_INT, w->fenced), MPIX_ERR_PROC_FAILED);
    FAILS(MPI_Get(&value, 1, MPI_INT, dead, 0, 1, MPI_INT, w->fenced), MPIX_ERR_PROC_FAILED);
    FAILS(MPI_Accumulate(&value, 1, MPI_INT, dead, 0, 1, MPI_INT, MPI_SUM, w->fenced), MPIX_ERR_PROC_FAILED);
    FAILS(MPI_Win_fence(0, w->fenced), MPIX_ERR_PROC_FAILED);
}

static void check_groups(struct windows *w)
{
    int value = 1;

    FAILS(MPI_Put(&value, 1, MPI_INT, mc_size - 1, 0, 1, MPI_INT, w->grouped), MPIX_ERR_PROC_FAILED);
    FAILS(MPI_Win_complete(w->grouped), MPIX_ERR_PROC_FAILED);
    FAILS(MPI_Win_wait(w->grouped), MPIX_ERR_PROC_FAILED);
}

static void run(int kind, MPI_Comm *left)
{
    struct windows w;
    MPI_Group all, failed;
    int dead = mc_size - 1, n;

    w.fenced = make(kind, &w.base);
    w.locked = make(kind, &w.base);
    w.grouped = make(kind, &w.base);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_excl(all, 1, &mc_rank, &w.others);
    OK(MPI_Barrier(MPI_COMM_WORLD));
    if (mc_rank == dead)
        victim(&w);
    OK(MPI_Barrier(MPI_COMM_WORLD));
    OK(MPI_Win_post(w.others, 0, w.grouped));
    OK(MPI_Win_start(w.others, 0, w.grouped));
    ft_await_death(MPI_COMM_WORLD, dead);
    check_fence(&w);
    check_locks(&w);
    check_groups(&w);
    OK(MPIX_Win_get_failed(w.fenced, &failed));
    MPI_Group_size(failed, &n);
    CHECK(n == 1, "%d have failed", n);
    MPI_Group_free(&failed);
    OK(MPIX_Win_revoke(w.locked));
    FAILS(MPI_Win_lock(MPI_LOCK_SHARED, mc_rank, 0, w.locked), MPIX_ERR_REVOKED);
    OK(MPI_Win_free(&w.fenced));
    OK(MPI_Win_free(&w.locked));
    OK(MPI_Win_free(&w.grouped));
    MPI_Group_free(&w.others);
    MPI_Group_free(&all);
    OK(MPIX_Comm_shrink(MPI_COMM_WORLD, left));
}

/* And a new one of those who live. */
static void afterwards(MPI_Comm left)
{
    int *base, n, rank, got = -1;
    MPI_Win win;

    MPI_Comm_size(left, &n);
    MPI_Comm_rank(left, &rank);
    OK(MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, left, &base, &win));
    *base = 100 + rank;
    OK(MPI_Win_fence(0, win));
    OK(MPI_Get(&got, 1, MPI_INT, (rank + 1) % n, 0, 1, MPI_INT, win));
    OK(MPI_Win_fence(0, win));
    CHECK(got == 100 + (rank + 1) % n, "got %d", got);
    OK(MPI_Win_free(&win));
    OK(MPI_Comm_free(&left));
}

int main(int argc, char **argv)
{
    MPI_Comm left;

    ft_start();
    if (mc_size > 1) {
        run(argc > 1 ? atoi(argv[1]) : 0, &left);
        afterwards(left);
    }
    return ft_finish();
}
