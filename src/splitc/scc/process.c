/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The driver's dealings with the system: it runs the C compiler, finds the
 * library relative to scc's own place, and keeps temporary files in one folder.
 */
#include "driver.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef MPT_MULTIARCH
#define MPT_MULTIARCH "x86_64-linux-gnu" /* the build says otherwise */
#endif

static bool plain(const char *word)
{
    return *word && !word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-")];
}

static void show(const struct scc_words *command)
{
    for (size_t i = 0; i < command->n; i++) {
        const char *word = command->at[i];
        if (i)
            fputc(' ', stderr);
        if (plain(word)) {
            fputs(word, stderr);
            continue;
        }
        fputc('\'', stderr);
        for (; *word; word++)
            fputs(*word == '\'' ? "'\\''" : (char[]){*word, 0}, stderr);
        fputc('\'', stderr);
    }
    fputc('\n', stderr);
}

static pid_t start(const struct scc_words *command, int err)
{
    fflush(NULL);
    pid_t child = fork();
    if (child < 0)
        fprintf(stderr, "scc: error: cannot start '%s': %s\n", command->at[0], strerror(errno));
    if (child == 0) {
        signal(SIGINT, SIG_DFL);
        if (err != STDERR_FILENO)
            dup2(err, STDERR_FILENO);
        execvp(command->at[0], (char *const *)command->at);
        fprintf(stderr, "scc: error: compiler '%s': %s; install it, or set MPT_CC\n", command->at[0], strerror(errno));
        _exit(127);
    }
    return child;
}

static int ended(pid_t child, const struct scc_words *command)
{
    int status;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return 1;
    if (WIFEXITED(status))
        return WEXITSTATUS(status);
    fprintf(stderr, "scc: error: '%s' ended by signal %d\n", command->at[0], WTERMSIG(status));
    return 1;
}

int scc_run(const struct scc_driver *d, const struct scc_words *command)
{
    if (d->verbose || d->dry)
        show(command);
    if (d->dry)
        return 0;
    pid_t child = start(command, STDERR_FILENO);
    return child < 0 ? 1 : ended(child, command);
}

int scc_run_heard(const struct scc_driver *d, const struct scc_words *command, char **said)
{
    int ends[2];
    size_t size;
    *said = NULL;
    if (d->dry || pipe2(ends, O_CLOEXEC))
        return scc_run(d, command);
    if (d->verbose)
        show(command);
    pid_t child = start(command, ends[1]);
    close(ends[1]);
    FILE *text = open_memstream(said, &size);
    char part[4096];
    for (ssize_t n; (n = read(ends[0], part, sizeof part)) > 0 || (n < 0 && errno == EINTR);)
        if (n > 0)
            fwrite(part, 1, (size_t)n, text);
    fclose(text);
    close(ends[0]);
    return child < 0 ? 1 : ended(child, command);
}

char *scc_temporary(struct scc_driver *d, const char *tail)
{
    if (!d->folder) {
        char *name = scc_text("%s/scc-XXXXXX", d->scratch);
        if (!d->dry && !mkdtemp(name)) {
            fprintf(stderr, "scc: error: cannot make a folder for temporary files in %s: %s\n", d->scratch,
                    strerror(errno));
            exit(2);
        }
        d->folder = name;
    }
    return scc_text("%s/%d%s", d->folder, d->temporaries++, tail);
}

void scc_clean(struct scc_driver *d)
{
    static const char *const tails[] = {".i", ".c", ".o"};
    if (!d->folder || d->dry)
        return;
    for (int i = 0; i < d->temporaries; i++)
        for (size_t k = 0; k < sizeof tails / sizeof *tails; k++) {
            char *name = scc_text("%s/%d%s", d->folder, i, tails[k]);
            unlink(name);
            free(name);
        }
    rmdir(d->folder);
}

int scc_find_tree(struct scc_driver *d)
{
    static const char *const libs[] = {"lib", "lib64", ("lib/" MPT_MULTIARCH)};
    char self[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n <= 0) {
        fprintf(stderr, "scc: error: cannot find its own place: %s\n", strerror(errno));
        return -1;
    }
    self[n] = 0;
    for (int up = 0; up < 2; up++) {
        char *slash = strrchr(self, '/');
        if (slash)
            *slash = 0;
    }
    d->include = scc_text("%s/include", self);
    for (size_t i = 0; i < sizeof libs / sizeof *libs; i++) {
        char *folder = scc_text("%s/%s", self, libs[i]);
        char *shared = scc_text("%s/libmpt.so", folder), *archive = scc_text("%s/libmpt.a", folder);
        d->lib = folder;
        bool found = !access(shared, R_OK) || !access(archive, R_OK);
        free(shared);
        free(archive);
        if (found)
            return 0;
    }
    return 0;
}
