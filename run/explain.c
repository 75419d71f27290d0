/* SPDX-License-Identifier: MIT */
/* Two rounds of runs: first as it is and with each thing ideal, then with the pairs that the first
 * round suggests.
 *
 * A run follows from its machine and the policy alone, and what is kept of it here from that
 * machine and the run's totals. So cases whose machines are the same bytes (machine-bytes.h) share
 * their runs. Nothing weaker is asked. A pipeline for which nobody waited may be made ideal without
 * another run, but the totals do not say that of any: a warp's wait for a pipeline is not told
 * apart by which one refused it, nor is an instruction's for a later one of its path. */
#include "run/explain.h"

#include "run/simulate/greedy.h"
#include "run/simulate/machine-bytes.h"
#include "run/simulate/report.h"
#include "run/simulate/warnings-find.h"

#include <math.h>
#include <string.h>

/* From this share of free places on an SM counts as empty. */
#define EMPTY 0.5

/* ---- What limits a run ---- */

static gdouble
divide (gdouble a, gdouble b)
{
  return b > 0 ? a / b : 0;
}

static void
take_larger (WpBinding *best, WpBindingKind kind, guint32 pipeline, gdouble share)
{
  if (share > best->share)
    *best = (WpBinding){ kind, pipeline, share, FALSE };
}

/* The busiest unit. */
static WpBinding
find_busiest (const WpReport *report)
{
  WpBinding best = { WP_BINDING_NOTHING, 0, 0, FALSE };

  for (guint32 p = 0; p < report->resolved->machine.n_pipelines; p++)
    take_larger (&best, WP_BINDING_PIPELINE, p, wp_report_get_taken (report, p));
  take_larger (&best, WP_BINDING_SCHEDULERS, 0, wp_report_get_issue (report));
  best.is_uneven
      = !wp_report_is_even (report, best.kind == WP_BINDING_PIPELINE ? best.pipeline : G_MAXUINT32);
  return best;
}

/* What the warps wait for most. */
static WpBinding
find_wait (const WpReport *report)
{
  const WpResult *result = report->result;
  gdouble lives = wp_sum_to_double (result->lifetimes), shares[WP_N_STALLS];
  WpBinding best = { WP_BINDING_NOTHING, 0, 0, FALSE };

  for (guint i = 0; i < WP_N_STALLS; i++)
    shares[i] = divide (wp_sum_to_double (result->stalls[i]), lives);
  for (guint32 p = 0; p < report->resolved->machine.n_pipelines; p++)
    take_larger (&best, WP_BINDING_RESULTS, p,
                 divide (wp_sum_to_double (report->pipelines[p].waited), lives));
  take_larger (&best, WP_BINDING_BARRIER, 0, shares[WP_STALL_BARRIER]);
  take_larger (&best, WP_BINDING_ILP, 0, shares[WP_STALL_ILP]);
  take_larger (&best, WP_BINDING_TURNS, 0,
               shares[WP_STALL_PIPELINE] + shares[WP_STALL_NOT_SELECTED]);
  take_larger (&best, WP_BINDING_DRAIN, 0, shares[WP_STALL_DRAIN]);
  return best;
}

static WpBinding
find_binding (const WpReport *report)
{
  const WpMachine *machine = &report->resolved->machine;
  WpBinding busiest = find_busiest (report);
  gdouble places = (gdouble)machine->resident_blocks * machine->warps_per_block;
  gdouble empty = 1 - divide (report->mean_occupancy, places);

  if (report->cycles <= 0 && !report->stores_queued)
    return (WpBinding){ WP_BINDING_NOTHING, 0, 0, FALSE };
  if (busiest.share >= wp_report_get_saturated (report))
    return busiest;
  if (empty >= EMPTY)
    return (WpBinding){ WP_BINDING_EMPTY, 0, empty, FALSE };
  return find_wait (report);
}

