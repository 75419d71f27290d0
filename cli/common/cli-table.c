/* SPDX-License-Identifier: MIT */
/* All arguments are taken as bytes (G_OPTION_ARG_FILENAME): GLib would refuse those that are not of
 * the locale's character set, in words of its own.
 */
#include "cli/common/cli-table.h"

struct WpOptionTable
{
  GArray *entries; /* of GOptionEntry */
};

WpOptionTable *
wp_option_table_new (void)
{
  WpOptionTable *table = g_new0 (WpOptionTable, 1);

  table->entries = g_array_new (TRUE, FALSE, sizeof (GOptionEntry));
  return table;
}

void
wp_option_table_free (WpOptionTable *table)
{
  g_array_unref (table->entries);
  g_free (table);
}

void
wp_options_add (WpOptionTable *table, const gchar *name, gchar **value, const gchar *text,
                const gchar *argument)
{
  wp_options_add_letter (table, name, 0, value, text, argument);
}

void
wp_options_add_letter (WpOptionTable *table, const gchar *name, gchar letter, gchar **value,
                       const gchar *text, const gchar *argument)
{
  const GOptionEntry entry = { name, letter, 0, G_OPTION_ARG_FILENAME, value, text, argument };

  g_array_append_val (table->entries, entry);
}

void
wp_options_add_list (WpOptionTable *table, const gchar *name, gchar ***values, const gchar *text,
                     const gchar *argument)
{
  const GOptionEntry entry = { name, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, values, text, argument };

  g_array_append_val (table->entries, entry);
}

void
wp_options_add_flag (WpOptionTable *table, const gchar *name, gboolean *flag, const gchar *text)
{
  const GOptionEntry entry = { name, 0, 0, G_OPTION_ARG_NONE, flag, text, NULL };

  g_array_append_val (table->entries, entry);
}

const GOptionEntry *
wp_option_table_get_entries (const WpOptionTable *table)
{
  return (const GOptionEntry *)(gconstpointer)table->entries->data;
}
