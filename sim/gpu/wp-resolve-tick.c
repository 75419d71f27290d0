/* SPDX-License-Identifier: MIT */
/* The common tick of all times that a run uses (MODEL.md, section 1), so that no time is ever
 * rounded. */
#include "sim/gpu/wp-resolver.h"

/* What a value is of, for people: "issue of ld.global in l2". OF and IN may be NULL. */
typedef struct
{
  const gchar *what, *of, *in;
} Place;

static void
meet_time_at (WpResolver *r, WpCycles value, Place place)
{
  gchar text[WP_TIME_CHARS];
  WpDenominator met = { value.den, NULL };

  if (r->lcm == 0)
    return;
  for (guint i = 0; i < r->denominators->len; i++)
    if (g_array_index (r->denominators, WpDenominator, i).den == value.den)
      return;
  met.label = g_strdup_printf ("%s (%s%s%s%s%s)", wp_cycles_format (value, text), place.what,
                               place.of != NULL ? " of " : "", place.of != NULL ? place.of : "",
                               place.in != NULL ? " in " : "", place.in != NULL ? place.in : "");
  g_array_append_val (r->denominators, met);
  if (!wp_ticks_per_cycle_join (&r->lcm, value.den))
    r->lcm = 0;
}

static void
meet_time (WpResolver *r, WpCycles value, const gchar *what, const gchar *of)
{
  meet_time_at (r, value, (Place){ what, of, NULL });
}

static void
meet_spread (WpResolver *r, const WpGpuSpread *spread, const gchar *op)
{
  for (guint i = 0; spread != NULL && i < spread->n; i++)
    meet_time (r, spread->add[i], "spread", op);
}

/* How many SMs share pipeline P in the group of simulated SMs that begins with SM. */
static guint32
count_sharers (const WpResolver *r, guint p, guint32 sm)
{
  const WpGpuPipeline *pipeline = g_ptr_array_index (r->gpu->pipelines, p);
  guint32 left = r->resolved->machine.simulated_sms - sm;

  return MIN (left, pipeline->shared);
}

/* The first SM of the last group of those that share pipeline P. */
static guint32
find_last_group (const WpResolver *r, guint p)
{
  const WpGpuPipeline *pipeline = g_ptr_array_index (r->gpu->pipelines, p);

  return (r->resolved->machine.simulated_sms - 1) / pipeline->shared * pipeline->shared;
}

/* TIME as it is on pipeline P for the group of SMs that begins with SM: k / m of it, where m of k
 * are simulated. A product that does not fit is as good as one beyond all time. */
static WpCycles
share_time (const WpResolver *r, guint p, guint32 sm, WpCycles time)
{
  const WpGpuPipeline *pipeline = g_ptr_array_index (r->gpu->pipelines, p);
  const guint32 sharers = count_sharers (r, p, sm);
  WpCycles product;

  if (sharers == pipeline->shared)
    return time;
  if (!wp_cycles_scale (time, pipeline->shared, sharers, &product))
    return wp_cycles_whole (WP_TICK_LIMIT);
  return product;
}

/* TIME, which is of pipeline P. */
static void
meet_shared (WpResolver *r, guint p, WpCycles time, Place place)
{
  meet_time_at (r, share_time (r, p, 0, time), place);
  meet_time_at (r, share_time (r, p, find_last_group (r, p), time), place);
}

/* What all that passes pipeline P depends on. */
static void
meet_pipeline (WpResolver *r, guint p)
{
  const WpGpuPipeline *pipeline = g_ptr_array_index (r->gpu->pipelines, p);

  meet_shared (r, p, pipeline->turnaround, (Place){ "turnaround", pipeline->name, NULL });
  if (r->contended && pipeline->channels > 0)
    meet_shared (r, p, pipeline->channel_issue, (Place){ "channel-issue", pipeline->name, NULL });
}

static void
meet_path (WpResolver *r, const WpGpuCost *cost, const gchar *op)
{
  for (guint i = 0; i < cost->n_passes; i++)
    {
      const WpGpuPass *pass = &cost->passes[i];
      const WpGpuPipeline *pipeline = g_ptr_array_index (r->gpu->pipelines, pass->pipeline);

      meet_shared (r, pass->pipeline, pass->issue, (Place){ "issue", op, pipeline->name });
      meet_pipeline (r, pass->pipeline);
    }
}

