/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The reader of the environment: the only file that calls getenv. The rows of
 * param.def say what exists; one parser and one printer per kind serve them.
 * Parsing is strict, and independent of the locale.
 */
#include "core/base/param.h"
#include "core/state.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/auxv.h>

/* Beside what else every call looks at (src/hot.ld). */
struct core_params core_params __attribute__((section(".data.core_params")));

struct param_kind {
    const char *expected; /* NULL with a CHOICE: its words */
    int (*parse)(const char *text, void *value);
    void (*format)(const void *value, char *text, size_t n);
};

/* ---------------------------------------------------------------- sizes -- */

__extension__ typedef unsigned __int128 u128;

/* 18 digits of a fraction are exact; those that follow only matter by being
 * there, because the result is rounded up. */
#define FRACTION_MAX 1000000000000000000ull

static int digit_of(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : -1;
}

static bool blank(const char *s)
{
    return s[strspn(s, " \t")] == '\0';
}

/* Power of two meant by a suffix, 0 for no suffix, -1 for something else. */
static int suffix_shift(const char *s)
{
    static const char letters[] = "kmgt";
    const char *p;

    if (blank(s))
        return 0;
    p = strchr(letters, *s | 0x20);
    return p ? 10 * (int)(p - letters + 1) : -1;
}

int core_param_size(const char *text, uint64_t *bytes)
{
    u128 whole = 0, part = 0, scale = 1, sum;
    bool any = false, rest = false;
    int d, shift;

    text += strspn(text, " \t");
    for (; (d = digit_of(*text)) >= 0; text++, any = true) {
        whole = whole * 10 + (unsigned)d;
        if (whole > UINT64_MAX)
            return -EINVAL;
    }
    if (*text == '.')
        for (text++; (d = digit_of(*text)) >= 0; text++, any = true) {
            if (scale == FRACTION_MAX) {
                rest |= d != 0;
                continue;
            }
            part = part * 10 + (unsigned)d;
            scale *= 10;
        }
    shift = any ? suffix_shift(text) : -1;
    if (shift < 0)
        return -EINVAL;
    part <<= shift;
    sum = (whole << shift) + part / scale + (part % scale || rest);
    if (sum > UINT64_MAX)
        return -EINVAL;
    *bytes = (uint64_t)sum;
    return 0;
}

static int parse_size(const char *text, void *value)
{
    return core_param_size(text, value);
}

/* The largest suffix that divides the value, so that it reads back the same. */
static void format_size(const void *value, char *text, size_t n)
{
    uint64_t v = *(const uint64_t *)value;
    unsigned i = 0;

    while (i < 4 && v && v % 1024 == 0) {
        v /= 1024;
        i++;
    }
    snprintf(text, n, "%llu%.*s", (unsigned long long)v, i ? 1 : 0, &"KMGT"[i ? i - 1 : 0]);
}

/* ---------------------------------------------------------- other kinds -- */

static int parse_uint(const char *text, void *value)
{
    uint64_t v = 0;
    int d;

    text += strspn(text, " \t");
    if (digit_of(*text) < 0)
        return -EINVAL;
    for (; (d = digit_of(*text)) >= 0; text++) {
        v = v * 10 + (unsigned)d;
        if (v > UINT_MAX)
            return -EINVAL;
    }
    if (!blank(text))
        return -EINVAL;
    *(unsigned *)value = (unsigned)v;
    return 0;
}

static void format_uint(const void *value, char *text, size_t n)
{
    snprintf(text, n, "%u", *(const unsigned *)value);
}

static int parse_bool(const char *text, void *value)
{
    static const char *const words[] = {"0", "1", "no", "yes", "off", "on", "false", "true"};

    for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
        if (strcasecmp(text, words[i]) == 0) {
            *(bool *)value = i % 2;
            return 0;
        }
    return -EINVAL;
}

