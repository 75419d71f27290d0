/* SPDX-License-Identifier: MIT */
/* A unit that is busy all the time limits the run, on all SMs or on those with the most blocks, for
 * which the others wait; else it is what the warps spend most of their lives on. */
#include "run/simulate/verdict.h"

#include "run/simulate/block-work.h"
#include "run/simulate/greedy.h"
#include "run/simulate/warnings.h"

#include <string.h>

#define NEARLY 0.7 /* of the time: a pipeline in use so much will soon be the limit */

static WpVerdict *
make_verdict (gchar *text, const gchar *kind, const gchar *resource)
{
  WpVerdict *verdict = g_new (WpVerdict, 1);

  *verdict = (WpVerdict){ text, kind, resource };
  return verdict;
}

void
wp_verdict_free (WpVerdict *verdict)
{
  if (verdict == NULL)
    return;
  g_free (verdict->text);
  g_free (verdict);
}

/* ---- What is most ---- */

static guint32
find_most_waited (const WpReport *report)
{
  guint32 best = 0;

  for (guint32 i = 1; i < report->resolved->machine.n_pipelines; i++)
    if (wp_sum_compare (report->pipelines[i].waited, report->pipelines[best].waited) > 0)
      best = i;
  return best;
}

/* Returns a share of PERCENT as a text. What is less than the limit of a verdict does not look as
 * if it had reached it: 89.7% is not 90%. Free with g_free(). */
static gchar *
format_use (const WpReport *report, gdouble percent)
{
  const gdouble limit = 100 * wp_report_get_saturated (report);

  if (percent >= limit || percent < limit - 0.5)
    return g_strdup_printf ("%.0f%%", percent);
  if (percent < limit - 0.05)
    return g_strdup_printf ("%.1f%%", percent);
  return g_strdup_printf ("nearly %.0f%%", limit);
}

/* "87% of the time", and where a pipeline turns between reads and writes for long enough to be
 * seen, "87% of the time, and turns between reads and writes for 12% of it". Free with g_free(). */
static gchar *
format_time (const WpReport *report, guint32 pipeline)
{
  const gdouble turning = 100 * report->pipelines[pipeline].turning;
  g_autofree gchar *use = format_use (report, wp_report_get_use (report, pipeline));

  if (turning < 0.5)
    return g_strdup_printf ("%s of the time", use);
  return g_strdup_printf ("%s of the time, and turns between reads and writes for %.0f%% of it",
                          use, turning);
}

static WpStall
find_longest_stall (const WpResult *result)
{
  WpStall longest = WP_STALL_BARRIER;

  for (guint i = 0; i < WP_N_STALLS; i++)
    if (wp_sum_compare (result->stalls[i], result->stalls[longest]) > 0)
      longest = (WpStall)i;
  return longest;
}

/* What pipeline NAME is, behind its name, where that alone does not say it. */
static const gchar *
explain_pipeline (const WpReport *report, const gchar *name)
{
  const WpGpuOp *fetch = wp_gpu_get_op (report->gpu, WP_FETCH_OP);
  const WpGpuPipeline *pipeline
      = fetch ? g_ptr_array_index (report->gpu->pipelines, fetch->pipeline) : NULL;

  return pipeline && strcmp (name, pipeline->name) == 0
             ? " (of code that does not fit the instruction cache)"
             : "";
}

/* ---- Where nothing is busy all the time ---- */

