/* SPDX-License-Identifier: MIT */
/* Records a drawing of characters: a row for each warp slot and each pipeline, a column for a
 * stretch of time.
 *
 * Cells are filled as events happen and drawn at the end; their number is limited, however long the
 * run is. If the end of the window is given, everything up to it must fit in the width, but the
 * length of the run is not known yet: a column begins as short as possible, and is doubled whenever
 * time passes the right edge. If it is not given, a column is a cycle, and the width is the window.
 *
 *   slot 0   C---C---M###=======     waits are known when the warp issues: a cell keeps the
 *            ^ issue     ^ wait      longest part of it; an issue, which takes no time, goes first
 */
#include "traces/draw/wp-timeline.h"

#include <string.h>

/* ---- Setup ---- */

static guint
count_digits (guint64 n)
{
  guint digits = 1;

  for (; n >= 10; n /= 10)
    digits++;
  return digits;
}

/* Returns the columns of the widest label, and one for a space. */
static guint
find_label_width (const WpTimeline *timeline, const WpMachine *machine)
{
  guint64 groups = MIN (machine->resident_blocks, MAX (machine->n_blocks, 1));
  guint width = (guint)strlen ("0 warp ") + count_digits (machine->warps_per_block - 1);

  width = MAX (width, (guint)strlen ("  block ") + count_digits (machine->n_blocks));
  if (machine->warps_per_block > 1)
    width = MAX (width, (guint)strlen ("  slots -")
                            + 2 * count_digits (groups * machine->warps_per_block - 1));
  for (guint i = 0; i < timeline->rows->len; i++)
    {
      g_autofree gchar *label = wp_timeline_make_label (
          machine, &g_array_index (timeline->rows, WpTimelineRow, i), machine->simulated_sms - 1);

      width = MAX (width, (guint)g_utf8_strlen (label, -1));
    }
  return MIN (width, 24) + 1;
}

/* Returns the initial length of a column: a cycle, or the smallest fraction of one with which the
 * given window fits. */
static WpTick
choose_column (const WpTimeline *timeline, const WpMachine *machine)
{
  WpTick cycle = machine->ticks_per_cycle, column = cycle;

  if (!timeline->fits)
    return cycle;
  for (WpTick parts = 1; parts <= timeline->n_columns && parts <= cycle; parts++)
    if (cycle % parts == 0
        && (timeline->to - timeline->from - 1) / (cycle / parts) < (WpTick)timeline->n_columns)
      column = cycle / parts;
  return column;
}

static gpointer
begin (WpTrace *trace)
{
  WpTimeline *timeline = g_new0 (WpTimeline, 1);
  const WpTraceWindow *window = &trace->options.window;
  const WpMachine *machine = trace->machine;

  timeline->machine = machine;
  timeline->letters = wp_timeline_choose_letters (machine);
  timeline->rows = wp_timeline_find_rows (machine, &timeline->first_row);
  timeline->label = find_label_width (timeline, machine);
  timeline->n_columns = MAX (trace->options.style.width, timeline->label + 20) - timeline->label;
  timeline->from = window->from;
  timeline->fits = window->to != WP_TRACE_TO_END;
  timeline->to = MIN (window->to, WP_TICK_LIMIT);
  timeline->column = choose_column (timeline, machine);
  if (!timeline->fits
      && (WP_TICK_LIMIT - timeline->from) / timeline->column > (WpTick)timeline->n_columns)
    timeline->to = timeline->from + timeline->column * timeline->n_columns;
  trace->follow = wp_follow_new (machine, FALSE, timeline->to);
  timeline->sms = g_new0 (WpTimelineSm, machine->simulated_sms);
  return timeline;
}

static void
free_cells (WpTimelineCell **cells, guint32 n)
{
  for (guint32 i = 0; i < n; i++)
    g_free (cells[i]);
  g_free (cells);
}

static void
clear_sm (WpTimelineSm *sm, const WpTimeline *timeline, const WpMachine *machine)
{
  for (guint i = 0; sm->groups != NULL && i < sm->groups->len; i++)
    {
      WpTimelineGroup *group = g_ptr_array_index (sm->groups, i);

      if (group == NULL)
        continue;
      free_cells (group->cells, machine->warps_per_block);
      g_free (group->marks);
      g_free (group);
    }
  g_clear_pointer (&sm->groups, g_ptr_array_unref);
  for (guint i = 0; sm->uses != NULL && i < timeline->rows->len; i++)
    g_free (sm->uses[i]);
  g_free (sm->uses);
}

