/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Programs that wait in loops of their own: a word, or a message, goes round the ring of all ranks, and each looks for
 * it in one of the ways there are without a call that waits. Where ranks share cores none of them may keep the core for
 * a time slice, which would take some hundred times as long as a loop over MPI_Test.
 */
#include <sched.h>

#include "mcheck.h"

enum { LAPS = 30, ATTEMPTS = 4, MUCH = 100 /* times as long: up to 20 are usual, slices make it 300 and more */ };
static const double SHORT = 4e-3; /* seconds for a lap: with slices it is one for each rank or more */

static MPI_Win win, own; /* own: the one whose epochs are by post and start */
static volatile long *word;
static MPI_Group before, after;
static MPI_Request out[2], in[2]; /* partitioned; a plain receive */
static long sent, came;
static int next, previous;

/* ---- how it is passed on ---- */

static void by_word(long lap)
{
    OK(MPI_Accumulate(&lap, 1, MPI_LONG, next, 0, 1, MPI_LONG, MPI_REPLACE, win));
    OK(MPI_Win_flush(next, win));
}

static void by_message(long lap)
{
    OK(MPI_Send(&lap, 1, MPI_LONG, next, 0, MPI_COMM_WORLD));
}

static void by_partition(long lap)
{
    OK(MPI_Wait(&out[0], MPI_STATUS_IGNORE)); /* of the lap before */
    sent = lap;
    OK(MPI_Start(&out[0]));
    OK(MPI_Pready(0, out[0]));
}

static void by_epoch(long lap)
{
    (void)lap;
    OK(MPI_Win_start(after, 0, own));
    OK(MPI_Win_complete(own));
}

/* ---- how it is looked for ---- */

static bool sync_load(long lap)
{
    OK(MPI_Win_sync(win));
    return *word >= lap;
}

static bool flush_load(long lap)
{
    OK(MPI_Win_flush(mc_rank, win));
    return *word >= lap;
}

static bool flush_local_all_load(long lap)
{
    OK(MPI_Win_flush_local_all(win));
    return *word >= lap;
}

static bool fetch(long lap)
{
    long got = -1;

    OK(MPI_Fetch_and_op(NULL, &got, MPI_LONG, mc_rank, 0, MPI_NO_OP, win));
    OK(MPI_Win_flush_local(mc_rank, win));
    return got >= lap;
}

static bool swap(long lap)
{
    long got = -1, never = -1;

    OK(MPI_Compare_and_swap(&never, &never, &got, MPI_LONG, mc_rank, 0, win));
    OK(MPI_Win_flush(mc_rank, win));
    return got >= lap;
}

static bool get(long lap)
{
    long got = -1;

    OK(MPI_Get(&got, 1, MPI_LONG, mc_rank, 0, 1, MPI_LONG, win));
    OK(MPI_Win_flush_local(mc_rank, win));
    return got >= lap;
}

static bool get_request(long lap)
{
    long got = -1;
    MPI_Request r;

    OK(MPI_Rget(&got, 1, MPI_LONG, mc_rank, 0, 1, MPI_LONG, win, &r));
    OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
    return got >= lap;
}

/* An epoch of its own for each look. */
static bool lock_get(long lap)
{
    long got = -1;

    OK(MPI_Win_lock(MPI_LOCK_SHARED, mc_rank, 0, win));
    OK(MPI_Get(&got, 1, MPI_LONG, mc_rank, 0, 1, MPI_LONG, win));
    OK(MPI_Win_unlock(mc_rank, win));
    return got >= lap;
}

static bool lock_load(long lap)
{
    long got;

    OK(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, mc_rank, 0, win));
    got = *word;
    OK(MPI_Win_unlock(mc_rank, win));
    return got >= lap;
}

static bool lock_all_load(long lap)
{
    long got;

    OK(MPI_Win_lock_all(0, win));
    got = *word;
    OK(MPI_Win_unlock_all(win));
    return got >= lap;
}

