/* SPDX-License-Identifier: MIT */
#include "run/tune/known.h"

static const WpKnownErrors known[] = {
#define KNOWN(kind, resource, generation, n, within) { kind, resource, generation, n, within },
#include "run/tune/known-errors.def"
#undef KNOWN
};

const WpKnownErrors *
wp_known_errors_find (const gchar *kind, const gchar *resource, const gchar *generation)
{
  for (gsize i = 0; i < G_N_ELEMENTS (known); i++)
    if (g_strcmp0 (known[i].kind, kind) == 0
        && g_strcmp0 (known[i].resource, resource != NULL ? resource : "") == 0
        && g_strcmp0 (known[i].generation, generation) == 0)
      return &known[i];
  return NULL;
}
