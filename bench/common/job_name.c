/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the library calls itself, for the records. Apart from job.c, so that the program that `launch` starts can use it
 * and stay small.
 */
#include "job.h"

#include <string.h>

#if defined(SHMEM_MPT)
static const char vendor[] = SHMEM_VENDOR_STRING;
#elif defined(OSHMEM_MAJOR_VERSION)
/* Its vendor string is a web address. */
#define TEXT2(x) #x
#define TEXT(x) TEXT2(x)
static const char vendor[] =
    "Open MPI " TEXT(OSHMEM_MAJOR_VERSION) "." TEXT(OSHMEM_MINOR_VERSION) "." TEXT(OSHMEM_RELEASE_VERSION);
#else
static const char vendor[] = "";
#endif

void bench_job_name(char name[SHMEM_MAX_NAME_LEN + 1])
{
    size_t n;

    if (vendor[0])
        snprintf(name, SHMEM_MAX_NAME_LEN + 1, "%s", vendor);
    else
        shmem_info_get_name(name);
    n = strcspn(name, "(");
    while (n > 0 && name[n - 1] == ' ')
        n--;
    name[n] = '\0';
}
