/* SPDX-License-Identifier: MIT */
/* What all recorders share: writing the header line, and remembering the first failure. */
#include "traces/table/wp-trace.h"

#include "idg/kernel/idg-problem.h"

#include <errno.h>
#include <string.h>

#define ROWS 65536 /* bytes written at once */
#define LOOK 4096  /* records between two calls of go_on(), which makes some milliseconds */

G_DEFINE_QUARK (wp - trace - error - quark, wp_trace_error)

WpTrace *
wp_trace_new (const WpTraceKind *kind, const WpMachine *machine, const WpTraceOptions *options,
              FILE *out)
{
  WpTrace *trace = g_new0 (WpTrace, 1);

  trace->kind = kind;
  trace->machine = machine;
  trace->out = out;
  trace->options = *options;
  trace->observer = kind->observer;
  trace->observer.data = trace;
  trace->times = wp_row_times_new (machine->ticks_per_cycle);
  trace->state = kind->begin (trace);
  if (kind->columns != NULL && out != NULL && fprintf (out, "%s\n", kind->columns) < 0)
    wp_trace_fail (trace);
  return trace;
}

gchar *
wp_trace_write_time (WpTrace *trace, WpTick ticks, gchar *at)
{
  return wp_row_write_time (trace->times, ticks, at);
}

static void
write_rows (WpTrace *trace)
{
  gsize n = trace->n_rows;

  trace->n_rows = 0;
  if (n > 0 && trace->error_number == 0 && fwrite (trace->rows, 1, n, trace->out) != n)
    wp_trace_fail (trace);
}

void
wp_trace_write_rows (WpTrace *trace, gsize most)
{
  write_rows (trace);
  if (most > trace->room)
    {
      trace->room = MAX (most, ROWS);
      trace->rows = g_realloc (trace->rows, trace->room);
    }
}

gboolean
wp_trace_finish (WpTrace *trace, GError **error)
{
  if (trace->error_number == 0)
    trace->kind->end (trace);
  write_rows (trace);
  if (trace->error_number == 0 && trace->out != NULL && fflush (trace->out) != 0)
    wp_trace_fail (trace);
  if (trace->error_number == 0)
    return TRUE;
  g_set_error (error, WP_TRACE_ERROR,
               trace->error_number == EPIPE ? WP_TRACE_ERROR_CLOSED : WP_TRACE_ERROR_WRITE,
               "cannot write the %s: %s", trace->kind->name,
               idg_problem_describe (trace->error_number));
  return FALSE;
}

void
wp_trace_free (WpTrace *trace)
{
  if (trace == NULL)
    return;
  write_rows (trace); /* of a run that was stopped, what its reader would have seen */
  g_free (trace->rows);
  g_free (trace->times);
  trace->kind->clear (trace->state);
  wp_follow_free (trace->follow);
  g_free (trace);
}

gboolean
wp_trace_take (WpTrace *trace, gconstpointer row)
{
  if (trace->options.take == NULL)
    return FALSE;
  if (trace->error_number == 0 && !trace->options.take (trace->options.take_data, row))
    trace->error_number = ECANCELED;
  return TRUE;
}

WpTick
wp_trace_find_tick (WpCycles time, gint64 ticks_per_cycle)
{
  __extension__ typedef unsigned __int128 Wide;
  Wide ticks = ((Wide)time.num * (Wide)ticks_per_cycle + (Wide)time.den - 1) / (Wide)time.den;

  return ticks < WP_TICK_LIMIT ? (WpTick)ticks : WP_TICK_LIMIT;
}

void
wp_trace_fail (WpTrace *trace)
{
  if (trace->error_number == 0 && !trace->stopped)
    trace->error_number = errno != 0 ? errno : EIO;
}

guint32
wp_trace_follow_launch (WpTrace *trace, const WpBlockEvent *event)
{
  guint32 group = wp_follow_launch (trace->follow, event);

  if (group == WP_FOLLOW_FAILED)
    wp_trace_fail (trace);
  trace->over = wp_follow_is_over (trace->follow);
  return group;
}

guint32
wp_trace_follow_block_end (WpTrace *trace, const WpBlockEvent *event, WpTick *start)
{
  guint32 group = wp_follow_block_end (trace->follow, event, start);

  trace->over = wp_follow_is_over (trace->follow);
  return group;
}

uint64_t
wp_trace_can_repeat (void *data, const WpRepeat *repeat)
{
  const WpTrace *trace = data;
  WpTick start = wp_repeat_get_start (repeat), from = trace->options.window.from;

  if (trace->over)
    return wp_repeat_get_times (repeat);
  return from > start ? (uint64_t)((from - 1 - start) / wp_repeat_get_period (repeat)) : 0;
}

void
wp_trace_repeat (void *data, const WpRepeat *repeat)
{
  (void)data;
  (void)repeat;
}

gboolean
wp_trace_goes_on (WpTrace *trace)
{
  if (trace->go_on != NULL && ++trace->n_asked % LOOK == 0 && !trace->go_on (trace->go_on_data))
    trace->stopped = TRUE;
  return trace->error_number == 0 && !trace->stopped;
}

void
wp_trace_append_number (GString *text, guint64 number)
{
  gchar digits[WP_TIME_CHARS];

  g_string_append_len (text, digits, wp_whole_write (number, digits) - digits);
}

void
wp_trace_flush (WpTrace *trace, GString *text, gsize more_than)
{
  if (text->len <= more_than)
    return;
  if (fwrite (text->str, 1, text->len, trace->out) != text->len)
    wp_trace_fail (trace);
  g_string_truncate (text, 0);
}

gchar *
wp_trace_name_sharers (const WpMachine *machine, guint32 pipeline, guint32 sm)
{
  guint32 k = wp_pipeline_get_shared (&machine->pipelines[pipeline]);
  guint32 n = wp_machine_count_sharers (machine, pipeline, sm);

  return n == 1 ? g_strdup_printf ("SM %u", sm / k * k)
                : g_strdup_printf ("SMs %u-%u", sm / k * k, sm / k * k + n - 1);
}
