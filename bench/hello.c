/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The smallest SHMEM program: what `launch` starts. It says who it is, so that the launcher can be seen to have
 * started the right number of PEs in one job.
 */
#include "common/job.h"

int main(void)
{
    char name[SHMEM_MAX_NAME_LEN + 1];

    shmem_init();
    bench_job_name(name);
    printf("hello from PE %d of %d: %s\n", shmem_my_pe(), shmem_n_pes(), name);
    shmem_finalize();
    return 0;
}
