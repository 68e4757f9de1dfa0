/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Each partition has a directory of its own, in the places in turn, which is gone when its process ends, also by a
 * signal; and the records name the places and their file systems. place_test DIRECTORY
 */
#include "place.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static int failures;

static void check(bool right, const char *what)
{
    if (!right) {
        fprintf(stderr, "place_test: %s\n", what);
        failures++;
    }
}

static int directories(const struct place dirs[MOST_PARTITIONS])
{
    struct stat s;
    int n = 0;

    for (int p = 0; p < MOST_PARTITIONS; p++)
        n += stat(dirs[p].directory, &s) == 0 && S_ISDIR(s.st_mode);
    return n;
}

/* The child tells how many directories there are, and ends in order or waits for the signal. */
static void ends(const struct place dirs[MOST_PARTITIONS], int signal_number, const char *what)
{
    int tell[2], seen = 0, status;
    pid_t child;

    if (pipe(tell) != 0 || (child = fork()) < 0) {
        check(false, "pipe, fork");
        return;
    }
    if (child == 0) {
        const int n = place_make(dirs) == 0 ? directories(dirs) : -1;

        if (write(tell[1], &n, sizeof n) != sizeof n)
            _exit(1);
        if (signal_number)
            pause();
        exit(0);
    }
    check(read(tell[0], &seen, sizeof seen) == sizeof seen && seen == MOST_PARTITIONS, "not one directory a partition");
    if (signal_number)
        kill(child, signal_number);
    waitpid(child, &status, 0);
    check(signal_number ? WIFSIGNALED(status) && WTERMSIG(status) == signal_number : status == 0, what);
    check(directories(dirs) == 0, what);
    close(tell[0]);
    close(tell[1]);
}

int main(int argc, char **argv)
{
    struct place in[MOST_PARTITIONS] = {0}, dirs[MOST_PARTITIONS];
    char names[PLACE_NAMES], types[PLACE_NAMES], why[256], two[600];

    if (argc != 2)
        return 2;
    snprintf(two, sizeof two, "%s,%s/..", argv[1], argv[1]);
    check(place_list(two, true, in, why, sizeof why) == 2, "two places");
    place_partitions(in, 2, getpid(), dirs);
    check(strncmp(dirs[2].directory, argv[1], strlen(argv[1])) == 0 && strstr(dirs[3].directory, "/../"),
          "not in turn");
    for (int p = 1; p < MOST_PARTITIONS; p++)
        check(strcmp(dirs[p].directory, dirs[p - 1].directory) != 0, "two partitions in one directory");
    ends(dirs, 0, "left after the end");
    ends(dirs, SIGTERM, "left after SIGTERM");
    place_names(in, 2, 1, names, types);
    check(strcmp(names, in[0].directory) == 0 && strcmp(types, in[0].type) == 0, "names of one partition");
    strcpy(in[1].type, "another");
    place_names(in, 2, 4, names, types);
    check(strstr(names, ", ") && strstr(types, ", another"), "names of four partitions");
    return failures ? 1 : 0;
}
