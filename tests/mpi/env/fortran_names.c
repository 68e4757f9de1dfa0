/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Fortran's handles and statuses in C (19.3.4, 19.3.5) are functions beside the
 * macros: a program that looks them up or takes their address finds them, under
 * both names, and they do what the macros do.
 */
#include <dlfcn.h>
#include <string.h>

#include "mcheck.h"

static void *find(const char *prefix, const char *name)
{
    char text[64];
    void *p;

    snprintf(text, sizeof text, "%s%s", prefix, name);
    p = dlsym(RTLD_DEFAULT, text);
    CHECK(p != NULL, "%s is not there", text);
    return p;
}

static void check_names(void)
{
    static const char *const kinds[] = {"Comm", "Errhandler", "File",    "Group", "Info", "Message",
                                        "Op",   "Request",    "Session", "Type",  "Win"};
    static const char *const statuses[] = {"c2f", "f2c", "c2f08", "f082c", "f2f08", "f082f"};
    char name[32];

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        snprintf(name, sizeof name, "MPI_%s_c2f", kinds[i]);
        CHECK(find("", name) && find("P", name), "no pair of %s", name);
        snprintf(name, sizeof name, "MPI_%s_f2c", kinds[i]);
        CHECK(find("", name) && find("P", name), "no pair of %s", name);
    }
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++) {
        snprintf(name, sizeof name, "MPI_Status_%s", statuses[i]);
        CHECK(find("", name) && find("P", name), "no pair of %s", name);
    }
}

static void check_handles(void)
{
    MPI_Fint (*to)(MPI_Comm) = MPI_Comm_c2f; /* not called by name: the function */
    MPI_Comm (*from)(MPI_Fint) = PMPI_Comm_f2c;
    MPI_Comm dup;

    OK(MPI_Comm_dup(MPI_COMM_SELF, &dup));
    CHECK(to(dup) == MPI_Comm_toint(dup) && from(to(dup)) == dup, "a communicator there and back");
    CHECK((MPI_Type_c2f)(MPI_INT) == MPI_Type_c2f(MPI_INT), "function and macro differ");
    CHECK((MPI_Win_f2c)((PMPI_Win_c2f)(MPI_WIN_NULL)) == MPI_WIN_NULL, "a null handle there and back");
    OK(MPI_Comm_free(&dup));
}

static void check_statuses(void)
{
    MPI_Status c = {.MPI_SOURCE = 3, .MPI_TAG = 4, .MPI_ERROR = 5}, back;
    MPI_Fint f[MPI_F_STATUS_SIZE];
    MPI_F08_status f08;
    int n;

    OK(MPI_Status_set_elements(&c, MPI_INT, 7));
    OK((MPI_Status_c2f)(&c, f));
    CHECK(f[MPI_F_SOURCE] == 3 && f[MPI_F_TAG] == 4 && f[MPI_F_ERROR] == 5, "source %d, tag %d, error %d",
          f[MPI_F_SOURCE], f[MPI_F_TAG], f[MPI_F_ERROR]);
    OK((PMPI_Status_f2f08)(f, &f08));
    memset(f, 0, sizeof f);
    OK((MPI_Status_f082f)(&f08, f));
    OK((MPI_Status_f2c)(f, &back));
    OK(MPI_Get_count(&back, MPI_INT, &n));
    CHECK(n == 7 && back.MPI_TAG == 4, "count %d, tag %d", n, back.MPI_TAG);
    memset(&f08, 0, sizeof f08);
    OK((MPI_Status_c2f08)(&back, &f08));
    OK((MPI_Status_f082c)(&f08, &c));
    OK(MPI_Get_count(&c, MPI_INT, &n));
    CHECK(n == 7, "count %d", n);
    CHECK((MPI_Status_c2f)(MPI_STATUS_IGNORE, f) == MPI_ERR_ARG, "MPI_STATUS_IGNORE is no status");
}

int main(void)
{
    mc_start();
    check_names();
    check_handles();
    check_statuses();
    return mc_finish();
}
