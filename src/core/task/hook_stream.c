/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reading from streams: where nothing is buffered, other tasks of the process go on until something has come.
 */
#define _FORTIFY_SOURCE 0
#include <stdarg.h>
#include <stdio.h>
#include <wchar.h>

#include "core/task/block.h"
#include "core/task/hooks.h"

FILE *core_task_await_stream(FILE *f)
{
    int fd = core_task_self && f && f->_IO_read_ptr >= f->_IO_read_end ? fileno(f) : -1;

    while (fd >= 0 && core_task_await(fd, POLLIN) < 0)
        continue; /* streams begin again after a handler, too */
    return f;
}

static char *get_line(char *text, int n, FILE *f)
{
    return core_task_real.fgets(text, n, core_task_await_stream(f));
}

static char *get_line_checked(char *text, size_t room, int n, FILE *f)
{
    return core_task_real.fgets_checked(text, room, n, core_task_await_stream(f));
}

static int get_char(FILE *f)
{
    return core_task_real.getc(core_task_await_stream(f));
}

static int get_char_unlocked(FILE *f)
{
    return core_task_real.getc_unlocked(core_task_await_stream(f));
}

static wint_t get_wide(FILE *f)
{
    return core_task_real.getwc(core_task_await_stream(f));
}

static wchar_t *get_wide_line(wchar_t *text, int n, FILE *f)
{
    return core_task_real.fgetws(text, n, core_task_await_stream(f));
}

static ssize_t get_up_to(char **text, size_t *room, int end, FILE *f)
{
    return core_task_real.getdelim(text, room, end, core_task_await_stream(f));
}

static ssize_t get_long_line(char **text, size_t *room, FILE *f)
{
    return get_up_to(text, room, '\n', f);
}

static size_t read_items(void *data, size_t size, size_t n, FILE *f)
{
    return core_task_real.fread(data, size, n, core_task_await_stream(f));
}

static size_t read_items_checked(void *data, size_t room, size_t size, size_t n, FILE *f)
{
    return core_task_real.fread_checked(data, room, size, n, core_task_await_stream(f));
}

static int scan_list(FILE *f, const char *format, va_list list)
{
    return core_task_real.vfscanf(core_task_await_stream(f), format, list);
}

static int scan(FILE *f, const char *format, ...)
{
    va_list list;
    int n;

    va_start(list, format);
    n = scan_list(f, format, list);
    va_end(list);
    return n;
}

const struct core_task_hook core_task_hooks_stream[] = {
    HOOK("fgets", get_line, fgets),
    REPLACE("fgets_unlocked", get_line),
    HOOK("__fgets_chk", get_line_checked, fgets_checked),
    HOOK("getc", get_char, getc),
    REPLACE("fgetc", get_char),
    REPLACE("_IO_getc", get_char),
    HOOK("getc_unlocked", get_char_unlocked, getc_unlocked),
    REPLACE("fgetc_unlocked", get_char_unlocked),
    HOOK("getwc", get_wide, getwc),
    REPLACE("fgetwc", get_wide),
    HOOK("fgetws", get_wide_line, fgetws),
    REPLACE("getline", get_long_line),
    HOOK("getdelim", get_up_to, getdelim),
    REPLACE("__getdelim", get_up_to),
    HOOK("fread", read_items, fread),
    REPLACE("fread_unlocked", read_items),
    HOOK("__fread_chk", read_items_checked, fread_checked),
    HOOK("__isoc99_vfscanf", scan_list, vfscanf),
    REPLACE("__isoc23_vfscanf", scan_list),
    REPLACE("__isoc99_fscanf", scan),
    REPLACE("__isoc23_fscanf", scan),
    {0},
};
