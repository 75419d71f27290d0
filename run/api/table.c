/* SPDX-License-Identifier: MIT */
/* A row is read back from the line that the command would print, so that no cell can be another
 * than the command's. That costs microseconds where a row takes a simulation.
 */
#include "run/api/table.h"

#include "run/base/csv.h"

#include <math.h>
#include <string.h>

struct WpTableRow
{
  guint64 index, n;
  GPtrArray *columns; /* of gchar, NULL-terminated */
  GPtrArray *cells;   /* of gchar */
  gchar *line;
};

struct WpTable
{
  WpTableRow row; /* the next, or the one that is handed on */
  WpTableFunc func;
  gpointer data;
};

/* The cells of LINE, of gchar. */
static GPtrArray *
split (const gchar *line)
{
  GPtrArray *cells = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GString) cell = g_string_new (NULL);

  while (wp_csv_take_cell (&line, cell))
    g_ptr_array_add (cells, g_strdup (cell->str));
  return cells;
}

WpTable *
wp_table_new (const gchar *header, guint64 n, WpTableFunc func, gpointer data)
{
  WpTable *table = g_new0 (WpTable, 1);

  table->row.n = n;
  table->row.columns = split (header);
  g_ptr_array_add (table->row.columns, NULL);
  table->func = func;
  table->data = data;
  return table;
}

void
wp_table_free (WpTable *table)
{
  g_ptr_array_unref (table->row.columns);
  g_free (table);
}

gboolean
wp_table_put (WpTable *table, const gchar *line)
{
  WpTableRow *row = &table->row;
  gboolean goes_on;

  row->cells = split (line);
  row->line = g_strndup (line, strcspn (line, "\n"));
  goes_on = table->func (row, table->data);
  g_clear_pointer (&row->cells, g_ptr_array_unref);
  g_clear_pointer (&row->line, g_free);
  row->index++;
  return goes_on;
}

guint64
wp_table_row_get_index (const WpTableRow *row, guint64 *n)
{
  g_return_val_if_fail (row != NULL, 0);
  if (n != NULL)
    *n = row->n;
  return row->index;
}

const char *const *
wp_table_row_get_columns (const WpTableRow *row)
{
  g_return_val_if_fail (row != NULL, NULL);
  return (const char *const *)row->columns->pdata;
}

const char *
wp_table_row_get_text (const WpTableRow *row, const char *column)
{
  g_return_val_if_fail (row != NULL && column != NULL, NULL);
  for (guint i = 0; i + 1 < row->columns->len && i < row->cells->len; i++)
    if (strcmp (g_ptr_array_index (row->columns, i), column) == 0)
      return g_ptr_array_index (row->cells, i);
  return NULL;
}

double
wp_table_row_get_number (const WpTableRow *row, const char *column)
{
  const char *text = wp_table_row_get_text (row, column);
  gchar *end = NULL;
  double number = text != NULL ? g_ascii_strtod (text, &end) : NAN;

  return text != NULL && end != text && *end == '\0' ? number : NAN;
}

const char *
wp_table_row_get_line (const WpTableRow *row)
{
  g_return_val_if_fail (row != NULL, NULL);
  return row->line;
}
