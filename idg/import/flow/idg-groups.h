/* SPDX-License-Identifier: MIT */
/* Private: the programs of a kernel, one for each group of warps to which the same hints apply. */
#pragma once

#include "idg/import/flow/idg-hints.h"

G_BEGIN_DECLS

/* Adds the programs to KERNEL; what has to be assumed goes to the notes of IMPORT. FALSE with ERROR,
 * as from idg_walk() and idg_lay_out(). */
gboolean idg_hints_add_programs (const IdgHints *hints, IdgKernel *kernel, IdgImport *import,
                                 GError **error);

G_END_DECLS
