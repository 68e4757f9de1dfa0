/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Wrong arguments and wrong order: each gives the class that the standard names,
 * changes nothing, and the window goes on. A window is not made when one process
 * has an error, and nobody hangs then.
 */
#include "window.h"

static MPI_Win win;
static struct window w;
static int x[64], y[64], z[64];

static void handles(void)
{
    MPI_Win null = MPI_WIN_NULL, freed;
    int flag;

    FAILS(MPI_Win_fence(0, null), MPI_ERR_WIN);
    FAILS(MPI_Put(x, 1, MPI_INT, 0, 0, 1, MPI_INT, null), MPI_ERR_WIN);
    FAILS(MPI_Win_free(&null), MPI_ERR_WIN);
    FAILS(MPI_Win_free(NULL), MPI_ERR_ARG);
    FAILS(MPI_Win_test(null, &flag), MPI_ERR_WIN);
    OK(MPI_Win_create(x, sizeof x, 4, MPI_INFO_NULL, MPI_COMM_SELF, &freed));
    null = freed;
    OK(MPI_Win_free(&freed));
    FAILS(MPI_Win_lock_all(0, null), MPI_ERR_WIN);
    FAILS(MPI_Get(x, 1, MPI_INT, 0, 0, 1, MPI_INT, null), MPI_ERR_WIN);
    FAILS(MPI_Win_fence(0, (MPI_Win)(void *)MPI_COMM_WORLD), MPI_ERR_WIN);
    FAILS(MPI_Win_sync((MPI_Win)(void *)x), MPI_ERR_WIN);
}

static void creation(void)
{
    MPI_Win made = MPI_WIN_NULL;
    void *p;

    FAILS(MPI_Win_create(x, -1, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &made), MPI_ERR_SIZE);
    FAILS(MPI_Win_create(x, 4, 0, MPI_INFO_NULL, MPI_COMM_WORLD, &made), MPI_ERR_DISP);
    FAILS(MPI_Win_create(NULL, 4, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &made), MPI_ERR_ARG);
    FAILS(MPI_Win_create(x, 4, 1, MPI_INFO_NULL, MPI_COMM_NULL, &made), MPI_ERR_COMM);
    FAILS(MPI_Win_create(x, 4, 1, MPI_INFO_NULL, MPI_COMM_WORLD, NULL), MPI_ERR_ARG);
    FAILS(MPI_Win_create(x, 4, 1, (MPI_Info)(void *)x, MPI_COMM_SELF, &made), MPI_ERR_INFO);
    FAILS(MPI_Win_allocate(-5, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &p, &made), MPI_ERR_SIZE);
    FAILS(MPI_Win_allocate(8, -1, MPI_INFO_NULL, MPI_COMM_WORLD, &p, &made), MPI_ERR_DISP);
    FAILS(MPI_Win_allocate(8, 1, MPI_INFO_NULL, MPI_COMM_WORLD, NULL, &made), MPI_ERR_ARG);
    FAILS(MPI_Win_allocate((MPI_Aint)1 << 60, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &p, &made), MPI_ERR_NO_MEM);
    FAILS(MPI_Win_allocate_shared(8, 0, MPI_INFO_NULL, MPI_COMM_SELF, &p, &made), MPI_ERR_DISP);
    CHECK(made == MPI_WIN_NULL, "no window was made");
    /* One rank's mistake is everybody's. */
    FAILS(MPI_Win_create(x, mc_rank == mc_size - 1 ? -1 : 4, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &made), MPI_ERR_SIZE);
    if (ranks_share_memory())
        FAILS(MPI_Win_allocate_shared(8, mc_rank == 0 ? -1 : 1, MPI_INFO_NULL, MPI_COMM_WORLD, &p, &made),
              MPI_ERR_DISP);
    OK(MPI_Win_create(NULL, 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &made)); /* nothing is a window, too */
    OK(MPI_Win_free(&made));
}

