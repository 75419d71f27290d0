/* SPDX-License-Identifier: MIT */
/* The list only; what is checked stands in warnings-setting.c and warnings-run.c. */
#include "run/simulate/warnings.h"

#include "sim/gpu/wp-types.h"

#include <string.h>

static void
warning_free (gpointer data)
{
  WpWarning *warning = data;

  g_free ((gpointer)warning->name);
  g_free (warning->text);
  g_free (warning);
}

GPtrArray *
wp_warnings_new (void)
{
  return g_ptr_array_new_with_free_func (warning_free);
}

void
wp_warnings_add (GPtrArray *warnings, const gchar *name, gboolean no_verdict, const gchar *format,
                 ...)
{
  WpWarning *warning = g_new (WpWarning, 1);
  va_list args;

  va_start (args, format);
  *warning = (WpWarning){ g_strdup (name), g_strdup_vprintf (format, args), no_verdict };
  va_end (args);
  g_ptr_array_add (warnings, warning);
}

static const WpWarning *
get (const GPtrArray *warnings, guint i)
{
  return g_ptr_array_index (warnings, i);
}

const WpWarning *
wp_warnings_get (const GPtrArray *warnings, const gchar *name)
{
  for (guint i = 0; i < warnings->len; i++)
    if (strcmp (get (warnings, i)->name, name) == 0)
      return get (warnings, i);
  return NULL;
}

void
wp_warnings_let_pass (GPtrArray *warnings, const gchar *name, const gchar *more)
{
  for (guint i = 0; i < warnings->len; i++)
    {
      WpWarning *warning = g_ptr_array_index (warnings, i);
      gchar *text;

      if (strcmp (warning->name, name) != 0)
        continue;
      text = g_strconcat (warning->text, more, NULL);
      g_free (warning->text);
      warning->text = text;
      warning->no_verdict = FALSE;
    }
}

void
wp_warnings_remove (GPtrArray *warnings, const gchar *name)
{
  for (guint i = warnings->len; i-- > 0;)
    if (strcmp (get (warnings, i)->name, name) == 0)
      g_ptr_array_remove_index (warnings, i);
}

/* The names, each once, in order; borrowed. */
static GPtrArray *
list_names (const GPtrArray *warnings, gboolean blocking)
{
  GPtrArray *names = g_ptr_array_new ();

  for (guint i = 0; i < warnings->len; i++)
    if ((!blocking || get (warnings, i)->no_verdict)
        && wp_warnings_get (warnings, get (warnings, i)->name) == get (warnings, i))
      g_ptr_array_add (names, (gpointer)get (warnings, i)->name);
  return names;
}

gchar *
wp_warnings_join (const GPtrArray *warnings, gboolean blocking, const gchar *separator)
{
  g_autoptr (GPtrArray) names = list_names (warnings, blocking);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < names->len; i++)
    {
      const gchar *between = separator != NULL ? separator : i + 1 < names->len ? ", " : " and ";

      g_string_append_printf (text, "%s%s", i > 0 ? between : "",
                              (const gchar *)g_ptr_array_index (names, i));
    }
  return g_string_free (text, names->len == 0);
}

gboolean
wp_warnings_are_in_the_way (const GPtrArray *warnings)
{
  for (guint i = 0; i < warnings->len; i++)
    if (get (warnings, i)->no_verdict)
      return TRUE;
  return FALSE;
}

gchar *
wp_warnings_get_no_verdict (const GPtrArray *warnings)
{
  g_autofree gchar *names = wp_warnings_join (warnings, TRUE, NULL);

  if (names == NULL)
    return NULL;
  return g_strdup_printf ("No verdict: %s (see Warnings).", names);
}

static gchar *
describe_error (const WpWarning *warning)
{
  return g_strdup_printf ("%s: %s; without --strict this is a warning", warning->name,
                          warning->text);
}

gboolean
wp_warnings_refuse (const GPtrArray *warnings, WpNoteFunc say, gpointer data, GError **error)
{
  for (guint i = 0; i < warnings->len; i++)
    {
      g_autofree gchar *text = describe_error (get (warnings, i));

      if (i + 1 == warnings->len)
        g_set_error_literal (error, WP_ERROR, WP_ERROR_VALUE, text);
      else if (say != NULL)
        say (data, text);
    }
  return warnings->len == 0;
}
