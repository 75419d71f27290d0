/* SPDX-License-Identifier: MIT */
/* Recorders: what an observer sees, as tables (FORMATS.md, "Output tables"), as traces for viewers
 * and as drawings (doc/traces.md).
 *
 * A recorder is attached to a run through its observer, writes rows as they can be written in
 * order, and keeps the others in a bounded piece of memory and in temporary files. It knows plain
 * data of the machine, not the engine. A failure to write is remembered: whoever drives the run
 * asks for it, and finish() reports it.
 */
#pragma once

#include <glib.h>
#include <stdio.h>

#include "traces/table/wp-follow.h"

G_BEGIN_DECLS

#define WP_TRACE_ERROR (wp_trace_error_quark ())
GQuark wp_trace_error_quark (void);

typedef enum
{
  WP_TRACE_ERROR_WRITE,  /* a table or a temporary file cannot be written; the message has the
                            system's reason */
  WP_TRACE_ERROR_CLOSED, /* whoever read the table has gone away (EPIPE) */
} WpTraceError;

typedef struct WpTrace WpTrace;

/* What of a run is shown: times FROM <= t < TO of an SM. */
typedef struct
{
  WpTick from, to; /* to: WP_TRACE_TO_END where it was left out */
  gint64 sm;       /* or WP_TRACE_ALL_SMS */
} WpTraceWindow;

#define WP_TRACE_TO_END G_MAXINT64
#define WP_TRACE_ALL_SMS (-1)

/* How a drawing looks. */
typedef struct
{
  guint width; /* columns */
  gboolean unicode, colour;
} WpTraceStyle;

/* What a drawing is written as. */
typedef enum
{
  WP_TRACE_SVG,
  WP_TRACE_PDF,
  WP_TRACE_PNG,
} WpTraceFormat;

/* What a recorder cannot find in the machine. Strings are borrowed. */
typedef struct
{
  WpTraceWindow window;
  const gchar *kernel, *gpu, *policy;
  WpCycles clock_mhz;
  gboolean arrows; /* dependences, too */
  WpTraceStyle style;
  WpTraceFormat format; /* of the picture */
} WpTraceOptions;

/* What a kind of recorder is made of; see the wp-trace-NAME.c files. */
typedef struct
{
  const gchar *name;    /* for messages: "lifetimes table" */
  const gchar *columns; /* the header line; NULL: none */
  WpObserver observer;  /* its `data` is left out here */
  gpointer (*begin) (WpTrace *trace);
  void (*end) (WpTrace *trace); /* writes what is left */
  void (*clear) (gpointer state);
} WpTraceKind;

/* Whether to go on. */
typedef gboolean (*WpTraceGoOn) (gpointer data);

struct WpTrace
{
  const WpTraceKind *kind;
  const WpMachine *machine; /* borrowed */
  FILE *out;                /* borrowed */
  WpTraceOptions options;
  WpObserver observer;
  gint error_number; /* errno of the first failure, or 0 */
  gboolean over;     /* it has seen all of its window */
  WpTick elapsed;    /* of the whole run; set by who finishes it */
  WpTraceGoOn go_on; /* or NULL; likewise: asked now and then while finish() writes */
  gpointer go_on_data;
  gboolean stopped; /* it said no: the file is not whole */
  guint n_asked;
  WpFollow
      *follow; /* of the kinds that follow warps, which make it in begin(); freed with the trace */
  gpointer state; /* the kind's own */
};

extern const WpTraceKind wp_trace_lifetimes, wp_trace_occupancy, wp_trace_issues;
extern const WpTraceKind wp_trace_chrome, wp_trace_konata, wp_trace_timeline, wp_trace_picture;

/* Starts a trace of KIND on OUT with its header line. MACHINE, OUT and the strings of OPTIONS are
 * borrowed and must outlive it. The window bounds all kinds but lifetimes and occupancy, which are
 * always whole. */
WpTrace *wp_trace_new (const WpTraceKind *kind, const WpMachine *machine,
                       const WpTraceOptions *options, FILE *out);

/* Whether a picture has room for the warps and pipelines of MACHINE that are shown; else false with
 * ERROR (WP_ERROR_LIMIT). */
gboolean wp_trace_check_picture (const WpMachine *machine, const WpTraceOptions *options,
                                 GError **error);

/* Writes what is left, unless it is stopped. False with ERROR if anything could not be written, now
 * or before; OUT is flushed, not closed. */
gboolean wp_trace_finish (WpTrace *trace, GError **error);

void wp_trace_free (WpTrace *trace);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpTrace, wp_trace_free)

/* For the kinds: notes that a write failed with errno (only the first is kept). */
void wp_trace_fail (WpTrace *trace);

/* For the kinds that follow warps, once a block is known to be shown: its group. A launch notes
 * where memory is out, and is WP_FOLLOW_FAILED then; *START is the time of the launch. Both note
 * whether all of the window has been seen. */
guint32 wp_trace_follow_launch (WpTrace *trace, const WpBlockEvent *event);
guint32 wp_trace_follow_block_end (WpTrace *trace, const WpBlockEvent *event, WpTick *start);

/* For the kinds, with each record that finish() writes: false once something has failed, or it was
 * stopped. */
gboolean wp_trace_goes_on (WpTrace *trace);

/* For the kinds that write much: NUMBER to the end of TEXT; and TEXT, if it is longer than
 * MORE_THAN, to the file. */
void wp_trace_append_number (GString *text, guint64 number);
void wp_trace_flush (WpTrace *trace, GString *text, gsize more_than);

/* For the kinds: whether SM is shown (none is, once something has failed), and then whether any of
 * FROM <= t < TO is; where FROM is TO, whether that time is. */
static inline gboolean
wp_trace_shows_sm (const WpTrace *trace, guint32 sm)
{
  return trace->error_number == 0
         && (trace->options.window.sm == WP_TRACE_ALL_SMS || trace->options.window.sm == sm);
}

static inline gboolean
wp_trace_shows (const WpTrace *trace, guint32 sm, WpTick from, WpTick to)
{
  const WpTraceWindow *window = &trace->options.window;

  return wp_trace_shows_sm (trace, sm) && from < window->to
         && (from == to ? from >= window->from : to > window->from);
}

/* For the kinds: TICKS in cycles, as all tables have it. */
#define WP_TRACE_TIME(trace, ticks, buffer)                                                        \
  wp_tick_format ((ticks), (trace)->machine->ticks_per_cycle, (buffer))

G_END_DECLS
