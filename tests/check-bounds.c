/* SPDX-License-Identifier: MIT */
/* Bounds of random machines, against two engines on the same machine without throughput limits: the
 * literal one (tests/literal.h), which shares no code with bounds, and the real one, which finds
 * them, here without skipping any round.
 *
 * What it shows: a block that is alone has the same lifetimes of warps, to the tick, as in an
 * engine in which no lambda, no slot and no other block delays it; it issues what the bounds count;
 * the critical path has the same length, its times are those at which the engine issues these
 * instructions, and its groups unfold to steps in order of time. In long cases rounds recur and are
 * skipped. What it does not pin: which of several longest paths is shown.
 *
 * By hand: random-main.h. WARPIPE_RANDOM_CASES (2000) sets how many: half as many short ones, a
 * quarter as many long and nested. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/bounds/wp-bounds.h"
#include "tests/own-costs.h"
#include "tests/random-main.h"
#include "tests/record.h"

#define N_TESTS 10

typedef enum
{
  FAMILY_SHORT,
  FAMILY_LONG,
  FAMILY_NESTS,
  N_FAMILIES
} Family;

static const RandomFamily families[N_FAMILIES]
    = { { "short", TRUE }, { "long", TRUE }, { "nests", TRUE } };

typedef struct
{
  guint ran, overflowed, stuck, distant, named, groups, barriers, dataflow, dual, several, literal;
} Tally;

/* --- Nests: repeats in repeats, and in each of a block's programs other ones around its barriers
 * --- */

static gint
pick_between (GRand *rand, gint low, gint high)
{
  return g_rand_int_range (rand, low, high + 1);
}

static gint
pick (GRand *rand, const gint *list, gint n)
{
  return list[pick_between (rand, 0, n - 1)];
}

static gchar *
make_nests_gpu (GRand *rand)
{
  static const gint latencies[] = { 0, 1, 1, 2, 3, 7, 20 };
  const gint n = G_N_ELEMENTS (latencies);
  GString *gpu = g_string_new ("<gpu name=\"g\">\n<device sms=\"1\" clock-mhz=\"1000\" "
                               "warp-size=\"32\"/>\n<limits warps=\"64\"/>\n");

  g_string_append_printf (gpu,
                          "<launch latency=\"0\"/>\n<barrier latency=\"%d\"/>\n"
                          "<scheduler count=\"1\" ilp-latency=\"%d\" dual-issue=\"%d\"/>\n"
                          "<pipeline name=\"p0\"/>\n<pipeline name=\"p1\" pairing=\"never\"/>\n",
                          pick (rand, latencies, n), pick (rand, latencies, n),
                          pick_between (rand, 0, 1) == 0 ? 1 : pick_between (rand, 2, 3));
  for (gint i = 0; i < 4; i++)
    g_string_append_printf (
        gpu, "<op name=\"op%d\" pipeline=\"p%d\" issue=\"1\" completion=\"%d\" slots=\"%d\"/>\n", i,
        pick_between (rand, 0, 1), pick (rand, latencies, n),
        pick_between (rand, 0, 5) == 0 ? 2 : 1);
  g_string_append (gpu, "</gpu>\n");
  return g_string_free (gpu, FALSE);
}

/* All come to the one that has a name, so that there is a barrier of it. */
static void
put_nests_barrier (GRand *rand, GString *kernel)
{
  gint what = pick_between (rand, 0, 9);

  if (what < 7)
    g_string_append (kernel, "<barrier/>\n");
  else
    g_string_append (kernel, what < 9 ? "<barrier name=\"b\"/>\n"
                                      : "<barrier name=\"b\"/>\n<arrive name=\"b\"/>\n");
}

