/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Cells for the values of attributes set by Fortran: they come in chunks that are
 * never given back, so that an address can be told to be one of them.
 */
#include <pthread.h>

#include "attr.h"

enum { CELLS = 255 };

union cell {
    MPI_Aint value;
    union cell *next; /* of the free ones */
};

struct chunk {
    struct chunk *next;
    union cell cells[CELLS];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct chunk *chunks;
static union cell *unused;

static bool grow(void)
{
    struct chunk *c = malloc(sizeof *c);

    if (!c)
        return false;
    c->next = chunks;
    chunks = c;
    for (int i = 0; i < CELLS; i++) {
        c->cells[i].next = unused;
        unused = &c->cells[i];
    }
    return true;
}

static bool is_cell(const void *p)
{
    for (const struct chunk *c = chunks; c; c = c->next)
        if ((uintptr_t)p - (uintptr_t)c->cells < sizeof c->cells)
            return true;
    return false;
}

void *mpif_cell(MPI_Aint value)
{
    union cell *cell = NULL;

    pthread_mutex_lock(&lock);
    if (unused || grow()) {
        cell = unused;
        unused = cell->next;
        cell->value = value;
    }
    pthread_mutex_unlock(&lock);
    return cell;
}

void mpif_cell_free(void *p)
{
    pthread_mutex_lock(&lock);
    if (is_cell(p)) {
        ((union cell *)p)->next = unused;
        unused = p;
    }
    pthread_mutex_unlock(&lock);
}

MPI_Aint mpif_cell_value(void *p)
{
    MPI_Aint value = (MPI_Aint)p;

    pthread_mutex_lock(&lock);
    if (is_cell(p))
        value = ((union cell *)p)->value;
    pthread_mutex_unlock(&lock);
    return value;
}
