/* SPDX-License-Identifier: BSD-3-Clause */
/* Processes die at random times while all do random collectives and messages; those who live revoke, shrink and go on.
 * Whatever call succeeds must have the right result, agreements must be the same everywhere, and nobody may hang.
 * Usage: soak [seed [milliseconds in which they die]] */
#include <pthread.h>
#include <signal.h>
#include <sys/time.h>

#include "mpi/mcheck.h"

enum { MOST = 300000 };

static MPI_Comm comm;
static int rank, size, generation, survivors;
static int *in, *out, *counts, *displs;

static uint64_t draw(uint64_t a, uint64_t b)
{
    uint64_t x = a * 0x9e3779b97f4a7c15u ^ (b + 0x1234567) * 0xbf58476d1ce4e5b9u;

    x ^= x >> 31;
    x *= 0x94d049bb133111ebu;
    return x ^ x >> 29;
}

static void die(int sig)
{
    (void)sig;
    kill(getpid(), SIGKILL);
}

/* Of the ranks but 0 (who judges) and some others each has its time to die. */
static void set_alarm(uint64_t seed, unsigned ms)
{
    int victims = mc_size > 2 ? 1 + (int)(draw(seed, 77) % (unsigned)(mc_size - 1)) : mc_size - 1;
    uint64_t us = 1 + draw(seed, 1000 + (uint64_t)mc_rank) % (ms * 1000ull);
    struct itimerval when = {.it_value = {(time_t)(us / 1000000), (suseconds_t)(us % 1000000)}};

    survivors = mc_size - victims;
    if (mc_rank == 0 || mc_rank < survivors)
        return;
    signal(SIGALRM, die);
    setitimer(ITIMER_REAL, &when, NULL);
}

static int value(int of, int i, int turn)
{
    return of * 1000003 + i * 7 + turn;
}

static void fill(int n, int turn)
{
    for (int i = 0; i < n; i++)
        in[i] = value(rank, i, turn);
    memset(out, 0xee, (size_t)n * sizeof *out);
}

static void expect(int n, int turn, int of, const int *got, const char *what)
{
    for (int i = 0; i < n; i++)
        if (!CHECK(got[i] == value(of, i, turn), "%s, generation %d, turn %d: element %d of rank %d is %d, not %d",
                   what, generation, turn, i, of, got[i], value(of, i, turn)))
            return;
}

static void expect_sum(int n, int turn, int ranks, const char *what)
{
    for (int i = 0; i < n; i++) {
        unsigned sum = 0;

        for (int r = 0; r < ranks; r++)
            sum += (unsigned)value(r, i, turn);
        if (!CHECK(out[i] == (int)sum, "%s, generation %d, turn %d: element %d is %d, not %d", what, generation, turn,
                   i, out[i], (int)sum))
            return;
    }
}

static void add(void *a, void *b, int *n, MPI_Datatype *t)
{
    unsigned *x = a, *y = b;

    (void)t;
    for (int i = 0; i < *n; i++)
        y[i] += x[i];
}

static MPI_Op own_sum;

static int wait_for(int code, MPI_Request *request)
{
    return code == MPI_SUCCESS ? MPI_Wait(request, MPI_STATUS_IGNORE) : code;
}

/* Neighbours in a ring, by every mode. */
static int ring(int n, int turn, int mode)
{
    int right = (rank + 1) % size, left = (rank + size - 1) % size, code, other = MPI_SUCCESS;
    MPI_Request requests[2];

    if (mode == 0) {
        code = MPI_Sendrecv(in, n, MPI_INT, right, turn, out, n, MPI_INT, left, turn, comm, MPI_STATUS_IGNORE);
    } else {
        code = MPI_Irecv(out, n, MPI_INT, mode == 3 ? MPI_ANY_SOURCE : left, turn, comm, &requests[0]);
        if (code != MPI_SUCCESS)
            return code;
        code = mode == 2 ? MPI_Issend(in, n, MPI_INT, right, turn, comm, &requests[1])
                         : MPI_Isend(in, n, MPI_INT, right, turn, comm, &requests[1]);
        if (code == MPI_SUCCESS)
            code = MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
        if (code != MPI_SUCCESS)
            MPIX_Comm_revoke(comm); /* the receive ends, too */
        other = MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
        if (requests[0] != MPI_REQUEST_NULL) { /* still pending: somebody else may send */
            MPI_Cancel(&requests[0]);
            MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
        }
    }
    code = code != MPI_SUCCESS ? code : other;
    if (code == MPI_SUCCESS)
        expect(n, turn, left, out, "ring");
    return code;
}

