/* SPDX-License-Identifier: MIT */
/* warpipe probe: measures a GPU, of this machine or a simulated one, and writes its description. */
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/common/cli-import.h"
#include "cli/common/cli-options.h"
#include "cli/common/cli-signals.h"
#include "cli/probe/probe-devices.h"
#include "idg/kernel/idg-suggest.h"
#include "probe/describe/wp-probe-describe.h"
#include "probe/fit/wp-probe-fit.h"
#include "probe/simulated/wp-probe-simulated.h"
#include "run/base/memory-limit.h"
#include "run/base/output.h"

/* The command line, and what comes of it. */
typedef struct
{
  gchar *on, *output, *ops, *against;
  gboolean is_quick, compares, lists;
  gboolean is_fitting; /* all was measured */
  gchar **gpu_sets;
  GStrv files, only;
  WpGpu *gpu;   /* the one that is simulated, or NULL */
  WpGpu *other; /* the one that is compared with in its place, or NULL */
  WpProbeDevice *device;
  WpProbe *probe;
  WpSignals signals;
  WpProgressMeter meter;
  guint64 max_issues;
  gint interrupted;
} Asked;

static void
asked_clear (Asked *asked)
{
  g_free (asked->on);
  g_free (asked->output);
  g_free (asked->ops);
  g_free (asked->against);
  g_strfreev (asked->gpu_sets);
  g_strfreev (asked->files);
  g_strfreev (asked->only);
  wp_probe_free (asked->probe);
  wp_probe_device_free (asked->device);
  wp_gpu_free (asked->gpu);
  wp_gpu_free (asked->other);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Asked, asked_clear)

static gboolean
parse (Asked *asked, gchar **argv, WpExit *status)
{
  g_autoptr (WpOptionTable) table = wp_option_table_new ();

  wp_options_add (
      table, "on", &asked->on,
      "The GPU to measure: cuda:0 or opencl:0 of this machine, or a simulated one by its "
      "name or file; without it the first of this machine",
      "GPU");
  wp_options_add_flag (table, "list", &asked->lists, "Print which devices this machine has");
  wp_cli_add_gpu_set_option (table, &asked->gpu_sets);
  wp_options_add_flag (table, "compare", &asked->compares,
                       "Print what came back beside what it was, in the place of the description");
  wp_options_add (table, "against", &asked->against,
                  "With --compare: what it was, the description GPU", "GPU");
  wp_options_add (table, "ops", &asked->ops, "Time these instructions and no others", "OP,...");
  wp_options_add_flag (
      table, "quick", &asked->is_quick,
      "Time fewer pairs of instructions that wait for one another, and search less");
  wp_options_add_letter (table, "output", 'o', &asked->output,
                         "Write to FILE in the place of standard output", "FILE");
  return wp_cli_parse (&wp_command_probe, table, argv, &asked->files, status);
}

/* The names in --ops, into ONLY. */
static gboolean
check_ops (Asked *asked)
{
  g_autofree const gchar **known = wp_probe_list_ops ();

  if (asked->ops == NULL)
    return TRUE;
  asked->only = g_strsplit (asked->ops, ",", -1);
  if (asked->only[0] == NULL)
    {
      wp_cli_usage (&wp_command_probe,
                    "--ops \"\" names no instruction; expected add.f32,ld.global "
                    "or others of doc/probe.md");
      return FALSE;
    }
  for (guint i = 0; asked->only[i] != NULL; i++)
    if (!g_strv_contains (known, asked->only[i]))
      {
        g_autofree gchar *end = idg_suggest_end (asked->only[i], known);

        wp_cli_usage (&wp_command_probe, "--ops: no instruction \"%s\" is timed%s", asked->only[i],
                      end);
        return FALSE;
      }
  return TRUE;
}

/* Whether a device of this machine is asked for. */
static gboolean
is_real (const Asked *asked)
{
  return asked->on == NULL || wp_cli_probe_is_device (asked->on);
}

static gboolean
check (Asked *asked)
{
  if (asked->files[0] != NULL)
    wp_cli_usage (&wp_command_probe, "expected no argument, got \"%s\"; --on names the GPU",
                  asked->files[0]);
  else if (asked->lists
           && (asked->on != NULL || asked->compares || asked->against != NULL || asked->ops != NULL
               || asked->output != NULL || asked->gpu_sets != NULL || asked->is_quick))
    wp_cli_usage (&wp_command_probe, "--list measures nothing; leave out the other options");
  else if (asked->against != NULL && !asked->compares)
    wp_cli_usage (&wp_command_probe, "--against needs --compare");
  else if (is_real (asked) && asked->compares && asked->against == NULL)
    wp_cli_usage (&wp_command_probe, "--compare of a device of this machine needs --against GPU, "
                                     "the description to compare with");
  else if (is_real (asked) && asked->gpu_sets != NULL)
    wp_cli_usage (&wp_command_probe, "--gpu-set is for a GPU that is simulated; --on names it");
  else if (!check_ops (asked))
    return FALSE;
  else
    return is_real (asked)
           || wp_cli_set_gpus (&wp_command_probe, &asked->on, asked->gpu_sets, FALSE);
  return FALSE;
}

