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
    char **list; /* each has memory of its own */
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

static void add_copy(struct words *w, const char *word)
{
    const size_t before = w->n;
    char *copy = strdup(word);

    if (copy)
        add(w, copy);
    if (w->n == before) {
        w->failed = true;
        free(copy);
    }
}

void launch_words_free(char **list)
{
    for (char **w = list; w && *w; w++)
        free(*w);
    free(list);
}

/* ------------------------------------------------------------------- words -- */

/* The word at *from, which moves behind it, to `to` with a 0 behind it. False: a quote is not closed. */
static bool take_word(const char **from, char *to)
{
    const char *s = *from;
    char quote = 0;

    for (; *s && (quote || !strchr(" \t\r\n", *s)); s++) {
        if (*s == quote)
            quote = 0;
        else if (!quote && (*s == '\'' || *s == '"'))
            quote = *s;
        else if (*s != '\\' || quote == '\'' || !s[1])
            *to++ = *s;
        else if (*++s != '\n')
            *to++ = *s;
    }
    *to = '\0';
    *from = s;
    return !quote;
}

static void end_line(struct words *w)
{
    if (w->lines && w->n > w->line)
        add_copy(w, ":");
    w->line = w->n;
}

/* What is between words. */
static const char *skip(struct words *w, const char *s)
{
    while (*s) {
        if (*s == '#' && w->n == w->line) {
            s = strchrnul(s, '\n');
        } else if (*s == '\\' && s[1] == '\n') {
            s += 2;
        } else if (*s == '\n' || strchr(" \t\r", *s)) {
            if (*s++ == '\n')
                end_line(w);
        } else {
            break;
        }
    }
    return s;
}

/* Words are put together in `word`, which has room for the longest there can be. False: a quote is not closed. */
static bool split(struct words *w, const char *s, char *word)
{
    while (*(s = skip(w, s))) {
        if (!take_word(&s, word))
            return false;
        add_copy(w, word);
    }
    if (w->lines && w->n > 0 && w->n == w->line) { /* the colon behind the last line */
        free(w->list[--w->n]);
        w->list[w->n] = NULL;
    }
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
    char *text = contents(file), *word;
    bool closed;

    if (!text) {
        launch_say("%s %s: cannot read the file: %s", option, file, strerror(errno));
        return NULL;
    }
    word = malloc(strlen(text) + 1);
    closed = word && split(&w, text, word);
    free(word);
    free(text);
    if (closed && !w.list)
        w.list = calloc(1, sizeof *w.list);
    if (closed && w.list && !w.failed)
        return w.list;
    if (word && !closed)
        launch_say("%s %s: a quote is not closed", option, file);
    else
        launch_no_memory();
    launch_words_free(w.list);
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
    if (all.failed) {
        free(all.list);
        return launch_no_memory();
    }
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