static int gather_like(int kind, int n, int turn, int root)
{
    MPI_Request request;
    int code;

    for (int r = 0; r < size; r++) {
        counts[r] = n;
        displs[r] = r * n;
    }
    switch (kind) {
    case 0:
        code = MPI_Allgather(in, n, MPI_INT, out, n, MPI_INT, comm);
        break;
    case 1:
        code = MPI_Gather(in, n, MPI_INT, out, n, MPI_INT, root, comm);
        break;
    case 2:
        code = wait_for(MPI_Iallgather(in, n, MPI_INT, out, n, MPI_INT, comm, &request), &request);
        break;
    case 3:
        code = MPI_Allgatherv(in, n, MPI_INT, out, counts, displs, MPI_INT, comm);
        break;
    default:
        code = MPI_Gatherv(in, n, MPI_INT, out, counts, displs, MPI_INT, root, comm);
        break;
    }
    for (int r = 0; code == MPI_SUCCESS && r < size; r++)
        if ((kind != 1 && kind != 4) || rank == root)
            expect(n, turn, r, out + (size_t)r * (size_t)n, "gather");
    return code;
}

static int all_to_all(int n, int turn, bool later)
{
    MPI_Request request;
    int code;

    for (int r = 0; r < size; r++)
        for (int i = 0; i < n; i++)
            in[r * n + i] = value(rank * 64 + r, i, turn);
    code = later ? wait_for(MPI_Ialltoall(in, n, MPI_INT, out, n, MPI_INT, comm, &request), &request)
                 : MPI_Alltoall(in, n, MPI_INT, out, n, MPI_INT, comm);
    for (int r = 0; code == MPI_SUCCESS && r < size; r++)
        expect(n, turn, r * 64 + rank, out + (size_t)r * (size_t)n, "alltoall");
    return code;
}

static int broadcast(int n, int turn, int root, bool later)
{
    MPI_Request request;
    int code;

    if (rank == root)
        memcpy(out, in, (size_t)n * sizeof *in);
    code = later ? wait_for(MPI_Ibcast(out, n, MPI_INT, root, comm, &request), &request)
                 : MPI_Bcast(out, n, MPI_INT, root, comm);
    if (code == MPI_SUCCESS)
        expect(n, turn, root, out, "bcast");
    return code;
}

static int reduce_like(int kind, int n, int turn, int root)
{
    MPI_Request request;
    int code;

    switch (kind) {
    case 0:
        code = MPI_Allreduce(in, out, n, MPI_INT, MPI_SUM, comm);
        break;
    case 1:
        code = MPI_Reduce(in, out, n, MPI_INT, MPI_SUM, root, comm);
        break;
    case 2:
        code = wait_for(MPI_Iallreduce(in, out, n, MPI_INT, MPI_SUM, comm, &request), &request);
        break;
    case 3:
        code = MPI_Scan(in, out, n, MPI_INT, MPI_SUM, comm);
        break;
    default:
        code = MPI_Allreduce(in, out, n, MPI_INT, own_sum, comm);
        break;
    }
    if (code == MPI_SUCCESS && (kind != 1 || rank == root))
        expect_sum(n, turn, kind == 3 ? rank + 1 : size, "reduction");
    return code;
}

static int persistent(int n, int turn)
{
    MPI_Request request;
    int code = MPI_Allreduce_init(in, out, n, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &request);

    if (code != MPI_SUCCESS)
        return code;
    for (int i = 0; i < 3 && code == MPI_SUCCESS; i++) {
        code = MPI_Start(&request);
        if (code == MPI_SUCCESS)
            code = MPI_Wait(&request, MPI_STATUS_IGNORE);
        if (code == MPI_SUCCESS)
            expect_sum(n, turn, size, "persistent reduction");
    }
    MPI_Request_free(&request);
    return code;
}

static int new_comm(int kind)
{
    MPI_Comm made = MPI_COMM_NULL;
    int code = kind == 0 ? MPI_Comm_dup(comm, &made) : MPI_Comm_split(comm, rank % 2, rank, &made), mine = 1, sum = 0,
        n;

    if (code != MPI_SUCCESS)
        return code;
    MPI_Comm_size(made, &n);
    code = MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, made);
    CHECK(code != MPI_SUCCESS || sum == n, "%d of %d in a new communicator", sum, n);
    if (code != MPI_SUCCESS) /* others of it may have had more luck, and wait */
        MPIX_Comm_revoke(made);
    MPI_Comm_free(&made);
    return code;
}