static void
clear (gpointer state)
{
  WpTimeline *timeline = state;

  for (guint32 i = 0; i < timeline->machine->simulated_sms; i++)
    clear_sm (&timeline->sms[i], timeline, timeline->machine);
  g_free (timeline->sms);
  g_array_unref (timeline->rows);
  g_free (timeline->letters);
  g_free (timeline->first_row);
  g_free (timeline);
}

/* ---- Columns that grow ---- */

/* Ranks two issues in one cell: barriers, then memory, then others, because the rarer one is more
 * informative; among equals, the later one counts. */
static guint
get_rank (const WpMachine *machine, guint8 letter)
{
  if (letter == 0)
    return 0;
  return letter > machine->n_pipelines ? 3 : machine->pipelines[letter - 1].memory ? 2 : 1;
}

static WpTimelineCell
join_cells (const WpMachine *machine, const WpTimelineCell *a, const WpTimelineCell *b)
{
  WpTimelineCell both = b->share > a->share ? *b : *a;

  if (a->state == b->state && a->waits == b->waits)
    both.share = a->share + b->share;
  both.letter
      = get_rank (machine, b->letter) >= get_rank (machine, a->letter) ? b->letter : a->letter;
  both.keeps = b->busy > a->busy ? b->keeps : a->keeps;
  both.busy = a->busy + b->busy;
  return both;
}

static WpTimelineUse
join_uses (const WpTimelineUse *a, const WpTimelineUse *b)
{
  WpTimelineUse both = b->share > a->share || a->slot == 0 ? *b : *a;

  if (a->slot == b->slot)
    both.share = a->share + b->share;
  both.n_starts = a->n_starts + b->n_starts;
  both.busy = a->busy + b->busy;
  return both;
}

static WpTimelineMark
join_marks (const WpTimelineMark *a, const WpTimelineMark *b)
{
  return (WpTimelineMark){ b->n_starts > 0 ? b->block : a->block, a->n_starts + b->n_starts,
                           b->n_starts > 0 || b->ends ? b->ends : a->ends };
}

#define HALVE(row, n, join)                                                                        \
  do                                                                                               \
    {                                                                                              \
      for (guint c = 0; c < (n); c++)                                                              \
        {                                                                                          \
          if (2 * c + 1 < (n))                                                                     \
            (row)[c] = join (&(row)[2 * c], &(row)[2 * c + 1]);                                    \
          else if (2 * c < (n))                                                                    \
            (row)[c] = (row)[2 * c];                                                               \
          else                                                                                     \
            memset (&(row)[c], 0, sizeof (row)[c]);                                                \
        }                                                                                          \
    }                                                                                              \
  while (0)
#define JOIN_CELLS(a, b) join_cells (machine, a, b)

static void
halve_sm (const WpTimeline *timeline, const WpMachine *machine, WpTimelineSm *sm)
{
  guint n = timeline->n_columns;

  for (guint i = 0; sm->groups != NULL && i < sm->groups->len; i++)
    {
      WpTimelineGroup *group = g_ptr_array_index (sm->groups, i);

      if (group == NULL)
        continue;
      for (guint32 k = 0; k < machine->warps_per_block; k++)
        HALVE (group->cells[k], n, JOIN_CELLS);
      HALVE (group->marks, n, join_marks);
    }
  for (guint i = 0; sm->uses != NULL && i < timeline->rows->len; i++)
    if (sm->uses[i] != NULL)
      HALVE (sm->uses[i], n, join_uses);
}

/* Doubles the columns until TIME, which is shown, has one. */
static void
reach (WpTrace *trace, WpTick time)
{
  WpTimeline *timeline = trace->state;

  while ((time - timeline->from) / timeline->column >= (WpTick)timeline->n_columns)
    {
      for (guint32 i = 0; i < trace->machine->simulated_sms; i++)
        halve_sm (timeline, trace->machine, &timeline->sms[i]);
      timeline->column *= 2;
    }
}

/* Clips FROM <= t < TO to the window. Returns false if nothing is left. */
static gboolean
cut (WpTrace *trace, WpTick *from, WpTick *to)
{
  const WpTimeline *timeline = trace->state;

  *from = MAX (*from, timeline->from);
  *to = MIN (*to, timeline->to);
  if (*from >= *to)
    return FALSE;
  reach (trace, *to - 1);
  return TRUE;
}

