/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How far apart two PEs run, by hwloc. The library is loaded when somebody asks
 * for the first time: looking at the whole machine takes milliseconds, which no
 * start of a program should pay, and a machine without it works, too.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>

#include "core/internal.h"
#include "core/topo/topology.h"

#if __has_include(<hwloc.h>)
#include <hwloc.h>

enum { SAME_CORE, SHARED_CACHE, SAME_NODE, FURTHER, UNKNOWN = -1 };

#define HWLOC_NAMES(X)             \
    X(topology_init)               \
    X(topology_load)               \
    X(topology_get_allowed_cpuset) \
    X(get_type_depth)              \
    X(get_depth_type)              \
    X(get_obj_by_depth)            \
    X(get_nbobjs_by_depth)         \
    X(obj_type_is_cache)           \
    X(bitmap_alloc)                \
    X(bitmap_free) X(bitmap_set) X(bitmap_isequal) X(bitmap_isincluded) X(bitmap_weight) X(bitmap_iszero)

static struct {
    hwloc_topology_t topology;
#define X(name) __typeof__(hwloc_##name) *name;
    HWLOC_NAMES(X)
#undef X
} hw;

static void load(void)
{
    static const struct {
        const char *name;
        void *slot;
    } names[] = {
#define X(name) {"hwloc_" #name, &hw.name},
        HWLOC_NAMES(X)
#undef X
    };
    void *library;
    hwloc_topology_t t;

    if (core_param_distrusts()) { /* it reads variables by itself, and loads what they name */
        core_debug("distances between PEs are unknown: this program has more rights than who started it");
        return;
    }
    library = dlopen("libhwloc.so.15", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        core_debug("distances between PEs are unknown: %s", dlerror());
        return;
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        void *symbol = dlsym(library, names[i].name);

        if (!symbol) {
            core_debug("distances between PEs are unknown: libhwloc has no %s", names[i].name);
            return;
        }
        *(void **)names[i].slot = symbol;
    }
    if (hw.topology_init(&t) == 0 && hw.topology_load(t) == 0)
        hw.topology = t;
    else
        core_debug("distances between PEs are unknown: hwloc cannot read this machine");
}

/* The CPUs a PE of this node is bound to; NULL when it may run anywhere. */
static hwloc_bitmap_t bound_to(int pe)
{
    size_t size;
    cpu_set_t *mask = core_topology_mask(core_ctrl_of(core_slice_of(pe))->pid, &size);
    hwloc_bitmap_t set = mask ? hw.bitmap_alloc() : NULL;

    for (unsigned cpu = 0; set && cpu < size * 8; cpu++)
        if (CPU_ISSET_S(cpu, size, mask))
            hw.bitmap_set(set, cpu);
    CPU_FREE(mask);
    if (set && hw.bitmap_weight(set) > 1 && hw.bitmap_isequal(set, hw.topology_get_allowed_cpuset(hw.topology))) {
        hw.bitmap_free(set);
        return NULL;
    }
    return set;
}

/* Does one object of this depth hold both sets? */
static bool one_holds(int depth, hwloc_const_bitmap_t a, hwloc_const_bitmap_t b)
{
    int n = hw.get_nbobjs_by_depth(hw.topology, depth);

    for (int i = 0; i < n; i++) {
        hwloc_obj_t o = hw.get_obj_by_depth(hw.topology, depth, (unsigned)i);

        if (hw.bitmap_isincluded(a, o->cpuset) && hw.bitmap_isincluded(b, o->cpuset))
            return true;
    }
    return false;
}

static int distance(hwloc_const_bitmap_t a, hwloc_const_bitmap_t b)
{
    int core = hw.get_type_depth(hw.topology, HWLOC_OBJ_CORE);

    if (core >= 0 && one_holds(core, a, b))
        return SAME_CORE;
    for (int depth = 0; core >= 0 && depth < core; depth++)
        if (hw.obj_type_is_cache(hw.get_depth_type(hw.topology, depth)) && one_holds(depth, a, b))
            return SHARED_CACHE;
    return one_holds(HWLOC_TYPE_DEPTH_NUMANODE, a, b) ? SAME_NODE : FURTHER;
}

int core_topology_distance(int pe_a, int pe_b)
{
    hwloc_bitmap_t a, b;
    int d = UNKNOWN;

    if (!core_on_node(pe_a) || !core_on_node(pe_b))
        return UNKNOWN;
    if (pe_a == pe_b)
        return SAME_CORE;
    pthread_once(&core_state.topo.distances_known, load);
    if (!hw.topology)
        return UNKNOWN;
    a = bound_to(pe_a);
    b = bound_to(pe_b);
    if (a && b && !hw.bitmap_iszero(a) && !hw.bitmap_iszero(b))
        d = distance(a, b);
    if (a)
        hw.bitmap_free(a);
    if (b)
        hw.bitmap_free(b);
    return d;
}

#else

int core_topology_distance(int pe_a, int pe_b)
{
    return core_on_node(pe_a) && pe_a == pe_b ? 0 : -1;
}

#endif
