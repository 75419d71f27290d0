/* SPDX-License-Identifier: MIT */
/* What a run came to and cannot be right. A check appends at most one warning of its name. */
#include "run/base/check-ops.h"
#include "run/simulate/report.h"
#include "run/simulate/warnings-find.h"
#include "sim/gpu/wp-nearest.h"

/* Figures of descriptions are rounded; what exceeds a limit by less is not to blame. */
#define ROUNDING 1.01

/* The time that rates go by, in nanoseconds. */
static gdouble
get_ns (const WpReport *report)
{
  return 1000 * (report->stores_queued ? report->time_drained_us : report->time_us);
}

/* AMOUNT of the simulated SMs as a rate of the whole device, 10^9 a second. */
static gdouble
get_rate (const WpReport *report, gdouble amount)
{
  const WpMachine *machine = &report->resolved->machine;
  gdouble ns = get_ns (report);

  return ns > 0 ? amount * machine->n_sms / machine->simulated_sms / ns : 0;
}

/* ---- Times ---- */

#define MUCH_QUEUED 0.05 /* of the time until the last warp ends */

/* Whether an instruction was issued that no warp waits for. */
static gboolean
has_posted (const WpReport *report)
{
  const WpMachine *machine = &report->resolved->machine;

  for (guint32 i = 0; i < machine->n_instrs; i++)
    if (machine->instrs[i].cost->posted && report->result->counts[i] > 0)
      return TRUE;
  return FALSE;
}

/* Where nothing is posted a pipeline may still be busy for longer than what it does takes. */
static void
check_queues (const WpReport *report, GPtrArray *warnings)
{
  gdouble more = report->cycles_drained - report->cycles;

  if (!report->stores_queued || more <= MUCH_QUEUED * report->cycles)
    return;
  wp_warnings_add (warnings, "stores-queued", FALSE,
                   "when the last warp ends, at %.9g cycles, %s for %.6g cycles more; how much "
                   "pipelines are in use, Gflop/s and GB/s are those until they are done",
                   report->cycles, has_posted (report) ? "stores are queued" : "pipelines are busy",
                   more);
}

/* ---- Shares ---- */

#define MUCH_ROUNDED 1.1 /* times the part of all blocks that SMs should have */
#define TOO_ROUNDED 1.25 /* the same, of which no verdict is one on all */
#define MUCH_SHARED 0.5  /* of the time: how long what they share is in use */

/* How many times its part of all blocks a group of K SMs has. Where there are fewer blocks than
 * SMs, each is on one of its own, those of the first groups. */
static gdouble
get_rounding (const WpMachine *machine, gdouble blocks, guint32 k)
{
  const gdouble sms = machine->n_sms, simulated = machine->simulated_sms;

  if (blocks < sms)
    return (gdouble)MIN (machine->n_blocks, k) / (blocks * k / sms);
  return (gdouble)machine->n_blocks / (blocks * simulated / sms);
}

/* The index of the pipeline that is in use most of those that SMs share; the number of pipelines
 * where there is none. */
static guint32
find_busiest_shared (const WpReport *report)
{
  const guint32 n = report->resolved->machine.n_pipelines;
  guint32 best = n;

  for (guint32 i = 0; i < n; i++)
    if (report->pipelines[i].shared > 1
        && (best == n || wp_report_get_taken (report, i) > wp_report_get_taken (report, best)))
      best = i;
  return best;
}

/* SMs that share a pipeline have a part of the GPU's, however many of the others have nothing to
 * do. */
static void
check_shares (const WpReport *report, GPtrArray *warnings)
{
  const WpMachine *machine = &report->resolved->machine;
  const gint64 blocks = report->resolved->launch.blocks;
  const guint32 index = find_busiest_shared (report);
  gdouble use, rounding;

  if (index == machine->n_pipelines || blocks == 0)
    return;
  use = wp_report_get_taken (report, index);
  rounding = get_rounding (machine, (gdouble)blocks, report->pipelines[index].shared);
  if (rounding <= MUCH_ROUNDED || use < MUCH_SHARED)
    return;
  wp_warnings_add (warnings, "share-rounded",
                   rounding > TOO_ROUNDED && use >= wp_report_get_saturated (report),
                   "%u SMs have a fixed part of %s here, in use %.0f%% of the time, and %.0f%% "
                   "more than their part of %" G_GINT64_FORMAT " blocks on %u SMs; where others "
                   "have nothing to do a GPU gives them more of it: times may be too long by as "
                   "much",
                   report->pipelines[index].shared, report->pipelines[index].name, 100 * use,
                   100 * (rounding - 1), blocks, machine->n_sms);
}

/* ---- Rates ---- */

