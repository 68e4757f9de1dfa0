/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MPI_Comm_spawn (MPI-5.0, 11.8): parents and children of all small numbers talk
 * both ways, in every kind of message, merge, and part; children spawn children.
 */
#include "children.h"

enum { SIZES = 6 };
static const int sizes[SIZES] = {0, 1, 900, 5000, 70000, 3000000};

/* Everybody of one side sends to everybody of the other, and receives as much. */
static void all_to_all(MPI_Comm inter, uint64_t seed_out, uint64_t seed_in)
{
    int rank, remote;

    MPI_Comm_rank(inter, &rank);
    MPI_Comm_remote_size(inter, &remote);
    for (int s = 0; s < SIZES; s++) {
        MPI_Request r[16];
        char *out = malloc((size_t)sizes[s] + 1), *in[8];
        MPI_Status status;
        int count;

        check_fill(out, (size_t)sizes[s], seed_out + (uint64_t)rank);
        for (int i = 0; i < remote; i++) {
            in[i] = malloc((size_t)sizes[s] + 1);
            OK(MPI_Irecv(in[i], sizes[s], MPI_BYTE, i, s, inter, &r[i]));
        }
        for (int i = 0; i < remote; i++)
            OK((s & 1) ? MPI_Issend(out, sizes[s], MPI_BYTE, i, s, inter, &r[remote + i])
                       : MPI_Isend(out, sizes[s], MPI_BYTE, i, s, inter, &r[remote + i]));
        for (int i = 0; i < remote; i++) {
            OK(MPI_Wait(&r[i], &status));
            MPI_Get_count(&status, MPI_BYTE, &count);
            CHECK(status.MPI_SOURCE == i && status.MPI_TAG == s && count == sizes[s], "source %d tag %d count %d of %d",
                  status.MPI_SOURCE, status.MPI_TAG, count, sizes[s]);
            CHECK(check_differs(in[i], (size_t)sizes[s], seed_in + (uint64_t)i) == (size_t)sizes[s],
                  "%d bytes of %d are wrong", sizes[s], i);
            free(in[i]);
        }
        OK(MPI_Waitall(remote, r + remote, MPI_STATUSES_IGNORE));
        free(out);
    }
}

/* Not received when they come: unexpected messages, probed, and with other types. */
static void ping_pong(MPI_Comm inter, int first)
{
    int rank, remote, n = 40000, count;
    double *v = malloc((size_t)n * sizeof *v);
    MPI_Datatype column;
    MPI_Status status;
    MPI_Message message;
    MPI_Request request;

    MPI_Comm_rank(inter, &rank);
    MPI_Comm_remote_size(inter, &remote);
    MPI_Type_vector(n / 4, 1, 4, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    for (int i = 0; i < n; i++)
        v[i] = i;
    if (rank == 0 && first) {
        OK(MPI_Isend(v, 1, column, 0, 7, inter, &request)); /* larger than what is buffered */
        OK(MPI_Send(v, 3, MPI_DOUBLE, 0, 8, inter));
        OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
        OK(MPI_Recv(v, n, MPI_DOUBLE, 0, 9, inter, &status));
        for (int i = 0; i < n / 4; i++)
            CHECK(v[i] == 4 * i + 1, "element %d is %g", i, v[i]);
    } else if (rank == 0) {
        OK(MPI_Recv(v + n - 3, 3, MPI_DOUBLE, MPI_ANY_SOURCE, 8, inter, &status));
        OK(MPI_Mprobe(0, MPI_ANY_TAG, inter, &message, &status));
        MPI_Get_count(&status, MPI_DOUBLE, &count);
        CHECK(status.MPI_TAG == 7 && count == n / 4, "tag %d, count %d", status.MPI_TAG, count);
        OK(MPI_Mrecv(v, n / 4, MPI_DOUBLE, &message, MPI_STATUS_IGNORE));
        for (int i = 0; i < n / 4; i++) {
            CHECK(v[i] == 4 * i, "element %d is %g", i, v[i]);
            v[i]++;
        }
        OK(MPI_Ssend(v, n / 4, MPI_DOUBLE, 0, 9, inter));
    }
    MPI_Type_free(&column);
    free(v);
}

/* Collectives between the groups, one communicator of both, another made of it. */
static void together(MPI_Comm inter, int high)
{
    MPI_Comm all, half, copy;
    int rank, size, local, remote, sum = -1, flag;
    long big[3000];

    MPI_Comm_size(inter, &local);
    MPI_Comm_remote_size(inter, &remote);
    OK(MPI_Barrier(inter));
    OK(MPI_Allreduce(&(int){1}, &sum, 1, MPI_INT, MPI_SUM, inter));
    CHECK(sum == remote, "sum of the other side %d, expected %d", sum, remote);
    OK(MPI_Comm_dup(inter, &copy));
    OK(MPI_Barrier(copy));
    OK(MPI_Comm_free(&copy));
    OK(MPI_Intercomm_merge(inter, high, &all));
    MPI_Comm_rank(all, &rank);
    MPI_Comm_size(all, &size);
    CHECK(size == local + remote, "merged %d of %d and %d", size, local, remote);
    CHECK(high ? rank >= remote : rank < local, "rank %d, high %d", rank, high);
    for (int i = 0; i < 3000; i++)
        big[i] = rank + i;
    OK(MPI_Allreduce(MPI_IN_PLACE, big, 3000, MPI_LONG, MPI_SUM, all));
    for (int i = 0; i < 3000; i++)
        CHECK(big[i] == (long)size * (size - 1) / 2 + (long)size * i, "element %d is %ld", i, big[i]);
    OK(MPI_Comm_split(all, rank & 1, 0, &half));
    sum = -1;
    OK(MPI_Allreduce(&(int){1}, &sum, 1, MPI_INT, MPI_SUM, half));
    CHECK(sum == (size + !(rank & 1)) / 2, "half of %d is %d", size, sum);
    OK(MPI_Comm_compare(all, half, &flag));
    OK(MPI_Comm_free(&half));
    OK(MPI_Comm_disconnect(&all));
}

static void child_talks(MPI_Comm parent, int argc, char **argv)
{
    MPI_Comm again;
    char name[MPI_MAX_OBJECT_NAME];
    int *appnum, flag, n;

    (void)argc, (void)argv;
    OK(MPI_Comm_get_parent(&again));
    CHECK(again == parent, "two parents");
    OK(MPI_Comm_get_name(parent, name, &n));
    CHECK(strcmp(name, "MPI_COMM_PARENT") == 0, "the parent is called %s", name);
    OK(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, &appnum, &flag));
    CHECK(flag && *appnum == 0, "application %d", flag ? *appnum : -1);
    all_to_all(parent, 5000, 1000);
    ping_pong(parent, 0);
    together(parent, 1);
}

