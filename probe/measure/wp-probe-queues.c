/* SPDX-License-Identifier: MIT */
/* A warp that sends N instructions to a pipeline and goes on with other work waits for those that do
 * not fit into its queue: that is by how much the other work begins later. */
#include "probe/measure/wp-probe-private.h"

#include <math.h>

#define BURST 64
#define LONG_BURST 1024
#define MOST_CHAIN 10000000

/* When the warp goes on after N of OP: what a chain of OTHER ends later than after one. */
static gdouble
time_burst (WpProbe *probe, const WpProbeOp *op, const WpProbeOp *other, guint64 n, guint64 length)
{
  WpProbeLaunch launch = wp_probe_launch (1, 1);

  wp_probe_add (&launch, wp_probe_step (op, n));
  wp_probe_add (&launch, wp_probe_chain (other, length));
  return wp_probe_time (probe, &launch);
}

/* An op of another pipeline that makes a good chain. */
static const WpProbeOp *
find_other (const WpProbe *probe, guint unit)
{
  for (guint i = 0; i < probe->ops->len; i++)
    {
      const WpProbeOp *op = wp_probe_get_op (probe, i);

      if (op->family == WP_PROBE_COMPUTE && op->stages[0].unit != unit && op->chain.value > 0)
        return op;
    }
  return NULL;
}

static void
find_queue (WpProbe *probe, guint index)
{
  WpProbeUnit *unit = wp_probe_get_unit (probe, index);
  const WpProbeOp *op = wp_probe_get_op (probe, unit->longest);
  const WpProbeOp *other = find_other (probe, index);
  gdouble issue = op->stages[0].issue.value, waited, slot;
  guint64 length;

  unit->queue = unit->is_per_scheduler ? 0 : -1;
  if (!wp_probe_is_exact (probe) || unit->shared > 1) /* what SMs share refuses nothing */
    return;
  slot = MAX (probe->interval.value, probe->ilp.value);
  if (other == NULL || op->stages[0].unit != index || !wp_probe_is_less (probe, 2 * slot, issue))
    return;
  length
      = wp_probe_count (2 * (BURST * issue + op->alone.value), other->chain.value, 1, MOST_CHAIN);
  waited = time_burst (probe, op, other, BURST, length) - time_burst (probe, op, other, 1, length);
  unit->queue_told = TRUE;
  unit->queue = waited <= (BURST - 1) * slot * (1 + WP_PROBE_EXACT)
                    ? -1
                    : lround (BURST - 1 - waited / issue);
}

/* How many of OP, one behind the other from the beginning, are complete at TIME. */
static guint64
count_served (const WpProbeOp *op, gdouble time)
{
  if (time < op->alone.value)
    return 0;
  return 1 + wp_probe_count (time - op->alone.value, op->sm.value, 0, LONG_BURST);
}

/* How many accesses an SM can have under way: from then on each waits for one to be served. */
static void
find_inflight (WpProbe *probe)
{
  const WpProbeOp *op = wp_probe_find_op (probe, "ld.global", NULL);
  const WpProbeOp *other = op != NULL ? find_other (probe, op->stages[0].unit) : NULL;
  gdouble first, rate;
  guint64 length, low = 1, high = LONG_BURST;

  if (other == NULL || op->n_stages < 2 || !wp_probe_is_exact (probe))
    return;
  rate = MAX (MAX (probe->interval.value, probe->ilp.value), op->stages[0].issue.value);
  length = wp_probe_count (2 * (LONG_BURST * op->device.value + op->alone.value),
                           other->chain.value, 1, MOST_CHAIN);
  first = time_burst (probe, op, other, 1, length);
  while (low + 1 < high && probe->error == NULL)
    {
      guint64 n = (low + high) / 2;
      gdouble waited = time_burst (probe, op, other, n, length) - first;

      if (waited <= (n - 1) * rate * (1 + WP_PROBE_EXACT))
        low = n;
      else
        high = n;
    }
  for (guint i = 1; i < op->n_stages; i++)
    wp_probe_get_unit (probe, op->stages[i].unit)->queue_told = low > BURST;
  if (high < LONG_BURST)
    wp_probe_get_unit (probe, op->stages[0].unit)->inflight
        = (gint64)(low - count_served (op, rate * low));
}

void
wp_probe_find_queues (WpProbe *probe)
{
  wp_probe_report (probe, 0.75);
  for (guint i = 0; i < probe->units->len; i++)
    find_queue (probe, i);
  find_inflight (probe);
}
