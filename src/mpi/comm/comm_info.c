/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hints of communicators (MPI-5.0, 7.4.4). The library knows the standard's
 * assertions, which are all false unless the user says otherwise; other keys
 * are ignored, as the standard has it. Their promises need no work of ours:
 * matching without wildcards is as fast without them.
 */
#include <string.h>

#include "mpi/comm/comm.h"

static const char *const assertions[] = {
    "mpi_assert_no_any_tag",
    "mpi_assert_no_any_source",
    "mpi_assert_exact_length",
    "mpi_assert_allow_overtaking",
    "mpi_assert_strict_start_ordering",
    "mpi_assert_strict_persistent_collective_ordering",
};
enum { ASSERTIONS = sizeof assertions / sizeof *assertions };

static bool is_boolean(const char *value)
{
    return strcmp(value, "true") == 0 || strcmp(value, "false") == 0;
}

int mpii_comm_hints(struct mpii_comm *c, MPI_Info info, const char *call)
{
    for (int i = 0; i < ASSERTIONS; i++) {
        const char *value = info == MPI_INFO_NULL ? NULL : mpii_info_get(info, assertions[i]);

        if (!value || !is_boolean(value))
            continue;
        if (!c->info)
            c->info = mpii_info_copy(NULL);
        if (!c->info || mpii_info_put(c->info, assertions[i], value) != MPI_SUCCESS)
            return mpii_error(c, MPI_ERR_NO_MEM, call, "no memory for hints");
    }
    return MPI_SUCCESS;
}

int mpii_Comm_set_info(MPI_Comm comm, MPI_Info info)
{
    struct mpii_comm *c;

    MPII_TRY(mpii_check_comm(comm, &c, __func__));
    MPII_TRY(mpii_check_hints(c, info, __func__));
    return mpii_comm_hints(c, info, __func__);
}

int mpii_Comm_get_info(MPI_Comm comm, MPI_Info *info_used)
{
    struct mpii_comm *c;
    struct mpii_info *info;

    MPII_TRY(mpii_comm_asked(comm, &c, info_used, "info_used", __func__));
    info = mpii_info_copy(c->info);
    for (int i = 0; info && i < ASSERTIONS; i++)
        if (!mpii_info_get(mpii_info_handle(info), assertions[i]))
            mpii_info_put(info, assertions[i], "false");
    return mpii_info_give(c, info, info_used, __func__);
}
