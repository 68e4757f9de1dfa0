/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Loops over tests (loops.py): argv[1] says which; with "late" in argv[2] what they test for comes after a while.
 */
#include <shmem.h>
#include <string.h>
#include <unistd.h>

static long flag, flags[4], lock;
static size_t indices[4];

static void test(void)
{
    while (!shmem_long_test(&flag, SHMEM_CMP_EQ, 7)) /* test */
        ;
}

static void test_some(void)
{
    while (!shmem_long_test_some(flags, 4, indices, NULL, SHMEM_CMP_GT, 3)) /* test_some */
        ;
}

static void test_lock(void)
{
    while (shmem_test_lock(&lock)) /* test_lock */
        ;
    shmem_clear_lock(&lock);
}

static void first(int late)
{
    shmem_long_p(&flag, 1, 1);
    usleep(700000);
    if (!late)
        return;
    shmem_long_p(&flags[2], 4, 1);
    shmem_quiet();
    shmem_long_p(&flag, 7, 1);
    shmem_clear_lock(&lock);
}

int main(int argc, char **argv)
{
    (void)argc;
    shmem_init();
    if (shmem_my_pe() == 0)
        shmem_set_lock(&lock);
    shmem_barrier_all();
    if (shmem_my_pe() == 0)
        first(strcmp(argv[2], "late") == 0);
    else if (shmem_my_pe() == 1)
        strcmp(argv[1], "test") == 0 ? test() : strcmp(argv[1], "test_some") == 0 ? test_some() : test_lock();
    shmem_barrier_all(); /* others */
    shmem_finalize();
    return 0;
}
