/* SPDX-License-Identifier: MIT */
/* Makes a machine in three passes over the kernel: look up the cost of each instruction, find the
 * common tick of all times in use, and write the flat arrays. Repeats without any iteration or
 * instruction are dropped, together with their content, so that the engine may rely on every repeat
 * issuing something in each iteration. Their times still count for the tick, because MODEL.md says
 * "of every instruction of the kernel as written". Idealisations (wp-idealise.h) are applied on the
 * way, or at the end. */
#include "sim/gpu/wp-resolve.h"

#include "idg/kernel/idg-barriers.h"
#include "sim/gpu/wp-match.h"
#include "sim/gpu/wp-nearest.h"

#include <string.h>

/* Everything that a machine points to, with what wp_resolve() returns. */
typedef struct
{
  WpResolved resolved; /* first, so that one is the other */
  GArray *programs, *instrs, *deps, *code, *spreads, *passes, *block_ranges, *rows, *segments;
  GArray *barriers; /* of WpBarrierDesc */
  GArray *origins;  /* of WpOrigin, one for each instruction */
  GPtrArray *names; /* the kernel's strings */
  GPtrArray *owned; /* the arrays of spreads */
  WpPipelineDesc *pipelines;
} Arena;

/* The cost of an instruction as written, looked up. */
typedef struct
{
  const WpGpuOp *op; /* NULL: a barrier, or a repeat's end */
  WpGpuCost cost;
} Cost;

typedef struct
{
  const IdgKernel *kernel;
  const WpGpu *gpu;
  const WpRunOptions *options;
  WpResolved *resolved;
  Arena *arena;
  GPtrArray *costs;       /* of arrays of Cost: one array for each program, one element for each
                           * node */
  GArray *barriers;       /* of IdgBarrier: the kernel's, with names */
  GHashTable *cache;      /* "op\ncontext" -> Cost, so that each pair is looked up once */
  GHashTable *name_ids;   /* op as written -> index + 1 into arena->names */
  GHashTable *spread_ids; /* WpGpuSpread -> index + 1 into arena->spreads */
  GArray *denominators;   /* of Denominator: those found so far, each once */
  gint64 lcm;             /* the least common multiple of the denominators; 0: it would exceed the
                           * limit */
} Resolver;

typedef struct
{
  gint64 den;
  gchar *label; /* the first value with that denominator, and its place */
} Denominator;

/* ---- Errors ---- */

static void set_kernel_error (const IdgKernel *kernel, gint line, WpError code, GError **error,
                              const gchar *format, ...) G_GNUC_PRINTF (5, 6);

static void
set_kernel_error (const IdgKernel *kernel, gint line, WpError code, GError **error,
                  const gchar *format, ...)
{
  const gchar *file = idg_kernel_get_file (kernel);
  g_autofree gchar *message = NULL;
  va_list args;

  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  if (line > 0)
    g_set_error (error, WP_ERROR, code, "%s:%d: %s", file, line, message);
  else
    g_set_error (error, WP_ERROR, code, "%s: %s", file, message);
}

/* ---- Looking up ---- */

/* Tells whether the options ask for the idealisation KIND. */
static gboolean
is_ideal (const Resolver *r, WpIdealKind kind)
{
  return (r->options->ideals & WP_IDEAL_BIT (kind)) != 0;
}

static void
note_ideal (Resolver *r, WpIdealKind kind)
{
  r->resolved->idealised |= WP_IDEAL_BIT (kind);
}

/* Finds what NODE runs as. */
static gboolean
find_op (Resolver *r, const IdgNode *node, WpMatch *match, GError **error)
{
  g_autoptr (GError) problem = NULL;
  g_autofree gchar *nearest = NULL;

  if (r->kernel->nearest_ops)
    *match = wp_nearest_match (r->gpu, node->op);
  else if (wp_match_check_name (r->gpu, node->op, &problem))
    *match = wp_match_find (r->gpu, node->op);
  else
    {
      set_kernel_error (r->kernel, node->line, WP_ERROR_VALUE, error, "%s", problem->message);
      return FALSE;
    }
  if (match->op != NULL)
    return TRUE;
  if (wp_nearest_has_none (r->gpu, node->op))
    {
      set_kernel_error (r->kernel, node->line, WP_ERROR_VALUE, error,
                        "%s has no figure for op \"%s\", and no other kind of op stands for it; "
                        "give it one in a description of your own: <gpu like=\"%s\"> with "
                        "<op name=\"%s\" pipeline=\"...\" issue=\"...\" completion=\"...\"/>",
                        r->gpu->name, node->op, r->gpu->name, node->op);
      return FALSE;
    }
  nearest = wp_gpu_suggest_ops (r->gpu, node->op);
  set_kernel_error (r->kernel, node->line, WP_ERROR_VALUE, error,
                    "op \"%s\" is not on %s; the nearest there are %s", node->op, r->gpu->name,
                    nearest);
  return FALSE;
}

