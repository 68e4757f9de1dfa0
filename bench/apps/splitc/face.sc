/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where an application in Split-C begins: the cases are run by the same code as SHMEM's.
 */
#include <split-c/split-c.h>

#include "../../common/job.h"
#include "../common/app.h"

int splitc_main(int argc, char **argv)
{
    bench_job.library = "Split-C";
    return app_main(argc, argv);
}
