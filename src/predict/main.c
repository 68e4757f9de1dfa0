/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mptsim MACHINE PROGRAM: the clock of each PE at its end, and at its marks.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "predict/sim.h"

static void print_mark(int pe, int tag, double seconds)
{
    printf("mark %d %d %.17g\n", pe, tag, seconds);
}

/* NULL after a message. */
static struct sim_step *read_program(const char *path, size_t *n)
{
    FILE *f = fopen(path, "rb");
    struct sim_step *steps = NULL;
    long size = -1;

    if (f && fseek(f, 0, SEEK_END) == 0 && (size = ftell(f)) >= 0 && size % (long)sizeof *steps == 0) {
        rewind(f);
        *n = (size_t)size / sizeof *steps;
        steps = malloc((size_t)size + 1);
        if (steps && fread(steps, sizeof *steps, *n, f) != *n) {
            free(steps);
            steps = NULL;
        }
    }
    if (!steps)
        fprintf(stderr, "mptsim: %s: cannot be read, or is no program (%ld bytes)\n", path, size);
    if (f)
        fclose(f);
    return steps;
}

int main(int argc, char **argv)
{
    struct sim_machine m;
    struct sim_result r;
    struct sim_step *steps;
    size_t n = 0;
    bool good;

    if (argc != 3 || argv[1][0] == '-') {
        fprintf(stderr, "Usage: mptsim MACHINE PROGRAM\nRun by 'mpt predict'; docs/predict.md describes both files.\n");
        return argc == 2 && strcmp(argv[1], "--help") == 0 ? EXIT_SUCCESS : 2;
    }
    if (!sim_machine_read(argv[1], &m) || !(steps = read_program(argv[2], &n)))
        return EXIT_FAILURE;
    good = sim_run(&m, steps, n, print_mark, &r);
    for (int pe = 0; good && pe < m.pes; pe++)
        printf("clock %d %.17g\n", pe, r.clock[pe]);
    if (good)
        printf("events %llu\n", (unsigned long long)r.events);
    if (good && r.stuck)
        fprintf(stderr, "mptsim: some PEs wait for messages that nobody sends\n");
    free(r.clock);
    free(steps);
    return good && !r.stuck ? EXIT_SUCCESS : EXIT_FAILURE;
}
