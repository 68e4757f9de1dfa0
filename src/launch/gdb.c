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

int launch_gdb(int argc, char **argv)
{
    char *self = realpath("/proc/self/exe", NULL), *script, *trust; /* what belongs to it lies relative to it */
    const int folder = self ? (int)(strrchr(self, '/') - self) : 0;

    if (!self) {
        launch_say("-gdb: cannot find out where this program lies: %s", strerror(errno));
        return EXIT_FAILURE;
    }
    if (asprintf(&script, "%.*s/" LAUNCH_SCRIPTS "/gdb_job.py", folder, self) < 0 ||
        asprintf(&trust, "add-auto-load-safe-path %.*s/" LAUNCH_LIBRARIES, folder, self) < 0)
        return launch_no_memory();
    char *before[] = {"gdb", "-q", "-iex", trust, "-x", script, "--args", self};
    const size_t n = sizeof before / sizeof *before;
    char **words = calloc(n + (size_t)argc + 1, sizeof *words);

    if (!words)
        return launch_no_memory();
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
