/* SPDX-License-Identifier: MIT */
/* warpipe list: the kernels, GPUs, policies and models that are shipped, and a GPU's ops. */
#include "cli/commands.h"
#include "cli/common/cli-import.h"
#include "cli/list/list-ops.h"
#include "idg/kernel/idg-suggest.h"
#include "models/wp-model.h"
#include "run/base/data.h"
#include "run/base/kernel-names.h"
#include "sim/engine/policy/wp-policy.h"

#include <stdio.h>
#include <string.h>

/* The bytes of a cache in units of 2^SHIFT, with at most one digit after the point; "-" where they
 * are not given. Free with g_free(). */
static gchar *
format_cache (const WpGpu *gpu, guint level, guint shift)
{
  guint64 bytes = gpu->caches[level - 1].bytes;
  gboolean is_whole = bytes % ((guint64)1 << shift) == 0;

  if (bytes == 0)
    return g_strdup ("-");
  return g_strdup_printf (is_whole ? "%.0f" : "%.1f", (gdouble)bytes / (gdouble)(1 << shift));
}

static WpExit
list_gpus (void)
{
  g_auto (GStrv) paths = wp_data_list (WP_DATA_GPUS);

  printf ("%-12s %-12s %4s %4s %9s %11s %10s %10s %7s %7s %4s %6s %6s  %s\n", "name", "generation",
          "year", "SMs", "clock/MHz", "schedulers", "warps/SM", "blocks/SM", "pin GB/s", "ops",
          "cc", "L1 KiB", "L2 MiB", "title");
  for (guint i = 0; paths[i] != NULL; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (WpGpu) gpu = wp_data_load_gpu (paths[i], NULL, NULL, &error);
      g_autofree gchar *l1 = NULL, *l2 = NULL;
      gchar clock[WP_TIME_CHARS], pin[WP_TIME_CHARS];

      if (gpu == NULL)
        return wp_cli_fail (error);
      l1 = format_cache (gpu, 1, 10);
      l2 = format_cache (gpu, 2, 20);
      printf ("%-12s %-12s %4s %4" G_GINT64_FORMAT " %9s %11" G_GINT64_FORMAT " %10" G_GINT64_FORMAT
              " %10" G_GINT64_FORMAT " %7s %7u %4s %6s %6s  %s\n",
              gpu->name, gpu->generation != NULL ? gpu->generation : "-",
              gpu->year != NULL ? gpu->year : "-", gpu->sms,
              wp_cycles_format (gpu->clock_mhz, clock), gpu->schedulers, gpu->limits.warps,
              gpu->limits.blocks,
              gpu->pin_gbs.num == 0 ? "-" : wp_cycles_format (gpu->pin_gbs, pin), gpu->ops->len,
              gpu->cc != NULL ? gpu->cc : "-", l1, l2, gpu->title != NULL ? gpu->title : "");
    }
  return WP_EXIT_DONE;
}

/* Prints the kernel NAME, or the file of that name, under its own name, or as it is called. */
static gboolean
list_kernel (const gchar *name, gboolean as_called, GError **error)
{
  g_autoptr (IdgKernel) kernel = wp_data_load_kernel (name, NULL, error);

  if (kernel == NULL)
    return FALSE;
  printf ("%-28s %s\n", as_called ? name : kernel->name,
          kernel->title != NULL ? kernel->title : "");
  for (guint p = 0; p < kernel->parameters->len; p++)
    {
      const IdgParameter *parameter = g_ptr_array_index (kernel->parameters, p);

      printf ("%-28s   --set %s=%s%s%s\n", "", parameter->name, parameter->value,
              parameter->text != NULL ? "  " : "", parameter->text != NULL ? parameter->text : "");
    }
  return TRUE;
}

static WpExit
list_kernels (void)
{
  g_auto (GStrv) paths = wp_data_list (WP_DATA_KERNELS);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; paths[i] != NULL; i++)
    if (!list_kernel (paths[i], FALSE, &error))
      return wp_cli_fail (error);
  return WP_EXIT_DONE;
}

/* The kernels for studies of scheduling, by the names that commands take. */
static WpExit
list_suite (void)
{
  g_auto (GStrv) suite = wp_data_list_suite ();
  g_autoptr (GError) error = NULL;

  for (guint i = 0; suite[i] != NULL; i++)
    if (!list_kernel (suite[i], TRUE, &error))
      return wp_cli_fail (error);
  return WP_EXIT_DONE;
}