/* Instructions, a third of which wait for one before or after them; N_IDS so far. */
static void
put_nests_body (GRand *rand, GString *kernel, gint room, gint *n_ids)
{
  for (gint n = pick_between (rand, 1, 3); n > 0; n--)
    {
      gint what = pick_between (rand, 0, 99);

      if (what < 40 && room > 1)
        {
          static const gint counts[] = { 1, 2, 2, 3, 4, 5, 6, 10, 10, 37, 100 };
          gint count = MIN (pick (rand, counts, G_N_ELEMENTS (counts)), room);

          g_string_append_printf (kernel, "<repeat count=\"%d\">\n", count);
          put_nests_body (rand, kernel, room / count, n_ids);
          g_string_append (kernel, "</repeat>\n");
        }
      else if (what < 60)
        put_nests_barrier (rand, kernel);
      else
        {
          gint id = (*n_ids)++;

          g_string_append_printf (kernel, "<i id=\"x%d\" op=\"op%d\"", id,
                                  pick_between (rand, 0, 3));
          if (pick_between (rand, 0, 2) > 0)
            {
              g_string_append_printf (kernel, " after=\"x%d", pick_between (rand, 0, id));
              if (pick_between (rand, 0, 3) == 0)
                g_string_append_printf (kernel, ":%d", pick_between (rand, 1, 5));
              g_string_append (kernel, "\"");
            }
          g_string_append (kernel, "/>\n");
        }
    }
}

static RandomCase *
make_nests (guint64 seed)
{
  static const WpRunOptions init = WP_RUN_OPTIONS_INIT;
  RandomCase *c = g_new0 (RandomCase, 1);
  g_autoptr (GRand) rand = g_rand_new_with_seed ((guint32)seed);
  gint n_warps = pick_between (rand, 1, 4), n_programs = pick_between (rand, 1, n_warps);
  GString *kernel = g_string_new (NULL);

  c->options = init;
  c->policy = "rr";
  c->gpu = make_nests_gpu (rand);
  g_string_append_printf (kernel, "<kernel name=\"k\">\n<launch blocks=\"1\" threads=\"%d\"/>\n",
                          32 * n_warps);
  for (gint i = 0; i < n_programs; i++)
    {
      gint n_ids = 0;

      if (i + 1 < n_programs)
        g_string_append_printf (kernel, "<program warps=\"%d\">\n", i);
      else
        g_string_append_printf (kernel, "<program warps=\"%d-%d\">\n", i, n_warps - 1);
      put_nests_body (rand, kernel, pick_between (rand, 1, 4000), &n_ids);
      g_string_append (kernel, "</program>\n");
    }
  g_string_append (kernel, "</kernel>\n");
  c->kernel = g_string_free (kernel, FALSE);
  return c;
}

static RandomCase *
make (guint64 seed, guint family)
{
  if (family == FAMILY_NESTS)
    return make_nests (seed);
  return family == FAMILY_SHORT ? random_case_new (seed)
                                : random_case_new_long (seed, FALSE, 20000);
}

/* MACHINE with one block of ROW, and nothing in its way. */
typedef struct
{
  WpMachine machine;
  WpInstr *instrs;
  WpCost *costs;
  WpPass *passes;
  WpDep *deps;
  WpPipelineDesc *pipelines;
  WpBlockRange range;
} Free;

/* Of the machine of means the first instruction of each mix is always the one that is drawn: the
 * others are drawn once in 2^31 times. */
static void
take_means (WpInstr *instrs, WpCost *costs, guint32 n)
{
  for (guint32 i = 0; i < n; i++)
    if (instrs[i].cost->mix_place > 0)
      {
        guint32 mix = instrs[i].cost->mix;

        for (guint32 k = 0; instrs[i].cost->mix_place == 1 && k < mix; k++)
          {
            costs[i - 1 + k].mix = mix;
            costs[i - 1 + k].mix_upto = G_MAXINT32 - (mix - 1) + k;
          }
        costs[i].first_pass = costs[i].n_passes = 0;
        costs[i].completion = instrs[i].reach = 0;
      }
}

