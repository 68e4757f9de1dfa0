/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The steps of a compilation: preprocess, translate, compile, link, as far as
 * was asked. A file that fails does not stop the others from being looked at.
 */
#include "driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A name for what becomes of `input`: its base name with another ending, here. */
static char *named_for(const char *input, const char *tail)
{
    const char *slash = strrchr(input, '/');
    const char *base = slash ? slash + 1 : input;
    const char *dot = strrchr(base, '.');
    return scc_text("%.*s%s", (int)(dot - base), base, tail);
}

/* The compiler may be several words: MPT_CC="ccache gcc". */
static void start(const struct scc_driver *d, struct scc_words *w)
{
    static const char *const dialect[] = {"-std=gnu17", "-fcommon", "-fno-strict-aliasing", "-fno-pie"};
    char *words = scc_text("%s", d->cc);
    for (char *rest, *word = strtok_r(words, " \t", &rest); word; word = strtok_r(NULL, " \t", &rest))
        scc_words_add(w, word);
    if (!w->n)
        scc_words_add(w, "cc");
    for (size_t i = 0; i < sizeof dialect / sizeof *dialect; i++)
        scc_words_add(w, dialect[i]);
}

/* In Split-C's sources a plain inline function is a definition, as in gnu89; headers ask which way it is. */
static const char inline_way[] = "-fgnu89-inline";

static int preprocess(struct scc_driver *d, const char *input, const char *output, const char *target)
{
    struct scc_words w = {0};
    start(d, &w);
    scc_words_add(&w, inline_way);
    scc_words_add(&w, "-E");
    scc_words_add(&w, "-D__SPLITC__=1");
    if (d->t3d)
        scc_words_add(&w, "-DT3D=1");
    if (d->check)
        scc_words_add(&w, "-DSPLITC_CHECK=1");
    scc_words_add_all(&w, &d->cpp);
    scc_words_add_all(&w, &d->common);
    scc_words_add(&w, scc_text("-I%s", d->include));
    if (d->depends && target) {
        scc_words_add(&w, "-MQ");
        scc_words_add(&w, target);
        if (!d->depends_file) {
            scc_words_add(&w, "-MF");
            scc_words_add(&w, named_for(target, ".d"));
        }
    }
    scc_words_add(&w, "-x");
    scc_words_add(&w, "c");
    scc_words_add(&w, input);
    if (output) {
        scc_words_add(&w, "-o");
        scc_words_add(&w, output);
    }
    char *said;
    int rc = scc_run_heard(d, &w, &said);
    if (said)
        scc_say_without_newlines(said, stderr);
    free(said);
    return rc;
}

/* `input` is translated C, whose macros are rep.h's alone, or somebody's C. */
static int compile(struct scc_driver *d, const char *input, bool translated, const char *output)
{
    static const char *const how[] = {[SCC_LINK] = "-c",
                                      [SCC_OBJECT] = "-c",
                                      [SCC_ASSEMBLY] = "-S",
                                      [SCC_PREPROCESS] = "-E",
                                      [SCC_SYNTAX] = "-fsyntax-only"};
    /* The dialect; i++ of a global pointer becomes an expression whose value may be left. */
    static const char *const silent[] = {"-Wno-implicit-int", "-Wno-unused-value"};
    struct scc_words w = {0};
    start(d, &w);
    if (translated)
        scc_words_add(&w, inline_way);
    if (d->instrument)
        scc_words_add_instrument(d, &w);
    scc_words_add(&w, how[d->stop]);
    if (!translated)
        scc_words_add_all(&w, &d->cpp);
    scc_words_add(&w, scc_text("-I%s", d->include));
    scc_words_add_all(&w, &d->common);
    for (size_t i = 0; translated && i < sizeof silent / sizeof *silent; i++)
        scc_words_add(&w, silent[i]);
    scc_words_add(&w, "-x");
    scc_words_add(&w, "c");
    scc_words_add(&w, input);
    if (d->stop != SCC_SYNTAX && output) {
        scc_words_add(&w, "-o");
        scc_words_add(&w, output);
    }
    return scc_run(d, &w);
}

