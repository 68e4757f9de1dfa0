/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Questions about the binary interface (chapter 20), and what the Fortran side
 * tells about its types: how long they are, and which bits mean true.
 */
#include <string.h>

#include "mpi/mpii.h"

static struct mpii_front_logical *const logical = &mpii_state.front.logical;

int mpii_Abi_get_version(int *abi_major, int *abi_minor)
{
    MPII_TRY(mpii_check_pointer(NULL, abi_major, "abi_major", __func__));
    MPII_TRY(mpii_check_pointer(NULL, abi_minor, "abi_minor", __func__));
    *abi_major = MPI_ABI_VERSION;
    *abi_minor = MPI_ABI_SUBVERSION;
    return MPI_SUCCESS;
}

static int put_size(struct mpii_info *info, const char *key, size_t size)
{
    char text[16];

    snprintf(text, sizeof text, "%zu", size);
    return mpii_info_put(info, key, text);
}

static int put_sizes(struct mpii_info *info)
{
    MPII_TRY(put_size(info, "mpi_aint_size", sizeof(MPI_Aint)));
    MPII_TRY(put_size(info, "mpi_count_size", sizeof(MPI_Count)));
    return put_size(info, "mpi_offset_size", sizeof(MPI_Offset));
}

int mpii_Abi_get_info(MPI_Info *info)
{
    struct mpii_info *new;

    MPII_TRY(mpii_check_pointer(NULL, info, "info", __func__));
    new = mpii_info_copy(NULL);
    if (!new || put_sizes(new) != MPI_SUCCESS) {
        mpii_info_release(new);
        return mpii_error(NULL, MPI_ERR_NO_MEM, __func__, "no memory for an info object");
    }
    *info = mpii_info_handle(new);
    return MPI_SUCCESS;
}

/* ------------------------------------------------------------- Fortran -- */

static const struct {
    const char *key;
    MPI_Datatype type;
} plain[] = {{"mpi_logical_size", MPI_LOGICAL},
             {"mpi_integer_size", MPI_INTEGER},
             {"mpi_real_size", MPI_REAL},
             {"mpi_double_precision_size", MPI_DOUBLE_PRECISION}},
  sized[] = {{"mpi_logical1_supported", MPI_LOGICAL1},
             {"mpi_logical2_supported", MPI_LOGICAL2},
             {"mpi_logical4_supported", MPI_LOGICAL4},
             {"mpi_logical8_supported", MPI_LOGICAL8},
             {"mpi_logical16_supported", MPI_LOGICAL16},
             {"mpi_integer1_supported", MPI_INTEGER1},
             {"mpi_integer2_supported", MPI_INTEGER2},
             {"mpi_integer4_supported", MPI_INTEGER4},
             {"mpi_integer8_supported", MPI_INTEGER8},
             {"mpi_integer16_supported", MPI_INTEGER16},
             {"mpi_real2_supported", MPI_REAL2},
             {"mpi_real4_supported", MPI_REAL4},
             {"mpi_real8_supported", MPI_REAL8},
             {"mpi_real16_supported", MPI_REAL16},
             {"mpi_complex4_supported", MPI_COMPLEX4},
             {"mpi_complex8_supported", MPI_COMPLEX8},
             {"mpi_complex16_supported", MPI_COMPLEX16},
             {"mpi_complex32_supported", MPI_COMPLEX32},
             {"mpi_double_complex_supported", MPI_DOUBLE_COMPLEX}};

/* The datatypes are what they are from the start: the usual sizes of Fortran compilers. */
static int put_fortran(struct mpii_info *info)
{
    MPII_TRY(mpii_types_init());
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        MPII_TRY(put_size(info, plain[i].key, (size_t)mpii_type_of(plain[i].type)->size));
    for (size_t i = 0; i < sizeof sized / sizeof *sized; i++)
        MPII_TRY(mpii_info_put(info, sized[i].key, mpii_type_of(sized[i].type) ? "true" : "false"));
    return MPI_SUCCESS;
}

