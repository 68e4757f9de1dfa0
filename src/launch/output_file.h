/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The files that --output-filename and kin ask for.
 */
#ifndef LAUNCH_OUTPUT_FILE_H
#define LAUNCH_OUTPUT_FILE_H

/* Opens the file of a PE for writing, with its folders. In the pattern %r is the PE's number (with as many digits as
 * that of the last of npes), %h the host's name, %% a percent sign. A descriptor, or -EBADF after a message.
 */
int output_file_open(const char *pattern, unsigned pe, unsigned npes);

#endif
