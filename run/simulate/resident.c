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

/* The most warps that an SM holds, or 0: no limit. */
static gint64
get_most (const WpGpu *gpu)
{
  gint64 warps = gpu->limits.warps, threads = gpu->limits.threads;
  gint64 by_threads = gpu->warp_size > 0 ? threads / gpu->warp_size : 0;

  if (warps == 0 || threads == 0)
    return MAX (warps, by_threads);
  return MIN (warps, by_threads);
}

/* What to do about the limit called NAME; free with g_free(). */
static gchar *
describe_way (const gchar *name, const IdgLaunch *launch)
{
  if (strcmp (name, "registers") == 0)
    return g_strdup_printf ("fewer registers a thread than %" G_GINT64_FORMAT, launch->registers);
  if (strcmp (name, "shared-memory") == 0)
    return g_strdup_printf ("less shared memory a block than %" G_GINT64_FORMAT " bytes",
                            launch->shared_memory);
  if (strcmp (name, "blocks") == 0)
    return g_strdup_printf ("larger blocks than of %" G_GINT64_FORMAT " threads", launch->threads);
  if (strcmp (name, "occupancy") == 0)
    return g_strdup ("a larger --occupancy");
  return g_strdup_printf ("smaller blocks than of %" G_GINT64_FORMAT
                          " threads, which fill an SM better",
                          launch->threads);
}

gchar *
wp_resident_describe_more (const WpResident *resident, const WpResolved *resolved, const WpGpu *gpu)
{
  const WpMachine *machine = &resolved->machine;
  gint64 most = get_most (gpu);
  gint64 now = (gint64)machine->resident_blocks * machine->warps_per_block;
  GString *text = g_string_new (NULL);

  if (most > 0 && now >= most)
    return g_string_free (text, TRUE);
  if (resident->limiters->len == 1
      && strcmp (g_ptr_array_index (resident->limiters, 0), "grid") == 0)
    {
      g_string_printf (text, "more blocks than %" G_GINT64_FORMAT " for %u SM%s",
                       resolved->launch.blocks, machine->n_sms, machine->n_sms == 1 ? "" : "s");
      return g_string_free (text, FALSE);
    }
  for (guint i = 0; i < resident->limiters->len; i++)
    {
      g_autofree gchar *way
          = describe_way (g_ptr_array_index (resident->limiters, i), &resolved->launch);

      /* Warps and threads bind together, and are one way. */
      if (strstr (text->str, way) == NULL)
        g_string_append_printf (text, "%s%s", text->len > 0 ? " and " : "", way);
    }
  return g_string_free (text, text->len == 0);
}