static guint
get_column (const WpTimeline *timeline, WpTick time)
{
  return (guint)((time - timeline->from) / timeline->column);
}

/* Returns how much of column C is in FROM <= t < TO. */
static WpTick
get_overlap (const WpTimeline *timeline, guint c, WpTick from, WpTick to)
{
  WpTick start = timeline->from + c * timeline->column;
  WpTick end = WP_TICK_LIMIT - start < timeline->column ? WP_TICK_LIMIT : start + timeline->column;

  return MIN (end, to) - MAX (start, from);
}

/* ---- Filling ---- */

/* Returns the group, or NULL if nothing of it is shown so far. */
static WpTimelineGroup *
find_group (const WpTimeline *timeline, guint32 sm, guint32 number)
{
  const GPtrArray *groups = timeline->sms[sm].groups;

  return groups != NULL && number < groups->len ? g_ptr_array_index (groups, number) : NULL;
}

/* Counts N more cells. Returns false if they are too many, and from then on. */
static gboolean
is_room_for (WpTimeline *timeline, guint64 n)
{
  timeline->hides |= timeline->n_cells + n > WP_TIMELINE_MAX_CELLS;
  if (!timeline->hides)
    timeline->n_cells += n;
  return !timeline->hides;
}

/* Returns the group, and makes room for it if necessary. NULL: it is not drawn. */
static WpTimelineGroup *
get_group (WpTrace *trace, guint32 sm, guint32 number)
{
  WpTimeline *timeline = trace->state;
  guint32 n = trace->machine->warps_per_block;
  GPtrArray **groups = &timeline->sms[sm].groups;
  WpTimelineGroup *group;

  if (*groups == NULL)
    *groups = g_ptr_array_new ();
  if (number >= (*groups)->len)
    g_ptr_array_set_size (*groups, (gint)number + 1);
  group = g_ptr_array_index (*groups, number);
  if (group != NULL)
    return group;
  if (!is_room_for (timeline, ((guint64)n + 1) * timeline->n_columns))
    return NULL;
  group = g_new0 (WpTimelineGroup, 1);
  group->cells = g_new0 (WpTimelineCell *, n);
  for (guint32 i = 0; i < n; i++)
    group->cells[i] = g_new0 (WpTimelineCell, timeline->n_columns);
  group->marks = g_new0 (WpTimelineMark, timeline->n_columns);
  g_ptr_array_index (*groups, number) = group;
  return group;
}

static WpTimelineCell *
get_cells (WpTrace *trace, guint32 sm, guint32 slot)
{
  guint32 n = trace->machine->warps_per_block;
  const WpTimelineGroup *group = get_group (trace, sm, slot / n);

  return group == NULL ? NULL : group->cells[slot % n];
}

static void
paint_state (WpTrace *trace, const WpFollowWarp *warp, guint8 state, guint32 pipeline, WpTick from,
             WpTick to)
{
  const WpTimeline *timeline = trace->state;
  guint8 waits = pipeline == WP_NO_PIPELINE ? WP_TIMELINE_NONE : (guint8)pipeline;
  WpTimelineCell *cells;

  if (!cut (trace, &from, &to))
    return;
  cells = get_cells (trace, warp->sm, warp->slot);
  if (cells == NULL)
    return;
  for (guint c = get_column (timeline, from); c <= get_column (timeline, to - 1); c++)
    {
      WpTick share = get_overlap (timeline, c, from, to);
      WpTimelineCell *cell = &cells[c];

      if (cell->state == state && cell->waits == waits)
        cell->share += share;
      else if (share > cell->share)
        {
          cell->state = state;
          cell->waits = waits;
          cell->share = share;
        }
    }
}

static void
paint_wait (WpTrace *trace, const WpFollowWarp *warp, const WpFollowWait *wait)
{
  guint8 state = wait->stall == WP_STALL_DRAIN && wait->pipeline == WP_NO_PIPELINE
                     ? WP_TIMELINE_AT_BARRIER
                     : (guint8)(wait->stall + 1);
  gboolean result = wait->stall == WP_STALL_DEPENDENCY || wait->stall == WP_STALL_DRAIN;

  paint_state (trace, warp, state, result ? wait->pipeline : WP_NO_PIPELINE, wait->from, wait->to);
}

