/* SPDX-License-Identifier: MIT */
/* Every issue, in order. A barrier's row has its release, which is not known when it issues: it
 * waits in a queue, and all rows behind it wait with it. As every barrier is released in the end
 * of a run that has one, so is the queue.
 */
#include "traces/table/wp-spool.h"
#include "traces/table/wp-trace.h"

#include <stddef.h>

#define NOT_KNOWN (-1) /* `complete` of a barrier that is not released */

typedef struct
{
  WpSpool *spool; /* of WpTraceIssue: the first is a barrier that is not released, or it is empty */
  guint64 n_waiting;   /* rows in it */
  GString *line;       /* a row, while it is written */
  GHashTable *arrived; /* block -> GArray of Held: rows of the barriers at which its warps are */
} Issues;

typedef struct
{
  guint64 number; /* in the spool */
  guint32 name, warp;
} Held;

static guint
hash_block (gconstpointer key)
{
  return g_int64_hash (key);
}

static gpointer
begin (WpTrace *trace)
{
  Issues *issues = g_new0 (Issues, 1);

  (void)trace;
  issues->line = g_string_new (NULL);
  issues->spool = wp_spool_new (sizeof (WpTraceIssue));
  issues->arrived
      = g_hash_table_new_full (hash_block, g_int64_equal, g_free, (GDestroyNotify)g_array_unref);
  return issues;
}

static void
clear (gpointer state)
{
  Issues *issues = state;

  wp_spool_free (issues->spool);
  g_string_free (issues->line, TRUE);
  g_hash_table_unref (issues->arrived);
  g_free (issues);
}

static void
append_time (const WpTrace *trace, GString *line, WpTick time)
{
  gchar text[WP_TIME_CHARS];

  g_string_append (line, WP_TRACE_TIME (trace, time, text));
}

/* Piece by piece: printf() would take most of the time of the run. */
static void
write_row (WpTrace *trace, const WpTraceIssue *row)
{
  static const gchar *const reasons[WP_N_REASONS] = { [WP_REASON_START] = ",start,",
                                                      [WP_REASON_BARRIER] = ",barrier,",
                                                      [WP_REASON_DEPENDENCY] = ",dependency,",
                                                      [WP_REASON_ILP] = ",ilp,",
                                                      [WP_REASON_PAIR] = ",pair," };
  const guint64 numbers[] = { row->sm, row->scheduler, row->block, row->warp, row->index };
  const WpMachine *machine = trace->machine;
  const WpInstr *instr = &machine->instrs[row->instr];
  GString *line = ((Issues *)trace->state)->line;

  if (wp_trace_take (trace, row))
    return;
  append_time (trace, line, row->time);
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      g_string_append_c (line, ',');
      wp_trace_append_number (line, numbers[i]);
    }
  g_string_append_c (line, ',');
  g_string_append (line, machine->names[instr->name]);
  g_string_append_c (line, ',');
  if (instr->pipeline != WP_NO_PIPELINE)
    g_string_append (line, machine->pipelines[instr->pipeline].name);
  g_string_append_c (line, ',');
  append_time (trace, line, row->start);
  g_string_append_c (line, ',');
  append_time (trace, line, row->complete);
  g_string_append (line, reasons[row->reason]);
  if (row->producer != WP_NO_PRODUCER)
    wp_trace_append_number (line, row->producer);
  g_string_append_c (line, '\n');
  wp_trace_flush (trace, line, 0);
}

static void
wait_for_release (WpTrace *trace, const WpTraceIssue *row)
{
  Issues *issues = trace->state;
  gboolean failed = FALSE;
  guint64 number = wp_spool_append (issues->spool, row, &failed);
  Held held = { number, trace->machine->instrs[row->instr].barrier, row->warp };
  GArray *rows;

  issues->n_waiting++;
  if (failed)
    wp_trace_fail (trace);
  if (row->complete != NOT_KNOWN)
    return;
  rows = g_hash_table_lookup (issues->arrived, &row->block);
  if (rows == NULL)
    {
      rows = g_array_new (FALSE, FALSE, sizeof (Held));
      g_hash_table_insert (issues->arrived, g_memdup2 (&row->block, sizeof row->block), rows);
    }
  g_array_append_val (rows, held);
}

static void
on_issue (void *data, const WpIssueEvent *event)
{
  WpTrace *trace = data;
  Issues *issues = trace->state;
  gboolean barrier = wp_instr_is_barrier (&trace->machine->instrs[event->instr]);
  WpTraceIssue row = { event->time,  event->start,     barrier ? NOT_KNOWN : event->complete,
                       event->block, event->index,     event->producer,
                       event->sm,    event->scheduler, event->warp,
                       event->instr, event->reason };

  trace->over = event->time >= trace->options.window.to && issues->n_waiting == 0;
  if (trace->error_number != 0 || !wp_trace_shows (trace, event->sm, event->time, event->time))
    return;
  if (barrier || issues->n_waiting > 0)
    wait_for_release (trace, &row);
  else
    write_row (trace, &row);
}

static void
write_known (WpTrace *trace)
{
  Issues *issues = trace->state;
  gboolean failed = FALSE;
  const WpTraceIssue *row;

  while (issues->n_waiting > 0 && trace->error_number == 0
         && (row = wp_spool_peek (issues->spool, &failed)) != NULL && row->complete != NOT_KNOWN)
    {
      write_row (trace, row);
      wp_spool_drop (issues->spool);
      issues->n_waiting--;
    }
  if (failed)
    wp_trace_fail (trace);
}

static void
on_barrier_release (void *data, const WpReleaseEvent *event)
{
  WpTrace *trace = data;
  Issues *issues = trace->state;
  GArray *rows = g_hash_table_lookup (issues->arrived, &event->block);
  guint kept = 0;

  for (guint i = 0; trace->error_number == 0 && rows != NULL && i < rows->len; i++)
    {
      const Held *held = &g_array_index (rows, Held, i);

      if (!wp_release_is_of (event, held->name, held->warp))
        g_array_index (rows, Held, kept++) = *held;
      else if (!wp_spool_patch (issues->spool, held->number, offsetof (WpTraceIssue, complete),
                                &event->release, sizeof event->release))
        wp_trace_fail (trace);
    }
  if (kept == 0)
    g_hash_table_remove (issues->arrived, &event->block);
  else
    g_array_set_size (rows, kept);
  write_known (trace);
}

const WpTraceKind wp_trace_issues = {
  .name = "issues table",
  .columns = "time,sm,scheduler,block,warp,index,op,pipeline,start,complete,reason,producer",
  .observer = { .issue = on_issue,
                .barrier_release = on_barrier_release,
                .repeat = wp_trace_repeat,
                .can_repeat = wp_trace_can_repeat },
  .begin = begin,
  .end = write_known,
  .clear = clear,
};
