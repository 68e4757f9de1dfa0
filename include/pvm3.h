/* SPDX-License-Identifier: BSD-3-Clause
 *
 * PVM 3.4: messages between tasks that come and go. A program includes this and
 * links -lpvm3 (groups: -lgpvm3); programs built with another PVM 3.4 run
 * unchanged, as names, values and structures are the same.
 *
 * Unless said otherwise a call returns 0 or more, or one of the negative error
 * codes below; what then happens is set by pvm_setopt(PvmAutoErr). Counts are in
 * items, strides in items of the type (1: one after the other), times in struct
 * timeval. A tid names a task, a bufid a message buffer; -1 as tid or tag of a
 * receive is any. Behaviour is described in docs/pvm.md.
 */
#ifndef _PVM3_H_
#define _PVM3_H_

#include <stdio.h>
#include <sys/time.h>

#define PVM_VER "3.4.6" /* the version whose interface this is */
#define PVM_MAJOR_VERSION 3
#define PVM_MINOR_VERSION 4
#define PVM_PATCH_VERSION 6

/* Encodings of pvm_mkbuf and pvm_initsend */
#define PvmDataDefault 0 /* XDR: big-endian, padded to 4 bytes; longs take 8 */
#define PvmDataRaw 1     /* as in memory */
#define PvmDataInPlace 2 /* left in place, read by the send */
#define PvmDataFoo PvmDataDefault
#define PvmDataTrace 4

/* Flags of pvm_spawn */
#define PvmTaskDefault 0
#define PvmTaskHost 1  /* `where` is a host */
#define PvmTaskArch 2  /* `where` is an architecture */
#define PvmTaskDebug 4 /* under the debugger ($PVM_DEBUGGER) */
#define PvmTaskTrace 8
#define PvmMppFront 16
#define PvmHostCompl 32 /* anywhere but `where` */
#define PvmNoSpawnParent 64

/* Kinds of pvm_notify */
#define PvmTaskExit 1
#define PvmHostDelete 2
#define PvmHostAdd 3
#define PvmRouteAdd 4
#define PvmRouteDelete 5
#define PvmNotifyCancel 256 /* added to a kind: no longer */

/* Options of pvm_setopt and pvm_getopt, with their values */
#define PvmRoute 1
#define PvmDontRoute 1
#define PvmAllowDirect 2
#define PvmRouteDirect 3
#define PvmDebugMask 2
#define PvmAutoErr 3 /* 0 say nothing, 1 print, 2 exit, 3 abort */
#define PvmOutputTid 4
#define PvmOutputCode 5
#define PvmTraceTid 6
#define PvmTraceCode 7
#define PvmTraceBuffer 8
#define PvmTraceOptions 9
#define PvmTraceFull 1
#define PvmTraceTime 2
#define PvmTraceCount 3
#define PvmFragSize 10
#define PvmResvTids 11
#define PvmSelfOutputTid 12
#define PvmSelfOutputCode 13
#define PvmSelfTraceTid 14
#define PvmSelfTraceCode 15
#define PvmSelfTraceBuffer 16
#define PvmSelfTraceOptions 17
#define PvmShowTids 18
#define PvmPollType 19
#define PvmPollConstant 1
#define PvmPollSleep 2
#define PvmPollTime 20
#define PvmOutputContext 21
#define PvmTraceContext 22
#define PvmSelfOutputContext 23
#define PvmSelfTraceContext 24
#define PvmNoReset 25

#define PvmTaskSelf 0
#define PvmTaskChild 1
#define PvmBaseContext 0

/* Flags of the mailbox calls */
#define PvmMboxDefault 0
#define PvmMboxPersistent 1
#define PvmMboxMultiInstance 2
#define PvmMboxOverWritable 4
#define PvmMboxFirstAvail 8
#define PvmMboxReadAndDelete 16
#define PvmMboxWaitForInfo 32
#define PvmMboxMaxFlag 512
#define PvmMboxDirectIndexShift 10
#define PvmMboxMaxDirectIndex ((1 << (31 - PvmMboxDirectIndexShift)) - 1)
#define PvmMboxDirectIndexOf(flags) ((flags) >> PvmMboxDirectIndexShift)
#define PvmMboxDirectIndex(index) ((index) << PvmMboxDirectIndexShift)

/* Classes the library itself uses */
#define PVMNORESETCLASS "###_PVM_NO_RESET_###"
#define PVMHOSTERCLASS "###_PVM_HOSTER_###"
#define PVMTASKERCLASS "###_PVM_TASKER_###"
#define PVMTRACERCLASS "###_PVM_TRACER_###"
#define PVMRMCLASS "###_PVM_RM_###"