/* Whether INSTR moves bytes to or from the device's memory, the last that it passes: what hits in a
 * cache visits none of its channels. */
static gboolean
is_dram (const WpMachine *machine, const WpInstr *instr)
{
  const WpPass *passes = machine->passes + instr->cost->first_pass;

  if (instr->cost->pipeline == WP_NO_PIPELINE || instr->cost->bytes == 0
      || !machine->pipelines[wp_instr_get_last_pipeline (machine, instr)].memory)
    return FALSE;
  return (instr->cost->n_passes > 0 ? passes[instr->cost->n_passes - 1].transactions
                                    : instr->cost->transactions)
         > 0;
}

static void
check_pins (const WpReport *report, GPtrArray *warnings)
{
  const WpMachine *machine = &report->resolved->machine;
  gdouble pins = wp_cycles_to_double (report->gpu->pin_gbs), bytes = 0, rate;

  for (guint32 i = 0; i < machine->n_instrs; i++)
    if (is_dram (machine, &machine->instrs[i]))
      bytes += (gdouble)report->result->counts[i] * (gdouble)machine->instrs[i].cost->bytes;
  rate = get_rate (report, bytes);
  if (pins > 0 && rate > pins * ROUNDING)
    wp_warnings_add (warnings, "above-pins", TRUE,
                     "%.5g GB/s would go to and from memory; the pins of %s carry %.5g at most",
                     rate, report->gpu->name, pins);
}

/* The most operations a cycle that OP, as it is without a context, makes on an SM. */
static gdouble
get_flops_a_cycle (const WpGpu *gpu, const WpGpuOp *op)
{
  const WpGpuPipeline *pipeline = g_ptr_array_index (gpu->pipelines, op->pipeline);
  gdouble schedulers = (gdouble)gpu->schedulers;
  gdouble issue = wp_cycles_to_double (op->issue);
  gdouble slot = wp_cycles_to_double (gpu->interval) * op->slots
                 / ((gdouble)gpu->issue_limit * gpu->dual_issue);
  gdouble by_pipeline = (pipeline->scope == WP_SCOPE_SCHEDULER ? schedulers : 1) / issue;

  return (gdouble)op->flops * MIN (by_pipeline, schedulers / slot);
}

/* The fastest op of each pipeline, all pipelines at once. */
static void
check_peak (const WpReport *report, GPtrArray *warnings)
{
  const WpGpu *gpu = report->gpu;
  g_autofree gdouble *fastest = g_new0 (gdouble, gpu->pipelines->len + 1);
  gdouble peak = 0, rate = 0;

  for (guint i = 0; i < gpu->ops->len; i++)
    {
      const WpGpuOp *op = g_ptr_array_index (gpu->ops, i);

      if (op->flops > 0)
        fastest[op->pipeline] = MAX (fastest[op->pipeline], get_flops_a_cycle (gpu, op));
    }
  for (guint i = 0; i < gpu->pipelines->len; i++)
    {
      peak += fastest[i] * (gdouble)gpu->sms * wp_cycles_to_double (gpu->clock_mhz) / 1000;
      rate += report->pipelines[i].gflops;
    }
  if (rate > peak * ROUNDING)
    wp_warnings_add (warnings, "above-peak", TRUE,
                     "%.5g Gflop/s would be made; by their own figures the pipelines of %s make "
                     "%.5g at most",
                     rate, gpu->name, peak);
}

/* ---- What did not run ---- */

/* What an instruction is, as far as verdicts go. */
typedef enum
{
  OTHER,
  ARITHMETIC, /* of floating-point numbers */
  ACCESS      /* to a pipeline of kind memory */
} Class;

/* Whether an instruction of CLASS was issued. */
static gboolean
has_run (const WpReport *report, Class class)
{
  const WpMachine *machine = &report->resolved->machine;

  for (guint32 i = 0; i < machine->n_instrs; i++)
    {
      const WpInstr *instr = &machine->instrs[i];
      gboolean memory = wp_instr_is_on_memory (machine, instr);

      if (report->result->counts[i] > 0 && (class == ACCESS ? memory : instr->cost->flops > 0))
        return TRUE;
    }
  return FALSE;
}

static Class
classify (const WpGpu *gpu, const IdgNode *node)
{
  const WpGpuOp *op = node->kind == IDG_INSTRUCTION ? wp_nearest_match (gpu, node->op).op : NULL;
  const WpGpuPipeline *pipeline
      = op != NULL ? g_ptr_array_index (gpu->pipelines, op->pipeline) : NULL;

  if (op == NULL)
    return OTHER;
  return pipeline->kind == WP_KIND_MEMORY ? ACCESS : op->flops > 0 ? ARITHMETIC : OTHER;
}

