// SPDX-License-Identifier: BSD-3-Clause
// $ cc -g ask.c $(pkg-config --cflags --libs am) -o framed
// $ mptrun --check -n 2 ./framed
// status 86
#include <am.h>

static volatile int answers;

static void answer(vnn_t src, am_word value)
{
    (void)src;
    (void)value;
    answers++;
}

// LISTING

int main(void)
{
    am_enable();
    am_request_1((AM_MY_PROC + 1) % AM_PROCS, question, 1);
    am_wait_for(answers > 0);
    am_disable();
    return 0;
}
