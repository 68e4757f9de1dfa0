/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Performance variables (15.3.7) as a table: counters of what happened, which a
 * handle counts while it is started, and levels, which are simply read.
 */
#include "mpi/tool/tool_pvar.h"

#include <string.h>

/* Objects of a kind that exist, and the most there were. */
static uint64_t in_use(const void *arg)
{
    enum mpii_kind kind = (enum mpii_kind)(uintptr_t)arg;
    const struct mpii_pool *pool = &mpii_state.rt.pools[kind];
    uint64_t n = 0;

    for (size_t at = 0; at < pool->used; at += pool->slot)
        n += ((const struct mpii_object *)(pool->base + at))->kind == kind;
    return n;
}

static uint64_t most_in_use(const void *arg)
{
    const struct mpii_pool *pool = &mpii_state.rt.pools[(uintptr_t)arg];

    return pool->used ? pool->used / pool->slot : 0;
}

static uint64_t counted(const void *arg)
{
    return *(const uint64_t *)arg;
}

static uint64_t heap_used(const void *arg)
{
    size_t used = 0, largest, total;

    (void)arg;
    if (core_job_running())
        core_heap_stat(&used, &largest, &total);
    return used;
}

#define COUNT(name_, help_, field_) \
    {name_, help_, MPI_T_PVAR_CLASS_COUNTER, TOOL_TRAFFIC, counted, &mpii_state.counters.field_}
#define BYTES(name_, help_, field_) \
    {name_, help_, MPI_T_PVAR_CLASS_AGGREGATE, TOOL_TRAFFIC, counted, &mpii_state.counters.field_}
#define LEVEL(name_, KIND_)                                                                                            \
    {name_ "_in_use", "Objects of this kind that exist", MPI_T_PVAR_CLASS_LEVEL, TOOL_OBJECTS, in_use, (void *)KIND_}, \
    {                                                                                                                  \
        name_ "_most_in_use", "The most objects of this kind that existed at one time",                                \
            MPI_T_PVAR_CLASS_HIGHWATERMARK, TOOL_OBJECTS, most_in_use, (void *)KIND_                                   \
    }

const struct mpii_pvar mpii_pvars[] = {
    COUNT("sends", "Messages sent, those of collectives too", sends),
    BYTES("send_bytes", "Bytes of data in messages sent", send_bytes),
    COUNT("receives", "Messages received, those of collectives too", receives),
    BYTES("receive_bytes", "Bytes of data in messages received", receive_bytes),
    COUNT("unexpected", "Messages that arrived before their receive was posted", unexpected),
    COUNT("far_messages", "Messages whose data was fetched from the sender's memory", rndv),
    COUNT("waits", "Waits for requests that were not complete", waits),
    COUNT("collectives", "Collective operations made; persistent ones count once", collectives),
    COUNT("accesses", "One-sided operations started", accesses),
    BYTES("access_bytes", "Bytes moved by one-sided operations", access_bytes),
    COUNT("errors", "Errors raised", errors),
    LEVEL("communicators", MPII_COMM),
    LEVEL("groups", MPII_GROUP),
    LEVEL("datatypes", MPII_TYPE),
    LEVEL("operations", MPII_OP),
    LEVEL("requests", MPII_REQUEST),
    LEVEL("windows", MPII_WIN),
    LEVEL("files", MPII_FILE),
    LEVEL("sessions", MPII_SESSION),
    LEVEL("infos", MPII_INFO),
    LEVEL("errhandlers", MPII_ERRHANDLER),
    {"symmetric_heap_bytes", "Bytes of the symmetric heap in use", MPI_T_PVAR_CLASS_LEVEL, TOOL_MEMORY, heap_used,
     NULL},
};
const int mpii_npvars = sizeof mpii_pvars / sizeof *mpii_pvars;

int mpii_tool_pvars(void)
{
    return mpii_npvars;
}

enum mpii_tool_category mpii_tool_pvar_category(int index)
{
    return mpii_pvars[index].category;
}

int mpii_T_pvar_get_num(int *num_pvar)
{
    return mpii_tool_tell(num_pvar, mpii_npvars);
}

int mpii_T_pvar_get_info(int pvar_index, char *name, int *name_len, int *verbosity, int *var_class,
                         MPI_Datatype *datatype, MPI_T_enum *enumtype, char *desc, int *desc_len, int *bind,
                         int *readonly, int *continuous, int *atomic)
{
    const struct mpii_pvar *v = &mpii_pvars[pvar_index >= 0 && pvar_index < mpii_npvars ? pvar_index : 0];

    TOOL_READY();
    if (pvar_index < 0 || pvar_index >= mpii_npvars)
        return MPI_T_ERR_INVALID_INDEX;
    mpii_tool_text(v->name, name, name_len);
    mpii_tool_text(v->help, desc, desc_len);
    TOOL_OUT(verbosity, MPI_T_VERBOSITY_USER_BASIC);
    TOOL_OUT(var_class, v->class);
    TOOL_OUT(datatype, MPI_UNSIGNED_LONG_LONG);
    TOOL_OUT(enumtype, MPI_T_ENUM_NULL);
    TOOL_OUT(bind, MPI_T_BIND_NO_OBJECT);
    TOOL_OUT(readonly, !mpii_pvar_counts(v));
    TOOL_OUT(continuous, !mpii_pvar_counts(v));
    TOOL_OUT(atomic, mpii_pvar_counts(v));
    return MPI_SUCCESS;
}

int mpii_T_pvar_get_index(const char *name, int var_class, int *pvar_index)
{
    TOOL_READY();
    if (!name || !pvar_index)
        return MPI_T_ERR_INVALID;
    for (int i = 0; i < mpii_npvars; i++)
        if (mpii_pvars[i].class == var_class && strcmp(mpii_pvars[i].name, name) == 0) {
            *pvar_index = i;
            return MPI_SUCCESS;
        }
    return MPI_T_ERR_INVALID_NAME;
}
