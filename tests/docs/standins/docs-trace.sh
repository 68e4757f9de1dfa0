# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# A program of MPI and PVM, with a region.
cat > prog.c <<'END'
#include <mpi.h>
#include <mpt/trace.h>
#include <pvm3.h>
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int me = pvm_get_PE(pvm_mytid()), n = pvm_gsize(NULL);
    mpt_region_begin("exchange");
    pvm_initsend(PvmDataDefault);
    pvm_pkint(&me, 1, 1);
    pvm_send(pvm_gettid(NULL, (me + 1) % n), 1);
    pvm_recv(-1, 1);
    mpt_region_end();
    MPI_Barrier(MPI_COMM_WORLD);
    pvm_exit();
    MPI_Finalize();
    return 0;
}
END
mpicc -g prog.c -o prog -I"$HOME/mpt/include" -L"$HOME/mpt/lib" -lgpvm3 -lpvm3
cp examples/mpi/stencil.c .
