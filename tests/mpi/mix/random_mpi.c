/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The random program's operations of MPI: messages that are received when it pleases, at the latest when accounts are
 * settled, and windows.
 */
#include "random.h"

enum { SENDS = 8, SHORT = 600, LONG = 40000, TAGS = 4 };

static struct {
    MPI_Request request[SENDS];
    char *body[SENDS];
    long *sent, *received; /* messages, by PE */
    MPI_Win win, locked;
    char *slots;          /* a slot for each PE, then a word that all add to */
    uint64_t *words;      /* of PE 0: changed under its lock */
    uint64_t *written;    /* the seed of this PE's slot at each */
    uint64_t added, guarded;
} m;

static MPI_Aint word_at(void)
{
    return (MPI_Aint)mc_size * RANDOM_SLOT;
}

void random_mpi_start(void)
{
    memset(&m, 0, sizeof m);
    for (int i = 0; i < SENDS; i++) {
        m.request[i] = MPI_REQUEST_NULL;
        m.body[i] = malloc(LONG);
    }
    m.sent = calloc((size_t)mc_size, sizeof *m.sent);
    m.received = calloc((size_t)mc_size, sizeof *m.received);
    m.written = calloc((size_t)mc_size, sizeof *m.written);
    EXPECT(m.body[SENDS - 1] && m.sent && m.received && m.written, "no memory");
    OK(MPI_Win_allocate(word_at() + (MPI_Aint)sizeof(uint64_t), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &m.slots, &m.win));
    OK(MPI_Win_allocate(mc_rank == 0 ? (MPI_Aint)sizeof(uint64_t) : 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &m.words,
                        &m.locked));
    memset(m.slots, 0, (size_t)word_at() + sizeof(uint64_t));
    if (mc_rank == 0)
        *m.words = 0;
    OK(MPI_Win_lock_all(0, m.win));
    OK(MPI_Win_sync(m.win));
}

static uint64_t body_seed(int from, int to, long number)
{
    return random_run.seed + check_mix((uint64_t)from * 1024 + (uint64_t)to) + (uint64_t)number;
}

/* Messages of one PE come in order, whatever their tags. */
static void take(int n, const char *body, const MPI_Status *status)
{
    const int from = status->MPI_SOURCE;
    long number;

    if (!CHECK(n >= (int)sizeof number, "a message of %d bytes from rank %d", n, from))
        return;
    memcpy(&number, body, sizeof number);
    CHECK(number == m.received[from], "message %ld of rank %d came as number %ld", number, from, m.received[from]);
    CHECK(status->MPI_TAG == number % TAGS, "message %ld has tag %d", number, status->MPI_TAG);
    check_verify(body + sizeof number, (size_t)n - sizeof number, body_seed(from, mc_rank, number), "a message");
    m.received[from]++;
}

/* One message, if there is any. */
static bool receive(void)
{
    static char body[LONG];
    const bool matched = random_choose(2);
    MPI_Message message;
    MPI_Status status;
    int flag, n = 0;

    if (matched)
        OK(MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &message, &status));
    else
        OK(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &status));
    if (!flag)
        return false;
    if (matched)
        OK(MPI_Mrecv(body, LONG, MPI_BYTE, &message, &status));
    else
        OK(MPI_Recv(body, LONG, MPI_BYTE, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, &status));
    OK(MPI_Get_count(&status, MPI_BYTE, &n));
    take(n, body, &status);
    return true;
}

/* Nothing, where all are under way: a PE doesn't wait for one that receives later. */
static void send(int pe)
{
    const int i = (int)random_choose(SENDS),
              n = (int)sizeof(long) + (int)random_choose(random_choose(32) ? SHORT : LONG - 8);
    const long number = m.sent[pe];
    int flag;

    OK(MPI_Test(&m.request[i], &flag, MPI_STATUS_IGNORE));
    if (!flag)
        return;
    memcpy(m.body[i], &number, sizeof number);
    check_fill(m.body[i] + sizeof number, (size_t)n - sizeof number, body_seed(mc_rank, pe, number));
    OK(MPI_Isend(m.body[i], n, MPI_BYTE, pe, (int)(number % TAGS), MPI_COMM_WORLD, &m.request[i]));
    m.sent[pe]++;
    random_run.to[pe].messages++;
}

