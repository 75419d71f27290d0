/* SPDX-License-Identifier: MIT */
/* Any bytes as what a user says about buffers, an option a line: --data, and --dump. Each is
 * understood or refused with a message; what is understood gets a type, and some elements. No file
 * is opened. */
#include <glib.h>
#include <math.h>

#include "exec/memory/wp-fill.h"
#include "tests/fuzz.h"

static void
try_data (const gchar *line, WpElement element)
{
  g_autofree gchar *name = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (WpFill) fill = wp_fill_parse (line, &name, &error);

  g_assert_true ((fill == NULL) == (error != NULL));
  if (fill == NULL || !wp_fill_set_element (fill, element, name, &error))
    {
      g_assert_true (*error->message != '\0' && g_utf8_validate (error->message, -1, NULL));
      return;
    }
  if (fill->kind != WP_FILL_IOTA && fill->kind != WP_FILL_RANDOM)
    return;
  for (guint64 index = 0; index < 3; index++)
    {
      guint64 bits = wp_fill_get_bits (fill, index * (G_MAXUINT64 / 3));

      if (fill->has_range && fill->element >= WP_ELEMENT_F16)
        {
          gdouble value = wp_element_get_value (fill->element, bits);
          gdouble room = (fabs (fill->low) + fabs (fill->high)) / 100 + 1e-6;

          g_assert_true (value >= fill->low - room && value <= fill->high + room);
        }
    }
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autofree gchar *text = g_strndup ((const gchar *)data, size);
  g_auto (GStrv) lines = g_strsplit (text, "\n", 64);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_autofree gchar *name = NULL, *path = NULL;

      for (guint element = WP_ELEMENT_NONE; element < WP_N_ELEMENTS; element++)
        try_data (lines[i], (WpElement)element);
      if (wp_dump_parse (lines[i], &name, &path, NULL))
        g_assert_true (*name != '\0' && *path != '\0');
      wp_element_find_type (lines[i]);
    }
  return 0;
}