/* Error codes */
#define PvmOk 0
#define PvmBadParam -2
#define PvmMismatch -3
#define PvmOverflow -4
#define PvmNoData -5
#define PvmNoHost -6
#define PvmNoFile -7
#define PvmDenied -8
#define PvmNoMem -10
#define PvmBadMsg -12
#define PvmSysErr -14
#define PvmNoBuf -15
#define PvmNoSuchBuf -16
#define PvmNullGroup -17
#define PvmDupGroup -18
#define PvmNoGroup -19
#define PvmNotInGroup -20
#define PvmNoInst -21
#define PvmHostFail -22
#define PvmNoParent -23
#define PvmNotImpl -24
#define PvmDSysErr -25
#define PvmBadVersion -26
#define PvmOutOfRes -27
#define PvmDupHost -28
#define PvmCantStart -29
#define PvmAlready -30
#define PvmNoTask -31
#define PvmNotFound -32
#define PvmExists -33
#define PvmHostrNMstr -34
#define PvmParentNotSet -35
#define PvmIPLoopback -36
#define PvmNoEntry PvmNotFound
#define PvmDupEntry PvmDenied

/* Types of pvm_psend, pvm_precv and the group's collective calls */
#define PVM_STR 0
#define PVM_BYTE 1
#define PVM_SHORT 2
#define PVM_INT 3
#define PVM_FLOAT 4
#define PVM_CPLX 5
#define PVM_DOUBLE 6
#define PVM_DCPLX 7
#define PVM_LONG 8
#define PVM_USHORT 9
#define PVM_UINT 10
#define PVM_ULONG 11

#define PVMTMPNAMFUN(x) pvmtmpnam(x)
#define PVMTMPNAMLEN 128

struct pvmhostinfo {
    int hi_tid; /* of the host itself */
    char *hi_name, *hi_arch;
    int hi_speed; /* relative */
    int hi_dsig;  /* data format */
};

struct pvmtaskinfo {
    int ti_tid, ti_ptid, ti_host; /* task, parent, host */
    int ti_flag;
    char *ti_a_out; /* program */
    int ti_pid;
};

struct pvmminfo {
    int len, ctx, tag, wid, enc, crc, src, dst;
};

struct pvmmboxinfo {
    char *mi_name;
    int mi_nentries; /* and as many of each of these: */
    int *mi_indices, *mi_owners, *mi_flags;
};

