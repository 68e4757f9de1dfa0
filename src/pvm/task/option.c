/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pvm_setopt and pvm_getopt: one table of what each option accepts. Options of
 * tracing are kept for programs that ask for them; there is no tracer.
 */
#include <limits.h>
#include <string.h>

#include "pvm/pvmi.h"

enum { PVM_DATA_MAX = 26 }; /* the T3E's, beyond PVM's own: pvmfgetopt(PVM_DATA_MAX, n) */

/* tid: 0 or a task's; the others by range. sets_too: the option that follows this one. */
struct option {
    const char *name;
    int least, most;
    bool tid, output;
    int sets_too;
};
static const struct option options[PvmNoReset + 1] = {
    [PvmRoute] = {"PvmRoute", PvmDontRoute, PvmRouteDirect},
    [PvmDebugMask] = {"PvmDebugMask", INT_MIN, INT_MAX},
    [PvmAutoErr] = {"PvmAutoErr", 0, 3},
    [PvmOutputTid] = {"PvmOutputTid", 0, INT_MAX, .tid = true, .output = true},
    [PvmOutputCode] = {"PvmOutputCode", 0, INT_MAX, .output = true},
    [PvmTraceTid] = {"PvmTraceTid", 0, INT_MAX, .tid = true},
    [PvmTraceCode] = {"PvmTraceCode", 0, INT_MAX},
    [PvmTraceBuffer] = {"PvmTraceBuffer", 0, INT_MAX},
    [PvmTraceOptions] = {"PvmTraceOptions", PvmTraceFull, PvmTraceCount},
    [PvmFragSize] = {"PvmFragSize", 64, 1 << 20},
    [PvmResvTids] = {"PvmResvTids", INT_MIN, INT_MAX},
    [PvmSelfOutputTid] = {"PvmSelfOutputTid", 0, INT_MAX, .tid = true, .output = true, .sets_too = PvmOutputTid},
    [PvmSelfOutputCode] = {"PvmSelfOutputCode", 0, INT_MAX, .output = true, .sets_too = PvmOutputCode},
    [PvmSelfTraceTid] = {"PvmSelfTraceTid", 0, INT_MAX, .tid = true, .sets_too = PvmTraceTid},
    [PvmSelfTraceCode] = {"PvmSelfTraceCode", 0, INT_MAX, .sets_too = PvmTraceCode},
    [PvmSelfTraceBuffer] = {"PvmSelfTraceBuffer", 0, INT_MAX},
    [PvmSelfTraceOptions] = {"PvmSelfTraceOptions", PvmTraceFull, PvmTraceCount},
    [PvmShowTids] = {"PvmShowTids", INT_MIN, INT_MAX},
    [PvmPollType] = {"PvmPollType", PvmPollConstant, PvmPollSleep},
    [PvmPollTime] = {"PvmPollTime", 0, INT_MAX},
    [PvmOutputContext] = {"PvmOutputContext", 0, INT_MAX, .output = true},
    [PvmTraceContext] = {"PvmTraceContext", 0, INT_MAX},
    [PvmSelfOutputContext] = {"PvmSelfOutputContext", 0, INT_MAX, .output = true, .sets_too = PvmOutputContext},
    [PvmSelfTraceContext] = {"PvmSelfTraceContext", 0, INT_MAX, .sets_too = PvmTraceContext},
    [PvmNoReset] = {"PvmNoReset", INT_MIN, INT_MAX},
};

static const struct option *option_of(int what)
{
    return what > 0 && what <= PvmNoReset && options[what].name ? &options[what] : NULL;
}

static void tell_no_reset(int value)
{
    struct pvmi_task copy, *row;
    size_t at = PVMI_AT(task[pvmi.me]);
    pvmi_lock();
    row = pvmi_look(at, sizeof copy, &copy);
    row->no_reset = value != 0;
    pvmi_put(at, sizeof *row, row);
    pvmi_unlock();
}

static int set(int what, int value)
{
    const struct option *o = option_of(what);
    if (!o)
        return pvmi_fail(PvmBadParam, "%d is no option", what);
    int old = pvmi.opt[what];
    if (o->tid ? value != 0 && pvmi_slot_of(value) < 0 : value < o->least || value > o->most)
        return pvmi_fail(PvmBadParam, "%d is no value of %s", value, o->name);
    pvmi.opt[what] = value;
    if (o->sets_too)
        pvmi.opt[o->sets_too] = value;
    if (o->output)
        pvmi_output_option(what);
    if (what == PvmNoReset)
        tell_no_reset(value);
    if (what == PvmDebugMask)
        pvmi_front_update();
    return old;
}

int pvm_setopt(int what, int value)
{
    int rc = pvmi_begin("pvm_setopt");
    return rc < 0 ? rc : set(what, value);
}

int pvm_getopt(int what)
{
    int rc = pvmi_begin("pvm_getopt");
    if (rc < 0)
        return rc;
    if (what == PVM_DATA_MAX)
        return (int)core_params.pvm_data_max;
    return option_of(what) ? pvmi.opt[what] : pvmi_fail(PvmBadParam, "%d is no option", what);
}

/* The calls of PVM 3.2. */
int pvm_advise(int route)
{
    int rc = pvmi_begin("pvm_advise");
    return rc < 0 ? rc : set(PvmRoute, route) < 0 ? PvmBadParam : 0;
}

int pvm_serror(int how)
{
    int rc = pvmi_begin("pvm_serror");
    return rc < 0 ? rc : set(PvmAutoErr, how);
}

/* Trace masks are kept and given back; TEV_MASK's text form is up to 36 characters. */

int pvm_settmask(int who, char *mask)
{
    int rc = pvmi_begin("pvm_settmask");
    if (rc < 0)
        return rc;
    if ((who != PvmTaskSelf && who != PvmTaskChild) || !mask || strlen(mask) >= sizeof pvmi.vm.masks[0])
        return pvmi_fail(PvmBadParam, "who is %d, mask %s", who, mask ? mask : "NULL");
    strcpy(pvmi.vm.masks[who], mask);
    return 0;
}

int pvm_gettmask(int who, char *mask)
{
    int rc = pvmi_begin("pvm_gettmask");
    if (rc < 0)
        return rc;
    if ((who != PvmTaskSelf && who != PvmTaskChild) || !mask)
        return pvmi_fail(PvmBadParam, "who is %d, mask %p", who, (void *)mask);
    strcpy(mask, pvmi.vm.masks[who]);
    return 0;
}
