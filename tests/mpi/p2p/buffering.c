/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MPI_BUFFER_MAX: a standard send of so many bytes is done before anybody receives it, a longer one is not; with 0 none
 * is. In each form of a send, to another process and to oneself, dense and not; a buffered send (MPI_Bsend) is done at
 * once whatever the limit.
 */
#include "mcheck.h"

enum { MOST = 6000 };

static char out[2 * MOST], in[2 * MOST];

static void set_limit(unsigned long long bytes)
{
    MPI_T_cvar_handle handle;
    int index, count, provided;

    OK(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided));
    OK(MPI_T_cvar_get_index("MPI_BUFFER_MAX", &index));
    OK(MPI_T_cvar_handle_alloc(index, NULL, &handle, &count));
    OK(MPI_T_cvar_write(handle, &bytes));
    OK(MPI_T_cvar_handle_free(&handle));
    OK(MPI_T_finalize());
}

enum form { ISEND, START, IBSEND, FORMS };
static const char *const names[] = {"MPI_Isend", "MPI_Start", "MPI_Ibsend"};

static MPI_Request start(enum form form, int n, MPI_Datatype type, int to)
{
    MPI_Request r = MPI_REQUEST_NULL;

    switch (form) {
    case ISEND:
        OK(MPI_Isend(out, n, type, to, 5, MPI_COMM_WORLD, &r));
        break;
    case IBSEND:
        OK(MPI_Ibsend(out, n, type, to, 5, MPI_COMM_WORLD, &r));
        break;
    default:
        OK(MPI_Send_init(out, n, type, to, 5, MPI_COMM_WORLD, &r));
        OK(MPI_Start(&r));
    }
    return r;
}

/* Is it done within a while, although nobody receives? */
static bool ends_alone(MPI_Request *r)
{
    double until = MPI_Wtime() + 0.02;
    int done = 0;

    while (!done && MPI_Wtime() < until)
        OK(MPI_Request_get_status(*r, &done, MPI_STATUS_IGNORE));
    return done;
}

static void one(enum form form, long limit, int n, bool gaps, MPI_Datatype spread, int from, int to)
{
    MPI_Datatype type = gaps ? spread : MPI_BYTE;
    bool expected = form == IBSEND || (limit > 0 && n <= limit), done;
    MPI_Request r;

    if (mc_rank == from) {
        r = start(form, n, type, to);
        done = ends_alone(&r);
        /* over a network more may be on its way */
        CHECK(done == expected || (done && limit > 0 && getenv("MPT_TRANSPORT")),
              "%s of %d bytes%s, limit %ld, %d to %d: %s", names[form], n, gaps ? " with gaps" : "", limit, from, to,
              done ? "done, and nobody has received it" : "not done");
        if (from != to)
            OK(MPI_Ssend(NULL, 0, MPI_INT, to, 6, MPI_COMM_WORLD));
    }
    if (mc_rank == to) {
        if (from != to)
            OK(MPI_Recv(NULL, 0, MPI_INT, from, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        memset(in, 0, sizeof in);
        OK(MPI_Recv(in, n, type, from, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        for (int i = 0; i < n; i++)
            if (!CHECK(in[gaps ? 2 * i : i] == (char)(gaps ? 2 * i : i), "byte %d of %d", i, n))
                break;
    }
    if (mc_rank == from) {
        OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
        if (form == START)
            OK(MPI_Request_free(&r));
    }
}

int main(void)
{
    static const long limits[] = {0, 100, 1000, 5000};
    static const int sizes[] = {0, 1, 100, 101, 512, 1000, 1001, 4000, 6000};
    static char attached[1 << 16];
    MPI_Datatype spread;
    void *gone;
    int size;

    mc_start();
    for (int i = 0; i < 2 * MOST; i++)
        out[i] = (char)i;
    OK(MPI_Buffer_attach(attached, sizeof attached));
    OK(MPI_Type_create_resized(MPI_BYTE, 0, 2, &spread));
    OK(MPI_Type_commit(&spread));
    for (size_t l = 0; l < sizeof limits / sizeof *limits; l++) {
        set_limit((unsigned long long)limits[l]);
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
            for (int k = 0; k < 2 * FORMS; k++) {
                MPI_Barrier(MPI_COMM_WORLD);
                one((enum form)(k % FORMS), limits[l], sizes[s], k / FORMS, spread, 0, 0);
                if (mc_size > 1)
                    one((enum form)(k % FORMS), limits[l], sizes[s], k / FORMS, spread, 0, 1);
            }
    }
    OK(MPI_Type_free(&spread));
    OK(MPI_Buffer_detach(&gone, &size));
    return mc_finish();
}
