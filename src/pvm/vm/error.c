/* SPDX-License-Identifier: BSD-3-Clause
 *
 * PVM's errors: their texts, and the one place where a call that fails says so.
 * What is printed and whether the task ends is the program's to choose
 * (pvm_setopt, PvmAutoErr).
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "pvm/pvmi.h"

/* By code, negated. Programs print and index these by the names of old; the fronts
 * export them (pvm_errlist, pvm_nerr). */
#define NO_SUCH_ERROR "Unknown error"
static const char *const texts[] = {
    [-PvmOk] = "Error 0",
    [1] = "Error 1",
    [-PvmBadParam] = "Bad parameter",
    [-PvmMismatch] = "Parameter mismatch",
    [-PvmOverflow] = "Value too large",
    [-PvmNoData] = "End of buffer",
    [-PvmNoHost] = "No such host",
    [-PvmNoFile] = "No such file",
    [-PvmDenied] = "Permission denied",
    [9] = "Error 9",
    [-PvmNoMem] = "Malloc failed",
    [11] = "Error 11",
    [-PvmBadMsg] = "Can't decode message",
    [13] = "Error 13",
    [-PvmSysErr] = "Can't contact local daemon",
    [-PvmNoBuf] = "No current buffer",
    [-PvmNoSuchBuf] = "No such buffer",
    [-PvmNullGroup] = "Null group name",
    [-PvmDupGroup] = "Already in group",
    [-PvmNoGroup] = "No such group",
    [-PvmNotInGroup] = "Not in group",
    [-PvmNoInst] = "No such instance",
    [-PvmHostFail] = "Host failed",
    [-PvmNoParent] = "No parent task",
    [-PvmNotImpl] = "Not implemented",
    [-PvmDSysErr] = "Pvmd system error",
    [-PvmBadVersion] = "Version mismatch",
    [-PvmOutOfRes] = "Out of resources",
    [-PvmDupHost] = "Duplicate host",
    [-PvmCantStart] = "Can't start pvmd",
    [-PvmAlready] = "Already in progress",
    [-PvmNoTask] = "No such task",
    [-PvmNotFound] = "Not Found",
    [-PvmExists] = "Already Exists",
    [-PvmHostrNMstr] = "Hoster must run on master host",
    [-PvmParentNotSet] = "Spawning parent set PvmNoParent",
    [-PvmIPLoopback] = "Host address is loopback",
};
enum { NTEXTS = sizeof texts / sizeof *texts };

const char *pvmi_text(int code)
{
    return code <= 0 && code > -NTEXTS ? texts[-code] : NO_SUCH_ERROR;
}

static void say_who(FILE *to)
{
    if (pvmi.tid > 0)
        fprintf(to, "libpvm [t%x]: ", (unsigned)pvmi.tid);
    else
        fprintf(to, "libpvm [pid%d]: ", (int)getpid());
}

/* One line, and what PvmAutoErr asks for. */
static void act(const char *call, int code, const char *detail)
{
    enum { SILENT, PRINT, EXIT, ABORT };
    int how = pvmi.opt[PvmAutoErr];
    if (how == SILENT)
        return;
    fflush(stdout);
    say_who(stderr);
    fprintf(stderr, "%s(): %s%s%s\n", call, pvmi_text(code), detail[0] ? ": " : "", detail);
    if (how == EXIT)
        exit(1);
    if (how >= ABORT)
        abort();
}

/* --check: codes that say that the program is wrong. Others tell of the machine, or answer a question. */
static const struct {
    int code;
    enum core_finding_kind kind;
} wrong[] = {
    {PvmBadParam, CORE_FINDING_ARGUMENT},  {PvmNoData, CORE_FINDING_TYPE},
    {PvmBadMsg, CORE_FINDING_TYPE},        {PvmNoBuf, CORE_FINDING_CALL_STATE},
    {PvmNoSuchBuf, CORE_FINDING_FREED},    {PvmMismatch, CORE_FINDING_COLLECTIVE},
    {PvmNullGroup, CORE_FINDING_ARGUMENT}, {PvmNotInGroup, CORE_FINDING_ARGUMENT},
};

/* Not of a program that has chosen to hear of errors by what calls return. */
static void find(const char *call, int code, const char *detail)
{
    if (!core_params.check || pvmi.opt[PvmAutoErr] == 0)
        return;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (wrong[i].code == code)
            core_finding_of_call(wrong[i].kind, "PVM 3.4", "%s: %s%s%s", call, pvmi_text(code), detail[0] ? ": " : "",
                                 detail);
}

int pvmi_fail(int code, const char *fmt, ...)
{
    char detail[256];
    va_list args;
    va_start(args, fmt);
    vsnprintf(detail, sizeof detail, fmt, args);
    va_end(args);
    pvmi.errnum = pvm_errno = code;
    find(pvmi.call ? pvmi.call : "pvm", code, detail);
    act(pvmi.call ? pvmi.call : "pvm", code, detail);
    return code;
}

/* No error: there is no such task, instance or message yet, and programs ask until there is. */
int pvmi_answer(int code)
{
    core_looked();
    return pvmi.errnum = pvm_errno = code;
}

/* The library of old offers its own way of failing to the group library. */
int lpvmerr(const char *call, int code)
{
    if (code >= 0)
        return code;
    pvmi.errnum = pvm_errno = code;
    act(call ? call : "pvm", code, "");
    return code;
}

int pvm_perror(char *text)
{
    say_who(stderr);
    fprintf(stderr, "%s: %s\n", text ? text : "(null)", pvmi_text(pvm_errno));
    return 0;
}

char *pvm_strerror(void)
{
    snprintf(pvmi.vm.listed.error, sizeof pvmi.vm.listed.error, "%s", pvmi_text(pvm_errno));
    return pvmi.vm.listed.error;
}
