/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Files with several threads: each has a file of its own with all ranks, and all use
 * one file together by explicit offsets and by its shared pointer.
 */
#include <pthread.h>

#include "io/folder.h"

enum { THREADS = 3, TURNS = 12, N = 200, RECORDS = 40 };

static MPI_Comm comms[THREADS];
static MPI_File together;

static void interleaved(MPI_File f, int thread)
{
    int out[N], in[N], wrong = 0;
    MPI_Status status;
    MPI_Request r = MPI_REQUEST_NULL;

    for (int turn = 0; turn < TURNS; turn++) {
        for (int i = 0; i < N; i++)
            out[i] = (thread * 100 + turn) * 1000 + i * 10 + mc_rank;
        if (turn % 2)
            OK(MPI_File_write_at_all(f, turn * N, out, N, MPI_INT, &status));
        else
            OK(MPI_File_iwrite_at_all(f, turn * N, out, N, MPI_INT, &r));
        OK(MPI_Wait(&r, &status));
        OK(MPI_File_read_at_all(f, turn * N, in, N, MPI_INT, &status));
        wrong += memcmp(in, out, sizeof in) != 0;
    }
    CHECK(wrong == 0, "thread %d: %d turns read other data", thread, wrong);
}

static void records(int thread)
{
    MPI_Status status;

    for (int i = 0; i < RECORDS; i++) {
        int record = (mc_rank * THREADS + thread) * RECORDS + i;

        OK(MPI_File_write_shared(together, &record, 1, MPI_INT, &status));
    }
}

static void *run(void *arg)
{
    int thread = (int)(intptr_t)arg;
    char name[32];
    MPI_Datatype t;
    MPI_Info info;
    MPI_File f;

    snprintf(name, sizeof name, "thread%d", thread);
    MPI_Info_create(&info);
    MPI_Info_set(info, "romio_cb_write", "enable");
    OK(MPI_File_open(comms[thread], name, MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE, info, &f));
    MPI_Info_free(&info);
    OK(MPI_Type_create_resized(MPI_INT, 0, 4 * mc_size, &t));
    OK(MPI_Type_commit(&t));
    OK(MPI_File_set_view(f, 4 * mc_rank, MPI_INT, t, "native", MPI_INFO_NULL));
    MPI_Type_free(&t);
    interleaved(f, thread);
    records(thread);
    OK(MPI_File_close(&f));
    return NULL;
}

static void check_records(void)
{
    static int all[8 * THREADS * RECORDS], seen[8 * THREADS * RECORDS];
    int n = mc_size * THREADS * RECORDS;
    MPI_Status status;

    OK(MPI_File_read_at_all(together, 0, all, n, MPI_INT, &status));
    CHECK(count_of(&status, MPI_INT) == n, "file has %lld records, expected %d", (long long)count_of(&status, MPI_INT),
          n);
    for (int i = 0; i < n; i++)
        if (CHECK(all[i] >= 0 && all[i] < n, "record %d is %d", i, all[i]))
            CHECK(seen[all[i]]++ == 0, "record %d is there twice", all[i]);
}

int main(void)
{
    pthread_t threads[THREADS];

    mc_start_threads();
    folder_make();
    CHECK(chdir(folder) == 0, "chdir");
    for (int i = 0; i < THREADS; i++)
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
    OK(MPI_File_open(MPI_COMM_WORLD, "together", MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE,
                     MPI_INFO_NULL, &together));
    OK(MPI_File_set_view(together, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], NULL, run, (void *)(intptr_t)i) == 0, "pthread_create");
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    OK(MPI_File_sync(together));
    check_records();
    OK(MPI_File_close(&together));
    for (int i = 0; i < THREADS; i++)
        MPI_Comm_free(&comms[i]);
    CHECK(chdir("/") == 0, "chdir");
    folder_remove();
    return mc_finish();
}
