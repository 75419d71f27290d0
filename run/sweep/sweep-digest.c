/* SPDX-License-Identifier: MIT */
/* GPUs are digested as read from their files and the files that these start from; the kernel as its
 * text, since its parameters are still to be filled in. Whoever adds a field to WpGpu that the
 * engine sees adds it here.
 */
#include "run/sweep/sweep-digest.h"

#include "config.h"
#include "run/base/policy-file.h"

#include <string.h>

/* Hexadecimal digits: enough to tell sweeps apart, no protection against malice. */
#define DIGEST_CHARS 16
/* Values of an axis that go in one by one, however they were written. */
#define MAX_SPELLED 4096

/* A number more after each string and list, so that no two sweeps give the same bytes. */
static void
add_bytes (GChecksum *sum, const gchar *bytes, gsize n)
{
  guint64 length = GUINT64_TO_LE ((guint64)n);

  g_checksum_update (sum, (const guchar *)&length, sizeof length);
  g_checksum_update (sum, (const guchar *)bytes, (gssize)n);
}

static void
add_string (GChecksum *sum, const gchar *string)
{
  add_bytes (sum, string != NULL ? string : "", string != NULL ? strlen (string) : 0);
}

static void
add_number (GChecksum *sum, gint64 number)
{
  gint64 little = GINT64_TO_LE (number);

  g_checksum_update (sum, (const guchar *)&little, sizeof little);
}

static void
add_numbers (GChecksum *sum, const gint64 *numbers, gsize n)
{
  add_number (sum, (gint64)n);
  for (gsize i = 0; i < n; i++)
    add_number (sum, numbers[i]);
}

static void
add_cycles (GChecksum *sum, WpCycles cycles)
{
  add_number (sum, cycles.num);
  add_number (sum, cycles.den);
}

/* ---- GPUs ---- */

static void
add_spread (GChecksum *sum, const WpGpuSpread *spread)
{
  add_number (sum, spread != NULL ? (gint64)spread->n : -1);
  for (guint i = 0; spread != NULL && i < spread->n; i++)
    {
      add_number (sum, spread->at[i]);
      add_cycles (sum, spread->add[i]);
    }
}

/* Nothing where there is none: sums of descriptions without paths stay. */
static void
add_path (GChecksum *sum, const GArray *path)
{
  if (path == NULL)
    return;
  add_number (sum, path->len);
  for (guint i = 0; i < path->len; i++)
    {
      const WpGpuThen *then = &g_array_index (path, WpGpuThen, i);
      const gint64 numbers[]
          = { then->pipeline, then->has_transactions, then->transactions, then->transactions_each };

      add_numbers (sum, numbers, G_N_ELEMENTS (numbers));
      add_cycles (sum, then->issue);
      add_cycles (sum, then->issue_each);
      add_cycles (sum, then->completion_each);
    }
}

static void
add_context (GChecksum *sum, const WpGpuContext *context)
{
  const gint64 numbers[] = {
    context->has_issue,
    context->has_completion,
    context->has_flops,
    context->has_bytes,
    context->has_slots,
    context->has_transactions,
    context->has_posted,
    context->has_issue_each,
    context->has_completion_each,
    context->has_bytes_each,
    context->has_transactions_each,
    context->has_flops_each,
    (gint64)context->flops,
    (gint64)context->bytes,
    (gint64)context->bytes_each,
    (gint64)context->flops_each,
    context->slots,
    context->transactions,
    context->transactions_each,
    context->posted,
    context->spread != NULL,
  };

  add_string (sum, context->name);
  add_numbers (sum, numbers, G_N_ELEMENTS (numbers));
  add_cycles (sum, context->issue);
  add_cycles (sum, context->completion);
  add_cycles (sum, context->issue_each);
  add_cycles (sum, context->completion_each);
  add_spread (sum, context->spread);
  if (context->has_issue_min)
    add_cycles (sum, context->issue_min);
  for (guint i = 0; context->completion_short != NULL && i < context->completion_short->len; i++)
    add_cycles (sum, g_array_index (context->completion_short, WpCycles, i));
  add_path (sum, context->path);
}

static void
add_op (GChecksum *sum, const WpGpuOp *op)
{
  const gint64 numbers[] = { op->pipeline, (gint64)op->flops, (gint64)op->bytes,
                             op->slots,    op->transactions,  op->posted };

  add_string (sum, op->name);
  add_numbers (sum, numbers, G_N_ELEMENTS (numbers));
  add_cycles (sum, op->issue);
  add_cycles (sum, op->completion);
  add_spread (sum, op->spread);
  add_path (sum, op->path);
  if (op->issue_min.num > 0)
    add_cycles (sum, op->issue_min);
  if (op->write)
    add_string (sum, "write");
  add_number (sum, op->contexts->len);
  for (guint i = 0; i < op->contexts->len; i++)
    add_context (sum, g_ptr_array_index (op->contexts, i));
  add_number (sum, op->consumers->len);
  for (guint i = 0; i < op->consumers->len; i++)
    {
      const WpGpuConsumer *consumer = g_ptr_array_index (op->consumers, i);

      add_string (sum, consumer->op);
      add_cycles (sum, consumer->completion);
    }
}

