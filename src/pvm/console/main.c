/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The `pvm` command: opens a virtual machine, or joins the one that a console opened
 * before, and reads commands until its input ends. While nobody types, what spawned
 * tasks print is shown.
 */
#include <ctype.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mpt/version.h"
#include "pvm/console/console.h"

enum { LINE = 4096, LOOK_MS = 50, ALIAS_DEPTH = 8 };

struct console console;

void end_console(void)
{
    console.ended = true;
}

/* ------------------------------------------------------------------- a line -- */

/* Into words; quotes keep blanks together. Returns their number. */
static int split(char *line, char **word)
{
    int n = 0;
    char *p = line, *to;
    while (n < WORDS_MAX - 1) {
        while (isspace((unsigned char)*p))
            p++;
        if (!*p || *p == '#')
            break;
        word[n++] = to = p;
        for (char quote = 0; *p && (quote || !isspace((unsigned char)*p)); p++) {
            if (*p == quote || (!quote && (*p == '"' || *p == '\'')))
                quote = quote ? 0 : *p;
            else
                *to++ = *p;
        }
        if (*p)
            p++;
        *to = '\0';
    }
    word[n] = NULL;
    return n;
}

static void run_words(int argc, char **argv)
{
    const struct command *c = command_of(argv[0]);
    if (c)
        c->run(argc, argv);
    else
        tell_unknown(argv[0], "not found");
}

/* The first word may be an alias of several, the first of which may be one. */
static void run_expanded(const char *line, int depth)
{
    char copy[LINE], joined[LINE], *word[WORDS_MAX];
    const char *rest, *alias;
    snprintf(copy, sizeof copy, "%s", line);
    int n = split(copy, word);
    if (n == 0)
        return;
    alias = depth < ALIAS_DEPTH ? alias_of(word[0]) : NULL;
    if (!alias) {
        run_words(n, word);
        return;
    }
    rest = line + strspn(line, " \t");
    rest += strcspn(rest, " \t\n");
    if (snprintf(joined, sizeof joined, "%s%s", alias, rest) < (int)sizeof joined)
        run_expanded(joined, depth + 1);
}

bool run_line(char *line)
{
    if (*line == '!') /* the shell's, as before */
        printf("shell returned %d\n", system(line + 1));
    else
        run_expanded(line, 0);
    fflush(stdout);
    return !console.ended;
}

/* -------------------------------------------------------------------- input -- */

static void run_file(void)
{
    const char *home = variable_of("HOME");
    char path[LINE], line[LINE];
    FILE *f;
    if (!home || snprintf(path, sizeof path, "%s/.pvmrc", home) >= (int)sizeof path || !(f = fopen(path, "re")))
        return;
    while (!console.ended && fgets(line, sizeof line, f))
        run_line(line);
    fclose(f);
}

/* One line without its end; false: no more. Read by bytes, that poll knows what is left. */
static bool read_line(char *line, size_t room)
{
    size_t n = 0;
    for (;;) {
        struct pollfd p = {.fd = STDIN_FILENO, .events = POLLIN};
        char c;
        int ready = poll(&p, 1, LOOK_MS);
        ssize_t got;
        jobs_look();
        if (ready == 0 || (ready < 0 && errno == EINTR))
            continue;
        got = read(STDIN_FILENO, &c, 1);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0 || c == '\n') {
            line[n] = '\0';
            return got > 0 || n > 0;
        }
        if (n < room - 1)
            line[n++] = c;
    }
}

static void prompt(void)
{
    fputs("pvm> ", stdout);
    fflush(stdout);
}

static void read_commands(void)
{
    char line[LINE];
    bool echo = !isatty(STDIN_FILENO);
    while (!console.ended) {
        prompt();
        if (!read_line(line, sizeof line))
            break;
        if (echo)
            puts(line);
        run_line(line);
    }
    if (!console.ended)
        cmd_quit(1, (char *[]){NULL});
}

/* -------------------------------------------------------------------- start -- */

/* Options of the daemon of old: -nNAME and others change nothing here. */
static bool take_arguments(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "-h") == 0 || strcmp(argv[i], "--help") == 0) {
            puts("usage: pvm [--help | --version] [-nNAME] [-dMASK]\nReads commands from its input; `help' lists them. "
                 "-n and -d of "
                 "PVM's daemon change nothing.");
            return false;
        }
        if (strcmp(argv[i], "--version") == 0) {
            puts("pvm (MPT) " MPT_VERSION);
            return false;
        }
        if (argv[i][0] == '-' && (argv[i][1] == '\0' || !strchr("dfnsS", argv[i][1]))) {
            fprintf(stderr,
                    "pvm: unknown option %s; the daemon's -nNAME and -dMASK are passed over, --help lists ours\n",
                    argv[i]);
            exit(2);
        }
        if (argv[i][0] != '-') {
            fprintf(stderr, "pvm: host file %s: a machine has the hosts of its launcher, here this one\n", argv[i]);
            return false;
        }
    }
    return true;
}

int main(int argc, char **argv)
{
    int tid;
    if (!take_arguments(argc, argv))
        return argc > 1 && argv[1][0] == '-' ? 0 : 1;
    mpt_pvm_as_console();
    tid = pvm_mytid();
    if (tid < 0)
        return 1;
    if ((tid & 0x3ffff) != 1)
        puts("pvmd already running.");
    signal(SIGINT, SIG_IGN); /* tasks in the foreground get it */
    pvm_setopt(PvmNoReset, 1);
    pvm_setopt(PvmResvTids, 1);
    pvm_setopt(PvmAutoErr, 0);
    run_file();
    read_commands();
    fflush(stdout);
    pvm_catchout(NULL);
    pvm_exit();
    return 0;
}