/* Called in the thread that simulated the run; no other thread reads it before all have ended. */
static void
look (const WpSimulation *simulation, gpointer data)
{
  WpCaseRun *run = data;
  gint64 cycle = simulation->resolved->machine.ticks_per_cycle;
  g_autoptr (WpReport) report
      = wp_report_new_unwarned (simulation->kernel, simulation->gpu, simulation->resolved,
                                wp_device_get_result (simulation->device));

  wp_tick_format (report->result->elapsed, cycle, run->ended_text);
  wp_tick_format (report->result->drained, cycle, run->drained_text);
  run->ended = report->cycles;
  run->drained = report->cycles_drained;
  run->cycles = wp_report_get_cycles (report);
  run->binding = find_binding (report);
  run->use = g_new0 (gdouble, simulation->resolved->machine.n_pipelines);
  run->waited = g_new0 (gdouble, simulation->resolved->machine.n_pipelines);
  for (guint32 p = 0; p < simulation->resolved->machine.n_pipelines; p++)
    {
      run->use[p] = report->pipelines[p].utilization;
      run->waited[p] = divide (wp_sum_to_double (report->pipelines[p].waited),
                               wp_sum_to_double (report->result->lifetimes));
    }
}

/* The same of the run whose warnings are those of the whole. */
static void
look_for_warnings (const WpSimulation *simulation, gpointer data)
{
  WpCaseRun *run = data;
  g_autoptr (WpReport) report
      = wp_report_new (simulation->kernel, simulation->gpu, simulation->resolved,
                       wp_device_get_result (simulation->device));

  run->warnings = g_ptr_array_ref (report->warnings);
  look (simulation, data);
}

/* ---- Cases ---- */

static void
case_init (WpCase *one, guint n_kinds, WpIdealKind first, WpIdealKind second)
{
  *one = (WpCase){ .n_kinds = n_kinds, .kinds = { first, second } };
  for (guint i = 0; i < n_kinds; i++)
    one->ideals |= WP_IDEAL_BIT (one->kinds[i]);
}

/* Whether the addresses of accesses were assumed, and no access has a context that says otherwise:
 * then that they are ideal already is no finding. Those of branches say nothing of addresses. */
static gboolean
are_contexts_unknown (const WpExplanation *explanation)
{
  const WpResolved *resolved = explanation->resolved;

  for (guint32 i = 0; i < resolved->machine.n_instrs; i++)
    {
      const gchar *context = resolved->nodes[i]->context;

      if (context != NULL && !g_str_has_suffix (context, "taken"))
        return FALSE;
    }
  return explanation->kernel->assumed_addresses;
}

static gboolean
has_contexts (const WpResolved *resolved)
{
  for (guint32 i = 0; i < resolved->machine.n_instrs; i++)
    if (resolved->nodes[i]->context != NULL)
      return TRUE;
  return FALSE;
}

static WpResolved *
resolve (const WpExplanation *explanation, const WpCase *one)
{
  WpRunOptions options = explanation->options;

  options.ideals = one->ideals;
  return wp_resolve (explanation->kernel, explanation->gpu, &options, NULL);
}

/* Whether OTHER has a run for each seed, and its machine is the same as ONE's, which is BYTES: with
 * the first seed, and so with any. Equal hashes are no proof. */
static gboolean
is_same (const WpExplanation *explanation, const WpCase *one, const GByteArray *bytes,
         const WpCase *other)
{
  g_autoptr (WpResolved) resolved = NULL;
  g_autoptr (GByteArray) others = NULL;

  if (other == one || other->why != NULL || other->same != NULL || other->hash != one->hash)
    return FALSE;
  resolved = resolve (explanation, other);
  if (resolved == NULL)
    return FALSE;
  others = wp_machine_to_bytes (&resolved->machine);
  return others->len == bytes->len && memcmp (others->data, bytes->data, bytes->len) == 0;
}