static void
add_pipeline (GChecksum *sum, const WpGpuPipeline *pipeline)
{
  const gint64 numbers[] = { pipeline->kind, pipeline->scope, pipeline->queue,
                             pipeline->pairing_never, pipeline->channels };

  add_string (sum, pipeline->name);
  add_numbers (sum, numbers, G_N_ELEMENTS (numbers));
  add_cycles (sum, pipeline->channel_issue);
  if (pipeline->shared > 1)
    add_number (sum, pipeline->shared);
  if (pipeline->inflight > 0 || pipeline->turnaround.num > 0)
    {
      add_number (sum, pipeline->inflight);
      add_cycles (sum, pipeline->turnaround);
    }
}

static void
add_limits (GChecksum *sum, const WpGpuLimits *limits)
{
  const gint64 numbers[] = {
    limits->warps,
    limits->blocks,
    limits->threads,
    limits->registers,
    limits->shared_memory,
    limits->threads_per_block,
    limits->registers_per_thread,
    limits->shared_memory_per_block,
    limits->register_allocation,
    limits->register_per_block,
    limits->register_partitions,
    limits->shared_memory_allocation,
    limits->shared_memory_reserved,
  };

  add_numbers (sum, numbers, G_N_ELEMENTS (numbers));
}

/* All but what only analytical models and people look at; warnings look at the pins. */
static void
add_gpu (GChecksum *sum, const WpGpu *gpu)
{
  const gint64 numbers[] = { gpu->sms,         gpu->warp_size,  gpu->schedulers,
                             gpu->issue_limit, gpu->dual_issue, gpu->order };

  add_string (sum, gpu->name);
  add_numbers (sum, numbers, G_N_ELEMENTS (numbers));
  add_cycles (sum, gpu->clock_mhz);
  add_cycles (sum, gpu->pin_gbs);
  add_limits (sum, &gpu->limits);
  add_cycles (sum, gpu->launch_latency);
  add_cycles (sum, gpu->barrier_latency);
  add_cycles (sum, gpu->interval);
  add_cycles (sum, gpu->ilp_latency);
  add_number (sum, gpu->pipelines->len);
  for (guint i = 0; i < gpu->pipelines->len; i++)
    add_pipeline (sum, g_ptr_array_index (gpu->pipelines, i));
  add_number (sum, gpu->ops->len);
  for (guint i = 0; i < gpu->ops->len; i++)
    add_op (sum, g_ptr_array_index (gpu->ops, i));
}

/* ---- The sweep ---- */

static void
add_range (GChecksum *sum, const WpRange *range, gboolean spelled)
{
  guint64 n = (range->last - range->first) / range->step;

  for (guint64 i = 0; spelled && i <= n; i++)
    add_number (sum, (gint64)(range->first + i * range->step));
  if (spelled)
    return;
  add_number (sum, (gint64)range->first);
  add_number (sum, (gint64)n);
  add_number (sum, (gint64)range->step);
}

/* "1,2,3" and "1-3" are the same, unless there are very many. */
static void
add_axis (GChecksum *sum, const GArray *ranges)
{
  guint64 n = ranges != NULL ? wp_ranges_count (ranges) : 0;

  add_number (sum, (gint64)n);
  for (guint i = 0; n > 0 && i < ranges->len; i++)
    add_range (sum, &g_array_index (ranges, WpRange, i), n <= MAX_SPELLED);
}

/* One from a library is what the library has in it. */
static void
add_policy (GChecksum *sum, const WpPolicy *policy)
{
  g_autofree gchar *contents = wp_policy_make_checksum (policy);

  add_string (sum, wp_policy_get_name (policy));
  if (contents != NULL)
    add_string (sum, contents);
}

static void
add_kernel (GChecksum *sum, const WpSweepKernel *kernel)
{
  add_string (sum, kernel->name);
  add_bytes (sum, kernel->text, kernel->length);
  for (guint i = 0; kernel->texts != NULL && i < kernel->texts->len; i++)
    if (g_ptr_array_index (kernel->texts, i) != NULL)
      add_string (sum, g_ptr_array_index (kernel->texts, i));
  for (guint i = 0; kernel->executed != NULL && i < kernel->executed->len; i++)
    add_string (sum, g_ptr_array_index (kernel->executed, i));
}

gchar *
wp_sweep_make_digest (const WpSweep *sweep)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);

  add_string (sum, PACKAGE_STRING);
  for (guint i = 0; i < sweep->kernels->len; i++)
    add_kernel (sum, g_ptr_array_index (sweep->kernels, i));
  for (guint i = 0; i < sweep->gpus->len; i++)
    {
      add_string (sum, sweep->gpu_names[i]);
      add_gpu (sum, g_ptr_array_index (sweep->gpus, i));
    }
  for (guint i = 0; i < sweep->policies->len; i++)
    add_policy (sum, g_ptr_array_index (sweep->policies, i));
  for (guint i = WP_AXIS_GPU; i < WP_N_AXES; i++)
    add_axis (sum, sweep->axes[i]);
  for (guint i = 0; i < sweep->parameters->len; i++)
    add_axis (sum, sweep->settings[i]);
  add_number (sum, sweep->no_limits);
  add_number (sum, sweep->strict);
  if (sweep->normalize)
    add_string (sum, "normalize");
  return g_strndup (g_checksum_get_string (sum), DIGEST_CHARS);
}
