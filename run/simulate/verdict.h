/* SPDX-License-Identifier: MIT */
/* What limits a run: one sentence or two for people, a word and a name for scripts. */
#pragma once

#include "run/simulate/report.h"

G_BEGIN_DECLS

typedef struct
{
  gchar *text;
  const gchar *kind;     /* one of those that FORMATS.md lists; static */
  const gchar *resource; /* the pipeline that it is about, borrowed from the machine; or "" */
} WpVerdict;

/* The verdict on the run of REPORT. Where one of its warnings stands in the way, its kind is "none"
 * and its text names that warning. Free with wp_verdict_free(). */
WpVerdict *wp_report_get_verdict (const WpReport *report);
void wp_verdict_free (WpVerdict *verdict);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpVerdict, wp_verdict_free)

G_END_DECLS
