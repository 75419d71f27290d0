/* SPDX-License-Identifier: MIT */
/* The page that shows recorded runs (wp-trace-html.h): one file that contains style, script and
 * data. */
#pragma once

#include "traces/html/wp-trace-html.h"

G_BEGIN_DECLS

/* The data of one run on the page. All members are borrowed. */
typedef struct
{
  const gchar *facts;       /* a JSON object; members: doc/traces.md */
  WpHtmlRecorder *recorder; /* of the run, which has ended */
  WpTick elapsed;
} WpHtmlRun;

typedef struct
{
  const gchar *title;
  const gchar *facts; /* a JSON object: facts about all runs together */
  guint n_runs;
  const WpHtmlRun *runs;
} WpHtmlPage;

/* Writes PAGE to OUT. Returns false with ERROR (of WP_TRACE_ERROR) if it cannot be written. OUT is
 * flushed, not closed. */
gboolean wp_html_page_write (const WpHtmlPage *page, FILE *out, GError **error);

G_END_DECLS
