/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The version of MPT, which is written here: CMake and the sources read it, and `tools/version.py --write` carries it
 * to the files that can do neither.
 */
#ifndef MPT_VERSION_H
#define MPT_VERSION_H

#define MPT_VERSION "0.1.0"

#endif
