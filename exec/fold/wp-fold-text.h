/* SPDX-License-Identifier: MIT */
/* Private to exec/fold: what a kernel says of an instruction. */
#pragma once

#include "exec/fold/wp-fold-input.h"

G_BEGIN_DECLS

/* Returns "k.cu:12: LDG.E R4, [R2.64]" for instruction INDEX; without the place where the code does
 * not say it. Free with g_free(). */
gchar *wp_fold_make_text (const WpFoldInput *input, guint index);

/* Returns the text of what fetches the code from PC, that of instruction INDEX, on. Free with
 * g_free(). */
gchar *wp_fold_make_fetch_text (const WpFoldInput *input, guint index, guint64 pc);

G_END_DECLS
