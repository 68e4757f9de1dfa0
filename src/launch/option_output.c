/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Options that say what becomes of the PEs' output: tags, times, files.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "launch/options.h"

int launch_set_tag(struct launch_options *o, const char *option, const char *value)
{
    (void)option, (void)value;
    o->output.tag = true;
    return GO_ON;
}

int launch_set_stamp(struct launch_options *o, const char *option, const char *value)
{
    (void)option, (void)value;
    o->output.stamp = true;
    return GO_ON;
}

int launch_set_merge(struct launch_options *o, const char *option, const char *value)
{
    (void)option, (void)value;
    o->output.merge = true;
    return GO_ON;
}

/* As Open MPI's launcher: DIR/1/rank.N/stdout and stderr, and on the terminal, too, unless ":nocopy" follows. */
int launch_set_output_folder(struct launch_options *o, const char *option, const char *value)
{
    size_t n = strcspn(value, ":");
    char *out, *err;

    if (n == 0 || (value[n] && strcmp(value + n, ":nocopy") != 0 && strcmp(value + n, ":copy") != 0)) {
        launch_say("%s %s: expected a folder, perhaps with :nocopy", option, value);
        return STATUS_USAGE;
    }
    if (asprintf(&out, "%.*s/1/rank.%%r/stdout", (int)n, value) < 0 ||
        asprintf(&err, "%.*s/1/rank.%%r/stderr", (int)n, value) < 0)
        return launch_no_memory();
    o->output.files[0] = out; /* kept for good */
    o->output.files[1] = err;
    o->output.files_only = strcmp(value + n, ":nocopy") == 0;
    return GO_ON;
}

/* As MPICH's launcher: the output goes there only. */
static int set_pattern(struct launch_options *o, unsigned which, const char *option, const char *value)
{
    if (!*value || value[strlen(value) - 1] == '/') {
        launch_say("%s %s: expected a file's name, in which %%r is the rank", option, value);
        return STATUS_USAGE;
    }
    o->output.files[which] = value;
    o->output.files_only = true;
    return GO_ON;
}

int launch_set_out_pattern(struct launch_options *o, const char *option, const char *value)
{
    return set_pattern(o, 0, option, value);
}

int launch_set_err_pattern(struct launch_options *o, const char *option, const char *value)
{
    return set_pattern(o, 1, option, value);
}

/* As PRRTE's: words separated by commas. */
int launch_set_output(struct launch_options *o, const char *option, const char *value)
{
    static const struct {
        const char *word;
        launch_setter *set;
    } words[] = {{"tag", launch_set_tag},
                 {"rank", launch_set_tag},
                 {"timestamp", launch_set_stamp},
                 {"merge", launch_set_merge},
                 {"merge-stderr-to-stdout", launch_set_merge},
                 {"dir=", launch_set_output_folder},
                 {"file=", launch_set_output_folder}};
    char *copy = strdup(value), *rest = copy;

    if (!copy)
        return launch_no_memory();
    for (char *word; (word = strsep(&rest, ","));) { /* kept for good: files' names lie in it */
        size_t i = 0, n = strcspn(word, "=") + (strchr(word, '=') != NULL);

        while (i < sizeof words / sizeof *words && (strlen(words[i].word) != n || strncmp(words[i].word, word, n) != 0))
            i++;
        if (i == sizeof words / sizeof *words) {
            launch_say("%s %s: '%s' is not known here; there are tag, timestamp, merge and dir=FOLDER", option, value,
                       word);
            return STATUS_USAGE;
        }
        int rc = words[i].set(o, option, word + n);

        if (rc != GO_ON)
            return rc;
    }
    return GO_ON;
}