/* The first of the N CASES that is_same(), or NULL. */
static const WpCase *
find_same (const WpExplanation *explanation, const WpCase *one, const GByteArray *bytes,
           const WpCase *cases, guint n)
{
  for (guint i = 0; i < n; i++)
    if (is_same (explanation, one, bytes, &cases[i]))
      return &cases[i];
  return NULL;
}

/* Finds out whose runs ONE's are, of the cases before it: as it is, the first N_SINGLES singles,
 * and the first N_PAIRS pairs, in the order in which they were listed. */
static void
share_runs (const WpExplanation *explanation, WpCase *one, const WpMachine *machine,
            guint n_singles, guint n_pairs)
{
  g_autoptr (GByteArray) bytes = wp_machine_to_bytes (machine);

  one->hash = wp_machine_bytes_hash (bytes);
  one->is_random = wp_machine_is_random (machine);
  one->same = find_same (explanation, one, bytes, &explanation->as_it_is, 1);
  if (one->same == NULL)
    one->same = find_same (explanation, one, bytes, explanation->singles, n_singles);
  if (one->same == NULL)
    one->same = find_same (explanation, one, bytes, explanation->pairs, n_pairs);
}

/* Sets ONE->why where ONE is not simulated: it changes nothing, or needs more than a simulation can
 * hold, as full occupancy does on a GPU without limits. */
static void
check_case (const WpExplanation *explanation, WpCase *one)
{
  g_autoptr (WpResolved) resolved = resolve (explanation, one);

  if (resolved == NULL)
    one->why = g_strdup ("that is more than can be simulated");
  else if (one->kinds[0] == WP_IDEAL_CONTEXTS && are_contexts_unknown (explanation))
    one->why = g_strdup ("not known: no access has a context; the best was assumed");
  else if (resolved->idealised == 0 && one->kinds[0] == WP_IDEAL_CONTEXTS
           && has_contexts (explanation->resolved))
    one->why = g_strdup ("no instruction has a context but where it hits");
  else if (resolved->idealised == 0)
    {
      one->why = g_strdup (wp_ideal_get (one->kinds[0])->absent);
      one->quiet = wp_ideal_get (one->kinds[0])->quiet;
    }
  else
    share_runs (explanation, one, &resolved->machine, one->kinds[0], 0);
}

WpExplanation *
wp_explanation_new (const IdgKernel *kernel, const WpGpu *gpu, const WpPolicy *policy,
                    const WpRunOptions *options, const guint64 *seeds, guint n_seeds,
                    GError **error)
{
  g_autoptr (WpExplanation) explanation = g_new0 (WpExplanation, 1);

  explanation->kernel = kernel;
  explanation->gpu = gpu;
  explanation->policy = policy;
  explanation->options = *options;
  explanation->options.seed = seeds[0];
  explanation->seeds = seeds;
  explanation->n_seeds = n_seeds;
  explanation->resolved = wp_resolve (kernel, gpu, &explanation->options, error);
  if (explanation->resolved == NULL)
    return NULL;
  wp_resident_init (&explanation->resident, explanation->resolved);
  explanation->notes = wp_notes_find (kernel, gpu);
  share_runs (explanation, &explanation->as_it_is, &explanation->resolved->machine, 0, 0);
  for (guint kind = 0; kind < WP_N_IDEALS; kind++)
    {
      case_init (&explanation->singles[kind], 1, (WpIdealKind)kind, (WpIdealKind)kind);
      check_case (explanation, &explanation->singles[kind]);
    }
  explanation->has_greedy
      = wp_greedy_is_worth_a_word (explanation->resolved, wp_policy_get_name (policy));
  explanation->greedy = (WpCase){ .policy = wp_policy_find (WP_GREEDY_POLICY),
                                  .is_random = explanation->as_it_is.is_random };
  return g_steal_pointer (&explanation);
}

