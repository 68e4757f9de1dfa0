/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a rank may write is little until it makes objects: systems that promise no more memory than they have count all
 * of it (vm.overcommit_memory=2). And room for objects grows as they come.
 */
#include "mcheck.h"

enum { MANY = 60000, MOST_MIB = 1024 };

/* MiB of private memory that this process may write. */
static unsigned long writable(void)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    unsigned long from, to, sum = 0;
    char line[512], way[8];

    EXPECT(maps != NULL, "no /proc/self/maps");
    while (fgets(line, sizeof line, maps))
        if (sscanf(line, "%lx-%lx %7s", &from, &to, way) == 3 && way[1] == 'w' && way[3] == 'p')
            sum += to - from;
    fclose(maps);
    return sum >> 20;
}

static MPI_Info infos[MANY];

static void make_many(void)
{
    char key[16], value[16];
    int n = sizeof value, flag;

    for (int i = 0; i < MANY; i++) {
        OK(MPI_Info_create(&infos[i]));
        if (i % 1000 == 0) {
            snprintf(key, sizeof key, "key%d", i);
            OK(MPI_Info_set(infos[i], key, key));
        }
    }
    for (int i = 0; i < MANY; i += 1000) {
        snprintf(key, sizeof key, "key%d", i);
        n = sizeof value;
        OK(MPI_Info_get_string(infos[i], key, &n, value, &flag));
        CHECK(flag && strcmp(value, key) == 0, "object %d", i);
    }
    for (int i = 0; i < MANY; i++)
        OK(MPI_Info_free(&infos[i]));
}

int main(void)
{
    unsigned long mib;

    mc_start();
    mib = writable();
    CHECK(mib < MOST_MIB, "%lu MiB", mib);
    make_many();
    return mc_finish();
}