static gboolean
look_up (Resolver *r, const IdgNode *node, Cost *cost, GError **error)
{
  const gchar *context = is_ideal (r, WP_IDEAL_CONTEXTS) ? NULL : node->context;
  g_autofree gchar *key = g_strconcat (node->op, "\n", context, NULL);
  g_autoptr (GError) problem = NULL;
  Cost *known = g_hash_table_lookup (r->cache, key);
  WpMatch match;

  if (context != node->context)
    note_ideal (r, WP_IDEAL_CONTEXTS);
  if (known != NULL)
    {
      *cost = *known;
      return TRUE;
    }
  if (!find_op (r, node, &match, error))
    return FALSE;
  cost->op = match.op;
  if (r->kernel->nearest_ops)
    context = wp_nearest_get_context (cost->op, context);
  if (!wp_gpu_op_cost_of (cost->op, context, match.bytes, &cost->cost, &problem))
    {
      set_kernel_error (r->kernel, node->line, WP_ERROR_VALUE, error, "op \"%s\" on %s: %s",
                        node->op, r->gpu->name, problem->message);
      return FALSE;
    }
  g_hash_table_insert (r->cache, g_steal_pointer (&key), g_memdup2 (cost, sizeof *cost));
  return TRUE;
}

static gboolean
look_up_all (Resolver *r, GError **error)
{
  for (guint p = 0; p < r->kernel->programs->len; p++)
    {
      const IdgKernelProgram *program = g_ptr_array_index (r->kernel->programs, p);
      Cost *costs = g_new0 (Cost, program->program->n_nodes + 1);

      g_ptr_array_add (r->costs, costs);
      for (guint i = 0; i < program->program->n_nodes; i++)
        if (program->program->nodes[i].kind == IDG_INSTRUCTION
            && !look_up (r, &program->program->nodes[i], &costs[i], error))
          return FALSE;
    }
  return TRUE;
}

/* Returns Lambda of PRODUCER for a consumer that is looked up as CONSUMER (NULL: a barrier). */
static WpCycles
get_latency (const Cost *producer, const WpGpuOp *consumer)
{
  if (consumer != NULL && producer->cost.consumers)
    for (guint i = 0; i < producer->op->consumers->len; i++)
      {
        const WpGpuConsumer *listed = g_ptr_array_index (producer->op->consumers, i);

        if (strcmp (listed->op, consumer->name) == 0)
          return listed->completion;
      }
  return producer->cost.completion;
}

/* ---- The common tick (MODEL.md, section 1) ---- */

static void
meet_time (Resolver *r, WpCycles value, const gchar *what, const gchar *of)
{
  gchar text[WP_TIME_CHARS];
  Denominator met = { value.den, NULL };

  if (r->lcm == 0)
    return;
  for (guint i = 0; i < r->denominators->len; i++)
    if (g_array_index (r->denominators, Denominator, i).den == value.den)
      return;
  met.label = g_strdup_printf ("%s (%s%s%s)", wp_cycles_format (value, text), what,
                               of != NULL ? " of " : "", of != NULL ? of : "");
  g_array_append_val (r->denominators, met);
  if (!wp_ticks_per_cycle_join (&r->lcm, value.den))
    r->lcm = 0;
}

static void
meet_spread (Resolver *r, const WpGpuSpread *spread, const gchar *op)
{
  for (guint i = 0; spread != NULL && i < spread->n; i++)
    meet_time (r, spread->add[i], "spread", op);
}

/* How many SMs share pipeline P in the group of simulated SMs that begins with SM. */
static guint32
count_sharers (const Resolver *r, guint p, guint32 sm)
{
  const WpGpuPipeline *pipeline = g_ptr_array_index (r->gpu->pipelines, p);
  guint32 left = r->resolved->machine.simulated_sms - sm;

  return MIN (left, pipeline->shared);
}

/* The first SM of the last group of those that share pipeline P. */
static guint32
find_last_group (const Resolver *r, guint p)
{
  const WpGpuPipeline *pipeline = g_ptr_array_index (r->gpu->pipelines, p);

  return (r->resolved->machine.simulated_sms - 1) / pipeline->shared * pipeline->shared;
}

/* TIME as it is on pipeline P for the group of SMs that begins with SM: k / m of it, where m of k
 * are simulated. A product that does not fit is as good as one beyond all time. */
static WpCycles
share_time (const Resolver *r, guint p, guint32 sm, WpCycles time)
{
  const WpGpuPipeline *pipeline = g_ptr_array_index (r->gpu->pipelines, p);
  WpCycles product;

  if (!wp_cycles_scale (time, pipeline->shared, count_sharers (r, p, sm), &product))
    return wp_cycles_whole (WP_TICK_LIMIT);
  return product;
}

/* TIME, which is of pipeline P. */
static void
meet_shared (Resolver *r, guint p, WpCycles time, const gchar *what, const gchar *of)
{
  meet_time (r, share_time (r, p, 0, time), what, of);
  meet_time (r, share_time (r, p, find_last_group (r, p), time), what, of);
}

/* What all that passes pipeline P depends on. */
static void
meet_pipeline (Resolver *r, guint p)
{
  const WpGpuPipeline *pipeline = g_ptr_array_index (r->gpu->pipelines, p);

  meet_shared (r, p, pipeline->turnaround, "turnaround", pipeline->name);
  if (r->options->contended && pipeline->channels > 0)
    meet_shared (r, p, pipeline->channel_issue, "channel-issue", pipeline->name);
}

static void
meet_path (Resolver *r, const Cost *cost, const gchar *op)
{
  for (guint i = 0; i < cost->cost.n_passes; i++)
    {
      const WpGpuPass *pass = &cost->cost.passes[i];
      const WpGpuPipeline *pipeline = g_ptr_array_index (r->gpu->pipelines, pass->pipeline);
      g_autofree gchar *of = g_strdup_printf ("%s in %s", op, pipeline->name);

      meet_shared (r, pass->pipeline, pass->issue, "issue", of);
      meet_pipeline (r, pass->pipeline);
    }
}