/* How many instructions of CLASS the kernel has as written, in repeats of no rounds, too. */
static guint
count_written (const WpReport *report, Class class)
{
  guint n = 0;

  for (guint i = 0; i < report->kernel->programs->len; i++)
    {
      const IdgKernelProgram *of = g_ptr_array_index (report->kernel->programs, i);

      for (guint32 k = 0; k < of->program->n_nodes; k++)
        n += classify (report->gpu, &of->program->nodes[k]) == class;
    }
  return n;
}

/* A kernel that was written for this may leave its loops out by a parameter; a listing's program
 * has what it has for a reason. */
static void
check_ran (const WpReport *report, GPtrArray *warnings)
{
  const struct
  {
    const gchar *name, *what;
    Class class;
  } kinds[] = { { "no-arithmetic", "floating-point instruction", ARITHMETIC },
                { "no-memory", "access to memory", ACCESS } };

  if (!report->kernel->nearest_ops || !report->result->complete)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      guint n = has_run (report, kinds[i].class) ? 0 : count_written (report, kinds[i].class);

      if (n > 0)
        wp_warnings_add (warnings, kinds[i].name, TRUE,
                         "no %s ran, of which the kernel has %u: its loops and branches leave them "
                         "out",
                         kinds[i].what, n);
    }
}

/* ---- Constants ---- */

#define BUSY 0.7 /* of the time: a verdict may rest on a pipeline in use so much */

static void
check_constants (const WpReport *report, GPtrArray *warnings)
{
  guint32 busiest = wp_report_find_busiest (report);

  if (report->resolved->machine.n_pipelines > 0 && wp_report_get_taken (report, busiest) > BUSY)
    wp_warnings_find_constants (warnings, report->kernel, report->resolved, busiest);
}

/* ---- Approximations ---- */

/* What runs as something else may take so many times as long. An op that a pipeline has no figures
 * for is mostly made of two to four that it has (half rate and quarter rate are the usual ones). */
#define WORSE 4

/* Whether PART of SHARE, so many times as long, comes to less than LIMIT. */
static gboolean
stays_below (gdouble share, gdouble part, gdouble limit)
{
  return share * (1 + (WORSE - 1) * part) < limit;
}

/* The part of the warps' lives spent waiting for results of pipeline INDEX. */
static gdouble
get_waited (const WpReport *report, guint32 index)
{
  gdouble lives = wp_sum_to_double (report->result->lifetimes);

  return lives > 0 ? wp_sum_to_double (report->pipelines[index].waited) / lives : 0;
}

/* The pipeline for whose results the warps spend most of their lives, which is more than all else;
 * G_MAXUINT32: none. */
static guint32
find_most_waited (const WpReport *report)
{
  guint32 best = G_MAXUINT32;

  for (guint32 p = 0; p < report->resolved->machine.n_pipelines; p++)
    if (get_waited (report, p) > 0.5)
      best = p;
  return best;
}

/* Whether pipeline BOUND, which is in use all the time or waited for most of the time, is so
 * whatever APPROXIMATION is of. Nothing of it uses BOUND, and were what it is of WORSE times as
 * long, then: no other pipeline, nor the issue slots, would be in use all the time; and if that
 * much more waiting were hidden by nothing, BOUND would still be in use all the time, or be waited
 * for more. */
static gboolean
is_bound_by (const WpReport *report, guint32 bound, const WpApproximation *approximation)
{
  const gdouble saturated = wp_report_get_saturated (report);
  gdouble longer = 1, most = 0;

  if (approximation->use[bound] > WP_APPROXIMATED || approximation->with_path > WP_APPROXIMATED
      || !stays_below (wp_report_get_issue (report), approximation->share, saturated))
    return FALSE;
  for (guint32 p = 0; p < report->resolved->machine.n_pipelines; p++)
    {
      if (approximation->use[p] <= 0)
        continue;
      if (!stays_below (wp_report_get_taken (report, p), approximation->use[p], saturated))
        return FALSE;
      longer += (WORSE - 1) * get_waited (report, p);
      most = MAX (most, WORSE * get_waited (report, p));
    }
  if (wp_report_get_taken (report, bound) >= saturated)
    return wp_report_get_taken (report, bound) / longer >= saturated;
  return most < get_waited (report, bound);
}