/* Inside an epoch. */
static void arguments(void)
{
    MPI_Datatype uncommitted, mixed, far_off;
    int lengths[2] = {1, 1};
    MPI_Aint displs[2] = {0, 8};
    MPI_Datatype parts[2] = {MPI_INT, MPI_DOUBLE};

    OK(MPI_Type_contiguous(2, MPI_INT, &uncommitted));
    OK(MPI_Type_create_struct(2, lengths, displs, parts, &mixed));
    OK(MPI_Type_commit(&mixed));
    OK(MPI_Type_create_hvector(2, 1, -4096, MPI_INT, &far_off));
    OK(MPI_Type_commit(&far_off));
    OK(MPI_Win_lock_all(0, win));
    FAILS(MPI_Put(x, 1, MPI_INT, mc_size, 0, 1, MPI_INT, win), MPI_ERR_RANK);
    FAILS(MPI_Put(x, 1, MPI_INT, -77, 0, 1, MPI_INT, win), MPI_ERR_RANK);
    FAILS(MPI_Put(x, -1, MPI_INT, 0, 0, 1, MPI_INT, win), MPI_ERR_COUNT);
    FAILS(MPI_Put(x, 1, MPI_INT, 0, 0, -1, MPI_INT, win), MPI_ERR_COUNT);
    FAILS(MPI_Put(x, 1, MPI_DATATYPE_NULL, 0, 0, 1, MPI_INT, win), MPI_ERR_TYPE);
    FAILS(MPI_Put(x, 1, MPI_INT, 0, 0, 1, uncommitted, win), MPI_ERR_TYPE);
    FAILS(MPI_Put(NULL, 1, MPI_INT, 0, 0, 1, MPI_INT, win), MPI_ERR_BUFFER);
    FAILS(MPI_Put(x, 2, MPI_INT, 0, 0, 1, MPI_INT, win), MPI_ERR_TRUNCATE);
    FAILS(MPI_Get(x, 1, MPI_INT, 0, 0, 2, MPI_INT, win), MPI_ERR_TRUNCATE);
    FAILS(MPI_Put(x, 1, MPI_INT, 0, -1, 1, MPI_INT, win), MPI_ERR_DISP);
    FAILS(MPI_Put(x, 1, MPI_INT, 0, 64, 1, MPI_INT, win), MPI_ERR_RMA_RANGE);
    FAILS(MPI_Get(x, 2, MPI_INT, 0, 63, 2, MPI_INT, win), MPI_ERR_RMA_RANGE);
    FAILS(MPI_Get(x, 1, MPI_INT, 0, (MPI_Aint)1 << 62, 1, MPI_INT, win), MPI_ERR_RMA_RANGE);
    FAILS(MPI_Put(x, 2, MPI_INT, 0, 10, 1, far_off, win), MPI_ERR_RMA_RANGE);
    FAILS(MPI_Put_c(x, INT64_MAX, MPI_INT, 0, 0, INT64_MAX, MPI_INT, win), MPI_ERR_COUNT);
    FAILS(MPI_Accumulate(x, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_OP_NULL, win), MPI_ERR_OP);
    FAILS(MPI_Accumulate(x, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_NO_OP, win), MPI_ERR_OP);
    FAILS(MPI_Accumulate(x, 1, MPI_DOUBLE, 0, 0, 1, MPI_DOUBLE, MPI_BAND, win), MPI_ERR_OP);
    FAILS(MPI_Accumulate(x, 1, MPI_FLOAT, 0, 0, 1, MPI_INT, MPI_SUM, win), MPI_ERR_TYPE);
    FAILS(MPI_Accumulate(x, 1, mixed, 0, 0, 1, mixed, MPI_SUM, win), MPI_ERR_TYPE);
    FAILS(MPI_Accumulate(x, 1, MPI_INT, 0, 64, 1, MPI_INT, MPI_SUM, win), MPI_ERR_RMA_RANGE);
    FAILS(MPI_Fetch_and_op(x, y, mixed, 0, 0, MPI_SUM, win), MPI_ERR_TYPE);
    FAILS(MPI_Fetch_and_op(x, NULL, MPI_INT, 0, 0, MPI_SUM, win), MPI_ERR_BUFFER);
    FAILS(MPI_Compare_and_swap(x, y, z, MPI_DOUBLE, 0, 0, win), MPI_ERR_TYPE);
    FAILS(MPI_Compare_and_swap(x, NULL, z, MPI_INT, 0, 0, win), MPI_ERR_BUFFER);
    FAILS(MPI_Get_accumulate(x, 1, MPI_INT, y, 0, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win), MPI_ERR_TRUNCATE);
    FAILS(MPI_Rput(x, 1, MPI_INT, 0, 0, 1, MPI_INT, win, NULL), MPI_ERR_ARG);
    OK(MPI_Win_unlock_all(win));
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < 64; i++)
        CHECK(((int *)(void *)w.base)[i] == 0, "element %d was changed to %d", i, ((int *)(void *)w.base)[i]);
    OK(MPI_Type_free(&uncommitted));
    OK(MPI_Type_free(&mixed));
    OK(MPI_Type_free(&far_off));
    MPI_Barrier(MPI_COMM_WORLD);
}

