/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Options and variables of other launchers that ask for nothing that could be done here: scripts that give them keep
 * working, and are told what does the same.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "launch/options.h"

struct meaning {
    const char *name; /* or how it begins */
    const char *here;
};

static const struct meaning options[] = {
    {"prefix", "programs find this library by their own path; -x LD_LIBRARY_PATH=... says another"},
    {"tmpdir", "this library keeps no files"},
    {"xterm", "see mptrun(1), \"Debuggers\", for a debugger of each PE"},
    {"stdin", "PE 0 has the standard input"},
    {"launcher", "programs on other hosts are started by srun, prterun or Open MPI's mpirun (docs/cluster.md)"},
    {"rmk", "there is one machine, so no resource manager is asked"},
    {"bootstrap", "programs on other hosts are started by srun, prterun or Open MPI's mpirun (docs/cluster.md)"},
    {"iface", "MPT_IFACE names the network interface of jobs on several hosts"},
    {"tune", "this library's parameters are environment variables (--params lists them)"},
    {"personality", "there is one kind of job"},
    {"rank-by", "PEs are numbered one after the other"},
    {"order-nodes", "PEs are numbered one after the other"},
    {"rankfile", "--bind-to and --map-by say where PEs run"},
    {"rf", "--bind-to and --map-by say where PEs run"},
    {"cpu-bind", "--bind-to says what PEs are bound to; taskset -c LIST before the command, to which CPUs"},
    {"cc", "--bind-to says what PEs are bound to; taskset -c LIST before the command, to which CPUs"},
    {"cpu-set", "taskset -c LIST before the command says which CPUs there are"},
    {"cpu-list", "taskset -c LIST before the command says which CPUs there are"},
    {"membind", "memory lies where the PE runs that touches it first; numactl before the program says another place"},
    {"mem-bind", "memory lies where the PE runs that touches it first; numactl before the program says another place"},
    {"s", "PE 0 has the standard input"},
    {"localhost", "there is one machine"},
    {"j", "PEs are bound to whole cores, if they fit"},
    {"S", "--map-by ppr:N:numa says how many PEs each NUMA node has"},
    {"sn", "--map-by ppr:N:numa says how many PEs each NUMA node has"},
    {"L", "--host names the hosts"},
    {"gtool", "what stands before the program starts it: mptrun -n 1 valgrind ./prog : -n 3 ./prog"},
    {"check_mpi", "--check finds what is wrong in the program (docs/check.md)"},
    {"prepend-pattern", "--tag-output says whose a line is"},
    {"preload-binary", "there is one machine, so nothing is copied"},
    {"preload-files", "there is one machine, so nothing is copied"},
};

/* Parameters of Open MPI and PRRTE by how their names begin; "" is asked for by the user and happens anyway. */
static const struct meaning parameters[] = {
    {"btl_tcp_if", "MPT_IFACE names the network interface"},
    {"oob_tcp_if", "MPT_IFACE names the network interface"},
    {"btl_vader", "memory is shared on a node in any case"},
    {"btl_sm", "memory is shared on a node in any case"},
    {"btl", "MPT_TRANSPORT chooses the network"},
    {"pml", "MPT_TRANSPORT chooses the network"},
    {"mtl", "MPT_TRANSPORT and MPT_OFI_PROVIDER choose the network"},
    {"rmaps_base_oversubscribe", ""},
    {"mpi_yield_when_idle", ""},
    {"orte_base_help_aggregate", ""},
    {"mpi_abort_print_stack", ""},
    {"mpi_show_", "--params lists this library's parameters"},
    {"coll", "algorithms of collectives are chosen by size and members"},
    {"io", "there is one implementation of files"},
    {"osc", "there is one implementation of windows"},
    {"plm", "programs on other hosts are started by srun, prterun or Open MPI's mpirun (docs/cluster.md)"},
};

static const struct meaning variables[] = {
    {"OMPI_MCA_", "a parameter of Open MPI"}, {"PRTE_MCA_", "a parameter of PRRTE"},
    {"MPIR_CVAR_", "a parameter of MPICH"},   {"I_MPI_", "a parameter of Intel MPI"},
    {"MV2_", "a parameter of MVAPICH"},       {"HYDRA_", "a parameter of Hydra"},
};

/* With the options' names whole, the others' by how they begin. */
static const struct meaning *find(const struct meaning *table, size_t rows, const char *name, bool whole)
{
    for (size_t i = 0; i < rows; i++)
        if (whole ? strcmp(table[i].name, name) == 0 : strncmp(table[i].name, name, strlen(table[i].name)) == 0)
            return &table[i];
    return NULL;
}
#define FIND(table, name, whole) find(table, sizeof(table) / sizeof *(table), name, whole)

int launch_pass_over(struct launch_options *o, const char *option, const char *value)
{
    char name[64];
    const struct meaning *m;

    snprintf(name, sizeof name, "%.*s", (int)strcspn(option, "="), option);
    m = FIND(options, name + strspn(name, "-"), true);
    if (!o->quiet)
        launch_say("%s%s%s changes nothing here%s%s", name, value ? " " : "", value ? value : "", m ? ": " : "",
                   m ? m->here : "");
    return GO_ON;
}

int launch_pass_over_mca(struct launch_options *o, const char *option, const char *value)
{
    const struct meaning *m = FIND(parameters, value, false);
    int n = (int)strcspn(value, "=");

    if (strncmp(value, "hwloc_base_binding_policy=", (size_t)n + 1) == 0)
        return launch_set_bind_to(o, option, value + n + 1);
    if (strncmp(value, "rmaps_base_mapping_policy=", (size_t)n + 1) == 0)
        return launch_set_map(o, option, value + n + 1);
    if (!o->quiet && !(m && !*m->here))
        launch_say("%s %.*s changes nothing here: %s", option, n, value,
                   m ? m->here
                     : "it is a parameter of Open MPI; this library's are environment variables (--params lists them)");
    return GO_ON;
}

int launch_refuse_debugger(struct launch_options *o, const char *option, const char *value)
{
    (void)o, (void)value;
    launch_say("%s: a debugger starts the launcher, as in 'totalview mptrun -a ...'; -gdb starts gdb "
               "(docs/debugging.md)",
               option);
    return STATUS_USAGE;
}

void launch_tell_foreign(const struct launch_options *o, const char *variable)
{
    const struct meaning *m = FIND(variables, variable, false);

    if (m && !o->quiet)
        launch_say("%.*s is %s and changes nothing here; --params lists this library's variables",
                   (int)strcspn(variable, "="), variable, m->here);
}
