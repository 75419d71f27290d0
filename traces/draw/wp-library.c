/* SPDX-License-Identifier: MIT */
#include "traces/draw/wp-library.h"

#include <dlfcn.h>

static gboolean
fail (const gchar *file, GError **error)
{
  const gchar *reason = dlerror ();

  g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "cannot load %s, which this needs: %s",
               file, reason != NULL ? reason : "a function is missing");
  return FALSE;
}

gboolean
wp_library_load (const gchar *file, const gchar *const *names, gpointer *symbols, gsize n,
                 GError **error)
{
  void *library;

  if (n > 0 && symbols[n - 1] != NULL)
    return TRUE;
  library = dlopen (file, RTLD_LAZY | RTLD_LOCAL);
  if (library == NULL)
    return fail (file, error);
  for (gsize i = 0; i < n; i++)
    {
      symbols[i] = dlsym (library, names[i]);
      if (symbols[i] == NULL)
        {
          fail (file, error);
          symbols[n - 1] = NULL;
          return FALSE;
        }
    }
  return TRUE;
}
