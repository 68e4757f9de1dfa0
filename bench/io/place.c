/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Directories and their file systems, by the mount that lies nearest above each.
 */
#define _GNU_SOURCE 1
#include "place.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool below(const char *path, const char *mount)
{
    const size_t n = strlen(mount);

    return strncmp(path, mount, n) == 0 && (n == 1 || path[n] == '/' || path[n] == '\0');
}

/* A line of mountinfo: the mount is the fifth field, type and device follow a dash. Later mounts cover earlier ones. */
static void find_mount(const char *path, struct place *p)
{
    FILE *const f = fopen("/proc/self/mountinfo", "r");
    char line[4096], mount[1024], type[32], device[256];
    size_t longest = 0;

    snprintf(p->type, sizeof p->type, "unknown");
    while (f && fgets(line, sizeof line, f)) {
        const char *const dash = strstr(line, " - ");

        if (!dash || sscanf(line, "%*s %*s %*s %*s %1023s", mount) != 1 ||
            sscanf(dash, " - %31s %255s", type, device) != 2)
            continue;
        if (!below(path, mount) || strlen(mount) < longest)
            continue;
        longest = strlen(mount);
        memcpy(p->type, type, sizeof type);
        memcpy(p->device, device, sizeof device);
    }
    if (f)
        fclose(f);
}

static bool in_memory(const struct place *p)
{
    return strcmp(p->type, "tmpfs") == 0 || strcmp(p->type, "ramfs") == 0;
}

static int look_at(const char *directory, size_t length, struct place *p, char *why, size_t size)
{
    char whole[PATH_MAX];

    if (length > MOST_LETTERS) {
        snprintf(why, size, "--directories: '%.20s...' is longer than %d", directory, MOST_LETTERS);
        return -1;
    }
    memcpy(p->directory, directory, length);
    p->directory[length] = '\0';
    if (!realpath(p->directory, whole) || access(whole, W_OK | X_OK)) {
        snprintf(why, size, "--directories: '%.60s': %s", p->directory, strerror(errno));
        return -1;
    }
    find_mount(whole, p);
    return 0;
}

static int usual(bool memory_too, struct place *out, char *why, size_t size)
{
    static const char *const candidates[] = {"/tmp", "/var/tmp", "."};
    dev_t devices[sizeof candidates / sizeof candidates[0]];

    int n = 0;

    for (size_t i = 0; i < sizeof candidates / sizeof candidates[0]; i++) {
        struct stat s;
        bool known = false;

        if (look_at(candidates[i], strlen(candidates[i]), &out[n], why, size) || (!memory_too && in_memory(&out[n])) ||
            stat(candidates[i], &s))
            continue;
        for (int k = 0; k < n; k++)
            known = known || devices[k] == s.st_dev;
        devices[n] = s.st_dev;
        n += known ? 0 : 1;
    }
    if (n > 0)
        return n;
    snprintf(why, size, "no directory that isn't in memory: name one by --directories");
    return -1;
}

int place_list(const char *directories, bool memory_too, struct place out[MOST_PARTITIONS], char *why, size_t size)
{
    int n = 0;

    if (!directories)
        return usual(memory_too, out, why, size);
    for (const char *at = directories;; at++) {
        const size_t length = strcspn(at, ",");

        if (n == MOST_PARTITIONS) {
            snprintf(why, size, "--directories: more than %d", MOST_PARTITIONS);
            return -1;
        }
        if (look_at(at, length, &out[n], why, size))
            return -1;
        if (in_memory(&out[n]) && !memory_too) {
            snprintf(why, size, "--directories: '%.60s' is in memory (%s): say --memory to measure that",
                     out[n].directory, out[n].type);
            return -1;
        }
        n++;
        at += length;
        if (*at == '\0')
            return n;
    }
}

void place_partitions(const struct place *in, int n, long job, struct place out[MOST_PARTITIONS])
{
    for (int p = 0; p < MOST_PARTITIONS; p++) {
        const struct place *const at = &in[p % n];

        out[p] = *at;
        snprintf(out[p].directory, sizeof out[p].directory, "%.*s/mpt-io-%ld.%d", MOST_LETTERS, at->directory, job, p);
    }
}

static struct place made[MOST_PARTITIONS];
static int made_count;

static void remove_made(void)
{
    while (made_count > 0)
        rmdir(made[--made_count].directory);
}

/* Only what a handler may call; the signal then does what it would have done. */
static void on_signal(int number)
{
    remove_made();
    raise(number);
}

int place_make(const struct place dirs[MOST_PARTITIONS])
{
    static const int asking[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction act = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};

    atexit(remove_made);
    for (size_t i = 0; i < sizeof asking / sizeof asking[0]; i++)
        sigaction(asking[i], &act, NULL);
    for (int p = 0; p < MOST_PARTITIONS; p++) {
        made[p] = dirs[p];
        /* An older process of this number may have been killed. */
        if (mkdir(dirs[p].directory, 0700) &&
            (errno != EEXIST || rmdir(dirs[p].directory) || mkdir(dirs[p].directory, 0700)))
            return -1;
        made_count = p + 1;
    }
    return 0;
}

static void append(char text[PLACE_NAMES], const char *word)
{
    const size_t n = strlen(text);

    snprintf(text + n, PLACE_NAMES - n, "%s%s", n ? ", " : "", word);
}

void place_names(const struct place *in, int n, int partitions, char names[PLACE_NAMES], char types[PLACE_NAMES])
{
    names[0] = types[0] = '\0';
    for (int p = 0; p < partitions && p < n; p++) {
        bool known = false;

        for (int k = 0; k < p; k++)
            known = known || strcmp(in[k].type, in[p].type) == 0;
        append(names, in[p].directory);
        if (!known)
            append(types, in[p].type);
    }
}

int place_file(const struct place *p, int flags)
{
    char path[sizeof p->directory + 32];
    int fd;

    snprintf(path, sizeof path, "%s/mpt-io-XXXXXX", p->directory);
    fd = mkostemp(path, flags | O_CLOEXEC);
    if (fd >= 0)
        unlink(path);
    return fd;
}
