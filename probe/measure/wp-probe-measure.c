/* SPDX-License-Identifier: MIT */
/* The parts of a measurement, in an order in which each uses what those before it found. */
#include "probe/measure/wp-probe-private.h"

gboolean
wp_probe_measure (WpProbe *probe, GError **error)
{
  static void (*const parts[]) (WpProbe *)
      = { wp_probe_find_limits, wp_probe_find_latencies, wp_probe_find_rates,
          wp_probe_find_units,  wp_probe_find_paths,     wp_probe_find_queues,
          wp_probe_find_blocks, wp_probe_find_consumers, wp_probe_find_loads };

  for (gsize i = 0; i < G_N_ELEMENTS (parts) && probe->error == NULL && !probe->is_stopped; i++)
    parts[i](probe);
  if (probe->error != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&probe->error));
      return FALSE;
    }
  return !probe->is_stopped;
}