static int any_call(uint64_t seed, int turn)
{
    static const int lengths[] = {0, 1, 5, 100, 2000, 12000, 50000};
    uint64_t what = draw(seed, (uint64_t)generation << 32 | (uint64_t)turn);
    int n = lengths[(what >> 8) % 7], root = (int)((what >> 20) % (unsigned)size), kind = (int)((what >> 32) % 5);

    if (n * size > MOST)
        n = MOST / size;
    fill(n, turn);
    switch (what % 9) {
    case 0:
        return MPI_Barrier(comm);
    case 1:
        return broadcast(n, turn, root, kind % 2);
    case 2:
        return gather_like(kind, n, turn, root);
    case 3:
        return all_to_all(n, turn, kind % 2);
    case 4:
        return reduce_like(kind, n, turn, root);
    case 5:
        return ring(n, turn, kind % 4);
    case 6:
        return persistent(n, turn);
    case 7:
        return new_comm(kind % 2);
    default:
        return reduce_like(kind, n / 7, turn, root);
    }
}

/* Until an agreement says that nobody has failed in it. All who live must be told the same. */
static void recover(void)
{
    MPI_Comm next;
    int code, flag, lowest, class;

    for (;;) {
        MPIX_Comm_revoke(comm);
        OK(MPIX_Comm_shrink(comm, &next));
        if (comm != MPI_COMM_WORLD)
            MPI_Comm_free(&comm);
        comm = next;
        generation++;
        MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
        MPI_Comm_rank(comm, &rank);
        MPI_Comm_size(comm, &size);
        flag = ~(1 << rank % 31);
        code = MPIX_Comm_agree(comm, &flag);
        MPI_Error_class(code, &class);
        CHECK(code == MPI_SUCCESS || class == MPIX_ERR_PROC_FAILED, "an agreement gave class %d", class);
        if (code != MPI_SUCCESS)
            continue;
        lowest = ~0;
        for (int r = 0; r < size; r++)
            lowest &= ~(1 << r % 31);
        CHECK(flag == lowest, "generation %d: an agreement of %d gave %x, not %x", generation, size, (unsigned)flag,
              (unsigned)lowest);
        return;
    }
}

/* With some seeds another thread is in MPI all the time, */
static void *chatter(void *stop)
{
    int x = 0, y = 0;

    while (!__atomic_load_n((bool *)stop, __ATOMIC_RELAXED)) {
        OK(MPI_Sendrecv(&x, 1, MPI_INT, 0, 1, &y, 1, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE));
        CHECK(x == y, "%d sent, %d received", x, y);
        x++;
        usleep(100);
    }
    return NULL;
}

/* and with some, one more dies at the very end. */
static void die_at_the_end(uint64_t seed)
{
    struct itimerval soon = {.it_value = {0, 1 + (suseconds_t)(draw(seed, 5) % 2000)}};

    if (seed % 2 == 0 || mc_rank == 0 || mc_rank != survivors - 1)
        return;
    signal(SIGALRM, die);
    setitimer(ITIMER_REAL, &soon, NULL);
}

int main(int argc, char **argv)
{
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    unsigned ms = argc > 2 ? (unsigned)atoi(argv[2]) : 100;
    int more = 60, class, provided;
    bool threads = seed % 4 == 3, stop = false;
    pthread_t other;

    MPI_Init_thread(&argc, &argv, threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
    if (threads)
        pthread_create(&other, NULL, chatter, &stop);
    mc_identify();
    in = malloc(2 * MOST * sizeof *in);
    out = malloc(2 * MOST * sizeof *out);
    counts = malloc((size_t)mc_size * sizeof *counts);
    displs = malloc((size_t)mc_size * sizeof *displs);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Op_create(add, 1, &own_sum);
    comm = MPI_COMM_WORLD;
    rank = mc_rank;
    size = mc_size;
    MPI_Barrier(comm);
    set_alarm(seed, ms);
    for (int turn = 0; size > survivors || more > 0; turn++) {
        int code = any_call(seed, turn);

        more -= code == MPI_SUCCESS && size == survivors;
        if (code == MPI_SUCCESS)
            continue;
        MPI_Error_class(code, &class);
        CHECK(class == MPIX_ERR_PROC_FAILED || class == MPIX_ERR_REVOKED || class == MPIX_ERR_PROC_FAILED_PENDING,
              "generation %d, turn %d: class %d", generation, turn, class);
        recover();
        turn = 0;
    }
    CHECK(size == survivors, "%d are left, not %d", size, survivors);
    if (comm != MPI_COMM_WORLD)
        MPI_Comm_free(&comm);
    MPI_Op_free(&own_sum);
    __atomic_store_n(&stop, true, __ATOMIC_RELAXED);
    if (threads)
        pthread_join(other, NULL);
    die_at_the_end(seed);
    MPI_Finalize();
    return check_failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
