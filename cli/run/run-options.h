/* SPDX-License-Identifier: MIT */
/* The command line of warpipe run, as written and as read. */
#pragma once

#include "cli/common/cli-import.h"
#include "traces/table/wp-trace.h"

G_BEGIN_DECLS

/* What a run is written to, beside the report. Those from WP_RUN_WINDOWED on show what is in the
 * window; the last is drawn on standard output. */
typedef enum
{
  WP_RUN_LIFETIMES,
  WP_RUN_OCCUPANCY,
  WP_RUN_MACHINE, /* no table: the machine, known before the run */
  WP_RUN_ISSUES,
  WP_RUN_CHROME,
  WP_RUN_KONATA,
  WP_RUN_PAGE, /* no table either */
  WP_RUN_PICTURE,
  WP_RUN_TIMELINE,
  WP_RUN_N_OUTPUTS,
  WP_RUN_WINDOWED = WP_RUN_ISSUES
} WpRunOutput;

typedef struct
{
  const WpCommand *command;

  /* As written: */
  gchar *gpu, *sms, *occupancy, *format, *estimate;
  WpLaunchOptions launch;
  WpMachineOptions machine;
  gchar *outputs[WP_RUN_N_OUTPUTS]; /* files; NULL: none */
  gchar *from, *to, *sm;
  gchar **gpu_sets, **settings;
  WpImportOptions import;
  gchar *trace_clock; /* of --chrome: cycles, ns, or NULL */
  gboolean strict, no_skip, no_lines, timeline, ascii, arrows;
  GStrv files;

  /* As read: */
  WpRunOptions options;
  WpCycles window_from, window_to; /* where they are given */
  gint64 window_sm;                /* or WP_TRACE_ALL_SMS */
  WpTraceFormat format_of_picture;
  gboolean json;
  gdouble error; /* that an estimate may have, relative; 0: the run is to be exact */
} WpRunRequest;

/* Reads ARGV into RUN, which has only its command. FALSE: the command ends with STATUS, and has
 * printed why. */
gboolean wp_run_request_parse (WpRunRequest *run, gchar **argv, WpExit *status);

/* Checks what was written, and reads it. FALSE after a usage error, which is printed. */
gboolean wp_run_request_check (WpRunRequest *run);

/* Checks what depends on KERNEL and GPU: whether the SM to show is simulated. FALSE likewise. */
gboolean wp_run_request_check_sm (const WpRunRequest *run, const IdgKernel *kernel,
                                  const WpGpu *gpu);

void wp_run_request_clear (WpRunRequest *run);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WpRunRequest, wp_run_request_clear)

G_END_DECLS
