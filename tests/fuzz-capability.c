/* SPDX-License-Identifier: MIT */
/* Any bytes as a table of occupancy limits: it is read, or refused with a message that names it. Of
 * what was read the occupancy calculator makes its report, for a launch of one warp and an awkward
 * one: no limits lead it astray.
 */
#include <string.h>

#include "cli/occupancy/occupancy-print.h"
#include "tests/fuzz.h"

enum
{
  MAX_REPORTS = 4 /* of the rows of a table */
};

static void
report (const WpCapability *capability, gint64 threads, gint64 registers, gint64 shared_memory)
{
  const IdgLaunch launch
      = { .threads = threads, .registers = registers, .shared_memory = shared_memory };
  g_autoptr (GError) error = NULL;
  g_autoptr (WpGpu) gpu = wp_capability_make_gpu (capability);
  g_autoptr (WpOccupancyReport) made
      = wp_occupancy_report_new (NULL, gpu, capability, &launch, 0, &error);
  g_autofree gchar *advice = made != NULL ? wp_occupancy_report_get_advice (made) : NULL;

  g_assert_true ((made == NULL) == (error != NULL));
  g_assert_true ((made == NULL) == (advice == NULL));
  for (guint i = 0; made != NULL && i < WP_N_VARIED; i++)
    g_assert_true (made->tables[i].steps->len > 0);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) table
      = wp_capabilities_parse ((const gchar *)data, size, "limits.csv", &error);

  if (table == NULL)
    {
      g_assert_true (error != NULL && g_str_has_prefix (error->message, "limits.csv:"));
      return 0;
    }
  g_assert_no_error (error);
  for (guint i = 0; i < table->len && i < MAX_REPORTS; i++)
    {
      const WpCapability *capability = g_ptr_array_index (table, i);

      g_assert_true (wp_capabilities_find (table, capability->name, NULL) == capability);
      report (capability, 32, 0, 0);
      report (capability, 161, 37, 3073);
    }
  return 0;
}
