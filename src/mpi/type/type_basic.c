/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The predefined datatypes (3.2.2, 5.9.4 for the pairs; optional Fortran types
 * of known size): one row each, from which the objects are made, at the start or, where PEs are many in a process and
 * their memory counts, at their first use.
 * Fortran's default types have the sizes of gfortran's defaults.
 */
#include <stdio.h>
#include <wchar.h>

#include "core/base/number.h"
#include "core/wait/meet.h"
#include "mpi/type/type.h"

/* C types; complex ones, of two parts; Fortran types of known size. */
#define C(type, class, ctype, external) {type, #type, class, 1, sizeof(ctype), _Alignof(ctype), external}
#define C2(type, class, ctype, external) {type, #type, class, 2, sizeof(ctype), _Alignof(ctype), external}
#define F(type, class, size) {type, #type, class, 1, size, size, size}
#define F2(type, size) {type, #type, MPII_FLOAT, 2, size, size, size}

static const struct mpii_basic rows[] = {
    C(MPI_AINT, MPII_INT, MPI_Aint, 8),
    C(MPI_COUNT, MPII_INT, MPI_Count, 8),
    C(MPI_OFFSET, MPII_INT, MPI_Offset, 8),
    C(MPI_PACKED, MPII_PACK, char, 1),
    C(MPI_SHORT, MPII_INT, short, 2),
    C(MPI_INT, MPII_INT, int, 4),
    C(MPI_LONG, MPII_INT, long, 4),
    C(MPI_LONG_LONG_INT, MPII_INT, long long, 8),
    C(MPI_UNSIGNED_SHORT, MPII_UINT, unsigned short, 2),
    C(MPI_UNSIGNED, MPII_UINT, unsigned, 4),
    C(MPI_UNSIGNED_LONG, MPII_UINT, unsigned long, 4),
    C(MPI_UNSIGNED_LONG_LONG, MPII_UINT, unsigned long long, 8),
    C(MPI_FLOAT, MPII_FLOAT, float, 4),
    C2(MPI_C_COMPLEX, MPII_FLOAT, float, 4),
    C2(MPI_CXX_FLOAT_COMPLEX, MPII_FLOAT, float, 4),
    C(MPI_DOUBLE, MPII_FLOAT, double, 8),
    C2(MPI_C_DOUBLE_COMPLEX, MPII_FLOAT, double, 8),
    C2(MPI_CXX_DOUBLE_COMPLEX, MPII_FLOAT, double, 8),
    F(MPI_LOGICAL, MPII_LOGICAL, 4),
    F(MPI_INTEGER, MPII_INT, 4),
    F(MPI_REAL, MPII_FLOAT, 4),
    F2(MPI_COMPLEX, 4),
    F(MPI_DOUBLE_PRECISION, MPII_FLOAT, 8),
    F2(MPI_DOUBLE_COMPLEX, 8),
    F(MPI_CHARACTER, MPII_CHAR, 1),
    C(MPI_LONG_DOUBLE, MPII_LONG_DOUBLE, long double, 16),
    C2(MPI_C_LONG_DOUBLE_COMPLEX, MPII_LONG_DOUBLE, long double, 16),
    C2(MPI_CXX_LONG_DOUBLE_COMPLEX, MPII_LONG_DOUBLE, long double, 16),
    C(MPI_C_BOOL, MPII_LOGICAL, _Bool, 1),
    C(MPI_CXX_BOOL, MPII_LOGICAL, _Bool, 1),
    C(MPI_WCHAR, MPII_UINT, wchar_t, 2),
    C(MPI_INT8_T, MPII_INT, int8_t, 1),
    C(MPI_UINT8_T, MPII_UINT, uint8_t, 1),
    C(MPI_CHAR, MPII_CHAR, char, 1),
    C(MPI_SIGNED_CHAR, MPII_INT, signed char, 1),
    C(MPI_UNSIGNED_CHAR, MPII_UINT, unsigned char, 1),
    C(MPI_BYTE, MPII_CHAR, char, 1),
    C(MPI_INT16_T, MPII_INT, int16_t, 2),
    C(MPI_UINT16_T, MPII_UINT, uint16_t, 2),
    C(MPI_INT32_T, MPII_INT, int32_t, 4),
    C(MPI_UINT32_T, MPII_UINT, uint32_t, 4),
    C(MPI_INT64_T, MPII_INT, int64_t, 8),
    C(MPI_UINT64_T, MPII_UINT, uint64_t, 8),
    F(MPI_LOGICAL1, MPII_LOGICAL, 1),
    F(MPI_LOGICAL2, MPII_LOGICAL, 2),
    F(MPI_LOGICAL4, MPII_LOGICAL, 4),
    F(MPI_LOGICAL8, MPII_LOGICAL, 8),
    F(MPI_LOGICAL16, MPII_LOGICAL, 16),
    F(MPI_INTEGER1, MPII_INT, 1),
    F(MPI_INTEGER2, MPII_INT, 2),
    F(MPI_INTEGER4, MPII_INT, 4),
    F(MPI_INTEGER8, MPII_INT, 8),
    F(MPI_INTEGER16, MPII_INT, 16),
    F(MPI_REAL2, MPII_FLOAT, 2),
    F(MPI_REAL4, MPII_FLOAT, 4),
    F(MPI_REAL8, MPII_FLOAT, 8),
    F(MPI_REAL16, MPII_FLOAT, 16),
    F2(MPI_COMPLEX4, 2),
    F2(MPI_COMPLEX8, 4),
    F2(MPI_COMPLEX16, 8),
    F2(MPI_COMPLEX32, 16),
};

