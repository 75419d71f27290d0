/* SPDX-License-Identifier: MIT */
/* The rows of a timeline and their labels, for the drawing of characters and for the picture. */
#include "traces/draw/wp-timeline.h"

#include <string.h>

/* Gives each pipeline a letter for its issues: the first free letter of its name, else any free
 * one. */
gchar *
wp_timeline_choose_letters (const WpMachine *machine)
{
  gchar *letters = g_malloc0 (machine->n_pipelines + 2);

  letters[machine->n_pipelines + 1] = 'B';
  for (guint32 i = 0; i < machine->n_pipelines; i++)
    {
      g_autofree gchar *name = g_ascii_strup (machine->pipelines[i].name, -1);
      g_autofree gchar *tries = g_strconcat (name, "ACDEFGHIJKLMNOPQRSTUVWXYZ", NULL);
      const gchar *at = tries;

      while (*at != '\0'
             && (!g_ascii_isupper (*at)
                 || memchr (letters + 1, *at, machine->n_pipelines + 1) != NULL))
        at++;
      letters[i + 1] = *at != '\0' ? *at : '?';
    }
  return letters;
}

GArray *
wp_timeline_find_rows (const WpMachine *machine, guint32 **first_row)
{
  GArray *rows = g_array_new (FALSE, FALSE, sizeof (WpTimelineRow));
  guint64 passed = wp_machine_find_passed (machine);

  *first_row = g_new0 (guint32, machine->n_pipelines + 1);
  for (guint32 i = 0; i < machine->n_pipelines; i++)
    {
      guint32 n = machine->pipelines[i].per_scheduler ? machine->n_schedulers : 1;

      (*first_row)[i] = rows->len;
      for (guint32 k = 0; (passed >> i & 1) != 0 && k < n; k++)
        {
          WpTimelineRow row = { i, n > 1 ? k : G_MAXUINT32 };

          g_array_append_val (rows, row);
        }
    }
  return rows;
}

gboolean
wp_timeline_is_own (const WpMachine *machine, const WpTimelineRow *row)
{
  return !wp_trace_is_shared (machine, row->pipeline);
}

gchar *
wp_timeline_make_label (const WpMachine *machine, const WpTimelineRow *row, guint32 sm)
{
  const gchar *name = machine->pipelines[row->pipeline].name;

  if (!wp_timeline_is_own (machine, row))
    {
      g_autofree gchar *sms = wp_trace_name_sharers (machine, row->pipeline, sm);

      return g_strdup_printf ("%s, %s", name, sms);
    }

  return row->instance == G_MAXUINT32 ? g_strdup (name)
                                      : g_strdup_printf ("%s %u", name, row->instance);
}
