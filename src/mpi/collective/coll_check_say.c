/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Collective calls that do not belong together, as findings of --check: said whatever the error handler, for the
 * program may never look at the code.
 */
#include <string.h>

#include "mpi/collective/coll_check.h"
#include "mpi/ft/ft.h"
#include "mpi/type/type.h"

static const char rule[] = "MPI-5.0, 6.1 and 6.14";

enum { TEXT = 80 };

/* "MPI_Bcast(root 0)": of each of two ranks what differs. */
static void say(const struct mpii_check *k, int from, const char *mine, const char *theirs, const char *what)
{
    const struct mpii_saying *a = &k->mine[from], *b = &k->theirs[from];
    const int me = core_me(), other = k->comm->procs[from];
    const char *name = k->comm->name;
    struct core_finding f;

    core_finding_begin(&f, CORE_FINDING_COLLECTIVE, rule, "%s%s%s: %s", a->call, name[0] ? " on " : "", name, what);
    core_finding_at(&f, me, k->site, "rank %d calls %s%s", k->comm->rank, a->call, mine);
    core_finding_at(&f, other, core_site_here(b->away), "rank %d calls %s%s", from, b->call, theirs);
    core_finding_end(&f);
}

/* Where the job ends now, who speaks must be who ends it: else another one ends it before all is written. */
static void speak_first(const struct mpii_check *k)
{
    const struct mpii_errhandler *h = k->comm->anchor.errhandler;

    if (h && !h->function && h->predefined != MPI_ERRORS_RETURN)
        core_job_be_first();
}

/* The error that follows: of the finding nothing more is said. */
static int fail(const struct mpii_check *k, int class, const char *what, int from)
{
    static const struct mpii_blame said = {.kind = CORE_FINDING_KINDS};
    void *on = (void *)(uintptr_t)k->comm;

    return mpii_error_blame(&said, on, class, k->mine[from].call, "%s (ranks %d and %d)", what, k->comm->rank, from);
}

/* A finding about this rank and `from`, and the error of this class; `brief` is its text. */
static int refuse(const struct mpii_check *k, int from, const char *mine, const char *theirs, const char *what,
                  int class, const char *brief)
{
    speak_first(k);
    say(k, from, mine, theirs, what);
    return fail(k, class, brief, from);
}

/* Of what a rank says of its operation. */
static const char *op_name(int op)
{
    return op > 1 ? mpii_op_name((MPI_Op)(uintptr_t)op)
           : op   ? "a commutative one of the program's"
                  : "one of the program's that does not commute";
}

static const char *amount(char *text, const struct mpii_saying *s)
{
    const struct mpii_type *t = s->element ? mpii_type_of((MPI_Datatype)(uintptr_t)s->element) : NULL;
    const struct mpii_basic *row = t ? mpii_basic_row(t) : NULL;

    snprintf(text, TEXT, "(%lld x %s)", (long long)s->elements, row ? row->name : "a datatype of several");
    return text;
}

static int differ_in_agreed(const struct mpii_check *k, int from)
{
    const struct mpii_saying *a = &k->mine[from], *b = &k->theirs[from];
    char mine[TEXT], theirs[TEXT], what[TEXT];

    for (int i = 0; i < MPII_AGREED && a->agreed[i][0]; i++) {
        if (a->values[i] == b->values[i])
            continue;
        if (a->agreed[i][0] == '#') { /* of a hash nobody wants to know */
            snprintf(what, sizeof what, "%s differ", a->agreed[i] + 1);
            mine[0] = theirs[0] = 0;
        } else {
            snprintf(what, sizeof what, "%s is not the same", a->agreed[i]);
            snprintf(mine, sizeof mine, "(%s %lld)", a->agreed[i], (long long)a->values[i]);
            snprintf(theirs, sizeof theirs, "(%s %lld)", b->agreed[i], (long long)b->values[i]);
        }
        if (!a->goes_on[i])
            return refuse(k, from, mine, theirs, what, MPI_ERR_ARG, what);
        say(k, from, mine, theirs, what);
        return MPI_SUCCESS;
    }
    return MPI_SUCCESS;
}

