/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Standard input, output and error as streams are each PE's own: functions that name none of them use those of the PE
 * that calls, of its threads, and of its children.
 */
#define _FORTIFY_SOURCE 0
#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

#include "core/task/hooks.h"
#include "core/task/host.h"

static FILE *stream(enum core_task_variable which)
{
    return *(FILE **)core_task_here()->variables[which];
}

static FILE *in(void)
{
    return stream(CORE_VAR_STDIN);
}

static FILE *out(void)
{
    return stream(CORE_VAR_STDOUT);
}

static FILE *err(void)
{
    return stream(CORE_VAR_STDERR);
}

/* ---------------------------------------------------------------- output -- */

/* Functions of a format: NAME(FIRST format, ...) by the function that takes a stream and a list. */
#define BY_LIST(name, first, letter, call)           \
    static int name(first const letter *format, ...) \
    {                                                \
        va_list list;                                \
        int n;                                       \
                                                     \
        va_start(list, format);                      \
        n = call;                                    \
        va_end(list);                                \
        return n;                                    \
    }
#define NO_FLAG
#define FLAG __attribute__((unused)) int flag,
BY_LIST(print, NO_FLAG, char, vfprintf(out(), format, list))
BY_LIST(print_checked, FLAG, char, vfprintf(out(), format, list))
BY_LIST(print_wide, NO_FLAG, wchar_t, vfwprintf(out(), format, list))
BY_LIST(print_wide_checked, FLAG, wchar_t, vfwprintf(out(), format, list))
BY_LIST(scan, NO_FLAG, char, vfscanf(in(), format, list))
BY_LIST(scan_wide, NO_FLAG, wchar_t, vfwscanf(in(), format, list))

static int print_list(const char *format, va_list list)
{
    return vfprintf(out(), format, list);
}

static int print_list_checked(int flag, const char *format, va_list list)
{
    (void)flag;
    return vfprintf(out(), format, list);
}

static int print_wide_list(const wchar_t *format, va_list list)
{
    return vfwprintf(out(), format, list);
}

static int put_line(const char *text)
{
    FILE *f = out();
    int rc;

    flockfile(f);
    rc = fputs(text, f) < 0 || putc_unlocked('\n', f) < 0 ? EOF : 1;
    funlockfile(f);
    return rc;
}

static int put_char(int c)
{
    return putc(c, out());
}

static int put_char_unlocked(int c)
{
    return putc_unlocked(c, out());
}

static wint_t put_wide(wchar_t c)
{
    return putwc(c, out());
}

static void print_error(const char *text)
{
    int error = errno;

    fprintf(err(), "%s%s%s\n", text ? text : "", text && *text ? ": " : "", strerror(error));
    errno = error;
}

static void fail_assertion(const char *what, const char *file, unsigned line, const char *function)
{
    core_task_swap_variable(core_task_here(), CORE_VAR_STDERR); /* it does not come back */
    core_task_real.fail_assertion(what, file, line, function);
}

/* ----------------------------------------------------------------- input -- */

static int scan_list(const char *format, va_list list)
{
    return vfscanf(in(), format, list);
}

static int get_char(void)
{
    return getc(in());
}

static int get_char_unlocked(void)
{
    return getc_unlocked(in());
}

static wint_t get_wide(void)
{
    return getwc(in());
}

/* ------------------------------------------------------------------- end -- */

static int close_stream(FILE *f)
{
    struct core_task *t = core_task_here();
    FILE **own[] = {&t->in, &t->out, &t->err};

    for (unsigned i = 0; i < 3; i++)
        if (*own[i] == f)
            *own[i] = NULL; /* nothing is to be written at the end */
    return core_task_real.close_stream(f);
}

const struct core_task_hook core_task_hooks_stdio[] = {
    REPLACE("printf", print),
    REPLACE("vprintf", print_list),
    REPLACE("__printf_chk", print_checked),
    REPLACE("__vprintf_chk", print_list_checked),
    REPLACE("puts", put_line),
    REPLACE("putchar", put_char),
    REPLACE("putchar_unlocked", put_char_unlocked),
    REPLACE("wprintf", print_wide),
    REPLACE("__wprintf_chk", print_wide_checked),
    REPLACE("vwprintf", print_wide_list),
    REPLACE("putwchar", put_wide),
    REPLACE("perror", print_error),
    HOOK("__assert_fail", fail_assertion, fail_assertion),
    REPLACE("scanf", scan),
    REPLACE("__isoc99_scanf", scan),
    REPLACE("__isoc23_scanf", scan),
    REPLACE("vscanf", scan_list),
    REPLACE("__isoc99_vscanf", scan_list),
    REPLACE("__isoc23_vscanf", scan_list),
    REPLACE("wscanf", scan_wide),
    REPLACE("__isoc99_wscanf", scan_wide),
    REPLACE("__isoc23_wscanf", scan_wide),
    REPLACE("getchar", get_char),
    REPLACE("getchar_unlocked", get_char_unlocked),
    REPLACE("getwchar", get_wide),
    HOOK("fclose", close_stream, close_stream),
    {0},
};
