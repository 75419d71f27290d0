/* SPDX-License-Identifier: MIT */
/* Computes the input of models for a kernel on a GPU: counts, and means over the results of
 * wp-bounds, in cycles and doubles.
 *
 * Instructions as written are grouped into ops by name and context. Counts are means over warps.
 * The critical path and the intervals are those of the slowest warp, scaled to the mean warp, which
 * makes no difference if all warps run one program. */
#include "models/wp-model-private.h"

#include <math.h>
#include <string.h>

/* The state of counting. */
typedef struct
{
  WpModelInput *input;
  const WpResolved *resolved;
  const WpMachine *machine; /* the bounds', in which a mix is its means */
  const WpGpu *gpu;
  const WpBounds *bounds;
  WpTick *waits; /* [n_instrs]: the completion latency that its consumers see */
} Counter;

static gdouble
to_cycles (const Counter *c, WpTick ticks)
{
  return (gdouble)ticks / (gdouble)c->machine->ticks_per_cycle;
}

static gdouble
count_instances (const WpGpu *gpu, guint pipeline)
{
  const WpGpuPipeline *p = g_ptr_array_index (gpu->pipelines, pipeline);

  return p->scope == WP_SCOPE_SCHEDULER ? (gdouble)gpu->schedulers : 1;
}

static gboolean
is_memory (const WpGpu *gpu, guint pipeline)
{
  return ((WpGpuPipeline *)g_ptr_array_index (gpu->pipelines, pipeline))->kind == WP_KIND_MEMORY;
}

/* Returns how many cycles of an SM's issue slots an instruction takes if it issues alone. */
static gdouble
get_slot_time (const WpGpu *gpu, gdouble slots)
{
  gdouble interval = wp_cycles_to_double (gpu->interval) / (gdouble)gpu->schedulers;

  return slots > 1 ? slots * interval : interval / gpu->issue_limit;
}

/* ---- The GPU ---- */

/* Returns the cycles of an SM for each of many instructions OP, if as many as possible issue
 * together. */
static gdouble
get_peak_time (const WpGpu *gpu, const WpGpuOp *op)
{
  gdouble slots = get_slot_time (gpu, op->slots) / gpu->dual_issue;

  return MAX (wp_cycles_to_double (op->issue) / count_instances (gpu, op->pipeline), slots);
}

/* Returns the arithmetic op with the smallest nonzero lambda on an SM, or NULL. */
static const WpGpuOp *
find_fastest (const WpGpu *gpu, gdouble *issue)
{
  const WpGpuOp *fastest = NULL;

  for (guint i = 0; i < gpu->ops->len; i++)
    {
      const WpGpuOp *op = g_ptr_array_index (gpu->ops, i);
      gdouble time = wp_cycles_to_double (op->issue) / count_instances (gpu, op->pipeline);

      if (is_memory (gpu, op->pipeline) || !(time > 0) || (fastest != NULL && time >= *issue))
        continue;
      fastest = op;
      *issue = time;
    }
  return fastest;
}

static void
fill_peak_bytes (WpModelInput *input, const WpGpu *gpu)
{
  for (guint i = 0; i < gpu->ops->len; i++)
    {
      const WpGpuOp *op = g_ptr_array_index (gpu->ops, i);
      gdouble time = get_peak_time (gpu, op);

      if (is_memory (gpu, op->pipeline))
        input->peak_bytes = MAX (input->peak_bytes, wp_model_ratio ((gdouble)op->bytes, time));
    }
}

static gdouble
find_max_warps (const WpGpu *gpu)
{
  gint64 warps = gpu->limits.warps, threads = gpu->limits.threads / gpu->warp_size;

  if (warps == 0 || gpu->limits.threads == 0)
    return (gdouble)MAX (warps, threads);
  return (gdouble)MIN (warps, threads);
}

