/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Random numbers: each PE has the sequence that it would have as a process. The C library's functions with a state of
 * the caller's do the work; a task's state begins as a process's does.
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "core/task/hooks.h"
#include "core/task/own.h"

/* Threads of a PE may call, too. */
static pthread_mutex_t core_task_random_lock = PTHREAD_MUTEX_INITIALIZER;

static struct random_data *begin(void)
{
    struct core_task_own *own = core_task_here()->own;

    core_task_real.lock_mutex(&core_task_random_lock);
    if (!own->random.state)
        initstate_r(1, own->random_table, sizeof own->random_table, &own->random);
    return &own->random;
}

static void end(void)
{
    pthread_mutex_unlock(&core_task_random_lock);
}

static long next_random(void)
{
    int32_t number;

    random_r(begin(), &number);
    end();
    return number;
}

static int next_rand(void)
{
    return (int)next_random();
}

static void seed(unsigned n)
{
    srandom_r(n, begin());
    end();
}

/* A state's first word says of which kind it is. */
static char *old_state(const struct random_data *r)
{
    return (char *)(r->state - 1);
}

static char *init_state(unsigned n, char *table, size_t size)
{
    struct random_data *r = begin();
    char *old = old_state(r);
    int rc = initstate_r(n, table, size, r);

    end();
    return rc == 0 ? old : NULL;
}

static char *set_state(char *table)
{
    struct random_data *r = begin();
    char *old = old_state(r);
    int rc = setstate_r(table, r);

    end();
    return rc == 0 ? old : NULL;
}

/* ------------------------------------------------------------ 48 bits -- */

static struct drand48_data *data48(void)
{
    return &core_task_here()->own->drand48;
}

#define NUMBER48(name, type, call) \
    static type name(void)         \
    {                              \
        type number = 0;           \
                                   \
        call(data48(), &number);   \
        return number;             \
    }
NUMBER48(next_drand48, double, drand48_r)
NUMBER48(next_lrand48, long, lrand48_r)
NUMBER48(next_mrand48, long, mrand48_r)

#define NUMBER48_OF(name, type, call)         \
    static type name(unsigned short state[3]) \
    {                                         \
        type number = 0;                      \
                                              \
        call(state, data48(), &number);       \
        return number;                        \
    }
NUMBER48_OF(next_erand48, double, erand48_r)
NUMBER48_OF(next_nrand48, long, nrand48_r)
NUMBER48_OF(next_jrand48, long, jrand48_r)

static void seed48_number(long n)
{
    srand48_r(n, data48());
}

static unsigned short *seed48_state(unsigned short state[3])
{
    struct drand48_data *d = data48();

    seed48_r(state, d);
    return d->__old_x;
}

static void set_factors48(unsigned short factors[7])
{
    lcong48_r(factors, data48());
}

const struct core_task_hook core_task_hooks_random[] = {
    REPLACE("rand", next_rand),        REPLACE("srand", seed),
    REPLACE("random", next_random),    REPLACE("srandom", seed),
    REPLACE("initstate", init_state),  REPLACE("setstate", set_state),
    REPLACE("drand48", next_drand48),  REPLACE("lrand48", next_lrand48),
    REPLACE("mrand48", next_mrand48),  REPLACE("erand48", next_erand48),
    REPLACE("nrand48", next_nrand48),  REPLACE("jrand48", next_jrand48),
    REPLACE("srand48", seed48_number), REPLACE("seed48", seed48_state),
    REPLACE("lcong48", set_factors48), {0},
};
