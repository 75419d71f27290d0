/* SPDX-License-Identifier: MIT */
/* A call has its arguments from R4 on and returns to the address in R20 and R21, with its result in
 * R4 (seen in what the compiler makes of printf() and assert()). */
#include "exec/machine/wp-external.h"
#include "exec/machine/wp-diverge.h"
#include "exec/machine/wp-kernel-code.h"
#include "exec/machine/wp-ops.h"

#define RESULT 4
#define RETURN 20

static void
go_back (WpWarp *warp, const WpStep *step, guint32 mask)
{
  guint32 targets[WP_LANES];

  for (guint k = 0; k < WP_LANES; k++)
    {
      if (!(mask >> k & 1))
        continue;
      guint64 address
          = warp->r[wp_row_of (RETURN)][k] | (guint64)warp->r[wp_row_of (RETURN + 1)][k] << 32;
      if (!wp_kernel_code_find (warp->block->grid->code, address, &targets[k]))
        {
          wp_warp_fail (warp, step, k, "a return to 0x%" G_GINT64_MODIFIER "x, where no code is",
                        address);
          return;
        }
    }
  wp_warp_jump (warp, mask, targets);
}

/* printf(): says that it printed 0 items. */
static void
run_printf (WpWarp *warp, const WpStep *step, guint32 mask)
{
  static const guint32 zeros[WP_LANES];

  wp_trail_add (&warp->trail, step->index, mask);
  if (!mask)
    return;
  wp_warp_note (warp, step, WP_NOTE_PRINTF, 0);
  wp_put (warp, wp_row_to (RESULT), zeros, mask, 0, 0);
  go_back (warp, step, mask);
}

static void
run_assert (WpWarp *warp, const WpStep *step, guint32 mask)
{
  wp_trail_add (&warp->trail, step->index, mask);
  if (mask)
    wp_warp_fail (warp, step, __builtin_ctz (mask), "an assertion failed");
}

gboolean
wp_external_prepare (WpStep *step, const gchar *name, gchar **problem)
{
  step->is_control = TRUE;
  if (g_str_equal (name, "vprintf"))
    step->run = run_printf;
  else if (g_str_equal (name, "__assertfail") || g_str_equal (name, "__assert_fail"))
    step->run = run_assert;
  else if (g_str_equal (name, "malloc") || g_str_equal (name, "free"))
    *problem = g_strdup_printf ("%s() in device code is not covered by execution", name);
  else if (g_str_has_prefix (name, "cuda"))
    *problem
        = g_strdup_printf ("%s(): dynamic parallelism and cooperative grids are not covered by "
                           "execution",
                           name);
  else
    *problem = g_strdup_printf ("%s() is called, and the file has no code of it", name);
  return *problem == NULL;
}
