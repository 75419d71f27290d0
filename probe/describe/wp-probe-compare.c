/* SPDX-License-Identifier: MIT */
/* Pipelines are called otherwise in the two descriptions: one of the first stands beside the one of
 * the second that has its ops. */
#include <math.h>
#include <string.h>

#include "probe/describe/wp-probe-describe.h"

#define ONE_PERCENT 0.01

typedef struct
{
  const WpProbe *probe;
  const WpGpu *was, *is;
  WpProbeComparison *comparison;
} Comparing;

const gchar *
wp_probe_verdict_get_name (WpProbeVerdict verdict)
{
  static const gchar *const names[] = { "exact", "within 1%", "different", "fitted", "not told" };

  return names[verdict];
}

/* ---- Rows ---- */

/* Takes ownership of WHAT, WAS and IS. */
static void
add_row (Comparing *comparing, gchar *what, gchar *was, gchar *is, WpProbeVerdict verdict)
{
  WpProbeRow *row = g_new (WpProbeRow, 1);

  *row = (WpProbeRow){ what, was, is, verdict };
  g_ptr_array_add (comparing->comparison->rows, row);
  comparing->comparison->counts[verdict]++;
}

static gchar *
write_cycles (WpCycles value)
{
  gchar text[WP_TIME_CHARS];

  return g_strdup (wp_cycles_format (value, text));
}

static void
add_cycles (Comparing *comparing, gchar *what, WpCycles was, WpCycles is)
{
  gdouble before = wp_cycles_to_double (was), after = wp_cycles_to_double (is);
  WpProbeVerdict verdict = WP_PROBE_OTHER;

  if (wp_cycles_compare (was, is) == 0)
    verdict = WP_PROBE_SAME;
  else if (fabs (after - before) <= ONE_PERCENT * before)
    verdict = WP_PROBE_NEAR;
  add_row (comparing, what, write_cycles (was), write_cycles (is), verdict);
}

static void
add_number (Comparing *comparing, const gchar *what, gint64 was, gint64 is)
{
  add_row (comparing, g_strdup (what), g_strdup_printf ("%" G_GINT64_FORMAT, was),
           g_strdup_printf ("%" G_GINT64_FORMAT, is), was == is ? WP_PROBE_SAME : WP_PROBE_OTHER);
}

static void
add_untold (Comparing *comparing, gchar *what, gchar *was)
{
  add_row (comparing, what, was, g_strdup ("-"), WP_PROBE_UNTOLD);
}

/* ---- The device ---- */

static void
compare_device (Comparing *comparing)
{
  const WpGpu *was = comparing->was, *is = comparing->is;

  add_number (comparing, "device.sms", was->sms, is->sms);
  add_cycles (comparing, g_strdup ("device.clock-mhz"), was->clock_mhz, is->clock_mhz);
  add_number (comparing, "device.warp-size", was->warp_size, is->warp_size);
  if (comparing->probe->launch.is_told)
    add_cycles (comparing, g_strdup ("launch.latency"), was->launch_latency, is->launch_latency);
  else
    add_untold (comparing, g_strdup ("launch.latency"), write_cycles (was->launch_latency));
  add_cycles (comparing, g_strdup ("barrier.latency"), was->barrier_latency, is->barrier_latency);
  add_number (comparing, "scheduler.count", was->schedulers, is->schedulers);
  add_cycles (comparing, g_strdup ("scheduler.interval"), was->interval, is->interval);
  add_number (comparing, "scheduler.issue-limit", was->issue_limit, is->issue_limit);
  add_number (comparing, "scheduler.dual-issue", was->dual_issue, is->dual_issue);
  add_cycles (comparing, g_strdup ("scheduler.ilp-latency"), was->ilp_latency, is->ilp_latency);
  if (was->pin_gbs.num > 0)
    add_untold (comparing, g_strdup ("device.pin-gbs"), write_cycles (was->pin_gbs));
  if (was->has_contention)
    add_untold (comparing, g_strdup ("contention"), write_cycles (was->contention_a));
  if (was->caches[0].bytes > 0)
    add_untold (comparing, g_strdup ("cache.1.bytes"),
                g_strdup_printf ("%" G_GUINT64_FORMAT, was->caches[0].bytes));
}

