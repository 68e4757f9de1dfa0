/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hints of windows (12.2.1 to 12.2.3, 12.2.7). MPI_Win_get_info tells those the
 * library knows, with the values in force.
 */
#include <stdlib.h>
#include <string.h>

#include "mpi/rma/win.h"

enum value { BOOLEAN, ORDERING, OPS, NUMBER };

static const struct hint {
    const char *key, *standard; /* NULL: told only when given */
    enum value value;
    bool creation_only;
} hints[] = {
    {"no_locks", "false", BOOLEAN, false},
    {"accumulate_ordering", "rar,raw,war,waw", ORDERING, false},
    {"accumulate_ops", "same_op_no_op", OPS, false},
    {"mpi_accumulate_granularity", "0", NUMBER, false},
    {"same_size", "false", BOOLEAN, false},
    {"same_disp_unit", "false", BOOLEAN, false},
    {"alloc_shared_noncontig", NULL, BOOLEAN, false}, /* later: the memory stays where it is */
    {"mpi_minimum_memory_alignment", NULL, NUMBER, true},
};
enum { HINTS = sizeof hints / sizeof *hints };

static bool is_number(const char *text)
{
    return *text && strspn(text, "0123456789") == strlen(text);
}

/* "none", or a list of rar, raw, war, waw. */
static bool is_ordering(const char *text)
{
    if (strcmp(text, "none") == 0)
        return true;
    for (;; text += 4) {
        bool known = strncmp(text, "rar", 3) == 0 || strncmp(text, "raw", 3) == 0 || strncmp(text, "war", 3) == 0 ||
                     strncmp(text, "waw", 3) == 0;
        if (!known)
            return false;
        if (text[3] != ',')
            return text[3] == 0;
    }
}

static bool is_valid(const struct hint *h, const char *text)
{
    switch (h->value) {
    case BOOLEAN:
        return strcmp(text, "true") == 0 || strcmp(text, "false") == 0;
    case ORDERING:
        return is_ordering(text);
    case OPS:
        return strcmp(text, "same_op") == 0 || strcmp(text, "same_op_no_op") == 0;
    case NUMBER:
        return is_number(text);
    }
    return false;
}

static int take(struct mpii_win *w, MPI_Info info, bool creation)
{
    const char *no_locks;

    for (int i = 0; i < HINTS; i++) {
        const char *given = info == MPI_INFO_NULL ? NULL : mpii_info_get(info, hints[i].key);
        const char *value = given && is_valid(&hints[i], given) ? given : creation ? hints[i].standard : NULL;

        if (!value || (hints[i].creation_only && !creation))
            continue;
        MPII_TRY(mpii_info_put(w->info, hints[i].key, value));
    }
    no_locks = mpii_info_get(mpii_info_handle(w->info), "no_locks");
    w->no_locks = no_locks && strcmp(no_locks, "true") == 0;
    return MPI_SUCCESS;
}

int mpii_rma_win_hints(struct mpii_win *w, MPI_Info info, const char *call)
{
    (void)call;
    w->info = mpii_info_copy(NULL);
    return w->info ? take(w, info, true) : MPI_ERR_NO_MEM;
}

size_t mpii_rma_alignment(MPI_Info info)
{
    const char *value = info == MPI_INFO_NULL ? NULL : mpii_info_get(info, "mpi_minimum_memory_alignment");
    unsigned long long n = value && is_number(value) ? strtoull(value, NULL, 10) : 0;

    return n && (n & (n - 1)) == 0 && n <= 2ul << 20 ? (size_t)n : 0;
}

int mpii_Win_set_info(MPI_Win win, MPI_Info info)
{
    struct mpii_win *w;

    MPII_TRY(mpii_rma_check_win(win, &w, __func__));
    MPII_TRY(mpii_check_hints(w, info, __func__));
    return take(w, info, false) == MPI_SUCCESS ? MPI_SUCCESS
                                               : mpii_error(w, MPI_ERR_NO_MEM, __func__, "no memory for hints");
}

int mpii_Win_get_info(MPI_Win win, MPI_Info *info_used)
{
    struct mpii_win *w;

    MPII_TRY(mpii_rma_check_win(win, &w, __func__));
    return mpii_info_give(w, mpii_info_copy(w->info), info_used, __func__);
}