static void
free_runs (const WpExplanation *explanation, WpCase *one)
{
  for (guint i = 0; one->runs != NULL && i < explanation->n_seeds; i++)
    {
      g_clear_pointer (&one->runs[i].warnings, g_ptr_array_unref);
      g_free (one->runs[i].use);
      g_free (one->runs[i].waited);
    }
  g_free (one->runs);
}

void
wp_explanation_free (WpExplanation *explanation)
{
  if (explanation == NULL)
    return;
  for (guint kind = 0; kind < WP_N_IDEALS; kind++)
    {
      g_free (explanation->singles[kind].why);
      free_runs (explanation, &explanation->singles[kind]);
    }
  for (guint i = 0; i < explanation->n_pairs; i++)
    free_runs (explanation, &explanation->pairs[i]);
  free_runs (explanation, &explanation->as_it_is);
  free_runs (explanation, &explanation->greedy);
  g_clear_pointer (&explanation->notes, g_ptr_array_unref);
  wp_resident_clear (&explanation->resident);
  g_clear_pointer (&explanation->resolved, wp_resolved_free);
  g_free (explanation);
}

/* ---- Runs ---- */

/* Whether run SEED of ONE is none of its own, and of which case and seed it then is. */
static const WpCaseRun *
get_source (const WpCase *one, guint seed)
{
  const WpCase *from = one->same != NULL ? one->same : one;
  guint which = from->is_random ? seed : 0;

  return from == one && which == seed ? NULL : &from->runs[which];
}

/* Adds a run for each seed, but for those that ONE or another case has already. */
static void
add_runs (WpExplanation *explanation, WpCase *one, GArray *runs)
{
  if (one->why != NULL)
    return;
  one->runs = g_new0 (WpCaseRun, explanation->n_seeds);
  for (guint i = 0; i < explanation->n_seeds; i++)
    {
      WpBatchRun run = { .kernel = explanation->kernel,
                         .gpu = explanation->gpu,
                         .policy = one->policy,
                         .options = explanation->options,
                         .look = one == &explanation->as_it_is && i == 0 ? look_for_warnings : look,
                         .data = &one->runs[i] };

      if (get_source (one, i) != NULL)
        continue;
      run.options.ideals = one->ideals;
      run.options.seed = explanation->seeds[i];
      g_array_append_val (runs, run);
      explanation->n_simulated++;
    }
}

/* Fills in the runs of ONE that are others' or its own with another seed, which have ended. */
static void
copy_runs (const WpExplanation *explanation, WpCase *one)
{
  gsize bytes = explanation->resolved->machine.n_pipelines * sizeof (gdouble);

  for (guint i = 0; i < explanation->n_seeds; i++)
    {
      const WpCaseRun *source = get_source (one, i);

      if (source == NULL)
        continue;
      one->runs[i] = *source;
      one->runs[i].warnings = NULL;
      one->runs[i].use = g_memdup2 (source->use, bytes);
      one->runs[i].waited = g_memdup2 (source->waited, bytes);
    }
}

static gdouble
get_gain (gdouble cycles, gdouble ideal)
{
  return divide (cycles - ideal, cycles);
}

/* Sums ONE up from its runs, which have ended, as have all others of its round or before. */
static void
gather (const WpExplanation *explanation, WpCase *one)
{
  const WpCase *as_it_is = &explanation->as_it_is;
  WpSample ended = { 0 }, drained = { 0 };

  copy_runs (explanation, one);
  for (guint i = 0; i < explanation->n_seeds; i++)
    {
      wp_sample_add (&one->times, one->runs[i].cycles);
      wp_sample_add (&ended, one->runs[i].ended);
      wp_sample_add (&drained, one->runs[i].drained);
      wp_sample_add (&one->gains, get_gain (as_it_is->runs[i].cycles, one->runs[i].cycles));
    }
  one->cycles = one->times.mean;
  one->ended = ended.mean;
  if (explanation->n_seeds == 1)
    {
      g_strlcpy (one->ended_text, one->runs[0].ended_text, sizeof one->ended_text);
      g_strlcpy (one->drained_text, one->runs[0].drained_text, sizeof one->drained_text);
    }
  else
    {
      g_ascii_formatd (one->ended_text, sizeof one->ended_text, "%.12g", ended.mean);
      g_ascii_formatd (one->drained_text, sizeof one->drained_text, "%.12g", drained.mean);
    }
  one->binding = one->runs[0].binding;
  one->gain = get_gain (as_it_is->cycles, one->cycles);
  one->speedup = one->cycles > 0        ? as_it_is->cycles / one->cycles
                 : as_it_is->cycles > 0 ? INFINITY
                                        : 1;
}