int mpii_check_compare(const struct mpii_check *k, int from)
{
    const struct mpii_saying *a = &k->mine[from], *b = &k->theirs[from];
    char mine[TEXT], theirs[TEXT];

    if (strcmp(a->call, b->call) != 0) {
        return refuse(k, from, "", "", "another rank makes another collective call", MPI_ERR_OTHER,
                      "this rank makes another call than another rank on the same communicator");
    }
    if (a->root != b->root) {
        snprintf(mine, sizeof mine, "(root %d)", a->root);
        snprintf(theirs, sizeof theirs, "(root %d)", b->root);
        return refuse(k, from, mine, theirs, "root is not the same on all ranks", MPI_ERR_ROOT, "root differs");
    }
    if (a->op != b->op) {
        snprintf(mine, sizeof mine, "(op is %s)", op_name(a->op));
        snprintf(theirs, sizeof theirs, "(op is %s)", op_name(b->op));
        return refuse(k, from, mine, theirs, "op is not the same on all ranks", MPI_ERR_OP, "op differs");
    }
    if (a->in_place != b->in_place) {
        return refuse(k, from, a->in_place ? "(MPI_IN_PLACE)" : "", b->in_place ? "(MPI_IN_PLACE)" : "",
                      "MPI_IN_PLACE is not given by all ranks", MPI_ERR_BUFFER, "MPI_IN_PLACE is not given by all");
    }
    if (a->counts != b->counts) {
        return refuse(k, from, "", "", "recvcounts are not the same on all ranks", MPI_ERR_COUNT, "recvcounts differ");
    }
    if (a->signature && b->signature && a->signature != b->signature) {
        return refuse(k, from, amount(mine, a), amount(theirs, b), "counts and datatypes do not describe the same data",
                      MPI_ERR_TYPE, "count and datatype do not describe the same data");
    }
    if (k->taken[from] && b->pair && k->taken[from] != b->pair) /* only this rank knows: the call goes on as it can */
        say(k, from, " and takes something else from it", " and sends it something",
            "count and datatype of what one rank sends differ from what the other one receives of it");
    return differ_in_agreed(k, from);
}

/* In one group the root gives MPI_ROOT and the others MPI_PROC_NULL; in the other one all give the root's rank. */
static bool roots_agree(const struct mpii_check *k, int from)
{
    const int mine = k->mine[from].root, theirs = k->theirs[from].root;

    if (mine == MPI_ROOT)
        return theirs == k->comm->rank;
    if (mine == MPI_PROC_NULL)
        return theirs >= 0;
    return theirs == (from == mine ? MPI_ROOT : MPI_PROC_NULL);
}

static const char *root_text(char *text, int root)
{
    if (root >= 0)
        snprintf(text, TEXT, "(root %d)", root);
    else
        snprintf(text, TEXT, "(root is %s)", root == MPI_ROOT ? "MPI_ROOT" : "MPI_PROC_NULL");
    return text;
}

int mpii_check_compare_inter(const struct mpii_check *k, int from)
{
    const struct mpii_saying *a = &k->mine[from], *b = &k->theirs[from];
    char mine[TEXT], theirs[TEXT];

    if (strcmp(a->call, b->call) != 0) {
        return refuse(k, from, "", "", "a rank of the other group makes another collective call", MPI_ERR_OTHER,
                      "this rank makes another call than a rank of the other group");
    }
    if (a->rooted && !roots_agree(k, from)) {
        return refuse(k, from, root_text(mine, a->root), root_text(theirs, b->root),
                      "the groups' roots do not belong together", MPI_ERR_ROOT, "root differs");
    }
    return MPI_SUCCESS;
}

int mpii_check_own(const struct mpii_check *k)
{
    const struct mpii_saying *a = &k->mine[0];
    static const char what[] =
        "sendcount and sendtype do not describe the data that recvcount and recvtype of each rank do";
    struct core_finding f;

    if (!a->given || !a->signature || a->given == a->signature)
        return MPI_SUCCESS;
    speak_first(k);
    core_finding_begin(&f, CORE_FINDING_COLLECTIVE, rule, "%s: %s", a->call, what);
    core_finding_at(&f, core_me(), k->site, "%s", a->call);
    core_finding_end(&f);
    return fail(k, MPI_ERR_TYPE, what, 0);
}
