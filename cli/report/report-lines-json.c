/* SPDX-License-Identifier: MIT */
/* by_line[] of FORMATS.md. */
#include "cli/report/report-lines.h"

static void
write_stalls (WpJson *json, const WpReport *report, const WpLine *line)
{
  const WpSum none = { 0, 0 };
  gchar text[WP_TIME_CHARS];

  wp_json_begin (json, "stalls", '{');
  for (WpCause cause = 0; cause < WP_N_CAUSES; cause++)
    if (cause != WP_CAUSE_NO_INSTRUCTION || wp_sum_compare (line->stalls[cause], none) != 0)
      wp_json_literal (
          json, wp_cause_get_name (cause),
          wp_sum_format (line->stalls[cause], report->resolved->machine.ticks_per_cycle, text));
  wp_json_end (json, '}');
}

static void
write_pipelines (WpJson *json, const WpReport *report, const WpLine *line)
{
  wp_json_begin (json, "pipelines", '{');
  for (guint32 p = 0; p < report->resolved->machine.n_pipelines; p++)
    if (line->use[p] > 0)
      wp_json_ratio (json, report->resolved->machine.pipelines[p].name, line->use[p]);
  wp_json_end (json, '}');
}

static void
write_accesses (WpJson *json, const IdgLineAccesses *accesses)
{
  wp_json_unsigned (json, "accesses", accesses->accesses);
  wp_json_unsigned (json, "sectors", accesses->sectors);
  wp_json_unsigned (json, "l1_missed_sectors", accesses->l1_sectors);
  wp_json_unsigned (json, "l2_missed_sectors", accesses->l2_sectors);
  wp_json_unsigned (json, "shared_accesses", accesses->shared);
  wp_json_unsigned (json, "conflicts", accesses->conflicts);
}

void
wp_json_counters (WpJson *json, const WpReport *report)
{
  const IdgCounters *counters = report->kernel->counters;

  if (!counters)
    return;
  wp_json_begin (json, "counters", '{');
  wp_json_unsigned (json, "warp_instructions", counters->warp_instructions);
  wp_json_unsigned (json, "thread_instructions", counters->thread_instructions);
  wp_json_ratio (json, "lanes_active", idg_counters_get_lanes (counters));
  wp_json_unsigned (json, "shared_load_wavefronts", counters->shared_load_wavefronts);
  wp_json_unsigned (json, "shared_store_wavefronts", counters->shared_store_wavefronts);
  wp_json_unsigned (json, "global_loads", counters->global_loads);
  wp_json_unsigned (json, "global_stores", counters->global_stores);
  wp_json_unsigned (json, "local_loads", counters->local_loads);
  wp_json_unsigned (json, "local_stores", counters->local_stores);
  wp_json_unsigned (json, "global_load_sectors", counters->global_load_sectors);
  wp_json_unsigned (json, "local_load_sectors", counters->local_load_sectors);
  wp_json_unsigned (json, "l2_read_sectors", counters->l2_read_sectors);
  wp_json_unsigned (json, "l2_write_sectors", counters->l2_write_sectors);
  wp_json_unsigned (json, "memory_read_sectors", counters->memory_read_sectors);
  wp_json_unsigned (json, "memory_write_sectors", counters->memory_write_sectors);
  wp_json_end (json, '}');
}

void
wp_json_by_line (WpJson *json, const WpReport *report)
{
  const WpByLine *all = report->by_line;

  if (!all)
    return;
  wp_json_begin (json, "by_line", '[');
  for (guint i = 0; i < all->n; i++)
    {
      const WpLine *line = &all->lines[i];

      wp_json_begin_line (json, NULL, '{');
      wp_json_string (json, "file", line->file);
      wp_json_unsigned (json, "line", line->line);
      if (line->source)
        wp_json_string (json, "source", line->source);
      wp_json_unsigned (json, "instructions", line->instructions);
      wp_json_unsigned (json, "slots", line->slots);
      write_pipelines (json, report, line);
      write_stalls (json, report, line);
      if (report->kernel->accesses)
        write_accesses (json, &line->accesses);
      wp_json_end (json, '}');
    }
  wp_json_end (json, ']');
}
