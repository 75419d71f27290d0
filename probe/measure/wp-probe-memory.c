/* SPDX-License-Identifier: MIT */
/* The path of an access: the SM's own memory unit, the way to L2, memory. A part that others hide is
 * seen by what it displaces: beside enough instructions that keep that part busy, a second access
 * costs what it takes there. */
#include "probe/measure/wp-probe-private.h"

#include <math.h>

#define MOST_SHARED 8
#define CONFLICT "conflict-8" /* accesses that take WAYS times what a plain one does */
#define WAYS 8
#define STORES 8 /* of a warp, which has all of them and the loads under way at a time */
#define LOADS 128
#define MOST_TIMES 512
#define LEAST_ISSUE 1e-3 /* cycles: below this an instruction does not pass a part */
/* Likewise of what a plain access takes there, on a device that errs: what computes addresses displaces
 * some, too. */
#define LEAST_SHARE 0.2

static void
add_stage (WpProbeOp *op, guint unit, WpProbeFigure issue)
{
  op->stages[op->n_stages].unit = unit;
  op->stages[op->n_stages].issue = issue;
  op->n_stages++;
}

static guint
add_memory_unit (WpProbe *probe, const gchar *name, const WpProbeOp *op)
{
  WpProbeUnit *unit = g_new0 (WpProbeUnit, 1);

  unit->name = g_strdup (name);
  unit->is_memory = TRUE;
  unit->longest = (guint)(op - wp_probe_get_op (probe, 0));
  unit->queue = -1;
  unit->queue_told = FALSE;
  unit->shared = 1;
  g_ptr_array_add (probe->units, unit);
  return probe->units->len - 1;
}

/* Adds the stage that BUSY keeps busy on an SM, where a plain access takes PLAIN cycles, to OP, if OP
 * passes it. */
static void
try_stage (WpProbe *probe, WpProbeOp *op, const WpProbeOp *busy, guint unit, gdouble plain)
{
  gdouble cost = wp_probe_is_store (op) ? op->device.value : op->sm.value;
  gdouble least = wp_probe_is_exact (probe)
                      ? LEAST_ISSUE
                      : MAX (probe->device->precision * cost, LEAST_SHARE * plain);
  guint64 times = wp_probe_count (3 * cost, busy->sm.value, 1, MOST_TIMES) + 1;
  WpProbeFigure issue = wp_probe_displace (probe, op, busy, times, probe->warps, 1);

  issue.is_told = TRUE;
  if (issue.value >= least)
    add_stage (op, unit, issue);
}

/* The largest share that OP has of a stage on one SM. */
static gdouble
get_known (const WpProbeOp *op)
{
  gdouble most = 0;

  for (guint i = 0; i < op->n_stages; i++)
    most = MAX (most, op->stages[i].issue.value);
  return most;
}

/* How many SMs share the memory: with more of them busy it becomes no slower. */
static guint
count_sharers (WpProbe *probe, const WpProbeOp *op)
{
  gint64 sms = probe->attributes[WP_PROBE_SMS];

  for (guint k = 1; k <= MIN (MOST_SHARED, sms); k++)
    {
      WpProbeLaunch launch = wp_probe_launch (probe->warps, 1);

      launch.blocks = k;
      wp_probe_add (&launch, wp_probe_step (op, 1));
      if (!wp_probe_is_less (probe, wp_probe_cost (probe, launch).value, op->device.value))
        return k;
    }
  return 1;
}

/* ---- Loads ---- */

typedef struct
{
  const WpProbeOp *local; /* keeps the SM's own memory unit busy, or NULL */
  const WpProbeOp *l2;    /* keeps the way to L2 busy, or NULL */
  guint l2_unit, memory_unit;
} Path;

/* What comes before memory: the stages that OP displaces something from. */
static void
find_near (WpProbe *probe, const Path *path, WpProbeOp *op)
{
  if (path->local != NULL)
    try_stage (probe, op, path->local, path->local->stages[0].unit, path->local->sm.value / WAYS);
  if (path->l2 != NULL && op != path->l2)
    try_stage (probe, op, path->l2, path->l2_unit, path->l2->sm.value);
}

static void
find_l2 (WpProbe *probe, Path *path)
{
  WpProbeOp *op = wp_probe_find_op (probe, "ld.global", "l2");

  if (op == NULL)
    return;
  find_near (probe, path, op);
  if (!wp_probe_is_less (probe, get_known (op), op->sm.value) || op->n_stages == 0)
    return;
  path->l2_unit = add_memory_unit (probe, "l2", op);
  add_stage (op, path->l2_unit, op->sm);
  path->l2 = op;
}

