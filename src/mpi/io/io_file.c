/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The system calls under all transfers: short reads and writes go on, a read ends
 * at the end of the file; and strided copies between a piece of the file in memory
 * and packed bytes.
 */
#include <errno.h>
#include <unistd.h>

#include "mpi/io/io.h"

enum { MOST = 1 << 30 }; /* bytes of one system call */

int mpii_io_file_read(int fd, void *to, MPI_Count n, MPI_Offset disp, MPI_Count *done)
{
    for (*done = 0; *done < n;) {
        MPI_Count left = n - *done;
        ssize_t got = pread(fd, (char *)to + *done, (size_t)(left < MOST ? left : MOST), disp + *done);

        if (got == 0)
            return 0;
        if (got < 0 && errno != EINTR)
            return errno;
        *done += got > 0 ? got : 0;
    }
    return 0;
}

int mpii_io_file_write(int fd, const void *from, MPI_Count n, MPI_Offset disp, MPI_Count *done)
{
    for (*done = 0; *done < n;) {
        MPI_Count left = n - *done;
        ssize_t put = pwrite(fd, (const char *)from + *done, (size_t)(left < MOST ? left : MOST), disp + *done);

        if (put == 0)
            return EIO;
        if (put < 0 && errno != EINTR)
            return errno;
        *done += put > 0 ? put : 0;
    }
    return 0;
}

void mpii_io_run_gather(const struct mpii_io_run *run, const char *window, MPI_Offset low, char *packed)
{
    if (run->n == 1)
        core_copy(packed, window + (run->at - low), (size_t)run->bytes);
    else
        core_copy_strided(packed, run->bytes, window + (run->at - low), run->stride, (size_t)run->bytes,
                          (size_t)run->n);
}

void mpii_io_run_scatter(const struct mpii_io_run *run, char *window, MPI_Offset low, const char *packed)
{
    if (run->n == 1)
        core_copy(window + (run->at - low), packed, (size_t)run->bytes);
    else
        core_copy_strided(window + (run->at - low), run->stride, packed, run->bytes, (size_t)run->bytes,
                          (size_t)run->n);
}
