/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the applications in MPI share beside app.h: windows that are open all the time.
 */
#ifndef BENCH_APP_FACE_MPI_H
#define BENCH_APP_FACE_MPI_H

#include <mpi.h>

#include "app.h"

/* A window of `bytes` on each rank, displacements in units of `unit`, locked by all for all until app_finish.
 * app_barrier makes what was stored locally and put from elsewhere seen by all. Collective. */
void *app_window(size_t bytes, size_t unit, MPI_Win *window);

#endif