static void outside_epochs(void)
{
    MPI_Request r;
    int flag;

    FAILS(MPI_Put(x, 1, MPI_INT, 0, 0, 1, MPI_INT, win), MPI_ERR_RMA_SYNC);
    FAILS(MPI_Get(x, 1, MPI_INT, 0, 0, 1, MPI_INT, win), MPI_ERR_RMA_SYNC);
    FAILS(MPI_Accumulate(x, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win), MPI_ERR_RMA_SYNC);
    FAILS(MPI_Win_complete(win), MPI_ERR_RMA_SYNC);
    FAILS(MPI_Win_wait(win), MPI_ERR_RMA_SYNC);
    FAILS(MPI_Win_test(win, &flag), MPI_ERR_RMA_SYNC);
    FAILS(MPI_Win_unlock(0, win), MPI_ERR_RMA_SYNC);
    FAILS(MPI_Win_unlock_all(win), MPI_ERR_RMA_SYNC);
    FAILS(MPI_Win_flush(0, win), MPI_ERR_RMA_SYNC);
    FAILS(MPI_Win_flush_local_all(win), MPI_ERR_RMA_SYNC);
    FAILS(MPI_Rget(x, 1, MPI_INT, 0, 0, 1, MPI_INT, win, &r), MPI_ERR_RMA_SYNC);
}

