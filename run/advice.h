/* SPDX-License-Identifier: MIT */
/* What a user can change about what limits a kernel: which instructions it is about, and what
 * usually helps with such. */
#pragma once

#include "run/explain.h"

G_BEGIN_DECLS

/* What to do where making KIND ideal helps, in a few sentences. EXPLANATION has been run. Free with
 * g_free(). */
gchar *wp_advice_get (const WpExplanation *explanation, WpIdealKind kind);

/* The pipeline that making KIND ideal is about: the busiest, or the one most waited for, of those
 * that it makes ideal; NULL where it is about none. Borrowed. */
const gchar *wp_advice_get_pipeline (const WpExplanation *explanation, WpIdealKind kind);

G_END_DECLS