/* value, index: a struct of both, as C lays it out */
static const struct pair {
    MPI_Datatype handle;
    const char *name;
    MPI_Datatype value, index;
} pairs[] = {
    {MPI_FLOAT_INT, "MPI_FLOAT_INT", MPI_FLOAT, MPI_INT},
    {MPI_DOUBLE_INT, "MPI_DOUBLE_INT", MPI_DOUBLE, MPI_INT},
    {MPI_LONG_INT, "MPI_LONG_INT", MPI_LONG, MPI_INT},
    {MPI_2INT, "MPI_2INT", MPI_INT, MPI_INT},
    {MPI_SHORT_INT, "MPI_SHORT_INT", MPI_SHORT, MPI_INT},
    {MPI_LONG_DOUBLE_INT, "MPI_LONG_DOUBLE_INT", MPI_LONG_DOUBLE, MPI_INT},
    {MPI_2REAL, "MPI_2REAL", MPI_REAL, MPI_REAL},
    {MPI_2DOUBLE_PRECISION, "MPI_2DOUBLE_PRECISION", MPI_DOUBLE_PRECISION, MPI_DOUBLE_PRECISION},
    {MPI_2INTEGER, "MPI_2INTEGER", MPI_INTEGER, MPI_INTEGER},
};

/* MPI-1's marks of bounds: no data, and what lies where they lie begins or ends a type that has them. */
static const struct mark {
    MPI_Datatype handle;
    const char *name;
    bool lb, ub;
} marks[] = {{MPI_LB, "MPI_LB", true, false}, {MPI_UB, "MPI_UB", false, true}};

struct mpii_type mpii_basic_types[256];

static struct mpii_type *basic_in_slot(MPI_Datatype handle, const char *name)
{
    struct mpii_type *t = &mpii_basic_types[(uintptr_t)handle & 0xff];

    t->object = (struct mpii_object){.kind = MPII_TYPE, .refs = 1};
    t->handle = handle;
    t->handles = 1;
    t->committed = true;
    t->element = t;
    snprintf(t->name, sizeof t->name, "%s", name);
    return t;
}

static struct mpii_type *place_basic(const struct mpii_basic *row)
{
    struct mpii_type *t = basic_in_slot(row->handle, row->name);

    t->basic = t->dense = true;
    t->align = (uint8_t)core_log2(row->align);
    t->size = t->extent = t->true_extent = row->size * row->parts;
    return t;
}

static struct mpii_type *place_pair(const struct pair *pair)
{
    struct mpii_type *t = basic_in_slot(pair->handle, pair->name);
    const struct mpii_type *value = mpii_type_of(pair->value), *index = mpii_type_of(pair->index);
    MPI_Count align = (MPI_Count)1 << (value->align > index->align ? value->align : index->align);
    MPI_Count at = (value->size + index->size - 1) / index->size * index->size; /* index is aligned to its size */

    t->align = (uint8_t)core_log2((unsigned)align);
    t->size = value->size + index->size;
    t->true_extent = at + index->size;
    t->extent = (MPI_Count)core_round_up((uint64_t)t->true_extent, (uint64_t)align);
    t->dense = t->size == t->extent;
    return t;
}

static struct mpii_type *place_mark(const struct mark *mark)
{
    struct mpii_type *t = basic_in_slot(mark->handle, mark->name);

    t->lb_mark = mark->lb;
    t->ub_mark = mark->ub;
    t->dense = true;
    return t;
}

const struct mpii_basic *mpii_basic_row(const struct mpii_type *t)
{
    uint8_t *at = mpii_state.type.basic_rows;
    size_t i = (size_t)(t - mpii_basic_types);

    if (!at[(uintptr_t)MPI_AINT & 0xff])
        for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
            at[(uintptr_t)rows[k].handle & 0xff] = (uint8_t)(k + 1);
    return t->basic && i < 256 && at[i] ? &rows[at[i] - 1] : NULL;
}

bool mpii_type_pair(const struct mpii_type *t, struct mpii_type **value, struct mpii_type **index)
{
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        if (pairs[i].handle != t->handle)
            continue;
        *value = mpii_type_of(pairs[i].value);
        *index = mpii_type_of(pairs[i].index);
        return true;
    }
    return false;
}

struct mpii_type *mpii_type_pair_of(const struct mpii_type *value, const struct mpii_type *index)
{
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (pairs[i].value == value->handle && pairs[i].index == index->handle)
            return mpii_type_of(pairs[i].handle);
    return NULL;
}

/* All (0), or only the one of this handle. False: no memory. */
static bool make(MPI_Datatype only)
{
    bool fine = true;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!only || rows[i].handle == only)
            fine = mpii_type_compile(place_basic(&rows[i])) && fine;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (!only || pairs[i].handle == only)
            fine = mpii_type_compile(place_pair(&pairs[i])) && fine;
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (!only || marks[i].handle == only)
            fine = mpii_type_compile(place_mark(&marks[i])) && fine;
    return fine;
}

int mpii_types_init(void)
{
    if (mpii_basic_types[(uintptr_t)MPI_BYTE & 0xff].committed)
        return MPI_SUCCESS; /* a later session */
    mpii_state.type.later = core_meets();
    return make(mpii_state.type.later ? MPI_BYTE : 0) ? MPI_SUCCESS : MPI_ERR_NO_MEM;
}

struct mpii_type *mpii_type_first_used(MPI_Datatype handle)
{
    struct mpii_type *t = &mpii_basic_types[(uintptr_t)handle & 0xff];

    if (!mpii_state.type.later)
        return NULL;
    if (!make(handle))
        core_fatal("MPI: out of memory for a predefined datatype");
    return t->object.kind == MPII_TYPE && t->handle == handle ? t : NULL;
}
