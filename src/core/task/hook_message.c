/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages that the C library writes to standard error: they go to that of the PE. Where the call ends the program, it
 * is the PE that ends.
 */
#include <err.h>
#include <errno.h>
#include <error.h>
#include <netdb.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "core/internal.h"
#include "core/task/block.h"
#include "core/task/hooks.h"

/* The C library's variable is this PE's meanwhile: no other task runs within a call of it. */
static void swap(void)
{
    core_task_swap_variable(core_task_here(), CORE_VAR_STDERR);
}

/* -------------------------------------------------------------- err and warn -- */

static void warn_list(const char *format, va_list list)
{
    swap();
    core_task_real.vwarn(format, list);
    swap();
}

static void warnx_list(const char *format, va_list list)
{
    swap();
    core_task_real.vwarnx(format, list);
    swap();
}

static void err_list(int status, const char *format, va_list list)
{
    warn_list(format, list);
    core_task_exit(status);
}

static void errx_list(int status, const char *format, va_list list)
{
    warnx_list(format, list);
    core_task_exit(status);
}

#define WITH_LIST(name, arguments, call) \
    static void name arguments           \
    {                                    \
        va_list list;                    \
                                         \
        va_start(list, format);          \
        call;                            \
        va_end(list);                    \
    }
WITH_LIST(print_warn, (const char *format, ...), warn_list(format, list))
WITH_LIST(print_warnx, (const char *format, ...), warnx_list(format, list))
WITH_LIST(print_err, (int status, const char *format, ...), err_list(status, format, list))
WITH_LIST(print_errx, (int status, const char *format, ...), errx_list(status, format, list))

/* ------------------------------------------------------------------ error -- */

/* The C library's error() writes what has been printed to standard output before. Its place, where there is one, counts
 * for error_one_per_line. */
static void error_list(int status, int number, const char *file, unsigned line, const char *format, va_list list)
{
    FILE *out = *(FILE **)core_task_here()->variables[CORE_VAR_STDOUT];
    char *text;

    fflush(out);
    if (vasprintf(&text, format, list) < 0)
        core_fatal("error: out of memory");
    swap();
    if (file)
        core_task_real.error_at_line(0, number, file, line, "%s", text);
    else
        core_task_real.error(0, number, "%s", text);
    swap();
    free(text);
    if (status != 0)
        core_task_exit(status);
}

WITH_LIST(print_error, (int status, int number, const char *format, ...),
          error_list(status, number, NULL, 0, format, list))
WITH_LIST(print_error_at, (int status, int number, const char *file, unsigned line, const char *format, ...),
          error_list(status, number, file ? file : "", line, format, list))

/* ---------------------------------------------------------------- signals -- */

static void print_signal(int sig, const char *text)
{
    swap();
    core_task_real.psignal(sig, text);
    swap();
}

static void print_signal_info(const siginfo_t *info, const char *text)
{
    int kept[3];

    core_task_lend_descriptors(kept);
    core_task_real.psiginfo(info, text); /* it writes to the descriptor */
    core_task_take_back_descriptors(kept);
}

static void print_host_error(const char *text)
{
    swap();
    core_task_real.herror(text);
    swap();
}

const struct core_task_hook core_task_hooks_message[] = {
    REPLACE("err", print_err),
    REPLACE("errx", print_errx),
    REPLACE("warn", print_warn),
    REPLACE("warnx", print_warnx),
    REPLACE("verr", err_list),
    REPLACE("verrx", errx_list),
    HOOK("vwarn", warn_list, vwarn),
    HOOK("vwarnx", warnx_list, vwarnx),
    HOOK("error", print_error, error),
    HOOK("error_at_line", print_error_at, error_at_line),
    HOOK("psignal", print_signal, psignal),
    HOOK("psiginfo", print_signal_info, psiginfo),
    HOOK("herror", print_host_error, herror),
    {0},
};