/* What the warps spend most of their lives on; its text is a clause. */
static WpVerdict *
describe_wait (const WpReport *report)
{
  const WpSum *stalls = report->result->stalls;
  const WpReportPipeline *waited = &report->pipelines[find_most_waited (report)];
  const WpStall longest = find_longest_stall (report->result);
  const gdouble percent = 100 * wp_report_get_share (report, stalls[longest]);

  switch (longest)
    {
    case WP_STALL_DEPENDENCY:
      return make_verdict (
          g_strdup_printf ("warps spend %.0f%% of their lives waiting for results of %s%s",
                           100 * wp_report_get_share (report, waited->waited), waited->name,
                           explain_pipeline (report, waited->name)),
          "latency", waited->name);
    case WP_STALL_BARRIER:
      return make_verdict (
          g_strdup_printf ("warps spend %.0f%% of their lives waiting at barriers", percent),
          "barrier", "");
    case WP_STALL_ILP:
      return make_verdict (
          g_strdup_printf (
              "warps spend %.0f%% of their lives between issues of their own (ILP latency)",
              percent),
          "ilp", "");
    case WP_STALL_DRAIN:
      return make_verdict (
          g_strdup_printf ("warps spend %.0f%% of their lives waiting for their last results",
                           percent),
          "drain", "");
    default:
      return make_verdict (
          g_strdup_printf (
              "warps wait in turn (%.0f%% of their lives) for units that are not busy all the time",
              100
                  * (wp_report_get_share (report, stalls[WP_STALL_PIPELINE])
                     + wp_report_get_share (report, stalls[WP_STALL_NOT_SELECTED]))),
          "turns", "");
    }
}

/* What a person should know before believing that latency is not hidden. */
static const gchar *
get_reservation (const WpReport *report)
{
  if (report->kernel->unscheduled && !report->resolved->machine.dataflow)
    return " The instructions are in PTX's order; the assembler moves loads ahead of what waits "
           "for them: --order dataflow says how much that can gain.";
  return "";
}

/* "More warps at a time (now at most 32, limited by registers; more with fewer registers a thread
 * than 63)"; NULL where no more fit. Free with g_free(). */
static gchar *
describe_more (const WpReport *report)
{
  const WpMachine *machine = &report->resolved->machine;
  g_autofree gchar *limiters = wp_resident_join_limiters (&report->resident);
  g_autofree gchar *more
      = wp_resident_describe_more (&report->resident, report->resolved, report->gpu);

  if (more == NULL)
    return NULL;
  return g_strdup_printf (
      "More warps at a time (now at most %" G_GINT64_FORMAT ", limited by %s; more with %s)",
      (gint64)machine->resident_blocks * machine->warps_per_block, limiters, more);
}

/* Whether a wait called KIND (describe_wait()) is for the results of pipeline INDEX, and twice as
 * long as these take once they are begun: then most of it is waiting for one another. */
static gboolean
is_queued_for (const WpReport *report, const gchar *kind, guint32 index)
{
  const WpMachine *machine = &report->resolved->machine;
  gdouble alone = 0;

  if (strcmp (kind, "latency") != 0 || find_most_waited (report) != index)
    return FALSE;
  for (guint32 i = 0; i < machine->n_instrs; i++)
    if (machine->instrs[i].cost->pipeline == index && !machine->instrs[i].cost->posted)
      alone += (gdouble)report->result->counts[i] * (gdouble)machine->instrs[i].cost->completion;
  return alone > 0 && wp_sum_to_double (report->pipelines[index].waited) > 2 * alone;
}

/* What a GPU may do otherwise: its schedulers are not fair. */
static const gchar *
get_policy_hint (const WpReport *report)
{
  return wp_greedy_is_worth_a_word (report->resolved, report->policy)
             ? " Round robin keeps warps together; a GPU may let some run ahead: "
               "--policy " WP_GREEDY_POLICY " tells how much that gains."
             : "";
}

/* What would help against the wait called KIND (describe_wait()), where pipeline BUSIEST is the
 * busiest, and QUEUED whether that is_queued_for(); more warps only where more fit. */
