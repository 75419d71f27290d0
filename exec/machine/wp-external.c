/* SPDX-License-Identifier: MIT */
/* A call has its arguments from R4 on and returns to the address in R20 and R21, with its result in
 * R4 (seen in what the compiler makes of printf() and assert()). */
#include "exec/machine/wp-external.h"
#include "exec/machine/wp-diverge.h"
#include "exec/machine/wp-kernel-code.h"
#include "exec/machine/wp-ops.h"

#define RESULT 4
#define RETURN 20

/* Where the lanes of MASK return to. FALSE: a lane to where no code is; WARP has failed. */
static gboolean
find_returns (WpWarp *warp, const WpStep *step, guint32 mask, guint32 *targets)
{
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
          return FALSE;
        }
    }
  return TRUE;
}

/* The step that called, for messages. */
static const WpStep *
find_call (const WpWarp *warp, const WpStep *step, guint32 target)
{
  return target ? &warp->block->grid->code->steps[target - 1] : step;
}

/* printf(): says that it printed 0 items. */
static void
run_printf (WpWarp *warp, const WpStep *step, guint32 mask)
{
  static const guint32 zeros[WP_LANES];
  guint32 targets[WP_LANES] = { 0 };

  wp_trail_add (&warp->trail, step->index, mask);
  if (!mask || !find_returns (warp, step, mask, targets))
    return;
  wp_warp_note (warp, find_call (warp, step, targets[__builtin_ctz (mask)]), WP_NOTE_PRINTF, 0);
  wp_put (warp, wp_row_to (RESULT), zeros, mask, 0, 0);
  wp_warp_jump (warp, mask, targets);
}

static void
run_assert (WpWarp *warp, const WpStep *step, guint32 mask)
{
  guint32 targets[WP_LANES] = { 0 };

  wp_trail_add (&warp->trail, step->index, mask);
  if (!mask || !find_returns (warp, step, mask, targets))
    return;
  guint lane = __builtin_ctz (mask);
  wp_warp_fail (warp, find_call (warp, step, targets[lane]), lane, "an assertion failed");
}

/* What is not covered, or has no code: a table of virtual functions names malloc() and free() (of
 * destructors), and one of addresses what other kernels of the file call, in kernels that never
 * call them. So only a call is an error. DATA: the function's name. */
static void
run_uncovered (WpWarp *warp, const WpStep *step, guint32 mask)
{
  const gchar *name = step->data;
  guint32 target = 0;

  wp_trail_add (&warp->trail, step->index, mask);
  if (!mask)
    return;
  const guint lane = (guint)__builtin_ctz (mask);
  const guint64 address
      = warp->r[wp_row_of (RETURN)][lane] | (guint64)warp->r[wp_row_of (RETURN + 1)][lane] << 32;
  if (!wp_kernel_code_find (warp->block->grid->code, address, &target))
    target = 0;
  step = find_call (warp, step, target);
  if (g_str_equal (name, "malloc") || g_str_equal (name, "free"))
    wp_warp_fail (warp, step, lane,
                  "malloc(), free(), new or delete in device code: not covered by execution");
  else if (g_str_has_prefix (name, "__cuda_syscall_cp_async_bulk"))
    wp_warp_fail (warp, step, lane,
                  "a bulk copy to another block of a cluster: not covered by execution");
  else
    wp_warp_fail (warp, step, lane, "%s() is called, and the file has no code of it", name);
}

gboolean
wp_external_prepare (WpStep *step, const gchar *name, gchar **problem)
{
  step->is_control = TRUE;
  if (g_str_equal (name, "vprintf"))
    step->run = run_printf;
  else if (g_str_equal (name, "__assertfail") || g_str_equal (name, "__assert_fail"))
    step->run = run_assert;
  else if (g_str_has_prefix (name, "cuda"))
    *problem = g_strdup_printf ("%s(): dynamic parallelism and grids over several devices are not "
                                "covered by execution",
                                name);
  else
    {
      step->data = name;
      step->run = run_uncovered;
    }
  return *problem == NULL;
}