/* An instruction as written: its dependences, and itself in each of its contexts. */
static void
meet_node (WpResolver *r, const IdgProgram *program, const WpResolverCost *costs, guint i)
{
  const IdgNode *node = &program->nodes[i];

  for (guint d = 0; d < node->n_after; d++)
    for (guint k = 0; k < costs[node->after[d]].n; k++)
      meet_time (r, wp_resolver_get_latency (&costs[node->after[d]], k, costs[i].op), "completion",
                 program->nodes[node->after[d]].op);
  if (node->stall > 0)
    meet_time (r, (WpCycles){ node->stall, 1 }, "stall", node->op);
  for (guint k = 0; k < costs[i].n; k++)
    {
      const WpGpuCost *cost = &costs[i].contexts[k].cost;

      meet_shared (r, costs[i].op->pipeline, cost->issue, (Place){ "issue", node->op, NULL });
      meet_time (r, cost->completion, "completion", node->op);
      meet_pipeline (r, costs[i].op->pipeline);
      meet_path (r, cost, node->op);
      if (r->contended)
        meet_spread (r, cost->spread, node->op);
    }
}

static void
meet_times (WpResolver *r)
{
  meet_time (r, r->gpu->launch_latency, "launch latency", NULL);
  meet_time (r, r->gpu->barrier_latency, "barrier latency", NULL);
  meet_time (r, r->gpu->interval, "scheduler interval", NULL);
  meet_time (r, r->gpu->ilp_latency, "ilp-latency", NULL);
  for (guint p = 0; p < r->kernel->programs->len; p++)
    {
      const IdgProgram *program
          = ((IdgKernelProgram *)g_ptr_array_index (r->kernel->programs, p))->program;

      for (guint i = 0; i < program->n_nodes; i++)
        meet_node (r, program, g_ptr_array_index (r->costs, p), i);
    }
}

static gint
compare_denominators (gconstpointer a, gconstpointer b)
{
  gint64 left = ((const WpDenominator *)a)->den, right = ((const WpDenominator *)b)->den;

  return left > right ? -1 : left < right;
}

/* Sets an error that names the largest denominators: as many as it takes to exceed the limit, but
 * at most six. */
static void
set_tick_error (WpResolver *r, GError **error)
{
  g_autoptr (GString) values = g_string_new (NULL);
  gint64 lcm = 1;

  g_array_sort (r->denominators, compare_denominators);
  for (guint i = 0; i < r->denominators->len && i < 6; i++)
    {
      const WpDenominator *met = &g_array_index (r->denominators, WpDenominator, i);

      g_string_append_printf (values, "%s%s", i > 0 ? ", " : "", met->label);
      if (!wp_ticks_per_cycle_join (&lcm, met->den))
        break;
    }
  wp_resolver_fail (
      r->kernel, 0, WP_ERROR_LIMIT, error,
      "on %s the times have no common tick of at least 2^-31 cycle; give times with smaller "
      "denominators: %s",
      r->gpu->name, values->str);
}

gboolean
wp_resolver_find_tick (WpResolver *r, GError **error)
{
  r->lcm = 1;
  meet_times (r);
  if (r->lcm == 0)
    set_tick_error (r, error);
  r->resolved->machine.ticks_per_cycle = r->lcm;
  return r->lcm != 0;
}

WpTick
wp_resolver_to_ticks (const WpResolver *r, WpCycles value)
{
  return wp_cycles_to_ticks (value, r->resolved->machine.ticks_per_cycle);
}

WpTick
wp_resolver_to_shared (const WpResolver *r, guint p, WpCycles value, gboolean last)
{
  return wp_resolver_to_ticks (r, share_time (r, p, last ? find_last_group (r, p) : 0, value));
}

gboolean
wp_resolver_fits_tick (const WpResolver *r, guint p, WpCycles time)
{
  gint64 ticks = r->resolved->machine.ticks_per_cycle;

  return ticks % share_time (r, p, 0, time).den == 0
         && ticks % share_time (r, p, find_last_group (r, p), time).den == 0;
}
