/* SPDX-License-Identifier: BSD-3-Clause */
/* With MPT_CHECK=1: ranks that do not call the same collective, or with another root, operation or kind of data, are
 * told so; calls that agree pass, whatever their layouts. */
#include "cases.h"

#define W MPI_COMM_WORLD

/* All hear of a difference, also those in the majority, so all come back without having begun. */
static int told(int code, int expected)
{
    int class = MPI_SUCCESS;

    MPI_Error_class(code, &class);
    CHECK(class == MPI_SUCCESS || class == expected, "class %d, expected %d", class, expected);
    return class != MPI_SUCCESS;
}

static void count_told(const char *what, int mine)
{
    int all = 0;

    OK(MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_SUM, W));
    CHECK(all == mc_size, "%s: %d of %d ranks were told", what, all, mc_size);
}

int main(void)
{
    int a[8] = {0}, b[64] = {0}, last, other;
    MPI_Request q;

    setenv("MPT_CHECK", "1", 1);
    mc_start();
    if (mc_size < 2)
        mc_skip("one rank cannot differ");
    cases_start();
    last = mc_rank == mc_size - 1;
    other = last ? 1 : 0;
    OK(MPI_Comm_set_errhandler(W, MPI_ERRORS_RETURN));
    count_told("another collective", told(last ? MPI_Barrier(W) : MPI_Bcast(a, 1, MPI_INT, 0, W), MPI_ERR_OTHER));
    count_told("another root", told(MPI_Bcast(a, 1, MPI_INT, other, W), MPI_ERR_ROOT));
    count_told("another root of a reduction", told(MPI_Reduce(a, b, 1, MPI_INT, MPI_SUM, other, W), MPI_ERR_ROOT));
    count_told("another operation", told(MPI_Allreduce(a, b, 1, MPI_INT, last ? MPI_MAX : MPI_SUM, W), MPI_ERR_OP));
    count_told("another count", told(MPI_Allreduce(a, b, last ? 1 : 2, MPI_INT, MPI_SUM, W), MPI_ERR_TYPE));
    count_told("another type", told(MPI_Bcast(a, 1, last ? MPI_INT : MPI_FLOAT, 0, W), MPI_ERR_TYPE));
    count_told("other blocks",
               told(MPI_Allgather(a, last ? 1 : 2, MPI_INT, b, last ? 1 : 2, MPI_INT, W), MPI_ERR_TYPE));
    count_told("other blocks of a gather",
               told(MPI_Gather(a, last ? 3 : 2, MPI_INT, b, 2, MPI_INT, 0, W), MPI_ERR_TYPE));
    count_told("less than each takes", told(MPI_Allgather(a, 2, MPI_INT, b, 4, MPI_INT, W), MPI_ERR_TYPE));
    count_told("more than each takes", told(MPI_Alltoall(b, 4, MPI_INT, b + 32, 2, MPI_INT, W), MPI_ERR_TYPE));
    /* agreeing, with layouts of one's own */
    OK(MPI_Bcast(a, last ? 2 : 1, last ? MPI_INT : case_type[1], 0, W));
    OK(MPI_Allgather(a, 2, MPI_INT, b, 1, case_type[1], W));
    OK(MPI_Ibcast(a, 1, MPI_INT, 1, W, &q));
    OK(MPI_Wait(&q, MPI_STATUS_IGNORE));
    OK(MPI_Allreduce_init(a, b, 4, MPI_INT, MPI_SUM, W, MPI_INFO_NULL, &q));
    for (int i = 0; i < 3; i++) {
        OK(MPI_Start(&q));
        OK(MPI_Wait(&q, MPI_STATUS_IGNORE));
    }
    OK(MPI_Request_free(&q));
    cases_finish();
    return mc_finish();
}
