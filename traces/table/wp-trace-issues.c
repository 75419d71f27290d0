/* SPDX-License-Identifier: MIT */
/* Every issue, in order. A barrier's row has its release, which is not known when it issues: it
 * waits in a queue, and all rows behind it wait with it. As every barrier is released in the end
 * of a run that has one, so is the queue.
 */
#include "idg/kernel/idg-text.h"
#include "traces/table/wp-spool.h"
#include "traces/table/wp-trace.h"

#include <stddef.h>
#include <string.h>

#define NOT_KNOWN (-1) /* `complete` of a barrier that is not released */

typedef struct
{
  WpSpool *spool; /* of WpTraceIssue: the first is a barrier that is not released, or it is empty */
  guint64 n_waiting; /* rows in it */
  gsize longest;     /* bytes of a row */
  gsize n_cells;
  GString **cells;     /* [op's name][pipeline]: ",OP,PIPELINE,", as soon as it is needed */
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

/* The longest row. */
static gsize
find_longest (const WpMachine *machine)
{
  gsize name = 0, pipeline = 0;

  for (guint32 i = 0; i < machine->n_names; i++)
    name = MAX (name, strlen (machine->names[i]));
  for (guint32 i = 0; i < machine->n_pipelines; i++)
    pipeline = MAX (pipeline, strlen (machine->pipelines[i].name));
  return 10 * WP_TIME_CHARS + strlen ("''") + name + pipeline;
}

static gsize
count_cells (const WpMachine *machine)
{
  return (gsize)machine->n_names * (machine->n_pipelines + 1);
}

static gpointer
begin (WpTrace *trace)
{
  Issues *issues = g_new0 (Issues, 1);

  issues->longest = find_longest (trace->machine);
  issues->spool = wp_spool_new (sizeof (WpTraceIssue));
  issues->n_cells = count_cells (trace->machine);
  issues->cells = g_new0 (GString *, issues->n_cells);
  issues->arrived
      = g_hash_table_new_full (hash_block, g_int64_equal, g_free, (GDestroyNotify)g_array_unref);
  return issues;
}

static void
clear (gpointer state)
{
  Issues *issues = state;

  for (gsize i = 0; i < issues->n_cells; i++)
    if (issues->cells[i] != NULL)
      g_string_free (issues->cells[i], TRUE);
  g_free (issues->cells);
  wp_spool_free (issues->spool);
  g_hash_table_unref (issues->arrived);
  g_free (issues);
}

/* Texts are short: a call of memcpy() would take longer. */
static gchar *
append_text (gchar *at, const gchar *text)
{
  while (*text != '\0')
    *at++ = *text++;
  return at;
}

/* Few names begin as a formula does: letters come after all that these begin with. */
static void
add_name (GString *text, const gchar *name)
{
  if (*name <= '@' && idg_text_is_formula (name))
    g_string_append_c (text, '\'');
  g_string_append (text, name);
  g_string_append_c (text, ',');
}

/* ",OP,PIPELINE," of COST: texts that are put together once, as most rows repeat them. */
static const GString *
get_cells (const Issues *issues, const WpMachine *machine, const WpCost *cost)
{
  gboolean has_pipeline = cost->pipeline != WP_NO_PIPELINE;
  guint32 column = has_pipeline ? cost->pipeline : machine->n_pipelines;
  GString **text = &issues->cells[(gsize)cost->name * (machine->n_pipelines + 1) + column];

  if (*text == NULL)
    {
      *text = g_string_new (",");
      add_name (*text, machine->names[cost->name]);
      add_name (*text, has_pipeline ? machine->pipelines[cost->pipeline].name : "");
    }
  return *text;
}

static gchar *
append_number (gchar *at, guint64 number)
{
  *at++ = ',';
  if (number >= 10)
    return wp_whole_write (number, at);
  *at = (gchar)('0' + number);
  return at + 1;
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
  const WpMachine *machine = trace->machine;
  const Issues *issues = trace->state;
  const GString *cells;
  gchar *first, *at;
  gsize n_first;

  if (wp_trace_take (trace, row))
    return;
  cells = get_cells (issues, machine, machine->instrs[row->instr].cost);
  first = wp_trace_begin_row (trace, issues->longest);
  at = wp_trace_write_time (trace, row->time, first);
  n_first = (gsize)(at - first);
  at = append_number (at, row->sm);
  at = append_number (at, row->scheduler);
  at = append_number (at, row->block);
  at = append_number (at, row->warp);
  at = append_number (at, row->index);
  memcpy (at, cells->str, cells->len);
  at += cells->len;
  if (row->start == row->time) /* mostly */
    at = (gchar *)memcpy (at, first, n_first) + n_first;
  else
    at = wp_trace_write_time (trace, row->start, at);
  *at++ = ',';
  at = wp_trace_write_time (trace, row->complete, at);
  at = append_text (at, reasons[row->reason]);
  if (row->producer != WP_NO_PRODUCER)
    at = wp_whole_write (row->producer, at);
  *at++ = '\n';
  wp_trace_end_row (trace, at);
}

static void
wait_for_release (WpTrace *trace, const WpTraceIssue *row)
{
  Issues *issues = trace->state;
  gboolean failed = FALSE;
  guint64 number = wp_spool_append (issues->spool, row, &failed);
  Held held = { number, trace->machine->instrs[row->instr].cost->barrier, row->warp };
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
