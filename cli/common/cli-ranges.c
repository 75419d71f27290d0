/* SPDX-License-Identifier: MIT */
/* run/base/lists.h reads lists; what it finds wrong is said here, behind the option's name. */
#include "cli/common/cli-ranges.h"

#include "run/base/lists.h"

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