static void
free_init (Free *f, const WpMachine *machine, guint32 row)
{
  f->machine = *machine;
  f->instrs = g_memdup2 (machine->instrs, machine->n_instrs * sizeof *f->instrs);
  f->costs = give_own_costs (f->instrs, machine->n_instrs);
  for (guint i = 0; i < machine->n_instrs; i++)
    f->costs[i].issue = 0;
  take_means (f->instrs, f->costs, machine->n_instrs);
  f->machine.instrs = f->instrs;
  f->deps = g_memdup2 (machine->deps, machine->n_deps * sizeof *f->deps);
  for (guint i = 0; i < machine->n_deps; i++)
    if (machine->instrs[machine->deps[i].producer].cost->mix_place > 0)
      {
        f->deps[i].latency = 0;
        f->deps[i].pipeline = machine->instrs[machine->deps[i].producer].cost->pipeline;
      }
  f->machine.deps = f->deps;
  f->passes = g_memdup2 (machine->passes, machine->n_passes * sizeof *f->passes);
  for (guint i = 0; i < machine->n_passes; i++)
    f->passes[i].issue = 0;
  f->machine.passes = f->passes;
  f->pipelines = g_memdup2 (machine->pipelines, machine->n_pipelines * sizeof *f->pipelines);
  for (guint i = 0; i < machine->n_pipelines; i++)
    {
      f->pipelines[i].inflight = WP_NO_INFLIGHT_LIMIT;
      f->pipelines[i].turnaround = 0;
    }
  f->machine.pipelines = f->pipelines;
  f->range = (WpBlockRange){ 0, row };
  f->machine.block_ranges = &f->range;
  f->machine.n_block_ranges = 1;
  f->machine.n_blocks = 1;
  f->machine.resident_blocks = 1;
  f->machine.simulated_sms = 1;
  f->machine.interval = 0;
  f->machine.launch_latency = 0;
  for (guint i = 0; i < machine->n_instrs; i++)
    if (wp_instr_meets_by_number (machine, &machine->instrs[i]))
      f->machine.n_schedulers = machine->warps_per_block;
}

/* --- The path --- */

typedef struct
{
  const WpBounds *bounds;
  GHashTable *issued; /* "warp instr time" of those that the engine issued */
  WpTick now;
  guint64 n;
  gboolean literal; /* in place of the instruction its op */
} Path;

#define MOST_STEPS 100000
/* The most instructions for the literal engine: with nested repeats that many take 50 ms. */
#define MOST_LITERAL 4000

static gboolean
was_issued (const Path *path, const WpPathItem *item)
{
  const WpBoundsSegment *segment = &path->bounds->segments[item->segment];
  const WpMachine *m = path->bounds->machine;
  const WpInstr *instr = &m->instrs[item->instr];
  const gchar *op = m->names[instr->cost->name];
  g_autofree gchar *key
      = path->literal ? g_strdup_printf ("%u %s " I64, segment->first_warp, op, path->now)
                      : g_strdup_printf ("%u %u " I64, segment->first_warp, item->instr, path->now);

  return g_hash_table_contains (path->issued, key);
}

/* Follows N items; NULL or what is wrong. */
static gchar *
follow (Path *path, const WpPathItem *items, guint n)
{
  for (guint i = 0; i < n; i += 1 + items[i].n_items)
    if (items[i].n_items == 0)
      {
        path->now += items[i].length;
        if (++path->n > MOST_STEPS)
          return NULL;
        if (!was_issued (path, &items[i]))
          DIFFER ("step " U64 " of the path: instruction %u of warp %u did not issue at " I64,
                  path->n, items[i].instr, path->bounds->segments[items[i].segment].first_warp,
                  path->now);
      }
    else
      for (guint64 t = 0; t < items[i].times && path->n <= MOST_STEPS; t++)
        {
          gchar *wrong = follow (path, items + i + 1, items[i].n_items);

          if (wrong != NULL)
            return wrong;
        }
  return NULL;
}