static void
fill_gpu (Counter *c)
{
  WpModelInput *input = c->input;
  const WpGpu *gpu = c->gpu;
  const WpGpuOp *fastest;
  gdouble issue = 0;

  input->warp_size = (gdouble)gpu->warp_size;
  input->sms = (gdouble)gpu->sms;
  input->schedulers = (gdouble)gpu->schedulers;
  input->clock_ghz = wp_cycles_to_double (gpu->clock_mhz) / 1000;
  input->issue_rate = wp_model_ratio (1, get_slot_time (gpu, 1));
  input->max_warps = find_max_warps (gpu);
  input->pin_gbs = wp_cycles_to_double (gpu->pin_gbs);
  input->has_contention = gpu->has_contention;
  if (gpu->has_contention)
    {
      input->contention_a = wp_cycles_to_double (gpu->contention_a);
      input->contention_b = wp_cycles_to_double (gpu->contention_b);
      input->contention_c = wp_cycles_to_double (gpu->contention_c);
    }
  fill_peak_bytes (input, gpu);
  fastest = find_fastest (gpu, &issue);
  if (fastest == NULL)
    return;
  input->cores = input->warp_size / issue;
  input->alu_latency = wp_cycles_to_double (fastest->completion);
  input->alu_cpi = MAX (issue, get_slot_time (gpu, fastest->slots));
}

/* ---- Instructions ---- */

static WpTick *
find_waits (const WpMachine *machine)
{
  WpTick *waits = g_new (WpTick, machine->n_instrs + 1);

  for (guint i = 0; i < machine->n_instrs; i++)
    waits[i] = -1;
  for (guint d = 0; d < machine->n_deps; d++)
    {
      const WpDep *dep = &machine->deps[d];

      if (waits[dep->producer] < 0 || dep->latency < waits[dep->producer])
        waits[dep->producer] = dep->latency;
    }
  for (guint i = 0; i < machine->n_instrs; i++)
    if (waits[i] < 0)
      waits[i] = machine->instrs[i].cost->completion;
  return waits;
}

static gdouble
get_count (const Counter *c, guint i)
{
  return wp_mean_to_double (c->bounds->counts[i]);
}

/* Returns the completion latency that the instruction would have without its context. */
static gdouble
get_plain_completion (const Counter *c, guint i)
{
  const WpGpuOp *op = wp_resolved_get_op (c->resolved, i);

  if (c->resolved->nodes[i]->context == NULL)
    return to_cycles (c, c->waits[i]);
  return op->posted ? 0 : wp_cycles_to_double (op->completion);
}

/* Of an instruction that passes several pipelines a model sees the one that it keeps the longest,
 * an SM's share of it. */
static void
take_slowest (const Counter *c, const WpInstr *instr, WpModelOp *op)
{
  for (guint32 k = 0; k < instr->cost->n_passes; k++)
    {
      const WpPass *pass = &c->machine->passes[instr->cost->first_pass + k];
      guint32 sharers = wp_machine_count_sharers (c->machine, pass->pipeline, 0);
      gdouble issue = to_cycles (c, pass->issue) / count_instances (c->gpu, pass->pipeline);

      /* Of k SMs that share it, where m are simulated: k / m x m of what the description gives. */
      issue *= sharers;
      if (issue <= op->issue)
        continue;
      op->pipeline = pass->pipeline;
      op->issue = op->plain_issue = issue;
    }
  op->memory = wp_instr_is_on_memory (c->machine, instr);
}

/* What the contexts of a mix, of which FIRST is the first, are on average, into OP. */
static void
take_means (const WpInstr *first, WpModelOp *op)
{
  op->slots = op->transactions = op->flops = op->bytes = 0;
  for (guint32 i = 0; i < first->cost->mix; i++)
    {
      gdouble share = wp_instr_get_share (&first[i]);

      op->slots += share * first[i].cost->slots;
      op->transactions += share * first[i].cost->transactions;
      op->flops += share * (gdouble)first[i].cost->flops;
      op->bytes += share * (gdouble)first[i].cost->bytes;
    }
}

