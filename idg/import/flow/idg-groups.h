/* SPDX-License-Identifier: MIT */
/* Private: makes the programs of a kernel, one for each group of warps that the same hints apply
 * to. */
#pragma once

#include "idg/import/flow/idg-hints.h"

G_BEGIN_DECLS

/* Adds the programs to KERNEL, whose launch is known. FACTS has the launch in each direction. What
 * came of the hints goes to OUTCOME. What has to be assumed becomes a note of IMPORT. Returns
 * FALSE with ERROR if idg_walk() or idg_lay_out() fails. */
gboolean idg_hints_add_programs (const IdgHints *hints, const IdgFacts *facts, IdgKernel *kernel,
                                 IdgImport *import, IdgOutcome *outcome, GError **error);

G_END_DECLS