static gchar *
check_path (const WpBounds *bounds, const Record *r, Tally *tally)
{
  Path path = { bounds, g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
                bounds->path_begins, 0, FALSE };
  const WpBoundsSegment *slowest = &bounds->segments[bounds->slowest];
  gchar *wrong;

  for (guint i = 0; i < r->issues->len; i++)
    {
      const WpIssueEvent *e = &g_array_index (r->issues, Issue, i).e;

      g_hash_table_add (path.issued, g_strdup_printf ("%u %u " I64, e->warp, e->instr, e->time));
    }
  for (guint i = 0; i < bounds->n_path; i++)
    tally->groups += bounds->path[i].n_items > 0;
  wrong = follow (&path, bounds->path, bounds->n_path);
  g_hash_table_unref (path.issued);
  if (wrong == NULL && path.n <= MOST_STEPS && path.now + bounds->completion != slowest->latency)
    DIFFER ("the path is " I64 " ticks long, the warp's life " I64, path.now + bounds->completion,
            slowest->latency);
  return wrong;
}

/* --- The literal engine's --- */

static void
free_path (GArray *path)
{
  for (guint i = 0; path != NULL && i < path->len; i++)
    {
      WpGpuThen *then = &g_array_index (path, WpGpuThen, i);

      then->issue = then->issue_each = (WpCycles){ 0, 1 };
    }
}

/* GPU without anything that delays a block, for the literal engine. */
static void
free_gpu (WpGpu *gpu)
{
  const WpCycles none = { 0, 1 };

  gpu->interval = gpu->launch_latency = none;
  for (guint i = 0; i < gpu->pipelines->len; i++)
    {
      WpGpuPipeline *pipeline = g_ptr_array_index (gpu->pipelines, i);

      pipeline->inflight = 0;
      pipeline->turnaround = none;
    }
  for (guint i = 0; i < gpu->ops->len; i++)
    {
      WpGpuOp *op = g_ptr_array_index (gpu->ops, i);

      op->issue = op->issue_min = none;
      free_path (op->path);
      for (guint k = 0; k < op->contexts->len; k++)
        {
          WpGpuContext *context = g_ptr_array_index (op->contexts, k);

          context->issue = context->issue_each = context->issue_min = none;
          free_path (context->path);
        }
    }
}

/* A time of the literal engine, SINCE the launch of its block, in MACHINE's ticks. */
static gint64
convert (const LiteralRun *l, const WpMachine *machine, gint64 time, gint64 since)
{
  return (gint64)((Wide)(time - since) * machine->ticks_per_cycle / l->ticks_per_cycle);
}

/* The blocks that L has of ROW come one after another: the first of them, and its launch. */
static guint64
find_block (const LiteralRun *l, const WpMachine *machine, guint32 row, gint64 *launch)
{
  for (guint i = 0; i < l->lifetimes->len; i++)
    {
      const LiteralLifetime *life = &g_array_index (l->lifetimes, LiteralLifetime, i);

      *launch = life->start;
      if (wp_machine_get_row (machine, life->block) == &machine->rows[row])
        return life->block;
    }
  return G_MAXUINT64;
}

static gchar *
compare_literal_lives (const WpBounds *bounds, const LiteralRun *l, guint32 row, guint64 block)
{
  for (guint i = 0; i < l->lifetimes->len; i++)
    {
      const LiteralLifetime *life = &g_array_index (l->lifetimes, LiteralLifetime, i);
      gint64 latency = convert (l, bounds->machine, life->end, life->start);
      guint s = 0;

      if (life->block != block)
        continue;
      while (bounds->segments[s].row != row || life->warp < bounds->segments[s].first_warp
             || life->warp >= bounds->segments[s].first_warp + bounds->segments[s].n_warps)
        s++;
      if (bounds->segments[s].latency != latency)
        DIFFER ("row %u, warp %u: bound " I64 ", lived " I64 " by the literal engine", row,
                life->warp, bounds->segments[s].latency, latency);
    }
  return NULL;
}

