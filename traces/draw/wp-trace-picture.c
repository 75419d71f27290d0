/* SPDX-License-Identifier: MIT */
/* Records warps and pipelines for a picture: what happens when, in exact times, kept as spans and
 * drawn at the end.
 *
 * A page can show a limited number of spans, and no more are kept. When they run out, the picture
 * ends at the last whole cycle about which everything is known. What a warp has waited for is known
 * when it issues, so that spans that begin before that cycle still arrive for a while: a few for
 * each warp.
 *
 *   0 warp 0   |C==|--------|M=====|. . . . .        spans
 *   1 warp 1   :::|C==|--------:::::::|M=====|
 *                               ^ no more room: `to` */
#include "traces/draw/wp-picture.h"

#include "sim/gpu/wp-gpu.h"
#include "traces/draw/wp-canvas.h"

/* A place for a block, and what is not over yet. */
typedef struct
{
  WpTick *ends;             /* [warps of a block] */
  WpPictureSpan *executing; /* [warps of a block][n_pipelines]: for each, instructions without a gap
                             * between them; FROM = TO: none */
} Group;

/* ---- Setup ---- */

/* Returns an upper bound of the rows: the warps that can be resident at a time (in WARPS), and
 * pipelines. */
static guint64
count_rows (const WpMachine *machine, const WpTraceWindow *window, guint64 *warps)
{
  guint64 n_sms = window->sm == WP_TRACE_ALL_SMS ? machine->simulated_sms : 1;
  guint64 blocks = MIN (n_sms * machine->resident_blocks, machine->n_blocks);
  g_autofree guint32 *first_row = NULL;
  g_autoptr (GArray) rows = wp_timeline_find_rows (machine, &first_row);

  *warps = blocks * machine->warps_per_block;
  return *warps + MIN (n_sms, blocks) * rows->len;
}

gboolean
wp_trace_check_picture (const WpMachine *machine, const WpTraceOptions *options, GError **error)
{
  guint64 warps, rows = count_rows (machine, &options->window, &warps);

  if (rows <= WP_PICTURE_MAX_ROWS)
    return wp_canvas_load (error);
  g_set_error (error, WP_ERROR, WP_ERROR_LIMIT,
               "a picture has room for %d rows, and this run has %" G_GUINT64_FORMAT
               " warps and %" G_GUINT64_FORMAT
               " pipelines; --sm N shows one SM, --occupancy N makes warps fewer",
               WP_PICTURE_MAX_ROWS, warps, rows - warps);
  return FALSE;
}

static void
free_group (gpointer data)
{
  Group *group = data;

  if (group == NULL)
    return;
  g_free (group->ends);
  g_free (group->executing);
  g_free (group);
}

static gpointer
begin (WpTrace *trace)
{
  const WpMachine *machine = trace->machine;
  const WpTraceWindow *window = &trace->options.window;
  WpPicture *picture = g_new0 (WpPicture, 1);
  guint64 warps, rows = count_rows (machine, window, &warps);

  picture->machine = machine;
  picture->from = window->from;
  picture->to = MIN (window->to, WP_TICK_LIMIT);
  picture->max_spans = window->to == WP_TRACE_TO_END
                           ? (guint)MIN (rows * WP_PICTURE_ROW_SPANS, WP_PICTURE_MAX_SPANS)
                           : WP_PICTURE_MAX_SPANS;
  trace->follow = wp_follow_new (machine, FALSE, picture->to);
  picture->spans = g_array_new (FALSE, FALSE, sizeof (WpPictureSpan));
  picture->uses = g_array_new (FALSE, FALSE, sizeof (WpPictureSpan));
  picture->lives = g_array_new (FALSE, FALSE, sizeof (WpPictureLife));
  picture->groups = g_new0 (GPtrArray *, machine->simulated_sms);
  return picture;
}

static void
clear (gpointer state)
{
  WpPicture *picture = state;

  for (guint32 i = 0; i < picture->machine->simulated_sms; i++)
    g_clear_pointer (&picture->groups[i], g_ptr_array_unref);
  g_free (picture->groups);
  g_array_unref (picture->spans);
  g_array_unref (picture->uses);
  g_array_unref (picture->lives);
  g_free (picture);
}

/* ---- Spans ---- */

/* Tells whether any time of FROM <= t < TO is shown, or the time FROM if it is TO. */
static gboolean
is_shown (const WpPicture *picture, WpTick from, WpTick to)
{
  return from < picture->to && (from == to ? from >= picture->from : to > picture->from);
}

