/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a user may ask of where processes run and of their number; see asked.h.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "core/job/asked.h"

bool core_asked_host(const char *name)
{
    static const char *const here[] = {"localhost", "127.0.0.1", "::1"};
    char own[256] = "";
    size_t n;

    for (size_t i = 0; i < sizeof here / sizeof *here; i++)
        if (strcasecmp(name, here[i]) == 0)
            return true;
    if (gethostname(own, sizeof own - 1) != 0)
        return false;
    n = strcspn(own, ".");
    return strcasecmp(name, own) == 0 || (n > 0 && strncasecmp(name, own, n) == 0 && name[n] == '\0');
}

const char *core_asked_arch(char *text, size_t n)
{
    struct utsname machine;

    snprintf(text, n, "%s", uname(&machine) == 0 ? machine.machine : "unknown");
    return text;
}

/* One range at *text, which moves behind it; false: it is none. */
static bool read_range(const char **text, long v[3])
{
    int n = 0;
    char *end;

    v[2] = 1;
    do {
        v[n++] = strtol(*text, &end, 10);
        if (end == *text || v[n - 1] > INT_MAX || v[n - 1] < -INT_MAX)
            return false;
        *text = end;
    } while (**text == ':' && n < 3 && (*text)++);
    if (n == 1)
        v[1] = v[0];
    return v[2] != 0;
}

/* The largest of a range from 1 to most, or 0. */
static long largest(const long v[3], long most)
{
    long step = v[2] > 0 ? v[2] : -v[2], low = v[2] > 0 ? v[0] : v[1], high = v[2] > 0 ? v[1] : v[0], best;

    if (v[2] < 0) /* counted from the upper end */
        best = high <= most ? high : high - (high - most + step - 1) / step * step;
    else
        best = low > most ? low : low + ((high < most ? high : most) - low) / step * step;
    return low <= high && best >= low && best <= high && best >= 1 && best <= most ? best : 0;
}

int core_asked_soft(const char *soft, int most)
{
    long best = 0, v[3];

    while (*soft) {
        long found;

        if (!read_range(&soft, v) || (*soft && *soft++ != ','))
            return -1;
        found = largest(v, most);
        best = found > best ? found : best;
    }
    return (int)best;
}
