/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Parameters: OpenSHMEM's size syntax to the byte, strictness of every kind,
 * precedence of names, and that printed values read back as the same.
 */
#include <errno.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/param.h"
#include "harness.h"

#define K (1ull << 10)
#define M (1ull << 20)
#define G (1ull << 30)
#define T (1ull << 40)
#define BAD UINT64_MAX /* no valid text means it, see below */

static const struct {
    const char *text;
    uint64_t bytes;
} sizes[] = {
    {"0", 0},
    {"1", 1},
    {"4096", 4096},
    {"007", 7},
    {"1k", K},
    {"1K", K},
    {"2m", 2 * M},
    {"3G", 3 * G},
    {"1t", T},
    {"3.1M", 3250586},
    {".5m", M / 2},
    {"0.5k", 512},
    {"1.", 1},
    {"1.g", G},
    {"0.0001k", 1},
    {"1.5", 2},
    {"1.000000000000000000000000001", 2},
    {"1.000000000000000000000000000k", K},
    {".0000000000000000000000000001t", 1},
    {"0.1t", 109951162778},
    {"0.999999999999999999g", G},
    {"16777215t", 16777215 * T},
    {"18446744073709551614", 18446744073709551614ull},
    /* Whatever follows a suffix is ignored. */
    {"1mb", M},
    {"1MiB", M},
    {"2k and more", 2 * K},
    {"1k-7", K},
    {" 1k", K},
    {"12 ", 12},
    /* Not sizes. */
    {"", BAD},
    {" ", BAD},
    {".", BAD},
    {".k", BAD},
    {"k", BAD},
    {"-1", BAD},
    {"-0", BAD},
    {"+1", BAD},
    {"1x", BAD},
    {"1 k", BAD},
    {"1e3", BAD},
    {"0x10", BAD},
    {"1,5g", BAD},
    {"1..5g", BAD},
    {"1.5.g", BAD},
    {"lots", BAD},
    {"nan", BAD},
    {"inf", BAD},
    {"16777216t", BAD},
    {"18446744073709551616", BAD},
    {"99999999999999999999999999999999999999999999", BAD},
    {"340282366920938463463374607431768211457k", BAD},
};

static void test_sizes(void)
{
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        uint64_t bytes = BAD;
        int rc = core_param_size(sizes[i].text, &bytes);

        CHECK(rc == (sizes[i].bytes == BAD ? -EINVAL : 0), "\"%s\" gave %d", sizes[i].text, rc);
        CHECK(bytes == sizes[i].bytes, "\"%s\" is %llu, not %llu", sizes[i].text, (unsigned long long)bytes,
              (unsigned long long)sizes[i].bytes);
    }
}

static void clear(void)
{
    const struct core_param_row *row;

    for (unsigned i = 0; (row = core_param_row(i, NULL)); i++) {
        unsetenv(row->name);
        if (row->old)
            unsetenv(row->old);
    }
}

/* Loads with one variable set; returns the result, message in `why`. */
static int load_with(const char *name, const char *value, char why[512])
{
    int rc;

    clear();
    setenv(name, value, 1);
    why[0] = '\0';
    rc = core_param_load(why, 512);
    unsetenv(name);
    return rc;
}

static void test_defaults(void)
{
    char why[512];

    clear();
    CHECK(core_param_load(why, sizeof why) == 0, "%s", why);
    CHECK(core_params.heap_size == G, "heap %llu", (unsigned long long)core_params.heap_size);
    CHECK(core_params.bind, "bound by default");
    CHECK(!core_params.debug && !core_params.show_info && !core_params.show_version, "flags are off by default");
    CHECK(core_params.npes == 0, "npes %u", core_params.npes);
}

static void test_names(void)
{
    char why[512];

    CHECK(load_with("SMA_SYMMETRIC_SIZE", "2k", why) == 0 && core_params.heap_size == 2 * K, "old name");
    setenv("SMA_SYMMETRIC_SIZE", "2k", 1);
    CHECK(core_param_load(why, sizeof why) == 0 && core_params.heap_size == 2 * K, "old name");
    setenv("SHMEM_SYMMETRIC_SIZE", "3k", 1);
    CHECK(core_param_load(why, sizeof why) == 0 && core_params.heap_size == 3 * K, "the new name wins");
    /* A value that does not count is not looked at. */
    setenv("SMA_SYMMETRIC_SIZE", "rubbish", 1);
    CHECK(core_param_load(why, sizeof why) == 0 && core_params.heap_size == 3 * K, "the new name wins");
    unsetenv("SHMEM_SYMMETRIC_SIZE");
    CHECK(core_param_load(why, sizeof why) == -EINVAL && strstr(why, "SMA_SYMMETRIC_SIZE"), "named: %s", why);
    clear();
}

