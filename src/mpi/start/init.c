/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Start and end of MPI (11.2): the world model's calls and the part that sessions
 * share. Starts are counted: the first prepares all chapters, the last ends them.
 */
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/live/dead.h"
#include "mpi/env/error.h"
#include "mpi/env/info.h"
#include "mpi/ft/ft.h"
#include "mpi/p2p/p2p.h"
#include "mpi/rma/rma.h"
#include "mpi/start/leaks.h"
#include "mpi/ulfm/ulfm.h"

static struct mpii_start_state *const state = &mpii_state.start;

bool mpii_started(void)
{
    return state->starts > 0;
}

bool mpii_world_up(void)
{
    return state->world == MPII_UP || state->world == MPII_ENDING;
}

/* What folders below call of those above. */
static void fill_hooks(void)
{
    mpii_state.rt.above.waited_long = mpii_coll_look;
    mpii_state.ft.above = (struct mpii_ft_hooks){mpii_ulfm_made, mpii_agree_news, mpii_rma_quicken_troubled};
    mpii_state.p2p.above = (struct mpii_p2p_hooks){mpii_ulfm_on_revoke, mpii_agree_on_word};
}

/* Asks no other process (11.3.1). What others send before they are here is kept, there as here. */
int mpii_start(void)
{
    int (*const chapters[])(void) = {mpii_types_init, mpii_p2p_init, mpii_coll_init, mpii_comms_init};
    bool alone = core_process_single() || core_job_depth() == 0; /* else threads may be in another face */

    if (state->starts++ > 0)
        return MPI_SUCCESS;
    if (core_job_start_alone() != 0)
        exit(EXIT_FAILURE); /* core said why */
    mpii_exit_watch();
    core_race_start();
    if (mpii_trace_start() != MPI_SUCCESS)
        core_fatal("MPI_Init: out of memory");
    core_malloc_start();
    coll_init();
    mpii_state.rt.guarded = core_guard_on();
    fill_hooks();
    for (size_t i = 0; i < sizeof chapters / sizeof *chapters; i++) {
        int err = chapters[i]();

        if (err != MPI_SUCCESS)
            core_fatal("MPI_Init: out of memory");
    }
    mpii_ulfm_start();
    mpii_quick_begin();
    mpii_traced_start();
    if (alone)
        mpii_lock_start();
    return MPI_SUCCESS;
}

/* When all processes stop together, each goes on with its messages until all have come here, for a request that was
 * freed is this process's part done (3.7.3), and may need steps when others begin theirs; then until all have what has
 * come. The last stop of a process that leaves alone waits for what others still need of it. */
void mpii_stop(bool together)
{
    bool last = --state->starts == 0;

    if (together) {
        core_job_barrier_while(mpii_progress, "MPI_Finalize");
        mpii_p2p_flush(true);
    } else if (last) {
        mpii_p2p_flush(false);
    }
    if (last) {
        mpii_quick_end();
        mpii_dyn_finish();
        mpii_comms_finish();
    }
    core_quiet_all();
    if (together)
        core_job_barrier_while(mpii_progress, "MPI_Finalize");
    if (!last)
        return;
    mpii_ulfm_finish();
    mpii_coll_finish();
    mpii_p2p_finish();
    core_job_finish_alone();
}

/* --------------------------------------------------------------- world -- */

static void set_handler(struct mpii_comm *c)
{
    struct mpii_errhandler *old = c->anchor.errhandler;

    c->anchor.errhandler = mpii_errhandler_hold(mpii_errhandler_initial());
    mpii_errhandler_release(old);
}

static int start_world(int level, const char *call)
{
    const uint64_t began = core_trace_now();
    int err;

    if (state->world != MPII_BEFORE)
        return mpii_error(NULL, MPI_ERR_OTHER, call,
                          state->world == MPII_ENDED ? "MPI cannot be initialized again after MPI_Finalize"
                                                     : "MPI has been initialized already");
    MPII_TRY(mpii_start());
    if (core_job_start(0) !=
        0) /* a barrier where no other face was up: processes may start their faces in different orders */
        exit(EXIT_FAILURE);
    state->world = MPII_UP;
    state->thread_level = level;
    state->main_thread = (pid_t)syscall(SYS_gettid);
    set_handler(mpii_state.comm.world);
    set_handler(mpii_state.comm.self);
    mpii_info_env_level(level);
    err = mpii_dyn_start();
    if (MPT_UNLIKELY(core_trace_on()))
        core_trace_was(strcmp(call, "mpii_Init") == 0 ? "MPI_Init" : "MPI_Init_thread", NULL, began);
    return err;
}

