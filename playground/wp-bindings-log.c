/* SPDX-License-Identifier: MIT */
/* Tables in memory, up to a limit, as a page shows only a part of a long run. */
#include "wp-bindings.h"

#include <stdlib.h>
#include <string.h>

#define EXACT (INT64_C (1) << 53) /* from here on doubles round */
#define NOT_KNOWN (-1.0)

static bool
grow (WpBindingsTable *table, uint32_t limit)
{
  uint32_t room = table->room == 0 ? 256 : table->room < limit / 2 ? 2 * table->room : limit;

  room = room < limit ? room : limit;
  for (uint32_t c = 0; c < table->n_columns; c++)
    {
      double *column = realloc (table->columns[c], room * sizeof *column);

      if (column == NULL)
        return false;
      table->columns[c] = column;
    }
  table->room = room;
  return true;
}

/* The most rows of a table: an instruction may pass several pipelines. */
static uint32_t
get_limit (const WpBindingsLog *log, WpBindingsTableKind kind)
{
  return kind == WP_BINDINGS_PASSES && log->limit < UINT32_MAX / 4 ? 4 * log->limit : log->limit;
}

/* Appends a row of VALUES at TIME, unless the limit is reached. */
static bool
add_row (WpBindingsLog *log, WpBindingsTableKind kind, const double *values, WpTick time)
{
  WpBindingsTable *table = &log->tables[kind];
  uint32_t limit = get_limit (log, kind);

  if (log->over || table->n >= limit || (table->n == table->room && !grow (table, limit)))
    {
      log->until = log->over ? log->until : time;
      log->over = true;
      return false;
    }
  for (uint32_t c = 0; c < table->n_columns; c++)
    table->columns[c][table->n] = values[c];
  table->n++;
  return true;
}

static void
add_open (WpBindingsLog *log, WpBindingsOpen *open, uint32_t row, WpTick time)
{
  if (open->n == open->room)
    {
      uint32_t room = open->room == 0 ? 64 : 2 * open->room;
      uint32_t *rows = realloc (open->rows, room * sizeof *rows);

      if (rows == NULL)
        {
          log->until = log->over ? log->until : time;
          log->over = true;
          return;
        }
      open->rows = rows;
      open->room = room;
    }
  open->rows[open->n++] = row;
}

static double
as_known (WpTick time)
{
  return time < EXACT ? (double)time : NOT_KNOWN;
}

/* Writes the end into the open row of a block, and closes it. O(open rows), which is
 * O(resident blocks). */
static void
fill_in_end (WpBindingsLog *log, const WpBlockEvent *event)
{
  const WpBindingsTable *table = &log->tables[WP_BINDINGS_BLOCKS];
  uint32_t kept = 0;

  for (uint32_t i = 0; i < log->blocks.n; i++)
    {
      uint32_t row = log->blocks.rows[i];

      if (table->columns[0][row] == (double)event->block)
        table->columns[3][row] = as_known (event->time);
      else
        log->blocks.rows[kept++] = row;
    }
  log->blocks.n = kept;
}

/* Writes a release into the open rows that it is of, and closes them. O(open rows), which is
 * O(resident warps). */
static void
fill_in_release (WpBindingsLog *log, const WpReleaseEvent *event)
{
  const WpBindingsTable *table = &log->tables[WP_BINDINGS_ISSUES];
  uint32_t kept = 0;

  for (uint32_t i = 0; i < log->barriers.n; i++)
    {
      uint32_t row = log->barriers.rows[i];
      uint32_t warp = (uint32_t)table->columns[11][row], instr = (uint32_t)table->columns[12][row];

      if (table->columns[5][row] == (double)event->block
          && wp_release_is_of (event, log->machine->instrs[instr].cost->barrier, warp))
        table->columns[2][row] = as_known (event->release);
      else
        log->barriers.rows[kept++] = row;
    }
  log->barriers.n = kept;
}

static bool
is_exact (WpBindingsLog *log, WpTick time, WpTick latest, uint64_t number)
{
  if (latest < EXACT && number < (uint64_t)EXACT)
    return true;
  log->until = log->over ? log->until : time;
  log->over = true;
  return false;
}

/* Whether what happens on SM is not wanted. */
static bool
leaves_out (const WpBindingsLog *log, uint32_t sm)
{
  return log->first && sm > 0;
}

static void
on_block_launch (void *data, const WpBlockEvent *event)
{
  WpBindingsLog *log = data;
  const double row[] = { (double)event->block, event->sm, (double)event->time, NOT_KNOWN };

  if (leaves_out (log, event->sm))
    return;
  if (is_exact (log, event->time, event->time, event->block)
      && add_row (log, WP_BINDINGS_BLOCKS, row, event->time))
    add_open (log, &log->blocks, log->tables[WP_BINDINGS_BLOCKS].n - 1, event->time);
}

static void
on_block_end (void *data, const WpBlockEvent *event)
{
  WpBindingsLog *log = data;

  if (!log->over && !leaves_out (log, event->sm))
    fill_in_end (log, event);
}

