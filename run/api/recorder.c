/* SPDX-License-Identifier: MIT */
/* Rows come from the recorders that write the tables of the command line (traces/table/), which
 * hand them over before they make text of them: so both have the same rows in the same order. Names
 * in rows that are kept are copied once each, as the kernel and the GPU may be freed before the
 * rows.
 */
#include "run/api/recorder.h"

#include <string.h>

static const WpTraceKind *const kinds[WP_N_RECORDS]
    = { &wp_trace_lifetimes, &wp_trace_occupancy, &wp_trace_issues };
static const guint row_sizes[WP_N_RECORDS]
    = { sizeof (WpLifetimeRow), sizeof (WpOccupancyRow), sizeof (WpIssueRow) };

/* One of its tables. */
typedef struct
{
  WpRecorder *recorder;
  guint kind; /* in the list above; table 1 << kind */
  WpRowFunc func;
  gpointer data;
  GArray *rows;   /* kept, or NULL */
  WpTrace *trace; /* or NULL: none of the simulation that runs */
} Table;

struct WpRecorder
{
  guint wanted; /* a set of WpRecord */
  Table tables[WP_N_RECORDS];
  gint64 ticks_per_cycle;
  gboolean cancelled;         /* by a function that took a row */
  const WpMachine *machine;   /* that is simulated, or NULL */
  GStringChunk *names;        /* of rows that are kept */
  const gchar **ops, **lines; /* [machine->n_names], [n_pipelines]: in `names`; or NULL */
};

G_STATIC_ASSERT ((int)WP_WAIT_START == (int)WP_REASON_START);
G_STATIC_ASSERT ((int)WP_WAIT_BARRIER == (int)WP_REASON_BARRIER);
G_STATIC_ASSERT ((int)WP_WAIT_DEPENDENCY == (int)WP_REASON_DEPENDENCY);
G_STATIC_ASSERT ((int)WP_WAIT_ILP == (int)WP_REASON_ILP);
G_STATIC_ASSERT ((int)WP_WAIT_PAIR == (int)WP_REASON_PAIR);

/* ---- The object ---- */

WpRecorder *
wp_recorder_new (guint tables)
{
  WpRecorder *recorder = g_new0 (WpRecorder, 1);

  recorder->wanted = tables;
  recorder->ticks_per_cycle = 1;
  for (guint i = 0; i < WP_N_RECORDS; i++)
    recorder->tables[i] = (Table){ .recorder = recorder, .kind = i };
  return recorder;
}

static void
forget_rows (WpRecorder *recorder)
{
  for (guint i = 0; i < WP_N_RECORDS; i++)
    g_clear_pointer (&recorder->tables[i].rows, g_array_unref);
  g_clear_pointer (&recorder->names, g_string_chunk_free);
  g_clear_pointer (&recorder->ops, g_free);
  g_clear_pointer (&recorder->lines, g_free);
}

void
wp_recorder_free (WpRecorder *recorder)
{
  if (recorder == NULL)
    return;
  wp_recorder_end (recorder);
  forget_rows (recorder);
  g_free (recorder);
}

void
wp_recorder_set_func (WpRecorder *recorder, WpRecord table, WpRowFunc func, gpointer data)
{
  g_return_if_fail (recorder != NULL);
  recorder->wanted |= table;
  for (guint i = 0; i < WP_N_RECORDS; i++)
    if ((table & 1u << i) != 0)
      {
        recorder->tables[i].func = func;
        recorder->tables[i].data = data;
      }
}

static gconstpointer
get_rows (const WpRecorder *recorder, WpRecord table, gsize *n)
{
  const GArray *rows = NULL;

  for (guint i = 0; i < WP_N_RECORDS; i++)
    if (table == 1u << i)
      rows = recorder->tables[i].rows;
  *n = rows != NULL ? rows->len : 0;
  return *n > 0 ? rows->data : NULL;
}

const WpLifetimeRow *
wp_recorder_get_lifetimes (const WpRecorder *recorder, gsize *n)
{
  g_return_val_if_fail (recorder != NULL && n != NULL, NULL);
  return get_rows (recorder, WP_RECORD_LIFETIMES, n);
}

