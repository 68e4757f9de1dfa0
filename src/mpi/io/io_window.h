/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The aggregator's side of collective accesses: a window is the piece of the file
 * it has in hand. Between io_exchange.c and io_window.c.
 */
#ifndef MPI_IO_WINDOW_H
#define MPI_IO_WINDOW_H

#include "mpi/io/io.h"

/* What a member wants of a window: runs, and the bytes in them. It travels as it is,
 * with no more runs than there are; longer lists follow in a message of their own. */
enum { IO_LIST_RUNS = 6 };
struct mpii_io_list {
    int64_t n, bytes;
    struct mpii_io_run first[IO_LIST_RUNS];
};

struct mpii_io_window {
    char *bytes;
    uint64_t *map; /* which bytes are there to be written */
    MPI_Offset low, high;
};
/* Memory for windows of up to n bytes. False: there is none. */
bool mpii_io_window_new(struct mpii_io_window *w, MPI_Count n);
void mpii_io_window_free(struct mpii_io_window *w);
void mpii_io_window_open(struct mpii_io_window *w, MPI_Offset low, MPI_Offset high); /* nothing is there yet */
void mpii_io_window_put(struct mpii_io_window *w, const struct mpii_io_run *runs, MPI_Count n, const char *packed);
int mpii_io_window_write(struct mpii_io_window *w, int fd);                          /* what was put; errno or 0 */
int mpii_io_window_read(struct mpii_io_window *w, int fd, MPI_Offset low,
                        MPI_Offset high); /* only that part; high becomes its end */
/* The bytes of the runs, up to the end of what was read: how many. */
MPI_Count mpii_io_window_get(const struct mpii_io_window *w, const struct mpii_io_run *runs, MPI_Count n, char *packed);

#endif