/* Makes an op with the properties that all its instructions share; its sums are 0. */
static WpModelOp
make_op (const Counter *c, guint i)
{
  const WpGpuOp *looked_up = wp_resolved_get_op (c->resolved, i);
  const WpInstr *instr = &c->machine->instrs[i];
  gdouble instances = count_instances (c->gpu, instr->cost->pipeline);
  WpModelOp op = { .name = looked_up->name,
                   .context = c->resolved->nodes[i]->context,
                   .op = looked_up,
                   .pipeline = instr->cost->pipeline,
                   .memory = is_memory (c->gpu, instr->cost->pipeline),
                   .issue = to_cycles (c, instr->cost->issue) / instances,
                   .plain_issue = wp_cycles_to_double (looked_up->issue) / instances,
                   .slots = instr->cost->slots,
                   .transactions = instr->cost->transactions,
                   .flops = (gdouble)instr->cost->flops,
                   .bytes = (gdouble)instr->cost->bytes };

  if (c->resolved->machine.instrs[i].cost->mix > 1)
    take_means (&c->resolved->machine.instrs[i], &op);
  take_slowest (c, instr, &op);
  return op;
}

/* Returns the op of instruction I in OPS, to which it is added if new. PLACES: "op\ncontext" ->
 * index + 1. */
static WpModelOp *
find_op (const Counter *c, guint i, GArray *ops, GHashTable *places)
{
  g_autofree gchar *key = g_strconcat (wp_resolved_get_op (c->resolved, i)->name, "\n",
                                       c->resolved->nodes[i]->context, NULL);
  guint place = GPOINTER_TO_UINT (g_hash_table_lookup (places, key));

  if (place == 0)
    {
      WpModelOp op = make_op (c, i);

      g_array_append_val (ops, op);
      place = ops->len;
      g_hash_table_insert (places, g_steal_pointer (&key), GUINT_TO_POINTER (place));
    }
  return &g_array_index (ops, WpModelOp, place - 1);
}

/* Adds instruction I to its op and to the counts of the kernel. */
static void
add_instruction (Counter *c, guint i, GArray *ops, GHashTable *places)
{
  WpModelInput *input = c->input;
  const WpInstr *instr = &c->machine->instrs[i];
  gdouble count = get_count (c, i), latency = to_cycles (c, c->waits[i]);
  WpModelOp *op = find_op (c, i, ops, places);

  op->count += count;
  op->completion += count * latency;
  op->plain_completion += count * get_plain_completion (c, i);
  input->serial_latency += count * latency;
  input->flops += count * op->flops;
  if (!op->memory)
    {
      input->arithmetic += count;
      return;
    }
  input->memory += count;
  input->bytes += count * op->bytes;
  input->transactions += count * op->transactions;
  if (instr->value != WP_NO_VALUE && !instr->cost->posted)
    {
      input->loads += count;
      input->mem_latency += count * latency;
    }
}

/* Returns the format of the numbers that op NAME takes, as its name ends: ".f16x2", ".f64", ...; of
 * single precision, which most names leave out, "". */
static const gchar *
get_format (const gchar *name)
{
  const gchar *end = strrchr (name, '.');

  return end == NULL || strpbrk (end, "0123456789") == NULL || g_str_equal (end, ".f32") ? "" : end;
}

/* Returns the most flops a cycle that an SM has of ops like OP, of its pipeline and format: a
 * product in single precision does not come to the peak of halves in pairs. OP NULL: of all. */
static gdouble
find_peak_flops (const WpGpu *gpu, const WpGpuOp *op)
{
  gdouble peak = 0;

  for (guint i = 0; i < gpu->ops->len; i++)
    {
      const WpGpuOp *other = g_ptr_array_index (gpu->ops, i);

      if (op == NULL
          || (other->pipeline == op->pipeline
              && g_str_equal (get_format (other->name), get_format (op->name))))
        peak = MAX (peak, wp_model_ratio ((gdouble)other->flops, get_peak_time (gpu, other)));
    }
  return peak;
}

/* Formats share their pipeline, and pipelines work side by side. */
static void
fill_peak_flops (Counter *c)
{
  WpModelInput *input = c->input;
  gdouble times[WP_MAX_PIPELINES] = { 0 }, longest = 0;

  for (guint i = 0; i < input->n_ops; i++)
    {
      const WpModelOp *op = &input->ops[i];
      gdouble peak = find_peak_flops (c->gpu, op->op);

      if (!(op->flops > 0) || !(peak > 0))
        continue;
      times[op->op->pipeline] += op->count * op->flops / peak;
      longest = MAX (longest, times[op->op->pipeline]);
    }
  input->peak_flops = longest > 0 ? input->flops / longest : find_peak_flops (c->gpu, NULL);
}