#ifdef __cplusplus
extern "C" {
#endif

extern int pvm_errno; /* of the last call that failed */

/* The task itself */
int pvm_mytid(void);
int pvm_exit(void);
int pvm_parent(void);
int pvm_siblings(int **tids);
int pvm_tidtohost(int tid);
int pvm_get_PE(
    int tid); /* PE number of a task (network mode: its place in the machine, from 0); negative: no task's tid */

/* Other tasks; argv has no program name and ends with NULL */
int pvm_spawn(char *file, char **argv, int flags, char *where, int count, int *tids);
int pvm_kill(int tid);
int pvm_sendsig(int tid, int signal);
int pvm_notify(int what, int tag, int count, int *tids);
int pvm_tasks(int where, int *ntask, struct pvmtaskinfo **tasks);
int pvm_pstat(int tid);
int pvm_catchout(FILE *file);
int pvm_export(char *name);
int pvm_unexport(char *name);

/* The virtual machine */
int pvm_config(int *nhost, int *narch, struct pvmhostinfo **hosts);
int pvm_addhosts(char **names, int count, int *infos);
int pvm_delhosts(char **names, int count, int *infos);
int pvm_mstat(char *host);
int pvm_archcode(char *arch);
int pvm_halt(void);
int pvm_start_pvmd(int argc, char **argv, int block);
int pvm_hostsync(int host, struct timeval *clock, struct timeval *delta);
int pvm_tickle(int narg, int *argp, int *nresp, int *resp);
char *pvm_version(void);
int pvm_reg_hoster(void);
int pvm_reg_rm(struct pvmhostinfo **hosts);
int pvm_reg_tasker(void);
int pvm_reg_tracer(int tctx, int ttag, int octx, int otag, char *mask, int buffer, int options);
int pvm_getnoresets(int **tids, int *count);

/* Buffers */
int pvm_initsend(int encoding);
int pvm_mkbuf(int encoding);
int pvm_freebuf(int bufid);
int pvm_getsbuf(void);
int pvm_getrbuf(void);
int pvm_setsbuf(int bufid);
int pvm_setrbuf(int bufid);
int pvm_bufinfo(int bufid, int *bytes, int *tag, int *tid);
int pvm_getminfo(int bufid, struct pvmminfo *info);
int pvm_setminfo(int bufid, struct pvmminfo *info);
int pvm_getmwid(int bufid);
int pvm_setmwid(int bufid, int wid);

/* Packing into the send buffer: address, items, stride */
int pvm_pkbyte(char *p, int count, int stride);
int pvm_pkshort(short *p, int count, int stride);
int pvm_pkushort(unsigned short *p, int count, int stride);
int pvm_pkint(int *p, int count, int stride);
int pvm_pkuint(unsigned int *p, int count, int stride);
int pvm_pklong(long *p, int count, int stride);
int pvm_pkulong(unsigned long *p, int count, int stride);
int pvm_pkfloat(float *p, int count, int stride);
int pvm_pkdouble(double *p, int count, int stride);
int pvm_pkcplx(float *p, int count, int stride);
int pvm_pkdcplx(double *p, int count, int stride);
int pvm_pkstr(char *s);
int pvm_pkmesg(int bufid);
int pvm_pkmesgbody(int bufid);
int pvm_packf(const char *format, ...);

/* Unpacking the receive buffer */
int pvm_upkbyte(char *p, int count, int stride);
int pvm_upkshort(short *p, int count, int stride);
int pvm_upkushort(unsigned short *p, int count, int stride);
int pvm_upkint(int *p, int count, int stride);
int pvm_upkuint(unsigned int *p, int count, int stride);
int pvm_upklong(long *p, int count, int stride);
int pvm_upkulong(unsigned long *p, int count, int stride);
int pvm_upkfloat(float *p, int count, int stride);
int pvm_upkdouble(double *p, int count, int stride);
int pvm_upkcplx(float *p, int count, int stride);
int pvm_upkdcplx(double *p, int count, int stride);
int pvm_upkstr(char *s);
int pvm_upkmesg(void);
int pvm_unpackf(const char *format, ...);

/* Messages: receives return a bufid, or 0 when there is none */
int pvm_send(int tid, int tag);
int pvm_mcast(int *tids, int count, int tag);
int pvm_psend(int tid, int tag, void *p, int count, int type);
int pvm_precv(int tid, int tag, void *p, int count, int type, int *rtid, int *rtag, int *rcount);
int pvm_recv(int tid, int tag);
int pvm_nrecv(int tid, int tag);
int pvm_trecv(int tid, int tag, struct timeval *limit);
int pvm_probe(int tid, int tag);
int (*pvm_recvf(int (*match)(int bufid, int tid, int tag)))(int bufid, int tid, int tag);
int pvm_getfds(int **fds);

/* Contexts and handlers of messages */
int pvm_newcontext(void);
int pvm_setcontext(int context);
int pvm_getcontext(void);
int pvm_freecontext(int context);
int pvm_addmhf(int tid, int tag, int context, int (*handler)(int bufid));
int pvm_delmhf(int mhid);

/* Options, errors */
int pvm_setopt(int what, int value);
int pvm_getopt(int what);
int pvm_perror(char *text);
char *pvm_strerror(void);

/* Mailbox */
int pvm_putinfo(char *name, int bufid, int flags);
int pvm_recvinfo(char *name, int index, int flags);
int pvm_delinfo(char *name, int index, int flags);
int pvm_getmboxinfo(char *pattern, int *nclasses, struct pvmmboxinfo **classes);
int pvm_insert(char *name, int index, int data); /* the calls of PVM 3.2 */
int pvm_lookup(char *name, int index, int *data);
int pvm_delete(char *name, int index);

/* Groups (-lgpvm3). The null group (NULL or "") is every task of a stand-alone program. */
int pvm_joingroup(char *group);
int pvm_lvgroup(char *group);
int pvm_gettid(char *group, int instance);
int pvm_getinst(char *group, int tid);
int pvm_gsize(char *group);
int pvm_barrier(char *group, int count);
int pvm_bcast(char *group, int tag);
int pvm_freezegroup(char *group, int size);
int pvm_reduce(void (*func)(int *type, void *x, void *y, int *count, int *info), void *data, int count, int type,
               int tag, char *group, int root);
int pvm_gather(void *result, void *data, int count, int type, int tag, char *group, int root);
int pvm_scatter(void *result, void *data, int count, int type, int tag, char *group, int root);
void PvmMax(int *type, void *x, void *y, int *count, int *info);
void PvmMin(int *type, void *x, void *y, int *count, int *info);
void PvmSum(int *type, void *x, void *y, int *count, int *info);
void PvmProduct(int *type, void *x, void *y, int *count, int *info);

/* Found in the library of old, and used by programs */
char *pvmtmpnam(char *name);
char *pvmgetrsh(void);
char *pvmgettmp(void);

#ifdef __cplusplus
}
#endif
#endif
