/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See empty.h.
 */
#include "core/base/empty.h"

#include <fcntl.h>
#include <sys/mman.h>

int core_open_empty(void)
{
    int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
    return fd >= 0 ? fd : memfd_create("mpt-no-input", MFD_CLOEXEC);
}