/* ---- What is printed ---- */

/* The ops that were timed: their accesses are no ops of their own. */
static guint
count_ops (const WpProbe *probe)
{
  guint n = 0;

  for (guint i = 0; i < probe->ops->len; i++)
    n += wp_probe_get_op (probe, i)->access == NULL;
  return n;
}

/* What came back is compared with it. */
static const WpGpu *
get_compared (const Asked *asked)
{
  return asked->other != NULL ? asked->other : asked->gpu;
}

/* "; 2 fitted (under load 1.1% off at most, without them 20%)" */
static void
add_fitted (GString *text, const WpProbe *probe, guint fitted)
{
  if (fitted == 0)
    return;
  g_string_append_printf (text,
                          "; %u fitted (under load %.1f%% off at most, without channels %.1f%%)",
                          fitted, 100 * probe->channels.off, 100 * probe->channels.plain);
}

static gchar *
make_table (const Asked *asked, const WpProbeComparison *comparison)
{
  GString *text = g_string_new (NULL);
  const guint *counts = comparison->counts;
  guint told = comparison->rows->len - counts[WP_PROBE_UNTOLD] - counts[WP_PROBE_FITTED];

  for (guint i = 0; i < comparison->rows->len; i++)
    {
      const WpProbeRow *row = g_ptr_array_index (comparison->rows, i);

      g_string_append_printf (text, "%-52s %14s %14s  %s\n", row->what, row->was, row->is,
                              wp_probe_verdict_get_name (row->verdict));
    }
  g_string_append_printf (text, "%s: %u figures: %u exact (%.1f%%), %u within 1%%, %u different",
                          asked->probe->device->name, told, counts[WP_PROBE_SAME],
                          100.0 * counts[WP_PROBE_SAME] / MAX (told, 1), counts[WP_PROBE_NEAR],
                          counts[WP_PROBE_OTHER]);
  add_fitted (text, asked->probe, counts[WP_PROBE_FITTED]);
  g_string_append_printf (text,
                          "; %u not told; %u of %u ops timed, %" G_GUINT64_FORMAT " launches\n",
                          counts[WP_PROBE_UNTOLD], count_ops (asked->probe),
                          get_compared (asked)->ops->len, asked->probe->launches);
  return g_string_free (text, FALSE);
}

/* What the description calls the GPU. What was set of one is in braces behind its name, and no part
 * of one; neither is what stands between the parts of a device's. */
static gchar *
make_name (const gchar *device)
{
  gchar *name = g_strdup_printf ("%.*s-probed", (gint)strcspn (device, "{"), device);

  return g_strdelimit (name, ":", '-');
}

/* The description, or the table in its place. Both begin with a description that is read as any
 * other: what would not be valid is never written. */
static gchar *
make_text (const Asked *asked, GError **error)
{
  g_autofree gchar *name = make_name (asked->device->name);
  g_autofree gchar *text = wp_probe_describe (asked->probe, name);
  g_autoptr (WpGpu) is = wp_gpu_parse (text, strlen (text), name, NULL, error);
  g_autoptr (WpProbeComparison) comparison = NULL;

  if (is == NULL || !asked->compares)
    return is != NULL ? g_steal_pointer (&text) : NULL;
  comparison = wp_probe_compare (asked->probe, get_compared (asked), is);
  return make_table (asked, comparison);
}

static gboolean
write_text (const Asked *asked, WpOutput *output, GError **error)
{
  g_autofree gchar *text = make_text (asked, error);

  return text != NULL && wp_output_write (output, text, strlen (text), error)
         && wp_output_finish (output, error);
}

/* ---- The measurement ---- */

static gboolean
goes_on (gpointer data)
{
  Asked *asked = data;
  const WpProgress *progress = &asked->signals.progress;

  if (asked->max_issues > 0 && asked->probe->device->issued >= asked->max_issues)
    asked->interrupted = WP_CANCELLED_LIMIT;
  if (asked->interrupted == 0 && progress->is_cancelled != NULL)
    asked->interrupted = progress->is_cancelled (progress->data);
  return asked->interrupted == 0;
}

