/* SPDX-License-Identifier: BSD-3-Clause
 *
 * libfabric is loaded when a job needs it, so that programs on one machine run
 * without it. What is not listed here is inline in its headers.
 */
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>

#include "core/net/ofi.h"

struct core_ofi_lib core_ofi_lib;

static const struct {
    const char *name;
    void **to;
} symbols[] = {
    {"fi_getinfo", (void **)&core_ofi_lib.getinfo},   {"fi_freeinfo", (void **)&core_ofi_lib.freeinfo},
    {"fi_dupinfo", (void **)&core_ofi_lib.dupinfo},   {"fi_fabric", (void **)&core_ofi_lib.fabric},
    {"fi_strerror", (void **)&core_ofi_lib.strerror}, {"fi_version", (void **)&core_ofi_lib.version},
};

/* Libraries of some providers install handlers of signals as they are loaded
 * (dlopen, getinfo), which would hide from the launcher how a PE died. */
static const int kept[] = {SIGSEGV, SIGBUS, SIGILL,  SIGFPE,  SIGABRT, SIGINT,
                           SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGCHLD};
_Static_assert(sizeof kept / sizeof *kept == OFI_SIGNALS, "there is room for them");

void core_ofi_signals_keep(void)
{
    for (int i = 0; i < OFI_SIGNALS; i++)
        sigaction(kept[i], NULL, &core_ofi.handlers[i]);
}

void core_ofi_signals_restore(void)
{
    for (int i = 0; i < OFI_SIGNALS; i++)
        sigaction(kept[i], &core_ofi.handlers[i], NULL);
}

/* Libraries that libfabric brings along (infinipath's) catch signals as soon as
 * they are loaded, SIGTERM and SIGSEGV among them: those belong to the program. */
static void *load_quietly(const char *name)
{
    enum { SIGNALS = 32 };
    struct sigaction before[SIGNALS];
    bool known[SIGNALS];
    for (int sig = 1; sig < SIGNALS; sig++)
        known[sig] = sigaction(sig, NULL, &before[sig]) == 0;
    void *lib = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    for (int sig = 1; sig < SIGNALS; sig++)
        if (known[sig])
            sigaction(sig, &before[sig], NULL);
    return lib;
}

int core_ofi_load(bool quiet)
{
    if (core_ofi.library)
        return 0;
    void *lib = load_quietly("libfabric.so.1");
    if (!lib) {
        if (!quiet)
            core_error("the network between PEs needs libfabric: %s (apt-get install libfabric1)", dlerror());
        return -ENOENT;
    }
    for (unsigned i = 0; i < sizeof symbols / sizeof *symbols; i++)
        if (!(*symbols[i].to = dlsym(lib, symbols[i].name))) {
            core_error("libfabric.so.1 has no %s: %s", symbols[i].name, dlerror());
            dlclose(lib);
            return -ENOENT;
        }
    core_ofi.library = lib;
    return 0;
}
