/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Probes (3.8): what they say, that they leave the message, and that a matched
 * one takes it away from everybody else; messages small and far off, the
 * messages of MPI_PROC_NULL.
 */
#include <mcheck.h>

static void check_status(const MPI_Status *s, int source, int tag, int n)
{
    int count = -1;

    OK(MPI_Get_count(s, MPI_BYTE, &count));
    CHECK(s->MPI_SOURCE == source && s->MPI_TAG == tag && count == n, "status (%d, %d, %d), expected (%d, %d, %d)",
          s->MPI_SOURCE, s->MPI_TAG, count, source, tag, n);
}

static void probes(int n)
{
    char *out = malloc((size_t)n + 1), *in = malloc((size_t)n + 1);
    int to = (mc_rank + 1) % mc_size, from = (mc_rank + mc_size - 1) % mc_size, flag = 0;
    MPI_Request r[3];
    MPI_Message m = MPI_MESSAGE_NULL, other = MPI_MESSAGE_NULL;
    MPI_Status s;

    check_fill(out, (size_t)n, 1);
    OK(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &s));
    OK(MPI_Barrier(MPI_COMM_WORLD));
    for (int i = 0; i < 3; i++)
        OK(MPI_Isend(out, n - i, MPI_BYTE, to, i, MPI_COMM_WORLD, &r[i]));
    OK(MPI_Probe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &s));
    check_status(&s, from, 1, n - 1);
    for (flag = 0; !flag;)
        OK(MPI_Iprobe(from, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &s));
    check_status(&s, from, 0, n); /* the oldest */
    OK(MPI_Mprobe(from, MPI_ANY_TAG, MPI_COMM_WORLD, &m, &s));
    check_status(&s, from, 0, n);
    OK(MPI_Improbe(from, 0, MPI_COMM_WORLD, &flag, &other, &s));
    CHECK(flag == 0, "a message that a probe took is found again");
    for (flag = 0; !flag;)
        OK(MPI_Improbe(MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &flag, &other, &s));
    check_status(&s, from, 2, n - 2);
    OK(MPI_Recv(in, n, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &s)); /* the one left */
    check_status(&s, from, 1, n - 1);
    OK(MPI_Mrecv(in, n, MPI_BYTE, &other, &s));
    check_status(&s, from, 2, n - 2);
    memset(in, 0, (size_t)n);
    {
        MPI_Request receive;

        OK(MPI_Imrecv(in, n, MPI_BYTE, &m, &receive));
        CHECK(m == MPI_MESSAGE_NULL, "message after Imrecv");
        OK(MPI_Wait(&receive, &s));
        check_status(&s, from, 0, n);
    }
    CHECK(check_differs(in, (size_t)n, 1) == (size_t)n, "data");
    OK(MPI_Waitall(3, r, MPI_STATUSES_IGNORE));
    free(out);
    free(in);
}

static void nobody(void)
{
    MPI_Status s;
    MPI_Message m;
    MPI_Request r;
    int flag = 0, in = 77;

    OK(MPI_Probe(MPI_PROC_NULL, 3, MPI_COMM_WORLD, &s));
    check_status(&s, MPI_PROC_NULL, MPI_ANY_TAG, 0);
    OK(MPI_Iprobe(MPI_PROC_NULL, 3, MPI_COMM_WORLD, &flag, &s));
    CHECK(flag == 1, "Iprobe");
    OK(MPI_Mprobe(MPI_PROC_NULL, 3, MPI_COMM_WORLD, &m, &s));
    CHECK(m == MPI_MESSAGE_NO_PROC, "Mprobe");
    OK(MPI_Mrecv(&in, 1, MPI_INT, &m, &s));
    check_status(&s, MPI_PROC_NULL, MPI_ANY_TAG, 0);
    OK(MPI_Improbe(MPI_PROC_NULL, 3, MPI_COMM_WORLD, &flag, &m, &s));
    CHECK(m == MPI_MESSAGE_NO_PROC && flag == 1, "Improbe");
    OK(MPI_Imrecv(&in, 1, MPI_INT, &m, &r));
    OK(MPI_Wait(&r, &s));
    check_status(&s, MPI_PROC_NULL, MPI_ANY_TAG, 0);
    OK(MPI_Recv(&in, 1, MPI_INT, MPI_PROC_NULL, 5, MPI_COMM_WORLD, &s));
    check_status(&s, MPI_PROC_NULL, MPI_ANY_TAG, 0);
    OK(MPI_Send(&in, 1, MPI_INT, MPI_PROC_NULL, 5, MPI_COMM_WORLD));
    OK(MPI_Irecv(&in, 1, MPI_INT, MPI_PROC_NULL, 5, MPI_COMM_WORLD, &r));
    OK(MPI_Wait(&r, &s));
    check_status(&s, MPI_PROC_NULL, MPI_ANY_TAG, 0);
    OK(MPI_Issend(&in, 1, MPI_INT, MPI_PROC_NULL, 5, MPI_COMM_WORLD, &r));
    OK(MPI_Wait(&r, &s));
    OK(MPI_Sendrecv(&in, 1, MPI_INT, MPI_PROC_NULL, 1, &in, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &s));
    check_status(&s, MPI_PROC_NULL, MPI_ANY_TAG, 0);
    CHECK(in == 77, "the buffer was changed");
}

int main(void)
{
    mc_start();
    probes(3);
    probes(500);
    probes(40000);
    probes(500000);
    nobody();
    return mc_finish();
}
