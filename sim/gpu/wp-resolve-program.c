/* SPDX-License-Identifier: MIT */
/* The flat arrays of a program. Repeats without any iteration or instruction are dropped, together
 * with their content, so that the engine may rely on every repeat issuing something in each
 * iteration. */
#include "sim/gpu/wp-resolver.h"

#include "idg/kernel/idg-barriers.h"

G_STATIC_ASSERT (IDG_MAX_DEPTH <= WP_MAX_DEPTH);

/* ---- Spreads ---- */

/* Whether COST, of NODE, may complete LATENCY after it is served. */
static gboolean
check_latency (WpResolver *r, const IdgNode *node, const WpGpuCost *cost, WpCycles latency,
               GError **error)
{
  gchar text[WP_TIME_CHARS], add[WP_TIME_CHARS];

  if (cost->spread == NULL
      || wp_resolver_to_ticks (r, latency) + wp_resolver_to_ticks (r, cost->spread->add[0]) >= 0)
    return TRUE;
  wp_resolver_fail (r->kernel, node->line, WP_ERROR_VALUE, error,
                    "op \"%s\" on %s: completion %s with a spread that adds %s would be negative",
                    node->op, r->gpu->name, wp_cycles_format (latency, text),
                    wp_cycles_format (cost->spread->add[0], add));
  return FALSE;
}

/* Checks that no instruction can complete before it starts: each producer for this consumer and,
 * last, this instruction for itself. */
static gboolean
check_spread (WpResolver *r, guint p, guint i, GError **error)
{
  const IdgProgram *program
      = ((IdgKernelProgram *)g_ptr_array_index (r->kernel->programs, p))->program;
  const WpResolverCost *costs = g_ptr_array_index (r->costs, p);
  const IdgNode *node = &program->nodes[i];

  for (guint d = 0; d <= node->n_after; d++)
    {
      guint producer = d < node->n_after ? node->after[d] : i;
      const WpResolverCost *cost = &costs[producer];

      for (guint k = 0; k < cost->n; k++)
        {
          WpCycles latency = d < node->n_after ? wp_resolver_get_latency (cost, k, costs[i].op)
                                               : cost->contexts[k].cost.completion;

          if (!check_latency (r, &program->nodes[producer], &cost->contexts[k].cost, latency,
                              error))
            return FALSE;
        }
    }
  return TRUE;
}