static void
meet_times (Resolver *r)
{
  meet_time (r, r->gpu->launch_latency, "launch latency", NULL);
  meet_time (r, r->gpu->barrier_latency, "barrier latency", NULL);
  meet_time (r, r->gpu->interval, "scheduler interval", NULL);
  meet_time (r, r->gpu->ilp_latency, "ilp-latency", NULL);
  for (guint p = 0; p < r->kernel->programs->len; p++)
    {
      const IdgProgram *program
          = ((IdgKernelProgram *)g_ptr_array_index (r->kernel->programs, p))->program;
      const Cost *costs = g_ptr_array_index (r->costs, p);

      for (guint i = 0; i < program->n_nodes; i++)
        {
          const IdgNode *node = &program->nodes[i];

          for (guint d = 0; d < node->n_after; d++)
            meet_time (r, get_latency (&costs[node->after[d]], costs[i].op), "completion",
                       program->nodes[node->after[d]].op);
          if (costs[i].op == NULL)
            continue;
          meet_shared (r, costs[i].op->pipeline, costs[i].cost.issue, "issue", node->op);
          meet_time (r, costs[i].cost.completion, "completion", node->op);
          meet_pipeline (r, costs[i].op->pipeline);
          meet_path (r, &costs[i], node->op);
          if (r->options->contended)
            meet_spread (r, costs[i].cost.spread, node->op);
        }
    }
}

static gint
compare_denominators (gconstpointer a, gconstpointer b)
{
  gint64 left = ((const Denominator *)a)->den, right = ((const Denominator *)b)->den;

  return left > right ? -1 : left < right;
}

/* Sets an error that names the largest denominators: as many as it takes to exceed the limit, but
 * at most six. */
static void
set_tick_error (Resolver *r, GError **error)
{
  g_autoptr (GString) values = g_string_new (NULL);
  gint64 lcm = 1;

  g_array_sort (r->denominators, compare_denominators);
  for (guint i = 0; i < r->denominators->len && i < 6; i++)
    {
      const Denominator *met = &g_array_index (r->denominators, Denominator, i);

      g_string_append_printf (values, "%s%s", i > 0 ? ", " : "", met->label);
      if (!wp_ticks_per_cycle_join (&lcm, met->den))
        break;
    }
  set_kernel_error (
      r->kernel, 0, WP_ERROR_LIMIT, error,
      "on %s the times have no common tick of at least 2^-31 cycle; give times with smaller "
      "denominators: %s",
      r->gpu->name, values->str);
}

static gboolean
find_tick (Resolver *r, GError **error)
{
  r->lcm = 1;
  meet_times (r);
  if (r->lcm == 0)
    set_tick_error (r, error);
  r->resolved->machine.ticks_per_cycle = r->lcm;
  return r->lcm != 0;
}

static WpTick
to_ticks (const Resolver *r, WpCycles value)
{
  return wp_cycles_to_ticks (value, r->resolved->machine.ticks_per_cycle);
}

/* The same of a time of pipeline P, for the first group of those that share it, or for the LAST. */
static WpTick
to_shared (const Resolver *r, guint p, WpCycles value, gboolean last)
{
  return to_ticks (r, share_time (r, p, last ? find_last_group (r, p) : 0, value));
}

/* ---- Spreads ---- */

/* Checks that no instruction can complete before it starts. */
static gboolean
check_spread (Resolver *r, guint p, guint i, GError **error)
{
  const IdgProgram *program
      = ((IdgKernelProgram *)g_ptr_array_index (r->kernel->programs, p))->program;
  const Cost *costs = g_ptr_array_index (r->costs, p);
  const IdgNode *node = &program->nodes[i];

  for (guint d = 0; d <= node->n_after; d++)
    {
      /* The latency of each producer for this consumer and, last, of this instruction for itself.
       */
      guint producer = d < node->n_after ? node->after[d] : i;
      const Cost *cost = &costs[producer];
      WpCycles latency
          = d < node->n_after ? get_latency (cost, costs[i].op) : cost->cost.completion;
      gchar text[WP_TIME_CHARS], add[WP_TIME_CHARS];

      if (cost->op == NULL || cost->cost.spread == NULL
          || to_ticks (r, latency) + to_ticks (r, cost->cost.spread->add[0]) >= 0)
        continue;
      set_kernel_error (
          r->kernel, program->nodes[producer].line, WP_ERROR_VALUE, error,
          "op \"%s\" on %s: completion %s with a spread that adds %s would be negative",
          program->nodes[producer].op, r->gpu->name, wp_cycles_format (latency, text),
          wp_cycles_format (cost->cost.spread->add[0], add));
      return FALSE;
    }
  return TRUE;
}

static gboolean
check_spreads (Resolver *r, GError **error)
{
  for (guint p = 0; r->options->contended && p < r->kernel->programs->len; p++)
    {
      const IdgProgram *program
          = ((IdgKernelProgram *)g_ptr_array_index (r->kernel->programs, p))->program;

      for (guint i = 0; i < program->n_nodes; i++)
        if (idg_node_executes (&program->nodes[i]) && !check_spread (r, p, i, error))
          return FALSE;
    }
  return TRUE;
}

/* Stores the index of SPREAD in the machine. Its values must be far from the limit of time, because
 * the engine subtracts them. */
