/* SPDX-License-Identifier: MIT */
/* Makes a machine in three passes over the kernel: look up the cost of each instruction
 * (wp-resolve-costs.c), find the common tick of all times in use (wp-resolve-tick.c), and write the
 * flat arrays (wp-resolve-program.c). The times of repeats that are dropped still count for the
 * tick, because MODEL.md says "of every instruction of the kernel as written". Idealisations
 * (wp-idealise.h) are applied on the way, or at the end. */
#include "sim/gpu/wp-resolver.h"

#include "idg/kernel/idg-barriers.h"

/* ---- The GPU ---- */

static void
fill_gpu (WpResolver *r)
{
  WpMachine *machine = &r->resolved->machine;
  const WpGpu *gpu = r->gpu;

  machine->n_schedulers = (guint32)gpu->schedulers;
  machine->interval = wp_resolver_to_ticks (r, gpu->interval);
  machine->ilp_latency = wp_resolver_to_ticks (r, gpu->ilp_latency);
  machine->launch_latency = wp_resolver_to_ticks (r, gpu->launch_latency);
  machine->barrier_latency = wp_resolver_to_ticks (r, gpu->barrier_latency);
  machine->issue_limit = gpu->issue_limit;
  machine->dual_issue = machine->dataflow ? 1 : gpu->dual_issue;
  machine->n_pipelines = gpu->pipelines->len;
  r->arena->pipelines = g_new0 (WpPipelineDesc, gpu->pipelines->len + 1);
  for (guint i = 0; i < gpu->pipelines->len; i++)
    {
      const WpGpuPipeline *from = g_ptr_array_index (gpu->pipelines, i);
      WpPipelineDesc *to = &r->arena->pipelines[i];

      to->name = from->name;
      to->queue = from->queue == WP_QUEUE_UNBOUNDED ? WP_NO_QUEUE_LIMIT : from->queue;
      to->per_scheduler = from->scope == WP_SCOPE_SCHEDULER;
      to->memory = from->kind == WP_KIND_MEMORY;
      to->pairing_never = from->pairing_never;
      to->inflight = from->inflight;
      /* As below. */
      to->shared = wp_resolver_get_shared (r, i);
      if (wp_resolver_fits_tick (r, i, from->turnaround))
        {
          to->turnaround = wp_resolver_to_shared (r, i, from->turnaround, FALSE);
          to->turnaround_last = wp_resolver_to_shared (r, i, from->turnaround, TRUE);
        }
      if (!r->contended || from->channels == 0)
        continue;
      /* A pipeline that the kernel does not use did not count for the tick; no instruction uses its
       * channels. */
      if (wp_resolver_fits_tick (r, i, from->channel_issue))
        {
          to->channels = from->channels;
          to->channel_issue = wp_resolver_to_shared (r, i, from->channel_issue, FALSE);
          to->channel_issue_last = wp_resolver_to_shared (r, i, from->channel_issue, TRUE);
        }
    }
}

static void
point_machine (WpResolver *r)
{
  WpMachine *machine = &r->resolved->machine;
  const WpArena *arena = r->arena;

  machine->pipelines = arena->pipelines;
  machine->n_programs = arena->programs->len;
  machine->programs = (const WpProgram *)(gconstpointer)arena->programs->data;
  machine->n_instrs = arena->instrs->len;
  machine->instrs = (const WpInstr *)(gconstpointer)arena->instrs->data;
  r->resolved->nodes = (const IdgNode *const *)(gconstpointer)arena->nodes->data;
  machine->n_deps = arena->deps->len;
  machine->deps = (const WpDep *)(gconstpointer)arena->deps->data;
  machine->n_code = arena->code->len;
  machine->code = (const WpCode *)(gconstpointer)arena->code->data;
  machine->n_spreads = arena->spreads->len;
  machine->spreads = (const WpSpread *)(gconstpointer)arena->spreads->data;
  machine->n_passes = arena->passes->len;
  machine->passes = (const WpPass *)(gconstpointer)arena->passes->data;
  machine->n_barriers = arena->barriers->len;
  machine->barriers = (const WpBarrierDesc *)(gconstpointer)arena->barriers->data;
  machine->n_names = arena->names->len;
  machine->names = (const char *const *)arena->names->pdata;
  machine->n_block_ranges = arena->block_ranges->len;
  machine->block_ranges = (const WpBlockRange *)(gconstpointer)arena->block_ranges->data;
  machine->n_rows = arena->rows->len;
  machine->rows = (const WpRow *)(gconstpointer)arena->rows->data;
  machine->n_segments = arena->segments->len;
  machine->segments = (const WpSegment *)(gconstpointer)arena->segments->data;
}