static void receive(void)
{
    OK(MPI_Irecv(&came, 1, MPI_LONG, previous, 0, MPI_COMM_WORLD, &in[1]));
}

static bool test(long lap)
{
    int flag = 0;

    (void)lap;
    OK(MPI_Test(&in[1], &flag, MPI_STATUS_IGNORE));
    return flag;
}

static bool test_some(long lap)
{
    int n = 0, at;

    (void)lap;
    OK(MPI_Testsome(1, &in[1], &n, &at, MPI_STATUSES_IGNORE));
    return n > 0;
}

static bool get_status(long lap)
{
    int flag = 0;

    (void)lap;
    OK(MPI_Request_get_status(in[1], &flag, MPI_STATUS_IGNORE));
    if (flag)
        OK(MPI_Wait(&in[1], MPI_STATUS_IGNORE));
    return flag;
}

static bool get_status_any(long lap)
{
    int flag = 0, at;

    (void)lap;
    OK(MPI_Request_get_status_any(1, &in[1], &at, &flag, MPI_STATUS_IGNORE));
    if (flag)
        OK(MPI_Wait(&in[1], MPI_STATUS_IGNORE));
    return flag;
}

static bool iprobe(long lap)
{
    int flag = 0;

    (void)lap;
    OK(MPI_Iprobe(previous, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE));
    if (flag)
        OK(MPI_Recv(&came, 1, MPI_LONG, previous, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    return flag;
}

static bool improbe(long lap)
{
    MPI_Message message;
    int flag = 0;

    (void)lap;
    OK(MPI_Improbe(previous, 0, MPI_COMM_WORLD, &flag, &message, MPI_STATUS_IGNORE));
    if (flag)
        OK(MPI_Mrecv(&came, 1, MPI_LONG, &message, MPI_STATUS_IGNORE));
    return flag;
}

static void receive_partition(void)
{
    OK(MPI_Wait(&in[0], MPI_STATUS_IGNORE));
    OK(MPI_Start(&in[0]));
}

static bool parrived(long lap)
{
    int flag = 0;

    (void)lap;
    OK(MPI_Parrived(in[0], 0, &flag));
    return flag;
}

static void post(void)
{
    OK(MPI_Win_post(before, 0, own));
}

static bool win_test(long lap)
{
    int flag = 0;

    (void)lap;
    OK(MPI_Win_test(own, &flag));
    return flag;
}

enum epoch { ALL, EACH };
static const struct way {
    const char *name;
    void (*pass)(long lap);
    bool (*arrived)(long lap);
    void (*prepare)(void);
    enum epoch epoch;
} ways[] = {
    {"MPI_Test", by_message, test, receive, ALL},
    {"MPI_Testsome", by_message, test_some, receive, ALL},
    {"MPI_Request_get_status", by_message, get_status, receive, ALL},
    {"MPI_Request_get_status_any", by_message, get_status_any, receive, ALL},
    {"MPI_Iprobe", by_message, iprobe, NULL, ALL},
    {"MPI_Improbe", by_message, improbe, NULL, ALL},
    {"MPI_Parrived", by_partition, parrived, receive_partition, ALL},
    {"MPI_Win_test", by_epoch, win_test, post, ALL},
    {"MPI_Win_sync and a load", by_word, sync_load, NULL, ALL},
    {"MPI_Win_flush and a load", by_word, flush_load, NULL, ALL},
    {"MPI_Win_flush_local_all and a load", by_word, flush_local_all_load, NULL, ALL},
    {"MPI_Fetch_and_op", by_word, fetch, NULL, ALL},
    {"MPI_Compare_and_swap", by_word, swap, NULL, ALL},
    {"MPI_Get", by_word, get, NULL, ALL},
    {"MPI_Rget and MPI_Wait", by_word, get_request, NULL, ALL},
    {"MPI_Win_lock and MPI_Get", by_word, lock_get, NULL, EACH},
    {"MPI_Win_lock and a load", by_word, lock_load, NULL, EACH},
    {"MPI_Win_lock_all and a load", by_word, lock_all_load, NULL, EACH},
};

static void pass_on(const struct way *way, long lap)
{
    if (way->epoch == EACH)
        OK(MPI_Win_lock(MPI_LOCK_SHARED, next, 0, win));
    way->pass(lap);
    if (way->epoch == EACH)
        OK(MPI_Win_unlock(next, win));
}

static void wait_for(const struct way *way, long lap)
{
    double start = MPI_Wtime();

    for (unsigned n = 1; !way->arrived(lap); n++)
        if (n % 4096 == 0 && MPI_Wtime() > start + 50) {
            CHECK(false, "%s: lap %ld: nothing for 50 s", way->name, lap);
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
}

/* Seconds for LAPS laps, the same on all ranks. */
static double laps(const struct way *way)
{
    double spent;

    *word = 0;
    if (way->epoch == ALL)
        OK(MPI_Win_lock_all(0, win));
    MPI_Barrier(MPI_COMM_WORLD);
    spent = MPI_Wtime();
    for (long lap = 1; lap <= LAPS; lap++) {
        if (way->prepare)
            way->prepare();
        if (mc_rank == 0)
            pass_on(way, lap);
        wait_for(way, lap);
        if (mc_rank != 0)
            pass_on(way, lap);
    }
    spent = MPI_Wtime() - spent;
    if (way->epoch == ALL)
        OK(MPI_Win_unlock_all(win));
    MPI_Bcast(&spent, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    return spent;
}

static void set_up(void)
{
    MPI_Group all;

    next = (mc_rank + 1) % mc_size;
    previous = (mc_rank + mc_size - 1) % mc_size;
    OK(MPI_Comm_group(MPI_COMM_WORLD, &all));
    OK(MPI_Group_incl(all, 1, &next, &after));
    OK(MPI_Group_incl(all, 1, &previous, &before));
    OK(MPI_Group_free(&all));
    OK(MPI_Win_allocate(sizeof *word, sizeof *word, MPI_INFO_NULL, MPI_COMM_WORLD, (void *)&word, &win));
    OK(MPI_Win_create(NULL, 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &own));
    OK(MPI_Psend_init(&sent, 1, 1, MPI_LONG, next, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &out[0]));
    OK(MPI_Precv_init(&came, 1, 1, MPI_LONG, previous, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &in[0]));
}

static void tear_down(void)
{
    OK(MPI_Waitall(1, out, MPI_STATUSES_IGNORE));
    OK(MPI_Waitall(1, in, MPI_STATUSES_IGNORE));
    OK(MPI_Request_free(&out[0]));
    OK(MPI_Request_free(&in[0]));
    OK(MPI_Win_free(&own));
    OK(MPI_Win_free(&win));
    OK(MPI_Group_free(&before));
    OK(MPI_Group_free(&after));
}

int main(void)
{
    cpu_set_t cores;
    bool share;

    mc_start();
    share = sched_getaffinity(0, sizeof cores, &cores) == 0 && CPU_COUNT(&cores) < mc_size;
    set_up();
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        double times = 1e9, usual = 1;

        for (int attempt = 0; attempt < ATTEMPTS && times > MUCH && times * usual > SHORT * LAPS; attempt++) {
            usual = laps(&ways[0]);
            times = laps(&ways[i]) / usual; /* all ranks have the same two numbers */
        }
        if (mc_rank == 0 && getenv("MC_VERBOSE"))
            fprintf(stderr, "%-36s %8.1f us, %6.1f times\n", ways[i].name, times * usual / LAPS * 1e6, times);
        CHECK(!share || times <= MUCH || times * usual <= SHORT * LAPS,
              "%s: %.0f times as long as a loop over MPI_Test", ways[i].name, times);
    }
    tear_down();
    return mc_finish();
}
