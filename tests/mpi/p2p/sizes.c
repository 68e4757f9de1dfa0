/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Every way a message can take: sizes around each limit, from 0 bytes to 4 MiB,
 * in all modes, blocking and not, expected and unexpected, to the others and to
 * oneself. Run again with each way of reading what stays at its sender.
 */
#include <mcheck.h>

static const size_t sizes[] = {0,     1,     3,     7,     8,     39,     40,     41,      64,           255,  984,
                               999,   1000,  1001,  1007,  1008,  1009,   1024,   2047,    2048,         2049, 4096,
                               16383, 16384, 65535, 65536, 65537, 131072, 262143, 1 << 20, (4 << 20) + 5};
enum { SIZES = sizeof sizes / sizeof *sizes };
#define MOST ((4ul << 20) + 64)

static unsigned char *in, *out;

enum mode { SEND, SSEND, RSEND, ISEND, ISSEND, IRSEND, MODES };

static void send_by(enum mode mode, const void *buf, size_t n, int dest, int tag)
{
    MPI_Request r = MPI_REQUEST_NULL;

    switch (mode) {
    case SEND:
        OK(MPI_Send(buf, (int)n, MPI_BYTE, dest, tag, MPI_COMM_WORLD));
        break;
    case SSEND:
        OK(MPI_Ssend(buf, (int)n, MPI_BYTE, dest, tag, MPI_COMM_WORLD));
        break;
    case RSEND:
        OK(MPI_Rsend(buf, (int)n, MPI_BYTE, dest, tag, MPI_COMM_WORLD));
        break;
    case ISEND:
        OK(MPI_Isend_c(buf, (MPI_Count)n, MPI_BYTE, dest, tag, MPI_COMM_WORLD, &r));
        break;
    case ISSEND:
        OK(MPI_Issend(buf, (int)n, MPI_BYTE, dest, tag, MPI_COMM_WORLD, &r));
        break;
    default:
        OK(MPI_Irsend(buf, (int)n, MPI_BYTE, dest, tag, MPI_COMM_WORLD, &r));
        break;
    }
    OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
    CHECK(r == MPI_REQUEST_NULL, "request after its end");
}

static void expect(size_t n, int source, int tag, const MPI_Status *s)
{
    int count = -1;

    OK(MPI_Get_count(s, MPI_BYTE, &count));
    CHECK(s->MPI_SOURCE == source && s->MPI_TAG == tag && (size_t)count == n,
          "message of %d, tag %d, %d bytes; expected %d, %d, %zu", s->MPI_SOURCE, s->MPI_TAG, count, source, tag, n);
    CHECK(check_differs(in, n, n * 7 + (size_t)tag) == n, "data of %zu bytes, tag %d, wrong at %zu", n, tag,
          check_differs(in, n, n * 7 + (size_t)tag));
    CHECK(in[n] == 0xee, "a byte behind %zu was changed", n);
}

/* From rank 0 to the last: pre-posted when `posted`, else the message comes first. */
static void one_way(enum mode mode, size_t n, int tag, bool posted)
{
    const int to = mc_size - 1;
    MPI_Status s;
    MPI_Request r;

    if (mc_rank == to) {
        memset(in, 0xee, n + 1);
        if (posted) {
            OK(MPI_Irecv(in, (int)n, MPI_BYTE, 0, tag, MPI_COMM_WORLD, &r));
            OK(MPI_Send(NULL, 0, MPI_BYTE, 0, 1000, MPI_COMM_WORLD));
            OK(MPI_Wait(&r, &s));
        } else {
            OK(MPI_Probe(0, tag, MPI_COMM_WORLD, &s));
            OK(MPI_Recv_c(in, (MPI_Count)n, MPI_BYTE, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &s));
        }
        expect(n, 0, tag, &s);
    }
    if (mc_rank == 0) {
        check_fill(out, n, n * 7 + (size_t)tag);
        if (posted)
            OK(MPI_Recv(NULL, 0, MPI_BYTE, to, 1000, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        send_by(mode, out, n, to, tag);
        memset(out, 0x55, n); /* the message must not change any more */
    }
}

static void to_oneself(size_t n)
{
    MPI_Request r[2];
    MPI_Status s[2];

    memset(in, 0xee, n + 1);
    check_fill(out, n, n * 7 + 5);
    OK(MPI_Isend(out, (int)n, MPI_BYTE, mc_rank, 5, MPI_COMM_WORLD, &r[0]));
    OK(MPI_Irecv(in, (int)n, MPI_BYTE, mc_rank, 5, MPI_COMM_WORLD, &r[1]));
    OK(MPI_Waitall(2, r, s));
    expect(n, mc_rank, 5, &s[1]);
    memset(in, 0xee, n + 1);
    OK(MPI_Irecv(in, (int)n, MPI_BYTE, 0, 5, MPI_COMM_SELF, &r[0]));
    OK(MPI_Issend(out, (int)n, MPI_BYTE, 0, 5, MPI_COMM_SELF, &r[1]));
    OK(MPI_Waitall(2, r, s));
    expect(n, 0, 5, &s[0]);
}

/* All to all, all sizes under way at once. */
static void flood(void)
{
    enum { MANY = 24 };
    MPI_Request r[2 * MANY * 8];
    int n = 0, peers = mc_size < 8 ? mc_size : 8;
    unsigned char *base = calloc(2 * MANY * 8, 4200);

    for (int p = 0; p < peers; p++)
        for (int i = 0; i < MANY; i++)
            OK(MPI_Irecv(base + (p * MANY + i) * 4200, 4200, MPI_BYTE, p, i, MPI_COMM_WORLD, &r[n++]));
    for (int p = 0; p < peers; p++)
        for (int i = 0; i < MANY; i++) {
            unsigned char *from = base + (MANY * 8 + p * MANY + i) * 4200;

            check_fill(from, (size_t)i * 170, (uint64_t)(mc_rank * 1000 + i));
            OK(MPI_Isend(from, i * 170, MPI_BYTE, p, i, MPI_COMM_WORLD, &r[n++]));
        }
    OK(MPI_Waitall(n, r, MPI_STATUSES_IGNORE));
    for (int p = 0; p < peers; p++)
        for (int i = 0; i < MANY; i++)
            CHECK(check_differs(base + (p * MANY + i) * 4200, (size_t)i * 170, (uint64_t)(p * 1000 + i)) ==
                      (size_t)i * 170,
                  "flood %d of %d", i, p);
    free(base);
}

int main(void)
{
    mc_start();
    in = malloc(MOST);
    out = malloc(MOST);
    for (int i = 0; i < SIZES; i++) {
        if (mc_size > 1)
            for (int mode = 0; mode < MODES; mode++) {
                one_way((enum mode)mode, sizes[i], mode, true);
                if (mode != RSEND && mode != IRSEND)
                    one_way((enum mode)mode, sizes[i], 10 + mode, false);
            }
        to_oneself(sizes[i]);
    }
    OK(MPI_Barrier(MPI_COMM_WORLD)); /* receives from anybody are over */
    if (mc_size <= 8)
        flood();
    free(in);
    free(out);
    return mc_finish();
}
