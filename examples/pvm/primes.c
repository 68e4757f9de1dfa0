/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Master and workers in PVM: the master spawns copies of its own program, multicasts the primes up to 1000 to them, and
 * hands out intervals in which they count the primes by a sieve. Started plainly, it makes the virtual machine, too.
 *
 *   cc -O2 primes.c -o primes -lgpvm3 -lpvm3 && ./primes 4        # four workers
 */
#include <pvm3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIMIT = 1000000, INTERVAL = 20000, PRIMES = 78498, SMALL = 1000, WORKERS_MAX = 64 };
enum { TAG_SMALL = 1, TAG_RESULT, TAG_INTERVAL, TAG_STOP };

/* Primes below n, by the sieve of Eratosthenes. */
static int small_primes(int n, int *primes)
{
    char composite[SMALL + 1] = {0};
    int found = 0;

    for (int i = 2; i < n; i++) {
        if (composite[i])
            continue;
        primes[found++] = i;
        for (int j = i * i; j < n; j += i)
            composite[j] = 1;
    }
    return found;
}

static int count_interval(int first, const int *primes, int nprimes)
{
    static char composite[INTERVAL];
    int found = 0;

    memset(composite, 0, sizeof composite);
    for (int k = 0; k < nprimes; k++) {
        const int p = primes[k];
        int from = (first + p - 1) / p * p;
        for (int n = from < p * p ? p * p : from; n < first + INTERVAL; n += p)
            composite[n - first] = 1;
    }
    for (int i = first < 2 ? 2 - first : 0; i < INTERVAL; i++)
        found += !composite[i];
    return found;
}

static void work(int master)
{
    int nprimes, primes[SMALL], first, found = 0;

    pvm_recv(master, TAG_SMALL);
    pvm_upkint(&nprimes, 1, 1);
    pvm_upkint(primes, nprimes, 1);
    for (;;) {
        int tag;
        pvm_initsend(PvmDataDefault);
        pvm_pkint(&found, 1, 1);
        pvm_send(master, TAG_RESULT);
        pvm_bufinfo(pvm_recv(master, -1), NULL, &tag, NULL);
        if (tag == TAG_STOP)
            return;
        pvm_upkint(&first, 1, 1);
        found = count_interval(first, primes, nprimes);
    }
}

/* A worker's first result is 0: it only asks for an interval. */
static long hand_out(int workers)
{
    long total = 0;
    int next = 0;

    while (workers > 0) {
        int found, worker;
        pvm_bufinfo(pvm_recv(-1, TAG_RESULT), NULL, NULL, &worker);
        pvm_upkint(&found, 1, 1);
        total += found;
        pvm_initsend(PvmDataDefault);
        if (next < LIMIT) {
            pvm_pkint(&next, 1, 1);
            pvm_send(worker, TAG_INTERVAL);
            next += INTERVAL;
        } else {
            pvm_send(worker, TAG_STOP);
            workers--;
        }
    }
    return total;
}

int main(int argc, char **argv)
{
    const int mytid = pvm_mytid();
    if (mytid < 0)
        return 1;
    if (pvm_parent() > 0) {
        work(pvm_parent());
        pvm_exit();
        return 0;
    }

    const int wanted = argc > 1 ? atoi(argv[1]) : 2;
    int tids[WORKERS_MAX], primes[SMALL], nprimes = small_primes(SMALL, primes);
    if (wanted < 1 || wanted > WORKERS_MAX) {
        fprintf(stderr, "usage: primes [1 to %d workers]\n", WORKERS_MAX);
        return 2;
    }
    /* The name alone: spawn looks in the folder of this program, too. */
    const char *const slash = strrchr(argv[0], '/');
    char *const name = strdup(slash ? slash + 1 : argv[0]);
    const int workers = pvm_spawn(name, NULL, PvmTaskDefault, NULL, wanted, tids);
    free(name);
    if (workers < wanted) {
        fprintf(stderr, "primes: only %d of %d workers were started\n", workers, wanted);
        return 1;
    }
    pvm_initsend(PvmDataDefault);
    pvm_pkint(&nprimes, 1, 1);
    pvm_pkint(primes, nprimes, 1);
    pvm_mcast(tids, workers, TAG_SMALL);
    const long total = hand_out(workers);
    printf("%d workers counted %ld primes below %d\n", workers, total, LIMIT);
    pvm_exit();
    return total != PRIMES;
}
