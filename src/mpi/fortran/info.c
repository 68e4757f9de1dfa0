/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Strings whose length the caller tells in another argument: values of infos,
 * names of process sets. Fortran's length counts no zero at the end, C's does.
 */
#include "fortran.h"

#define DECLARE(name_, ...)              \
    void MPIF_PUBLIC name_(__VA_ARGS__); \
    void name_(__VA_ARGS__)

DECLARE(pmpi_info_get_, const int *info, const char *key, const int *valuelen, char *value, int *flag, int *ierror,
        size_t key_len, size_t value_len)
{
    char *key_c = mpif_trimmed(key, key_len), *value_c = malloc(*valuelen > 0 ? (size_t)*valuelen + 1 : 1);
    int flag_c = 0, error;

    error = key_c && value_c ? PMPI_Info_get(mpif_info(*info), key_c, *valuelen, value_c, &flag_c) : mpif_no_memory();
    if (error == MPI_SUCCESS && flag_c)
        mpif_string_out(value, value_len, value_c);
    *flag = flag_c != 0;
    free(key_c);
    free(value_c);
    mpif_result(ierror, error);
}
MPIF_NAMES(mpi_info_get);

/* buflen 0 asks for the length only, and leaves value alone. */
DECLARE(pmpi_info_get_string_, const int *info, const char *key, int *buflen, char *value, int *flag, int *ierror,
        size_t key_len, size_t value_len)
{
    int length = *buflen > 0 ? *buflen + 1 : *buflen, flag_c = 0, error;
    char *key_c = mpif_trimmed(key, key_len), *value_c = malloc(length > 0 ? (size_t)length : 1);

    error =
        key_c && value_c ? PMPI_Info_get_string(mpif_info(*info), key_c, &length, value_c, &flag_c) : mpif_no_memory();
    if (error == MPI_SUCCESS && flag_c) {
        if (*buflen > 0)
            mpif_string_out(value, value_len, value_c);
        *buflen = length - 1;
    }
    *flag = flag_c != 0;
    free(key_c);
    free(value_c);
    mpif_result(ierror, error);
}
MPIF_NAMES(mpi_info_get_string);

DECLARE(pmpi_session_get_nth_pset_, const int *session, const int *info, const int *n, int *pset_len, char *pset_name,
        int *ierror, size_t pset_name_len)
{
    int length = *pset_len > 0 ? *pset_len + 1 : *pset_len, error;
    char *name = malloc(length > 0 ? (size_t)length : 1);

    error = name ? PMPI_Session_get_nth_pset(mpif_session(*session), mpif_info(*info), *n, &length, name)
                 : mpif_no_memory();
    if (error == MPI_SUCCESS) {
        if (*pset_len > 0)
            mpif_string_out(pset_name, pset_name_len, name);
        *pset_len = length - 1;
    }
    free(name);
    mpif_result(ierror, error);
}
MPIF_NAMES(mpi_session_get_nth_pset);

DECLARE(pmpi_info_create_env_, int *info, int *ierror)
{
    MPI_Info info_c = MPI_INFO_NULL;
    int error = PMPI_Info_create_env(0, NULL, &info_c);

    if (error == MPI_SUCCESS)
        *info = mpif_info_int(info_c);
    mpif_result(ierror, error);
}
MPIF_NAMES(mpi_info_create_env);
