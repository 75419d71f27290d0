/* SPDX-License-Identifier: MIT */
/* The table of what is resident on each SM over time, sorted by SM, then time. A row covers all
 * changes at one time, so that it is written when the SM's time moves on. The rows of one SM arrive
 * in order; those of several SMs are sorted at the end. */
#include "traces/table/wp-sorter.h"
#include "traces/table/wp-trace.h"

#include <errno.h>

typedef struct
{
  WpTraceOccupancy now;  /* what is resident now, and since when */
  guint64 blocks, warps; /* as in the last row */
} Resident;

typedef struct
{
  Resident *residents; /* [simulated SMs] */
  WpSorter *sorter;    /* of WpTraceOccupancy; NULL if there is one SM */
} Occupancy;

static gint
compare (gconstpointer left, gconstpointer right)
{
  const WpTraceOccupancy *a = left, *b = right;

  if (a->sm != b->sm)
    return a->sm < b->sm ? -1 : 1;
  return a->time < b->time ? -1 : a->time > b->time;
}

static gpointer
begin (WpTrace *trace)
{
  Occupancy *occupancy = g_new0 (Occupancy, 1);

  occupancy->residents = g_new0 (Resident, trace->machine->simulated_sms);
  if (trace->machine->simulated_sms > 1)
    occupancy->sorter = wp_sorter_new (sizeof (WpTraceOccupancy), compare);
  return occupancy;
}

static void
clear (gpointer state)
{
  Occupancy *occupancy = state;

  wp_sorter_free (occupancy->sorter);
  g_free (occupancy->residents);
  g_free (occupancy);
}

static gboolean
write_row (gconstpointer record, gpointer data)
{
  const WpTraceOccupancy *row = record;
  WpTrace *trace = data;
  gchar *at;

  if (wp_trace_take (trace, row))
    return wp_trace_goes_on (trace);
  at = wp_trace_begin_row (trace, 4 * WP_TIME_CHARS);
  at = wp_row_write_whole (row->sm, at);
  *at++ = ',';
  at = wp_trace_write_time (trace, row->time, at);
  *at++ = ',';
  at = wp_row_write_whole (row->blocks, at);
  *at++ = ',';
  at = wp_row_write_whole (row->warps, at);
  *at++ = '\n';
  wp_trace_end_row (trace, at);
  return wp_trace_goes_on (trace);
}

/* Writes a row for the SM's last time, if it differs from the last row. */
static void
settle (WpTrace *trace, Resident *resident)
{
  Occupancy *occupancy = trace->state;

  if (resident->now.blocks == resident->blocks && resident->now.warps == resident->warps)
    return;
  resident->blocks = resident->now.blocks;
  resident->warps = resident->now.warps;
  if (occupancy->sorter != NULL ? !wp_sorter_add (occupancy->sorter, &resident->now)
                                : !write_row (&resident->now, trace))
    wp_trace_fail (trace);
}

static WpTraceOccupancy *
get_row (WpTrace *trace, guint32 sm, WpTick time)
{
  Resident *resident = &((Occupancy *)trace->state)->residents[sm];

  if (time != resident->now.time)
    settle (trace, resident);
  resident->now.sm = sm;
  resident->now.time = time;
  return &resident->now;
}

static void
on_block_launch (void *data, const WpBlockEvent *event)
{
  WpTrace *trace = data;
  WpTraceOccupancy *row = get_row (trace, event->sm, event->time);

  row->blocks++;
  row->warps += trace->machine->warps_per_block;
}

static void
on_warp_end (void *data, const WpWarpEvent *event)
{
  get_row (data, event->sm, event->end)->warps--;
}

static void
on_block_end (void *data, const WpBlockEvent *event)
{
  get_row (data, event->sm, event->time)->blocks--;
}

static void
end (WpTrace *trace)
{
  Occupancy *occupancy = trace->state;

  for (guint sm = 0; sm < trace->machine->simulated_sms; sm++)
    settle (trace, &occupancy->residents[sm]);
  errno = 0;
  if (occupancy->sorter != NULL && !wp_sorter_drain (occupancy->sorter, write_row, trace))
    wp_trace_fail (trace);
}

const WpTraceKind wp_trace_occupancy = {
  .name = "occupancy table",
  .columns = "sm,time,blocks,warps",
  .observer = { .block_launch = on_block_launch,
                .warp_end = on_warp_end,
                .block_end = on_block_end,
                .lives_only = true },
  .begin = begin,
  .end = end,
  .clear = clear,
};
