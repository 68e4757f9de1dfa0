/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See path.h.
 */
#include "core/base/path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *core_path_absolute(const char *path)
{
    char *all = NULL, *here;

    if (path[0] == '/')
        return strdup(path);
    here = getcwd(NULL, 0);
    if (!here || asprintf(&all, "%s/%s", here, path) < 0)
        all = NULL;
    free(here);
    return all;
}