/* Of the warnings only this one is known before a run, and weighed after it. */
static void
check_approximation (const WpReport *report, GPtrArray *warnings)
{
  g_auto (WpApproximation) approximation = { 0 };
  guint32 busiest = wp_report_find_busiest (report), bound = find_most_waited (report);

  if (wp_warnings_get (warnings, "approximated") == NULL || !report->result->complete
      || report->resolved->machine.n_pipelines == 0)
    return;
  if (wp_report_get_taken (report, busiest) >= wp_report_get_saturated (report))
    bound = busiest;
  else if (wp_report_get_issue (report) >= wp_report_get_saturated (report))
    return;
  if (bound == G_MAXUINT32)
    return;
  wp_check_ops_measure_approximation (report->kernel, report->gpu, &approximation);
  if (is_bound_by (report, bound, &approximation))
    wp_warnings_let_pass (warnings, "approximated",
                          "; if they took four times as long, the run would be bound by the same");
}

/* ---- Branches that data decide ---- */

/* Where memory is in use all the time, and what data that nobody gave decide accesses none, memory
 * is so whatever they are: fewer instructions leave it more to do at a time; and as many more, each
 * WORSE times as long as those that there are, keep no other pipeline busy, nor the schedulers. */
static void
check_branches (const WpReport *report, GPtrArray *warnings)
{
  const IdgCounters *counters = report->kernel->counters;
  const guint32 n = report->resolved->machine.n_pipelines;
  const gdouble saturated = wp_report_get_saturated (report);
  const WpGpuPipeline *pipeline;
  guint32 busiest;

  if (wp_warnings_get (warnings, "branches-assumed") == NULL || counters == NULL
      || counters->doubted <= 0 || counters->doubts_accesses || !report->result->complete || n == 0)
    return;
  busiest = wp_report_find_busiest (report);
  pipeline = g_ptr_array_index (report->gpu->pipelines, busiest);
  if (pipeline->kind != WP_KIND_MEMORY || wp_report_get_taken (report, busiest) < saturated
      || wp_report_get_issue (report) * (1 + counters->doubted) >= saturated)
    return;
  for (guint32 p = 0; p < n; p++)
    if (p != busiest
        && wp_report_get_taken (report, p) * (1 + WORSE * counters->doubted) >= saturated)
      return;
  wp_warnings_let_pass (
      warnings, "branches-assumed",
      "; none of them accesses memory, by which the run would be bound either way");
}

/* ---- Atomics that meet ---- */

/* No description says how fast L2 takes atomics on one address. Where one a cycle, WORSE times as
 * long, would be all of the time, the time may well be theirs. */
static void
check_atomics (const WpReport *report, GPtrArray *warnings)
{
  const IdgCounters *counters = report->kernel->counters;
  gdouble cycles, met;

  if (counters == NULL || counters->met == 0 || !report->result->complete)
    return;
  cycles = report->cycles_drained;
  met = (gdouble)counters->met;
  if (WORSE * met > cycles)
    wp_warnings_add (warnings, "atomics-meet", TRUE,
                     "%" G_GUINT64_FORMAT " atomics, each of a thread, go to the same 32 bytes of "
                     "device memory (%s), where one waits for the other, and nothing says how "
                     "long: at one a cycle they would take %.0f%% of the time that is given, which "
                     "is a lower bound",
                     counters->met, counters->met_at, 100 * met / cycles);
}

/* ---- What L1 loses ---- */

/* Whether instructions are issued to pipeline INDEX: it is not just a part of others' path. */
static gboolean
is_issued_to (const WpReport *report, guint32 index)
{
  const WpMachine *machine = &report->resolved->machine;

  for (guint32 i = 0; i < machine->n_instrs; i++)
    if (machine->instrs[i].cost->pipeline == index && report->result->counts[i] > 0)
      return TRUE;
  return FALSE;
}

/* It matters where the run is bound by what lies behind L1, which no instruction is issued to. */
static void
check_lost (const WpReport *report, GPtrArray *warnings)
{
  guint32 bound;

  if (wp_warnings_get (warnings, "l1-order") == NULL || !report->result->complete
      || report->resolved->machine.n_pipelines == 0)
    return;
  bound = wp_report_find_busiest (report);
  if (wp_report_get_taken (report, bound) < wp_report_get_saturated (report))
    bound = find_most_waited (report);
  if (bound == G_MAXUINT32 || is_issued_to (report, bound))
    wp_warnings_remove (warnings, "l1-order");
}

/* ---- All ---- */

typedef void (*Check) (const WpReport *report, GPtrArray *warnings);

static const Check checks[]
    = { check_queues,    check_shares,        check_pins,     check_peak,    check_ran,
        check_constants, check_approximation, check_branches, check_atomics, check_lost };

void
wp_warnings_find_in_run (GPtrArray *warnings, const WpReport *report)
{
  for (guint i = 0; i < G_N_ELEMENTS (checks); i++)
    checks[i](report, warnings);
}
