/* SPDX-License-Identifier: MIT */
/* Where the grid has fewer blocks than fit, no limit of the GPU binds: the limiter is the grid. */
#include "run/simulate/resident.h"

#include <string.h>

void
wp_resident_init (WpResident *resident, const WpResolved *resolved)
{
  const WpOccupancy *occupancy = &resolved->occupancy;
  gboolean bound = occupancy->blocks != WP_DOES_NOT_BIND;

  resident->limiters = g_ptr_array_new ();
  resident->blocks = bound ? occupancy->blocks : resolved->machine.resident_blocks;
  resident->warps = resident->blocks * occupancy->warps_per_block;
  if (!bound || resolved->blocks_of_sm < (guint64)occupancy->blocks)
    g_ptr_array_add (resident->limiters, (gpointer) "grid");
  else
    for (guint limit = 0; limit < WP_N_LIMITS; limit++)
      if (occupancy->by[limit] == occupancy->blocks)
        g_ptr_array_add (resident->limiters, (gpointer)wp_limit_get_name (limit));
}

void
wp_resident_clear (WpResident *resident)
{
  g_clear_pointer (&resident->limiters, g_ptr_array_unref);
}

gchar *
wp_resident_join_limiters (const WpResident *resident)
{
  GString *names = g_string_new (NULL);

  for (guint i = 0; i < resident->limiters->len; i++)
    {
      const gchar *name = g_ptr_array_index (resident->limiters, i);

      g_string_append_printf (names, "%s%s", i > 0 ? ", " : "",
                              strcmp (name, "grid") == 0 ? "the size of the grid" : name);
    }
  return g_string_free (names, FALSE);
}