static gboolean
add_spread (Resolver *r, const WpGpuSpread *spread, guint32 *index, GError **error)
{
  guint id = GPOINTER_TO_UINT (g_hash_table_lookup (r->spread_ids, spread));
  WpSpread flat = { spread->n, NULL, NULL };
  guint64 *at;
  WpTick *add;

  if (id != 0)
    {
      *index = id - 1;
      return TRUE;
    }
  at = g_new (guint64, spread->n);
  add = g_new (WpTick, spread->n);
  g_ptr_array_add (r->arena->owned, at);
  g_ptr_array_add (r->arena->owned, add);
  for (guint i = 0; i < spread->n; i++)
    {
      at[i] = ((guint64)spread->at[i] << 32) / 100;
      add[i] = to_ticks (r, spread->add[i]);
      if (ABS (add[i]) >= WP_TICK_LIMIT)
        {
          set_kernel_error (r->kernel, 0, WP_ERROR_LIMIT, error,
                            "a spread of %s adds 2^62 ticks or more", r->gpu->name);
          return FALSE;
        }
    }
  flat.at = at;
  flat.add = add;
  *index = r->arena->spreads->len;
  g_array_append_val (r->arena->spreads, flat);
  g_hash_table_insert (r->spread_ids, (gpointer)spread, GUINT_TO_POINTER (*index + 1));
  return TRUE;
}

/* ---- Programs ---- */

static guint32
add_name (Resolver *r, const gchar *name)
{
  guint id = GPOINTER_TO_UINT (g_hash_table_lookup (r->name_ids, name));

  if (id == 0)
    {
      g_ptr_array_add (r->arena->names, (gpointer)name);
      id = r->arena->names->len;
      g_hash_table_insert (r->name_ids, (gpointer)name, GUINT_TO_POINTER (id));
    }
  return id - 1;
}

#define DROPPED G_MAXUINT32

/* Finds the nodes that execute: PLACE receives the index in the machine of each live instruction,
 * and DROPPED for all other nodes. Idealised barriers are dropped. Returns the number of live
 * instructions. */
static guint32
find_live (Resolver *r, const IdgProgram *program, guint32 first, guint32 *place)
{
  gboolean barriers = !is_ideal (r, WP_IDEAL_BARRIERS);
  guint32 n = 0;

  for (guint i = 0; i < program->n_nodes; i++)
    {
      const IdgNode *node = &program->nodes[i];

      place[i] = DROPPED;
      if (node->kind == IDG_INSTRUCTION || (idg_node_executes (node) && barriers))
        place[i] = first + n++;
      else if (idg_node_executes (node))
        note_ideal (r, WP_IDEAL_BARRIERS);
      else if (node->kind == IDG_REPEAT && node->count == 0)
        for (; i < node->partner; i++)
          place[i + 1] = DROPPED;
    }
  return n;
}

/* Tells whether the repeat at HEAD would iterate without issuing anything. */
static gboolean
runs_nothing (const IdgProgram *program, const guint32 *place, guint head)
{
  for (guint i = head + 1; i < program->nodes[head].partner; i++)
    if (place[i] != DROPPED)
      return FALSE;
  return TRUE;
}

/* Counts the dynamic instructions that are live. */
static guint64
count_live (const IdgProgram *program, const guint32 *place)
{
  guint64 sums[IDG_MAX_DEPTH + 1] = { 0 };
  guint32 depth = 0;

  for (guint i = 0; i < program->n_nodes; i++)
    {
      const IdgNode *node = &program->nodes[i];

      if (node->kind == IDG_REPEAT)
        sums[++depth] = 0;
      else if (node->kind == IDG_END)
        {
          depth--;
          sums[depth] += sums[depth + 1] * program->nodes[node->partner].count;
        }
      else if (place[i] != DROPPED)
        sums[depth]++;
    }
  return sums[0];
}

static void
add_code (Resolver *r, const IdgProgram *program, const guint32 *place, WpProgram *flat)
{
  guint32 heads[IDG_MAX_DEPTH], depth = 0;

  flat->first_code = r->arena->code->len;
  for (guint i = 0; i < program->n_nodes; i++)
    {
      const IdgNode *node = &program->nodes[i];
      WpCode code = { WP_CODE_INSTRUCTION, place[i], 0 };

      if (idg_node_executes (node) && place[i] == DROPPED)
        continue;
      if (node->kind == IDG_REPEAT)
        {
          if (runs_nothing (program, place, i))
            {
              i = node->partner;
              continue;
            }
          code = (WpCode){ WP_CODE_REPEAT, 0, node->count };
          heads[depth++] = r->arena->code->len - flat->first_code;
          flat->depth = MAX (flat->depth, depth);
        }
      else if (node->kind == IDG_END)
        {
          guint32 here = r->arena->code->len - flat->first_code;

          code = (WpCode){ WP_CODE_END, heads[--depth], 0 };
          g_array_index (r->arena->code, WpCode, flat->first_code + heads[depth]).arg = here;
        }
      g_array_append_val (r->arena->code, code);
    }
  flat->n_code = r->arena->code->len - flat->first_code;
}

static void
add_path (Resolver *r, const Cost *cost, WpInstr *instr)
{
  instr->first_pass = r->arena->passes->len;
  instr->n_passes = cost->cost.n_passes;
  for (guint i = 0; i < cost->cost.n_passes; i++)
    {
      const WpGpuPass *from = &cost->cost.passes[i];
      WpPass pass = { from->pipeline, to_shared (r, from->pipeline, from->issue, FALSE),
                      to_shared (r, from->pipeline, from->issue, TRUE), from->transactions };

      g_array_append_val (r->arena->passes, pass);
    }
}