/* What of the path the literal engine issued, too: "warp op time" for each. */
static GHashTable *
list_literal_issues (const LiteralRun *l, const WpMachine *machine, guint64 block, gint64 launch)
{
  GHashTable *issued = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < l->issues->len; i++)
    {
      const LiteralIssue *issue = &g_array_index (l->issues, LiteralIssue, i);

      if (issue->block == block)
        g_hash_table_add (issued, g_strdup_printf ("%u %s " I64, issue->warp, issue->op,
                                                   convert (l, machine, issue->time, launch)));
    }
  return issued;
}

static gchar *
check_literal_row (const WpBounds *bounds, const LiteralRun *l, guint32 row)
{
  gint64 launch;
  guint64 block = find_block (l, bounds->machine, row, &launch);
  g_autoptr (GHashTable) issued = NULL;
  Path path = { bounds, NULL, bounds->path_begins, 0, TRUE };
  gchar *wrong;

  if (block == G_MAXUINT64)
    return NULL;
  wrong = compare_literal_lives (bounds, l, row, block);
  if (wrong != NULL || bounds->segments[bounds->slowest].row != row)
    return wrong;
  path.issued = issued = list_literal_issues (l, bounds->machine, block, launch);
  return follow (&path, bounds->path, bounds->n_path);
}

/* BOUNDS of all rows against a run of all blocks, one at a time. */
static gchar *
check_literal (LoadedCase *c, const WpBounds *bounds)
{
  WpRunOptions options = c->random->options;
  g_autoptr (LiteralRun) l = NULL;
  gchar *wrong = NULL;

  free_gpu (c->gpu);
  if (bounds->machine->n_barriers > 0 && wp_bounds_are_estimates (bounds->machine))
    c->gpu->schedulers = bounds->machine->warps_per_block;
  options.occupancy = bounds->machine->warps_per_block;
  l = literal_run (c->kernel, c->gpu, &options, "rr");
  if (l->refused)
    return g_strdup_printf ("the literal engine refuses: %s", l->why);
  for (guint i = 0; !l->overflow && !l->stuck && wrong == NULL && i < bounds->n_segments; i++)
    if (i == 0 || bounds->segments[i].row != bounds->segments[i - 1].row)
      wrong = check_literal_row (bounds, l, bounds->segments[i].row);
  return wrong;
}

/* --- Lives and counts --- */

static gchar *
check_lives (const WpBounds *bounds, guint32 row, const Record *r)
{
  for (guint i = 0; i < r->lifetimes->len; i++)
    {
      const WpWarpEvent *e = &g_array_index (r->lifetimes, WpWarpEvent, i);
      guint s = 0;

      while (bounds->segments[s].row != row || e->warp < bounds->segments[s].first_warp
             || e->warp >= bounds->segments[s].first_warp + bounds->segments[s].n_warps)
        s++;
      if (bounds->segments[s].latency != e->end - e->start)
        DIFFER ("row %u, warp %u: bound " I64 ", lived " I64, row, e->warp,
                bounds->segments[s].latency, e->end - e->start);
    }
  return NULL;
}

/* What one block of the only row has issued: the same as its warps' means. */
static gchar *
check_counts (const WpBounds *bounds, const Record *r)
{
  const WpMachine *m = bounds->machine;
  guint64 warps = m->warps_per_block, issues = 0, reissues = 0, slots = 1;

  for (guint i = 0; i < m->n_instrs; i++)
    if (bounds->counts[i].num.lo * warps != r->result->counts[i] * bounds->counts[i].den)
      DIFFER ("instruction %u: " U64 " / " U64 " for each warp, issued " U64 " times", i,
              bounds->counts[i].num.lo, bounds->counts[i].den, r->result->counts[i]);
  for (guint i = 0; i < r->issues->len; i++)
    {
      const WpIssueEvent *e = &g_array_index (r->issues, Issue, i).e;
      guint64 own = e->instr == G_MAXUINT32 ? 1 : m->instrs[e->instr].cost->slots;

      issues += !e->follows;
      slots = e->follows ? MAX (slots, own) : own;
      if (i + 1 == r->issues->len || !g_array_index (r->issues, Issue, i + 1).e.follows)
        reissues += slots - 1;
    }
  if ((bounds->single_issues.num.lo + bounds->dual_issues.num.lo) * warps
      != issues * bounds->single_issues.den)
    DIFFER ("issues: " U64 " and " U64 " / " U64 " for each warp, " U64 " in all",
            bounds->single_issues.num.lo, bounds->dual_issues.num.lo, bounds->single_issues.den,
            issues);
  if (bounds->reissues.num.lo * warps != reissues * bounds->reissues.den)
    DIFFER ("reissues: " U64 " / " U64 " for each warp, " U64 " in all", bounds->reissues.num.lo,
            bounds->reissues.den, reissues);
  return NULL;
}

