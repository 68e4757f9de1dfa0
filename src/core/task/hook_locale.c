/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The locale is each PE's. setlocale sets the process's; here it makes a locale of its own for the calling task, whose
 * thread-local variables then name it. Threads that a PE starts begin with its locale.
 */
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "core/task/hooks.h"
#include "core/task/own.h"

static const struct {
    int category;
    const char *name;
} categories[] = {
    {LC_CTYPE, "LC_CTYPE"},
    {LC_NUMERIC, "LC_NUMERIC"},
    {LC_TIME, "LC_TIME"},
    {LC_COLLATE, "LC_COLLATE"},
    {LC_MONETARY, "LC_MONETARY"},
    {LC_MESSAGES, "LC_MESSAGES"},
    {LC_PAPER, "LC_PAPER"},
    {LC_NAME, "LC_NAME"},
    {LC_ADDRESS, "LC_ADDRESS"},
    {LC_TELEPHONE, "LC_TELEPHONE"},
    {LC_MEASUREMENT, "LC_MEASUREMENT"},
    {LC_IDENTIFICATION, "LC_IDENTIFICATION"},
};
enum { CATEGORIES = sizeof categories / sizeof *categories };

static char *name_of(const struct core_task_own *own, int category)
{
    return nl_langinfo_l(NL_LOCALE_NAME(category), own->locale);
}

/* One name if all categories have the same, else each with its own. */
static char *name_of_all(struct core_task_own *own)
{
    char *first = name_of(own, categories[0].category), *to = own->locale_name;
    size_t n = 0;
    unsigned same = 0;

    for (unsigned i = 0; i < CATEGORIES; i++)
        same += strcmp(name_of(own, categories[i].category), first) == 0;
    if (same == CATEGORIES)
        return first;
    for (unsigned i = 0; i < CATEGORIES && n < sizeof own->locale_name; i++)
        n += (size_t)snprintf(to + n, sizeof own->locale_name - n, "%s%s=%s", i ? ";" : "", categories[i].name,
                              name_of(own, categories[i].category));
    return to;
}

static int change(struct core_task_own *own, int category, const char *name)
{
    int mask = category == LC_ALL ? LC_ALL_MASK : 1 << category;
    locale_t base = own->locale ? duplocale(own->locale) : newlocale(LC_ALL_MASK, "C", NULL), new, old = own->locale;

    new = base ? newlocale(mask, name, base) : NULL;
    if (!new) {
        if (base)
            freelocale(base);
        return -1;
    }
    own->locale = new;
    uselocale(new);
    if (old && !own->threads) /* threads may use it still */
        freelocale(old);
    return 0;
}

static char *set_locale(int category, const char *name)
{
    struct core_task_own *own = core_task_here()->own;

    if (category < 0 || category > LC_IDENTIFICATION || (name && change(own, category, name) != 0))
        return NULL;
    if (!own->locale)
        return core_task_real.setlocale(category, NULL);
    return category == LC_ALL ? name_of_all(own) : name_of(own, category);
}

static struct lconv *conventions(void)
{
    struct core_task_own *own = core_task_here()->own;

    own->conventions = *core_task_real.localeconv();
    return &own->conventions;
}

const struct core_task_hook core_task_hooks_locale[] = {
    HOOK("setlocale", set_locale, setlocale),
    HOOK("localeconv", conventions, localeconv),
    {0},
};