/* INSTR, whose issue at TIME is row ISSUE, begins at START in a pipeline, at PLACE of its path. */
static void
add_pass (WpBindingsLog *log, WpTick time, WpTick start, double issue, uint32_t instr, uint32_t at,
          uint32_t sm)
{
  const double row[] = { (double)start, issue, instr, at, sm };

  if (is_exact (log, time, start, 0))
    add_row (log, WP_BINDINGS_PASSES, row, time);
}

/* Whether PIPELINE of an SM is that of the first. */
static bool
is_of_first (const WpBindingsLog *log, uint32_t pipeline, uint32_t sm)
{
  return sm < wp_pipeline_get_shared (&log->machine->pipelines[pipeline]);
}

/* The issue of another SM. */
static void
note_other (WpBindingsLog *log, const WpIssueEvent *event)
{
  uint32_t pipeline = log->machine->instrs[event->instr].cost->pipeline;

  if (pipeline != WP_NO_PIPELINE && is_of_first (log, pipeline, event->sm))
    add_pass (log, event->time, event->start, NOT_KNOWN, event->instr, 0, event->sm);
}

/* It comes right behind its issue, which is the last row where that is kept. */
static void
on_pass (void *data, const WpPassEvent *event)
{
  WpBindingsLog *log = data;
  const WpInstr *instr = &log->machine->instrs[event->instr];
  uint32_t pipeline = log->machine->passes[event->pass].pipeline,
           at = event->pass - instr->cost->first_pass + 1;
  bool other = leaves_out (log, event->sm);

  if (!other)
    add_pass (log, event->time, event->start, log->tables[WP_BINDINGS_ISSUES].n - 1.0, event->instr,
              at, event->sm);
  else if (is_of_first (log, pipeline, event->sm))
    add_pass (log, event->time, event->start, NOT_KNOWN, event->instr, at, event->sm);
}

static void
on_issue (void *data, const WpIssueEvent *event)
{
  WpBindingsLog *log = data;
  bool barrier = wp_instr_is_barrier (&log->machine->instrs[event->instr]);
  WpTick complete = barrier ? event->time : event->complete;
  const double row[] = { (double)event->time,
                         (double)event->start,
                         barrier ? NOT_KNOWN : (double)complete,
                         (double)event->ready,
                         (double)event->accept,
                         (double)event->block,
                         (double)event->index,
                         event->producer == WP_NO_PRODUCER ? NOT_KNOWN : (double)event->producer,
                         event->sm,
                         event->scheduler,
                         event->slot,
                         event->warp,
                         event->instr,
                         event->follows,
                         event->reason,
                         event->producer_instr };
  WpTick latest = complete > event->start ? complete : event->start;

  if (leaves_out (log, event->sm))
    {
      note_other (log, event);
      return;
    }
  if (is_exact (log, event->time, latest, event->block)
      && add_row (log, WP_BINDINGS_ISSUES, row, event->time) && barrier)
    add_open (log, &log->barriers, log->tables[WP_BINDINGS_ISSUES].n - 1, event->time);
}

static void
on_barrier_release (void *data, const WpReleaseEvent *event)
{
  WpBindingsLog *log = data;

  if (!log->over && !leaves_out (log, event->sm))
    fill_in_release (log, event);
}

static void
on_warp_end (void *data, const WpWarpEvent *event)
{
  WpBindingsLog *log = data;
  double row[10 + WP_N_STALLS - 1] = { (double)event->end,    event->sm,
                                       event->slot,           (double)event->age,
                                       (double)event->block,  event->warp,
                                       event->scheduler,      (double)event->start,
                                       (double)event->issued, event->producer_instr };

  if (leaves_out (log, event->sm))
    return;
  for (int i = 0; i < WP_STALL_DRAIN; i++)
    row[10 + i] = (double)event->stalls[i];
  if (is_exact (log, event->end, event->end, event->block))
    add_row (log, WP_BINDINGS_LIFETIMES, row, event->end);
}

void
wp_bindings_log_init (WpBindingsLog *log, const WpMachine *machine, uint32_t limit, bool first)
{
  static const uint32_t n_columns[WP_BINDINGS_N_TABLES] = { 16, 10 + WP_N_STALLS - 1, 4, 5 };

  *log = (WpBindingsLog){ .machine = machine, .limit = limit, .first = first };
  for (int i = 0; i < WP_BINDINGS_N_TABLES; i++)
    log->tables[i].n_columns = n_columns[i];
}

void
wp_bindings_log_clear (WpBindingsLog *log)
{
  for (int i = 0; i < WP_BINDINGS_N_TABLES; i++)
    for (uint32_t c = 0; c < WP_BINDINGS_MAX_COLUMNS; c++)
      free (log->tables[i].columns[c]);
  free (log->barriers.rows);
  free (log->blocks.rows);
  memset (log, 0, sizeof *log);
}

WpObserver
wp_bindings_log_get_observer (WpBindingsLog *log)
{
  return (WpObserver){ .data = log,
                       .block_launch = on_block_launch,
                       .issue = on_issue,
                       .pass = on_pass,
                       .barrier_release = on_barrier_release,
                       .warp_end = on_warp_end,
                       .block_end = on_block_end };
}