static int translate(struct scc_driver *d, const char *in, const char *out)
{
    if (d->verbose || d->dry)
        fprintf(stderr, "# translate %s to %s\n", in, out);
    return d->dry ? 0 : scc_translate(in, out, d->check) != 0;
}

/* One input as far as asked; *object is what the linker will need. */
static int one_input(struct scc_driver *d, const char *input, const char **object)
{
    static const char *const tails[SCC_SYNTAX + 1] = {[SCC_OBJECT] = ".o", [SCC_ASSEMBLY] = ".s", [SCC_EMIT_C] = ".c"};
    const char *output = d->output;
    if (d->stop == SCC_LINK)
        output = scc_temporary(d, ".o");
    else if (!output && tails[d->stop])
        output = named_for(input, tails[d->stop]);
    *object = output;
    if (!d->dry && access(input, R_OK)) {
        fprintf(stderr, "scc: error: %s: cannot be read\n", input);
        return 1;
    }
    if (!scc_ends(input, ".sc"))
        return d->stop == SCC_EMIT_C ? 0 : compile(d, input, false, output);
    if (d->stop == SCC_PREPROCESS)
        return preprocess(d, input, output, NULL);
    const char *text = scc_temporary(d, ".i");
    const char *target = d->stop == SCC_LINK ? named_for(input, ".o") : output;
    int rc = preprocess(d, input, text, target);
    if (rc)
        return rc;
    if (d->stop == SCC_EMIT_C)
        return translate(d, text, output);
    const char *c = scc_temporary(d, ".c");
    rc = translate(d, text, c);
    return rc ? rc : compile(d, c, true, output);
}

static int link_all(struct scc_driver *d, const struct scc_words *objects)
{
    struct scc_words w = {0};
    start(d, &w);
    scc_words_add_all(&w, &d->common);
    scc_words_add_all(&w, objects);
    scc_words_add(&w, scc_text("-L%s", d->lib));
    scc_words_add(&w, scc_text("-Wl,-rpath,%s", d->lib));
    scc_words_add(&w, "-no-pie"); /* globals must lie at the same addresses in every process */
    if (!d->is_static) { /* malloc() and its kin, in memory that peers reach; a static libc allows no other than its own
                          */
        scc_words_add(&w, "-Wl,--whole-archive");
        scc_words_add(&w, "-lmpt_splitc");
        scc_words_add(&w, "-Wl,--no-whole-archive");
    }
    if (d->instrument)
        scc_words_add(&w, "-lmptcheck");
    scc_words_add(&w, "-lmpt");
    scc_words_add(&w, "-lm");
    scc_words_add(&w, "-lrt"); /* libraries of their own before glibc 2.34, where archives want this order */
    scc_words_add(&w, "-ldl");
    scc_words_add(&w, "-lpthread");
    if (d->output) {
        scc_words_add(&w, "-o");
        scc_words_add(&w, d->output);
    }
    return scc_run(d, &w);
}

int scc_drive(struct scc_driver *d)
{
    int worst = 0;
    size_t input = 0;
    struct scc_words objects = {0};
    if (d->stop != SCC_LINK && d->output && d->inputs.n > 1) {
        fprintf(stderr, "scc: error: -o with -c, -S, -C or -E takes one input file, not %zu\n", d->inputs.n);
        return 2;
    }
    for (size_t i = 0; i < d->link.n; i++) {
        const char *object = d->link.at[i];
        if (input < d->inputs.n && d->link.at[i] == d->inputs.at[input]) {
            int rc = one_input(d, d->inputs.at[input++], &object);
            if (rc > worst)
                worst = rc;
        }
        scc_words_add(&objects, object);
    }
    return worst || d->stop != SCC_LINK ? worst : link_all(d, &objects);
}
