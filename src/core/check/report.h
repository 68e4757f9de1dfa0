/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The file of MPT_CHECK_REPORT: SARIF 2.1.0 if its name ends with .sarif, else JSON. It is complete after each finding,
 * whatever becomes of the job: all who write hold its lock.
 */
#ifndef CORE_CHECK_REPORT_H
#define CORE_CHECK_REPORT_H

struct core_finding;

/* Begin it anew, without findings. 0 or a negative errno after a message. */
int core_report_begin(const char *path);
void core_report_add(const char *path, const struct core_finding *f, int pe);

#endif
