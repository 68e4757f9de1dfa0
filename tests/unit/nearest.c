/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The word that was meant: mistakes are counted, too many are not forgiven, the nearest and the first of equals is
 * taken.
 */
#include <string.h>

#include "core/base/nearest.h"
#include "harness.h"

static const char *const words[] = {"tasks", "trace", "timeout", "stats", "output-filename", "n"};

static void check(const char *typed, const char *expected)
{
    struct core_nearest nearest = {.typed = typed, .typed_n = strlen(typed)};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        core_nearest_try(&nearest, words[i], strlen(words[i]));
    if (expected)
        CHECK(nearest.word && nearest.word_n == strlen(expected) &&
                  strncmp(nearest.word, expected, nearest.word_n) == 0,
              "\"%s\" gave %s", typed, nearest.word ? nearest.word : "nothing");
    else
        CHECK(!nearest.word, "\"%s\" gave %s", typed, nearest.word);
}

int main(void)
{
    static const struct {
        const char *typed, *expected;
    } rows[] = {
        {"tasks", "tasks"},
        {"tsks", "tasks"},
        {"taskss", "tasks"},
        {"tsaks", "tasks"},
        {"stat", "stats"},
        {"traec", "trace"},
        {"tiemuot", "timeout"},
        {"out", "output-filename"},
        {"outputfilname", "output-filename"},
        {"n", "n"},
        {"", NULL},
        {"m", NULL},
        {"np", NULL},
        {"trsks", "tasks"},
        {"sttas", "stats"},
        {"zebra", NULL},
        {"tisket", NULL},
        {"ts", NULL},
        {"a word that is longer than all words that are looked at, so that it is near to none", NULL},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check(rows[i].typed, rows[i].expected);
    return check_verdict();
}