/* Applies the idealisations that change the machine. */
static void
idealise (WpResolver *r)
{
  const WpArena *arena = r->arena;
  WpIdealParts parts = { .machine = &r->resolved->machine,
                         .instrs = (WpInstr *)(gpointer)arena->instrs->data,
                         .costs = (WpCost *const *)(gpointer)arena->costs->pdata,
                         .n_costs = arena->costs->len,
                         .deps = (WpDep *)(gpointer)arena->deps->data,
                         .passes = (WpPass *)(gpointer)arena->passes->data,
                         .pipelines = arena->pipelines };

  r->resolved->idealised |= wp_idealise (&parts, r->options->ideals);
}

/* Reserves room for one element in each array, so that none is NULL, even if it stays empty. */
static WpArena *
arena_new (void)
{
  WpArena *arena = g_new0 (WpArena, 1);

  arena->costs = g_ptr_array_new_with_free_func (g_free);
  arena->programs = g_array_sized_new (FALSE, TRUE, sizeof (WpProgram), 1);
  arena->instrs = g_array_sized_new (FALSE, TRUE, sizeof (WpInstr), 1);
  arena->nodes = g_array_sized_new (FALSE, TRUE, sizeof (const IdgNode *), 1);
  arena->ops = g_hash_table_new (NULL, NULL);
  arena->deps = g_array_sized_new (FALSE, TRUE, sizeof (WpDep), 1);
  arena->code = g_array_sized_new (FALSE, TRUE, sizeof (WpCode), 1);
  arena->spreads = g_array_sized_new (FALSE, TRUE, sizeof (WpSpread), 1);
  arena->passes = g_array_sized_new (FALSE, TRUE, sizeof (WpPass), 1);
  arena->block_ranges = g_array_sized_new (FALSE, TRUE, sizeof (WpBlockRange), 1);
  arena->rows = g_array_sized_new (FALSE, TRUE, sizeof (WpRow), 1);
  arena->segments = g_array_sized_new (FALSE, TRUE, sizeof (WpSegment), 1);
  arena->barriers = g_array_sized_new (FALSE, TRUE, sizeof (WpBarrierDesc), 1);
  arena->names = g_ptr_array_sized_new (1);
  arena->owned = g_ptr_array_new_with_free_func (g_free);
  return arena;
}

static void
arena_free (WpArena *arena)
{
  g_ptr_array_unref (arena->costs);
  g_array_unref (arena->programs);
  g_array_unref (arena->instrs);
  g_array_unref (arena->nodes);
  g_hash_table_unref (arena->ops);
  g_array_unref (arena->deps);
  g_array_unref (arena->code);
  g_array_unref (arena->spreads);
  g_array_unref (arena->passes);
  g_array_unref (arena->block_ranges);
  g_array_unref (arena->rows);
  g_array_unref (arena->segments);
  g_array_unref (arena->barriers);
  g_ptr_array_unref (arena->names);
  g_ptr_array_unref (arena->owned);
  g_free (arena->pipelines);
  g_free (arena);
}

static void
clear_denominator (gpointer data)
{
  g_free (((WpDenominator *)data)->label);
}

/* Checks that what dataflow order stores for each dynamic instruction stays within bounds. */
static gboolean
check_dataflow (WpResolver *r, GError **error)
{
  const WpMachine *machine = &r->resolved->machine;
  guint64 warps
      = (guint64)machine->resident_blocks * machine->warps_per_block * machine->simulated_sms;

  for (guint32 p = 0; machine->dataflow && p < machine->n_programs; p++)
    {
      const IdgKernelProgram *named = g_ptr_array_index (r->kernel->programs, p);
      const WpProgram *program = &machine->programs[p];

      if (wp_machine_count_dependences (machine, program) > WP_MAX_DATAFLOW_DEPS)
        {
          wp_resolver_fail (r->kernel, named->line, WP_ERROR_LIMIT, error,
                            "the program unrolls to more than 2^26 dependences, the most that "
                            "dataflow order takes");
          return FALSE;
        }
      if (program->n_dynamic > WP_MAX_DATAFLOW_RESIDENT / warps)
        {
          wp_resolver_fail (r->kernel, named->line, WP_ERROR_LIMIT, error,
                            "%" G_GUINT64_FORMAT " resident warps of %" G_GUINT64_FORMAT
                            " instructions each are more than the 2^28 instructions that dataflow "
                            "order keeps: use --occupancy",
                            warps, program->n_dynamic);
          return FALSE;
        }
    }
  return TRUE;
}

/* Checks that totals fit in 64 bits, because a run may reach its end without simulating every step.
 */
static gboolean
check_total (WpResolver *r, GError **error)
{
  gdouble total = wp_machine_count_instructions (&r->resolved->machine);

  if (total < WP_MAX_INSTRUCTIONS)
    return TRUE;
  wp_resolver_fail (
      r->kernel, 0, WP_ERROR_LIMIT, error,
      "the launch runs %.3g instructions in all, on the SMs that are simulated; a run "
      "counts up to 2^63",
      total);
  return FALSE;
}

