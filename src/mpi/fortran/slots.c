/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Places for Fortran procedures that C calls without extra state; see slots.h.
 * A place once taken keeps its procedure: calls under way read it without a lock.
 */
#include <pthread.h>

#include "fortran.h"
#include "slots.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int mpif_slot(mpif_procedure **slots, int n, mpif_procedure *procedure)
{
    int i = 0;

    pthread_mutex_lock(&lock);
    while (i < n && slots[i] && slots[i] != procedure)
        i++;
    if (i < n)
        slots[i] = procedure;
    pthread_mutex_unlock(&lock);
    return i < n ? i : -1;
}
