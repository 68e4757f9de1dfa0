/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The job of the interfaces whose processes are PEs: started and ended as SHMEM's benchmarks are.
 */
#ifndef BENCH_FACE_JOB_H
#define BENCH_FACE_JOB_H

#include "../common/job.h"
#include "face_own.h"

/* Of the interface: the name of its programs and of the library in the records, and what it does when the job stands.
 */
extern const char face_prefix[], face_library[];
void face_open(void);
void face_close(void);

/* Symmetric words, one for each PE, all 0; or the end of the job. */
long *face_words(void);

#endif
