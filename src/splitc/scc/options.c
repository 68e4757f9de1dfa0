/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The command line of scc, read as the system's compiler reads its own: a table
 * says of each option who needs it and whether its value is the next word.
 */
#include "driver.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mpt/version.h"

enum who { COMMON, CPP, LINKER };

static const struct {
    const char *name;
    enum who who;
    bool value; /* in the next word when the option's word ends with its name */
} table[] = {
    {"-include", CPP, true},
    {"-imacros", CPP, true},
    {"-isystem", CPP, true},
    {"-iquote", CPP, true},
    {"-idirafter", CPP, true},
    {"-iprefix", CPP, true},
    {"-isysroot", CPP, true},
    {"-Xpreprocessor", CPP, true},
    {"-Wp,", CPP, false},
    {"-MF", CPP, true},
    {"-MT", CPP, true},
    {"-MQ", CPP, true},
    {"-M", CPP, false},
    {"-I", CPP, true},
    {"-D", CPP, true},
    {"-U", CPP, true},
    {"-Xlinker", LINKER, true},
    {"-Wl,", LINKER, false},
    {"-static", LINKER, false},
    {"-shared", LINKER, false},
    {"-rdynamic", LINKER, false},
    {"-no-pie", LINKER, false},
    {"-pie", LINKER, false},
    {"-nostdlib", LINKER, false},
    {"-nodefaultlibs", LINKER, false},
    {"-nostartfiles", LINKER, false},
    {"-L", LINKER, true},
    {"-l", LINKER, true},
    {"-s", LINKER, false},
    {"-u", LINKER, true},
    {"-T", LINKER, true},
    {"-z", LINKER, true},
    {"-e", LINKER, true},
    {"-Xassembler", COMMON, true},
    {"--param", COMMON, true},
    {"-arch", COMMON, true},
    {"-target", COMMON, true},
    {"-mllvm", COMMON, true},
    {"-Xclang", COMMON, true},
};

/* Names whose word may go on: -Ifolder, -lm, -Wl,-x. The others must be the whole word. */
static bool prefix_form(const char *name)
{
    return (strlen(name) == 2 && !strchr("se", name[1])) || scc_ends(name, ",");
}

void scc_words_add(struct scc_words *w, const char *word)
{
    if (w->n + 2 > w->room) {
        w->room = w->room ? 2 * w->room : 32;
        w->at = realloc(w->at, w->room * sizeof *w->at);
        if (!w->at) {
            fputs("scc: error: out of memory\n", stderr);
            exit(2);
        }
    }
    w->at[w->n++] = word;
    w->at[w->n] = NULL;
}

void scc_words_add_all(struct scc_words *w, const struct scc_words *more)
{
    for (size_t i = 0; i < more->n; i++)
        scc_words_add(w, more->at[i]);
}

char *scc_text(const char *format, ...)
{
    va_list args;
    char *text = NULL;
    va_start(args, format);
    if (vasprintf(&text, format, args) < 0) {
        fputs("scc: error: out of memory\n", stderr);
        exit(2);
    }
    va_end(args);
    return text;
}

bool scc_ends(const char *name, const char *tail)
{
    size_t n = strlen(name), t = strlen(tail);
    return n >= t && !strcmp(name + n - t, tail);
}

static void usage(const char *cc)
{
    printf("Usage: scc [options] files\n"
           "Translates Split-C (files that end in .sc) to C and compiles it. Files in C, objects and\n"
           "libraries go to the C compiler, which is '%s' (MPT_CC, CC or -cc=COMPILER name another).\n"
           "Options are those of the C compiler, and these:\n"
           "  -C            write the C translation and stop\n"
           "  -fcheck       check bounds and owners when the program runs\n"
           "  --check       instrument loads and stores for mptrun --check\n"
           "  -fno-t3d      do not define T3D, which programs of the 1990s test\n"
           "  -v            show the commands; -### and -show only show them\n",
           cc);
}

