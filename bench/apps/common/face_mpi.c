/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What runs an application in MPI.
 */
#include "face_mpi.h"
#include "../../mpi/mpijob.h"

#include <stdarg.h>

#define MAX_WINDOWS 8

struct app_job app_job;
static MPI_Win windows[MAX_WINDOWS];
static int nwindows;

void app_start(int argc, char **argv, const struct app_program *p)
{
    const struct mpijob_program program = {p->name, p->purpose, 1, p->seconds, p->quick_seconds};

    if (p->own)
        mpijob_own(p->own);
    mpijob_start(argc, argv, &program);
    app_job.me = mpijob.rank;
    app_job.npes = mpijob.size;
}

void *app_window(size_t bytes, size_t unit, MPI_Win *window)
{
    void *base;

    if (nwindows == MAX_WINDOWS)
        app_fatal("app_window: at most %d", MAX_WINDOWS);
    MPI_Win_allocate((MPI_Aint)bytes, (int)unit, MPI_INFO_NULL, MPI_COMM_WORLD, &base, window);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, *window);
    windows[nwindows++] = *window;
    return base;
}

static void sync_windows(void)
{
    for (int i = 0; i < nwindows; i++)
        MPI_Win_sync(windows[i]);
}

int app_finish(void)
{
    while (nwindows > 0) {
        MPI_Win_unlock_all(windows[--nwindows]);
        MPI_Win_free(&windows[nwindows]);
    }
    return mpijob_finish();
}

void app_barrier(void)
{
    sync_windows();
    MPI_Barrier(MPI_COMM_WORLD);
    sync_windows();
}

long app_agree(long value)
{
    return mpijob_agree(value);
}

bool app_right(bool mine)
{
    return mpijob_right(mine);
}

void app_gather(const void *mine, size_t bytes, void *all)
{
    MPI_Gather(mine, (int)bytes, MPI_BYTE, all, (int)bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
}

void app_fatal(const char *format, ...)
{
    char text[256];
    va_list ap;

    va_start(ap, format);
    vsnprintf(text, sizeof text, format, ap);
    va_end(ap);
    mpijob_fatal("%s", text);
}