/* In which units registers and shared memory are handed out. */
static void
compare_units (Comparing *comparing)
{
  const WpGpuLimits *was = &comparing->was->limits, *is = &comparing->is->limits;

  if (comparing->probe->register_allocation == 0
      && comparing->probe->attributes[WP_PROBE_REGISTERS] > 0)
    add_untold (comparing, g_strdup ("limits.register-allocation"),
                g_strdup_printf ("%" G_GINT64_FORMAT, was->register_allocation));
  else
    {
      add_number (comparing, "limits.register-allocation", was->register_allocation,
                  is->register_allocation);
      add_number (comparing, "limits.register-partitions", was->register_partitions,
                  is->register_partitions);
      add_number (comparing, "limits.register-scope is block", was->register_per_block,
                  is->register_per_block);
    }
  if (comparing->probe->shared_memory_allocation == 0
      && comparing->probe->attributes[WP_PROBE_SHARED_MEMORY] > 0)
    add_untold (comparing, g_strdup ("limits.shared-memory-allocation"),
                g_strdup_printf ("%" G_GINT64_FORMAT, was->shared_memory_allocation));
  else
    add_number (comparing, "limits.shared-memory-allocation", was->shared_memory_allocation,
                is->shared_memory_allocation);
}

static void
compare_limits (Comparing *comparing)
{
  const WpGpuLimits *was = &comparing->was->limits, *is = &comparing->is->limits;

  add_number (comparing, "limits.warps", was->warps, is->warps);
  add_number (comparing, "limits.blocks", was->blocks, is->blocks);
  add_number (comparing, "limits.threads", was->threads, is->threads);
  add_number (comparing, "limits.registers", was->registers, is->registers);
  add_number (comparing, "limits.shared-memory", was->shared_memory, is->shared_memory);
  add_number (comparing, "limits.threads-per-block", was->threads_per_block, is->threads_per_block);
  if (comparing->probe->attributes[WP_PROBE_REGISTERS_PER_THREAD] > 0
      || was->registers_per_thread == 0)
    add_number (comparing, "limits.registers-per-thread", was->registers_per_thread,
                is->registers_per_thread);
  add_number (comparing, "limits.shared-memory-per-block", was->shared_memory_per_block,
              is->shared_memory_per_block);
  add_number (comparing, "limits.shared-memory-reserved", was->shared_memory_reserved,
              is->shared_memory_reserved);
  compare_units (comparing);
}

/* ---- Pipelines ---- */

/* The pipelines that OP passes, the first its own. */
static guint
list_pipelines (const WpGpuOp *op, const gchar *access, guint *pipelines)
{
  WpGpuCost cost;

  if (!wp_gpu_op_cost (op, access, &cost, NULL))
    return 0;
  pipelines[0] = op->pipeline;
  for (guint i = 0; i < cost.n_passes; i++)
    pipelines[i + 1] = cost.passes[i].pipeline;
  return cost.n_passes + 1;
}

/* The pipeline of the second description that has what passes PIPELINE of the first; APART becomes
 * true where ops of one are on several. */
static gint
find_counterpart (const Comparing *comparing, guint pipeline, gboolean *apart)
{
  gint found = -1;

  for (guint i = 0; i < comparing->probe->ops->len; i++)
    {
      const WpProbeOp *op = wp_probe_get_op (comparing->probe, i);
      guint was[WP_MAX_PASSES + 1], is[WP_MAX_PASSES + 1];
      const WpGpuOp *other = wp_gpu_get_op (comparing->is, op->name);
      const WpGpuOp *one = wp_gpu_get_op (comparing->was, op->name);
      guint n = one != NULL ? list_pipelines (one, op->access, was) : 0;

      if (n == 0 || other == NULL || list_pipelines (other, op->access, is) != n)
        continue;
      for (guint k = 0; k < n; k++)
        if (was[k] == pipeline)
          {
            *apart |= found >= 0 && found != (gint)is[k];
            found = (gint)is[k];
          }
    }
  return found;
}

