/* SPDX-License-Identifier: MIT */
/* The same words for run, bounds, explain and headroom. */
#include "cli/common/cli-launch.h"

#include "cli/common/cli-text.h"

void
wp_print_launch (const WpResolved *resolved)
{
  const IdgLaunch *launch = &resolved->launch;
  guint32 warps = resolved->machine.warps_per_block;

  printf ("%" G_GINT64_FORMAT " block%s of %" G_GINT64_FORMAT " thread%s (%u warp%s)",
          launch->blocks, wp_text_plural (launch->blocks), launch->threads,
          wp_text_plural (launch->threads), warps, wp_text_plural (warps));
  if (launch->registers > 0)
    printf (", %" G_GINT64_FORMAT " register%s a thread", launch->registers,
            wp_text_plural (launch->registers));
  if (launch->shared_memory > 0)
    printf (", %" G_GINT64_FORMAT " byte%s of shared memory", launch->shared_memory,
            wp_text_plural (launch->shared_memory));
}

void
wp_print_simulated (const WpResolved *resolved, const WpResident *resident)
{
  const WpMachine *machine = &resolved->machine;
  gint64 warps = (gint64)machine->resident_blocks * machine->warps_per_block;
  g_autofree gchar *limiters = wp_resident_join_limiters (resident);

  fputs ("\n  launch       ", stdout);
  wp_print_launch (resolved);
  printf ("\n  simulated    %u of %u SM%s%s\n", machine->simulated_sms, machine->n_sms,
          wp_text_plural (machine->n_sms),
          resolved->is_sample ? ", with blocks from all over the launch" : "");
  printf ("  occupancy    %" G_GINT64_FORMAT
          " warp%s on an SM at most (%u block%s; limited by %s)\n",
          warps, wp_text_plural (warps), machine->resident_blocks,
          wp_text_plural (machine->resident_blocks), limiters);
}

gchar *
wp_describe_setting (const WpMachine *machine, const gchar *policy, guint n_seeds)
{
  g_autofree gchar *seed
      = wp_machine_has_mixes (machine) && n_seeds == 1
            ? g_strdup_printf (", mixes with seed %" G_GUINT64_FORMAT, machine->seed)
            : NULL;

  return g_strdup_printf ("policy %s, %s order, %s memory%s", policy,
                          machine->dataflow ? "dataflow" : "program",
                          machine->contended ? "contended" : "ideal", seed != NULL ? seed : "");
}

void
wp_json_launch (WpJson *json, const WpResolved *resolved)
{
  const IdgLaunch *launch = &resolved->launch;

  wp_json_begin (json, "launch", '{');
  wp_json_unsigned (json, "blocks", (guint64)launch->blocks);
  wp_json_unsigned (json, "threads", (guint64)launch->threads);
  wp_json_unsigned (json, "registers", (guint64)launch->registers);
  wp_json_unsigned (json, "shared_memory", (guint64)launch->shared_memory);
  wp_json_end (json, '}');
}

void
wp_json_limiters (WpJson *json, const WpResident *resident)
{
  wp_json_begin (json, "limiters", '[');
  for (guint i = 0; i < resident->limiters->len; i++)
    wp_json_string (json, NULL, g_ptr_array_index (resident->limiters, i));
  wp_json_end (json, ']');
}
