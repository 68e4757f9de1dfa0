/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A strided put of C++ whose last element lies behind its block.
 * check: argument
 */
#include <shmem.h>

#include <vector>

int main()
{
    shmem_init();
    const int next = (shmem_my_pe() + 1) % shmem_n_pes();
    const std::size_t n = 10;
    std::vector<double> from(n, 1.0);
#ifdef WRONG
    auto *to = static_cast<double *>(shmem_malloc((2 * n - 2) * sizeof(double)));
#else
    auto *to = static_cast<double *>(shmem_malloc((2 * n - 1) * sizeof(double)));
#endif
    shmem_iput(to, from.data(), 2, 1, n, next); /* found */
    shmem_barrier_all();
    shmem_free(to);
    shmem_finalize();
    return 0;
}