gboolean
wp_resolver_check_spreads (WpResolver *r, GError **error)
{
  for (guint p = 0; r->contended && p < r->kernel->programs->len; p++)
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
add_spread (WpResolver *r, const WpGpuSpread *spread, guint32 *index, GError **error)
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
      add[i] = wp_resolver_to_ticks (r, spread->add[i]);
      if (ABS (add[i]) >= WP_TICK_LIMIT)
        {
          wp_resolver_fail (r->kernel, 0, WP_ERROR_LIMIT, error,
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
add_name (WpResolver *r, const gchar *name)
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

/* Most dependences of a kernel that has mixes, where one on a mix may be one for each of its
 * contexts; and most completions that a warp keeps of mixes. */
#define MAX_MIXED_DEPS (1u << 24)
#define MAX_MIXED_VALUES (1u << 20)

/* Finds the nodes that execute: PLACE receives the index in the machine of each live instruction,
 * of a mix the first, and WP_DROPPED for all other nodes. Idealised barriers are dropped. Returns
 * how many there are in the machine. */
static guint32
find_live (WpResolver *r, const IdgProgram *program, const WpResolverCost *costs, guint32 first,
           guint32 *place)
{
  gboolean barriers = !wp_resolver_is_ideal (r, WP_IDEAL_BARRIERS);
  guint32 n = 0;

  for (guint i = 0; i < program->n_nodes; i++)
    {
      const IdgNode *node = &program->nodes[i];

      place[i] = WP_DROPPED;
      if (node->kind == IDG_INSTRUCTION || (idg_node_executes (node) && barriers))
        {
          place[i] = first + n;
          n += MAX (costs[i].n, 1);
        }
      else if (idg_node_executes (node))
        wp_resolver_note_ideal (r, WP_IDEAL_BARRIERS);
      else if (node->kind == IDG_REPEAT && node->count == 0)
        for (; i < node->partner; i++)
          place[i + 1] = WP_DROPPED;
    }
  return n;
}

/* Tells whether the repeat at HEAD would iterate without issuing anything. */
static gboolean
runs_nothing (const IdgProgram *program, const guint32 *place, guint head)
{
  for (guint i = head + 1; i < program->nodes[head].partner; i++)
    if (place[i] != WP_DROPPED)
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
      else if (place[i] != WP_DROPPED)
        sums[depth]++;
    }
  return sums[0];
}

static void
add_code (WpResolver *r, const IdgProgram *program, const guint32 *place, WpProgram *flat)
{
  guint32 heads[IDG_MAX_DEPTH], depth = 0;

  flat->first_code = r->arena->code->len;
  for (guint i = 0; i < program->n_nodes; i++)
    {
      const IdgNode *node = &program->nodes[i];
      WpCode code = { WP_CODE_INSTRUCTION, place[i], 0 };

      if (idg_node_executes (node) && place[i] == WP_DROPPED)
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

/* ---- What instructions cost ---- */

/* What decides what an instruction costs: equal ones share it, and the path. */
typedef struct
{
  const WpResolverContext *context; /* of an op, which is looked up once; NULL: a barrier */
  guint32 stall;
  guint32 barrier; /* as in the machine */
  guint32 posted;  /* that is an arrive... */
  guint32 late;    /* ...and a late one */
} CostKey;

static guint
hash_cost (gconstpointer data)
{
  const CostKey *key = data;

  return g_direct_hash (key->context) ^ key->stall << 16 ^ key->barrier << 2 ^ key->late << 1
         ^ key->posted;
}

static gboolean
equal_costs (gconstpointer a, gconstpointer b)
{
  const CostKey *x = a, *y = b;

  return x->context == y->context && x->stall == y->stall && x->barrier == y->barrier
         && x->posted == y->posted && x->late == y->late;
}

GHashTable *
wp_resolver_new_costs (void)
{
  return g_hash_table_new_full (hash_cost, equal_costs, g_free, NULL);
}

/* Adds one to the machine, of what KEY says. */
static WpCost *
add_cost (WpResolver *r, const CostKey *key)
{
  WpCost *cost = g_new (WpCost, 1);

  *cost = (WpCost){ .pipeline = WP_NO_PIPELINE, .spread = WP_NO_SPREAD, .slots = 1 };
  g_ptr_array_add (r->arena->costs, cost);
  g_hash_table_insert (r->machine_costs, g_memdup2 (key, sizeof *key), cost);
  return cost;
}

static void
add_path (WpResolver *r, const WpGpuCost *from, WpCost *cost)
{
  cost->first_pass = r->arena->passes->len;
  cost->n_passes = from->n_passes;
  for (guint i = 0; i < from->n_passes; i++)
    {
      const WpGpuPass *written = &from->passes[i];
      WpPass pass = { written->pipeline,
                      wp_resolver_to_shared (r, written->pipeline, written->issue, FALSE),
                      wp_resolver_to_shared (r, written->pipeline, written->issue, TRUE),
                      written->transactions };

      g_array_append_val (r->arena->passes, pass);
    }
}

/* The cost of NODE, a barrier or an arrive. */
static const WpCost *
get_barrier_cost (WpResolver *r, const IdgNode *node)
{
  CostKey key = { .posted = node->kind == IDG_ARRIVE, .late = node->late };
  WpCost *cost;

  if (node->name != NULL)
    key.barrier = idg_barriers_find (r->barriers, node->name) + 1;
  cost = g_hash_table_lookup (r->machine_costs, &key);
  if (cost != NULL)
    return cost;
  cost = add_cost (r, &key);
  cost->posted = key.posted;
  cost->late = key.late;
  cost->barrier = key.barrier;
  cost->name = add_name (r, cost->posted ? "bar.arrive" : "bar.sync");
  return cost;
}

/* Fills in COST, of NODE in the context I of LOOKED_UP. */
static gboolean
fill_cost (WpResolver *r, const IdgNode *node, const WpResolverCost *looked_up, guint i,
           WpCost *cost, GError **error)
{
  const WpResolverContext *context = &looked_up->contexts[i];
  const WpGpuCost *from = &context->cost;

  cost->name = add_name (r, node->op);
  cost->pipeline = looked_up->op->pipeline;
  cost->issue = wp_resolver_to_shared (r, cost->pipeline, from->issue, FALSE);
  cost->issue_last = wp_resolver_to_shared (r, cost->pipeline, from->issue, TRUE);
  cost->posted = from->posted;
  cost->completion = cost->posted ? 0 : wp_resolver_to_ticks (r, from->completion);
  cost->slots = from->slots;
  cost->stall = wp_resolver_to_ticks (r, (WpCycles){ node->stall, 1 });
  cost->transactions = from->transactions;
  cost->flops = from->flops;
  cost->bytes = from->bytes;
  cost->write = looked_up->op->write;
  cost->in_flight = wp_resolver_to_ticks (r, from->completion);
  g_hash_table_insert (r->arena->ops, cost, (gpointer)looked_up->op);
  if (context->upto > 0)
    {
      r->arena->mixed = TRUE;
      cost->mix = looked_up->n;
      cost->mix_place = i;
      cost->mix_upto = context->upto;
    }
  add_path (r, from, cost);
  return !r->contended || from->spread == NULL
         || add_spread (r, from->spread, &cost->spread, error);
}

/* The cost of NODE in the context I of LOOKED_UP; or NULL. */
static const WpCost *
get_cost (WpResolver *r, const IdgNode *node, const WpResolverCost *looked_up, guint i,
          GError **error)
{
  CostKey key = { .context = &looked_up->contexts[i], .stall = node->stall };
  WpCost *cost = g_hash_table_lookup (r->machine_costs, &key);

  if (cost != NULL)
    return cost;
  cost = add_cost (r, &key);
  return fill_cost (r, node, looked_up, i, cost, error) ? cost : NULL;
}

/* ---- Instructions ---- */

static void
add_instr (WpResolver *r, const IdgNode *node, const WpCost *cost)
{
  WpInstr instr
      = { .cost = cost, .value = WP_NO_VALUE, .reach = cost->completion, .line = node->line };

  g_array_append_val (r->arena->instrs, instr);
}

/* NODE, in each of its contexts. */
static gboolean
add_node (WpResolver *r, const IdgNode *node, const WpResolverCost *cost, GError **error)
{
  if (cost->op == NULL)
    add_instr (r, node, get_barrier_cost (r, node));
  for (guint i = 0; i < cost->n; i++)
    {
      const WpCost *found = get_cost (r, node, cost, i, error);

      if (found == NULL)
        return FALSE;
      add_instr (r, node, found);
    }
  while (r->arena->nodes->len < r->arena->instrs->len)
    g_array_append_val (r->arena->nodes, node);
  return TRUE;
}

/* Finds how many of its last completions each live instruction of PROGRAM is to keep: the largest
 * distance of a dependence on it. */
static void
find_kept (WpResolver *r, const IdgProgram *program, const WpResolverCost *costs,
           const guint32 *place)
{
  for (guint i = 0; i < program->n_nodes; i++)
    for (guint d = 0; place[i] != WP_DROPPED && d < program->nodes[i].n_after; d++)
      {
        guint32 producer = place[program->nodes[i].after[d]];
        guint32 distance = program->nodes[i].distances[d];
        WpInstr *instr;

        if (producer == WP_DROPPED)
          continue;
        instr = &g_array_index (r->arena->instrs, WpInstr, producer);
        for (guint k = 0; k < costs[program->nodes[i].after[d]].n; k++)
          instr[k].n_kept = MAX (instr[k].n_kept, distance);
      }
}

static guint32
get_last_pipeline (const WpResolver *r, const WpInstr *instr)
{
  guint32 last = instr->cost->first_pass + instr->cost->n_passes - 1;

  return instr->cost->n_passes > 0 ? g_array_index (r->arena->passes, WpPass, last).pipeline
                                   : instr->cost->pipeline;
}

/* Adds the dependence D of node I on what is at PLACE, of COST: one for each of its sets of
 * contexts that complete alike. */
static void
add_dependence (WpResolver *r, const IdgNode *node, guint d, const WpResolverCost *cost,
                guint32 place, const WpGpuOp *consumer)
{
  guint n = 0;

  for (guint i = 0; i < cost->n; i++)
    {
      WpInstr *producer = &g_array_index (r->arena->instrs, WpInstr, place + i);
      WpDep dep = { .producer = place + i };

      dep.value = producer->value + node->distances[d] - 1;
      dep.pipeline = get_last_pipeline (r, producer);
      dep.latency = producer->cost->posted
                        ? 0
                        : wp_resolver_to_ticks (r, wp_resolver_get_latency (cost, i, consumer));
      producer->reach = MAX (producer->reach, dep.latency);
      if (cost->contexts[i].set < n)
        continue;
      n++;
      g_array_append_val (r->arena->deps, dep);
    }
}

/* Adds the dependences of node I on live instructions. */
static gboolean
add_dependences (WpResolver *r, const IdgProgram *program, const WpResolverCost *costs,
                 const guint32 *place, guint i, const WpProgram *flat, GError **error)
{
  const IdgNode *node = &program->nodes[i];
  guint32 first = r->arena->deps->len;

  for (guint d = 0; d < node->n_after; d++)
    {
      guint from = node->after[d];

      if (place[from] == WP_DROPPED)
        continue;
      if (costs[from].n_sets > 1
          && (r->arena->deps->len > MAX_MIXED_DEPS || flat->n_values > MAX_MIXED_VALUES))
        {
          wp_resolver_fail (r->kernel, node->line, WP_ERROR_LIMIT, error,
                            "the kernel's mixes have more than 2^24 dependences on them, context "
                            "by context, or a warp would keep more than 2^20 of their completions; "
                            "use mixes of fewer contexts");
          return FALSE;
        }
      add_dependence (r, node, d, &costs[from], place[from], costs[i].op);
    }
  for (guint k = 0; k < MAX (costs[i].n, 1); k++)
    {
      WpInstr *instr = &g_array_index (r->arena->instrs, WpInstr, place[i] + k);

      instr->first_dep = first;
      instr->n_deps = r->arena->deps->len - first;
    }
  return TRUE;
}

gboolean
wp_resolver_add_program (WpResolver *r, guint p, GError **error)
{
  const IdgKernelProgram *named = g_ptr_array_index (r->kernel->programs, p);
  const IdgProgram *program = named->program;
  const WpResolverCost *costs = g_ptr_array_index (r->costs, p);
  g_autofree guint32 *place = g_new (guint32, program->n_nodes + 1);
  WpProgram flat = { .first_instr = r->arena->instrs->len };
  IdgStatus status = idg_program_count_dynamic (program, &flat.n_dynamic);

  if (status != IDG_OK)
    {
      wp_resolver_fail (r->kernel, named->line, WP_ERROR_LIMIT, error,
                        "a warp would run more than 2^53 instructions");
      return FALSE;
    }
  flat.n_instrs = find_live (r, program, costs, flat.first_instr, place);
  flat.n_dynamic = count_live (program, place);
  if (r->resolved->machine.dataflow && flat.n_dynamic > WP_MAX_DATAFLOW)
    {
      wp_resolver_fail (r->kernel, named->line, WP_ERROR_LIMIT, error,
                        "the program unrolls to %" G_GUINT64_FORMAT
                        " instructions; dataflow order takes at most 2^20",
                        flat.n_dynamic);
      return FALSE;
    }
  for (guint i = 0; i < program->n_nodes; i++)
    if (place[i] != WP_DROPPED && !add_node (r, &program->nodes[i], &costs[i], error))
      return FALSE;
  find_kept (r, program, costs, place);
  flat.n_values = wp_resolver_place_values (r, program, costs, place);
  for (guint i = 0; i < program->n_nodes; i++)
    if (place[i] != WP_DROPPED && !add_dependences (r, program, costs, place, i, &flat, error))
      return FALSE;
  add_code (r, program, place, &flat);
  g_array_append_val (r->arena->programs, flat);
  return TRUE;
}