static gchar *
describe_ways (const WpReport *report, const gchar *kind, guint32 busiest, gboolean queued)
{
  g_autofree gchar *more = describe_more (report);

  if (queued)
    return g_strdup_printf ("Most of that is waiting for one another: warps come to %s together, "
                            "and leave it idle together. Less use of %s by each warp would help "
                            "most.%s",
                            report->pipelines[busiest].name, report->pipelines[busiest].name,
                            get_policy_hint (report));
  if (strcmp (kind, "turns") == 0)
    return g_strdup_printf ("Less use of %s by each warp would help most, and units that are asked "
                            "for more evenly.%s",
                            report->pipelines[busiest].name, get_policy_hint (report));
  if (strcmp (kind, "barrier") == 0)
    return g_strdup_printf ("Fewer barriers, smaller blocks, or work shared more evenly between "
                            "barriers would shorten the wait%s.",
                            more != NULL ? ", and more blocks on an SM would hide it" : "");
  if (more == NULL)
    return g_strdup_printf (
        "All warps that fit on an SM (%u) may be resident: only more independent instructions in "
        "each would hide more.",
        report->resolved->machine.resident_blocks * report->resolved->machine.warps_per_block);
  return g_strdup_printf ("%s%s would hide more.", more,
                          strcmp (kind, "ilp") == 0 ? ""
                                                    : " or more independent instructions in each");
}

/* Where pipeline BUSIEST is in use so much that there is little more to hide behind it: that. Free
 * with g_free(). */
static gchar *
describe_use (const WpReport *report, guint32 busiest)
{
  if (wp_report_get_taken (report, busiest) < NEARLY)
    return g_strdup ("");
  return g_strdup_printf (" Less use of %s by each warp would help, too.",
                          report->pipelines[busiest].name);
}

#define UNEVEN 0.5 /* of the time: warps that live less of it on average wait for few others */

/* Where all warps begin at once, and few of them decide how long the run takes: that. Free with
 * g_free(). */
static gchar *
describe_longest (const WpReport *report)
{
  const WpMachine *machine = &report->resolved->machine;
  gdouble part = report->cycles > 0 ? report->mean_warp_latency / report->cycles : 1;

  if (machine->n_blocks > (guint64)machine->resident_blocks * machine->simulated_sms
      || part >= UNEVEN)
    return g_strdup ("");
  return g_strdup_printf (" All warps begin at once and live %.0f%% of the time on average: the "
                          "longest decide it, and work that is shared more evenly takes less.",
                          100 * part);
}

static WpVerdict *
get_latency_verdict (const WpReport *report, guint32 busiest)
{
  WpVerdict *verdict = describe_wait (report);
  g_autofree gchar *wait = verdict->text;
  gboolean queued = is_queued_for (report, verdict->kind, busiest);
  g_autofree gchar *what = describe_ways (report, verdict->kind, busiest, queued);
  g_autofree gchar *share = format_time (report, busiest);
  gboolean turns = strcmp (verdict->kind, "turns") == 0;
  g_autofree gchar *use = turns || queued ? g_strdup ("") : describe_use (report, busiest);
  g_autofree gchar *longest = describe_longest (report);

  verdict->text = g_strdup_printf ("%s: %s, while the busiest pipeline (%s) is in use %s. %s%s%s%s",
                                   turns ? "Bound by several units in turn" : "Latency-bound", wait,
                                   report->pipelines[busiest].name, share, what, use, longest,
                                   get_reservation (report));
  if (turns)
    verdict->resource = report->pipelines[busiest].name;
  return verdict;
}

/* ---- Where something is ---- */

/* How blocks of GRID on SMS SMs would be shared more evenly, of which one has MOST. Free with
 * g_free(). */
static gchar *
describe_sharing (gint64 grid, gint64 sms, gint64 most)
{
  if (most > (grid + sms - 1) / sms)
    return g_strdup ("The blocks of an SM end together here, and the first SMs to end theirs take "
                     "what is left; a GPU may share it more evenly. --policy " WP_GREEDY_POLICY
                     " lets blocks end one by one.");
  return g_strdup_printf (
      "A grid of a multiple of %" G_GINT64_FORMAT " blocks, more blocks that are smaller, or as "
      "many as are resident that take turns at the work (a persistent grid) would share it so.",
      sms);
}

