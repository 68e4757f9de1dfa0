/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See output_file.h.
 */
#include "launch/output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "launch/launch.h"

static int digits(unsigned n)
{
    return snprintf(NULL, 0, "%u", n);
}

/* False: it is too long. */
static bool expand(const char *pattern, unsigned pe, unsigned npes, char path[PATH_MAX])
{
    char host[256] = "localhost";
    size_t n = 0;

    gethostname(host, sizeof host - 1);
    for (const char *s = pattern; *s && n < PATH_MAX; s++) {
        if (*s == '%' && s[1] == 'r')
            n += (size_t)snprintf(path + n, PATH_MAX - n, "%0*u", digits(npes - 1), pe), s++;
        else if (*s == '%' && s[1] == 'h')
            n += (size_t)snprintf(path + n, PATH_MAX - n, "%s", host), s++;
        else
            n += (size_t)snprintf(path + n, PATH_MAX - n, "%c", *s), s += *s == '%' && s[1] == '%';
    }
    return n < PATH_MAX;
}

static int make_folders(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        int rc;

        *slash = '\0';
        rc = mkdir(path, 0777) && errno != EEXIST ? -errno : 0;
        *slash = '/';
        if (rc)
            return rc;
    }
    return 0;
}

int output_file_open(const char *pattern, unsigned pe, unsigned npes)
{
    char path[PATH_MAX] = "";
    int fd = -ENAMETOOLONG;

    if (expand(pattern, pe, npes, path) && (fd = make_folders(path)) == 0) {
        fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
        fd = fd < 0 ? -errno : fd;
    }
    if (fd < 0)
        launch_say("cannot write the output of PE %u to %s: %s", pe, fd == -ENAMETOOLONG ? pattern : path,
                   strerror(-fd));
    return fd < 0 ? -EBADF : fd;
}
