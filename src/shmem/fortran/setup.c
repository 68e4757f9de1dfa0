/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Start and end, queries, memory ordering and the T3D's cache control, as
 * Fortran calls them.
 */
#include <pthread.h>
#include <string.h>

#include "shmem/fortran/fortran.h"

/* Once a program has threads, libgfortran calls these by weak names, and a
 * static program has only those functions that somebody needs. */
typedef void function(void);
static function *const needed[] __attribute__((used)) = {
    (function *)pthread_mutex_destroy, (function *)pthread_mutex_trylock, (function *)pthread_cond_init,
    (function *)pthread_cond_wait,     (function *)pthread_cond_broadcast, (function *)pthread_cond_destroy,
    (function *)pthread_key_delete,    (function *)pthread_getspecific,    (function *)pthread_setspecific,
};

void shmemf_bad_count(int n, const char *arg, const char *where)
{
    core_fatal("%s: %s=%d: expected 0 or more", where, arg, n);
}

SHMEMF(void, start_pes, (const int *npes), start_pes(*npes);)
SHMEMF(void, shmem_init, (void), shmem_init();)
SHMEMF(void, shmem_finalize, (void), shmem_finalize();)
SHMEMF(void, shmem_global_exit, (const int *status), shmem_global_exit(*status);)

SHMEMF(shmemf_int, shmem_my_pe, (void), return shmemf_number(shmem_my_pe());)
SHMEMF(shmemf_int, shmem_n_pes, (void), return shmemf_number(shmem_n_pes());)

SHMEMF(shmemf_logical, shmem_pe_accessible, (const int *pe), return shmem_pe_accessible(*pe);)
SHMEMF(shmemf_logical, shmem_addr_accessible, (const void *addr, const int *pe), return shmem_addr_accessible(addr, *pe);)
/* A Cray pointer is an integer as wide as an address. */
SHMEMF(void *, shmem_ptr, (const void *dest, const int *pe), return shmem_ptr(dest, *pe);)

SHMEMF(void, shmem_info_get_version, (int *major, int *minor), shmem_info_get_version(major, minor);)

/* A character variable of length `n`, filled up with blanks. */
SHMEMF(void, shmem_info_get_name, (char *name, size_t n),
       char text[SHMEM_MAX_NAME_LEN];
       shmem_info_get_name(text);
       size_t used = strlen(text);
       if (used > n)
           used = n;
       memcpy(name, text, used);
       memset(name + used, ' ', n - used);)

SHMEMF(void, shmem_barrier_all, (void), shmem_barrier_all();)
SHMEMF(void, shmem_sync_all, (void), shmem_sync_all();)
SHMEMF(void, shmem_fence, (void), shmem_fence();)
SHMEMF(void, shmem_quiet, (void), shmem_quiet();)

SHMEMF(void, shmem_set_cache_inv, (void), shmem_set_cache_inv();)
SHMEMF(void, shmem_clear_cache_inv, (void), shmem_clear_cache_inv();)
SHMEMF(void, shmem_set_cache_line_inv, (void *target), shmem_set_cache_line_inv(target);)
SHMEMF(void, shmem_clear_cache_line_inv, (void *target), shmem_clear_cache_line_inv(target);)
SHMEMF(void, shmem_udcflush, (void), shmem_udcflush();)
SHMEMF(void, shmem_udcflush_line, (void *target), shmem_udcflush_line(target);)
