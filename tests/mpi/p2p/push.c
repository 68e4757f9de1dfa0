/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages of a middle size, which over a network set out before they are asked
 * for: in rounds with random sizes and small messages in between; many that
 * nobody expects, beyond what may lie at the receiver, taken in another order;
 * both ranks sending at once; types with gaps, short buffers, probes, before the
 * message and after it; messages nobody takes. What was sent is overwritten as soon as its send is done.
 */
#include <mcheck.h>

enum { MOST = 512 << 10, ROUNDS = 200, MANY = 60, SMALL = 40 };
static unsigned char *out, *in;
static int peer;

static void put(size_t n, uint64_t seed, int tag)
{
    check_fill(out, n, seed);
    OK(MPI_Send(out, (int)n, MPI_BYTE, peer, tag, MPI_COMM_WORLD));
    memset(out, 0xee, n);
}

static void get(size_t n, uint64_t seed, int source, int tag)
{
    MPI_Status s;
    int came;

    OK(MPI_Recv(in, MOST, MPI_BYTE, source, tag, MPI_COMM_WORLD, &s));
    OK(MPI_Get_count(&s, MPI_BYTE, &came));
    CHECK((size_t)came == n && check_differs(in, n, seed) == n, "tag %d: %d bytes of %zu, wrong from %zu on", tag, came,
          n, check_differs(in, n, seed));
}

/* The generator is the same on both ranks. */
static void in_turns(uint64_t *rng)
{
    for (int i = 0; i < ROUNDS; i++) {
        size_t n = 1 + (size_t)check_random_below(rng, MOST), few = (size_t)check_random_below(rng, SMALL);

        if (i % 2 == mc_rank % 2) {
            put(n, (uint64_t)i, 1);
            put(few, (uint64_t)i + 1, 1);
        } else {
            get(n, (uint64_t)i, MPI_ANY_SOURCE, 1);
            get(few, (uint64_t)i + 1, peer, MPI_ANY_TAG);
        }
    }
}

