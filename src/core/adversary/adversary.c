/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Seeds, rates and pauses.
 *
 * A PE's rates are drawn, too: a program that fails only when much is late, or only when nearly nothing is, fails with
 * some seed. Pauses take at most a part of the run, however many calls a program makes.
 */
#include "core/adversary/adversary.h"

#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/base/clock.h"
#include "core/base/error.h"
#include "core/task/task.h"

_Static_assert((int)CORE_ADVERSARY_KINDS <= (int)CORE_ADVERSARY_MOST_KINDS, "a rate for each");

enum {
    FREE_MS = 400,
    SHARE = 2,
    WAKE_NS = 60000
}; /* pauses of all PEs: each so long, and this part of the time since */

static const char *const words[] = {
#define KIND(name, word, what) word,
#include "core/adversary/kinds.def"
#undef KIND
};

static struct core_adversary_state *const own = &core_state.adversary;

/* ------------------------------------------------------------------ reading -- */

struct said {
    uint64_t seed, limit;
    unsigned kinds;
    const char *pes; /* NULL: all */
};

/* A number, and what follows it. */
static bool read_number(const char **text, uint64_t *to)
{
    char *end;

    if (**text < '0' || **text > '9')
        return false;
    errno = 0;
    *to = strtoull(*text, &end, 10);
    *text = end;
    return errno == 0;
}

static bool read_kinds(const char **text, unsigned *kinds)
{
    const size_t n = strcspn(*text, ":");

    if (n == 0 || (n == 3 && strncmp(*text, "all", n) == 0)) {
        *text += n;
        return true;
    }
    *kinds = 0;
    for (;;) {
        size_t length = strcspn(*text, ",:");
        unsigned k = 0;

        while (k < CORE_ADVERSARY_KINDS && (strlen(words[k]) != length || strncmp(words[k], *text, length) != 0))
            k++;
        if (k == CORE_ADVERSARY_KINDS)
            return false;
        *kinds |= 1u << k;
        *text += length;
        if (**text != ',')
            return true;
        ++*text;
    }
}

/* In a list; the rest of it must be one, too. */
static bool read_pes(const char *text, int me, bool *listed)
{
    uint64_t pe;

    *listed = false;
    for (;; text++) {
        if (!read_number(&text, &pe) || pe > INT_MAX)
            return false;
        *listed |= (int)pe == me;
        if (*text != ',')
            return *text == '\0';
    }
}

static bool read_all(const char *text, struct said *s)
{
    bool listed;

    *s = (struct said){.limit = UINT64_MAX, .kinds = (1u << CORE_ADVERSARY_KINDS) - 1};
    if (!read_number(&text, &s->seed))
        return false;
    if (*text == ':' && (text++, !read_kinds(&text, &s->kinds)))
        return false;
    if (*text == ':' && *++text != ':' && !read_number(&text, &s->limit))
        return false;
    if (*text == ':')
        s->pes = text + 1;
    return s->pes ? read_pes(s->pes, 0, &listed) : *text == '\0';
}

/* ---------------------------------------------------------------- generator -- */

/* SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): any state will do, neighbouring seeds too. */
static uint64_t next(void)
{
    uint64_t z = own->random += 0x9e3779b97f4a7c15ull;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}

static uint64_t below(uint64_t n)
{
    return (uint64_t)(((unsigned __int128)next() * n) >> 64);
}

unsigned core_adversary_choose(unsigned n)
{
    uint64_t one;

    pthread_mutex_lock(&own->lock);
    one = below(n);
    pthread_mutex_unlock(&own->lock);
    return (unsigned)one;
}

bool core_adversary_always(enum core_adversary_kind kind)
{
    return core_adversary_on() && own->always >> kind & 1;
}

static bool does(enum core_adversary_kind kind)
{
    /* Drawn in any case: what else the seed decides does not depend on the kinds that are on. */
    bool taken = (uint32_t)next() <= own->rate[kind];

    if (!taken || !(own->kinds >> kind & 1) || own->left == 0)
        return false;
    own->left--;
    return true;
}