/* The place of KIND among those that gain as much: as in the table of ideals, but what makes less
 * ideal goes before what makes that and more. */
static guint
get_place (WpIdealKind kind)
{
  WpIdealKind more = kind == WP_IDEAL_LSU                             ? WP_IDEAL_COMPUTE_THROUGHPUT
                     : kind == WP_IDEAL_L2 || kind == WP_IDEAL_MEMORY ? WP_IDEAL_MEMORY_BANDWIDTH
                                                                      : kind;

  return more == kind ? 2 * kind + 1 : 2 * more;
}

/* By gain, the largest first. */
static gint
compare_cases (gconstpointer a, gconstpointer b)
{
  const WpCase *x = a, *y = b;

  if (x->gain != y->gain)
    return x->gain > y->gain ? -1 : 1;
  for (guint i = 0; i < x->n_kinds; i++)
    if (get_place (x->kinds[i]) != get_place (y->kinds[i]))
      return get_place (x->kinds[i]) < get_place (y->kinds[i]) ? -1 : 1;
    else if (x->kinds[i] != y->kinds[i])
      return x->kinds[i] < y->kinds[i] ? -1 : 1;
  return 0;
}

static gint
compare_places (gconstpointer a, gconstpointer b, G_GNUC_UNUSED gpointer unused)
{
  return compare_cases (*(const WpCase *const *)a, *(const WpCase *const *)b);
}

static void
rank_singles (WpExplanation *explanation)
{
  for (guint kind = 0; kind < WP_N_IDEALS; kind++)
    {
      WpCase *one = &explanation->singles[kind];

      if (one->why != NULL)
        continue;
      gather (explanation, one);
      if (kind == WP_IDEAL_L1_HITS || kind == WP_IDEAL_L2_HITS)
        explanation->hits[explanation->n_hits++] = one;
      else
        explanation->ranked[explanation->n_ranked++] = one;
    }
  g_qsort_with_data (explanation->ranked, (gint)explanation->n_ranked,
                     sizeof explanation->ranked[0], compare_places, NULL);
}

/* Whether one of A and B makes ideal all that the other does, so that both are as that one. */
static gboolean
are_nested (WpIdealKind a, WpIdealKind b)
{
  static const WpIdealKind nested[][2] = { { WP_IDEAL_LSU, WP_IDEAL_COMPUTE_THROUGHPUT },
                                           { WP_IDEAL_L2, WP_IDEAL_MEMORY_BANDWIDTH },
                                           { WP_IDEAL_MEMORY, WP_IDEAL_MEMORY_BANDWIDTH },
                                           { WP_IDEAL_L1_HITS, WP_IDEAL_CONTEXTS },
                                           { WP_IDEAL_L2_HITS, WP_IDEAL_CONTEXTS } };

  for (guint i = 0; i < G_N_ELEMENTS (nested); i++)
    if ((a == nested[i][0] && b == nested[i][1]) || (b == nested[i][0] && a == nested[i][1]))
      return TRUE;
  return FALSE;
}

/* Where the pair cannot be simulated, its run will say why. */
static void
add_pair (WpExplanation *explanation, WpIdealKind first, WpIdealKind second)
{
  WpCase *pair = &explanation->pairs[explanation->n_pairs];
  g_autoptr (WpResolved) resolved = NULL;

  case_init (pair, 2, first, second);
  resolved = resolve (explanation, pair);
  pair->is_random = TRUE;
  if (resolved != NULL)
    share_runs (explanation, pair, &resolved->machine, WP_N_IDEALS, explanation->n_pairs);
  explanation->n_pairs++;
}

