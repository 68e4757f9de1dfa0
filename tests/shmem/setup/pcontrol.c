/* SPDX-License-Identifier: BSD-3-Clause */
/* shmem_pcontrol: every level, with and without further arguments, changes nothing for a program without a tool. */
#include "check.h"

static long word;

int main(void)
{
    check_start();
    for (int level = -1; level < 5; level++) {
        shmem_pcontrol(level);
        shmem_pcontrol(level, "text", 3.5, &word);
        pshmem_pcontrol(level, level);
        shmem_long_p(&word, level * 100 + check_me, check_next());
        shmem_barrier_all();
        CHECK(word == level * 100 + check_previous(), "at level %d word is %ld, expected %d", level, word,
              level * 100 + check_previous());
        shmem_barrier_all();
    }
    return check_finish();
}
