/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The name under which programs of the T3D and T3E include PVM.
 */
#include <pvm3.h>