/* The last first; a small one behind each, which must not overtake it. */
static void unexpected(size_t n)
{
    static MPI_Request request[2 * MANY];
    unsigned char *all = malloc(MANY * n);

    if (mc_rank % 2 == 0) {
        for (int i = 0; i < MANY; i++) {
            check_fill(all + (size_t)i * n, n, (uint64_t)i);
            OK(MPI_Isend(all + (size_t)i * n, (int)n, MPI_BYTE, peer, i / 2, MPI_COMM_WORLD, &request[2 * i]));
            OK(MPI_Isend(&peer, 1, MPI_INT, peer, i / 2, MPI_COMM_WORLD, &request[2 * i + 1]));
        }
        OK(MPI_Ssend(NULL, 0, MPI_BYTE, peer, MANY, MPI_COMM_WORLD));
        OK(MPI_Waitall(2 * MANY, request, MPI_STATUSES_IGNORE));
    } else {
        OK(MPI_Recv(NULL, 0, MPI_BYTE, peer, MANY, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        for (int i = MANY / 2 - 1; i >= 0; i--)
            for (int k = 0; k < 2; k++) {
                int word = -1;

                get(n, (uint64_t)(2 * i + k), peer, i);
                OK(MPI_Recv(&word, 1, MPI_INT, peer, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
                CHECK(word == mc_rank, "behind message %d: %d", 2 * i + k, word);
            }
    }
    free(all);
}

/* Both at once, each with receives that wait already. */
static void both(size_t n)
{
    enum { AT_ONCE = 20 };
    MPI_Request request[2 * AT_ONCE];
    unsigned char *came = malloc(AT_ONCE * n);

    check_fill(out, n, 7 + (uint64_t)mc_rank);
    for (int i = 0; i < AT_ONCE; i++)
        OK(MPI_Irecv(came + (size_t)i * n, (int)n, MPI_BYTE, peer, 3, MPI_COMM_WORLD, &request[i]));
    for (int i = 0; i < AT_ONCE; i++)
        OK(MPI_Isend(out, (int)n, MPI_BYTE, peer, 3, MPI_COMM_WORLD, &request[AT_ONCE + i]));
    OK(MPI_Waitall(2 * AT_ONCE, request, MPI_STATUSES_IGNORE));
    for (int i = 0; i < AT_ONCE; i++)
        CHECK(check_differs(came + (size_t)i * n, n, 7 + (uint64_t)peer) == n, "message %d of %zu bytes is wrong", i,
              n);
    free(came);
}

static int class_of(int code)
{
    int class = -1;

    MPI_Error_class(code, &class);
    return class;
}

/* Receives that wait before the messages come, or begin when they have come: of another shape, too short, of nothing.
 */
static void receives(MPI_Datatype gaps, int n, bool before, bool receiver)
{
    enum { EACH = 4 };
    int *sent = (int *)(void *)out, *back = (int *)(void *)in, few[10] = {0}, word = -1;
    MPI_Request r[EACH];
    MPI_Status s[EACH];

    memset(in, 0, MOST);
    for (int i = 0; i < 2 * n; i++)
        sent[i] = 100000 * mc_rank + i;
    if (receiver != before)
        OK(MPI_Barrier(MPI_COMM_WORLD));
    if (!receiver) {
        for (int i = 0; i < EACH; i++)
            OK(MPI_Isend(sent, i == EACH - 1 ? 1 : n, MPI_INT, peer, 4 + i, MPI_COMM_WORLD, &r[i]));
    } else {
        OK(MPI_Irecv(back, 1, gaps, peer, 4, MPI_COMM_WORLD, &r[0]));
        OK(MPI_Irecv(few, 10, MPI_INT, peer, 5, MPI_COMM_WORLD, &r[1]));
        OK(MPI_Irecv(NULL, 0, MPI_INT, peer, 6, MPI_COMM_WORLD, &r[2]));
        OK(MPI_Irecv(&word, 1, MPI_INT, peer, 7, MPI_COMM_WORLD, &r[3]));
    }
    if (receiver == before)
        OK(MPI_Barrier(MPI_COMM_WORLD));
    if (!receiver) {
        OK(MPI_Waitall(EACH, r, MPI_STATUSES_IGNORE));
        return;
    }
    FAILS(MPI_Waitall(EACH, r, s), MPI_ERR_IN_STATUS);
    for (int i = 0; i < EACH; i++)
        CHECK(class_of(s[i].MPI_ERROR) == (i == 1 || i == 2 ? MPI_ERR_TRUNCATE : MPI_SUCCESS), "receive %d: class %d",
              i, class_of(s[i].MPI_ERROR));
    CHECK(word == 100000 * peer && few[9] == word + 9, "%d, %d", word, few[9]);
    for (int i = 0; i < n; i++)
        if (!CHECK(back[2 * i] == word + i && back[2 * i + 1] == 0, "element %d is %d, behind it %d", i, back[2 * i],
                   back[2 * i + 1]))
            break;
}

static void shapes(int N)
{
    int *sent = (int *)(void *)out, *back = (int *)(void *)in;
    MPI_Datatype gaps;
    MPI_Status s;
    int n;

    OK(MPI_Type_vector(N, 1, 2, MPI_INT, &gaps));
    OK(MPI_Type_commit(&gaps));
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (int i = 0; i < 2 * N; i++)
        sent[i] = 100000 * mc_rank + i;
    for (int k = 0; k < 2; k++) {
        if (mc_rank % 2 == k) {
            OK(MPI_Send(sent, N, MPI_INT, peer, 4, MPI_COMM_WORLD));
            OK(MPI_Send(sent, N, MPI_INT, peer, 5, MPI_COMM_WORLD));
            OK(MPI_Ssend(sent, N, MPI_INT, peer, 6, MPI_COMM_WORLD));
            continue;
        }
        memset(in, 0, MOST);
        OK(MPI_Recv(back, 1, gaps, peer, 4, MPI_COMM_WORLD, &s));
        for (int i = 0; i < N; i++)
            if (!CHECK(back[2 * i] == 100000 * peer + i && back[2 * i + 1] == 0, "element %d is %d, behind it %d", i,
                       back[2 * i], back[2 * i + 1]))
                break;
        FAILS(MPI_Recv(back, 10, MPI_INT, peer, 5, MPI_COMM_WORLD, &s), MPI_ERR_TRUNCATE);
        OK(MPI_Probe(MPI_ANY_SOURCE, 6, MPI_COMM_WORLD, &s));
        OK(MPI_Get_count(&s, MPI_INT, &n));
        CHECK(n == N, "probed: %d", n);
        OK(MPI_Recv(back, N, MPI_INT, peer, 6, MPI_COMM_WORLD, &s));
        CHECK(back[N - 1] == 100000 * peer + N - 1, "last element %d", back[N - 1]);
    }
    for (int i = 0; i < 4; i++)
        receives(gaps, N, i % 2, mc_rank % 2 == i / 2);
    OK(MPI_Type_free(&gaps));
}

/* What nobody takes is given back with its communicator: else the later ones would find no room. 12000 bytes are pushed
 * by all networks. */
static void lost(void)
{
    const char *transport = getenv("MPT_TRANSPORT");

    if (!transport || getenv("MPI_BUFFER_MAX") || getenv("MPT_PUSH_MAX")) /* there it would wait */
        return;
    for (int round = 0; round < 8; round++) {
        MPI_Comm comm;

        OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
        OK(MPI_Barrier(comm)); /* what was taken before has been told */
        for (int i = 0; i < 16; i++)
            OK(MPI_Send(out, 12000, MPI_BYTE, peer, i, comm));
        OK(MPI_Barrier(comm));
        OK(MPI_Barrier(comm));
        OK(MPI_Comm_free(&comm));
    }
}

int main(void)
{
    static const size_t sizes[] = {9000, 16384, 32768, 65536, 65537, 66990, 131072, 262144, 262145};
    uint64_t rng;

    mc_start();
    if (mc_size % 2)
        mc_skip("an even number of ranks is needed");
    peer = mc_rank ^ 1;
    rng = check_seed(11);
    out = malloc(MOST);
    in = malloc(MOST);
    in_turns(&rng);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        unexpected(sizes[i]);
        both(sizes[i]);
    }
    shapes(8000);
    shapes(60000);
    lost();
    free(out);
    free(in);
    return mc_finish();
}