/* Whether a cache has what OP reads. */
static gboolean
is_hit (const WpProbeOp *op)
{
  return op->bytes == 0;
}

static void
find_load (WpProbe *probe, Path *path, WpProbeOp *op)
{
  WpProbeFigure issue = op->device;

  find_near (probe, path, op);
  if (!wp_probe_is_less (probe, get_known (op), op->device.value))
    return;
  if (is_hit (op) && op->n_stages > 0 && !wp_probe_is_exact (probe))
    return; /* what takes longer computes its addresses */
  if (path->memory_unit == WP_PROBE_NO_UNIT)
    {
      path->memory_unit = add_memory_unit (probe, "memory", op);
      wp_probe_get_unit (probe, path->memory_unit)->shared = count_sharers (probe, op);
    }
  issue = wp_probe_scale (issue, 1.0 / wp_probe_get_unit (probe, path->memory_unit)->shared);
  add_stage (op, path->memory_unit, issue);
}

/* ---- Stores ---- */

/* The cycles of one warp on each SM that shares memory: N of STORE, then loads that keep memory busy
 * until all is done. All are under way at once, so that no SM gets ahead of the others. */
static gdouble
time_stores (WpProbe *probe, const WpProbeOp *store, guint64 n, const WpProbeOp *load,
             guint sharers)
{
  WpProbeLaunch launch = wp_probe_launch (1, 1);

  launch.blocks = sharers;
  wp_probe_add (&launch, wp_probe_step (store, n));
  wp_probe_add (&launch, wp_probe_step (load, LOADS));
  return wp_probe_time (probe, &launch);
}

/* The stage of STORE in memory. From no store to some, memory turns once. */
static void
find_stored (WpProbe *probe, WpProbeOp *store, const WpProbeOp *load, guint unit)
{
  WpProbeUnit *memory = wp_probe_get_unit (probe, unit);
  gdouble times[3];
  WpProbeFigure figure = { .runs = 3, .is_told = TRUE };

  for (guint i = 0; i < 3; i++)
    times[i] = time_stores (probe, store, i * STORES, load, memory->shared);
  figure.value = (times[2] - times[1]) / (STORES * memory->shared);
  if (figure.value < LEAST_ISSUE)
    return;
  add_stage (store, unit, figure);
  if (store->access != NULL)
    return;
  figure.value = MAX (2 * times[1] - times[0] - times[2], 0);
  memory->turnaround = figure;
}

/* What STORE costs memory where all SMs store and nothing else: of so many that no queue holds them. */
static void
find_store_rate (WpProbe *probe, WpProbeOp *store, guint unit)
{
  WpProbeFigure issue = store->device;

  if (!wp_probe_is_less (probe, get_known (store), issue.value))
    return;
  issue = wp_probe_scale (issue, 1.0 / wp_probe_get_unit (probe, unit)->shared);
  add_stage (store, unit, issue);
}

/* Nothing waits for a store: it is seen by the loads that it displaces. */
static void
find_store (WpProbe *probe, const Path *path, WpProbeOp *op)
{
  const WpProbeOp *load = wp_probe_find_op (probe, "ld.global", op->access);
  const WpProbeOp *plain = wp_probe_find_op (probe, "ld.global", NULL);

  if (load == NULL || plain == NULL)
    return;
  if (wp_probe_is_exact (probe))
    op->device = load->device;
  find_near (probe, path, op);
  if (!wp_probe_is_exact (probe) && path->memory_unit != WP_PROBE_NO_UNIT)
    find_store_rate (probe, op, path->memory_unit);
  else if (path->memory_unit != WP_PROBE_NO_UNIT
           && plain->stages[plain->n_stages - 1].unit == path->memory_unit)
    find_stored (probe, op, plain, path->memory_unit);
}

void
wp_probe_find_paths (WpProbe *probe)
{
  Path path = { .l2_unit = WP_PROBE_NO_UNIT, .memory_unit = WP_PROBE_NO_UNIT };

  path.local = wp_probe_find_op (probe, "ld.shared", CONFLICT);
  find_l2 (probe, &path);
  for (guint i = 0; i < probe->ops->len && probe->error == NULL; i++)
    {
      WpProbeOp *op = wp_probe_get_op (probe, i);

      if (!wp_probe_is_global (op) || op == path.l2)
        continue;
      wp_probe_report (probe, 0.65 + 0.1 * i / probe->ops->len);
      op->n_stages = 0;
      if (wp_probe_is_store (op))
        find_store (probe, &path, op);
      else
        find_load (probe, &path, op);
    }
}
