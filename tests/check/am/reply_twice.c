/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A handler replies twice.
 * check: handler
 */
#include <am.h>

static int answers;

static void answer(vnn_t src, am_word value)
{
    (void)src, (void)value;
    answers++;
}

static void question(vnn_t src, am_word value)
{
    am_reply_1(src, answer, value + 1);
#ifdef WRONG
    am_reply_1(src, answer, value + 2); /* found */
#endif
}

int main(void)
{
    am_enable();
    am_request_1((am_my_proc() + 1) % am_procs(), question, 1);
    gam_wait(&answers, 1);
    am_disable();
    return 0;
}
