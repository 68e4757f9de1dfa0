/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the front's tables say (front.h).
 */
#include "mpi/front_mpich/front.h"

int mpich_value_in(const struct mpich_table *t, int value)
{
    for (int i = 0; i < t->n; i++)
        if (t->pairs[i].there == value)
            return t->pairs[i].here;
    for (int i = 0; i < t->n; i++)
        if (t->pairs[i].here == value)
            return MPICH_BAD;
    return value;
}

int mpich_value_out(const struct mpich_table *t, int value)
{
    for (int i = 0; i < t->n; i++)
        if (t->pairs[i].here == value)
            return t->pairs[i].there;
    return value;
}

int mpich_bits_in(const struct mpich_table *t, int value)
{
    int result = 0;

    for (int i = 0; i < t->n; i++)
        if (value & t->pairs[i].there) {
            result |= t->pairs[i].here;
            value &= ~t->pairs[i].there;
        }
    return value ? MPICH_BAD : result;
}

int mpich_bits_out(const struct mpich_table *t, int value)
{
    int result = 0;

    for (int i = 0; i < t->n; i++)
        if (value & t->pairs[i].here)
            result |= t->pairs[i].there;
    return result;
}

void *mpich_predefined_in(const struct mpich_kind *k, int handle)
{
    for (int i = 0; i < k->predefined.n; i++)
        if (k->predefined.pairs[i].there == handle)
            return (void *)(uintptr_t)(unsigned)k->predefined.pairs[i].here;
    return MPICH_BAD_HANDLE;
}

int mpich_predefined_out(const struct mpich_kind *k, const void *handle)
{
    for (int i = 0; i < k->predefined.n; i++)
        if ((uintptr_t)(unsigned)k->predefined.pairs[i].here == (uintptr_t)handle)
            return k->predefined.pairs[i].there;
    return 0;
}
