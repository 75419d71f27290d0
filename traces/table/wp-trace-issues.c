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
#define WARPS 1024     /* whose text is kept */

/* ",OP,PIPELINE,", which may be longer than what WpText has room for. */
typedef struct
{
  gsize n;
  gchar text[WP_TEXT_ROOM]; /* or [n], where that is more */
} Cells;

/* What all rows of a resident warp repeat: ",SM,SCHEDULER,BLOCK,WARP,". */
typedef struct
{
  guint64 block;
  guint32 sm, scheduler, warp;
  WpText text; /* empty: the place is free */
} Warp;

typedef struct
{
  WpSpool *spool; /* of WpTraceIssue: the first is a barrier that is not released, or it is empty */
  guint64 n_waiting; /* rows in it */
  gsize longest;     /* bytes of a row */
  gsize n_cells;
  Cells **cells;       /* [op's name][pipeline], each as soon as it is needed */
  Warp *warps;         /* [WARPS]: each at a place of its own */
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
  issues->cells = g_new0 (Cells *, issues->n_cells);
  issues->warps = g_new0 (Warp, WARPS);
  issues->arrived
      = g_hash_table_new_full (hash_block, g_int64_equal, g_free, (GDestroyNotify)g_array_unref);
  return issues;
}

static void
clear (gpointer state)
{
  Issues *issues = state;

  for (gsize i = 0; i < issues->n_cells; i++)
    g_free (issues->cells[i]);
  g_free (issues->cells);
  g_free (issues->warps);
  wp_spool_free (issues->spool);
  g_hash_table_unref (issues->arrived);
  g_free (issues);
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

static Cells *
make_cells (const WpMachine *machine, const WpCost *cost)
{
  g_autoptr (GString) text = g_string_new (",");
  Cells *cells;

  add_name (text, machine->names[cost->name]);
  add_name (text, cost->pipeline != WP_NO_PIPELINE ? machine->pipelines[cost->pipeline].name : "");
  cells = g_malloc0 (offsetof (Cells, text) + MAX (text->len, WP_TEXT_ROOM));
  cells->n = text->len;
  memcpy (cells->text, text->str, text->len);
  return cells;
}

/* Texts that are put together once, as most rows repeat them. */
static gchar *
write_cells (const Issues *issues, const WpMachine *machine, const WpCost *cost, gchar *at)
{
  guint32 column = cost->pipeline != WP_NO_PIPELINE ? cost->pipeline : machine->n_pipelines;
  Cells **cells = &issues->cells[(gsize)cost->name * (machine->n_pipelines + 1) + column];

  if (*cells == NULL)
    *cells = make_cells (machine, cost);
  memcpy (at, (*cells)->text, WP_TEXT_ROOM);
  if (G_UNLIKELY ((*cells)->n > WP_TEXT_ROOM))
    memcpy (at, (*cells)->text, (*cells)->n);
  return at + (*cells)->n;
}

static gchar *
write_numbers (const WpTraceIssue *row, gchar *at)
{
  const guint64 numbers[] = { row->sm, row->scheduler, row->block, row->warp };

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      *at++ = ',';
      at = wp_row_write_whole (numbers[i], at);
    }
  *at++ = ',';
  return at;
}

/* WARP's text becomes that of ROW's, which is at TEXT and has N bytes, where there is room. */
static void
keep_warp (Warp *warp, const WpTraceIssue *row, const gchar *text, gsize n)
{
  if (n > WP_TEXT_ROOM)
    return;
  *warp = (Warp){ row->block, row->sm, row->scheduler, row->warp, { .n = (guint8)n } };
  memcpy (warp->text.text, text, n);
}

static gchar *
write_warp (const Issues *issues, const WpMachine *machine, const WpTraceIssue *row, gchar *at)
{
  Warp *warp = &issues->warps[(row->block * machine->warps_per_block + row->warp) % WARPS];
  gchar *end;

  if (warp->block == row->block && warp->warp == row->warp && warp->sm == row->sm
      && warp->scheduler == row->scheduler && warp->text.n > 0)
    return wp_text_write (&warp->text, at);
  end = write_numbers (row, at);
  keep_warp (warp, row, at, (gsize)(end - at));
  return end;
}

static gchar *
write_reason (WpReason reason, gchar *at)
{
  static const struct
  {
    gchar text[15];
    guint8 n;
  } reasons[WP_N_REASONS] = { [WP_REASON_START] = { ",start,", 7 },
                              [WP_REASON_BARRIER] = { ",barrier,", 9 },
                              [WP_REASON_DEPENDENCY] = { ",dependency,", 12 },
                              [WP_REASON_ILP] = { ",ilp,", 5 },
                              [WP_REASON_PAIR] = { ",pair,", 6 } };

  memcpy (at, reasons[reason].text, sizeof reasons[reason].text);
  return at + reasons[reason].n;
}

/* Piece by piece: printf() would take most of the time of the run. */
static void
write_row (WpTrace *trace, const WpTraceIssue *row)
{
  const WpMachine *machine = trace->machine;
  const Issues *issues = trace->state;
  gchar time[32]; /* as 2^62 has 19 digits, and a fraction six */
  gsize n_time;
  gchar *at;

  if (trace->options.take != NULL)
    {
      wp_trace_take (trace, row);
      return;
    }
  n_time = (gsize)(wp_row_write_time (trace->times, row->time, time) - time);
  at = wp_trace_begin_row (trace, issues->longest);
  memcpy (at, time, sizeof time);
  at = write_warp (issues, machine, row, at + n_time);
  at = wp_row_write_whole (row->index, at);
  at = write_cells (issues, machine, machine->instrs[row->instr].cost, at);
  if (row->start == row->time) /* mostly */
    at = (gchar *)memcpy (at, time, sizeof time) + n_time;
  else
    at = wp_row_write_time (trace->times, row->start, at);
  *at++ = ',';
  at = wp_row_write_time (trace->times, row->complete, at);
  at = write_reason (row->reason, at);
  if (row->producer != WP_NO_PRODUCER)
    at = wp_row_write_whole (row->producer, at);
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
