/* SPDX-License-Identifier: BSD-3-Clause
 *
 * scc, the Split-C compiler: each .sc file is preprocessed, translated to C and
 * given to the system's compiler; everything else on the command line goes to
 * that compiler as it is.
 */
#include "driver.h"

#include <signal.h>
#include <string.h>

static const char *environment(char **envp, const char *name)
{
    size_t n = strlen(name);
    for (; *envp; envp++)
        if (!strncmp(*envp, name, n) && (*envp)[n] == '=' && (*envp)[n + 1])
            return *envp + n + 1;
    return NULL;
}

int main(int argc, char **argv, char **envp)
{
    struct scc_driver d = {.t3d = true};
    d.cc = environment(envp, "MPT_CC");
    if (!d.cc)
        d.cc = environment(envp, "CC");
    if (!d.cc)
        d.cc = "cc";
    d.scratch = environment(envp, "TMPDIR");
    if (!d.scratch)
        d.scratch = P_tmpdir;
    int rc = scc_options(&d, argc, argv);
    if (rc)
        return rc < 0 ? 2 : 0;
    if (scc_find_tree(&d))
        return 2;
    signal(SIGINT, SIG_IGN); /* the compiler ends by it, and scc removes its files */
    rc = scc_drive(&d);
    scc_clean(&d);
    return rc;
}
