/* SPDX-License-Identifier: BSD-3-Clause
 *
 * With --check, what no error code tells of: accesses under way where all must be complete, views that differ where the
 * shared file pointer needs one, processes that open different files.
 */
#include <string.h>
#include <sys/stat.h>

#include "core/base/hash.h"
#include "core/check/finding.h"
#include "mpi/check/watch.h"
#include "mpi/io/io.h"

static const char *name_of(const char *call)
{
    return strncmp(call, "mpii_", 5) == 0 ? call + 5 : call + 4;
}

/* A file has a communicator for itself: requests of that are accesses to it. */
void mpii_io_check_completed(const struct mpii_file *f, const char *call)
{
    const struct mpii_request *r = MPT_LIKELY(!core_params.check) ? NULL : mpii_request_next(NULL);
    const struct mpii_watch *w;
    struct core_finding found;

    while (r && (r->object.kind != MPII_REQUEST || r->comm != f->comm || r->internal || !r->active || r->told))
        r = mpii_request_next(r);
    if (!r)
        return;
    core_finding_begin(&found, CORE_FINDING_CALL_STATE, "MPI-5.0, 14.2 to 14.6",
                       "MPI_%s: an access to \"%s\" has not been completed", name_of(call), f->name);
    core_finding_at(&found, core_me(), core_site(), "MPI_%s", name_of(call));
    w = mpii_watch_of(r);
    if (w)
        core_finding_at(&found, core_me(), w->site, "the access");
    core_finding_advise(&found, "complete it first (MPI_Wait)");
    core_finding_end(&found);
}

/* ------------------------------------------------------------------- views -- */

/* Where the first bytes of the stream lie: views that differ there are not the same. */
static int64_t hash_of(const struct mpii_io_view *v)
{
    enum { ETYPES = 64 };
    uint64_t h = core_hash_word(CORE_HASH_BEGIN, (uint64_t)v->disp);

    for (int i = 0; i < ETYPES && v->layout->size > 0; i++)
        h = core_hash_word(h, (uint64_t)mpii_io_view_locate(v, i * v->etype_size));
    return (int64_t)h;
}

void mpii_io_compare_views(struct mpii_file *f)
{
    if (MPT_LIKELY(!core_params.check))
        return;
    f->views_differ = !mpii_io_same(f->comm, &(int64_t){hash_of(&f->view)}, 1);
    f->view_site = core_site();
}

void mpii_io_check_views(const struct mpii_file *f, const char *call)
{
    struct core_finding found;

    if (MPT_LIKELY(!f->views_differ))
        return;
    core_finding_begin(&found, CORE_FINDING_COLLECTIVE, "MPI-5.0, 14.4.4",
                       "MPI_%s: it uses the shared file pointer, but not all processes have the same view of \"%s\"",
                       name_of(call), f->name);
    core_finding_at(&found, core_me(), core_site(), "MPI_%s", name_of(call));
    core_finding_at(&found, core_me(), f->view_site, "MPI_File_set_view");
    core_finding_advise(&found, "give all processes the same view, or let each use its own file pointer");
    core_finding_end(&found);
}

/* ------------------------------------------------------------------- opens -- */

int mpii_io_check_one_file(const struct mpii_file *f, const char *call)
{
    struct mpii_same one = {"#files opened", 0, true};
    struct stat st;

    if (MPT_LIKELY(!core_params.check) || core_has_network() || fstat(f->fd, &st) != 0)
        return MPI_SUCCESS;
    one.value = (int64_t)core_hash_word(core_hash_word(CORE_HASH_BEGIN, (uint64_t)st.st_dev), (uint64_t)st.st_ino);
    return mpii_check_together(f->comm, call, 1, &one);
}
