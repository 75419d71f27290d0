/* SPDX-License-Identifier: MIT */
/* What a user can change about what limits a kernel: which instructions it is about, and what
 * usually helps with such. */
#pragma once

#include "run/explain.h"

G_BEGIN_DECLS

/* What to do where making KIND ideal helps, in a few sentences. EXPLANATION has been run. Free with
 * g_free(). */
gchar *wp_advice_get (const WpExplanation *explanation, WpIdealKind kind);

G_END_DECLS