static gboolean
fill_instr (Resolver *r, const IdgNode *node, const Cost *cost, WpInstr *instr, GError **error)
{
  *instr = (WpInstr){ .pipeline = WP_NO_PIPELINE,
                      .value = WP_NO_VALUE,
                      .spread = WP_NO_SPREAD,
                      .slots = 1,
                      .line = node->line };
  if (cost->op == NULL)
    {
      instr->posted = node->kind == IDG_ARRIVE;
      instr->name = add_name (r, instr->posted ? "bar.arrive" : "bar.sync");
      if (node->name != NULL)
        instr->barrier = idg_barriers_find (r->barriers, node->name) + 1;
      return TRUE;
    }
  instr->name = add_name (r, node->op);
  instr->pipeline = cost->op->pipeline;
  instr->issue = to_shared (r, instr->pipeline, cost->cost.issue, FALSE);
  instr->issue_last = to_shared (r, instr->pipeline, cost->cost.issue, TRUE);
  instr->posted = cost->cost.posted;
  instr->completion = instr->posted ? 0 : to_ticks (r, cost->cost.completion);
  instr->reach = instr->completion;
  instr->slots = cost->cost.slots;
  instr->transactions = cost->cost.transactions;
  instr->flops = cost->cost.flops;
  instr->bytes = cost->cost.bytes;
  instr->write = cost->op->write;
  instr->in_flight = to_ticks (r, cost->cost.completion);
  add_path (r, cost, instr);
  return !r->options->contended || cost->cost.spread == NULL
         || add_spread (r, cost->cost.spread, &instr->spread, error);
}

/* Finds how many of its last completions each live instruction of PROGRAM is to keep: the largest
 * distance of a dependence on it. */
static void
find_kept (Resolver *r, const IdgProgram *program, const guint32 *place)
{
  for (guint i = 0; i < program->n_nodes; i++)
    for (guint d = 0; place[i] != DROPPED && d < program->nodes[i].n_after; d++)
      {
        guint32 producer = place[program->nodes[i].after[d]];
        guint32 distance = program->nodes[i].distances[d];
        WpInstr *instr;

        if (producer == DROPPED)
          continue;
        instr = &g_array_index (r->arena->instrs, WpInstr, producer);
        instr->n_kept = MAX (instr->n_kept, distance);
      }
}

static guint32
get_last_pipeline (const Resolver *r, const WpInstr *instr)
{
  guint32 last = instr->first_pass + instr->n_passes - 1;

  return instr->n_passes > 0 ? g_array_index (r->arena->passes, WpPass, last).pipeline
                             : instr->pipeline;
}

/* Adds the dependences of node I on live instructions. Producers get value numbers, if they have
 * none yet. */
static void
add_dependences (Resolver *r, const IdgProgram *program, const Cost *costs, const guint32 *place,
                 guint i, WpProgram *flat)
{
  const IdgNode *node = &program->nodes[i];
  guint32 first = r->arena->deps->len;

  for (guint d = 0; d < node->n_after; d++)
    {
      guint from = node->after[d];
      WpDep dep = { .producer = place[from] };
      WpInstr *producer;

      if (place[from] == DROPPED)
        continue;
      producer = &g_array_index (r->arena->instrs, WpInstr, place[from]);
      if (producer->value == WP_NO_VALUE)
        {
          producer->value = flat->n_values;
          flat->n_values += wp_instr_get_kept (producer);
        }
      dep.value = producer->value + node->distances[d] - 1;
      dep.pipeline = get_last_pipeline (r, producer);
      dep.latency = producer->posted ? 0 : to_ticks (r, get_latency (&costs[from], costs[i].op));
      producer->reach = MAX (producer->reach, dep.latency);
      g_array_append_val (r->arena->deps, dep);
    }
  g_array_index (r->arena->instrs, WpInstr, place[i]).first_dep = first;
  g_array_index (r->arena->instrs, WpInstr, place[i]).n_deps = r->arena->deps->len - first;
}

static gboolean
add_program (Resolver *r, guint p, GError **error)
{
  const IdgKernelProgram *named = g_ptr_array_index (r->kernel->programs, p);
  const IdgProgram *program = named->program;
  const Cost *costs = g_ptr_array_index (r->costs, p);
  g_autofree guint32 *place = g_new (guint32, program->n_nodes + 1);
  WpProgram flat = { .first_instr = r->arena->instrs->len };
  IdgStatus status = idg_program_count_dynamic (program, &flat.n_dynamic);

  if (status != IDG_OK)
    {
      set_kernel_error (r->kernel, named->line, WP_ERROR_LIMIT, error,
                        "a warp would run more than 2^53 instructions");
      return FALSE;
    }
  flat.n_instrs = find_live (r, program, flat.first_instr, place);
  flat.n_dynamic = count_live (program, place);
  if (r->resolved->machine.dataflow && flat.n_dynamic > WP_MAX_DATAFLOW)
    {
      set_kernel_error (r->kernel, named->line, WP_ERROR_LIMIT, error,
                        "the program unrolls to %" G_GUINT64_FORMAT
                        " instructions; dataflow order takes at most 2^20",
                        flat.n_dynamic);
      return FALSE;
    }
  for (guint i = 0; i < program->n_nodes; i++)
    {
      WpOrigin origin = { &program->nodes[i], costs[i].op };
      WpInstr instr;

      if (place[i] == DROPPED)
        continue;
      if (!fill_instr (r, &program->nodes[i], &costs[i], &instr, error))
        return FALSE;
      g_array_append_val (r->arena->instrs, instr);
      g_array_append_val (r->arena->origins, origin);
    }
  find_kept (r, program, place);
  for (guint i = 0; i < program->n_nodes; i++)
    if (place[i] != DROPPED)
      add_dependences (r, program, costs, place, i, &flat);
  add_code (r, program, place, &flat);
  g_array_append_val (r->arena->programs, flat);
  return TRUE;
}

