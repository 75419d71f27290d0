/* SPDX-License-Identifier: MIT */
/* A build without MPI: there is no other rank. Where others were started all the same, each would
 * make the whole table: the first of them refuses, and the others have nothing to do.
 */
#include "run/sweep/sweep-ranks.h"

#include "sim/gpu/wp-gpu.h" /* WP_ERROR */

gboolean
wp_ranks_are_there (void)
{
  return wp_ranks_count_started () > 1;
}

static gboolean
is_first (void)
{
  const gchar *const names[] = { "OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK" };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_getenv (names[i]) != NULL)
      return g_ascii_strtoull (g_getenv (names[i]), NULL, 10) == 0;
  return TRUE;
}

WpRanks *
wp_ranks_join (GError **error)
{
  if (is_first ())
    g_set_error (error, WP_ERROR, WP_ERROR_VALUE,
                 "%u processes were started together, but this warpipe was built without MPI, and "
                 "each would make the whole table; configure it --with-mpi, or start one process",
                 wp_ranks_count_started ());
  return NULL;
}

guint
wp_ranks_get_own (const WpRanks *ranks G_GNUC_UNUSED)
{
  return 0;
}

guint
wp_ranks_count (const WpRanks *ranks G_GNUC_UNUSED)
{
  return 1;
}

gint
wp_ranks_share (WpRanks *ranks G_GNUC_UNUSED, gint number)
{
  return number;
}

gboolean
wp_ranks_agree (WpRanks *ranks G_GNUC_UNUSED, const gchar *digest G_GNUC_UNUSED,
                GError **error G_GNUC_UNUSED)
{
  return TRUE;
}

gboolean
wp_ranks_send (WpRanks *ranks G_GNUC_UNUSED, WpMessage *message, GError **error G_GNUC_UNUSED)
{
  wp_message_clear (message);
  return TRUE;
}

gboolean
wp_ranks_receive (WpRanks *ranks G_GNUC_UNUSED, WpMessage *message, GError **error G_GNUC_UNUSED)
{
  message->bytes = NULL;
  return TRUE;
}

void
wp_ranks_leave (WpRanks *ranks G_GNUC_UNUSED, gboolean orderly G_GNUC_UNUSED)
{
}