/* Options that are scc's own, or that say how far to go. */
static bool own_option(struct scc_driver *d, const char *word)
{
    static const struct {
        const char *word;
        enum scc_stage stop;
    } stops[] = {{"-c", SCC_OBJECT},
                 {"-S", SCC_ASSEMBLY},
                 {"-C", SCC_EMIT_C},
                 {"-E", SCC_PREPROCESS},
                 {"-fsyntax-only", SCC_SYNTAX}};
    for (size_t i = 0; i < sizeof stops / sizeof *stops; i++)
        if (!strcmp(word, stops[i].word)) {
            d->stop = stops[i].stop;
            return true;
        }
    const struct {
        const char *word;
        bool *flag, value;
    } flags[] = {{"-fcheck", &d->check, true}, {"-fno-check", &d->check, false}, {"--check", &d->instrument, true},
                 {"-ft3d", &d->t3d, true},     {"-fno-t3d", &d->t3d, false},     {"-v", &d->verbose, true},
                 {"-###", &d->dry, true},      {"-show", &d->dry, true},         {"-showme", &d->dry, true}};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (!strcmp(word, flags[i].word)) {
            *flags[i].flag = flags[i].value;
            return true;
        }
    if (strncmp(word, "-cc=", 4) != 0)
        return false;
    d->cc = word + 4;
    return true;
}

/* Sorts the option at argv[*i]; -1 when its value is missing. */
static int sort_option(struct scc_driver *d, int argc, char **argv, int *i)
{
    const char *word = argv[*i];
    struct scc_words *lists[] = {&d->common, &d->cpp, &d->link};
    size_t k = 0, n = sizeof table / sizeof *table;
    for (; k < n; k++) {
        size_t len = strlen(table[k].name);
        if (!strcmp(word, table[k].name) || (prefix_form(table[k].name) && !strncmp(word, table[k].name, len)))
            break;
    }
    struct scc_words *list = k < n ? lists[table[k].who] : &d->common;
    scc_words_add(list, word);
    if (k == n || !table[k].value || strcmp(word, table[k].name) != 0)
        return 0;
    if (++*i == argc) {
        fprintf(stderr, "scc: error: option '%s' needs a value\n", word);
        return -1;
    }
    scc_words_add(list, argv[*i]);
    return 0;
}

int scc_options(struct scc_driver *d, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i];
        if (!strcmp(word, "--help")) {
            usage(d->cc);
            return 1;
        }
        if (!strcmp(word, "--version")) {
            puts("scc (MPT " MPT_VERSION "), the Split-C compiler");
            return 1;
        }
        if (own_option(d, word))
            continue;
        if (!strcmp(word, "-o") || !strcmp(word, "-x")) {
            if (i + 1 == argc) {
                fprintf(stderr, "scc: error: option '%s' needs a value\n", word);
                return -1;
            }
            if (word[1] == 'x') {
                fprintf(stderr, "scc: error: option '-x': scc tells languages by the files' names (.sc, .c)\n");
                return -1;
            }
            d->output = argv[++i];
        } else if (word[0] == '-' && word[1]) {
            d->is_static |= !strcmp(word, "-static");
            d->depends |= !strcmp(word, "-MD") || !strcmp(word, "-MMD");
            d->depends_file |= !strncmp(word, "-MF", 3);
            if (sort_option(d, argc, argv, &i))
                return -1;
        } else if (scc_ends(word, ".sc") || scc_ends(word, ".c")) {
            scc_words_add(&d->inputs, word);
            scc_words_add(&d->link, word); /* its object takes this place among the libraries */
        } else {
            scc_words_add(&d->link, word);
        }
    }
    if (d->inputs.n || (d->link.n && d->stop == SCC_LINK))
        return 0;
    fprintf(stderr, "scc: error: no input files; 'scc --help' lists the options\n");
    return -1;
}