static void talk(MPI_Comm comm, int root, int n)
{
    MPI_Comm inter = spawn_part(comm, root, n, "talk");

    all_to_all(inter, 1000, 5000);
    ping_pong(inter, 1);
    together(inter, 0);
    part_from(&inter);
}

/* A child has a child, which the first parents meet too: three jobs in one communicator. */
static void child_has_child(MPI_Comm parent, int argc, char **argv)
{
    MPI_Comm all, inter, three;
    int size, sum;

    (void)argc, (void)argv;
    OK(MPI_Intercomm_merge(parent, 1, &all));
    inter = spawn_part(all, 0, 1, "grandchild");
    OK(MPI_Intercomm_merge(inter, 0, &three));
    MPI_Comm_size(three, &size);
    OK(MPI_Allreduce(&(int){1}, &sum, 1, MPI_INT, MPI_SUM, three));
    CHECK(sum == size, "%d of %d", sum, size);
    OK(MPI_Comm_disconnect(&three));
    part_from(&inter);
    OK(MPI_Comm_disconnect(&all));
}

static void grandchild(MPI_Comm parent, int argc, char **argv)
{
    MPI_Comm three;
    int sum, size;

    (void)argc, (void)argv;
    OK(MPI_Intercomm_merge(parent, 1, &three));
    MPI_Comm_size(three, &size);
    OK(MPI_Allreduce(&(int){1}, &sum, 1, MPI_INT, MPI_SUM, three));
    CHECK(sum == size, "%d of %d", sum, size);
    OK(MPI_Comm_disconnect(&three));
}

static void nested(void)
{
    MPI_Comm parent = spawn_part(MPI_COMM_WORLD, 0, 2, "nested"), all, inter, three;
    int size, sum;

    OK(MPI_Intercomm_merge(parent, 0, &all));
    inter = spawn_part(all, 0, 1, "grandchild");
    OK(MPI_Intercomm_merge(inter, 0, &three));
    MPI_Comm_size(three, &size);
    CHECK(size == mc_size + 3, "three jobs have %d processes", size);
    OK(MPI_Allreduce(&(int){1}, &sum, 1, MPI_INT, MPI_SUM, three));
    CHECK(sum == size, "%d of %d", sum, size);
    OK(MPI_Comm_disconnect(&three));
    part_from(&inter);
    OK(MPI_Comm_disconnect(&all));
    part_from(&parent);
}

/* Each process of the world has a child of its own, at the same time. */
static void child_idles(MPI_Comm parent, int argc, char **argv)
{
    int n = 0;

    (void)argc, (void)argv;
    OK(MPI_Bcast(&n, 1, MPI_INT, 0, parent));
    CHECK(n == 17, "got %d", n);
}

static void one_each(void)
{
    MPI_Comm inter = spawn_part(MPI_COMM_SELF, 0, 1, "idle");
    int n = 17;

    OK(MPI_Bcast(&n, 1, MPI_INT, MPI_ROOT, inter));
    part_from(&inter);
}

int main(int argc, char **argv)
{
    static const struct part parts[] = {{"talk", child_talks},
                                        {"nested", child_has_child},
                                        {"grandchild", grandchild},
                                        {"idle", child_idles},
                                        {NULL, NULL}};
    MPI_Comm parent;

    mc_start();
    if (run_child(parts, argc, argv))
        return mc_finish();
    OK(MPI_Comm_get_parent(&parent));
    CHECK(parent == MPI_COMM_NULL, "a parent that nobody has");
    for (int n = 1; n <= 3; n++)
        talk(MPI_COMM_WORLD, n % mc_size, n);
    one_each();
    nested();
    return mc_finish();
}
