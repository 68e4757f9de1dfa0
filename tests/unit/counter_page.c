/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The count of an event by the page that the system maps for it (core/trace/counters.h), of pages made by hand: there
 * are no such counters on most machines that run tests.
 */
#include <linux/perf_event.h>
#include <stdio.h>

#include "core/trace/counters.h"

static struct perf_event_mmap_page page;
static uint64_t raw;
static uint32_t asked = 99;
static int moves; /* so often the system changes the page while it is read */

static uint64_t counter(uint32_t i)
{
    asked = i;
    if (moves-- > 0) {
        page.lock++;
        page.offset += 1000;
    }
    return raw;
}

static int expect(const char *what, uint64_t found, uint64_t wanted)
{
    if (found == wanted)
        return 0;
    fprintf(stderr, "%s: %llu, not %llu\n", what, (unsigned long long)found, (unsigned long long)wanted);
    return 1;
}

int main(void)
{
    int wrong = 0;

    page.pmc_width = 48;
    page.offset = 1234;
    wrong += expect("not counting now", core_trace_counter_of(&page, counter), 1234);
    wrong += expect("no counter is read then", asked, 99);
    page.index = 3;
    raw = 66;
    wrong += expect("counting", core_trace_counter_of(&page, counter), 1300);
    wrong += expect("the counter", asked, 2);
    raw = (1ull << 48) - 34; /* below zero: it began so that it tells of its overflow */
    wrong += expect("a counter below zero", core_trace_counter_of(&page, counter), 1200);
    raw = 66;
    moves = 2;
    wrong += expect("a page that changes", core_trace_counter_of(&page, counter), 3300);
    page.pmc_width = 64;
    raw = 1;
    wrong += expect("a wide counter", core_trace_counter_of(&page, counter), 3235);
    return wrong != 0;
}
