/* SPDX-License-Identifier: MIT */
/* Where code sets a part of a register, a bool in its low half, and never looks at what the rest
 * held before: `PRMT R0, R1, 0x7610, R0`. What is in R0 then does not depend on that. */
#pragma once

#include "exec/machine/wp-kernel-code.h"

G_BEGIN_DECLS

/* Has such steps of CODE, which is complete, set the rest as well: a register of which a part is
 * unknown counts as unknown. O(such steps times steps). */
void wp_leftovers_drop (WpKernelCode *code);

G_END_DECLS
