/* SPDX-License-Identifier: MIT */
/* idg/kernel/idg-suggest.h finds the names; here they become the end of a sentence. */
#include "run/base/suggest.h"

#include "idg/kernel/idg-suggest.h"

#include <string.h>

#define MIN_PREFIX 3 /* letters that say what was meant */
#define MAX_LONGER 3 /* names that go on so; of more, none is meant */

/* Those of NAMES of which WANTED is the beginning, if they are few; or NULL. */
static gchar *
find_longer (const gchar *wanted, const gchar *const *names)
{
  g_autoptr (GPtrArray) longer = g_ptr_array_new ();
  gsize n = strlen (wanted), letters = n - strspn (wanted, "-");

  for (gsize i = 0; letters >= MIN_PREFIX && names[i] != NULL; i++)
    if (g_ascii_strncasecmp (names[i], wanted, n) == 0)
      g_ptr_array_add (longer, (gpointer)names[i]);
  if (longer->len == 0 || longer->len > MAX_LONGER)
    return NULL;
  g_ptr_array_add (longer, NULL);
  return g_strjoinv (", ", (gchar **)longer->pdata);
}

gchar *
wp_find_near (const gchar *wanted, const gchar *const *names)
{
  gchar *near = idg_suggest (wanted, names);

  return near != NULL ? near : find_longer (wanted, names);
}

gchar *
wp_did_you_mean (const gchar *wanted, const gchar *const *names)
{
  g_autofree gchar *near = wp_find_near (wanted, names);

  return near != NULL ? g_strdup_printf ("; did you mean %s?", near) : g_strdup ("");
}

gchar *
wp_did_you_mean_of (const gchar *wanted, const gchar *known)
{
  g_auto (GStrv) names = g_strsplit (known, ", ", -1);

  return wp_did_you_mean (wanted, (const gchar *const *)names);
}