/* The kernel's barriers with names, in the order of their numbers. */
static gboolean
list_barriers (WpResolver *r, GError **error)
{
  r->barriers = idg_kernel_list_barriers (r->kernel, error);
  for (guint i = 0;
       r->barriers != NULL && !wp_resolver_is_ideal (r, WP_IDEAL_BARRIERS) && i < r->barriers->len;
       i++)
    {
      const IdgBarrier *from = &g_array_index (r->barriers, IdgBarrier, i);
      WpBarrierDesc barrier = { from->name, from->warps };

      g_array_append_val (r->arena->barriers, barrier);
    }
  return r->barriers != NULL;
}

static gboolean
resolve (WpResolver *r, GError **error)
{
  WpMachine *machine = &r->resolved->machine;

  machine->dataflow
      = (r->options->has_order ? r->options->order : r->gpu->order) == WP_ORDER_DATAFLOW;
  machine->contended = r->contended;
  machine->seed = r->options->seed;
  machine->active_set = r->options->active_set;
  if (!list_barriers (r, error)
      || (wp_resolver_shares (r->gpu) && !wp_resolver_look_up_all (r, error))
      || !wp_resolver_fit_launch (r, error)
      || (!wp_resolver_shares (r->gpu) && !wp_resolver_look_up_all (r, error))
      || !wp_resolver_find_tick (r, error) || !wp_resolver_check_spreads (r, error))
    return FALSE;
  fill_gpu (r);
  for (guint p = 0; p < r->kernel->programs->len; p++)
    if (!wp_resolver_add_program (r, p, error))
      return FALSE;
  if (!wp_resolver_assign_programs (r, error))
    return FALSE;
  point_machine (r);
  wp_resolver_sample_blocks (r);
  idealise (r);
  return check_dataflow (r, error) && check_total (r, error);
}

WpResolved *
wp_resolve (const IdgKernel *kernel, const WpGpu *gpu, const WpRunOptions *options, GError **error)
{
  WpArena *arena = arena_new ();
  g_autoptr (WpResolved) resolved = &arena->resolved;
  WpResolver r = { .kernel = kernel,
                   .gpu = gpu,
                   .options = options,
                   .contended = wp_run_options_contend (options, kernel),
                   .resolved = resolved,
                   .arena = arena };
  gboolean done;

  r.costs = g_ptr_array_new ();
  r.cache = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  r.machine_costs = wp_resolver_new_costs ();
  r.name_ids = g_hash_table_new (g_str_hash, g_str_equal);
  r.spread_ids = g_hash_table_new (NULL, NULL);
  r.denominators = g_array_new (FALSE, FALSE, sizeof (WpDenominator));
  g_array_set_clear_func (r.denominators, clear_denominator);
  done = resolve (&r, error);
  g_clear_pointer (&r.barriers, g_array_unref);
  if (r.costs->len > 0)
    g_free (g_ptr_array_index (r.costs, 0));
  g_ptr_array_unref (r.costs);
  g_hash_table_unref (r.cache);
  g_hash_table_unref (r.machine_costs);
  g_hash_table_unref (r.name_ids);
  g_hash_table_unref (r.spread_ids);
  g_array_unref (r.denominators);
  return done ? g_steal_pointer (&resolved) : NULL;
}

/* ---- What instructions come from ---- */

const WpGpuOp *
wp_resolved_get_op (const WpResolved *resolved, guint32 instr)
{
  const WpArena *arena = (const WpArena *)resolved;

  return g_hash_table_lookup (arena->ops, resolved->machine.instrs[instr].cost);
}

/* The program that has the instruction at INSTR: programs lie in order. */
static const WpProgram *
find_program (const WpMachine *machine, guint32 instr)
{
  guint32 low = 0, high = machine->n_programs;

  while (high - low > 1)
    {
      guint32 middle = low + (high - low) / 2;

      if (machine->programs[middle].first_instr <= instr)
        low = middle;
      else
        high = middle;
    }
  return &machine->programs[low];
}

guint32
wp_resolved_get_number (const WpResolved *resolved, guint32 instr)
{
  const WpMachine *machine = &resolved->machine;
  guint32 first = find_program (machine, instr)->first_instr, number = instr - first;

  for (guint32 i = first; ((const WpArena *)resolved)->mixed && i <= instr; i++)
    number -= machine->instrs[i].cost->mix_place > 0;
  return number;
}

guint32
wp_resolved_find_instr (const WpResolved *resolved, guint32 program, guint32 number)
{
  const WpMachine *machine = &resolved->machine;
  guint32 instr = machine->programs[program].first_instr;

  if (!((const WpArena *)resolved)->mixed)
    return instr + number;
  for (; number > 0; number--)
    instr += wp_instr_count_contexts (&machine->instrs[instr]);
  return instr;
}

void
wp_resolved_free (WpResolved *resolved)
{
  if (resolved != NULL)
    arena_free ((WpArena *)resolved);
}