/* The engine knows when a warp could issue next, after its last instruction, too. */
static gboolean
is_near_limit (const WpBounds *bounds)
{
  return bounds->segments[bounds->slowest].latency >= WP_TICK_LIMIT - bounds->machine->ilp_latency;
}

static gchar *
check_row (const WpBounds *bounds, WpBoundsStatus status, guint32 row, gboolean only, Tally *tally)
{
  Free f;
  g_autoptr (Record) r = NULL;
  gchar *wrong = NULL;

  free_init (&f, bounds->machine, row);
  r = record_run (&f.machine, "rr", (RecordHow){ .no_skip = TRUE });
  if (r->device == NULL)
    wrong = g_strdup_printf ("refused: %s", r->problem);
  else if (status == WP_BOUNDS_OVERFLOW)
    tally->overflowed++;
  else if (status == WP_BOUNDS_STUCK)
    tally->stuck++;
  else if (r->status != WP_RUN_DONE)
    wrong = is_near_limit (bounds) ? NULL : g_strdup ("the engine overflowed, the bounds did not");
  else
    {
      wrong = check_lives (bounds, row, r);
      if (wrong == NULL && bounds->segments[bounds->slowest].row == row)
        wrong = check_path (bounds, r, tally);
      if (wrong == NULL && only)
        wrong = check_counts (bounds, r);
    }
  g_clear_pointer (&r, record_free); /* which looks at the machine */
  g_free (f.instrs);
  g_free (f.costs);
  g_free (f.passes);
  g_free (f.deps);
  g_free (f.pipelines);
  return wrong;
}

static void
tally_machine (const WpBounds *bounds, Tally *tally)
{
  const WpMachine *m = bounds->machine;
  gboolean barriers = FALSE, distant = FALSE;

  for (guint i = 0; i < m->n_instrs; i++)
    {
      barriers |= m->instrs[i].cost->pipeline == WP_NO_PIPELINE;
      distant |= wp_instr_get_kept (&m->instrs[i]) > 1;
    }
  tally->ran++;
  tally->dataflow += m->dataflow;
  tally->dual += m->dual_issue > 1;
  tally->barriers += barriers;
  tally->named += m->n_barriers > 0;
  tally->distant += distant;
  tally->several += barriers && bounds->n_segments > 1;
}

static gchar *
check_machine (LoadedCase *c, const WpMachine *machine, guint64 budget, Tally *tally)
{
  WpBounds *bounds = wp_bounds_new (machine);
  WpBoundsStatus status;
  gchar *wrong = NULL;
  guint n_rows = 0;

  do
    status = wp_bounds_run (bounds, budget);
  while (status == WP_BOUNDS_MORE);
  for (guint i = 0; i < bounds->n_segments; i++)
    n_rows += i == 0 || bounds->segments[i].row != bounds->segments[i - 1].row;
  for (guint i = 0; i < bounds->n_segments && wrong == NULL; i++)
    if (i == 0 || bounds->segments[i].row != bounds->segments[i - 1].row)
      wrong = check_row (bounds, status, bounds->segments[i].row,
                         n_rows == 1 && !wp_machine_has_mixes (machine), tally);
  /* The literal engine knows nothing of means. */
  if (wrong == NULL && status == WP_BOUNDS_DONE && !wp_machine_has_mixes (machine)
      && wp_machine_count_instructions (machine) <= MOST_LITERAL)
    {
      wrong = check_literal (c, bounds);
      tally->literal++;
    }
  if (status == WP_BOUNDS_DONE)
    tally_machine (bounds, tally);
  wp_bounds_free (bounds);
  return wrong;
}