static void window(int pe)
{
    const MPI_Aint mine = (MPI_Aint)mc_rank * RANDOM_SLOT;
    char local[RANDOM_SLOT];
    uint64_t v = check_random(&random_run.own), old;

    switch (random_choose(4)) {
    case 0:
        check_fill(local, RANDOM_SLOT, m.written[pe] = v | 1);
        OK(MPI_Put(local, RANDOM_SLOT, MPI_BYTE, pe, mine, RANDOM_SLOT, MPI_BYTE, m.win));
        OK(MPI_Win_flush(pe, m.win));
        break;
    case 1:
        if (!m.written[pe])
            break;
        OK(MPI_Get(local, RANDOM_SLOT, MPI_BYTE, pe, mine, RANDOM_SLOT, MPI_BYTE, m.win));
        OK(MPI_Win_flush(pe, m.win));
        check_verify(local, RANDOM_SLOT, m.written[pe], "what MPI_Put left");
        break;
    case 2:
        OK(MPI_Fetch_and_op(&v, &old, MPI_UINT64_T, pe, word_at(), MPI_SUM, m.win));
        OK(MPI_Win_flush(pe, m.win));
        m.added += v;
        break;
    default:
        OK(MPI_Accumulate(&v, 1, MPI_UINT64_T, pe, word_at(), 1, MPI_UINT64_T, MPI_SUM, m.win));
        OK(MPI_Win_flush_all(m.win));
        m.added += v;
    }
}

static void under_lock(void)
{
    uint64_t v;

    OK(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, m.locked));
    OK(MPI_Get(&v, 1, MPI_UINT64_T, 0, 0, 1, MPI_UINT64_T, m.locked));
    OK(MPI_Win_flush(0, m.locked));
    v++;
    OK(MPI_Put(&v, 1, MPI_UINT64_T, 0, 0, 1, MPI_UINT64_T, m.locked));
    OK(MPI_Win_unlock(0, m.locked));
    m.guarded++;
}

void random_mpi_one(int pe)
{
    const long what = random_choose(64);

    if (what == 0)
        under_lock();
    else if (what <= 20)
        window(pe);
    else if (what <= 42)
        send(pe);
    else
        receive();
}

static bool all_received(void)
{
    for (int pe = 0; pe < mc_size; pe++)
        if (m.received[pe] < random_run.due[pe].messages)
            return false;
    return true;
}

void random_mpi_settle(void)
{
    uint64_t sums[4] = {m.added, 0, m.guarded, 0};
    int flag, done;

    do { /* the other side may have to receive for a send to end */
        receive();
        OK(MPI_Testall(SENDS, m.request, &done, MPI_STATUSES_IGNORE));
    } while (!done || !all_received());
    OK(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE));
    CHECK(!flag, "more messages than were sent");
    OK(MPI_Win_sync(m.win));
    memcpy(&sums[1], m.slots + word_at(), sizeof sums[1]);
    if (mc_rank == 0) {
        OK(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, m.locked));
        sums[3] = *m.words;
        OK(MPI_Win_unlock(0, m.locked));
    }
    OK(MPI_Allreduce(MPI_IN_PLACE, sums, 4, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD));
    CHECK(sums[0] == sums[1], "the windows' words are %llx, not %llx", (unsigned long long)sums[1],
          (unsigned long long)sums[0]);
    CHECK(sums[2] == sums[3], "%llu changes under the window's lock, not %llu", (unsigned long long)sums[3],
          (unsigned long long)sums[2]);
}

void random_mpi_end(void)
{
    OK(MPI_Win_unlock_all(m.win));
    OK(MPI_Win_free(&m.win));
    OK(MPI_Win_free(&m.locked));
    for (int i = 0; i < SENDS; i++)
        free(m.body[i]);
    free(m.sent);
    free(m.received);
    free(m.written);
}
