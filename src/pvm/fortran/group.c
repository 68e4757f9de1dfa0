/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Fortran: groups, a file of their own because they need libgpvm3. A blank name
 * is the null group, everybody; so is PVMALL, the CHARACTER*8 variable of COMMON
 * block /PVMALL/ of the T3D and T3E, which is therefore set to blanks.
 */
#include "fortran.h"

_Alignas(32) char pvmall_[8] = "        ";

/* The names of groups that calls pass on; a blank one is "". */
#define NAMED(call_)         \
    struct pvmf_text t;      \
    pvmf_text(&t, group, n); \
    call_;                   \
    pvmf_done(&t)

void pvmfjoingroup_(const char *group, int *instance, size_t n)
{
    NAMED(*instance = pvm_joingroup(t.s));
}
void pvmflvgroup_(const char *group, int *info, size_t n)
{
    NAMED(*info = pvm_lvgroup(t.s));
}
void pvmfgsize_(const char *group, int *size, size_t n)
{
    NAMED(*size = pvm_gsize(t.s));
}
void pvmfgettid_(const char *group, const int *instance, int *tid, size_t n)
{
    NAMED(*tid = pvm_gettid(t.s, *instance));
}
void pvmfgetinst_(const char *group, const int *tid, int *instance, size_t n)
{
    NAMED(*instance = pvm_getinst(t.s, *tid));
}
void pvmfbarrier_(const char *group, const int *count, int *info, size_t n)
{
    NAMED(*info = pvm_barrier(t.s, *count));
}
void pvmfbcast_(const char *group, const int *tag, int *info, size_t n)
{
    NAMED(*info = pvm_bcast(t.s, *tag));
}
void pvmffreezegroup_(const char *group, const int *size, int *info, size_t n)
{
    NAMED(*info = pvm_freezegroup(t.s, *size));
}

typedef void operation(int *type, void *x, void *y, int *count, int *info);

void pvmfreduce_(operation *op, void *data, const int *count, const int *type, const int *tag, const char *group,
                 const int *root, int *info, size_t n)
{
    NAMED(*info = pvm_reduce(op, data, *count, *type, *tag, t.s, *root));
}

void pvmfgather_(void *result, void *data, const int *count, const int *type, const int *tag, const char *group,
                 const int *root, int *info, size_t n)
{
    NAMED(*info = pvm_gather(result, data, *count, *type, *tag, t.s, *root));
}

void pvmfscatter_(void *result, void *data, const int *count, const int *type, const int *tag, const char *group,
                  const int *root, int *info, size_t n)
{
    NAMED(*info = pvm_scatter(result, data, *count, *type, *tag, t.s, *root));
}

void pvmmax_(int *type, void *x, void *y, int *count, int *info)
{
    PvmMax(type, x, y, count, info);
}
void pvmmin_(int *type, void *x, void *y, int *count, int *info)
{
    PvmMin(type, x, y, count, info);
}
void pvmsum_(int *type, void *x, void *y, int *count, int *info)
{
    PvmSum(type, x, y, count, info);
}
void pvmproduct_(int *type, void *x, void *y, int *count, int *info)
{
    PvmProduct(type, x, y, count, info);
}
