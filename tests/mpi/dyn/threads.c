/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Servers and clients in threads of their own (MPI_THREAD_MULTIPLE): each process
 * accepts from its left neighbour while it connects to its right one and its main
 * thread talks within the job; then threads of one process spawn at the same time.
 */
#include <pthread.h>

#include "children.h"

enum { ROUNDS = 5, LARGE = 200000, SPAWNERS = 3 };

static char own_port[MPI_MAX_PORT_NAME], right_port[MPI_MAX_PORT_NAME];

static void talk(MPI_Comm inter, int out, int in)
{
    char *a = malloc(LARGE), *b = malloc(LARGE);

    check_fill(a, LARGE, (uint64_t)out);
    OK(MPI_Sendrecv(a, LARGE, MPI_BYTE, 0, 1, b, LARGE, MPI_BYTE, 0, 1, inter, MPI_STATUS_IGNORE));
    CHECK(check_differs(b, LARGE, (uint64_t)in) == LARGE, "what %d sent to %d is wrong", in, out);
    free(a);
    free(b);
}

static void *serve(void *arg)
{
    int left = (mc_rank + mc_size - 1) % mc_size;

    for (int i = 0; i < ROUNDS; i++) {
        MPI_Comm inter;

        OK(MPI_Comm_accept(own_port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &inter));
        talk(inter, mc_rank, left);
        OK(MPI_Comm_disconnect(&inter));
    }
    return arg;
}

/* Two kinds of collective calls on one communicator must not be mixed: it has its own. */
static void *visit(void *arg)
{
    MPI_Comm *alone = arg;

    for (int i = 0; i < ROUNDS; i++) {
        MPI_Comm inter;

        OK(MPI_Comm_connect(right_port, MPI_INFO_NULL, 0, *alone, &inter));
        talk(inter, mc_rank, (mc_rank + 1) % mc_size);
        OK(MPI_Comm_disconnect(&inter));
    }
    return arg;
}

static void neighbours(void)
{
    pthread_t server, client;
    MPI_Comm alone;
    int left = (mc_rank + mc_size - 1) % mc_size, right = (mc_rank + 1) % mc_size, sum;

    if (mc_size < 2)
        return;
    OK(MPI_Comm_dup(MPI_COMM_SELF, &alone));
    OK(MPI_Open_port(MPI_INFO_NULL, own_port));
    OK(MPI_Sendrecv(own_port, MPI_MAX_PORT_NAME, MPI_CHAR, left, 0, right_port, MPI_MAX_PORT_NAME, MPI_CHAR, right, 0,
                    MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    pthread_create(&server, NULL, serve, NULL);
    pthread_create(&client, NULL, visit, &alone);
    for (int i = 0; i < 50; i++) {
        OK(MPI_Allreduce(&mc_rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
        CHECK(sum == mc_size * (mc_size - 1) / 2, "sum %d", sum);
    }
    pthread_join(server, NULL);
    pthread_join(client, NULL);
    OK(MPI_Close_port(own_port));
    OK(MPI_Comm_free(&alone));
}

static void child_doubles(MPI_Comm parent, int argc, char **argv)
{
    int n = atoi(argv[2]) * 2;

    (void)argc;
    OK(MPI_Send(&n, 1, MPI_INT, 0, 0, parent));
}

struct spawner {
    int number;
    MPI_Comm comm;
};

static void *spawn_one(void *arg)
{
    struct spawner *s = arg;
    char number[16], *argv[] = {(char *)"double", number, NULL};
    MPI_Comm inter;
    int n = 0;

    snprintf(number, sizeof number, "%d", s->number);
    inter = spawn_with(s->comm, 0, 1, argv, MPI_INFO_NULL);
    OK(MPI_Recv(&n, 1, MPI_INT, 0, 0, inter, MPI_STATUS_IGNORE));
    CHECK(n == 2 * s->number, "child of %d says %d", s->number, n);
    part_from(&inter);
    return arg;
}

int main(int argc, char **argv)
{
    static const struct part parts[] = {{"double", child_doubles}, {NULL, NULL}};
    struct spawner spawners[SPAWNERS];
    pthread_t threads[SPAWNERS];

    mc_start_threads();
    if (run_child(parts, argc, argv))
        return mc_finish();
    neighbours();
    for (int i = 0; i < SPAWNERS; i++) {
        spawners[i].number = 10 * mc_rank + i;
        OK(MPI_Comm_dup(MPI_COMM_SELF, &spawners[i].comm));
        pthread_create(&threads[i], NULL, spawn_one, &spawners[i]);
    }
    for (int i = 0; i < SPAWNERS; i++) {
        pthread_join(threads[i], NULL);
        OK(MPI_Comm_free(&spawners[i].comm));
    }
    return mc_finish();
}
