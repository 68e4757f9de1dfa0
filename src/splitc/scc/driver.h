/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What scc was asked to do, and the steps that do it: words of the command line
 * sorted by whoever needs them, programs run, temporary files that disappear.
 */
#ifndef SCC_DRIVER_H
#define SCC_DRIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct scc_words {
    const char **at;
    size_t n, room;
};

enum scc_stage { SCC_LINK, SCC_OBJECT, SCC_ASSEMBLY, SCC_EMIT_C, SCC_PREPROCESS, SCC_SYNTAX };

struct scc_driver {
    enum scc_stage stop;
    const char *output;      /* -o, or NULL */
    const char *cc;
    const char *include, *lib;
    const char *scratch;     /* where it is made: TMPDIR */
    const char *folder;      /* of the temporary files; NULL until one is needed */
    struct scc_words cpp;    /* for the preprocessor alone */
    struct scc_words common; /* for the preprocessor, the compiler and the linker */
    struct scc_words link;   /* objects, libraries and linker options, in their order */
    struct scc_words inputs; /* what is no option and no linker input */
    bool instrument; /* --check: loads and stores, for mptrun --check */
    bool check, t3d, verbose, dry, is_static, depends, depends_file;
    int temporaries;
};

/* options.c: 0, or 1 when the answer was printed and scc is done, or -1 after an error. */
int scc_options(struct scc_driver *d, int argc, char **argv);
void scc_words_add(struct scc_words *w, const char *word);
void scc_words_add_all(struct scc_words *w, const struct scc_words *more);
__attribute__((format(printf, 1, 2))) char *scc_text(const char *format, ...);
bool scc_ends(const char *name, const char *tail);

/* process.c; scc_run_heard: what it writes to stderr, to be freed, in *said. */
int scc_run(const struct scc_driver *d, const struct scc_words *command);
int scc_run_heard(const struct scc_driver *d, const struct scc_words *command, char **said);
char *scc_temporary(struct scc_driver *d, const char *tail);
void scc_clean(struct scc_driver *d);
int scc_find_tree(struct scc_driver *d);

/* instrument.c: what the compiler is told when loads and stores are to be instrumented. */
void scc_words_add_instrument(const struct scc_driver *d, struct scc_words *w);

/* quiet.c */
void scc_say_without_newlines(const char *text, FILE *to);

/* driver.c: the exit status of scc. */
int scc_drive(struct scc_driver *d);

/* gen.c: translate the preprocessed text `in` to C in `out`; the number of errors. */
int scc_translate(const char *in, const char *out, bool check);

#endif
