/* SPDX-License-Identifier: MIT */
/* Recorders: what an observer sees, as tables (FORMATS.md, "Output tables").
 *
 * A recorder is attached to a run through its observer, writes rows as they can be written in order, and keeps the
 * others in a bounded piece of memory and in temporary files. It knows plain data of the machine, not the engine.
 * A failure to write is remembered: whoever drives the run asks for it, and finish() reports it.
 */
#pragma once

#include <glib.h>
#include <stdio.h>

#include "sim/wp-machine.h"
#include "sim/wp-observer.h"

G_BEGIN_DECLS

#define WP_TRACE_ERROR (wp_trace_error_quark ())
GQuark wp_trace_error_quark (void);

typedef enum
{
  WP_TRACE_ERROR_WRITE, /* a table or a temporary file cannot be written; the message has the system's reason */
  WP_TRACE_ERROR_CLOSED, /* whoever read the table has gone away (EPIPE) */
} WpTraceError;

typedef struct WpTrace WpTrace;

/* What a kind of recorder is made of; see the wp-trace-NAME.c files. */
typedef struct
{
  const gchar *name;    /* for messages: "lifetimes" */
  const gchar *columns; /* the header line */
  WpObserver observer;  /* its `data` is left out here */
  gpointer (*begin) (WpTrace *trace);
  void (*end) (WpTrace *trace); /* writes what is left */
  void (*clear) (gpointer state);
} WpTraceKind;

struct WpTrace
{
  const WpTraceKind *kind;
  const WpMachine *machine; /* borrowed */
  FILE *out;                /* borrowed */
  WpObserver observer;
  gint error_number; /* errno of the first failure, or 0 */
  gpointer state;    /* the kind's own */
};

extern const WpTraceKind wp_trace_lifetimes, wp_trace_occupancy, wp_trace_issues;

/* Starts a table of KIND on OUT with its header line. MACHINE and OUT are borrowed and must outlive it. */
WpTrace *wp_trace_new (const WpTraceKind *kind, const WpMachine *machine, FILE *out);

/* Writes what is left. False with ERROR if anything could not be written, now or before; OUT is flushed, not closed. */
gboolean wp_trace_finish (WpTrace *trace, GError **error);

void wp_trace_free (WpTrace *trace);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpTrace, wp_trace_free)

/* For the kinds: notes that a write failed with errno (only the first is kept). */
void wp_trace_fail (WpTrace *trace);

/* For the kinds: TICKS in cycles, as all tables have it. */
#define WP_TRACE_TIME(trace, ticks, buffer)                                                        \
  wp_tick_format ((ticks), (trace)->machine->ticks_per_cycle, (buffer))

G_END_DECLS