/* Whether the ops of another pipeline of the first description, too, are on COUNTERPART. */
static gboolean
is_merged (const Comparing *comparing, guint pipeline, gint counterpart)
{
  gboolean apart = FALSE;

  for (guint i = 0; i < comparing->was->pipelines->len; i++)
    if (i != pipeline && find_counterpart (comparing, i, &apart) == counterpart)
      return TRUE;
  return FALSE;
}

/* Whether the queue of the pipeline called NAME was seen, and is no guess. */
static gboolean
is_queue_told (const WpProbe *probe, const gchar *name)
{
  for (guint i = 0; i < probe->units->len; i++)
    if (g_str_equal (wp_probe_get_unit (probe, i)->name, name))
      return wp_probe_get_unit (probe, i)->queue_told;
  return FALSE;
}

static void
compare_pipeline (Comparing *comparing, guint index)
{
  const WpGpuPipeline *was = g_ptr_array_index (comparing->was->pipelines, index), *is;
  gboolean apart = FALSE;
  gboolean merged;
  gint counterpart = find_counterpart (comparing, index, &apart);

#define NAMED(part) g_strdup_printf ("pipeline.%s." part, was->name)
#define WHOLE(number) g_strdup_printf ("%u", number)
#define ROW(part, one, other, same)                                                                \
  add_row (comparing, NAMED (part), one, other, same ? WP_PROBE_SAME : WP_PROBE_OTHER)
  if (counterpart < 0)
    return;
  is = g_ptr_array_index (comparing->is->pipelines, (guint)counterpart);
  merged = is_merged (comparing, index, counterpart);
  ROW ("ops", g_strdup ("its own"),
       g_strdup (apart    ? "several"
                 : merged ? "shared"
                          : "its own"),
       !apart && !merged);
  if (comparing->was->schedulers > 1)
    ROW ("scope", g_strdup (was->scope == WP_SCOPE_SM ? "sm" : "scheduler"),
         g_strdup (is->scope == WP_SCOPE_SM ? "sm" : "scheduler"), was->scope == is->scope);
  if (!is_queue_told (comparing->probe, is->name))
    add_untold (comparing, NAMED ("queue"),
                was->queue == WP_QUEUE_UNBOUNDED ? g_strdup ("unbounded") : WHOLE (was->queue));
  else
    ROW ("queue", was->queue == WP_QUEUE_UNBOUNDED ? g_strdup ("unbounded") : WHOLE (was->queue),
         is->queue == WP_QUEUE_UNBOUNDED ? g_strdup ("unbounded") : WHOLE (is->queue),
         was->queue == is->queue);
  if (was->inflight != 0 && comparing->probe->device->precision > 0)
    add_untold (comparing, NAMED ("inflight"), WHOLE (was->inflight));
  else if (was->inflight != 0 || is->inflight != 0)
    ROW ("inflight", WHOLE (was->inflight), WHOLE (is->inflight), was->inflight == is->inflight);
  if (was->shared > 1 || is->shared > 1)
    ROW ("shared", WHOLE (was->shared), WHOLE (is->shared), was->shared == is->shared);
  if (was->channels > 0 && is->channels == 0)
    add_untold (comparing, NAMED ("channels"), WHOLE (was->channels));
  else if (was->channels > 0 || is->channels > 0)
    {
      add_row (comparing, NAMED ("channels"), WHOLE (was->channels), WHOLE (is->channels),
               WP_PROBE_FITTED);
      add_row (comparing, NAMED ("channel-issue"), write_cycles (was->channel_issue),
               write_cycles (is->channel_issue), WP_PROBE_FITTED);
    }
  if (was->turnaround.num + is->turnaround.num > 0 && comparing->probe->device->precision > 0)
    add_row (comparing, NAMED ("turnaround"), write_cycles (was->turnaround),
             write_cycles (is->turnaround), WP_PROBE_FITTED);
  else if (was->turnaround.num > 0 || is->turnaround.num > 0)
    add_cycles (comparing, NAMED ("turnaround"), was->turnaround, is->turnaround);
#undef ROW
#undef WHOLE
#undef NAMED
}

/* ---- Ops ---- */