static void format_bool(const void *value, char *text, size_t n)
{
    snprintf(text, n, "%d", *(const bool *)value);
}

/* Only called when the variable is set: any text, the empty one too, is yes. */
static int parse_flag(const char *text, void *value)
{
    (void)text;
    *(bool *)value = true;
    return 0;
}

static void format_flag(const void *value, char *text, size_t n)
{
    snprintf(text, n, "%s", *(const bool *)value ? "set" : "not set");
}

static int parse_text(const char *text, void *value)
{
    *(const char **)value = text;
    return 0;
}

static void format_text(const void *value, char *text, size_t n)
{
    const char *v = *(const char *const *)value;

    snprintf(text, n, "%s", v ? v : "");
}

/* No, yes (as "0" and "1"), or the name of a file. A number is nobody's file. */
static int parse_file(const char *text, void *value)
{
    bool yes;

    if (parse_bool(text, &yes) == 0)
        text = yes ? "1" : "0";
    else if (*text && text[strspn(text, "0123456789")] == '\0')
        return -EINVAL;
    return parse_text(text, value);
}

/* -------------------------------------------------------------- choices -- */

/* In the order of enum core_word, so that a value is its index. */
static const struct {
    size_t offset; /* of the CHOICE in struct core_params */
    const char *word;
} words[] = {
#define WORD(field, constant, word) [constant] = {offsetof(struct core_params, field), word},
#include "core/base/param.def"
};

enum { NWORDS = sizeof words / sizeof *words };

static int parse_choice(size_t offset, const char *text, void *value)
{
    for (unsigned w = 0; w < NWORDS; w++)
        if (words[w].offset == offset && strcmp(words[w].word, text) == 0) {
            *(enum core_word *)value = (enum core_word)w;
            return 0;
        }
    return -EINVAL;
}

static void format_choice(const void *value, char *text, size_t n)
{
    snprintf(text, n, "%s", words[*(const enum core_word *)value].word);
}

/* ---------------------------------------------------------------- kinds -- */

enum { KIND_SIZE, KIND_UINT, KIND_BOOL, KIND_FLAG, KIND_TEXT, KIND_OUTPUT, KIND_CHOICE };

static const struct param_kind kinds[] = {
    [KIND_SIZE] = {"a size: a number with an optional suffix k, m, g or t, for example 512M or 1.5G", parse_size,
                   format_size},
    [KIND_UINT] = {"a whole number from 0 to 4294967295", parse_uint, format_uint},
    [KIND_BOOL] = {"0 or 1, no or yes, off or on, false or true", parse_bool, format_bool},
    [KIND_FLAG] = {"anything", parse_flag, format_flag},
    [KIND_TEXT] = {"a text", parse_text, format_text},
    [KIND_OUTPUT] = {"0 or 1, no or yes, off or on, false or true, or the name of a file", parse_file, format_text},
    [KIND_CHOICE] = {NULL, NULL, format_choice},
};

/* ---------------------------------------------------------------- table -- */