static void
paint_letter (WpTrace *trace, const WpFollowWarp *warp, const WpIssueEvent *event)
{
  const WpTimeline *timeline = trace->state;
  const WpMachine *machine = trace->machine;
  guint32 pipeline = machine->instrs[event->instr].cost->pipeline;
  guint8 letter = (guint8)(pipeline == WP_NO_PIPELINE ? machine->n_pipelines + 1 : pipeline + 1);
  WpTick from = event->time, to = event->time + 1;
  WpTimelineCell *cell;

  if (!cut (trace, &from, &to) || from != event->time)
    return;
  cell = get_cells (trace, warp->sm, warp->slot);
  if (cell == NULL)
    return;
  cell += get_column (timeline, from);
  if (get_rank (machine, letter) >= get_rank (machine, cell->letter))
    cell->letter = letter;
}

/* Paints the time for which the warp's instruction occupies its pipeline. */
static void
paint_busy (WpTrace *trace, const WpFollowWarp *warp, guint32 pipeline, WpTick from, WpTick to)
{
  const WpTimeline *timeline = trace->state;
  WpTimelineCell *cells;

  if (!cut (trace, &from, &to))
    return;
  cells = get_cells (trace, warp->sm, warp->slot);
  if (cells == NULL)
    return;
  for (guint c = get_column (timeline, from); c <= get_column (timeline, to - 1); c++)
    {
      cells[c].busy += get_overlap (timeline, c, from, to);
      cells[c].keeps = (guint8)pipeline;
    }
}

/* Returns NULL if there are too many to be drawn. */
static WpTimelineUse *
get_uses (WpTrace *trace, const WpIssueEvent *event, guint32 pipeline)
{
  WpTimeline *timeline = trace->state;
  const WpPipelineDesc *desc = &trace->machine->pipelines[pipeline];
  guint32 k = wp_pipeline_get_shared (desc);
  WpTimelineSm *sm = &timeline->sms[event->sm / k * k];
  guint32 row = timeline->first_row[pipeline] + (desc->per_scheduler ? event->scheduler : 0);

  if (sm->uses == NULL)
    sm->uses = g_new0 (WpTimelineUse *, timeline->rows->len);
  if (sm->uses[row] == NULL && is_room_for (timeline, timeline->n_columns))
    sm->uses[row] = g_new0 (WpTimelineUse, timeline->n_columns);
  return sm->uses[row];
}

static void
paint_use (WpTrace *trace, const WpIssueEvent *event, WpStay stay)
{
  const WpTimeline *timeline = trace->state;
  WpTick from = stay.from;
  WpTick to = MAX (stay.to, stay.from + 1); /* an instruction that takes no time is shown, too */
  guint32 slot = (wp_trace_is_shared (trace->machine, stay.pipeline) ? event->sm : event->slot) + 1;
  WpTimelineUse *uses;

  if (!wp_trace_shows_use (trace, event->sm, stay.pipeline) || !cut (trace, &from, &to))
    return;
  uses = get_uses (trace, event, stay.pipeline);
  if (uses == NULL)
    return;
  if (from == stay.from)
    uses[get_column (timeline, stay.from)].n_starts++;
  to = MIN (to, MAX (stay.to, from));
  if (from == to)
    {
      WpTimelineUse *use = &uses[get_column (timeline, from)];

      use->slot = use->slot == 0 ? slot : use->slot;
      return;
    }
  for (guint c = get_column (timeline, from); c <= get_column (timeline, to - 1); c++)
    {
      WpTick share = get_overlap (timeline, c, from, to);

      uses[c].busy += share;
      if (uses[c].slot == slot)
        uses[c].share += share;
      else if (share > uses[c].share)
        {
          uses[c].share = share;
          uses[c].slot = slot;
        }
    }
}

static void
paint_uses (WpTrace *trace)
{
  const WpStays *stays = &((WpTimeline *)trace->state)->stays;

  for (guint32 i = 0; i < wp_stays_count (stays, trace->machine); i++)
    paint_use (trace, &stays->issue, wp_stays_get (stays, trace->machine, i));
}

/* Paints what has issued last, of which all is known. */
static void
paint_issue (WpTrace *trace)
{
  const WpTimeline *timeline = trace->state;
  const WpIssueEvent *event = &timeline->stays.issue;
  const WpInstr *instr = &trace->machine->instrs[event->instr];
  const WpFollowIssue *issue;

  if (!wp_trace_shows_sm (trace, event->sm))
    {
      paint_uses (trace);
      return;
    }
  issue = wp_follow_issue (trace->follow, event);
  for (guint i = 0; i < issue->n_waits; i++)
    paint_wait (trace, issue->warp, &issue->waits[i]);
  paint_letter (trace, issue->warp, event);
  if (instr->cost->pipeline == WP_NO_PIPELINE)
    return;
  paint_busy (trace, issue->warp, instr->cost->pipeline, event->start,
              wp_stays_get (&timeline->stays, trace->machine, 0).to);
  paint_uses (trace);
}

