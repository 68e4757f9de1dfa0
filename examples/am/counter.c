/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A counter that lives at PE 0. A request runs the handler `draw` there, which takes the next number and sends it back
 * by a reply; every PE draws until the numbers are used up. Handlers run one after another on PE 0's own thread, so
 * the counter needs no lock.
 *
 *   cc -O2 counter.c $(pkg-config --cflags --libs am) -o counter && mptrun -n 4 ./counter
 */
#include <am.h>
#include <stdio.h>

enum { NUMBERS = 10000 };

static long next;                 /* PE 0: the number that the next request gets */
static volatile long drawn;       /* the number that has come, -1 while none has */
static long people, count, total; /* PE 0: PEs that are done, numbers they drew, and their sum */

static void take(vnn_t src, am_word number)
{
    (void)src;
    drawn = number;
}

static void draw(vnn_t src)
{
    am_reply_1(src, take, next++);
}

static void report(vnn_t src, am_word how_many, am_word sum)
{
    (void)src;
    people++;
    count += how_many;
    total += sum;
}

int main(void)
{
    long how_many = 0, sum = 0;
    int wrong = 0;

    am_enable();
    for (;;) {
        drawn = -1;
        am_request_0(0, draw);
        am_wait_for(drawn >= 0);
        if (drawn >= NUMBERS)
            break;
        how_many++;
        sum += drawn;
    }
    am_request_2(0, report, how_many, sum);
    am_quiet();
    gam_barrier();

    if (am_my_proc() == 0) {
        printf("%ld PEs drew %ld numbers, their sum is %ld\n", people, count, total);
        wrong = people != am_procs() || count != NUMBERS || total != (long)NUMBERS * (NUMBERS - 1) / 2;
    }
    am_disable();
    return wrong;
}