static void
add_span (WpPicture *picture, WpPictureSpan span)
{
  if (is_shown (picture, span.from, span.to))
    g_array_append_val (picture->spans, span);
}

/* Ends the picture at NOW if there is no more room. */
static void
check_room (WpTrace *trace, WpTick now)
{
  WpPicture *picture = trace->state;

  if (picture->full
      || picture->spans->len + picture->uses->len + picture->lives->len < picture->max_spans)
    return;
  picture->to = MIN (picture->to, now - now % picture->machine->ticks_per_cycle);
  if (picture->to <= picture->from)
    picture->to = now + 1;
  picture->full = TRUE;
  wp_follow_cut (trace->follow, now + 1);
}

static void
add_wait (WpPicture *picture, const WpFollowWarp *warp, const WpFollowWait *wait)
{
  static const WpPictureLook by_stall[WP_N_STALLS]
      = { [WP_STALL_BARRIER] = WP_PICTURE_AT_BARRIER,
          [WP_STALL_DEPENDENCY] = WP_PICTURE_WAITS,
          [WP_STALL_ILP] = WP_PICTURE_BETWEEN,
          [WP_STALL_PIPELINE] = WP_PICTURE_FOR_PIPELINE,
          [WP_STALL_NOT_SELECTED] = WP_PICTURE_FOR_SCHEDULER,
          [WP_STALL_DRAIN] = WP_PICTURE_DRAINS };
  WpPictureLook look = by_stall[wait->stall];
  guint32 pipeline
      = look == WP_PICTURE_WAITS || look == WP_PICTURE_DRAINS ? wait->pipeline : WP_NO_PIPELINE;

  if (look == WP_PICTURE_DRAINS && pipeline == WP_NO_PIPELINE)
    look = WP_PICTURE_AT_BARRIER;
  add_span (picture, (WpPictureSpan){ warp->sm, warp->slot, pipeline, look, wait->from, wait->to });
}

/* ---- Events ---- */

static Group *
get_group (WpPicture *picture, guint32 sm, guint32 number)
{
  const WpMachine *machine = picture->machine;
  GPtrArray **groups = &picture->groups[sm];
  Group *group;

  if (*groups == NULL)
    *groups = g_ptr_array_new_with_free_func (free_group);
  if (number >= (*groups)->len)
    g_ptr_array_set_size (*groups, (gint)number + 1);
  group = g_ptr_array_index (*groups, number);
  if (group == NULL)
    {
      group = g_new0 (Group, 1);
      group->ends = g_new0 (WpTick, machine->warps_per_block);
      group->executing
          = g_new0 (WpPictureSpan, (gsize)machine->warps_per_block * machine->n_pipelines);
      g_ptr_array_index (*groups, number) = group;
    }
  return group;
}

static WpPictureSpan *
get_executing (WpPicture *picture, const WpFollowWarp *warp)
{
  const WpMachine *machine = picture->machine;
  Group *group = get_group (picture, warp->sm, warp->slot / machine->warps_per_block);

  return group->executing + (gsize)warp->warp * machine->n_pipelines;
}

/* Adds an instruction in execution. Instructions one after another without a gap become one span.
 */
static void
add_execution (WpPicture *picture, const WpFollowWarp *warp, guint32 pipeline, WpTick from,
               WpTick to)
{
  WpPictureSpan *last = &get_executing (picture, warp)[pipeline];

  if (from >= to)
    return;
  if (last->from < last->to && from <= last->to)
    {
      last->to = MAX (last->to, to);
      return;
    }
  if (last->from < last->to)
    add_span (picture, *last);
  *last = (WpPictureSpan){ warp->sm, warp->slot, pipeline, WP_PICTURE_EXECUTES, from, to };
}

/* Adds what the instruction uses from its FIRST stay on, where that is shown. */
static void
add_uses (WpTrace *trace, guint32 first)
{
  WpPicture *picture = trace->state;
  const WpIssueEvent *event = &picture->stays.issue;

  for (guint32 i = first; i < wp_stays_count (&picture->stays, trace->machine); i++)
    {
      WpStay stay = wp_stays_get (&picture->stays, trace->machine, i);
      WpPictureSpan span
          = { event->sm, event->slot, stay.pipeline, WP_PICTURE_KEEPS, stay.from, stay.to };

      if (wp_trace_shows_use (trace, event->sm, stay.pipeline)
          && is_shown (picture, span.from, span.to))
        g_array_append_val (picture->uses, span);
    }
}

/* Adds an instruction in execution: where it is when, in the last that it passes until it is
 * complete. */