/* How long a result of OP takes for CONSUMER. */
static WpCycles
find_completion (const WpGpuOp *op, const gchar *consumer)
{
  for (guint i = 0; i < op->consumers->len; i++)
    {
      const WpGpuConsumer *entry = g_ptr_array_index (op->consumers, i);

      if (g_str_equal (entry->op, consumer))
        return entry->completion;
    }
  return op->completion;
}

static void
compare_consumers (Comparing *comparing, const WpGpuOp *was, const WpGpuOp *is)
{
  for (guint i = 0; i < comparing->probe->ops->len; i++)
    {
      const WpProbeOp *to = wp_probe_get_op (comparing->probe, i);
      WpCycles before = find_completion (was, to->name), after = find_completion (is, to->name);

      if (to->access != NULL
          || (wp_cycles_compare (before, was->completion) == 0
              && wp_cycles_compare (after, is->completion) == 0))
        continue;
      /* A quick probe times some pairs only. */
      if (comparing->probe->is_quick && wp_cycles_compare (after, is->completion) == 0)
        add_untold (comparing, g_strdup_printf ("op.%s for %s", was->name, to->name),
                    write_cycles (before));
      else
        add_cycles (comparing, g_strdup_printf ("op.%s for %s", was->name, to->name), before,
                    after);
    }
}

static void
compare_op (Comparing *comparing, const WpProbeOp *op)
{
  const WpGpuOp *was = wp_gpu_get_op (comparing->was, op->name);
  const WpGpuOp *is = wp_gpu_get_op (comparing->is, op->name);
  g_autofree gchar *name = op->access != NULL ? g_strdup_printf ("op.%s %s", op->name, op->access)
                                              : g_strdup_printf ("op.%s", op->name);
  WpGpuCost before, after;

  if (was == NULL || !wp_gpu_op_cost (was, op->access, &before, NULL))
    return;
  if (is == NULL || !wp_gpu_op_cost (is, op->access, &after, NULL))
    {
      add_untold (comparing, g_steal_pointer (&name), write_cycles (before.issue));
      return;
    }
  add_cycles (comparing, g_strdup_printf ("%s issue", name), before.issue, after.issue);
  if (!before.posted || !after.posted)
    add_cycles (comparing, g_strdup_printf ("%s completion", name), before.completion,
                after.completion);
  else if (before.completion.num > 0)
    add_untold (comparing, g_strdup_printf ("%s completion", name),
                write_cycles (before.completion));
  if (before.n_passes > 0 || after.n_passes > 0)
    add_row (comparing, g_strdup_printf ("%s path", name),
             g_strdup_printf ("%u stages", before.n_passes + 1),
             g_strdup_printf ("%u stages", after.n_passes + 1),
             before.n_passes == after.n_passes ? WP_PROBE_SAME : WP_PROBE_OTHER);
  for (guint i = 0; before.n_passes == after.n_passes && i < before.n_passes; i++)
    add_cycles (comparing, g_strdup_printf ("%s then %u", name, i + 1), before.passes[i].issue,
                after.passes[i].issue);
  if (before.spread != NULL)
    add_untold (comparing, g_strdup_printf ("%s spread", name), g_strdup ("given"));
  if (op->access == NULL)
    compare_consumers (comparing, was, is);
}

/* ---- The whole ---- */

static void
free_row (gpointer data)
{
  WpProbeRow *row = data;

  g_free (row->what);
  g_free (row->was);
  g_free (row->is);
  g_free (row);
}

WpProbeComparison *
wp_probe_compare (const WpProbe *probe, const WpGpu *was, const WpGpu *is)
{
  WpProbeComparison *comparison = g_new0 (WpProbeComparison, 1);
  Comparing comparing = { probe, was, is, comparison };

  comparison->rows = g_ptr_array_new_with_free_func (free_row);
  compare_device (&comparing);
  compare_limits (&comparing);
  for (guint i = 0; i < was->pipelines->len; i++)
    compare_pipeline (&comparing, i);
  for (guint i = 0; i < probe->ops->len; i++)
    compare_op (&comparing, wp_probe_get_op (probe, i));
  return comparison;
}

void
wp_probe_comparison_free (WpProbeComparison *comparison)
{
  if (comparison == NULL)
    return;
  g_ptr_array_unref (comparison->rows);
  g_free (comparison);
}
