/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The handler of a reply replies.
 * check: handler
 */
#include <am.h>

static int ends;

static void end(vnn_t src)
{
    (void)src;
    ends++;
}

static void answer(vnn_t src)
{
#ifdef WRONG
    am_reply_0(src, end); /* found */
#else
    end(src);
#endif
}

static void question(vnn_t src)
{
    am_reply_0(src, answer);
}

int main(void)
{
    am_enable();
    am_request_0((am_my_proc() + 1) % am_procs(), question);
    gam_wait(&ends, 1);
    am_disable();
    return 0;
}
