/* SPDX-License-Identifier: MIT */
/* Independent instructions tell rates: of one warp, of warps on one scheduler, of all of an SM. */
#include "probe/measure/wp-probe-private.h"

#include <math.h>

#define MOST_SCHEDULERS 8
#define LEVEL 0.75    /* with two schedulers for one, costs are half as high */
#define MOST_PAIRS 24 /* of a clock that errs, which may find faster ones for ever */
#define TRIED 6       /* ops by which schedulers are counted */

static WpProbeFigure
cost (WpProbe *probe, const WpProbeOp *op, guint warps, guint stride)
{
  WpProbeLaunch launch = wp_probe_launch (warps, stride);

  wp_probe_add (&launch, wp_probe_step (op, 1));
  return wp_probe_cost (probe, launch);
}

/* ---- Schedulers ---- */

/* Warp j belongs to scheduler j mod S: of warps 0, k, 2k, ... a multiple of S for k leaves one
 * scheduler busy, the slowest that there is. The smallest k that is as slow is S. */
static guint
count_schedulers (WpProbe *probe, const WpProbeOp *op)
{
  gdouble costs[MOST_SCHEDULERS + 1], worst = 0;

  for (guint k = 1; k <= MOST_SCHEDULERS; k++)
    {
      costs[k] = cost (probe, op, probe->warps, k).value;
      worst = MAX (worst, costs[k]);
    }
  for (guint k = 1; k <= MOST_SCHEDULERS; k++)
    if (costs[k] > LEVEL * worst)
      return k;
  return 1;
}

static void
find_schedulers (WpProbe *probe)
{
  probe->schedulers = 1;
  for (guint i = 0; i < MIN (probe->ops->len, TRIED); i++)
    probe->schedulers
        = MAX (probe->schedulers, count_schedulers (probe, wp_probe_get_op (probe, i)));
  /* All schedulers have as many. */
  probe->warps = MAX (probe->warps / probe->schedulers, 1) * probe->schedulers;
}

/* ---- Ops ---- */

/* Where a warp pauses between issues, some numbers of warps fit together better than others: the
 * best rate is the pipeline's. */
static void
time_fewer (WpProbe *probe, WpProbeOp *op)
{
  static const gdouble shares[] = { 0.75, 0.625, 0.375 };

  for (gsize i = 0; i < G_N_ELEMENTS (shares); i++)
    {
      guint warps = (guint)MAX (probe->warps * shares[i], 1);
      WpProbeFigure scheduler = cost (probe, op, warps, probe->schedulers);
      WpProbeFigure sm = cost (probe, op, warps, 1);

      if (scheduler.value < op->scheduler.value)
        op->scheduler = scheduler;
      if (sm.value < op->sm.value)
        op->sm = sm;
    }
}

/* An access to memory is timed on all SMs, too: they may share what is behind them. */
static void
time_op (WpProbe *probe, WpProbeOp *op)
{
  op->one_warp = cost (probe, op, 1, 1);
  op->scheduler = cost (probe, op, probe->warps, probe->schedulers);
  op->sm = cost (probe, op, probe->warps, 1);
  if (!wp_probe_is_global (op) && wp_probe_is_less (probe, op->scheduler.value, op->one_warp.value))
    time_fewer (probe, op);
  op->device = op->sm;
  if (op->family == WP_PROBE_GLOBAL
      || (op->family == WP_PROBE_STORE_GLOBAL && !wp_probe_is_exact (probe)))
    {
      WpProbeLaunch launch = wp_probe_launch (probe->warps, 1);

      launch.blocks = (guint64)probe->attributes[WP_PROBE_SMS];
      wp_probe_add (&launch, wp_probe_step (op, 1));
      op->device = wp_probe_cost (probe, launch);
    }
  op->is_per_scheduler
      = probe->schedulers == 1
            ? op->family == WP_PROBE_COMPUTE
            : !wp_probe_is_less (probe, op->scheduler.value, op->sm.value * probe->schedulers);
}

/* ---- The issue of a scheduler: the least that an instruction costs it ---- */

/* What an instruction of two kinds in turn costs one scheduler. */
static WpProbeFigure
pair (WpProbe *probe, const WpProbeOp *a, const WpProbeOp *b)
{
  WpProbeLaunch launch = wp_probe_launch (probe->warps, probe->schedulers);

  wp_probe_add (&launch, wp_probe_step (a, 1));
  wp_probe_add (&launch, wp_probe_step (b, 1));
  return wp_probe_scale (wp_probe_cost (probe, launch), 0.5);
}