const WpOccupancyRow *
wp_recorder_get_occupancy (const WpRecorder *recorder, gsize *n)
{
  g_return_val_if_fail (recorder != NULL && n != NULL, NULL);
  return get_rows (recorder, WP_RECORD_OCCUPANCY, n);
}

const WpIssueRow *
wp_recorder_get_issues (const WpRecorder *recorder, gsize *n)
{
  g_return_val_if_fail (recorder != NULL && n != NULL, NULL);
  return get_rows (recorder, WP_RECORD_ISSUES, n);
}

gint64
wp_recorder_get_ticks_per_cycle (const WpRecorder *recorder)
{
  g_return_val_if_fail (recorder != NULL, 1);
  return recorder->ticks_per_cycle;
}

double
wp_ticks_to_cycles (gint64 ticks, gint64 ticks_per_cycle)
{
  return (double)ticks / (double)ticks_per_cycle;
}

char *
wp_ticks_format (gint64 ticks, gint64 ticks_per_cycle)
{
  gchar text[WP_TIME_CHARS];

  return g_strdup (wp_tick_format (ticks, ticks_per_cycle, text));
}

/* ---- Rows ---- */

static WpLifetimeRow
make_lifetime (const WpWarpEvent *event)
{
  return (WpLifetimeRow){ .sm = event->sm,
                          .block = event->block,
                          .warp = event->warp,
                          .slot = event->slot,
                          .scheduler = event->scheduler,
                          .start = event->start,
                          .end = event->end,
                          .issued = event->issued,
                          .barrier = event->stalls[WP_STALL_BARRIER],
                          .dependency = event->stalls[WP_STALL_DEPENDENCY],
                          .ilp = event->stalls[WP_STALL_ILP],
                          .pipeline = event->stalls[WP_STALL_PIPELINE],
                          .not_selected = event->stalls[WP_STALL_NOT_SELECTED],
                          .drain = event->stalls[WP_STALL_DRAIN] };
}

static WpOccupancyRow
make_occupancy (const WpTraceOccupancy *row)
{
  return (WpOccupancyRow){
    .sm = row->sm, .time = row->time, .blocks = row->blocks, .warps = row->warps
  };
}

static WpIssueRow
make_issue (const WpRecorder *recorder, const WpTraceIssue *row)
{
  const WpMachine *machine = recorder->machine;
  const WpInstr *instr = &machine->instrs[row->instr];
  const gchar *op = machine->names[instr->cost->name], *line = "";

  if (instr->cost->pipeline != WP_NO_PIPELINE)
    line = machine->pipelines[instr->cost->pipeline].name;
  if (recorder->ops != NULL)
    op = recorder->ops[instr->cost->name];
  if (recorder->lines != NULL && instr->cost->pipeline != WP_NO_PIPELINE)
    line = recorder->lines[instr->cost->pipeline];
  return (WpIssueRow){ .time = row->time,
                       .sm = row->sm,
                       .scheduler = row->scheduler,
                       .block = row->block,
                       .warp = row->warp,
                       .index = row->index,
                       .op = op,
                       .pipeline = line,
                       .start = row->start,
                       .complete = row->complete,
                       .reason = (WpWait)row->reason,
                       .producer = row->producer };
}

static gboolean
hand_on (Table *table, gconstpointer row)
{
  if (table->func == NULL)
    {
      g_array_append_vals (table->rows, row, 1);
      return TRUE;
    }
  if (table->func (row, table->data))
    return TRUE;
  table->recorder->cancelled = TRUE;
  return FALSE;
}

static gboolean
take_lifetime (gpointer data, gconstpointer row)
{
  WpLifetimeRow taken = make_lifetime (row);

  return hand_on (data, &taken);
}

static gboolean
take_occupancy (gpointer data, gconstpointer row)
{
  WpOccupancyRow taken = make_occupancy (row);

  return hand_on (data, &taken);
}

static gboolean
take_issue (gpointer data, gconstpointer row)
{
  Table *table = data;
  WpIssueRow taken = make_issue (table->recorder, row);

  return hand_on (table, &taken);
}

static const WpTraceTake takers[WP_N_RECORDS] = { take_lifetime, take_occupancy, take_issue };

/* ---- A simulation ---- */