static void
add_instructions (Counter *c)
{
  g_autoptr (GHashTable) places = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GArray *ops = g_array_new (FALSE, FALSE, sizeof (WpModelOp));

  for (guint i = 0; i < c->machine->n_instrs; i++)
    {
      gdouble count = get_count (c, i);

      c->input->instructions += count;
      if (!(count > 0))
        continue;
      if (wp_instr_is_barrier (&c->machine->instrs[i]))
        c->input->barriers += count;
      else if (c->machine->instrs[i].cost->pipeline != WP_NO_PIPELINE)
        add_instruction (c, i, ops, places);
    }
  c->input->serial_latency += c->input->barriers * to_cycles (c, c->machine->barrier_latency);
  c->input->n_ops = ops->len;
  c->input->ops = (WpModelOp *)(gpointer)g_array_free (ops, FALSE);
  for (guint i = 0; i < c->input->n_ops; i++)
    {
      c->input->ops[i].completion /= c->input->ops[i].count;
      c->input->ops[i].plain_completion /= c->input->ops[i].count;
    }
  fill_peak_flops (c);
}

/* ---- Means ---- */

/* Returns the cycles of an SM that a warp's arithmetic (or memory) instructions take: those of
 * their busiest pipeline, or of issue slots if that is more. */
static gdouble
get_kind_time (const Counter *c, gboolean memory)
{
  gdouble pipelines[WP_MAX_PIPELINES] = { 0 }, slots = 0, time;

  for (guint i = 0; i < c->input->n_ops; i++)
    {
      const WpModelOp *op = &c->input->ops[i];

      if (op->memory != memory)
        continue;
      pipelines[op->pipeline] += op->count * op->issue;
      slots += op->count * get_slot_time (c->gpu, op->slots);
    }
  time = slots;
  for (guint i = 0; i < WP_MAX_PIPELINES; i++)
    time = MAX (time, pipelines[i]);
  return time;
}

static gdouble
sum_latency (const WpModelInput *input, gboolean memory)
{
  gdouble sum = 0;

  for (guint i = 0; i < input->n_ops; i++)
    if (input->ops[i].memory == memory)
      sum += input->ops[i].count * input->ops[i].completion;
  return sum;
}

static gdouble
get_mean_slot_time (const Counter *c)
{
  gdouble slots = 0, count = 0;

  for (guint i = 0; i < c->input->n_ops; i++)
    {
      slots += c->input->ops[i].count * get_slot_time (c->gpu, c->input->ops[i].slots);
      count += c->input->ops[i].count;
    }
  return count > 0 ? slots / count : 0;
}

static void
fill_means (Counter *c)
{
  WpModelInput *input = c->input;

  if (input->arithmetic > 0)
    {
      input->alu_latency = sum_latency (input, FALSE) / input->arithmetic;
      input->alu_cpi = get_kind_time (c, FALSE) / input->arithmetic;
    }
  if (input->memory > 0)
    {
      input->mem_latency = input->loads > 0 ? input->mem_latency / input->loads
                                            : sum_latency (input, TRUE) / input->memory;
      input->mem_cpi = get_kind_time (c, TRUE) / input->memory;
    }
  input->instruction_time = MAX (input->alu_cpi, get_mean_slot_time (c));
}

static void
fill_bounds (Counter *c)
{
  WpModelInput *input = c->input;
  gdouble alone;

  input->tick = 1 / (gdouble)c->machine->ticks_per_cycle;
  input->latency = wp_mean_to_double (c->bounds->latency) * input->tick;
  input->launch_latency = to_cycles (c, c->machine->launch_latency);
  input->throughput = wp_mean_to_double (c->bounds->throughput) * input->tick;
  alone = input->latency - input->launch_latency;
  input->ilp = alone > 0 ? MAX (input->serial_latency / alone, 1) : 1;
}

/* ---- The critical path ---- */

/* The loads between the steps of a part of the path, not counting the edge into its first step. */
typedef struct
{
  guint first, last; /* steps; last < first if there are none */
  gdouble waits; /* on any memory instruction; the other members are for loads among them that miss
                  * the caches */
  gdouble loads, cycles, plain;
} Stretch;

