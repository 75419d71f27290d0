/* SPDX-License-Identifier: MIT */
#include "exec/launch/wp-launch-fill.h"

#include "idg/kernel/idg-kernel.h"

gchar *
wp_launch_fill (const gchar *text, WpLaunchLookup lookup, gpointer data, GError **error)
{
  g_autoptr (GString) result = g_string_new (NULL);

  while (*text)
    {
      gboolean is_braced = text[0] == '$' && text[1] == '{';
      const gchar *begin = text + 1 + is_braced, *end = begin;
      g_autofree gchar *name = NULL;
      gint64 value;

      if (*text != '$' || !(g_ascii_isalpha (*begin) || *begin == '_'))
        {
          g_string_append_c (result, *text++);
          continue;
        }
      while (g_ascii_isalnum (*end) || *end == '_' || (is_braced && *end && *end != '}'))
        end++;
      name = g_strndup (begin, (gsize)(end - begin));
      if (lookup == NULL || !lookup (name, &value, data))
        {
          g_set_error (error, IDG_ERROR, IDG_ERROR_VALUE,
                       "no parameter is called \"%s\"; expected one of the kernel file, or of "
                       "--set %s=NUMBER",
                       name, name);
          return NULL;
        }
      g_string_append_printf (result, "%" G_GINT64_FORMAT, value);
      text = is_braced && *end ? end + 1 : end;
    }
  return g_string_free (g_steal_pointer (&result), FALSE);
}