/* The best one with each other one, or all pairs. */
static void
list_pairs (WpExplanation *explanation)
{
  guint n_first = wp_explanation_is_clear (explanation) ? 1 : explanation->n_ranked;

  for (guint i = 0; i < n_first; i++)
    for (guint k = i + 1; k < explanation->n_ranked; k++)
      if (!are_nested (explanation->ranked[i]->kinds[0], explanation->ranked[k]->kinds[0]))
        add_pair (explanation, explanation->ranked[i]->kinds[0], explanation->ranked[k]->kinds[0]);
}

const WpCase *
wp_explanation_get_first (const WpExplanation *explanation)
{
  if (explanation->n_ranked == 0 || explanation->ranked[0]->gain < WP_EXPLAIN_MATTERS)
    return NULL;
  return explanation->ranked[0];
}

gboolean
wp_explanation_is_clear (const WpExplanation *explanation)
{
  return explanation->n_ranked > 0 && explanation->ranked[0]->gain >= WP_EXPLAIN_MUCH;
}

const WpCase *
wp_explanation_get_together (const WpExplanation *explanation)
{
  if (explanation->n_pairs == 0 || wp_explanation_is_clear (explanation)
      || explanation->pairs[0].gain < MAX (explanation->ranked[0]->gain, 0) + WP_EXPLAIN_MUCH)
    return NULL;
  return &explanation->pairs[0];
}

static gint
compare_pairs (gconstpointer a, gconstpointer b, G_GNUC_UNUSED gpointer unused)
{
  return compare_cases (a, b);
}

static gboolean
run_pairs (WpExplanation *explanation, WpBatch *batch, GError **error)
{
  g_autoptr (GArray) runs = g_array_new (FALSE, TRUE, sizeof (WpBatchRun));

  list_pairs (explanation);
  for (guint i = 0; i < explanation->n_pairs; i++)
    add_runs (explanation, &explanation->pairs[i], runs);
  if (!wp_batch_run (batch, (WpBatchRun *)(gpointer)runs->data, runs->len, error))
    return FALSE;
  for (guint i = 0; batch->interrupted == 0 && i < explanation->n_pairs; i++)
    gather (explanation, &explanation->pairs[i]);
  g_qsort_with_data (explanation->pairs, (gint)explanation->n_pairs, sizeof explanation->pairs[0],
                     compare_pairs, NULL);
  return TRUE;
}

gboolean
wp_explanation_run (WpExplanation *explanation, WpBatch *batch, GError **error)
{
  g_autoptr (GArray) runs = g_array_new (FALSE, TRUE, sizeof (WpBatchRun));

  batch->policy = explanation->policy;
  add_runs (explanation, &explanation->as_it_is, runs);
  for (guint kind = 0; kind < WP_N_IDEALS; kind++)
    add_runs (explanation, &explanation->singles[kind], runs);
  if (explanation->has_greedy)
    add_runs (explanation, &explanation->greedy, runs);
  if (!wp_batch_run (batch, (WpBatchRun *)(gpointer)runs->data, runs->len, error))
    return FALSE;
  if (batch->interrupted != 0)
    return TRUE;
  gather (explanation, &explanation->as_it_is);
  explanation->warnings = explanation->as_it_is.runs[0].warnings;
  explanation->time_us = explanation->as_it_is.ended * (gdouble)explanation->gpu->clock_mhz.den
                         / (gdouble)explanation->gpu->clock_mhz.num;
  if (explanation->has_greedy)
    gather (explanation, &explanation->greedy);
  if (explanation->as_it_is.cycles <= 0)
    return TRUE;
  rank_singles (explanation);
  return run_pairs (explanation, batch, error);
}
