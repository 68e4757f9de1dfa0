/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The section of OpenSHMEM 1.6 that a call is described in, for findings.
 */
#include <string.h>

#include "shmem/check.h"

/* The first row whose word is in the call's name. */
static const struct {
    const char *word, *rule;
} rules[] = {
    {"session", "OpenSHMEM 1.6, 9.5"},     {"ctx_create", "OpenSHMEM 1.6, 9.5"},   {"create_ctx", "OpenSHMEM 1.6, 9.5"},
    {"ctx_destroy", "OpenSHMEM 1.6, 9.5"}, {"ctx_get_team", "OpenSHMEM 1.6, 9.5"}, {"team_sync", "OpenSHMEM 1.6, 9.10"},
    {"team", "OpenSHMEM 1.6, 9.4"},        {"lock", "OpenSHMEM 1.6, 9.13"},        {"fence", "OpenSHMEM 1.6, 9.12"},
    {"quiet", "OpenSHMEM 1.6, 9.12"},      {"wait", "OpenSHMEM 1.6, 9.11"},        {"test", "OpenSHMEM 1.6, 9.11"},
    {"signal", "OpenSHMEM 1.6, 9.8"},      {"malloc", "OpenSHMEM 1.6, 9.3"},       {"calloc", "OpenSHMEM 1.6, 9.3"},
    {"realloc", "OpenSHMEM 1.6, 9.3"},     {"align", "OpenSHMEM 1.6, 9.3"},        {"free", "OpenSHMEM 1.6, 9.3"},
    {"init", "OpenSHMEM 1.6, 9.1"},        {"finalize", "OpenSHMEM 1.6, 9.1"},     {"atomic", "OpenSHMEM 1.6, 9.7"},
    {"swap", "OpenSHMEM 1.6, 9.7"},        {"barrier", "OpenSHMEM 1.6, 9.10"},     {"sync", "OpenSHMEM 1.6, 9.10"},
    {"broadcast", "OpenSHMEM 1.6, 9.10"},  {"collect", "OpenSHMEM 1.6, 9.10"},     {"alltoall", "OpenSHMEM 1.6, 9.10"},
    {"_to_all", "OpenSHMEM 1.6, 9.10"},    {"_reduce", "OpenSHMEM 1.6, 9.10"},     {"scan", "OpenSHMEM 1.6, 9.10"},
    {"put", "OpenSHMEM 1.6, 9.6"},         {"get", "OpenSHMEM 1.6, 9.6"},
};

const char *shmemi_rule(const char *where)
{
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (strstr(where, rules[i].word))
            return rules[i].rule;
    return "OpenSHMEM 1.6";
}
