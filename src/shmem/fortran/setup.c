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
    (function *)pthread_mutex_destroy, (function *)pthread_mutex_trylock,  (function *)pthread_cond_init,
    (function *)pthread_cond_wait,     (function *)pthread_cond_broadcast, (function *)pthread_cond_destroy,
    (function *)pthread_key_delete,    (function *)pthread_getspecific,    (function *)pthread_setspecific,
};

void shmemf_bad_count(int n, const char *arg, const char *where)
{
    core_finding_fatal(CORE_FINDING_ARGUMENT, shmemi_rule(where), "%s: %s=%d: expected 0 or more", where, arg, n);
}

SHMEMF_PUBLIC void start_pes_(const int *npes)
{
    start_pes(*npes);
}

SHMEMF_PUBLIC void shmem_init_(void)
{
    shmem_init();
}

SHMEMF_PUBLIC void shmem_finalize_(void)
{
    shmem_finalize();
}

SHMEMF_PUBLIC void shmem_global_exit_(const int *status)
{
    shmem_global_exit(*status);
}

SHMEMF_PUBLIC shmemf_int shmem_my_pe_(void)
{
    return shmemf_number(shmem_my_pe());
}

SHMEMF_PUBLIC shmemf_int shmem_n_pes_(void)
{
    return shmemf_number(shmem_n_pes());
}

SHMEMF_PUBLIC shmemf_logical shmem_pe_accessible_(const int *pe)
{
    return shmem_pe_accessible(*pe);
}

SHMEMF_PUBLIC shmemf_logical shmem_addr_accessible_(const void *addr, const int *pe)
{
    return shmem_addr_accessible(addr, *pe);
}

/* A Cray pointer is an integer as wide as an address. */
SHMEMF_PUBLIC void *shmem_ptr_(const void *dest, const int *pe)
{
    return shmem_ptr(dest, *pe);
}

SHMEMF_PUBLIC void shmem_info_get_version_(int *major, int *minor)
{
    shmem_info_get_version(major, minor);
}

/* A character variable of length `n`, filled up with blanks. */
SHMEMF_PUBLIC void shmem_info_get_name_(char *name, size_t n)
{
    char text[SHMEM_MAX_NAME_LEN];
    shmem_info_get_name(text);
    size_t used = strlen(text);
    if (used > n)
        used = n;
    memcpy(name, text, used);
    memset(name + used, ' ', n - used);
}

SHMEMF_PUBLIC void shmem_barrier_all_(void)
{
    shmem_barrier_all();
}

SHMEMF_PUBLIC void shmem_sync_all_(void)
{
    shmem_sync_all();
}

SHMEMF_PUBLIC void shmem_fence_(void)
{
    shmem_fence();
}

SHMEMF_PUBLIC void shmem_quiet_(void)
{
    shmem_quiet();
}

SHMEMF_PUBLIC void shmem_set_cache_inv_(void)
{
    shmem_set_cache_inv();
}

SHMEMF_PUBLIC void shmem_clear_cache_inv_(void)
{
    shmem_clear_cache_inv();
}

SHMEMF_PUBLIC void shmem_set_cache_line_inv_(void *target)
{
    shmem_set_cache_line_inv(target);
}

SHMEMF_PUBLIC void shmem_clear_cache_line_inv_(void *target)
{
    shmem_clear_cache_line_inv(target);
}

SHMEMF_PUBLIC void shmem_udcflush_(void)
{
    shmem_udcflush();
}

SHMEMF_PUBLIC void shmem_udcflush_line_(void *target)
{
    shmem_udcflush_line(target);
}
