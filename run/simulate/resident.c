/* SPDX-License-Identifier: MIT */
/* Where the grid has fewer blocks than fit, no limit of the GPU binds: the limiter is the grid. */
#include "run/simulate/resident.h"

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
wp_resident_get_warning (const WpResident *resident, const WpMachine *machine, gint64 asked)
{
  gint64 reached = (gint64)machine->resident_blocks * machine->warps_per_block;
  g_autoptr (GString) limits = g_string_new (NULL);

  if (asked == 0 || reached >= asked)
    return NULL;
  for (guint i = 0; i < resident->limiters->len; i++)
    g_string_append_printf (limits, "%s%s", i > 0 ? ", " : "",
                            (const gchar *)g_ptr_array_index (resident->limiters, i));
  if (resident->warps == reached && asked / machine->warps_per_block == resident->blocks)
    g_string_printf (limits, "whole blocks of %u warps", machine->warps_per_block);
  return g_strdup_printf ("occupancy %" G_GINT64_FORMAT " was asked for; %" G_GINT64_FORMAT
                          " warps are resident at most, limited by %s",
                          asked, reached, limits->str);
}
