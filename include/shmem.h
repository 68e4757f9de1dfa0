/* SPDX-License-Identifier: BSD-3-Clause
 *
 * OpenSHMEM 1.6, complete, with the deprecated calls and Cray's own. Define
 * before including:
 *   SHMEM_NO_INLINE or SHMEM_PROFILING  every call is an ordinary function, so
 *                                       that a profiler can stand between
 *   SHMEM_NO_GENERICS                   no C11 generics, no C++ overloads
 */
#ifndef SHMEM_H
#define SHMEM_H

/* Programs that must work with libraries of several versions look for include
 * guards to learn what is there (shmem4py does). These two are taken as "a
 * library with all of 1.5". */
#define SHMEM_DEF_H
#define SHMEM_FUNCTION_ATTRIBUTES

#include "mpt/shmem_api.h"

#if defined(__OPTIMIZE__) && !defined(SHMEM_NO_INLINE) && !defined(SHMEM_PROFILING)
#include "mpt/shmem_inline.h"
#endif

#ifndef SHMEM_NO_GENERICS
#if defined(__cplusplus)
#include "mpt/shmem_overloads.h"
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#include "mpt/shmem_generics.h"
#endif
#endif

#endif
