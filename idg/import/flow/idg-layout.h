/* SPDX-License-Identifier: MIT */
/* Private: turns the steps of a warp into a program: nodes in order, each with the instructions
 * whose results it reads. */
#pragma once

#include "idg/import/flow/idg-walk.h"

G_BEGIN_DECLS

/* Returns the program of a warp that takes STEPS (from idg_walk()) through CODE. CONTEXTS, unless
 * NULL, has a context for each instruction; those that are not NULL replace the listing's.
 * IMPORT hears where a wait for asynchronous copies cannot be exact. Returns NULL with an error if
 * a limit of programs is exceeded. O(steps, dependences and depth). */
IdgProgram *idg_lay_out (const IdgCode *code, GArray *steps, const gchar *const *contexts,
                         IdgImport *import, GError **error);

G_END_DECLS
