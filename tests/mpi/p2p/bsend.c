/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Buffered mode (3.6): a send returns though nobody receives; buffers of process
 * and communicator, their order, automatic ones, detaching and flushing, and
 * what happens when there is no room.
 */
#include <mcheck.h>

enum { LARGE = 600000 };
static int right, left;
static char *in, *out;

static void receive(int tag, int n, uint64_t seed, MPI_Comm comm)
{
    MPI_Status s;
    int count;

    OK(MPI_Recv(in, LARGE, MPI_BYTE, left, tag, comm, &s));
    OK(MPI_Get_count(&s, MPI_BYTE, &count));
    CHECK(count == n && check_differs(in, (size_t)n, seed) == (size_t)n,
          "message %d of %d bytes: %d came, wrong at %zu", tag, n, count, check_differs(in, (size_t)n, seed));
}

/* All send before anybody receives. */
static void sends(MPI_Comm comm)
{
    static const int sizes[] = {0, 10, 1000, 5000, 70000, 400000};
    MPI_Request r;

    for (int i = 0; i < 6; i++) {
        check_fill(out, (size_t)sizes[i], (uint64_t)(10 * mc_rank + i));
        if (i % 2) {
            OK(MPI_Bsend(out, sizes[i], MPI_BYTE, right, i, comm));
        } else {
            OK(MPI_Ibsend(out, sizes[i], MPI_BYTE, right, i, comm, &r));
            OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
        }
        memset(out, 0x33, (size_t)sizes[i]);
    }
    OK(MPI_Barrier(MPI_COMM_WORLD));
    for (int i = 5; i >= 0; i--)
        receive(i, sizes[i], (uint64_t)(10 * left + i), comm);
}

static void process_buffer(void)
{
    enum { BYTES = 700000 };
    char *mine = malloc(BYTES), *back = NULL;
    int size = 0;
    MPI_Count size_c = 0;
    MPI_Request r;

    OK(MPI_Buffer_attach(mine, BYTES));
    FAILS(MPI_Buffer_attach(mine, BYTES), MPI_ERR_BUFFER);
    sends(MPI_COMM_WORLD);
    OK(MPI_Buffer_flush());
    OK(MPI_Buffer_iflush(&r));
    OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
    OK(MPI_Buffer_detach(&back, &size));
    CHECK(back == mine && size == BYTES, "detached %d bytes", size);
    OK(MPI_Buffer_attach_c(mine, BYTES));
    OK(MPI_Buffer_detach_c(&back, &size_c));
    CHECK(back == mine && size_c == BYTES, "detached %lld bytes", (long long)size_c);
    free(mine);
}

static void no_room(void)
{
    char *mine = malloc(LARGE), *back;
    int size;

    FAILS(MPI_Bsend(out, 8, MPI_BYTE, right, 1, MPI_COMM_WORLD), MPI_ERR_BUFFER);
    OK(MPI_Buffer_attach(mine, MPI_BSEND_OVERHEAD + 100));
    FAILS(MPI_Bsend(out, 101, MPI_BYTE, right, 1, MPI_COMM_WORLD), MPI_ERR_BUFFER);
    OK(MPI_Barrier(MPI_COMM_WORLD));
    check_fill(out, 100, 3);
    OK(MPI_Bsend(out, 100, MPI_BYTE, right, 1, MPI_COMM_WORLD));
    receive(1, 100, 3, MPI_COMM_WORLD);
    OK(MPI_Buffer_detach(&back, &size));
    /* Two that do not fit together: the second finds no room until the first has been received. */
    OK(MPI_Buffer_attach(mine, LARGE));
    check_fill(out, 400000, 4);
    OK(MPI_Bsend(out, 400000, MPI_BYTE, right, 2, MPI_COMM_WORLD));
    FAILS(MPI_Bsend(out, 400000, MPI_BYTE, right, 3, MPI_COMM_WORLD), MPI_ERR_BUFFER);
    OK(MPI_Barrier(MPI_COMM_WORLD));
    receive(2, 400000, 4, MPI_COMM_WORLD);
    OK(MPI_Buffer_flush());
    OK(MPI_Bsend(out, 400000, MPI_BYTE, right, 3, MPI_COMM_WORLD));
    receive(3, 400000, 4, MPI_COMM_WORLD);
    OK(MPI_Buffer_detach(&back, &size)); /* waits until it was taken */
    memset(mine, 0, LARGE);
    OK(MPI_Barrier(MPI_COMM_WORLD));
    free(mine);
}

static void comm_buffer(void)
{
    enum { BYTES = 700000 };
    char *mine = malloc(BYTES), *back = NULL, *small = malloc(600);
    int size = -1;
    MPI_Comm dup;
    MPI_Request r;

    OK(MPI_Comm_dup(MPI_COMM_WORLD, &dup));
    OK(MPI_Buffer_attach(small, 600)); /* the communicator's goes first */
    OK(MPI_Comm_attach_buffer(dup, mine, BYTES));
    FAILS(MPI_Comm_attach_buffer(dup, mine, BYTES), MPI_ERR_BUFFER);
    sends(dup);
    OK(MPI_Comm_iflush_buffer(dup, &r));
    OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
    OK(MPI_Comm_flush_buffer(dup));
    OK(MPI_Comm_detach_buffer(dup, &back, &size));
    CHECK(back == mine && size == BYTES, "detached %d bytes", size);
    OK(MPI_Buffer_detach(&back, &size));
    CHECK(back == small && size == 600, "detached %d bytes", size);
    OK(MPI_Comm_free(&dup));
    free(mine);
    free(small);
}

static void automatic(void)
{
    void *back = NULL;
    int size = -1;

    OK(MPI_Buffer_attach(MPI_BUFFER_AUTOMATIC, 0));
    sends(MPI_COMM_WORLD);
    OK(MPI_Buffer_detach(&back, &size));
    CHECK(back == MPI_BUFFER_AUTOMATIC && size == 0, "detached %p of %d bytes", back, size);
}

int main(void)
{
    mc_start();
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    right = (mc_rank + 1) % mc_size;
    left = (mc_rank + mc_size - 1) % mc_size;
    in = malloc(LARGE);
    out = malloc(LARGE);
    process_buffer();
    no_room();
    comm_buffer();
    automatic();
    free(in);
    free(out);
    return mc_finish();
}
