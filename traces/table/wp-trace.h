/* SPDX-License-Identifier: MIT */
/* Recorders write what an observer sees: tables (FORMATS.md, "Output tables"), traces for viewers,
 * and drawings (doc/traces.md).
 *
 * A recorder is attached to a run through its observer. It writes rows as soon as their order
 * allows, and keeps the others in bounded memory and in temporary files. It knows the plain data of
 * the machine, not the engine. If a write fails, the recorder remembers that: the caller that
 * drives the run can check for it, and wp_trace_finish() reports it. */
#pragma once

#include <glib.h>
#include <stdio.h>

#include "sim/machine/wp-stay.h"
#include "traces/table/wp-follow.h"
#include "traces/table/wp-row-text.h"

G_BEGIN_DECLS

#define WP_TRACE_ERROR (wp_trace_error_quark ())
GQuark wp_trace_error_quark (void);

typedef enum
{
  WP_TRACE_ERROR_WRITE,  /* a table or a temporary file cannot be written; the message contains the
                          * system's reason */
  WP_TRACE_ERROR_CLOSED, /* the reader of the table has closed it (EPIPE) */
} WpTraceError;

typedef struct WpTrace WpTrace;

/* Which part of a run is shown: times FROM <= t < TO, on one SM or all. */
typedef struct
{
  WpTick from, to; /* to: WP_TRACE_TO_END if not given */
  gint64 sm;       /* or WP_TRACE_ALL_SMS */
} WpTraceWindow;

#define WP_TRACE_TO_END G_MAXINT64
#define WP_TRACE_ALL_SMS (-1)

/* The style of a drawing. */
typedef struct
{
  guint width; /* columns */
  gboolean unicode, colour;
} WpTraceStyle;

/* The file format of a drawing. */
typedef enum
{
  WP_TRACE_SVG,
  WP_TRACE_PDF,
  WP_TRACE_PNG,
} WpTraceFormat;

/* Rows as records, for who wants no text: of the lifetimes table a WpWarpEvent, and of the others
 * these. */
typedef struct
{
  guint32 sm;
  WpTick time;
  guint64 blocks, warps; /* resident from then on */
} WpTraceOccupancy;

typedef struct
{
  WpTick time, start, complete;
  guint64 block, index;
  guint64 producer; /* as in WpIssueEvent, with `reason` */
  guint32 sm, scheduler, warp, instr;
  WpReason reason;
} WpTraceIssue;

/* Takes a row, which is borrowed. False: no more is wanted. */
typedef gboolean (*WpTraceTake) (gpointer data, gconstpointer row);

/* What a recorder needs to know and cannot find in the machine. Strings are borrowed. */
typedef struct
{
  WpTraceWindow window;
  const gchar *kernel, *gpu, *policy;
  WpCycles clock_mhz;
  gboolean arrows;    /* whether to show dependences */
  gboolean real_time; /* of a Chrome trace: times are the GPU's; else a cycle is a microsecond */
  WpTraceStyle style;
  WpTraceFormat format; /* of the picture */
  WpTraceTake take;     /* of a table: gets the rows in place of the file; or NULL */
  gpointer take_data;
} WpTraceOptions;

/* What makes up a kind of recorder; each wp-trace-NAME.c file defines one. */
typedef struct
{
  const gchar *name;    /* for messages: "lifetimes table" */
  const gchar *columns; /* the header line; NULL: none */
  WpObserver observer;  /* its `data` is not used */
  gpointer (*begin) (WpTrace *trace);
  void (*end) (WpTrace *trace); /* writes what is left at the end of the run */
  void (*clear) (gpointer state);
} WpTraceKind;

/* Returns whether to continue. */
typedef gboolean (*WpTraceGoOn) (gpointer data);

struct WpTrace
{
  const WpTraceKind *kind;
  const WpMachine *machine; /* borrowed */
  FILE *out;                /* borrowed */
  WpTraceOptions options;
  WpObserver observer;
  gint error_number; /* errno of the first failure, or 0 */
  gboolean over;     /* the run has passed the end of the window */
  WpTick elapsed;    /* of the whole run; set by the caller of wp_trace_finish() */
  WpTraceGoOn go_on; /* or NULL; set by the caller of wp_trace_finish(), which calls it now and then
                      */
  gpointer go_on_data;
  gboolean stopped; /* go_on() returned false: the file is incomplete */
  guint n_asked;
  WpFollow
      *follow; /* for the kinds that follow warps, which create it in begin(); freed with the trace
                */
  gchar *rows; /* [room]: text that is not written yet, `n_rows` bytes of it */
  gsize n_rows, room;
  WpRowTimes *times; /* of the machine's ticks */
  gpointer state;    /* private to the kind */
};

extern const WpTraceKind wp_trace_lifetimes, wp_trace_occupancy, wp_trace_issues;
extern const WpTraceKind wp_trace_chrome, wp_trace_konata, wp_trace_timeline, wp_trace_picture;

/* Starts a trace of KIND on OUT (NULL if rows are taken) and writes its header line. MACHINE, OUT
 * and the strings of OPTIONS are borrowed and must outlive the trace. The window bounds all kinds
 * except lifetimes and occupancy, which always cover the whole run. */