static WpExit
list_policies (void)
{
  const WpPolicy *policy;

  for (gsize i = 0; (policy = wp_policy_get (i)) != NULL; i++)
    printf ("%-10s %s\n", wp_policy_get_name (policy), wp_policy_get_summary (policy));
  return WP_EXIT_DONE;
}

static WpExit
list_models (void)
{
  const WpModel *model;

  for (gsize i = 0; (model = wp_model_get (i)) != NULL; i++)
    printf ("%-18s %s, %u: %s\n", model->name, model->authors, model->year, model->title);
  return WP_EXIT_DONE;
}

static WpExit
list_ops (const gchar *name, WpFormat format)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (WpGpu) gpu = wp_cli_load_gpu (name, &error);

  if (gpu == NULL)
    return wp_cli_fail (error);
  wp_list_ops (gpu, format);
  return WP_EXIT_DONE;
}

/* The command line, as written. */
typedef struct
{
  gchar *gpu, *format;
  gchar **gpu_sets;
  gchar **what;
} Asked;

static void
asked_clear (Asked *asked)
{
  g_free (asked->gpu);
  g_free (asked->format);
  g_strfreev (asked->gpu_sets);
  g_strfreev (asked->what);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Asked, asked_clear)

static WpExit
list_ops_as_asked (const Asked *asked)
{
  WpFormat format;

  if (asked->gpu == NULL)
    return wp_cli_usage (&wp_command_list, "list ops needs --gpu: whose ops");
  if (!wp_cli_parse_format (&wp_command_list, asked->format, &format))
    return WP_EXIT_USAGE;
  return list_ops (asked->gpu, format);
}

#define LISTS "gpus, kernels, suite, policies, models, ops"

static WpExit
list_as_asked (const Asked *asked)
{
  static const struct
  {
    const gchar *name;
    WpExit (*list) (void);
  } lists[] = { { "gpus", list_gpus },
                { "kernels", list_kernels },
                { "suite", list_suite },
                { "policies", list_policies },
                { "models", list_models } };
  g_autofree gchar *meant = NULL;

  if (g_strv_length (asked->what) != 1)
    return wp_cli_usage (&wp_command_list, "expected one of " LISTS);
  if (strcmp (asked->what[0], "ops") == 0)
    return list_ops_as_asked (asked);
  for (gsize i = 0; i < G_N_ELEMENTS (lists); i++)
    if (strcmp (asked->what[0], lists[i].name) == 0)
      {
        if (asked->gpu != NULL || asked->format != NULL)
          return wp_cli_usage (&wp_command_list, "%s is for list ops alone",
                               asked->gpu != NULL ? "--gpu" : "--format");
        return lists[i].list ();
      }
  meant = idg_suggest_end_of (asked->what[0], LISTS);
  return wp_cli_usage (&wp_command_list, "cannot list \"%s\"; expected one of " LISTS "%s",
                       asked->what[0], meant);
}

static WpExit
run_command (gchar **argv, guint64 max_issues)
{
  g_autoptr (WpOptionTable) table = wp_option_table_new ();
  g_auto (Asked) asked = { 0 };
  WpExit status;

  (void)max_issues;
  wp_cli_add_gpu_option (table, &asked.gpu, &asked.gpu_sets);
  wp_options_add (table, "format", &asked.format, "Ops as text (when left out), CSV or JSON",
                  "text|csv|json");
  if (!wp_cli_parse (&wp_command_list, table, argv, &asked.what, &status))
    return status;
  if (!wp_cli_set_gpus (&wp_command_list, &asked.gpu, asked.gpu_sets, FALSE))
    return WP_EXIT_USAGE;
  return list_as_asked (&asked);
}

const WpCommand wp_command_list = {
  .name = "list",
  .arguments = "gpus|kernels|suite|policies|models|ops",
  .summary = "Show what is shipped, or a GPU's ops",
  .details
  = "list suite: kernels for studies of scheduling, with what bounds each on an a100-80; sweep\n"
    "suite takes all of them. list ops --gpu GPU: each op and context with its figures.",
  .run = run_command,
};
