// SPDX-License-Identifier: BSD-3-Clause
//
// check: race
// compile: --check
//
// PEs of a node store to each other's memory by address (shmem_ptr); the owner copies it too early.
#include <shmem.h>

#include <algorithm>
#include <vector>

int main()
{
    shmem_init();
    int right = (shmem_my_pe() + 1) % shmem_n_pes();
    int *box = static_cast<int *>(shmem_calloc(50, sizeof *box));
    int *theirs = static_cast<int *>(shmem_ptr(box, right));
    std::vector<int> got(50);

    for (int i = 0; theirs && i < 50; i++)
        theirs[i] = i; // found
#ifndef WRONG
    shmem_barrier_all();
#endif
    std::copy(box, box + 50, got.begin()); // found
    shmem_barrier_all();
    shmem_free(box);
    shmem_finalize();
    return 0;
}
