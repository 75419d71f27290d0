/* SPDX-License-Identifier: MIT */
/* Private: from the steps of a warp to a program: nodes in order, each with the instructions whose
 * results it reads. */
#pragma once

#include "idg/import/flow/idg-walk.h"

G_BEGIN_DECLS

/* The program that a warp runs which takes STEPS (of idg_walk()) through CODE; CONTEXTS, by
 * instruction, go before those of the listing, where not NULL. NULL with an error where a limit of
 * programs is exceeded. O(steps, dependences and depth). */
IdgProgram *idg_lay_out (const IdgCode *code, GArray *steps, const gchar *const *contexts,
                         GError **error);

/* Sets ERROR to what STATUS, not IDG_OK, says of CODE's kernel; FALSE. */
gboolean idg_layout_fail (const IdgCode *code, IdgStatus status, GError **error);

G_END_DECLS
