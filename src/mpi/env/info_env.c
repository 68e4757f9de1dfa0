/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MPI_INFO_ENV and MPI_Info_create_env (11.2, table of reserved keys): how this
 * process was started, as far as it is known.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "mpi/env/info.h"

static struct mpii_env_state *const state = &mpii_state.env;

const char *mpii_thread_level_name(int level)
{
    return level == MPI_THREAD_SINGLE       ? "MPI_THREAD_SINGLE"
           : level == MPI_THREAD_FUNNELED   ? "MPI_THREAD_FUNNELED"
           : level == MPI_THREAD_SERIALIZED ? "MPI_THREAD_SERIALIZED"
                                            : "MPI_THREAD_MULTIPLE";
}

/* This process's command line: words of /proc/self/cmdline, each ended by 0. */
static size_t read_words(char *text, size_t n)
{
    FILE *f = fopen("/proc/self/cmdline", "re");
    size_t got = f ? fread(text, 1, n - 1, f) : 0;

    if (f)
        fclose(f);
    text[got] = '\0';
    return got;
}

/* Words after the first, separated by blanks, as much as a value may hold. */
static void join(const char *word, const char *end, char *text, size_t n)
{
    size_t at = 0;

    text[0] = '\0';
    for (; word < end && at < n; word += strlen(word) + 1)
        at += (size_t)snprintf(text + at, n - at, "%s%s", at ? " " : "", word);
}

static int put_command(struct mpii_info *info)
{
    char words[4096], line[MPI_MAX_INFO_VAL];
    size_t n = read_words(words, sizeof words);

    if (n == 0)
        return MPI_SUCCESS;
    snprintf(line, sizeof line, "%.*s", (int)sizeof line - 1, words);
    MPII_TRY(mpii_info_put(info, "command", line));
    join(words + strlen(words) + 1, words + n, line, sizeof line);
    return *line ? mpii_info_put(info, "argv", line) : MPI_SUCCESS;
}

static int put_arguments(struct mpii_info *info, int argc, char *argv[])
{
    char line[MPI_MAX_INFO_VAL] = "";
    size_t at = 0;

    for (int i = 1; i < argc && argv[i] && at < sizeof line; i++)
        at += (size_t)snprintf(line + at, sizeof line - at, "%s%s", at ? " " : "", argv[i]);
    if (*line)
        MPII_TRY(mpii_info_put(info, "argv", line));
    snprintf(line, sizeof line, "%s", argv[0]);
    return mpii_info_put(info, "command", line);
}

/* What needs no job, and what is known once there is one. */
static int put_place(struct mpii_info *info)
{
    struct utsname machine;
    char text[PATH_MAX];

    if (uname(&machine) == 0) {
        MPII_TRY(mpii_info_put(info, "arch", machine.machine));
        MPII_TRY(mpii_info_put(info, "host", machine.nodename));
    }
    if (getcwd(text, sizeof text) && strlen(text) < MPI_MAX_INFO_VAL)
        MPII_TRY(mpii_info_put(info, "wdir", text));
    return mpii_info_put(info, "mpi_memory_alloc_kinds", MPII_MEMORY_KINDS);
}

static int put_job(struct mpii_info *info)
{
    char text[16];
    const char *soft;
    int most;

    if (!mpii_started())
        return MPI_SUCCESS;
    soft = mpii_dyn_asked(&most);
    snprintf(text, sizeof text, "%d", most);
    MPII_TRY(mpii_info_put(info, "maxprocs", text));
    return mpii_info_put(info, "soft", *soft && strlen(soft) < MPI_MAX_INFO_VAL ? soft : text);
}

/* The same before, in and after the world model: what only a job knows is in MPI_INFO_ENV. */
static int fill(struct mpii_info *info, int argc, char *argv[])
{
    MPII_TRY(argc > 0 && argv && argv[0] ? put_arguments(info, argc, argv) : put_command(info));
    return put_place(info);
}

struct mpii_info *mpii_info_env(void)
{
    if (!state->info_env && (state->info_env = mpii_info_copy(NULL)) && fill(state->info_env, 0, NULL) != MPI_SUCCESS) {
        mpii_info_release(state->info_env);
        state->info_env = NULL;
    } else if (state->info_env) {
        core_guard_keep(mpii_info_memory(state->info_env));
    }
    return state->info_env;
}

/* It lives as long as the process: given back at exit for leak checkers, which do not look into the pool of objects. */
__attribute__((destructor)) static void forget(void)
{
    mpii_info_release(state->info_env);
    state->info_env = NULL;
}

void mpii_info_env_level(int level)
{
    if (mpii_info_env()) {
        put_job(state->info_env);
        mpii_info_put(state->info_env, "thread_level", mpii_thread_level_name(level));
        core_guard_keep(mpii_info_memory(state->info_env));
    }
}

int mpii_Info_create_env(int argc, char *argv[], MPI_Info *info)
{
    struct mpii_info *new;

    MPII_TRY(mpii_check_pointer(NULL, info, "info", __func__));
    new = mpii_info_copy(NULL);
    if (!new || fill(new, argc, argv) != MPI_SUCCESS) {
        mpii_info_release(new);
        return mpii_error(NULL, MPI_ERR_NO_MEM, __func__, "no memory for an info object");
    }
    *info = mpii_info_handle(new);
    return MPI_SUCCESS;
}
