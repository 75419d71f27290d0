/* SPDX-License-Identifier: MIT */
/* What would let more blocks in, or leave as many in, in sentences. */
#include "cli/common/cli-text.h"
#include "cli/occupancy/occupancy-print.h"

#include <string.h>

/* "48 warps, 75.0%". */
static void
append_warps (GString *text, const WpOccupancyReport *report, gint64 warps)
{
  g_string_append_printf (text, "%" G_GINT64_FORMAT " warp%s", warps, wp_text_plural (warps));
  if (report->max_warps > 0)
    g_string_append_printf (text, ", %.1f%%", 100 * wp_occupancy_report_get_ratio (report, warps));
}

/* "4 blocks would fit" */
static void
append_fit (GString *text, const WpOccupancyReport *report, const WpOccupancyBetter *better)
{
  if (better->blocks == WP_DOES_NOT_BIND)
    {
      g_string_append (text, "any number of blocks would fit. ");
      return;
    }
  g_string_append_printf (text, "%" G_GINT64_FORMAT " block%s would fit (", better->blocks,
                          wp_text_plural (better->blocks));
  append_warps (text, report, better->warps);
  g_string_append (text, "). ");
}

static void
append_next (GString *text, const WpOccupancyReport *report)
{
  const IdgLaunch *now = &report->launch, *then = &report->next.launch;
  const gchar *with = "With";

  if (then->registers < now->registers)
    {
      g_string_append_printf (
          text, "%s %" G_GINT64_FORMAT " register%s a thread instead of %" G_GINT64_FORMAT, with,
          then->registers, wp_text_plural (then->registers), now->registers);
      with = " and";
    }
  if (then->shared_memory < now->shared_memory)
    g_string_append_printf (
        text,
        "%s %" G_GINT64_FORMAT " byte%s of shared memory a block instead of %" G_GINT64_FORMAT,
        with, then->shared_memory, wp_text_plural (then->shared_memory), now->shared_memory);
  g_string_append (text, ", ");
  append_fit (text, report, &report->next);
}

/* Why no further block fits, however few registers and little shared memory it had. */
static void
append_wall (GString *text, const WpOccupancyReport *report)
{
  const gint64 *by = report->occupancy.by;
  gint64 blocks = report->occupancy.blocks;
  gint64 warps = report->occupancy.warps_per_block;

  if (by[WP_LIMIT_OCCUPANCY] == blocks)
    g_string_append_printf (text,
                            "No more blocks of %" G_GINT64_FORMAT
                            " warp%s fit into the %" G_GINT64_FORMAT " that --occupancy allows. ",
                            warps, wp_text_plural (warps), report->cap);
  else if (by[WP_LIMIT_BLOCKS] == blocks)
    g_string_append_printf (text, "An SM holds no more than %" G_GINT64_FORMAT " block%s. ", blocks,
                            wp_text_plural (blocks));
  else if (by[WP_LIMIT_WARPS] == blocks || by[WP_LIMIT_THREADS] == blocks)
    g_string_append_printf (text,
                            "No more blocks of %" G_GINT64_FORMAT
                            " warp%s fit into the %" G_GINT64_FORMAT " that an SM holds. ",
                            warps, wp_text_plural (warps), report->max_warps);
}

/* "With 96 threads a block (3 warps), and all else as it is, 16 blocks would fit (48
 * warps, 75.0%)." */
static void
append_threads (GString *text, const WpOccupancyReport *report, const WpOccupancyBetter *better)
{
  gint64 warps = wp_occupancy_get_need (report->gpu, &better->launch, WP_LIMIT_WARPS);

  if (!better->exists)
    return;
  g_string_append_printf (text,
                          "With %" G_GINT64_FORMAT " threads a block (%" G_GINT64_FORMAT
                          " warp%s), and all else as it is, ",
                          better->launch.threads, warps, wp_text_plural (warps));
  append_fit (text, report, better);
}

/* How many registers and how much shared memory fit without losing a block, as far as the GPU
 * limits them. */
static void
append_room (GString *text, const WpOccupancyReport *report)
{
  const WpGpuLimits *limits = &report->gpu->limits;
  const IdgLaunch *now = &report->launch, *room = &report->room.launch;
  gboolean limited[] = { limits->registers != 0 || limits->registers_per_thread != 0,
                         limits->shared_memory != 0 || limits->shared_memory_per_block != 0 };
  gboolean registers = limited[0] && room->registers > now->registers;
  gboolean shared_memory = limited[1] && room->shared_memory > now->shared_memory;

  if (!limited[0] && !limited[1])
    return;
  if (!registers && !shared_memory)
    {
      g_string_append (
          text, "With a register or a byte of shared memory more, fewer blocks fit, if any. ");
      return;
    }
  g_string_append (text, "As many blocks fit with up to ");
  if (registers)
    g_string_append_printf (text, "%" G_GINT64_FORMAT " register%s a thread", room->registers,
                            wp_text_plural (room->registers));
  if (shared_memory)
    g_string_append_printf (text, "%s%" G_GINT64_FORMAT " byte%s of shared memory a block",
                            registers ? " and " : "", room->shared_memory,
                            wp_text_plural (room->shared_memory));
  g_string_append (text, ". ");
}

gchar *
wp_occupancy_report_get_advice (const WpOccupancyReport *report)
{
  GString *text = g_string_new (NULL);

  if (report->occupancy.blocks == WP_DOES_NOT_BIND)
    g_string_append (text, "Nothing limits it: all blocks of a launch would be resident. ");
  else if (report->warps == report->max_warps)
    g_string_append_printf (text,
                            "All %" G_GINT64_FORMAT
                            " warps that an SM holds are resident: there is no more to gain. ",
                            report->warps);
  else if (report->next.exists)
    append_next (text, report);
  else
    append_wall (text, report);
  append_threads (text, report, &report->smaller);
  append_threads (text, report, &report->larger);
  append_room (text, report);
  g_strchomp (text->str);
  return g_string_free (text, FALSE);
}
