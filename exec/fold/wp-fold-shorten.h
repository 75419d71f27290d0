/* SPDX-License-Identifier: MIT */
/* Private to exec/fold: long sequences that do not repeat, made short. */
#pragma once

#include "exec/fold/wp-fold-input.h"
#include "idg/import/fold/idg-fold.h"

G_BEGIN_DECLS

/* Replaces what is between the beginning and the end of STEPS (of IdgFoldStep) by a part from its
 * middle of about LENGTH steps, as often as makes it about as long as before: what a warp does in
 * many rounds that are all a little different is taken to be some of these rounds again and again.
 * Begins and ends where the warp goes back in CODE. Returns FALSE where it never does. */
gboolean wp_fold_shorten (GArray *steps, const IdgFoldClasses *code, guint length);

G_END_DECLS
