/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Split-C beside SHMEM, MPI and PVM in one program: the same processor numbers, each reaches the memory that another
 * made.
 */
#include <mpi.h>
#include <pvm3.h>
#include <shmem.h>

#include "sccheck.h"

static int passed;

static void pvm_turn(int right, int left)
{
    int n = MYPROC, got = -1;

    CHECK(pvm_mytid() > 0);
    barrier(); /* nobody is sent to before he is a task */
    pvm_initsend(PvmDataDefault);
    pvm_pkint(&n, 1, 1);
    pvm_send(pvm_gettid(NULL, right), 5);
    pvm_recv(pvm_gettid(NULL, left), 5);
    pvm_upkint(&got, 1, 1);
    CHECK(got == left);
    SC_WRITE(int, sc_global_of(right, &passed), got);
    barrier();
    CHECK(passed == (left + PROCS - 1) % PROCS);
    barrier();
    pvm_exit();
}

static int splitc_main(void)
{
    int right = (MYPROC + 1) % PROCS, left = (MYPROC + PROCS - 1) % PROCS, rank, sum, *sym, got = -1;
    struct sc_spread array;

    MPI_Init(NULL, NULL);
    shmem_init();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    CHECK(rank == MYPROC && shmem_my_pe() == MYPROC && shmem_n_pes() == PROCS);
    sym = shmem_malloc(sizeof *sym);
    SC_WRITE(int, sc_global_of(right, sym), MYPROC);
    barrier();
    CHECK(*sym == left && shmem_int_g(sym, right) == MYPROC);
    array = all_spread_malloc((size_t)PROCS, sizeof(int));
    shmem_int_p((int *)(void *)array.addr, MYPROC + 50, right);
    shmem_barrier_all();
    CHECK(SC_READ(int, sc_from_spread(sc_spread_plus(array, right, sizeof(int)))) == MYPROC + 50);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK(sum == all_reduce_to_all_add(MYPROC));
    MPI_Sendrecv(&rank, 1, MPI_INT, right, 1, &got, 1, MPI_INT, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(got == left);
    pvm_turn(right, left);
    CHECK(is_local(sc_global_of(right, sym)) == shmem_ptr(sym, right) || right == MYPROC);
    barrier();
    all_spread_free(array);
    shmem_free(sym);
    sum = check_status();
    shmem_finalize();
    MPI_Finalize();
    return sum;
}
SC_MAIN_INT(splitc_main())