/* Copies the names of ops and pipelines, which rows that are kept point to. */
static void
keep_names (WpRecorder *recorder)
{
  const WpMachine *machine = recorder->machine;

  recorder->names = g_string_chunk_new (1024);
  recorder->ops = g_new (const gchar *, machine->n_names + 1);
  recorder->lines = g_new (const gchar *, machine->n_pipelines + 1);
  for (guint i = 0; i < machine->n_names; i++)
    recorder->ops[i] = g_string_chunk_insert_const (recorder->names, machine->names[i]);
  for (guint i = 0; i < machine->n_pipelines; i++)
    recorder->lines[i] = g_string_chunk_insert_const (recorder->names, machine->pipelines[i].name);
}

static void
begin_table (Table *table, const WpTraceWindow *window)
{
  const WpTraceOptions options
      = { .window = *window, .take = takers[table->kind], .take_data = table };

  table->trace = wp_trace_new (kinds[table->kind], table->recorder->machine, &options, NULL);
  if (table->func == NULL)
    table->rows = g_array_new (FALSE, FALSE, row_sizes[table->kind]);
}

void
wp_recorder_begin (WpRecorder *recorder, const WpSimulation *simulation, const WpRequest *request)
{
  const WpMachine *machine = &simulation->resolved->machine;
  const WpTraceWindow window
      = { wp_trace_find_tick (request->from, machine->ticks_per_cycle),
          request->has_to ? wp_trace_find_tick (request->to, machine->ticks_per_cycle)
                          : WP_TRACE_TO_END,
          request->sm };

  wp_recorder_end (recorder);
  forget_rows (recorder);
  recorder->machine = machine;
  recorder->ticks_per_cycle = machine->ticks_per_cycle;
  recorder->cancelled = FALSE;
  for (guint i = 0; i < WP_N_RECORDS; i++)
    if ((recorder->wanted & 1u << i) != 0)
      begin_table (&recorder->tables[i], &window);
  if (recorder->tables[WP_N_RECORDS - 1].rows != NULL)
    keep_names (recorder);
}

guint
wp_recorder_get_observers (const WpRecorder *recorder, const WpObserver **observers)
{
  guint n = 0;

  for (guint i = 0; i < WP_N_RECORDS; i++)
    if (recorder->tables[i].trace != NULL)
      observers[n++] = &recorder->tables[i].trace->observer;
  return n;
}

static WpWatchState
get_state (gpointer data)
{
  const WpRecorder *recorder = data;
  gboolean over = TRUE;

  for (guint i = 0; i < WP_N_RECORDS; i++)
    {
      const WpTrace *trace = recorder->tables[i].trace;

      if (trace != NULL && trace->error_number != 0)
        return WP_WATCH_FAILED;
      over &= trace == NULL || trace->over;
    }
  return over ? WP_WATCH_OVER : WP_WATCH_MORE;
}

WpWatch
wp_recorder_get_watch (WpRecorder *recorder)
{
  return (WpWatch){ get_state, recorder, "rows are recorded in the order in which things happen" };
}

static gboolean
goes_on (gpointer data)
{
  return wp_options_goes_on (data, 1);
}

static gboolean
finish_table (Table *table, const WpOptions *options, GError **error)
{
  WpTrace *trace = table->trace;
  g_autoptr (GError) problem = NULL;

  if (trace == NULL)
    return TRUE;
  trace->go_on = goes_on;
  trace->go_on_data = (gpointer)options;
  if (wp_trace_finish (trace, &problem) && !trace->stopped)
    return TRUE;
  if (table->recorder->cancelled || trace->stopped)
    return wp_api_cancelled (error);
  g_set_error_literal (error, WP_ERROR, WP_ERROR_WRITE, problem->message);
  return FALSE;
}

gboolean
wp_recorder_finish (WpRecorder *recorder, const WpOptions *options, GError **error)
{
  for (guint i = 0; i < WP_N_RECORDS; i++)
    if (!finish_table (&recorder->tables[i], options, error))
      return FALSE;
  return TRUE;
}

void
wp_recorder_end (WpRecorder *recorder)
{
  for (guint i = 0; i < WP_N_RECORDS; i++)
    g_clear_pointer (&recorder->tables[i].trace, wp_trace_free);
  recorder->machine = NULL;
}
