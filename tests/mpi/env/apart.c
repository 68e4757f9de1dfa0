/* SPDX-License-Identifier: BSD-3-Clause */
/* One process of a job whose processes do different things (11.3.1): its arguments are steps, taken in turn, most of
 * them a session of their own. Started by apart.py. Processes are named by their numbers in mpi://WORLD. */
#include <pthread.h>
#include <shmem.h>
#include <time.h>

#include "mcheck.h"

enum { ITEMS = 1500, ITEM = 4096, LONG = 1 << 20, MEMBERS = 16 };

static char tag[MPI_MAX_STRINGTAG_LEN]; /* of this step: its words */

static void pause_ms(long ms)
{
    nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL);
}

static MPI_Comm comm_of(MPI_Session session, const char *pset, int n, const int *members)
{
    MPI_Group all, group;
    MPI_Comm comm = MPI_COMM_NULL;

    OK(MPI_Group_from_session_pset(session, pset, &all));
    OK(MPI_Group_rank(all, &mc_rank));
    OK(MPI_Group_size(all, &mc_size));
    if (n == 0)
        group = all;
    else
        OK(MPI_Group_incl(all, n, members, &group));
    OK(MPI_Comm_create_from_group(group, tag, MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm));
    CHECK(comm != MPI_COMM_NULL, "no communicator for %s", tag);
    OK(MPI_Group_free(&group));
    if (n)
        OK(MPI_Group_free(&all));
    return comm;
}

/* "0,2": their number. */
static int read_members(const char *text, int *members)
{
    int n = 0;

    for (char *end; *text && n < MEMBERS; text = *end ? end + 1 : end)
        members[n++] = (int)strtol(text, &end, 10);
    return n;
}

/* Short and long messages, collectives, a window: all members get what the others gave. */
static void talk(MPI_Comm comm)
{
    static unsigned char out[LONG], in[LONG];
    int rank = -1, size = 0, sum = -1, next, before, put = -1, *cell;
    MPI_Win win;

    OK(MPI_Comm_rank(comm, &rank));
    OK(MPI_Comm_size(comm, &size));
    next = (rank + 1) % size;
    before = (rank + size - 1) % size;
    for (size_t n = 8; n <= LONG; n *= 128) {
        check_fill(out, n, (uint64_t)rank);
        OK(MPI_Sendrecv(out, (int)n, MPI_BYTE, next, 5, in, (int)n, MPI_BYTE, before, 5, comm, MPI_STATUS_IGNORE));
        CHECK(check_differs(in, n, (uint64_t)before) == n, "%zu bytes of rank %d", n, before);
    }
    OK(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm));
    CHECK(sum == size * (size - 1) / 2, "sum %d of %d ranks", sum, size);
    check_fill(out, LONG, 77);
    OK(MPI_Bcast(rank == size - 1 ? out : in, LONG, MPI_BYTE, size - 1, comm));
    CHECK(rank == size - 1 || check_differs(in, LONG, 77) == LONG, "broadcast");
    OK(MPI_Win_allocate(sizeof *cell, 1, MPI_INFO_NULL, comm, &cell, &win));
    OK(MPI_Win_fence(0, win));
    put = rank;
    OK(MPI_Put(&put, 1, MPI_INT, next, 0, 1, MPI_INT, win));
    OK(MPI_Win_fence(0, win));
    CHECK(*cell == before, "rank %d put %d", before, *cell);
    OK(MPI_Win_free(&win));
}