WpTrace *wp_trace_new (const WpTraceKind *kind, const WpMachine *machine,
                       const WpTraceOptions *options, FILE *out);

/* Tells whether a picture has room for the warps and pipelines of MACHINE that are shown; if not,
 * returns false with ERROR (WP_ERROR_LIMIT). */
gboolean wp_trace_check_picture (const WpMachine *machine, const WpTraceOptions *options,
                                 GError **error);

/* Writes what is left, unless it is stopped. Returns false with ERROR if any write has failed. OUT
 * is flushed, not closed. */
gboolean wp_trace_finish (WpTrace *trace, GError **error);

void wp_trace_free (WpTrace *trace);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpTrace, wp_trace_free)

/* For the tables: whether ROW was taken, so that it is not to be written. */
gboolean wp_trace_take (WpTrace *trace, gconstpointer row);

/* For the kinds: records that a write failed, with its errno. Only the first failure is kept. */
void wp_trace_fail (WpTrace *trace);

/* For the kinds that follow warps: pass on the launch or the end of a block that is shown, and
 * return its group. If memory is exhausted, the first records that failure and returns
 * WP_FOLLOW_FAILED. The second sets *START to the time of the block's launch. Both check whether
 * the run has passed the end of the window. */
guint32 wp_trace_follow_launch (WpTrace *trace, const WpBlockEvent *event);
guint32 wp_trace_follow_block_end (WpTrace *trace, const WpBlockEvent *event, WpTick *start);

/* Callbacks of kinds that keep nothing of what is not shown: rounds that recur before the window,
 * and behind it, are passed over. */
uint64_t wp_trace_can_repeat (void *trace, const WpRepeat *repeat);
void wp_trace_repeat (void *trace, const WpRepeat *repeat);

/* For the kinds: tells whether finish() should write another record. Returns false once a write has
 * failed or go_on() has returned false. */
gboolean wp_trace_goes_on (WpTrace *trace);

/* For the tables: the first returns where to write a row of at most MOST bytes, the second takes it
 * up to END. Rows are gathered, and written many at a time by wp_trace_write_rows(), after which
 * there is room for MOST bytes. */
void wp_trace_write_rows (WpTrace *trace, gsize most);

static inline gchar *
wp_trace_begin_row (WpTrace *trace, gsize most)
{
  if (most > trace->room - trace->n_rows)
    wp_trace_write_rows (trace, most);
  return trace->rows + trace->n_rows;
}

static inline void
wp_trace_end_row (WpTrace *trace, const gchar *end)
{
  trace->n_rows = (gsize)(end - trace->rows);
}

/* For the kinds that write much: the first appends NUMBER to TEXT; the second writes TEXT to the
 * file, and empties it, if it is longer than MORE_THAN. */
void wp_trace_append_number (GString *text, guint64 number);
void wp_trace_flush (WpTrace *trace, GString *text, gsize more_than);

/* For the kinds: the first tells whether SM is shown (no SM is, once a write has failed); the
 * second, whether any time of FROM <= t < TO is shown, or the time FROM itself if FROM is TO. */
static inline gboolean
wp_trace_shows_sm (const WpTrace *trace, guint32 sm)
{
  return trace->error_number == 0
         && (trace->options.window.sm == WP_TRACE_ALL_SMS || trace->options.window.sm == sm);
}

/* Whether the use that SM makes of PIPELINE is shown: SM is, or shares it with one that is. */
static inline gboolean
wp_trace_shows_use (const WpTrace *trace, guint32 sm, guint32 pipeline)
{
  return wp_trace_shows_sm (trace, sm)
         || (trace->error_number == 0
             && wp_stays_are_together (trace->machine, pipeline, sm,
                                       (guint32)trace->options.window.sm));
}

static inline gboolean
wp_trace_shows (const WpTrace *trace, guint32 sm, WpTick from, WpTick to)
{
  const WpTraceWindow *window = &trace->options.window;

  return wp_trace_shows_sm (trace, sm) && from < window->to
         && (from == to ? from >= window->from : to > window->from);
}

/* Whether some of the SMs that are simulated share an instance of PIPELINE. */
static inline gboolean
wp_trace_is_shared (const WpMachine *machine, guint32 pipeline)
{
  return wp_machine_count_sharers (machine, pipeline, 0) > 1;
}

/* "SMs 4-7", "SM 8": those that are simulated and share the instance of PIPELINE that SM has. Free
 * with g_free(). */
gchar *wp_trace_name_sharers (const WpMachine *machine, guint32 pipeline, guint32 sm);

/* The first tick that is not before TIME, which is not negative; at most WP_TICK_LIMIT. */
WpTick wp_trace_find_tick (WpCycles time, gint64 ticks_per_cycle);

/* For the tables: writes TICKS in cycles at AT, without a NUL, at most WP_TIME_CHARS characters and
 * returns the end; 32 bytes from AT on may be overwritten. */
gchar *wp_trace_write_time (WpTrace *trace, WpTick ticks, gchar *at);

/* For the kinds: formats TICKS in cycles, as all tables do. */
#define WP_TRACE_TIME(trace, ticks, buffer)                                                        \
  wp_tick_format ((ticks), (trace)->machine->ticks_per_cycle, (buffer))

G_END_DECLS
