/* SPDX-License-Identifier: BSD-3-Clause
 *
 * -gdb: gdb takes this launcher's place and starts it again, as a client of mpir.c (tools/debug/gdb_job.py), to come
 * to a prompt with all PEs attached.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "launch/options.h"

/* Where the launcher lies; what belongs to it lies relative to that. */
static int find_self(char *file, size_t n)
{
    ssize_t length = readlink("/proc/self/exe", file, n - 1);

    if (length <= 0)
        return -1;
    file[length] = '\0';
    return 0;
}

int launch_gdb(int argc, char **argv)
{
    char self[4096], script[sizeof self + 256], trust[sizeof self + 256];
    char *before[] = {"gdb", "-q", "-iex", trust, "-x", script, "--args", self};
    const size_t n = sizeof before / sizeof *before;
    char **words = calloc(n + (size_t)argc + 1, sizeof *words);

    if (!words)
        return launch_no_memory();
    if (find_self(self, sizeof self)) {
        launch_say("-gdb: cannot find out where this program lies: %s", strerror(errno));
        return EXIT_FAILURE;
    }
    int folder = (int)(strrchr(self, '/') - self);
    snprintf(script, sizeof script, "%.*s/" LAUNCH_SCRIPTS "/gdb_job.py", folder, self);
    snprintf(trust, sizeof trust, "add-auto-load-safe-path %.*s/" LAUNCH_LIBRARIES, folder, self);
    if (access(script, R_OK) != 0) {
        launch_say("-gdb: %s: %s; is the installation complete?", script, strerror(errno));
        return EXIT_FAILURE;
    }
    memcpy(words, before, sizeof before);
    for (int i = 1; i < argc; i++)
        words[n + (size_t)i - 1] = argv[i] ? argv[i] : ":"; /* options.c has cut there */
    execvp("gdb", words);
    launch_say("-gdb: cannot run gdb: %s%s", strerror(errno), errno == ENOENT ? " (apt-get install gdb)" : "");
    return errno == ENOENT ? STATUS_NOT_FOUND : STATUS_NOT_EXECUTABLE;
}
