/* SPDX-License-Identifier: MIT */
/* Runs that stop before their end (MODEL.md, section 14): none hangs, none passes as finished, and
 * each says who waits and where. Kernels that deadlock, policies that never choose a warp, and one
 * that chooses nobody. */
#include <glib.h>
#include <string.h>

#include "sim/bounds/wp-bounds.h"
#include "sim/engine/core/wp-sm-state.h"
#include "sim/engine/wp-device.h"
#include "sim/gpu/wp-resolve.h"

#include "tests/check-main.h"

#define GPU                                                                                        \
  "<gpu name='g'><device sms='2' clock-mhz='1' warp-size='32'/><limits blocks='1'/>"               \
  "<scheduler count='1'/><pipeline name='p'/>"                                                     \
  "<op name='add' pipeline='p' issue='1' completion='4'/></gpu>"

static WpGpu *gpu;
static IdgKernel *kernel;
static WpResolved *resolved;

static void
set_up (void)
{
  gpu = wp_gpu_parse (GPU, strlen (GPU), "g.xml", NULL, NULL);
  ck_assert_ptr_nonnull (gpu);
}

static void
tear_down (void)
{
  g_clear_pointer (&resolved, wp_resolved_free);
  g_clear_pointer (&kernel, idg_kernel_free);
  wp_gpu_free (gpu);
}

/* The machine of a kernel of two warps with PROGRAMS, in two blocks. */
static const WpMachine *
load (const gchar *programs, gint64 sms, gboolean dataflow)
{
  WpRunOptions options = WP_RUN_OPTIONS_INIT;
  g_autofree gchar *text = g_strdup_printf (
      "<kernel name='k'><launch blocks='2' threads='64'/>\n%s</kernel>", programs);

  options.sms = sms;
  options.has_order = TRUE;
  options.order = dataflow ? WP_ORDER_DATAFLOW : WP_ORDER_PROGRAM;
  kernel = idg_kernel_parse (text, strlen (text), "k.xml", NULL, NULL);
  ck_assert_ptr_nonnull (kernel);
  resolved = wp_resolve (kernel, gpu, &options, NULL);
  ck_assert_ptr_nonnull (resolved);
  return &resolved->machine;
}

static WpStuck
run_until_stuck (const WpMachine *machine, const WpPolicy *policy, gboolean skip)
{
  const char *problem;
  WpDevice *device = wp_device_new (machine, policy, NULL, 0, &problem);
  WpStuck stuck;

  ck_assert_ptr_nonnull (device);
  ck_assert (wp_device_set_skip (device, skip));
  ck_assert_int_eq (wp_device_run (device, G_MAXUINT64), WP_RUN_STUCK);
  ck_assert_int_eq (wp_device_run (device, G_MAXUINT64), WP_RUN_STUCK); /* and stays so */
  ck_assert (!wp_device_get_result (device)->complete);
  wp_device_get_stuck (device, &stuck);
  wp_device_free (device);
  return stuck;
}

#define CROSSED                                                                                    \
  "<program warps='0'><i id='x' op='add'/><barrier name='a' after='x'/><barrier name='b'/>"        \
  "</program>\n<program warps='1'><barrier name='b'/><barrier name='a'/></program>"

START_TEST (warps_that_wait_for_one_another_are_named)
{
  const WpMachine *machine = load (CROSSED, 1, _i == 1);
  WpStuck stuck = run_until_stuck (machine, wp_policy_find ("rr"), TRUE);

  ck_assert_uint_eq (stuck.n, 2);
  ck_assert_uint_eq (stuck.n_held, 2);
  ck_assert_uint_eq (stuck.sm, 0);
  ck_assert_uint_eq (stuck.slot, 0);
  ck_assert_uint_eq (stuck.block, 0);
  ck_assert_uint_eq (stuck.warp, 0);
  ck_assert (stuck.held);
  ck_assert_str_eq (machine->barriers[stuck.barrier - 1].name, "a");
  ck_assert_int_eq (machine->instrs[stuck.instr].line, 2);
  ck_assert_uint_eq (stuck.barriers[0], 1 << 1 | 1 << 2);
}
END_TEST

START_TEST (all_simulated_sms_count_also_where_one_stands_for_others)
{
  const WpMachine *machine = load (CROSSED, 0, FALSE);

  ck_assert_uint_eq (run_until_stuck (machine, wp_policy_find ("gto"), _i == 1).n, 4);
}
END_TEST