int mpii_Init(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    return start_world(MPI_THREAD_SINGLE, __func__);
}

bool mpii_thread_level_valid(int level)
{
    return level == MPI_THREAD_SINGLE || level == MPI_THREAD_FUNNELED || level == MPI_THREAD_SERIALIZED ||
           level == MPI_THREAD_MULTIPLE;
}

int mpii_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    (void)argc;
    (void)argv;
    if (!mpii_thread_level_valid(required))
        return mpii_error(NULL, MPI_ERR_ARG, __func__,
                          "required is %d, which is not one of MPI_THREAD_SINGLE to MULTIPLE", required);
    MPII_TRY(mpii_check_pointer(NULL, provided, "provided", __func__));
    MPII_TRY(start_world(required, __func__));
    *provided = required;
    return MPI_SUCCESS;
}

/* Attributes of MPI_COMM_SELF go first (11.2.4), while everything still works. */
static int end_attributes(void)
{
    struct mpii_comm *const comms[] = {mpii_state.comm.self, mpii_state.comm.world};

    for (size_t i = 0; i < sizeof comms / sizeof *comms; i++) {
        int err = mpii_attrs_delete(MPII_COMM, MPII_HANDLE(comms[i]), &comms[i]->attrs);

        if (err != MPI_SUCCESS)
            return mpii_error(comms[i], err, "mpii_Finalize", "the delete function of an attribute returned %d", err);
    }
    return MPI_SUCCESS;
}

/* What sessions have made may live on. */
static void tell_leaks(void)
{
    if (state->starts == 1)
        mpii_leaks_tell("MPI_Finalize");
    mpii_leaks_tell_messages();
}

int mpii_Finalize(void)
{
    if (state->world != MPII_UP)
        return mpii_error(NULL, MPI_ERR_OTHER, __func__,
                          state->world == MPII_BEFORE ? "MPI is not initialized" : "MPI has been finalized already");
    state->exit.site = 0; /* it has been called, whatever comes of it */
    if (MPT_UNLIKELY(core_params.check))
        mpii_threads_finalize();
    MPII_TRY(end_attributes());
    if (MPT_UNLIKELY(core_params.check)) {
        mpii_rma_epoch_left();
        tell_leaks();
    }
    state->world = MPII_ENDING;
    mpii_stop(true);
    core_job_finish();
    if (core_job_running()) /* another face, which needs everybody */
        core_survive(false);
    state->world = MPII_ENDED;
    if (MPT_UNLIKELY(core_params.check) && !core_job_running())
        mpii_lock_always();
    return MPI_SUCCESS;
}

int mpii_Initialized(int *flag)
{
    MPII_TRY(mpii_check_pointer(NULL, flag, "flag", __func__));
    *flag = state->world != MPII_BEFORE;
    return MPI_SUCCESS;
}

int mpii_Finalized(int *flag)
{
    MPII_TRY(mpii_check_pointer(NULL, flag, "flag", __func__));
    *flag = state->world == MPII_ENDED;
    return MPI_SUCCESS;
}

static int check_world(const char *call)
{
    if (mpii_world_up())
        return MPI_SUCCESS;
    return mpii_error(NULL, MPI_ERR_OTHER, call, "MPI is not initialized (or has been finalized)");
}

int mpii_Query_thread(int *provided)
{
    MPII_TRY(check_world(__func__));
    MPII_TRY(mpii_check_pointer(NULL, provided, "provided", __func__));
    *provided = state->thread_level;
    return MPI_SUCCESS;
}

int mpii_Is_thread_main(int *flag)
{
    MPII_TRY(check_world(__func__));
    MPII_TRY(mpii_check_pointer(NULL, flag, "flag", __func__));
    *flag = (pid_t)syscall(SYS_gettid) == state->main_thread;
    return MPI_SUCCESS;
}

/* All of the job ends, whatever comm is: ranks outside it could not go on without us. */
int mpii_Abort(MPI_Comm comm, int errorcode)
{
    const struct mpii_comm *c = mpii_comm_of(comm);
    char name[MPI_MAX_OBJECT_NAME + 64];

    core_job_be_first();
    core_error("MPI_Abort: called by the program with error code %d%s%s", errorcode, c ? " on " : "",
               c ? mpii_object_name(&c->anchor, name, sizeof name) : "");
    core_job_abort((errorcode & 0xff) == 0 && errorcode != 0 ? EXIT_FAILURE : errorcode & 0xff);
}