/* ---- Launch ---- */

static void
override (gint64 *value, gint64 by)
{
  if (by >= 0)
    *value = by;
}

/* Returns ceil (BLOCKS x M / N) without overflow: BLOCKS is at most 2^53, M and N at most 2^16. */
static guint64
share (guint64 blocks, guint64 m, guint64 n)
{
  return blocks / n * m + (blocks % n * m + n - 1) / n;
}

/* Applies ideal occupancy: only the GPU's limits of warps and threads bind. That never reduces the
 * number of blocks: if it would, as with --no-limits, nothing changes. OFFERED: how many blocks an
 * SM gets. */
static void
fill_up (Resolver *r, guint64 offered)
{
  const WpGpuLimits *limits = &r->gpu->limits;
  WpOccupancy *occupancy = &r->resolved->occupancy;
  WpOccupancy full = { .warps_per_block = occupancy->warps_per_block };

  for (guint limit = 0; limit < WP_N_LIMITS; limit++)
    full.by[limit] = WP_DOES_NOT_BIND;
  if (limits->warps > 0)
    full.by[WP_LIMIT_WARPS] = limits->warps / full.warps_per_block;
  if (limits->threads > 0)
    full.by[WP_LIMIT_THREADS] = limits->threads / r->gpu->warp_size / full.warps_per_block;
  full.blocks = MIN (full.by[WP_LIMIT_WARPS], full.by[WP_LIMIT_THREADS]);
  if (full.blocks <= occupancy->blocks)
    return;
  if (offered > (guint64)occupancy->blocks)
    note_ideal (r, WP_IDEAL_OCCUPANCY);
  *occupancy = full;
}

void
wp_run_options_override (const WpRunOptions *options, IdgLaunch *launch)
{
  override (&launch->blocks, options->blocks);
  override (&launch->threads, options->threads);
  override (&launch->registers, options->registers);
  override (&launch->shared_memory, options->shared_memory);
}

/* A kernel whose loops and branches depend on the launch is for that one. */
static gboolean
check_launch (const Resolver *r, GError **error)
{
  const IdgLaunch *made = &r->kernel->launch, *launch = &r->resolved->launch;
  gboolean threads = r->kernel->fixed_threads && launch->threads != made->threads;

  if (!threads && (!r->kernel->fixed_blocks || launch->blocks == made->blocks))
    return TRUE;
  g_set_error (error, WP_ERROR, WP_ERROR_FIT,
               "%s: loops and branches of %s were decided for %" G_GINT64_FORMAT
               " %s, and would be others for %" G_GINT64_FORMAT
               "; expected a kernel that is imported for that launch, one in each command",
               idg_kernel_get_file (r->kernel), r->kernel->name,
               threads ? made->threads : made->blocks, threads ? "threads per block" : "blocks",
               threads ? launch->threads : launch->blocks);
  return FALSE;
}

/* Whether SMs of the GPU share a pipeline. */
static gboolean
shares (const WpGpu *gpu)
{
  for (guint i = 0; i < gpu->pipelines->len; i++)
    if (((const WpGpuPipeline *)g_ptr_array_index (gpu->pipelines, i))->shared > 1)
      return TRUE;
  return FALSE;
}

/* Whether an instruction of COST passes pipeline P. */
static gboolean
passes (const Cost *cost, guint p)
{
  gboolean found = cost->op != NULL && cost->op->pipeline == p;

  for (guint k = 0; cost->op != NULL && k < cost->cost.n_passes; k++)
    found = found || cost->cost.passes[k].pipeline == p;
  return found;
}

/* Whether an instruction of the kernel does, once costs are known. */
static gboolean
is_passed (const Resolver *r, guint p)
{
  for (guint i = 0; i < r->kernel->programs->len; i++)
    {
      const IdgKernelProgram *program = g_ptr_array_index (r->kernel->programs, i);
      const Cost *costs = g_ptr_array_index (r->costs, i);

      for (guint n = 0; n < program->program->n_nodes; n++)
        if (passes (&costs[n], p))
          return TRUE;
    }
  return FALSE;
}

/* How many SMs share pipeline P, as far as the kernel has to do with it. */
static guint32
get_shared (const Resolver *r, guint p)
{
  const WpGpuPipeline *pipeline = g_ptr_array_index (r->gpu->pipelines, p);

  return pipeline->shared > 1 && is_passed (r, p) ? pipeline->shared : 1;
}

/* The most SMs that share a pipeline: they are simulated where nobody says how many. */
static guint32
find_group (const Resolver *r)
{
  guint32 most = 1;

  for (guint p = 0; p < r->gpu->pipelines->len; p++)
    most = MAX (most, get_shared (r, p));
  return MIN (most, (guint32)r->gpu->sms);
}