/* The first member sends all it has and leaves, the second receives late. */
static void one_way(MPI_Comm comm)
{
    static unsigned char item[ITEM], large[LONG];
    int rank = -1;
    MPI_Request request;

    OK(MPI_Comm_rank(comm, &rank));
    for (int i = 0; rank == 0 && i < ITEMS; i++) {
        check_fill(item, sizeof item, (uint64_t)i);
        OK(MPI_Send(item, i % 3 ? ITEM : 100, MPI_BYTE, 1, i, comm));
    }
    if (rank == 0) {
        check_fill(large, LONG, 99);
        OK(MPI_Isend(large, LONG, MPI_BYTE, 1, ITEMS, comm, &request));
        OK(MPI_Request_free(&request)); /* nothing of the program waits for it */
        return;
    }
    pause_ms(200);
    OK(MPI_Recv(large, LONG, MPI_BYTE, 0, ITEMS, comm, MPI_STATUS_IGNORE));
    CHECK(check_differs(large, LONG, 99) == LONG, "the long one");
    for (int i = 0; i < ITEMS; i++) {
        size_t n = i % 3 ? ITEM : 100;

        OK(MPI_Recv(item, ITEM, MPI_BYTE, 0, i, comm, MPI_STATUS_IGNORE));
        CHECK(check_differs(item, n, (uint64_t)i) == n, "message %d", i);
    }
}

static void *other_thread(void *comm)
{
    int word = 3;

    pause_ms(900); /* longer than one who waits for processes that left is given */
    OK(MPI_Send(&word, 1, MPI_INT, 0, 8, *(MPI_Comm *)comm));
    return NULL;
}

static void two_threads(MPI_Comm comm)
{
    pthread_t thread;
    int word = -1;

    CHECK(pthread_create(&thread, NULL, other_thread, &comm) == 0, "no thread");
    OK(MPI_Recv(&word, 1, MPI_INT, 0, 8, comm, MPI_STATUS_IGNORE));
    CHECK(word == 3, "got %d", word);
    pthread_join(thread, NULL);
}

/* ---------------------------------------------------------------- steps -- */

static void in_session(const char *pset, int n, const int *members, void act(MPI_Comm comm))
{
    MPI_Session session;
    MPI_Comm comm;

    OK(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session));
    comm = comm_of(session, pset, n, members);
    act(comm);
    OK(MPI_Comm_free(&comm));
    OK(MPI_Session_finalize(&session));
}

static MPI_Session kept = MPI_SESSION_NULL;

static bool take(const char *step)
{
    int members[MEMBERS], n;
    const char *arg = strchr(step, ':');

    arg = arg ? arg + 1 : "";
    n = read_members(arg, members);
    snprintf(tag, sizeof tag, "%s", step);
    if (strncmp(step, "sleep:", 6) == 0)
        pause_ms(members[0]);
    else if (strncmp(step, "exit:", 5) == 0)
        exit(members[0]);
    else if (strncmp(step, "talk:", 5) == 0)
        in_session("mpi://WORLD", n, members, talk);
    else if (strncmp(step, "send:", 5) == 0)
        in_session("mpi://WORLD", n, members, one_way);
    else if (strcmp(step, "all") == 0)
        in_session("mpi://WORLD", 0, NULL, talk);
    else if (strcmp(step, "self") == 0)
        in_session("mpi://SELF", 0, NULL, talk);
    else if (strcmp(step, "threads") == 0)
        in_session("mpi://SELF", 0, NULL, two_threads);
    else if (strcmp(step, "keep") == 0)
        OK(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &kept));
    else if (strcmp(step, "drop") == 0)
        OK(MPI_Session_finalize(&kept));
    else if (strcmp(step, "init") == 0)
        mc_start();
    else if (strcmp(step, "world") == 0)
        talk(MPI_COMM_WORLD);
    else if (strcmp(step, "finalize") == 0)
        check_failures += mc_finish();
    else if (strcmp(step, "shmem") == 0)
        shmem_init();
    else if (strcmp(step, "shmem_end") == 0)
        shmem_finalize();
    else
        return false;
    return true;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (!take(argv[i])) {
            fprintf(stderr, "FAIL: step %s is not known\n", argv[i]);
            return 2;
        }
    if (argc > 1 && strncmp(argv[1], "sleep", 5) != 0)
        printf("rank %d has taken %d steps\n", mc_rank, argc - 1);
    return check_failures != 0;
}