/* Counts the edge of LENGTH from STEP, if that is a memory instruction, TIMES times. */
static void
add_edge (const Counter *c, Stretch *stretch, guint step, WpTick length, gdouble times)
{
  guint instr = c->bounds->path[step].instr;
  const WpInstr *from = &c->machine->instrs[instr];
  gdouble cycles = to_cycles (c, length);
  gdouble plain;

  /* A barrier, and coming to one, is in no pipeline. */
  if (from->cost->pipeline == WP_NO_PIPELINE || from->cost->posted || length == 0
      || !wp_instr_is_on_memory (c->machine, from))
    return;
  stretch->waits += times;
  plain = c->resolved->nodes[instr]->context == NULL ? cycles : get_plain_completion (c, instr);
  if (cycles < plain)
    return;
  stretch->loads += times;
  stretch->cycles += times * cycles;
  stretch->plain += times * plain;
}

/* Adds the edge between two consecutive steps, TIMES times. */
static void
join (const Counter *c, Stretch *stretch, guint from, guint to, gdouble times)
{
  const WpPathItem *item = &c->bounds->path[to];

  if (item->edge == WP_EDGE_DEPENDENCY)
    add_edge (c, stretch, from, item->length, times);
}

/* Walks the items from FIRST up to END, including groups. Visits each item once. */
static Stretch
walk_path (const Counter *c, guint first, guint end)
{
  const WpPathItem *path = c->bounds->path;
  Stretch whole = { .first = 1, .last = 0 };

  for (guint i = first; i < end; i += 1 + path[i].n_items)
    {
      Stretch part = { .first = i, .last = i };
      gdouble times = 1;

      if (path[i].n_items > 0)
        {
          times = (gdouble)path[i].times;
          part = walk_path (c, i + 1, i + 1 + path[i].n_items);
          if (part.last < part.first)
            continue;
        }
      whole.waits += times * part.waits;
      whole.loads += times * part.loads;
      whole.cycles += times * part.cycles;
      whole.plain += times * part.plain;
      if (times > 1)
        join (c, &whole, part.last, part.first, times - 1);
      if (whole.last >= whole.first)
        join (c, &whole, whole.last, part.first, 1);
      else
        whole.first = part.first;
      whole.last = part.last;
    }
  return whole;
}

/* Stores the counts of the path, scaled from the recorded part to the whole path, and from the
 * slowest warp to the mean one. */
static void
fill_path (Counter *c)
{
  WpModelInput *input = c->input;
  const WpBounds *bounds = c->bounds;
  Stretch path = walk_path (c, 0, bounds->n_path);
  gdouble kept, scale;

  input->intervals = bounds->intervals;
  input->n_intervals = bounds->n_intervals;
  if (path.last < path.first)
    return;
  add_edge (c, &path, path.last, bounds->completion, 1);
  kept = to_cycles (c, bounds->segments[bounds->slowest].latency - bounds->path_begins);
  scale = wp_model_ratio (input->latency - input->launch_latency, kept);
  input->memory_waits = scale * path.waits;
  input->path_loads = scale * path.loads;
  input->path_load_cycles = scale * path.cycles;
  input->path_load_plain = scale * path.plain;
}

void
wp_model_input_init (WpModelInput *input, const WpResolved *resolved, const WpGpu *gpu,
                     const WpBounds *bounds)
{
  Counter c = { input, resolved, bounds->machine, gpu, bounds, NULL };

  g_return_if_fail (input != NULL && resolved != NULL && gpu != NULL && bounds != NULL);
  memset (input, 0, sizeof *input);
  c.waits = find_waits (c.machine);
  fill_gpu (&c);
  add_instructions (&c);
  fill_means (&c);
  fill_bounds (&c);
  fill_path (&c);
  g_free (c.waits);
}

void
wp_model_input_clear (WpModelInput *input)
{
  g_clear_pointer (&input->ops, g_free);
  input->n_ops = 0;
}

const WpModelOp *
wp_model_input_get_main_op (const WpModelInput *input, gboolean memory)
{
  const WpModelOp *main_op = NULL;

  for (guint i = 0; i < input->n_ops; i++)
    if (input->ops[i].memory == memory && (main_op == NULL || input->ops[i].count > main_op->count))
      main_op = &input->ops[i];
  return main_op;
}
