/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hints of files (14.2.8): the reserved names and those of ROMIO that programs
 * give. MPI_File_get_info tells all that are in use, with the values in force.
 */
#include <stdlib.h>
#include <string.h>

#include "mpi/io/io.h"

enum value { SIZE, SWITCH, OCTAL };

static const struct hint {
    const char *key;
    enum value value;
    bool creation; /* cannot change later */
    size_t at;
} hints[] = {
#define AT(member_) offsetof(struct mpii_io_hints, member_)
    {"cb_nodes", SIZE, true, AT(cb_nodes)},           {"cb_buffer_size", SIZE, true, AT(cb_buffer_size)},
    {"romio_cb_read", SWITCH, true, AT(cb_read)},     {"romio_cb_write", SWITCH, true, AT(cb_write)},
    {"romio_ds_read", SWITCH, false, AT(sieve_read)}, {"ind_rd_buffer_size", SIZE, false, AT(sieve_size)},
    {"file_perm", OCTAL, true, AT(permissions)},
#undef AT
};
enum { HINTS = sizeof hints / sizeof *hints };

static const char *const switches[] = {[IO_AUTOMATIC] = "automatic", [IO_ENABLE] = "enable", [IO_DISABLE] = "disable"};

static int nodes(const struct mpii_comm *c)
{
    int n = 0;

    for (int i = 0; i < c->size; i++) /* each node by its lowest PE, or whoever comes first */
        n += c->procs[i] >= core_size() || core_node_of(c->procs[i]) == c->procs[i];
    return n;
}

void mpii_io_hints_default(struct mpii_io_hints *h, const struct mpii_comm *c)
{
    int n = (int)core_topology_cores();

    if (nodes(c) > n)
        n = nodes(c);
    *h = (struct mpii_io_hints){
        .cb_nodes = n < c->size ? n : c->size, .cb_buffer_size = 4 << 20, .sieve_size = 4 << 20, .permissions = -1};
}

static bool parse(const struct hint *h, const char *text, int64_t *value)
{
    char *end;
    long long n;

    if (h->value == SWITCH) {
        for (int i = 0; i < (int)(sizeof switches / sizeof *switches); i++)
            if (strcmp(text, switches[i]) == 0) {
                *value = i;
                return true;
            }
        return false;
    }
    n = strtoll(text, &end, h->value == OCTAL ? 8 : 10);
    if (end == text || *end || n < (h->value == SIZE) || n > (h->value == OCTAL ? 07777 : 1ll << 40))
        return false;
    *value = n;
    return true;
}

void mpii_io_hints_take(struct mpii_io_hints *h, MPI_Info info, bool creation)
{
    const char *collective = mpii_info_get(info, "collective_buffering");

    if (creation && collective && (strcmp(collective, "true") == 0 || strcmp(collective, "false") == 0))
        h->cb_read = h->cb_write = *collective == 't' ? IO_ENABLE : IO_DISABLE;
    for (int i = 0; i < HINTS; i++) {
        const char *text = mpii_info_get(info, hints[i].key);
        int64_t value;

        if (text && (creation || !hints[i].creation) && parse(&hints[i], text, &value))
            *(int64_t *)(void *)((char *)h + hints[i].at) = value;
    }
}

static int tell(struct mpii_info *info, const struct hint *h, int64_t value)
{
    char text[32];

    if (h->value == SWITCH)
        return mpii_info_put(info, h->key, switches[value]);
    if (value < 0)
        return MPI_SUCCESS;
    snprintf(text, sizeof text, h->value == OCTAL ? "%llo" : "%lld", (unsigned long long)value);
    return mpii_info_put(info, h->key, text);
}

int mpii_File_get_info(MPI_File fh, MPI_Info *info_used)
{
    struct mpii_file *f;
    struct mpii_info *info;
    int err = MPI_SUCCESS;

    MPII_TRY(mpii_io_check_asked(fh, &f, info_used, "info_used", __func__));
    info = mpii_info_copy(NULL);
    if (!info)
        err = MPI_ERR_NO_MEM;
    for (int i = 0; i < HINTS && err == MPI_SUCCESS; i++)
        err = tell(info, &hints[i], *(int64_t *)(void *)((char *)&f->hints + hints[i].at));
    if (err == MPI_SUCCESS)
        err = mpii_info_put(info, "collective_buffering", f->hints.cb_write == IO_DISABLE ? "false" : "true");
    if (err != MPI_SUCCESS) {
        mpii_info_release(info);
        info = NULL;
    }
    return mpii_info_give(f, info, info_used, __func__);
}

int mpii_File_set_info(MPI_File fh, MPI_Info info)
{
    struct mpii_file *f;
    int err;

    MPII_TRY(mpii_io_check_file(fh, &f, __func__));
    err = mpii_check_info(f, info, __func__);
    MPII_TRY(mpii_io_agree(f, f->comm, err, __func__));
    mpii_io_hints_take(&f->hints, info, false);
    return MPI_SUCCESS;
}