static void test_kinds(void)
{
    static const struct {
        const char *name, *value;
        bool good;
    } cases[] = {
        {"NPES", "4", true},
        {"NPES", "4294967295", true},
        {"NPES", "4294967296", false},
        {"NPES", "-1", false},
        {"NPES", "", false},
        {"NPES", "4x", false},
        {"NPES", "1.5", false},
        {"MPT_BIND", "0", true},
        {"MPT_BIND", "YES", true},
        {"MPT_BIND", "False", true},
        {"MPT_BIND", "off", true},
        {"MPT_BIND", "2", false},
        {"MPT_BIND", "", false},
        {"MPT_BIND", "y", false},
        {"SHMEM_DEBUG", "", true},
        {"SHMEM_DEBUG", "0", true},
        {"SMA_DEBUG", "x", true},
        {"SHMEM_SYMMETRIC_SIZE", "1g", true},
        {"SHMEM_SYMMETRIC_SIZE", "one gigabyte", false},
    };
    char why[512];

    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        int rc = load_with(cases[i].name, cases[i].value, why);

        CHECK(rc == (cases[i].good ? 0 : -EINVAL), "%s=\"%s\" gave %d", cases[i].name, cases[i].value, rc);
        if (cases[i].good)
            continue;
        CHECK(strstr(why, cases[i].name), "message names the variable: %s", why);
        CHECK(strstr(why, cases[i].value), "message shows the value: %s", why);
        CHECK(strstr(why, "expected"), "message says what is expected: %s", why);
    }
    CHECK(load_with("MPT_BIND", "off", why) == 0 && !core_params.bind, "off is no");
    CHECK(load_with("SHMEM_DEBUG", "0", why) == 0 && core_params.debug,
          "a flag that is set counts, whatever its value");
}

/* Each word of a CHOICE is taken and printed as itself; any other is refused with all words named. */
static void test_choice(unsigned i, const struct core_param_row *row)
{
    const char *word, *text;
    char why[512], expected[128], other[128];

    CHECK(load_with(row->name, "no such word", why) == -EINVAL, "%s took no word of it", row->name);
    CHECK(strstr(why, row->name) && strstr(why, "\"no such word\": expected "), "named: %s", why);
    CHECK(load_with(row->name, "", why) == -EINVAL, "%s took an empty text", row->name);
    for (unsigned k = 0; (word = core_param_word(i, k)); k++) {
        load_with(row->name, "no such word", why);
        CHECK(strstr(strstr(why, "expected"), word), "%s is not said to be possible: %s", word, why);
        CHECK(strstr(row->help, word), "%s: the help says nothing of %s", row->name, word);
        CHECK(load_with(row->name, word, why) == 0, "%s", why);
        core_param_row(i, &text);
        CHECK(strcmp(text, word) == 0, "%s=%s reads as %s", row->name, word, text);
        CHECK(core_param_check(row->name, word, expected, sizeof expected) == 0, "%s=%s", row->name, word);
        snprintf(other, sizeof other, "%s0", word);
        CHECK(core_param_check(row->name, other, expected, sizeof expected) == -EINVAL, "%s=%s", row->name, other);
        CHECK(strstr(expected, word), "%s expects %s", row->name, expected);
    }
}

static void test_choices(void)
{
    const struct core_param_row *row;
    unsigned choices = 0;
    char expected[128];

    for (unsigned i = 0; (row = core_param_row(i, NULL)); i++) {
        bool choice = strcmp(row->kind, "CHOICE") == 0;

        CHECK(choice == (core_param_word(i, 1) != NULL), "%s of kind %s has words", row->name, row->kind);
        if (choice)
            test_choice(i, row);
        choices += choice;
    }
    CHECK(choices >= 5, "%u choices", choices);
    CHECK(core_param_check("MPT_NO_SUCH", "x", expected, sizeof expected) == -EINVAL, "an unknown variable");
}

/* A bad value changes nothing. */
static void test_failure_keeps_values(void)
{
    char why[512];

    CHECK(load_with("SHMEM_SYMMETRIC_SIZE", "5k", why) == 0, "%s", why);
    CHECK(load_with("NPES", "many", why) == -EINVAL, "refused");
    CHECK(core_params.heap_size == 5 * K, "heap %llu", (unsigned long long)core_params.heap_size);
}

static void test_printed_sizes(void)
{
    static const char *const values[] = {"0", "1", "1023", "1k", "3.1m", "1536m", "2g", "5t", "1.5t"};
    const char *text;
    char why[512];

    for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
        uint64_t before, after;

        CHECK(core_param_size(values[i], &before) == 0, "%s", values[i]);
        CHECK(load_with("SHMEM_SYMMETRIC_SIZE", values[i], why) == 0, "%s", why);
        CHECK(core_param_row(0, &text) && core_param_size(text, &after) == 0 && before == after, "%s is printed as %s",
              values[i], text);
    }
}

static void test_print(void)
{
    const struct core_param_row *row;
    char *page = NULL;
    size_t n;
    FILE *f = open_memstream(&page, &n);

    core_param_print(f);
    fclose(f);
    for (unsigned i = 0; (row = core_param_row(i, NULL)); i++) {
        CHECK(strstr(page, row->name), "%s is in the table", row->name);
        CHECK(*row->help, "%s has a help text", row->name);
    }
    for (char *line = strtok(page, "\n"); line; line = strtok(NULL, "\n"))
        CHECK(strlen(line) <= 90, "%zu characters: %s", strlen(line), line);
    free(page);
}

int main(void)
{
    /* Where "1,5" is a number, and "1.5" is not. */
    setlocale(LC_ALL, "de_DE.UTF-8");
    test_sizes();
    test_defaults();
    test_names();
    test_kinds();
    test_choices();
    test_failure_keeps_values();
    test_printed_sizes();
    test_print();
    return check_verdict();
}