START_TEST (a_number_of_warps_that_never_come_is_stuck)
{
  const WpMachine *machine = load (
      "<program warps='0'/><program warps='1'><barrier name='a' warps='2'/></program>", 1, FALSE);
  WpStuck stuck = run_until_stuck (machine, wp_policy_find ("two-level"), TRUE);

  ck_assert_uint_eq (stuck.n, 1);
  ck_assert_uint_eq (stuck.warp, 1);
}
END_TEST

START_TEST (bounds_of_such_a_block_say_the_same)
{
  WpBounds *bounds = wp_bounds_new (load (CROSSED, 1, FALSE));
  WpStuck stuck;

  ck_assert_int_eq (wp_bounds_run (bounds, G_MAXUINT64), WP_BOUNDS_STUCK);
  ck_assert_int_eq (wp_bounds_run (bounds, G_MAXUINT64), WP_BOUNDS_STUCK);
  wp_bounds_get_stuck (bounds, &stuck);
  ck_assert_uint_eq (stuck.n, 2);
  ck_assert_int_eq (resolved->machine.instrs[stuck.instr].line, 2);
  wp_bounds_free (bounds);
}
END_TEST

/* ---- Policies ---- */

/* The first but for the first warp slot, which is never chosen. */
static uint32_t
pick_no_first (const WpSm *sm, const WpScheduler *scheduler)
{
  uint64_t others = scheduler->candidates[0] & ~UINT64_C (1);

  (void)sm;
  return others != 0 ? wp_lowest_bit (others) : WP_NO_BIT;
}

static uint32_t
pick_nobody (const WpSm *sm, const WpScheduler *scheduler)
{
  (void)sm;
  (void)scheduler;
  return WP_NO_BIT;
}

START_TEST (a_policy_that_starves_a_barrier_does_not_pass_as_finished)
{
  static const WpPolicy starves
      = { .name = "starves", .summary = "-", .pick = pick_no_first, .declines = true };
  const WpMachine *machine
      = load ("<program><repeat count='5'><i id='x' op='add' after='x'/></repeat>\n"
              "<barrier after='x'/></program>",
              1, FALSE);
  WpStuck stuck = run_until_stuck (machine, &starves, _i == 1);

  ck_assert_uint_eq (stuck.n, 2);
  ck_assert_uint_eq (stuck.n_held, 1);
  ck_assert_uint_eq (stuck.warp, 0);
  ck_assert (!stuck.held);
  ck_assert_str_eq (machine->names[machine->instrs[stuck.instr].cost->name], "add");
  ck_assert_uint_eq (stuck.barriers[0], 1);
}
END_TEST

START_TEST (a_policy_that_chooses_nobody_does_not_hang)
{
  static const WpPolicy idles
      = { .name = "idles", .summary = "-", .pick = pick_nobody, .declines = true };
  WpStuck stuck
      = run_until_stuck (load ("<program><i op='add'/></program>", 0, FALSE), &idles, _i == 1);

  ck_assert_uint_eq (stuck.n, 4);
  ck_assert_uint_eq (stuck.n_held, 0);
  ck_assert (!stuck.held);
}
END_TEST

static Suite *
make_suite (void)
{
  Suite *suite = suite_create ("stuck");
  TCase *kernels = tcase_create ("kernels"), *policies = tcase_create ("policies");

  tcase_add_checked_fixture (kernels, set_up, tear_down);
  tcase_add_loop_test (kernels, warps_that_wait_for_one_another_are_named, 0, 2);
  tcase_add_loop_test (kernels, all_simulated_sms_count_also_where_one_stands_for_others, 0, 2);
  tcase_add_test (kernels, a_number_of_warps_that_never_come_is_stuck);
  tcase_add_test (kernels, bounds_of_such_a_block_say_the_same);
  suite_add_tcase (suite, kernels);
  tcase_add_checked_fixture (policies, set_up, tear_down);
  tcase_add_loop_test (policies, a_policy_that_starves_a_barrier_does_not_pass_as_finished, 0, 2);
  tcase_add_loop_test (policies, a_policy_that_chooses_nobody_does_not_hang, 0, 2);
  suite_add_tcase (suite, policies);
  return suite;
}
