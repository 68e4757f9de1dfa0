/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tasks that a tasker starts: what it is sent for each. It does not answer; the task
 * enters the machine by itself, and what never comes the tasker reports.
 */
#include <stdio.h>
#include <string.h>

#include "pvm/pack/buffer.h"
#include "pvm/spawn/system.h"

/* Programs written for PVM read each into an array of this size. */
enum { TEXT_MAX = 1000 };

static int add_number(struct pvmi_msg *m, int n)
{
    return pvmi_pack(m, PVM_INT, &n, 1, 1);
}

static int add_argv(struct pvmi_msg *m, char *const *argv)
{
    int n = 0, rc;

    while (argv[n])
        n++;
    rc = add_number(m, n);
    for (int i = 0; i < n && rc == 0; i++)
        rc = pvmi_pack_string(m, argv[i]);
    return rc;
}

/* The n bytes at `name` as NAME=value; false: not set, or too long. */
static bool exported(char *text, const char *name, size_t n)
{
    const char *value;

    if (n == 0 || n >= TEXT_MAX)
        return false;
    memcpy(text, name, n);
    text[n] = '\0';
    value = core_param_foreign(text);
    return value && snprintf(text + n, TEXT_MAX - n, "=%s", value) < (int)(TEXT_MAX - n);
}

/* What PVM_EXPORT names and is set. m NULL: only their number. */
static int add_exported(struct pvmi_msg *m, int *rc)
{
    const char *list = core_param_foreign("PVM_EXPORT");
    char text[TEXT_MAX];
    int found = 0;

    for (size_t n; list && *list; list += n + (list[n] == ':')) {
        n = strcspn(list, ":");
        if (!exported(text, list, n))
            continue;
        found++;
        if (m && *rc == 0)
            *rc = pvmi_pack_string(m, text);
    }
    return found;
}

static int add_env(struct pvmi_msg *m, int tid, const char *entry)
{
    char cookie[32];
    int rc = add_number(m, 2 + add_exported(NULL, NULL));

    snprintf(cookie, sizeof cookie, "PVMEPID=%d", tid);
    if (rc == 0)
        rc = pvmi_pack_string(m, cookie);
    if (rc == 0)
        rc = pvmi_pack_string(m, entry);
    add_exported(m, &rc);
    return rc;
}

int pvmi_tasker_start(int tasker, int tid, int flags, char *const *argv, const char *entry)
{
    struct pvmi_msg *m = pvmi_msg_new(PvmDataDefault);
    int rc = m ? add_number(m, tid) : PvmNoMem;

    if (rc == 0)
        rc = add_number(m, flags);
    if (rc == 0)
        rc = pvmi_pack_string(m, argv[0]);
    if (rc == 0)
        rc = add_argv(m, argv);
    if (rc == 0)
        rc = add_env(m, tid, entry);
    if (rc == 0)
        rc = pvmi_system_send(m, tasker, PVMI_SM_STTASK);
    pvmi_msg_free(m);
    return rc;
}