static int fortran_info(MPI_Info *info, const char *call)
{
    struct mpii_info *new = mpii_info_copy(NULL);

    if (!new || put_fortran(new) != MPI_SUCCESS) {
        mpii_info_release(new);
        return mpii_error(NULL, MPI_ERR_NO_MEM, call, "no memory for an info object");
    }
    *info = mpii_info_handle(new);
    return MPI_SUCCESS;
}

int mpii_Abi_get_fortran_info(MPI_Info *info)
{
    MPII_TRY(mpii_check_pointer(NULL, info, "info", __func__));
    return fortran_info(info, __func__);
}

static int compare(MPI_Info given, MPI_Info have, const char *key, const char *call)
{
    const char *wish = mpii_info_get(given, key), *is = mpii_info_get(have, key);

    if (!wish || strcmp(wish, is) == 0)
        return MPI_SUCCESS;
    return mpii_error(NULL, MPI_ERR_ABI, call, "%s is to be \"%s\", but is \"%s\" in this library", key, wish, is);
}

static int compare_all(MPI_Info given, MPI_Info have, const char *call)
{
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        MPII_TRY(compare(given, have, plain[i].key, call));
    for (size_t i = 0; i < sizeof sized / sizeof *sized; i++)
        MPII_TRY(compare(given, have, sized[i].key, call));
    return MPI_SUCCESS;
}

/* Sizes cannot be changed under the datatypes: what agrees with them is welcome, once. */
int mpii_Abi_set_fortran_info(MPI_Info info)
{
    MPI_Info have;
    int err;

    MPII_TRY(mpii_check_info(NULL, info, __func__));
    if (info == MPI_INFO_NULL)
        return mpii_error(NULL, MPI_ERR_INFO, __func__, "info is MPI_INFO_NULL");
    if (mpii_state.front.fortran_set)
        return mpii_error(NULL, MPI_ERR_ABI, __func__, "the sizes of Fortran's types have been set before");
    MPII_TRY(fortran_info(&have, __func__));
    err = compare_all(info, have, __func__);
    mpii_info_release(mpii_info_of(have));
    mpii_state.front.fortran_set = err == MPI_SUCCESS;
    return err;
}

static int check_booleans(int logical_size, const void *logical_true, const void *logical_false, const char *call)
{
    if (logical_size != 1 && logical_size != 2 && logical_size != 4 && logical_size != 8 && logical_size != 16)
        return mpii_error(NULL, MPI_ERR_ARG, call, "logical_size is %d, not the size of a LOGICAL in bytes",
                          logical_size);
    MPII_TRY(mpii_check_pointer(NULL, logical_true, "logical_true", call));
    return mpii_check_pointer(NULL, logical_false, "logical_false", call);
}

int mpii_Abi_set_fortran_booleans(int logical_size, void *logical_true, void *logical_false)
{
    MPII_TRY(check_booleans(logical_size, logical_true, logical_false, __func__));
    if (logical->bytes)
        return mpii_error(NULL, MPI_ERR_ABI, __func__, "they have been set already");
    if (memcmp(logical_true, logical_false, (size_t)logical_size) == 0)
        return mpii_error(NULL, MPI_ERR_ARG, __func__, "logical_true and logical_false are equal");
    memcpy(logical->true_bits, logical_true, (size_t)logical_size);
    memcpy(logical->false_bits, logical_false, (size_t)logical_size);
    logical->bytes = logical_size;
    return MPI_SUCCESS;
}

int mpii_Abi_get_fortran_booleans(int logical_size, void *logical_true, void *logical_false, int *is_set)
{
    MPII_TRY(check_booleans(logical_size, logical_true, logical_false, __func__));
    MPII_TRY(mpii_check_pointer(NULL, is_set, "is_set", __func__));
    *is_set = logical->bytes == logical_size;
    if (*is_set) {
        memcpy(logical_true, logical->true_bits, (size_t)logical_size);
        memcpy(logical_false, logical->false_bits, (size_t)logical_size);
    }
    return MPI_SUCCESS;
}
