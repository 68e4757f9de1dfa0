/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Options in files: `-configfile F` (MPI-5.0, 11.5) has a program with its
 * options on each line, `-file F` more options of one program. Words are
 * separated by blanks; quotes and backslashes work as in a shell, a line that
 * ends with a backslash goes on, one that begins with # is a comment.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "launch/options.h"

enum { FILES_MAX = 64 }; /* a file may name another, but not itself for ever */

struct words {
    char **list;
    size_t n, room;
    size_t line; /* how many there were when this line began */
    bool lines;  /* a colon stands for the end of one that has words */
    bool failed;
};

static void add(struct words *w, char *word)
{
    if (w->n + 1 >= w->room) {
        size_t room = 2 * w->room + 16;
        char **more = realloc(w->list, room * sizeof *more);

        if (!more) {
            w->failed = true;
            return;
        }
        w->list = more;
        w->room = room;
    }
    w->list[w->n++] = word;
    w->list[w->n] = NULL;
}

/* ------------------------------------------------------------------- words -- */

/* The word at *from, to *to with a 0 behind it; both move behind it. False: a quote is not closed. */
static bool take_word(const char **from, char **to)
{
    const char *s = *from;
    char quote = 0;

    for (; *s && (quote || !strchr(" \t\r\n", *s)); s++) {
        if (*s == quote)
            quote = 0;
        else if (!quote && (*s == '\'' || *s == '"'))
            quote = *s;
        else if (*s != '\\' || quote == '\'' || !s[1])
            *(*to)++ = *s;
        else if (*++s != '\n')
            *(*to)++ = *s;
    }
    *(*to)++ = '\0';
    *from = s;
    return !quote;
}

static void end_line(struct words *w)
{
    static char colon[] = ":";

    if (w->lines && w->n > w->line)
        add(w, colon);
    w->line = w->n;
}

/* What is between words. */
static const char *skip(struct words *w, const char *s)
{
    for (; *s; s++) {
        if (*s == '#' && w->n == w->line)
            s += strcspn(s, "\n") - 1;
        else if (*s == '\\' && s[1] == '\n')
            s++;
        else if (*s == '\n')
            end_line(w);
        else if (!strchr(" \t\r", *s))
            return s;
    }
    return s;
}

/* `to` has room for as many bytes as `s`, its 0 included: each word's 0 is where a blank was. */
static bool split(struct words *w, const char *s, char *to)
{
    while (*(s = skip(w, s))) {
        char *word = to;

        if (!take_word(&s, &to))
            return false;
        add(w, word);
    }
    if (w->lines && w->n > 0 && w->n == w->line)
        w->list[--w->n] = NULL; /* the colon behind the last line */
    return true;
}

/* -------------------------------------------------------------------- files -- */

static char *contents(const char *file)
{
    FILE *f = fopen(file, "re");
    char *text = NULL;
    size_t room = 0;
    ssize_t n;

    if (!f)
        return NULL;
    n = getdelim(&text, &room, '\0', f);
    if (n < 0 && !ferror(f)) { /* empty */
        free(text);
        text = strdup("");
    } else if (n < 0) {
        free(text);
        text = NULL;
    }
    fclose(f);
    return text;
}

char **launch_words_of(const char *file, bool lines, const char *option)
{
    struct words w = {.lines = lines};
    char *text = contents(file), *copy;

    if (!text) {
        launch_say("%s %s: cannot read the file: %s", option, file, strerror(errno));
        return NULL;
    }
    copy = malloc(strlen(text) + 1); /* the words, for good */
    if (copy && !split(&w, text, copy)) {
        launch_say("%s %s: a quote is not closed", option, file);
        return NULL;
    }
    free(text);
    if (!w.list)
        w.list = calloc(1, sizeof *w.list);
    if (copy && w.list && !w.failed)
        return w.list;
    launch_no_memory();
    return NULL;
}

static int read_file(struct launch_options *o, const char *option, const char *file, bool lines)
{
    struct words all = {0};
    char **new;

    if (++o->files > FILES_MAX) {
        launch_say("%s %s: more than %d files of options; does one name itself?", option, file, FILES_MAX);
        return STATUS_USAGE;
    }
    new = launch_words_of(file, lines, option);
    if (!new)
        return STATUS_USAGE;
    for (char **w = new; *w; w++)
        add(&all, *w);
    for (char **w = o->args; *w; w++)
        add(&all, *w);
    free(new);
    if (all.failed)
        return launch_no_memory();
    if (all.n > 0)
        o->args = all.list;
    return GO_ON;
}

int launch_read_words(struct launch_options *o, const char *option, const char *value)
{
    return read_file(o, option, value, false);
}

int launch_read_lines(struct launch_options *o, const char *option, const char *value)
{
    if (!*o->args)
        return read_file(o, option, value, true);
    launch_say("%s %s: the file holds all of the programs, so \"%s\" cannot stand behind it", option, value, *o->args);
    return STATUS_USAGE;
}