static void
on_issue (void *data, const WpIssueEvent *event)
{
  WpTrace *trace = data;
  WpTimeline *timeline = trace->state;

  if (wp_stays_take_issue (&timeline->stays, trace->machine, event))
    paint_issue (trace);
}

static void
on_pass (void *data, const WpPassEvent *event)
{
  WpTrace *trace = data;
  WpTimeline *timeline = trace->state;

  if (wp_stays_take_pass (&timeline->stays, trace->machine, event))
    paint_issue (trace);
}

static void
on_block_launch (void *data, const WpBlockEvent *event)
{
  WpTrace *trace = data;
  WpTimeline *timeline = trace->state;
  WpTick from = event->time, to = event->time + 1;
  gboolean shown;
  guint32 number;
  WpTimelineGroup *group;

  if (!wp_trace_shows_sm (trace, event->sm))
    return;
  number = wp_trace_follow_launch (trace, event);
  if (number == WP_FOLLOW_FAILED)
    return;
  shown = cut (trace, &from, &to) && from == event->time;
  if (!shown && event->time >= timeline->from)
    return;
  group = get_group (trace, event->sm, number);
  if (group == NULL)
    return;
  group->present = event->block;
  if (shown)
    {
      WpTimelineMark *mark = &group->marks[get_column (timeline, event->time)];

      *mark = (WpTimelineMark){ event->block, mark->n_starts + 1, FALSE };
    }
}

static void
on_warp_end (void *data, const WpWarpEvent *event)
{
  WpTrace *trace = data;
  WpTimeline *timeline = trace->state;
  const WpFollowWarp *warp;
  WpFollowWait drain;
  gboolean drained;

  if (!wp_trace_shows_sm (trace, event->sm))
    return;
  warp = wp_follow_warp_end (trace->follow, event, &drain, &drained);
  if (drained)
    paint_wait (trace, warp, &drain);
  timeline->sms[event->sm].end = MAX (timeline->sms[event->sm].end, event->end);
}

/* Paints the warps of the block that have ended as finished until now. */
static void
paint_finished (WpTrace *trace, const WpTimelineGroup *group, WpTick start, WpTick end)
{
  const WpTimeline *timeline = trace->state;
  WpTick from = MAX (start, timeline->from), to = end;

  if (!cut (trace, &from, &to))
    return;
  for (guint32 i = 0; i < trace->machine->warps_per_block; i++)
    for (guint c = get_column (timeline, to - 1) + 1; c > get_column (timeline, from); c--)
      {
        WpTimelineCell *cell = &group->cells[i][c - 1];

        if (cell->state != WP_TIMELINE_NOBODY || cell->letter != 0)
          break;
        cell->state = WP_TIMELINE_FINISHED;
        cell->waits = WP_TIMELINE_NONE;
      }
}

static void
on_block_end (void *data, const WpBlockEvent *event)
{
  WpTrace *trace = data;
  WpTimeline *timeline = trace->state;
  guint32 number;
  WpTick start, from, to;
  WpTimelineGroup *group;

  if (!wp_trace_shows_sm (trace, event->sm))
    return;
  number = wp_trace_follow_block_end (trace, event, &start);
  if (event->time <= timeline->from)
    return;
  group = find_group (timeline, event->sm, number);
  if (group == NULL || group->present != event->block)
    return; /* launched after the window */
  if (start < timeline->from)
    {
      group->has_first = TRUE;
      group->first = event->block;
    }
  paint_finished (trace, group, start, event->time);
  from = MAX (start, event->time - 1);
  to = from + 1;
  if (cut (trace, &from, &to))
    group->marks[get_column (timeline, from)].ends = TRUE;
}

const WpTraceKind wp_trace_timeline = {
  .name = "timeline",
  .observer = { .block_launch = on_block_launch,
                .issue = on_issue,
                .pass = on_pass,
                .warp_end = on_warp_end,
                .block_end = on_block_end },
  .begin = begin,
  .end = wp_timeline_draw,
  .clear = clear,
};
