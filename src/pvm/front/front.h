/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The variables that programs find in libpvm3. They are defined there, not in
 * libmpt: a program's own copy of one (as the linker makes it) must be the one the
 * bodies write, also when the libraries were loaded by dlopen. So libpvm3 says
 * where they are when it is loaded; without it nobody can ask for them.
 */
#ifndef PVM_FRONT_H
#define PVM_FRONT_H

enum { PVMI_FRONT_TEXTS = 37 }; /* of pvm_errlist */

struct pvmi_front {
    int *error;   /* pvm_errno */
    int *tid;     /* pvmmytid: -1 while the process is no task */
    int *context; /* pvmmyctx */
    int *debug;   /* pvmdebmask: as option PvmDebugMask */
    char **texts; /* pvm_errlist, PVMI_FRONT_TEXTS; filled in */
};
__attribute__((visibility("default"))) void mpt_pvm_front(const struct pvmi_front *front);

#endif
