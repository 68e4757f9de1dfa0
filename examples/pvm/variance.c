/* SPDX-License-Identifier: BSD-3-Clause
 *
 * PVM in the manner of the T3D: a launcher starts all tasks, and the null group is everybody, so that nobody spawns or
 * joins. Each task has a share of the numbers 1 to N; reductions and a broadcast give their mean and variance.
 *
 *   cc -O2 variance.c -o variance -lgpvm3 -lpvm3 -lm && mptrun -n 4 ./variance
 */
#include <math.h>
#include <pvm3.h>
#include <stdio.h>

enum { N = 100000, TAG_SUM = 1, TAG_MEAN, TAG_SQUARES };

int main(void)
{
    const int mytid = pvm_mytid();
    if (mytid < 0)
        return 1;
    const int me = pvm_get_PE(mytid), ntasks = pvm_gsize(NULL);
    double sum = 0, mean, squares = 0;
    int wrong = 0;

    for (int i = me + 1; i <= N; i += ntasks)
        sum += i;
    pvm_reduce(PvmSum, &sum, 1, PVM_DOUBLE, TAG_SUM, NULL, 0);
    if (me == 0) { /* a broadcast leaves out its sender */
        mean = sum / N;
        pvm_initsend(PvmDataDefault);
        pvm_pkdouble(&mean, 1, 1);
        pvm_bcast(NULL, TAG_MEAN);
    } else {
        pvm_recv(-1, TAG_MEAN);
        pvm_upkdouble(&mean, 1, 1);
    }
    for (int i = me + 1; i <= N; i += ntasks)
        squares += (i - mean) * (i - mean);
    pvm_reduce(PvmSum, &squares, 1, PVM_DOUBLE, TAG_SQUARES, NULL, 0);

    if (me == 0) {
        const double variance = squares / N, known = ((double)N * N - 1) / 12;
        printf("%d tasks: mean %.1f, variance %.2f\n", ntasks, mean, variance);
        wrong = mean != (N + 1) / 2.0 || fabs(variance - known) > 1e-9 * known;
    }
    pvm_barrier(NULL, -1);
    pvm_exit();
    return wrong;
}