/* Where a unit is in use all the time, and what that costs; MEAN is its use over all SMs. Free with
 * g_free(). */
static gchar *
describe_fullest (const WpReport *report, gdouble mean)
{
  const WpMachine *machine = &report->resolved->machine;
  const gint64 sms = (gint64)machine->n_sms, blocks = report->resolved->launch.blocks;
  const gint64 most = (gint64)wp_block_work_get_most_blocks (machine, report->result);
  const gdouble each = (gdouble)blocks / (gdouble)sms;
  g_autofree gchar *sharing = describe_sharing (blocks, sms, most);

  return g_strdup_printf (
      "on the SMs with the most blocks (%" G_GINT64_FORMAT "; %" G_GINT64_FORMAT " blocks on "
      "%" G_GINT64_FORMAT " SMs are %.3g on average), and %.0f%% over all that are simulated. The "
      "others wait for those: the same work shared evenly would take up to %.0f%% less time. %s",
      most, blocks, sms, each, 100 * mean, 100 * (1 - each / (gdouble)most), sharing);
}

static WpVerdict *
get_throughput_verdict (const WpReport *report, guint32 busiest)
{
  const WpReportPipeline *pipeline = &report->pipelines[busiest];
  const gchar *what = explain_pipeline (report, pipeline->name);
  const gdouble mean = MIN (pipeline->utilization + pipeline->turning, 1);
  g_autofree gchar *time = NULL, *uneven = NULL;
  gchar *text;

  if (mean >= wp_report_get_saturated (report))
    {
      time = format_time (report, busiest);
      text = g_strdup_printf ("Throughput-bound: pipeline %s%s is in use %s. Latency is hidden; "
                              "more warps would change little.",
                              pipeline->name, what, time);
    }
  else
    {
      uneven = describe_fullest (report, mean);
      text = g_strdup_printf ("Throughput-bound: pipeline %s%s is in use %.0f%% of the time %s",
                              pipeline->name, what, 100 * wp_report_get_taken (report, busiest),
                              uneven);
    }
  return make_verdict (text, "throughput", pipeline->name);
}

static WpVerdict *
get_issue_verdict (const WpReport *report)
{
  g_autofree gchar *uneven = NULL;

  if (report->scheduler_utilization >= wp_report_get_saturated (report))
    return make_verdict (
        g_strdup_printf ("Issue-bound: the schedulers' issue slots are taken %.0f%% of the time. "
                         "Latency is hidden; more warps would change little.",
                         100 * report->scheduler_utilization),
        "issue", "");
  uneven = describe_fullest (report, report->scheduler_utilization);
  return make_verdict (
      g_strdup_printf ("Issue-bound: the schedulers' issue slots are taken %.0f%% of the time %s",
                       100 * wp_report_get_issue (report), uneven),
      "issue", "");
}

WpVerdict *
wp_report_get_verdict (const WpReport *report)
{
  guint32 busiest = wp_report_find_busiest (report);
  gchar *none = wp_warnings_get_no_verdict (report->warnings);

  if (none != NULL)
    return make_verdict (none, "none", "");
  if (report->result->warps == 0)
    return make_verdict (g_strdup ("No warp has ended yet: there is nothing to judge by."), "empty",
                         "");
  if (report->result->issued == 0)
    return make_verdict (g_strdup ("Nothing was issued: the warps have no instructions."), "empty",
                         "");
  if (report->resolved->machine.n_pipelines > 0
      && wp_report_get_taken (report, busiest) >= wp_report_get_saturated (report))
    return get_throughput_verdict (report, busiest);
  if (wp_report_get_issue (report) >= wp_report_get_saturated (report))
    return get_issue_verdict (report);
  return get_latency_verdict (report, busiest);
}
