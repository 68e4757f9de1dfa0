/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Active messages, OpenSHMEM, MPI and PVM in one program: each starts and ends by itself,
 * memory of the one is reached by the other, and handlers run in every face's waits.
 */
#include "acheck.h"

#include <mpi.h>
#include <pvm3.h>
#include <shmem.h>

static volatile long seen;
static long flag;

static void count(vnn_t src, am_word a)
{
    seen += a + (src < 0);
}
static void answer(vnn_t src, am_word a)
{
    am_reply_1(src, count, a);
}
static void mem(vnn_t src, void *addr, int n, void *arg)
{
    seen += addr && n == 4096 && (long)arg == src;
}

/* The other side waits in another face; its handlers run meanwhile. */
static void while_waiting(int next)
{
    long before = seen;
    int token = ac_me, got = -1;

    for (int i = 0; i < 100; i++)
        am_request_1(next, answer, 1);
    MPI_Sendrecv(&token, 1, MPI_INT, next, 1, &got, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(got == (ac_me + ac_n - 1) % ac_n, "MPI's message is from %d", got);
    am_wait_for(seen == before + 100);
    shmem_barrier_all();
}

static void pvm_turn(int next)
{
    int tid = pvm_mytid(), n = ac_me;

    CHECK(tid > 0, "pvm_mytid: %d", tid);
    pvm_initsend(PvmDataDefault);
    pvm_pkint(&n, 1, 1);
    pvm_send(pvm_gettid(NULL, next), 5);
    pvm_recv(-1, 5);
    pvm_upkint(&n, 1, 1);
    CHECK(n == (ac_me + ac_n - 1) % ac_n, "PVM's message is from %d", n);
}

int main(int argc, char **argv)
{
    char *heap, from[4096];
    int next;
    long before;

    MPI_Init(&argc, &argv);
    ac_start();
    shmem_init();
    next = (ac_me + 1) % ac_n;
    heap = shmem_malloc(4096);
    while_waiting(next);
    before = seen;
    shmem_barrier_all();
    check_fill(from, sizeof from, (uint64_t)ac_me);
    am_store(next, from, heap, sizeof from, mem, ac_me);
    am_wait_for(seen == before + 1);
    CHECK(check_differs(heap, 4096, (uint64_t)((ac_me + ac_n - 1) % ac_n)) == 4096, "a store to the symmetric heap");
    shmem_barrier_all();
    shmem_long_p(&flag, 7, next);
    am_wait_for(*(volatile long *)&flag == 7); /* memory that SHMEM has changed */
    pvm_turn(next);
    shmem_barrier_all();
    shmem_finalize();
    am_quiet();
    MPI_Barrier(MPI_COMM_WORLD);
    pvm_exit();
    MPI_Finalize();
    return ac_finish();
}