bool core_adversary_does_slow(enum core_adversary_kind kind)
{
    bool yes;

    pthread_mutex_lock(&own->lock);
    yes = does(kind);
    pthread_mutex_unlock(&own->lock);
    return yes;
}

static void draw_rates(void)
{
    static const uint32_t rates[] = {UINT32_MAX / 300, UINT32_MAX / 40, UINT32_MAX / 8, UINT32_MAX / 3, UINT32_MAX / 2};
    static const uint32_t often[] = {UINT32_MAX / 8, UINT32_MAX / 2, UINT32_MAX};
    static const uint64_t pauses[] = {100000, 1000000, 5000000, 20000000};

    for (unsigned k = 0; k < CORE_ADVERSARY_KINDS; k++)
        own->rate[k] = k == CORE_ADVERSARY_LATE || k == CORE_ADVERSARY_LOCAL ? often[below(3)] : rates[below(5)];
    own->pause_ns = pauses[below(4)];
    own->hold_ns = pauses[below(3)];
    own->always = (unsigned)next() & own->kinds;
}

int core_adversary_start(const char *text, int me)
{
    struct said s;
    bool listed = true;

    if (!read_all(text, &s)) {
        core_error(
            "MPT_ADVERSARY=\"%.80s\": expected SEED, SEED:KINDS, SEED:KINDS:LIMIT or SEED:KINDS:LIMIT:PES, as in "
            "7:delay,late:100:0,2 (docs/check.md)",
            text);
        return -EINVAL;
    }
    if (s.pes)
        read_pes(s.pes, me, &listed);
    own->random = s.seed * 0xd6e8feb86659fd93ull + (uint64_t)me;
    next();
    own->kinds = s.kinds;
    own->counts = core_task_on();
    own->left = listed ? s.limit : 0;
    draw_rates();
    if (own->left == 0)
        own->always = 0;
    core_task_shuffle(s.seed * 0x9e3779b97f4a7c15ull);
    own->began = core_clock_ns();
    own->on = true;
    return 0;
}

/* ------------------------------------------------------------------- pauses -- */

/* In turns, each of some length, and only now and then. */
bool core_adversary_holds_slow(void)
{
    enum {
        TASK_LOOKS = 3,
        MANY = 64
    }; /* after each MANY they are shorter: programs with many messages have an end, too */
    uint64_t t;
    bool holds;

    pthread_mutex_lock(&own->lock);
    t = own->counts ? ++own->looks : core_clock_ns();
    if (t >= own->holds_until) {
        own->holds = !own->holds && does(CORE_ADVERSARY_LATE);
        own->holds_until = t + 1 + below(own->counts ? TASK_LOOKS : own->hold_ns / (1 + own->turns++ / MANY));
    }
    holds = own->holds;
    pthread_mutex_unlock(&own->lock);
    return holds;
}

/* 0: none. Long ones are rare: a pause of any order of magnitude up to the longest is as likely. */
static uint64_t draw_pause(void)
{
    const uint64_t share = SHARE * (uint64_t)(mpt_fast.npes > 0 ? mpt_fast.npes : 1); /* PEs wait for each other */
    uint64_t ns = 0, most;

    pthread_mutex_lock(&own->lock);
    most = own->pause_ns >> below(8);
    if (does(CORE_ADVERSARY_DELAY))
        ns = below(most) + 1;
    if (ns && own->paused + ns > FREE_MS * (uint64_t)CORE_CLOCK_MS + (core_clock_ns() - own->began) / share)
        ns = 1; /* enough of that: only a yield */
    own->paused += ns > 1 ? ns + WAKE_NS : ns; /* a sleep ends late */
    pthread_mutex_unlock(&own->lock);
    return ns;
}

void core_adversary_pause(void)
{
    const uint64_t ns = draw_pause();
    const struct timespec t = {.tv_nsec = (long)ns};

    if (ns == 0)
        return;
    if (core_task_on())
        core_task_give_way(); /* its process has other PEs to run; time says nothing to them */
    else if (ns == 1)
        sched_yield();
    else
        nanosleep(&t, NULL);
}