static const struct {
    struct core_param_row row;
    const struct param_kind *kind;
    size_t offset;
} table[] = {
#define PARAM(field, kind, name, old, def, help) \
    {{name, old, #kind, def, help}, &kinds[KIND_##kind], offsetof(struct core_params, field)},
#include "core/base/param.def"
};

enum { NROWS = sizeof table / sizeof *table };

const char *core_param_word(unsigned i, unsigned k)
{
    for (unsigned w = 0; i < NROWS && w < NWORDS; w++)
        if (table[i].kind == &kinds[KIND_CHOICE] && words[w].offset == table[i].offset && k-- == 0)
            return words[w].word;
    return NULL;
}

/* What row i takes; of a CHOICE "a, b or c". */
static void print_expected(unsigned i, char *text, size_t n)
{
    const char *word;
    size_t at = 0;

    if (table[i].kind->expected)
        snprintf(text, n, "%s", table[i].kind->expected);
    for (unsigned k = 0; at < n && (word = core_param_word(i, k)); k++) {
        const char *before = k == 0 ? "" : core_param_word(i, k + 1) ? ", " : " or ";

        at += (size_t)snprintf(text + at, n - at, "%s%s", before, word);
    }
}

/* -EINVAL with what is expected in `expected`. */
static int parse(unsigned i, const char *text, void *value, char *expected, size_t n)
{
    const struct param_kind *kind = table[i].kind;
    int rc = kind->parse ? kind->parse(text, value) : parse_choice(table[i].offset, text, value);

    if (rc != 0)
        print_expected(i, expected, n);
    return rc;
}

/* The text of a row's variable and the name it was found under. */
static const char *lookup(const struct core_param_row *row, const char **name)
{
    const char *text = secure_getenv(*name = row->name);

    if (!text && row->old)
        text = secure_getenv(*name = row->old);
    return text;
}

int core_param_load(char *why, size_t n)
{
    struct core_params new = {0};
    char expected[256];

    for (unsigned i = 0; i < NROWS; i++) {
        const struct core_param_row *row = &table[i].row;
        void *value = (char *)&new + table[i].offset;
        const char *name, *text = lookup(row, &name);

        /* A flag's default is its absence. */
        if (!text && table[i].kind == &kinds[KIND_FLAG])
            continue;
        if (parse(i, text ? text : row->def, value, expected, sizeof expected) == 0)
            continue;
        snprintf(why, n, "environment variable %s=\"%.80s\": expected %s", name, text ? text : row->def, expected);
        return -EINVAL;
    }
    core_params = new;
    return 0;
}

int core_param_check(const char *name, const char *text, char *expected, size_t n)
{
    struct core_params unused;

    for (unsigned i = 0; i < NROWS; i++)
        if (strcmp(table[i].row.name, name) == 0)
            return parse(i, text, (char *)&unused + table[i].offset, expected, n);
    snprintf(expected, n, "a variable that exists");
    return -EINVAL;
}

const struct core_param_row *core_param_row(unsigned i, const char **text)
{
    char *value = core_state.base.param_text;

    if (i >= NROWS)
        return NULL;
    if (text) {
        table[i].kind->format((const char *)&core_params + table[i].offset, value, sizeof core_state.base.param_text);
        *text = value;
    }
    return &table[i].row;
}

/* Words of `s` in lines of at most `width` characters, indented. */
static void print_wrapped(FILE *f, const char *s, int indent, size_t width)
{
    size_t column = 0;

    while (*s) {
        size_t word = strcspn(s, " ");
        bool fresh = column == 0 || column + 1 + word > width;

        if (fresh)
            fprintf(f, "%s%*s", column ? "\n" : "", indent, "");
        fprintf(f, "%s%.*s", fresh ? "" : " ", (int)word, s);
        column = fresh ? word : column + 1 + word;
        s += word;
        s += strspn(s, " ");
    }
    fputc('\n', f);
}

void core_param_print(FILE *f)
{
    const struct core_param_row *row;
    const char *value, *name;

    for (unsigned i = 0; (row = core_param_row(i, &value)); i++) {
        const char *set = lookup(row, &name);

        fprintf(f, "%s = %s", row->name, value);
        if (set)
            fprintf(f, "  (from the environment%s%s)", name == row->name ? "" : ": ", name == row->name ? "" : name);
        else if (*row->def)
            fprintf(f, "  (default)");
        if (row->old)
            fprintf(f, "  [old name %s]", row->old);
        fputc('\n', f);
        print_wrapped(f, row->help, 4, 76);
    }
}

const char *core_param_foreign(const char *name)
{
    return secure_getenv(name);
}

bool core_param_distrusts(void)
{
    return getauxval(AT_SECURE) != 0;
}

bool core_param_hides(const char *name)
{
    return core_param_distrusts() && getenv(name);
}
