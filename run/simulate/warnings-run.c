/* SPDX-License-Identifier: MIT */
/* What a run came to and cannot be right. A check appends at most one warning of its name. */
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

/* ---- All ---- */

typedef void (*Check) (const WpReport *report, GPtrArray *warnings);

static const Check checks[] = { check_queues, check_pins, check_peak, check_ran, check_constants };

void
wp_warnings_find_in_run (GPtrArray *warnings, const WpReport *report)
{
  for (guint i = 0; i < G_N_ELEMENTS (checks); i++)
    checks[i](report, warnings);
}
