/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What is known of libpvm3's variables: pvmi.front.
 */
#ifndef PVM_FRONT_STATE_H
#define PVM_FRONT_STATE_H

#include "pvm/front/front.h"

struct pvmi_front_state {
    struct pvmi_front at; /* libpvm3's, or these: */
    int own_error, own_tid, own_context, own_debug;
};

#endif