static void epochs(void)
{
    MPI_Request r;
    MPI_Group self, world;

    OK(MPI_Comm_group(MPI_COMM_SELF, &self));
    OK(MPI_Comm_group(MPI_COMM_WORLD, &world));
    OK(MPI_Win_fence(0, win));
    FAILS(MPI_Rput(x, 1, MPI_INT, 0, 0, 1, MPI_INT, win, &r), MPI_ERR_RMA_SYNC); /* requests: passive epochs only */
    OK(MPI_Put(x, 0, MPI_INT, 0, 0, 0, MPI_INT, win));
    FAILS(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win), MPI_ERR_RMA_SYNC); /* the fence's epoch is in use */
    FAILS(MPI_Win_start(self, 0, win), MPI_ERR_RMA_SYNC);
    FAILS(MPI_Win_fence(MPI_MODE_NOPRECEDE, win), MPI_ERR_RMA_SYNC);
    OK(MPI_Win_fence(MPI_MODE_NOSUCCEED, win));
    outside_epochs();
    OK(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win));
    FAILS(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win), MPI_ERR_RMA_SYNC);
    FAILS(MPI_Win_lock_all(0, win), MPI_ERR_RMA_SYNC);
    FAILS(MPI_Win_start(self, 0, win), MPI_ERR_RMA_SYNC);
    FAILS(MPI_Win_fence(0, win), MPI_ERR_RMA_SYNC);
    FAILS(MPI_Win_unlock(mc_size, win), MPI_ERR_RANK);
    FAILS(MPI_Win_unlock_all(win), MPI_ERR_RMA_SYNC);
    if (mc_size > 1)
        FAILS(MPI_Put(x, 1, MPI_INT, 1, 0, 1, MPI_INT, win), MPI_ERR_RMA_SYNC); /* another target */
    OK(MPI_Win_unlock(0, win));
    OK(MPI_Win_lock_all(0, win));
    FAILS(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win), MPI_ERR_RMA_SYNC);
    FAILS(MPI_Win_unlock(0, win), MPI_ERR_RMA_SYNC);
    FAILS(MPI_Win_fence(0, win), MPI_ERR_RMA_SYNC);
    OK(MPI_Win_unlock_all(win));
    OK(MPI_Win_post(self, 0, win));
    FAILS(MPI_Win_post(self, 0, win), MPI_ERR_RMA_SYNC);
    FAILS(MPI_Win_fence(0, win), MPI_ERR_RMA_SYNC);
    OK(MPI_Win_start(self, 0, win));
    FAILS(MPI_Win_start(self, 0, win), MPI_ERR_RMA_SYNC);
    if (mc_size > 1)
        FAILS(MPI_Put(x, 1, MPI_INT, (mc_rank + 1) % mc_size, 0, 1, MPI_INT, win), MPI_ERR_RMA_SYNC);
    FAILS(MPI_Rput(x, 1, MPI_INT, mc_rank, 0, 1, MPI_INT, win, &r), MPI_ERR_RMA_SYNC);
    OK(MPI_Win_complete(win));
    OK(MPI_Win_wait(win));
    FAILS(MPI_Win_lock(0, 0, 0, win), MPI_ERR_LOCKTYPE);
    FAILS(MPI_Win_lock(MPI_LOCK_SHARED, -5, 0, win), MPI_ERR_RANK);
    FAILS(MPI_Win_lock(MPI_LOCK_SHARED, 0, MPI_MODE_NOPUT, win), MPI_ERR_ASSERT);
    FAILS(MPI_Win_fence(MPI_MODE_NOCHECK, win), MPI_ERR_ASSERT);
    FAILS(MPI_Win_start(self, MPI_MODE_NOSTORE, win), MPI_ERR_ASSERT);
    FAILS(MPI_Win_post(self, MPI_MODE_NOSUCCEED, win), MPI_ERR_ASSERT);
    FAILS(MPI_Win_start(MPI_GROUP_NULL, 0, win), MPI_ERR_GROUP);
    FAILS(MPI_Win_post((MPI_Group)(void *)x, 0, win), MPI_ERR_GROUP);
    FAILS(MPI_Win_attach(win, x, 4), MPI_ERR_RMA_FLAVOR);
    FAILS(MPI_Win_detach(win, x), MPI_ERR_RMA_FLAVOR);
    FAILS(MPI_Win_set_name(win, NULL), MPI_ERR_ARG);
    outside_epochs();
    OK(MPI_Group_free(&self));
    OK(MPI_Group_free(&world));
}

/* A window on part of the world knows nobody else; a window is not freed inside an epoch. */
static void members(void)
{
    MPI_Group world;
    MPI_Win own;
    int one = 1;

    OK(MPI_Comm_group(MPI_COMM_WORLD, &world));
    OK(MPI_Win_create(x, sizeof x, 4, MPI_INFO_NULL, MPI_COMM_SELF, &own));
    OK(MPI_Win_set_errhandler(own, MPI_ERRORS_RETURN));
    if (mc_size > 1)
        FAILS(MPI_Win_start(world, 0, own), MPI_ERR_GROUP);
    OK(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, own));
    FAILS(MPI_Win_free(&own), MPI_ERR_RMA_SYNC);
    CHECK(own != MPI_WIN_NULL, "the window is still there");
    OK(MPI_Win_unlock(0, own));
    OK(MPI_Win_fence(0, own));
    OK(MPI_Put(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, own));
    FAILS(MPI_Win_free(&own), MPI_ERR_RMA_SYNC);
    OK(MPI_Win_fence(0, own)); /* another one may follow, but nothing has come after this */
    OK(MPI_Win_free(&own));
    OK(MPI_Group_free(&world));
}

int main(void)
{
    mc_start();
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    handles();
    creation();
    for (int f = 0; f < DYNAMIC; f++) {
        if (!window_possible((enum flavour)f))
            continue;
        w = window_make((enum flavour)f, 256, 4);
        win = w.win;
        OK(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
        outside_epochs();
        arguments();
        epochs();
        window_free(&w);
    }
    members();
    return mc_finish();
}