static void
add_executions (WpTrace *trace, const WpFollowWarp *warp)
{
  WpPicture *picture = trace->state;
  guint32 n = wp_stays_count (&picture->stays, trace->machine);

  for (guint32 i = 0; i < n; i++)
    {
      WpStay stay = wp_stays_get (&picture->stays, trace->machine, i);

      add_execution (picture, warp, stay.pipeline, stay.from,
                     i + 1 < n ? stay.to : picture->stays.issue.complete);
    }
}

/* Adds what has issued last, of which all is known. */
static void
add_issue (WpTrace *trace)
{
  WpPicture *picture = trace->state;
  const WpIssueEvent *event = &picture->stays.issue;
  const WpInstr *instr = &trace->machine->instrs[event->instr];
  const WpFollowIssue *issue;
  WpPictureSpan span = { event->sm,         event->slot, instr->cost->pipeline,
                         WP_PICTURE_ISSUES, event->time, event->time };

  if (!wp_trace_shows_sm (trace, event->sm))
    {
      add_uses (trace, 0);
      return;
    }
  issue = wp_follow_issue (trace->follow, event);
  for (guint i = 0; i < issue->n_waits; i++)
    add_wait (picture, issue->warp, &issue->waits[i]);
  add_span (picture, span);
  if (instr->cost->pipeline != WP_NO_PIPELINE)
    {
      span.look = WP_PICTURE_KEEPS;
      span.from = event->start;
      span.to = wp_stays_get (&picture->stays, trace->machine, 0).to;
      add_span (picture, span);
      add_uses (trace, 1);
      add_executions (trace, issue->warp);
    }
  check_room (trace, event->time);
}

static void
on_issue (void *data, const WpIssueEvent *event)
{
  WpTrace *trace = data;
  WpPicture *picture = trace->state;

  if (wp_stays_take_issue (&picture->stays, trace->machine, event))
    add_issue (trace);
}

static void
on_pass (void *data, const WpPassEvent *event)
{
  WpTrace *trace = data;
  WpPicture *picture = trace->state;

  if (wp_stays_take_pass (&picture->stays, trace->machine, event))
    add_issue (trace);
}

static void
on_block_launch (void *data, const WpBlockEvent *event)
{
  WpTrace *trace = data;

  if (!wp_trace_shows_sm (trace, event->sm))
    return;
  wp_trace_follow_launch (trace, event);
}

static void
on_warp_end (void *data, const WpWarpEvent *event)
{
  WpTrace *trace = data;
  WpPicture *picture = trace->state;
  const WpMachine *machine = trace->machine;
  const WpFollowWarp *warp;
  WpFollowWait drain;
  WpPictureSpan *executing;
  gboolean drained;

  if (!wp_trace_shows_sm (trace, event->sm))
    return;
  warp = wp_follow_warp_end (trace->follow, event, &drain, &drained);
  if (drained)
    add_wait (picture, warp, &drain);
  executing = get_executing (picture, warp);
  for (guint32 i = 0; i < machine->n_pipelines; i++)
    {
      if (executing[i].from < executing[i].to)
        add_span (picture, executing[i]);
      executing[i].to = executing[i].from;
    }
  get_group (picture, event->sm, event->slot / machine->warps_per_block)->ends[warp->warp]
      = event->end;
}

static void
on_block_end (void *data, const WpBlockEvent *event)
{
  WpTrace *trace = data;
  WpPicture *picture = trace->state;
  guint32 n = trace->machine->warps_per_block;
  WpPictureLife life = { event->sm, 0, event->block, 0, event->time };
  const Group *group;

  if (!wp_trace_shows_sm (trace, event->sm))
    return;
  life.group = wp_trace_follow_block_end (trace, event, &life.from);
  if (!is_shown (picture, life.from, life.to))
    return;
  g_array_append_val (picture->lives, life);
  group = get_group (picture, event->sm, life.group);
  for (guint32 i = 0; i < n; i++)
    if (group->ends[i] < event->time)
      add_span (picture, (WpPictureSpan){ event->sm, life.group * n + i, WP_NO_PIPELINE,
                                          WP_PICTURE_FINISHED, group->ends[i], event->time });
  check_room (trace, event->time);
}

const WpTraceKind wp_trace_picture = {
  .name = "picture",
  .observer = { .block_launch = on_block_launch,
                .issue = on_issue,
                .pass = on_pass,
                .warp_end = on_warp_end,
                .block_end = on_block_end },
  .begin = begin,
  .end = wp_picture_draw,
  .clear = clear,
};
