/* SPDX-License-Identifier: MIT */
/* Read from the rows' text, as there is nothing else of the rows of a table that is resumed. */
#include "run/sweep/sweep-warnings.h"

#include "run/base/csv.h"

#include <string.h>

typedef struct
{
  gchar *name;
  guint64 n_rows;
} Count;

struct WpSweepWarnings
{
  gint column;
  guint64 n_rows;
  GPtrArray *counts; /* of Count */
};

static void
count_free (gpointer data)
{
  Count *count = data;

  g_free (count->name);
  g_free (count);
}

WpSweepWarnings *
wp_sweep_warnings_new (const gchar *header)
{
  WpSweepWarnings *warnings = g_new0 (WpSweepWarnings, 1);

  warnings->column = wp_csv_find_column (header, "warnings");
  warnings->counts = g_ptr_array_new_with_free_func (count_free);
  return warnings;
}

void
wp_sweep_warnings_free (WpSweepWarnings *warnings)
{
  g_ptr_array_unref (warnings->counts);
  g_free (warnings);
}

static void
take_name (WpSweepWarnings *warnings, const gchar *name)
{
  Count *count = g_new0 (Count, 1);

  for (guint i = 0; i < warnings->counts->len; i++)
    {
      Count *known = g_ptr_array_index (warnings->counts, i);

      if (strcmp (known->name, name) == 0)
        {
          known->n_rows++;
          g_free (count);
          return;
        }
    }
  *count = (Count){ g_strdup (name), 1 };
  g_ptr_array_add (warnings->counts, count);
}

void
wp_sweep_warnings_take (WpSweepWarnings *warnings, const gchar *line)
{
  g_autoptr (GString) cell = g_string_new (NULL);
  g_auto (GStrv) names = NULL;
  gint column = 0;

  while (wp_csv_take_cell (&line, cell) && column < warnings->column)
    column++;
  warnings->n_rows++;
  names = g_strsplit (cell->str, " ", -1);
  for (guint i = 0; column == warnings->column && names[i] != NULL; i++)
    if (*names[i] != '\0')
      take_name (warnings, names[i]);
}

void
wp_sweep_warnings_tell (const WpSweepWarnings *warnings, WpNoteFunc say, gpointer data)
{
  for (guint i = 0; i < warnings->counts->len; i++)
    {
      const Count *count = g_ptr_array_index (warnings->counts, i);
      g_autofree gchar *text = g_strdup_printf ("%s: %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
                                                " rows; warpipe run says more of each",
                                                count->name, count->n_rows, warnings->n_rows);

      say (data, text);
    }
}
