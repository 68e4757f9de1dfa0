/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Options that say on which CPUs PEs run: --bind-to and --map-by with the words of Open MPI's and MPICH's launchers.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "launch/options.h"

static const struct {
    const char *word;
    enum core_domain domain;
} domains[] = {
    {"core", CORE_DOMAIN_CORE}, {"hwthread", CORE_DOMAIN_CORE}, {"slot", CORE_DOMAIN_NONE},
    {"node", CORE_DOMAIN_NONE}, {"board", CORE_DOMAIN_NONE},    {"machine", CORE_DOMAIN_NONE},
    {"rr", CORE_DOMAIN_NONE},   {"l3cache", CORE_DOMAIN_L3},    {"l3", CORE_DOMAIN_L3},
    {"numa", CORE_DOMAIN_NUMA}, {"socket", CORE_DOMAIN_SOCKET}, {"package", CORE_DOMAIN_SOCKET},
};

/* The first n characters of a word; false: no such word. */
static bool domain_of(const char *word, size_t n, enum core_domain *domain)
{
    for (size_t i = 0; i < sizeof domains / sizeof *domains; i++)
        if (strlen(domains[i].word) == n && strncmp(domains[i].word, word, n) == 0) {
            *domain = domains[i].domain;
            return true;
        }
    return false;
}

int launch_set_bind(struct launch_options *o, const char *option, const char *value)
{
    (void)option, (void)value;
    o->bind = BIND_YES;
    o->bind_domain = CORE_DOMAIN_CORE;
    return GO_ON;
}

int launch_set_no_bind(struct launch_options *o, const char *option, const char *value)
{
    (void)option, (void)value;
    o->bind = BIND_NO;
    return GO_ON;
}

int launch_set_bind_to(struct launch_options *o, const char *option, const char *value)
{
    size_t n = strcspn(value, ":"); /* Open MPI's modifiers ask for what happens anyway */

    if (n == 4 && strncmp(value, "none", n) == 0)
        return launch_set_no_bind(o, option, value);
    if (!domain_of(value, n, &o->bind_domain)) {
        launch_say("%s %s: expected none, core, hwthread, l3cache, numa or socket", option, value);
        return STATUS_USAGE;
    }
    o->bind = o->bind_domain == CORE_DOMAIN_NONE ? BIND_NO : BIND_YES; /* a whole machine binds nobody */
    return GO_ON;
}

/* The words of Slurm's and Cray's launchers. */
int launch_set_cpu_bind(struct launch_options *o, const char *option, const char *value)
{
    static const struct {
        const char *word, *here;
    } words[] = {
        {"none", "none"},         {"no", "none"},       {"depth", "core"},     {"rank", "core"},
        {"cpu", "core"},          {"thread", "core"},   {"threads", "core"},   {"core", "core"},
        {"cores", "core"},        {"numa", "numa"},     {"numa_node", "numa"}, {"ldoms", "numa"},
        {"numa_domains", "numa"}, {"socket", "socket"}, {"sockets", "socket"},
    };

    if (strncmp(value, "verbose", strlen("verbose")) == 0 || strncmp(value, "v,", 2) == 0) {
        o->verbose = true;
        value = strchrnul(value, ',');
        value += *value == ',';
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcasecmp(value, words[i].word) == 0)
            return launch_set_bind_to(o, option, words[i].here);
    return *value ? launch_pass_over(o, option, value) : GO_ON;
}

int launch_set_cpus_each(struct launch_options *o, const char *option, const char *value)
{
    char *end;
    unsigned long n = strtoul(value, &end, 10);

    if (end == value || *end || n < 1 || n > 4096 || *value == '-') {
        launch_say("%s %s: expected a number of cores for each PE from 1 to 4096", option, value);
        return STATUS_USAGE;
    }
    o->cpus_each = (unsigned)n;
    return GO_ON;
}

/* What stands behind a colon of --map-by: PE=N, and words that ask for what happens anyway. */
static int modifier(struct launch_options *o, const char *option, const char *word, size_t n)
{
    static const char *const usual[] = {"oversubscribe", "overload-allowed", "inherit",
                                        "display",       "hwtcpus",          "corecpus",
                                        "span",          "ordered",          "noinherit"};
    char text[64];

    if (n < sizeof text) {
        snprintf(text, sizeof text, "%.*s", (int)n, word);
        if (strncasecmp(text, "pe=", 3) == 0)
            return launch_set_cpus_each(o, option, text + 3);
        for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
            if (strcasecmp(text, usual[i]) == 0)
                return GO_ON;
    }
    launch_say("%s: the modifier '%.*s' is not known here; there are PE=N and oversubscribe", option, (int)n, word);
    return STATUS_USAGE;
}

static int modifiers(struct launch_options *o, const char *option, const char *text)
{
    int rc = GO_ON;

    while (rc == GO_ON && *text) {
        size_t n;

        text += strspn(text, ":,");
        n = strcspn(text, ":,");
        rc = n ? modifier(o, option, text, n) : GO_ON;
        text += n;
    }
    return rc;
}

/* Domains of this kind that our CPUs lie in. */
static unsigned count_domains(enum core_domain domain)
{
    size_t size;
    cpu_set_t *left = core_topology_mask(0, &size), *same = left ? CPU_ALLOC(size * 8) : NULL;
    unsigned n = 0;

    for (unsigned cpu = 0; same && cpu < size * 8; cpu++) {
        if (!CPU_ISSET_S(cpu, size, left))
            continue;
        n++;
        core_topology_domain(cpu, domain, same, size);
        CPU_AND_S(size, same, same, left);
        CPU_XOR_S(size, left, left, same);
    }
    CPU_FREE(same);
    CPU_FREE(left);
    return n ? n : 1;
}

/* "ppr:2:socket": so many PEs for each. Moves *text behind the number. */
static int for_each(struct launch_options *o, const char *option, const char **text)
{
    const char *rest = *text + strlen("ppr:");
    enum core_domain domain;
    char *object, number[24];
    unsigned long each = strtoul(rest, &object, 10);

    if (*rest < '0' || *rest > '9' || *object != ':' || each < 1 || each > NPES_MAX ||
        !domain_of(object + 1, strcspn(object + 1, ":"), &domain)) {
        launch_say("%s %s: expected ppr:N:OBJECT with a number of PEs and core, l3cache, numa, socket or node", option,
                   *text);
        return STATUS_USAGE;
    }
    *text = object + 1;
    snprintf(number, sizeof number, "%lu", each * (domain == CORE_DOMAIN_NONE ? 1 : count_domains(domain)));
    return launch_set_npes_here(o, option, number);
}

int launch_set_map(struct launch_options *o, const char *option, const char *value)
{
    const char *text = value;
    size_t n;

    if (strncmp(text, "ppr:", 4) == 0) {
        int rc = for_each(o, option, &text);

        if (rc != GO_ON)
            return rc;
    }
    n = strcspn(text, ":");
    if (n > 0 && !domain_of(text, n, &o->map_domain)) {
        launch_say("%s %s: expected core, slot, node, l3cache, numa, socket or ppr:N:OBJECT", option, value);
        return STATUS_USAGE;
    }
    if (o->map_domain == CORE_DOMAIN_CORE) /* as PEs are placed anyway */
        o->map_domain = CORE_DOMAIN_NONE;
    return modifiers(o, option, text + n);
}
