/* SPDX-License-Identifier: MIT */
/* run/base/lists.h reads lists; what it finds wrong is said here, behind the option's name. */
#include "cli/common/cli-ranges.h"

#include "idg/kernel/idg-kernel.h"
#include "run/base/lists.h"

#include <string.h>

/* Says what is wrong with the value of OPTION, unless nothing is. */
static void
say (const WpCommand *command, const gchar *option, const GError *error)
{
  if (error != NULL)
    wp_cli_usage (command, "--%s %s", option, error->message);
}

GStrv
wp_cli_parse_words (const WpCommand *command, const gchar *option, const gchar *value)
{
  g_autoptr (GError) error = NULL;
  GStrv words = wp_list_parse_words (value, &error);

  say (command, option, error);
  return words;
}

GArray *
wp_cli_parse_ranges (const WpCommand *command, const gchar *option, const gchar *value, guint64 min,
                     guint64 max)
{
  g_autoptr (GError) error = NULL;
  GArray *ranges = wp_list_parse_numbers (value, min, max, &error);
  guint64 twice;

  say (command, option, error);
  if (ranges == NULL || !wp_list_find_number_twice (ranges, &twice))
    return ranges;
  wp_cli_usage (command, "--%s gives \"%" G_GUINT64_FORMAT "\" twice", option, twice);
  g_array_unref (ranges);
  return NULL;
}

GArray *
wp_cli_parse_set (const WpCommand *command, const gchar *option, const gchar *value, guint64 min,
                  guint64 max)
{
  g_autoptr (GError) error = NULL;
  GArray *ranges = wp_list_parse_numbers (value, min, max, &error);

  say (command, option, error);
  return ranges;
}

GArray *
wp_cli_parse_addresses (const WpCommand *command, const gchar *option, const gchar *value)
{
  g_autoptr (GError) error = NULL;
  GArray *ranges = wp_list_parse_addresses (value, &error);

  say (command, option, error);
  return ranges;
}

GArray *
wp_cli_parse_dims_list (const WpCommand *command, const gchar *option, const gchar *value,
                        WpDimsKind kind)
{
  g_autoptr (GError) error = NULL;
  GArray *ranges = wp_dims_parse_list (value, kind, &error);

  say (command, option, error);
  return ranges;
}

GArray *
wp_cli_parse_blocks_list (const WpCommand *command, const gchar *blocks, const gchar *grid)
{
  g_autoptr (GArray) counts = NULL;
  g_autoptr (GArray) grids = NULL;

  if (blocks != NULL && strchr (blocks, 'x') != NULL)
    {
      wp_cli_usage (command, "--blocks \"%s\": expected counts; write --grid %s", blocks, blocks);
      return NULL;
    }
  if (blocks != NULL)
    counts = wp_cli_parse_ranges (command, "blocks", blocks, 1, IDG_MAX_BLOCKS);
  if (grid == NULL || (blocks != NULL && counts == NULL))
    return g_steal_pointer (&counts);
  grids = wp_cli_parse_dims_list (command, "grid", grid, WP_DIMS_GRID);
  if (grids == NULL || counts == NULL || wp_ranges_are_alike (counts, grids))
    return g_steal_pointer (&grids);
  wp_cli_usage (command, "--blocks %s and --grid %s differ; expected one of the two options",
                blocks, grid);
  return NULL;
}