static gchar *
check (RandomCase *random, guint family, gpointer tally)
{
  g_auto (LoadedCase) c = { 0 };
  g_autoptr (WpResolved) resolved = NULL;
  guint64 budget = family == FAMILY_SHORT ? 7 : 1 << 20;

  loaded_case_init (&c, random);
  if (c.error != NULL)
    return g_strdup (c.error->message);
  random->options.memory = WP_MEMORY_IDEAL;
  random->options.sms = 1;
  resolved = wp_resolve (c.kernel, c.gpu, &random->options, &c.error);
  g_clear_error (&c.error);
  if (resolved == NULL || wp_machine_check (&resolved->machine) != NULL)
    return NULL;
  return check_machine (&c, &resolved->machine, budget, tally);
}

static void
print_tally (gconstpointer data)
{
  const Tally *tally = data;

  printf ("%u stuck; %u with distances, %u with names of barriers\n", tally->stuck, tally->distant,
          tally->named);
  printf ("%u ran: %u dataflow, %u dual issue, %u with barriers (%u of several programs); "
          "%u groups; %u overflowed; %u by the literal engine, too\n",
          tally->ran, tally->dataflow, tally->dual, tally->barriers, tally->several, tally->groups,
          tally->overflowed, tally->literal);
}

static const RandomMain self = { "check-bounds", N_FAMILIES, families, make, check, print_tally };

static void
run_cases (guint family, guint64 n, guint test)
{
  guint64 first = n * test / N_TESTS, last = n * (test + 1) / N_TESTS;
  Tally tally = { 0 };

  for (guint64 seed = first; seed < last; seed++)
    ck_assert (random_main_run_seed (&self, seed, family, &tally));
  if (last - first >= 100)
    {
      ck_assert_uint_gt (tally.ran * 2, last - first);
      ck_assert_uint_gt (tally.groups + tally.dataflow, 0);
      ck_assert_uint_gt (tally.several, 0);
      ck_assert_uint_gt (tally.distant, 0);
      ck_assert_uint_gt (tally.named, 0);
      ck_assert_uint_gt (tally.literal * 5, tally.ran);
    }
}

START_TEST (short_warps_alone_live_as_long_as_the_engine_lets_them)
{
  run_cases (FAMILY_SHORT, random_main_environment ("WARPIPE_RANDOM_CASES", 2000) / 2, (guint)_i);
}
END_TEST

START_TEST (long_warps_alone_live_as_long_as_the_engine_lets_them)
{
  run_cases (FAMILY_LONG, random_main_environment ("WARPIPE_RANDOM_CASES", 2000) / 4, (guint)_i);
}
END_TEST

START_TEST (warps_of_nested_repeats_that_meet_live_as_long_as_the_engine_lets_them)
{
  run_cases (FAMILY_NESTS, random_main_environment ("WARPIPE_RANDOM_CASES", 2000) / 4, (guint)_i);
}
END_TEST

int
main (int argc, char **argv)
{
  Tally tally = { 0 };
  TCase *tcase;
  int status;

  if (random_main_by_hand (&self, argc, argv, &tally, &status))
    return status;
  tcase = tcase_create ("cases");
  tcase_add_loop_test (tcase, short_warps_alone_live_as_long_as_the_engine_lets_them, 0, N_TESTS);
  tcase_add_loop_test (tcase, long_warps_alone_live_as_long_as_the_engine_lets_them, 0, N_TESTS);
  tcase_add_loop_test (
      tcase, warps_of_nested_repeats_that_meet_live_as_long_as_the_engine_lets_them, 0, N_TESTS);
  return random_main_run_suite ("bounds", tcase);
}
