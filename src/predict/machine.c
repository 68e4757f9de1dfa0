/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A machine's description: a line for each thing, as mpt predict writes it from a machine file.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "predict/sim.h"

double sim_cost(struct sim_cost c, double bytes)
{
    return c.fixed + c.each * bytes;
}

/* Between two sizes the time is interpolated, beyond the last one the rate stays. */
double sim_rate(const struct sim_machine *m, double bytes)
{
    int i = 0;

    if (m->nrates == 0 || bytes <= m->rates[0].bytes)
        return m->nrates ? m->rates[0].rate : HUGE_VAL;
    while (i + 1 < m->nrates && m->rates[i + 1].bytes <= bytes)
        i++;
    if (i + 1 == m->nrates)
        return m->rates[i].rate;

    double a = m->rates[i].bytes, b = m->rates[i + 1].bytes, at = (bytes - a) / (b - a);
    double ta = a / m->rates[i].rate, tb = b / m->rates[i + 1].rate;

    return bytes / (ta + at * (tb - ta));
}

static bool set_topology(struct sim_machine *m, const char *text)
{
    static const char *const names[] = {"crossbar", "bus", "torus", "hypercube", "fattree", "dragonfly"};
    char name[32];
    int used = 0;

    if (sscanf(text, "%31s%n", name, &used) != 1)
        return false;
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0) {
            m->topology = (enum sim_topology)i;
            m->size[1] = m->size[2] = m->size[0] = 1;
            sscanf(text + used, "%d %d %d", &m->size[0], &m->size[1], &m->size[2]);
            return m->size[0] > 0 && m->size[1] > 0 && m->size[2] > 0;
        }
    return false;
}

static bool add_rate(struct sim_machine *m, const char *text)
{
    if (m->nrates == SIM_RATES)
        return false;

    double *bytes = &m->rates[m->nrates].bytes, *rate = &m->rates[m->nrates].rate;

    return sscanf(text, "%lf %lf", bytes, rate) == 2 && *rate > 0 && (++m->nrates == 1 || bytes[0] > bytes[-2]);
}

/* Numbers in a row, each at its place in the struct. */
static const struct {
    const char *key;
    size_t at[2];
} numbers[] = {
    {"taper", {offsetof(struct sim_machine, taper)}},
    {"link", {offsetof(struct sim_machine, link_rate)}},
    {"hop", {offsetof(struct sim_machine, hop)}},
    {"turn", {offsetof(struct sim_machine, turn)}},
    {"port", {offsetof(struct sim_machine, port_rate)}},
    {"latency", {offsetof(struct sim_machine, latency)}},
    {"send", {offsetof(struct sim_machine, send.fixed), offsetof(struct sim_machine, send.each)}},
    {"receive", {offsetof(struct sim_machine, receive.fixed), offsetof(struct sim_machine, receive.each)}},
    {"get", {offsetof(struct sim_machine, get.fixed), offsetof(struct sim_machine, get.each)}},
    {"onesided", {offsetof(struct sim_machine, onesided)}},
    {"eager", {offsetof(struct sim_machine, eager)}},
    {"share_from", {offsetof(struct sim_machine, share_from)}},
    {"barrier", {offsetof(struct sim_machine, barrier_fixed), offsetof(struct sim_machine, barrier_log)}},
    {"combine", {offsetof(struct sim_machine, combine)}},
};

static const struct {
    const char *key;
    size_t at;
} counts[] = {
    {"pes", offsetof(struct sim_machine, pes)},
    {"pes_per_node", offsetof(struct sim_machine, pes_per_node)},
    {"nodes_per_router", offsetof(struct sim_machine, nodes_per_router)},
    {"turns_max", offsetof(struct sim_machine, turns_max)},
};

static bool set(struct sim_machine *m, const char *key, const char *text)
{
    if (strcmp(key, "topology") == 0)
        return set_topology(m, text);
    if (strcmp(key, "rate") == 0)
        return add_rate(m, text);
    for (unsigned i = 0; i < sizeof counts / sizeof *counts; i++)
        if (strcmp(counts[i].key, key) == 0)
            return sscanf(text, "%d", (int *)(void *)((char *)m + counts[i].at)) == 1;
    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (strcmp(numbers[i].key, key) == 0) {
            double a, b = 0;
            int n = sscanf(text, "%lf %lf", &a, &b);

            if (n < 1)
                return false;
            *(double *)(void *)((char *)m + numbers[i].at[0]) = a;
            if (numbers[i].at[1])
                *(double *)(void *)((char *)m + numbers[i].at[1]) = b;
            return true;
        }
    return false;
}

/* Below 0 where the machine does not say it. */
static bool may_be_unsaid(const char *key)
{
    return strcmp(key, "barrier") == 0 || strcmp(key, "onesided") == 0;
}

static bool is_sound(const struct sim_machine *m)
{
    if (m->pes < 1 || m->pes > 1 << 20 || m->pes_per_node < 1 || m->nodes_per_router < 1 || m->turns_max < 0)
        return false;
    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        double value = *(const double *)(const void *)((const char *)m + numbers[i].at[0]);

        if (!isfinite(value) || (value < 0 && !may_be_unsaid(numbers[i].key)))
            return false;
    }
    return m->topology != SIM_HYPERCUBE || m->size[0] <= 20;
}

bool sim_machine_read(const char *path, struct sim_machine *m)
{
    FILE *f = fopen(path, "r");
    char line[256], key[32];
    int number = 0, used;
    bool good = f != NULL;

    *m = (struct sim_machine){.pes = 1,
                              .pes_per_node = 1,
                              .nodes_per_router = 1,
                              .taper = 1,
                              .eager = 1e18,
                              .share_from = 1024,
                              .onesided = -1,
                              .barrier_fixed = -1};
    if (!f)
        fprintf(stderr, "mptsim: cannot read %s\n", path);
    while (good && fgets(line, sizeof line, f)) {
        number++;
        if (sscanf(line, "%31s%n", key, &used) != 1 || key[0] == '#')
            continue;
        if (!(good = set(m, key, line + used)))
            fprintf(stderr, "mptsim: %s, line %d: not understood: %s", path, number, line);
    }
    if (good && !(good = is_sound(m)))
        fprintf(stderr, "mptsim: %s: no such machine can be: a count or a cost is out of range\n", path);
    if (f)
        fclose(f);
    return good;
}
