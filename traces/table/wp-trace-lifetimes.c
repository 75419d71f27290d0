/* SPDX-License-Identifier: MIT */
/* The table of warps' lives, sorted by end, then SM, slot and launch order. Ends arrive in the
 * order of time, but those of one time arrive by SM and round: they are sorted before the first end
 * of the next time is added. */
#include "traces/table/wp-sorter.h"
#include "traces/table/wp-trace.h"

typedef struct
{
  WpSorter *sorter; /* of WpWarpEvent: the warps that ended at `time` */
  WpTick time;
} Lifetimes;

#define COMPARE(a, b) ((a) < (b) ? -1 : (a) > (b))

static gint
compare (gconstpointer left, gconstpointer right)
{
  const WpWarpEvent *a = left, *b = right;

  return a->end != b->end     ? COMPARE (a->end, b->end)
         : a->sm != b->sm     ? COMPARE (a->sm, b->sm)
         : a->slot != b->slot ? COMPARE (a->slot, b->slot)
                              : COMPARE (a->age, b->age);
}

static gpointer
begin (WpTrace *trace)
{
  Lifetimes *lifetimes = g_new0 (Lifetimes, 1);

  (void)trace;
  lifetimes->sorter = wp_sorter_new (sizeof (WpWarpEvent), compare);
  return lifetimes;
}

static void
clear (gpointer state)
{
  Lifetimes *lifetimes = state;

  wp_sorter_free (lifetimes->sorter);
  g_free (lifetimes);
}

static gboolean
write_row (gconstpointer record, gpointer data)
{
  const WpWarpEvent *event = record;
  WpTrace *trace = data;
  const guint64 numbers[] = { event->sm, event->block, event->warp, event->slot, event->scheduler };
  gchar *at;

  if (wp_trace_take (trace, event))
    return wp_trace_goes_on (trace);
  at = wp_trace_begin_row (trace, (G_N_ELEMENTS (numbers) + 3 + WP_N_STALLS) * WP_TIME_CHARS);
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      at = wp_row_write_whole (numbers[i], at);
      *at++ = ',';
    }
  at = wp_trace_write_time (trace, event->start, at);
  *at++ = ',';
  at = wp_trace_write_time (trace, event->end, at);
  *at++ = ',';
  at = wp_row_write_whole (event->issued, at);
  for (guint i = 0; i < WP_N_STALLS; i++)
    {
      *at++ = ',';
      at = wp_trace_write_time (trace, event->stalls[i], at);
    }
  *at++ = '\n';
  wp_trace_end_row (trace, at);
  return wp_trace_goes_on (trace);
}

static void
write_rows (WpTrace *trace)
{
  Lifetimes *lifetimes = trace->state;

  if (!wp_sorter_drain (lifetimes->sorter, write_row, trace))
    wp_trace_fail (trace);
}

static void
on_warp_end (void *data, const WpWarpEvent *event)
{
  WpTrace *trace = data;
  Lifetimes *lifetimes = trace->state;

  if (trace->error_number != 0)
    return;
  if (event->end != lifetimes->time)
    write_rows (trace);
  lifetimes->time = event->end;
  if (!wp_sorter_add (lifetimes->sorter, event))
    wp_trace_fail (trace);
}

const WpTraceKind wp_trace_lifetimes = {
  .name = "lifetimes table",
  .columns = "sm,block,warp,slot,scheduler,start,end,issued,"
             "barrier,dependency,ilp,pipeline,not_selected,drain",
  .observer = { .warp_end = on_warp_end, .no_producer = true },
  .begin = begin,
  .end = write_rows,
  .clear = clear,
};
