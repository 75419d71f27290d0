/* SPDX-License-Identifier: MIT */
/* Notes and errors of an import, with their places, and texts that XML can contain. */
#include "idg/import/base/idg-notes.h"

#include "idg/import/base/idg-import-private.h"
#include "idg/kernel/idg-demangle.h"
#include "idg/kernel/idg-suggest.h"
#include "idg/kernel/idg-text.h"
#include "idg/xml/idg-xml.h"

#include <string.h>

#define MAX_NAME 250     /* bytes */
#define MAX_LIST 400     /* bytes of the list in an error */
#define MAX_CALLED 10000 /* kernels of a file that are sought by what C++ calls them */

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

/* How well ENTRY names the kernel NAME, which C++ calls DEMANGLED (NULL: nothing else): 2, it is
 * what C++ calls it, with its parameters or without; 1, a part of one of the names; 0, not at all.
 */
static guint
rate_entry (const gchar *entry, const gchar *name, const gchar *demangled)
{
  g_autofree gchar *shortened = demangled != NULL ? idg_demangle_short (demangled) : NULL;

  if (g_strcmp0 (entry, demangled) == 0 || g_strcmp0 (entry, shortened) == 0)
    return 2;
  return strstr (name, entry) != NULL || (demangled != NULL && strstr (demangled, entry) != NULL);
}

/* NAMES as a list for messages, each with what C++ calls it. */
static gchar *
list_entries (const gchar *const *names, gsize n)
{
  GString *list = g_string_new (NULL);

  for (gsize i = 0; i < n; i++)
    {
      g_autofree gchar *called = NULL;

      if (list->len >= MAX_LIST)
        {
          g_string_append (list, ", ...");
          break;
        }
      called = idg_demangle (names[i]);
      g_string_append_printf (list, "%s%s", i > 0 ? ", " : "", names[i]);
      if (called != NULL)
        g_string_append_printf (list, " (%s)", called);
    }
  return g_string_free (list, FALSE);
}

/* Says why no one of the N kernels, which LIST has, is chosen. */
static void
fail_entry (const IdgImport *import, const gchar *file, const gchar *const *names, gsize n,
            guint n_found, const gchar *list, GError **error)
{
  g_autoptr (GPtrArray) all = g_ptr_array_new ();
  g_autofree gchar *near = NULL;

  for (gsize i = 0; i < n; i++)
    g_ptr_array_add (all, (gpointer)names[i]);
  g_ptr_array_add (all, NULL);
  near = n_found == 0 && import->entry != NULL
             ? idg_suggest_end (import->entry, (const gchar *const *)all->pdata)
             : g_strdup ("");
  if (n == 0)
    idg_import_fail (file, 0, IDG_ERROR_VALUE, error, "there is no kernel in it");
  else if (import->entry == NULL)
    idg_import_fail (file, 0, IDG_ERROR_VALUE, error,
                     "there are %" G_GSIZE_FORMAT " kernels in it; --entry names one of %s", n,
                     list);
  else
    idg_import_fail (file, 0, IDG_ERROR_VALUE, error, "%s \"%s\"; there %s %s%s",
                     n_found > 1 ? "more than one kernel in it has a name with"
                                 : "no kernel in it is called",
                     import->entry, n > 1 ? "are" : "is", list, near);
}

gint
idg_import_choose_entry (const IdgImport *import, const gchar *file, const gchar *const *names,
                         gsize n, GError **error)
{
  g_autofree gchar *list = NULL;
  g_autoptr (GPtrArray) found = g_ptr_array_new (); /* names that are rated best */
  gint last = -1;
  guint best = 1;

  for (gsize i = 0; i < n && import->entry != NULL; i++)
    if (strcmp (names[i], import->entry) == 0)
      return (gint)i;
  if (import->entry == NULL && n == 1)
    return 0;
  for (gsize i = 0; i < n && import->entry != NULL; i++)
    {
      g_autofree gchar *called = i < MAX_CALLED ? idg_demangle (names[i]) : NULL;
      guint rating = rate_entry (import->entry, names[i], called);

      if (rating < best)
        continue;
      if (rating > best)
        g_ptr_array_set_size (found, 0);
      g_ptr_array_add (found, (gpointer)names[i]);
      best = rating;
      last = (gint)i;
    }
  if (found->len == 1)
    return last;
  list = found->len > 0 ? list_entries ((const gchar *const *)found->pdata, found->len)
                        : list_entries (names, n);
  fail_entry (import, file, names, n, found->len, list, error);
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
idg_import_make_title (const gchar *name)
{
  g_autofree gchar *called = idg_demangle (name);

  return called != NULL ? idg_import_make_text (called) : NULL;
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
