/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A child that a PE forks is no PE: what it writes to global variables is its
 * own, it sees them as they were, and its exit does not touch the job.
 */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

enum { PAGES = 64, PAGE = 4096 };
static long initialised = 7, counter;
static char sparse[PAGES * PAGE]; /* the child touches pages that the parent never did */

static int in_child(void)
{
    if (initialised != 7 || counter != 100 + check_me || sparse[5 * PAGE] != 'p')
        return 2; /* not what the parent had */
    initialised = counter = -1;
    for (int i = 0; i < PAGES; i++)
        sparse[i * PAGE] = 'c';
    return initialised == -1 && counter == -1 && sparse[9 * PAGE] == 'c' ? 0 : 3;
}

static void fork_one(int next)
{
    int status = -1;
    pid_t pid = fork();
    if (pid == 0)
        exit(in_child()); /* with the exit handlers */
    REQUIRE(pid > 0 && waitpid(pid, &status, 0) == pid, "PE %d: no child", check_me);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0, "the child ended with wait status %d", status);

    CHECK(initialised == 7, ".data is %ld, as the child wrote", initialised);
    CHECK(counter == 100 + check_me, ".bss is %ld", counter);
    for (int i = 0; i < PAGES; i++)
        CHECK(sparse[i * PAGE] == (i == 5 ? 'p' : 0), "page %d has %d", i, sparse[i * PAGE]);
    shmem_barrier_all();
    CHECK(shmem_long_g(&counter, next) == 100 + next, "PE %d's counter is %ld", next, shmem_long_g(&counter, next));
    shmem_barrier_all();
}

int main(void)
{
    check_start();
    int next = (check_me + 1) % check_npes;
    shmem_long_p(&counter, 100 + next, next);
    sparse[5 * PAGE] = 'p';
    shmem_barrier_all();
    fork_one(next);
    for (int fd = 3; fd < 1024 && !check_network(); fd++) /* as daemons do, and careless programs */
        close(fd);
    fork_one(next);
    return check_finish();
}