static void
report (gpointer data, gdouble share)
{
  Asked *asked = data;
  WpProgressReport done = { .work = asked->is_fitting ? WP_WORK_FIT : WP_WORK_LAUNCHES,
                            .share = share,
                            .done = asked->probe->launches };

  if (wp_progress_meter_is_due (&asked->meter))
    wp_progress_meter_report (&asked->meter, &done);
}

/* All is held against arithmetic: without any nothing can be told. */
static gboolean
check_arithmetic (const Asked *asked, GError **error)
{
  const WpProbe *probe = asked->probe;
  const gchar *name
      = asked->gpu != NULL && asked->gpu->file != NULL ? asked->gpu->file : asked->device->name;

  if (probe->ops->len > 0 && wp_probe_get_op (probe, 0)->family == WP_PROBE_COMPUTE)
    return TRUE;
  if (asked->ops != NULL)
    g_set_error (error, WP_ERROR, WP_ERROR_VALUE,
                 "--ops %s: %s has none of these that is arithmetic, against which the others are "
                 "measured; expected add.f32, mul.f32, add or another of doc/probe.md besides",
                 asked->ops, name);
  else
    g_set_error (error, WP_ERROR, WP_ERROR_VALUE,
                 "%s: has none of the arithmetic ops that are timed; expected add.f32, mul.f32, "
                 "add or another of doc/probe.md",
                 name);
  return FALSE;
}

/* The output is opened first: a measurement may take minutes. */
static gboolean
measure (Asked *asked, GError **error)
{
  WpProbeDevice *device = asked->device;
  g_autoptr (WpOutput) output = NULL;
  gboolean done;

  asked->probe = wp_probe_new (device, asked->is_quick, (const gchar *const *)asked->only);
  if (!check_arithmetic (asked, error))
    return FALSE;
  output = wp_output_open (asked->output != NULL ? asked->output : "-", error);
  if (output == NULL)
    return FALSE;
  device->goes_on = goes_on;
  device->data = asked;
  asked->probe->report = report;
  asked->probe->data = asked;
  wp_progress_meter_init (&asked->meter, &asked->signals.progress);
  done = wp_probe_measure (asked->probe, error);
  asked->is_fitting = done;
  done = done && wp_probe_fit_channels (asked->probe, wp_memory_limit_get_left (0), error);
  wp_progress_meter_clear (&asked->meter);
  return done && write_text (asked, output, error);
}

/* ---- The GPU ---- */

/* Opens the device, and loads what is simulated and what is compared with. */
static gboolean
open_device (Asked *asked, GError **error)
{
  if (asked->against != NULL)
    {
      asked->other = wp_cli_load_gpu (asked->against, error);
      if (asked->other == NULL)
        return FALSE;
    }
  if (is_real (asked))
    {
      asked->device = wp_cli_probe_open (asked->on, error);
      return asked->device != NULL;
    }
  asked->gpu = wp_cli_load_gpu (asked->on, error);
  if (asked->gpu != NULL)
    asked->device = wp_probe_simulated_new (asked->gpu, wp_memory_limit_get_left (0));
  return asked->gpu != NULL;
}

static WpExit
list_devices (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree gchar *list = wp_cli_probe_list (&error);

  if (list == NULL)
    return wp_cli_fail (error);
  fputs (list, stdout);
  return WP_EXIT_DONE;
}

static WpExit
run_command (gchar **argv, guint64 max_issues)
{
  g_auto (Asked) asked = { 0 };
  g_autoptr (GError) error = NULL;
  WpExit status;
  gboolean done;

  asked.max_issues = max_issues;
  if (!parse (&asked, argv, &status))
    return status;
  if (!check (&asked))
    return WP_EXIT_USAGE;
  if (asked.lists)
    return list_devices ();
  if (!open_device (&asked, &error))
    return wp_cli_fail (error);
  wp_signals_hold (&asked.signals);
  done = measure (&asked, &error);
  return wp_signals_release (&asked.signals, done, asked.interrupted, error);
}

const WpCommand wp_command_probe = {
  .name = "probe",
  .arguments = "[--on GPU]",
  .summary = "Measure a GPU by microbenchmarks and write its description",
  .details
  = "GPU is one of this machine (warpipe probe --list), or a file or the name of a shipped\n"
    "description (warpipe list gpus): then it is simulated, and what the measuring program\n"
    "sees of it is times alone. The description is XML, with what was timed in a comment\n"
    "on each figure.",
  .run = run_command,
};
