/* SPDX-License-Identifier: MIT */
/* Names of C++ are shown as their source has them by the C++ run-time library's own function
 * (Itanium C++ ABI, section 3.4), which is asked for only where a name is to be shown: warpipe is C
 * and does not link to that library. Where it is not there, names stay as they are in the file.
 *
 * A name of a few dozen bytes can stand for a text of gigabytes, since parts of it refer to earlier
 * parts, and since what is repeated for each of a pack's types may be repeated again. So names that
 * could become too long stay as they are, too. */
#include "config.h" /* RTLD_DEFAULT */

#include "idg/kernel/idg-demangle.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

typedef char *(*Demangle) (const char *name, char *buffer, size_t *length, int *status);

#define OUT_OF_MEMORY (-1) /* the ABI's word for it */
#define MAX_NAME 4096
#define MAX_TEXT 16384
#define MAX_GROWTH 1e6 /* bytes of text, or twenty times as many where types have long names */

static Demangle
find_demangle (void)
{
  static gsize found = 0;

  if (g_once_init_enter (&found))
    {
      /* Libraries that warpipe links to may need that one, too. */
      void *function = dlsym (RTLD_DEFAULT, "__cxa_demangle");
      void *library = function ? NULL : dlopen ("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL);

      if (library)
        function = dlsym (library, "__cxa_demangle");

      g_once_init_leave (&found, function ? (gsize)function : 1);
    }
  return found == 1 ? NULL : (Demangle)found;
}

/* Whether NAME is of C++ and cannot stand for much text. A reference (S_, S0_, T_, T0_, ...) can
 * make it longer by a factor of 3^(1/3) at most: three of them can triple a part. What is repeated
 * for each type of a pack (Dp) is so no more often than the name has letters. */
static gboolean
is_harmless (const gchar *name)
{
  gsize length = strnlen (name, MAX_NAME);
  gdouble growth = (gdouble)length;

  if (!g_str_has_prefix (name, "_Z") || length == MAX_NAME)
    return FALSE;
  for (const gchar *at = name; *at && growth <= MAX_GROWTH; at++)
    if ((*at == 'S' || *at == 'T')
        && (at[1] == '_' || g_ascii_isdigit (at[1]) || g_ascii_isupper (at[1])))
      growth *= 1.4423;
    else if (*at == 'D' && (at[1] == 'p' || at[1] == 'P'))
      growth *= (gdouble)length;
    else if (*at == 's' && (at[1] == 'p' || at[1] == 'P' || at[1] == 'Z'))
      growth *= (gdouble)length;
  return growth <= MAX_GROWTH;
}

gchar *
idg_demangle (const gchar *name)
{
  Demangle demangle = is_harmless (name) ? find_demangle () : NULL;
  char *text;
  gchar *copy;
  int status = 0;

  text = demangle ? demangle (name, NULL, NULL, &status) : NULL;
  if (status == OUT_OF_MEMORY)
    g_error ("out of memory");
  copy = text && strnlen (text, MAX_TEXT) < MAX_TEXT && g_utf8_validate (text, -1, NULL)
             ? g_strdup (text)
             : NULL;
  free (text);
  return copy;
}

const gchar *
idg_demangle_find_parameters (const gchar *text)
{
  const gchar *found = NULL;
  guint depth = 0, angles = 0;

  for (const gchar *at = text; *at; at++)
    {
      if (*at == '(' && depth++ == 0 && angles == 0 && !g_str_has_prefix (at, "(anonymous"))
        found = at;
      else if (*at == ')' && depth > 0)
        depth--;
      else if (*at == '<' && depth == 0)
        angles++;
      else if (*at == '>' && depth == 0 && angles > 0)
        angles--;
    }
  return found;
}

gchar *
idg_demangle_short (const gchar *demangled)
{
  const gchar *end = idg_demangle_find_parameters (demangled), *begin = demangled;
  guint depth = 0;

  if (end == NULL)
    return g_strdup (demangled);
  /* Templates have the type that is returned before their name. */
  for (const gchar *at = demangled; at < end; at++)
    if (strchr ("(<[{", *at))
      depth++;
    else if (strchr (")>]}", *at) && depth > 0)
      depth--;
    else if (*at == ' ' && depth == 0)
      begin = at + 1;
  return g_strndup (begin, (gsize)(end - begin));
}
