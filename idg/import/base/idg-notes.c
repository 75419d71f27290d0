/* SPDX-License-Identifier: MIT */
/* Notes and errors of an import, with their places, and texts that XML can contain. */
#include "idg/import/base/idg-notes.h"

#include "idg/import/base/idg-import-private.h"
#include "idg/kernel/idg-suggest.h"
#include "idg/kernel/idg-text.h"
#include "idg/xml/idg-xml.h"

#include <string.h>

#define MAX_NAME 250 /* bytes */
#define MAX_LIST 400 /* bytes of the list in an error */

static gchar *
format_message (const gchar *file, gint line, const gchar *format, va_list list)
{
  g_autofree gchar *text = g_strdup_vprintf (format, list);

  return line > 0 ? g_strdup_printf ("%s:%d: %s", file, line, text)
                  : g_strdup_printf ("%s: %s", file, text);
}

void
idg_import_note (IdgImport *import, const gchar *file, gint line, const gchar *format, ...)
{
  g_autofree gchar *note = NULL;
  va_list list;

  va_start (list, format);
  note = format_message (file, line, format, list);
  va_end (list);
  idg_import_add_note (import, note);
}

gboolean
idg_import_fail (const gchar *file, gint line, IdgError code, GError **error, const gchar *format,
                 ...)
{
  g_autofree gchar *text = NULL;
  va_list list;

  va_start (list, format);
  text = format_message (file, line, format, list);
  va_end (list);
  g_set_error_literal (error, IDG_ERROR, code, text);
  return FALSE;
}

gint
idg_import_choose_entry (const IdgImport *import, const gchar *file, const gchar *const *names,
                         gsize n, GError **error)
{
  g_autoptr (GString) list = g_string_new (NULL);
  g_autoptr (GPtrArray) all = g_ptr_array_new ();
  g_autofree gchar *near = NULL;
  gint found = -1;
  guint n_found = 0;

  for (gsize i = 0; i < n; i++)
    {
      g_ptr_array_add (all, (gpointer)names[i]);
      if (list->len < MAX_LIST)
        g_string_append_printf (list, "%s%s", i > 0 ? ", " : "", names[i]);
      else if (!g_str_has_suffix (list->str, ", ..."))
        g_string_append (list, ", ...");
      if (import->entry == NULL ? n > 1 : strstr (names[i], import->entry) == NULL)
        continue;
      if (import->entry != NULL && strcmp (names[i], import->entry) == 0)
        return (gint)i;
      found = (gint)i;
      n_found++;
    }
  if (n_found == 1)
    return found;
  g_ptr_array_add (all, NULL);
  near = n_found == 0 && import->entry != NULL
             ? idg_suggest_end (import->entry, (const gchar *const *)all->pdata)
             : g_strdup ("");
  if (n == 0)
    idg_import_fail (file, 0, IDG_ERROR_VALUE, error, "there is no kernel in it");
  else if (import->entry == NULL)
    idg_import_fail (file, 0, IDG_ERROR_VALUE, error,
                     "there are %" G_GSIZE_FORMAT " kernels in it; --entry names one of %s", n,
                     list->str);
  else
    idg_import_fail (file, 0, IDG_ERROR_VALUE, error, "%s \"%s\"; there %s %s%s",
                     n_found > 1 ? "more than one kernel in it has a name with"
                                 : "no kernel in it is called",
                     import->entry, n > 1 ? "are" : "is", list->str, near);
  return -1;
}

/* Shortens and cleans NAME: C++ has names that are longer than allowed, and a file may contain any
 * bytes. */
gchar *
idg_import_make_name (IdgImport *import, const gchar *file, const gchar *name)
{
  g_autofree gchar *made = idg_text_make_name (name, "", MAX_NAME);

  if (made[strspn (made, " ")] == '\0')
    {
      g_free (made);
      made = g_strdup ("kernel");
    }
  if (strcmp (made, name) != 0)
    {
      g_autofree gchar *quoted = idg_xml_quote (name);

      idg_import_note (import, file, 0,
                       "the kernel's name %s is written %s: no name has commas, double quotes, "
                       "control or invisible characters, or more than %d bytes",
                       quoted, made, MAX_NAME);
    }
  return g_steal_pointer (&made);
}

gchar *
idg_import_make_text (const gchar *text)
{
  g_autofree gchar *valid = g_utf8_make_valid (text, -1);
  GString *made = g_string_new (NULL);

  for (const gchar *p = valid; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);

      if (!idg_text_is_hidden (c))
        g_string_append_unichar (made, c);
      else
        g_string_append_c (made, c < 0x80 ? ' ' : '?');
    }
  return g_string_free (made, FALSE);
}
