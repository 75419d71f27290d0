/* SPDX-License-Identifier: MIT */
/* The page that shows recorded runs (wp-trace-html.h): one file, with style, script and data in it. */
#pragma once

#include "traces/html/wp-trace-html.h"

G_BEGIN_DECLS

/* What the page says of one run. All is borrowed. */
typedef struct
{
  const gchar *facts;       /* a JSON object; members: doc/traces.md */
  WpHtmlRecorder *recorder; /* of the run, which has ended */
  WpTick elapsed;
} WpHtmlRun;

typedef struct
{
  const gchar *title;
  const gchar *facts; /* a JSON object: what is said of all runs together */
  guint n_runs;
  const WpHtmlRun *runs;
} WpHtmlPage;

/* Writes PAGE on OUT. False with ERROR (of WP_TRACE_ERROR) if it cannot be written; OUT is flushed,
 * not closed. */
gboolean wp_html_page_write (const WpHtmlPage *page, FILE *out, GError **error);

G_END_DECLS
