/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages of one sender that a receive fits are received in the order sent
 * (3.5), whatever mix of sizes, modes, tags and wildcards. Random traffic: every
 * message says who sent it, its tag and its number, so what a receive gets can
 * be held against what that sender sent.
 */
#include <mcheck.h>

enum { MESSAGES = 400, TAGS = 3, LARGEST = 100000 };

struct word {
    int from, tag, number, size;
};

static int size_of(uint64_t *state)
{
    static const int limits[] = {(int)sizeof(struct word), 60, 1100, 5000, 70000};
    int limit = limits[check_random_below(state, 5)];

    return (int)sizeof(struct word) + (int)check_random_below(state, (uint64_t)limit);
}

/* The same sequence at sender and receiver. */
static struct word nth(int from, int to, int i, uint64_t seed)
{
    uint64_t state = check_mix(seed + (uint64_t)(from * 64 + to) * 100003 + (uint64_t)i);
    struct word w = {from, (int)check_random_below(&state, TAGS), i, 0};

    w.size = size_of(&state);
    return w;
}

struct out {
    MPI_Request r;
    unsigned char *buf;
};

static void send_one(struct out *o, int to, int i, uint64_t seed)
{
    struct word w = nth(mc_rank, to, i, seed);
    uint64_t state = seed + (uint64_t)i;

    o->buf = malloc((size_t)w.size);
    check_fill(o->buf, (size_t)w.size, (uint64_t)w.number);
    memcpy(o->buf, &w, sizeof w);
    switch (check_random_below(&state, 3)) {
    case 0:
        OK(MPI_Issend(o->buf, w.size, MPI_BYTE, to, w.tag, MPI_COMM_WORLD, &o->r));
        break;
    default:
        OK(MPI_Isend(o->buf, w.size, MPI_BYTE, to, w.tag, MPI_COMM_WORLD, &o->r));
        break;
    }
}

/* The next message of `from` with this tag that has not come. */
static int expected(const bool *came, int from, int tag, int most, uint64_t seed)
{
    for (int i = 0; i <= most; i++)
        if (!came[from * MESSAGES + i] && (tag == MPI_ANY_TAG || nth(from, mc_rank, i, seed).tag == tag))
            return i;
    return -1;
}

/* `most`: who is as far as we are has sent so many to us; so nobody waits for what comes later. */
static void take_one(bool *came, unsigned char *buf, uint64_t *state, int most, uint64_t seed)
{
    int source = check_random_below(state, 2) ? MPI_ANY_SOURCE : (int)check_random_below(state, (uint64_t)mc_size);
    int tag = check_random_below(state, 2) ? MPI_ANY_TAG : (int)check_random_below(state, TAGS), count, i;
    struct word w;
    MPI_Status s, probed;
    MPI_Message m;

    /* Ask only for what some sender has sent, or will without our help. */
    for (i = source < 0 ? 0 : source; i < (source < 0 ? mc_size : source + 1); i++)
        if (expected(came, i, tag, most, seed) >= 0)
            break;
    if (i == (source < 0 ? mc_size : source + 1))
        source = MPI_ANY_SOURCE, tag = MPI_ANY_TAG;
    switch (check_random_below(state, 3)) {
    case 0:
        OK(MPI_Recv(buf, LARGEST, MPI_BYTE, source, tag, MPI_COMM_WORLD, &s));
        break;
    case 1:
        OK(MPI_Probe(source, tag, MPI_COMM_WORLD, &probed));
        OK(MPI_Recv(buf, LARGEST, MPI_BYTE, probed.MPI_SOURCE, probed.MPI_TAG, MPI_COMM_WORLD, &s));
        break;
    default:
        OK(MPI_Mprobe(source, tag, MPI_COMM_WORLD, &m, &probed));
        OK(MPI_Mrecv(buf, LARGEST, MPI_BYTE, &m, &s));
        CHECK(m == MPI_MESSAGE_NULL, "message handle after Mrecv");
    }
    memcpy(&w, buf, sizeof w);
    OK(MPI_Get_count(&s, MPI_BYTE, &count));
    CHECK(s.MPI_SOURCE == w.from && s.MPI_TAG == w.tag && count == w.size,
          "status (%d, %d, %d) of message (%d, %d, %d)", s.MPI_SOURCE, s.MPI_TAG, count, w.from, w.tag, w.size);
    CHECK(tag == MPI_ANY_TAG || tag == w.tag, "asked for tag %d, got %d", tag, w.tag);
    i = expected(came, w.from, tag, MESSAGES - 1, seed);
    CHECK(i == w.number, "from %d, tag %d: message %d came before %d", w.from, tag, w.number, i);
    came[w.from * MESSAGES + w.number] = true;
    for (int b = (int)sizeof w; b < w.size; b++)
        if (buf[b] != check_pattern((uint64_t)w.number, (size_t)b)) {
            CHECK(false, "message %d of %d: byte %d", w.number, w.from, b);
            break;
        }
}

int main(void)
{
    uint64_t seed, state;
    struct out *out;
    unsigned char *buf = malloc(LARGEST);
    bool *came;
    int sent = 0;

    mc_start();
    seed = check_seed(11);
    state = check_mix(seed) + (uint64_t)mc_rank;
    out = calloc((size_t)(mc_size * MESSAGES), sizeof *out);
    came = calloc((size_t)(mc_size * MESSAGES), sizeof *came);
    for (int i = 0; i < MESSAGES; i++) {
        for (int p = 0; p < mc_size; p++)
            send_one(&out[sent++], p, i, seed);
        if (i >= 20) /* the receives lag behind the sends */
            for (int p = 0; p < mc_size; p++)
                take_one(came, buf, &state, i, seed);
    }
    for (int i = 0; i < 20 * mc_size; i++)
        take_one(came, buf, &state, MESSAGES - 1, seed);
    for (int i = 0; i < sent; i++) {
        OK(MPI_Wait(&out[i].r, MPI_STATUS_IGNORE));
        free(out[i].buf);
    }
    free(out);
    free(came);
    free(buf);
    return mc_finish();
}