static gboolean
fit_launch (Resolver *r, GError **error)
{
  WpResolved *resolved = r->resolved;
  WpMachine *machine = &resolved->machine;
  const WpRunOptions *options = r->options;
  guint64 most;

  resolved->launch = r->kernel->launch;
  wp_run_options_override (options, &resolved->launch);
  resolved->asked_warps = options->occupancy;
  resolved->assumed_launch = (r->kernel->assumed_blocks && options->blocks < 0)
                             || (r->kernel->assumed_threads && options->threads < 0);
  if (!check_launch (r, error))
    return FALSE;
  if (options->sms > r->gpu->sms)
    {
      g_set_error (error, WP_ERROR, WP_ERROR_FIT,
                   "%" G_GINT64_FORMAT " SMs are to be simulated; %s has %" G_GINT64_FORMAT,
                   options->sms, r->gpu->name, r->gpu->sms);
      return FALSE;
    }
  if (!wp_occupancy_compute (r->gpu, &resolved->launch, options->occupancy, options->no_limits,
                             &resolved->occupancy, error))
    {
      g_prefix_error (error, "%s: ", idg_kernel_get_file (r->kernel));
      return FALSE;
    }
  machine->n_sms = (guint32)r->gpu->sms;
  machine->simulated_sms = options->sms == 0 ? machine->n_sms : (guint32)options->sms;
  if (options->sms == 1 && !options->sms_said)
    machine->simulated_sms = find_group (r);
  machine->n_blocks
      = share ((guint64)resolved->launch.blocks, machine->simulated_sms, machine->n_sms);
  machine->warps_per_block = (guint32)resolved->occupancy.warps_per_block;
  resolved->blocks_of_sm = machine->n_blocks / machine->simulated_sms;
  most = (machine->n_blocks + machine->simulated_sms - 1) / machine->simulated_sms;
  if (is_ideal (r, WP_IDEAL_OCCUPANCY))
    fill_up (r, most);
  most = MIN (most, (guint64)resolved->occupancy.blocks);
  if (most > WP_MAX_RESIDENT_WARPS / machine->warps_per_block / machine->simulated_sms)
    {
      g_set_error (error, WP_ERROR, WP_ERROR_LIMIT,
                   "%" G_GUINT64_FORMAT
                   " blocks of %u warp%s would be resident at a time on each SM that is simulated "
                   "(%u); the most is %u warps in all: use --occupancy",
                   most, machine->warps_per_block, machine->warps_per_block == 1 ? "" : "s",
                   machine->simulated_sms, WP_MAX_RESIDENT_WARPS);
      return FALSE;
    }
  machine->resident_blocks = (guint32)most;
  return TRUE;
}

static gboolean
assign_programs (Resolver *r, GError **error)
{
  g_autoptr (IdgAssignment) assignment = idg_kernel_assign (
      r->kernel, (guint64)r->resolved->launch.blocks, r->resolved->machine.warps_per_block, error);

  if (assignment == NULL)
    return FALSE;
  for (guint i = 0; i < assignment->blocks->len; i++)
    {
      const IdgAssignedBlocks *blocks = &g_array_index (assignment->blocks, IdgAssignedBlocks, i);
      WpBlockRange range = { blocks->first_block, blocks->row };

      g_array_append_val (r->arena->block_ranges, range);
    }
  for (guint i = 0; i < assignment->rows->len; i++)
    {
      const GArray *segments = g_ptr_array_index (assignment->rows, i);
      WpRow row = { r->arena->segments->len, segments->len };

      for (guint s = 0; s < segments->len; s++)
        {
          const IdgSegment *from = &g_array_index (segments, IdgSegment, s);
          WpSegment segment = { from->first_warp, from->program };

          g_array_append_val (r->arena->segments, segment);
        }
      g_array_append_val (r->arena->rows, row);
    }
  return TRUE;
}

/* ---- The GPU ---- */

/* Whether TIME, of pipeline P, is a whole number of ticks. */
static gboolean
fits_tick (const Resolver *r, guint p, WpCycles time)
{
  gint64 ticks = r->resolved->machine.ticks_per_cycle;

  return ticks % share_time (r, p, 0, time).den == 0
         && ticks % share_time (r, p, find_last_group (r, p), time).den == 0;
}

static void
fill_gpu (Resolver *r)
{
  WpMachine *machine = &r->resolved->machine;
  const WpGpu *gpu = r->gpu;

  machine->n_schedulers = (guint32)gpu->schedulers;
  machine->interval = to_ticks (r, gpu->interval);
  machine->ilp_latency = to_ticks (r, gpu->ilp_latency);
  machine->launch_latency = to_ticks (r, gpu->launch_latency);
  machine->barrier_latency = to_ticks (r, gpu->barrier_latency);
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
      to->shared = get_shared (r, i);
      if (fits_tick (r, i, from->turnaround))
        {
          to->turnaround = to_shared (r, i, from->turnaround, FALSE);
          to->turnaround_last = to_shared (r, i, from->turnaround, TRUE);
        }
      if (!r->options->contended || from->channels == 0)
        continue;
      /* A pipeline that the kernel does not use did not count for the tick; no instruction uses its
       * channels. */
      if (fits_tick (r, i, from->channel_issue))
        {
          to->channels = from->channels;
          to->channel_issue = to_shared (r, i, from->channel_issue, FALSE);
          to->channel_issue_last = to_shared (r, i, from->channel_issue, TRUE);
        }
    }
}

