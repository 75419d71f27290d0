/* SPDX-License-Identifier: MIT */
/* Memory under load: how throughput grows with the loads that are under way, up to what memory has. A
 * chain of loads has one under way at a time; beyond the warps of a block, each warp has several
 * chains. In a second measurement each load has a store beside it, for which nothing waits. */
#include "probe/measure/wp-probe-private.h"

#define LEAST_ROUNDS 24
#define LOADS 12000 /* of the shortest launch whose times are exact: by them chance evens out */
#define ROUGH 2000  /* likewise, where a description is tried out */

/* Whether half the numbers of loads will do. */
static gboolean
is_short (const WpProbe *probe)
{
  return probe->is_quick || probe->is_rough;
}

static void
add_chain (WpProbeLaunch *launch, const WpProbeOp *load, const WpProbeOp *store)
{
  wp_probe_add (launch, wp_probe_chain (load, 1));
  if (store != NULL)
    wp_probe_add (launch, wp_probe_step (store, 1));
}

static gdouble
time_round (WpProbe *probe, WpProbeLaunch launch, guint64 loads)
{
  guint64 rounds = MAX (LEAST_ROUNDS, (probe->is_rough ? ROUGH : LOADS) / loads);
  gdouble first;

  if (!wp_probe_is_exact (probe))
    return wp_probe_slope (probe, launch).value;
  launch.rounds = rounds;
  first = wp_probe_time (probe, &launch);
  launch.rounds = 3 * rounds;
  return (wp_probe_time (probe, &launch) - first) / (2 * (gdouble)rounds);
}

/* Bytes that LOAD reads in a cycle on each of BLOCKS SMs with COUNT of it under way; 0: so many cannot
 * be. STORE: beside each, or NULL. */
static gdouble
find_bytes (WpProbe *probe, const WpProbeOp *load, const WpProbeOp *store, guint count,
            guint64 blocks)
{
  guint chains = (count + probe->warps - 1) / probe->warps;
  WpProbeLaunch launch = wp_probe_launch (count / chains, 1);
  gdouble round;

  if (chains * (store != NULL ? 2 : 1) > WP_PROBE_MAX_STEPS)
    return 0;
  launch.blocks = blocks;
  launch.is_contended = TRUE;
  for (guint i = 0; i < chains; i++)
    add_chain (&launch, load, store);
  round = time_round (probe, launch, launch.warps * chains * blocks);
  return round > 0 ? launch.warps * chains * load->bytes / round : 0;
}

void
wp_probe_measure_loads (WpProbe *probe, guint sharers)
{
  const WpProbeOp *load = wp_probe_find_op (probe, "ld.global", NULL);
  const WpProbeOp *store = wp_probe_find_op (probe, "st.global", NULL);
  guint64 blocks = wp_probe_is_exact (probe) ? sharers : (guint64)probe->attributes[WP_PROBE_SMS];

  for (guint i = 0; load != NULL && i < WP_PROBE_LOADS; i += is_short (probe) ? 2 : 1)
    {
      WpProbeLoad *at = &probe->loads[i];

      at->reads = find_bytes (probe, load, NULL, 1U << i, blocks);
      if (store != NULL)
        at->copies = find_bytes (probe, load, store, 1U << i, blocks);
      at->count = at->reads > 0 ? 1U << i : 0;
    }
}

void
wp_probe_find_loads (WpProbe *probe)
{
  const WpProbeUnit *unit = wp_probe_get_memory (probe);

  if (unit != NULL)
    wp_probe_measure_loads (probe, unit->shared);
}
