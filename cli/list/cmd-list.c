/* SPDX-License-Identifier: MIT */
/* warpipe list: the kernels, GPUs, policies and models that are shipped. */
#include "cli/commands.h"
#include "models/wp-model.h"
#include "run/base/data.h"
#include "sim/engine/policy/wp-policy.h"

#include <stdio.h>
#include <string.h>

static WpExit
list_gpus (void)
{
  g_auto (GStrv) paths = wp_data_list (WP_DATA_GPUS);

  printf ("%-12s %-12s %4s %4s %9s %11s %10s %10s %7s %7s  %s\n", "name", "generation", "year",
          "SMs", "clock/MHz", "schedulers", "warps/SM", "blocks/SM", "pin GB/s", "ops", "title");
  for (guint i = 0; paths[i] != NULL; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (WpGpu) gpu = wp_data_load_gpu (paths[i], NULL, NULL, &error);
      gchar clock[WP_TIME_CHARS], pin[WP_TIME_CHARS];

      if (gpu == NULL)
        return wp_cli_fail (error);
      printf ("%-12s %-12s %4s %4" G_GINT64_FORMAT " %9s %11" G_GINT64_FORMAT " %10" G_GINT64_FORMAT
              " %10" G_GINT64_FORMAT " %7s %7u  %s\n",
              gpu->name, gpu->generation != NULL ? gpu->generation : "-",
              gpu->year != NULL ? gpu->year : "-", gpu->sms,
              wp_cycles_format (gpu->clock_mhz, clock), gpu->schedulers, gpu->limits.warps,
              gpu->limits.blocks,
              gpu->pin_gbs.num == 0 ? "-" : wp_cycles_format (gpu->pin_gbs, pin), gpu->ops->len,
              gpu->title != NULL ? gpu->title : "");
    }
  return WP_EXIT_DONE;
}

static WpExit
list_kernels (void)
{
  g_auto (GStrv) paths = wp_data_list (WP_DATA_KERNELS);

  for (guint i = 0; paths[i] != NULL; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (IdgKernel) kernel = wp_data_load_kernel (paths[i], NULL, &error);

      if (kernel == NULL)
        return wp_cli_fail (error);
      printf ("%-28s %s\n", kernel->name, kernel->title != NULL ? kernel->title : "");
      for (guint p = 0; p < kernel->parameters->len; p++)
        {
          const IdgParameter *parameter = g_ptr_array_index (kernel->parameters, p);

          printf ("%-28s   --set %s=%s%s%s\n", "", parameter->name, parameter->value,
                  parameter->text != NULL ? "  " : "",
                  parameter->text != NULL ? parameter->text : "");
        }
    }
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
run_command (gchar **argv, guint64 max_issues)
{
  g_autoptr (WpOptionTable) table = wp_option_table_new (); /* no options but --help */
  const struct
  {
    const gchar *name;
    WpExit (*list) (void);
  } lists[] = { { "gpus", list_gpus },
                { "kernels", list_kernels },
                { "policies", list_policies },
                { "models", list_models } };
  g_auto (GStrv) what = NULL;
  WpExit status;

  (void)max_issues;
  if (!wp_cli_parse (&wp_command_list, table, argv, &what, &status))
    return status;
  if (g_strv_length (what) != 1)
    return wp_cli_usage (&wp_command_list, "expected one of gpus, kernels, policies, models");
  for (gsize i = 0; i < G_N_ELEMENTS (lists); i++)
    if (strcmp (what[0], lists[i].name) == 0)
      return lists[i].list ();
  return wp_cli_usage (&wp_command_list,
                       "cannot list \"%s\"; expected one of gpus, kernels, policies, models",
                       what[0]);
}

const WpCommand wp_command_list = {
  .name = "list",
  .arguments = "gpus|kernels|policies|models",
  .summary = "Show what is shipped",
  .details = NULL,
  .run = run_command,
};