/* Where a warp issues two at a time, that of chains, which cannot: of as many warps as fit in two
 * blocks on each SM. */
static WpProbeFigure
chain (WpProbe *probe, const WpProbeOp *op)
{
  WpProbeLaunch launch = wp_probe_launch (probe->warps, 1);

  launch.blocks = 2 * (guint64)probe->attributes[WP_PROBE_SMS];
  wp_probe_add (&launch, wp_probe_chain (op, 1));
  return wp_probe_scale (wp_probe_cost (probe, launch), probe->schedulers);
}

/* Whether A and B may be what a scheduler issues fastest, which so far costs LEAST. */
static gboolean
may_be_faster (const WpProbe *probe, const WpProbeOp *a, const WpProbeOp *b, gdouble least)
{
  gdouble hope = MAX (a->scheduler.value, b->scheduler.value) / 2;

  return !wp_probe_is_global (a) && !wp_probe_is_global (b) && a->access == NULL
         && b->access == NULL && wp_probe_is_less (probe, hope, least);
}

static void
find_interval (WpProbe *probe)
{
  WpProbeFigure least = { .value = G_MAXDOUBLE };
  guint tried = 0, most = wp_probe_is_exact (probe) ? G_MAXUINT : MOST_PAIRS;

  for (guint i = 0; i < probe->ops->len; i++)
    for (guint k = 0; k <= i && tried < most; k++)
      {
        const WpProbeOp *a = wp_probe_get_op (probe, k), *b = wp_probe_get_op (probe, i);
        WpProbeFigure figure;

        if (!may_be_faster (probe, a, b, least.value) || (probe->dual_issue > 1 && k < i)
            || (probe->dual_issue > 1 && a->family != WP_PROBE_COMPUTE))
          continue;
        tried++;
        figure = probe->dual_issue > 1 ? chain (probe, a) : pair (probe, a, b);
        if (wp_probe_is_less (probe, figure.value, least.value))
          least = figure;
      }
  probe->interval = least;
}

/* Whether one warp issues OP no faster because it has no more registers for results. */
static gboolean
waits_for_results (const WpProbe *probe, const WpProbeOp *op)
{
  guint independent = probe->device->independent;

  return independent > 0
         && (op->family != WP_PROBE_COMPUTE
             || op->one_warp.value * independent < 1.5 * op->chain.value);
}

/* The least that an instruction of a chain of arithmetic costs: no pause is longer, as the next one
 * would begin later. */
static gdouble
find_shortest_chain (const WpProbe *probe)
{
  gdouble least = G_MAXDOUBLE;

  for (guint i = 0; i < probe->ops->len; i++)
    {
      const WpProbeOp *op = wp_probe_get_op (probe, i);

      if (op->family == WP_PROBE_COMPUTE && op->chain.value > 0)
        least = MIN (least, op->chain.value);
    }
  return least;
}

/* One warp alone issues less often than a scheduler where it must pause after an issue. What cannot
 * go out two at a time shows the pause, what can shows half of it; a clock that errs does not tell
 * the one from the other. What takes longer than a chain does so for another reason. */
static void
find_pause (WpProbe *probe)
{
  gdouble most = 0, least = G_MAXDOUBLE, chain = find_shortest_chain (probe);

  for (guint i = 0; i < probe->ops->len; i++)
    {
      const WpProbeOp *op = wp_probe_get_op (probe, i);

      if (wp_probe_is_global (op) || waits_for_results (probe, op)
          || !wp_probe_is_less (probe, op->scheduler.value, op->one_warp.value)
          || wp_probe_is_less (probe, chain, op->one_warp.value))
        continue;
      if (op->one_warp.value > most)
        {
          most = op->one_warp.value;
          probe->ilp = op->one_warp;
        }
      least = MIN (least, op->one_warp.value);
    }
  probe->ilp.is_told = TRUE;
  probe->dual_issue = most > 0 && wp_probe_is_exact (probe) ? (guint)lround (most / least) : 1;
}

void
wp_probe_find_rates (WpProbe *probe)
{
  find_schedulers (probe);
  for (guint i = 0; i < probe->ops->len && probe->error == NULL; i++)
    {
      wp_probe_report (probe, 0.05 + 0.4 * i / probe->ops->len);
      time_op (probe, wp_probe_get_op (probe, i));
    }
  find_pause (probe);
  find_interval (probe);
}