static void
point_machine (Resolver *r)
{
  WpMachine *machine = &r->resolved->machine;
  const Arena *arena = r->arena;

  machine->pipelines = arena->pipelines;
  machine->n_programs = arena->programs->len;
  machine->programs = (const WpProgram *)(gconstpointer)arena->programs->data;
  machine->n_instrs = arena->instrs->len;
  machine->instrs = (const WpInstr *)(gconstpointer)arena->instrs->data;
  r->resolved->origins = (const WpOrigin *)(gconstpointer)arena->origins->data;
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
idealise (Resolver *r)
{
  const Arena *arena = r->arena;
  WpIdealParts parts = { .machine = &r->resolved->machine,
                         .instrs = (WpInstr *)(gpointer)arena->instrs->data,
                         .deps = (WpDep *)(gpointer)arena->deps->data,
                         .passes = (WpPass *)(gpointer)arena->passes->data,
                         .pipelines = arena->pipelines };

  r->resolved->idealised |= wp_idealise (&parts, r->options->ideals);
}

/* Reserves room for one element in each array, so that none is NULL, even if it stays empty. */
static Arena *
arena_new (void)
{
  Arena *arena = g_new0 (Arena, 1);

  arena->programs = g_array_sized_new (FALSE, TRUE, sizeof (WpProgram), 1);
  arena->instrs = g_array_sized_new (FALSE, TRUE, sizeof (WpInstr), 1);
  arena->origins = g_array_sized_new (FALSE, TRUE, sizeof (WpOrigin), 1);
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
arena_free (Arena *arena)
{
  g_array_unref (arena->programs);
  g_array_unref (arena->instrs);
  g_array_unref (arena->origins);
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
  g_free (((Denominator *)data)->label);
}

/* Checks that what dataflow order stores for each dynamic instruction stays within bounds. */
static gboolean
check_dataflow (Resolver *r, GError **error)
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
          set_kernel_error (r->kernel, named->line, WP_ERROR_LIMIT, error,
                            "the program unrolls to more than 2^26 dependences, the most that "
                            "dataflow order takes");
          return FALSE;
        }
      if (program->n_dynamic > WP_MAX_DATAFLOW_RESIDENT / warps)
        {
          set_kernel_error (r->kernel, named->line, WP_ERROR_LIMIT, error,
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
check_total (Resolver *r, GError **error)
{
  gdouble total = wp_machine_count_instructions (&r->resolved->machine);

  if (total < WP_MAX_INSTRUCTIONS)
    return TRUE;
  set_kernel_error (
      r->kernel, 0, WP_ERROR_LIMIT, error,
      "the launch runs %.3g instructions in all, on the SMs that are simulated; a run "
      "counts up to 2^63",
      total);
  return FALSE;
}

/* The kernel's barriers with names, in the order of their numbers. */
static gboolean
list_barriers (Resolver *r, GError **error)
{
  r->barriers = idg_kernel_list_barriers (r->kernel, error);
  for (guint i = 0; r->barriers != NULL && !is_ideal (r, WP_IDEAL_BARRIERS) && i < r->barriers->len;
       i++)
    {
      const IdgBarrier *from = &g_array_index (r->barriers, IdgBarrier, i);
      WpBarrierDesc barrier = { from->name, from->warps };

      g_array_append_val (r->arena->barriers, barrier);
    }
  return r->barriers != NULL;
}

static gboolean
resolve (Resolver *r, GError **error)
{
  WpMachine *machine = &r->resolved->machine;

  machine->dataflow
      = (r->options->has_order ? r->options->order : r->gpu->order) == WP_ORDER_DATAFLOW;
  machine->contended = r->options->contended;
  machine->seed = r->options->seed;
  machine->active_set = r->options->active_set;
  if (!list_barriers (r, error) || (shares (r->gpu) && !look_up_all (r, error))
      || !fit_launch (r, error) || (!shares (r->gpu) && !look_up_all (r, error))
      || !find_tick (r, error) || !check_spreads (r, error))
    return FALSE;
  fill_gpu (r);
  for (guint p = 0; p < r->kernel->programs->len; p++)
    if (!add_program (r, p, error))
      return FALSE;
  if (!assign_programs (r, error))
    return FALSE;
  point_machine (r);
  idealise (r);
  return check_dataflow (r, error) && check_total (r, error);
}

WpResolved *
wp_resolve (const IdgKernel *kernel, const WpGpu *gpu, const WpRunOptions *options, GError **error)
{
  Arena *arena = arena_new ();
  g_autoptr (WpResolved) resolved = &arena->resolved;
  Resolver r = { kernel, gpu, options, resolved, arena, NULL, NULL, NULL, NULL, NULL, NULL, 0 };
  gboolean done;

  r.costs = g_ptr_array_new_with_free_func (g_free);
  r.cache = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  r.name_ids = g_hash_table_new (g_str_hash, g_str_equal);
  r.spread_ids = g_hash_table_new (NULL, NULL);
  r.denominators = g_array_new (FALSE, FALSE, sizeof (Denominator));
  g_array_set_clear_func (r.denominators, clear_denominator);
  done = resolve (&r, error);
  g_clear_pointer (&r.barriers, g_array_unref);
  g_ptr_array_unref (r.costs);
  g_hash_table_unref (r.cache);
  g_hash_table_unref (r.name_ids);
  g_hash_table_unref (r.spread_ids);
  g_array_unref (r.denominators);
  return done ? g_steal_pointer (&resolved) : NULL;
}

void
wp_resolved_free (WpResolved *resolved)
{
  if (resolved != NULL)
    arena_free ((Arena *)resolved);
}
