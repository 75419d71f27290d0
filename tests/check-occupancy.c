/* SPDX-License-Identifier: MIT */
/* Occupancy: each limit alone, the minimum of them, and what is refused. Expected values are worked
 * out in the comments by hand; those of section 5.7 of Volkov's thesis (2016) were measured by him.
 */
#include "config.h"

#include "sim/gpu/wp-occupancy.h"

#include <string.h>

#include "tests/check-main.h"

static WpGpu gpu;
static IdgLaunch launch;
static WpOccupancy occupancy;

/* An SM like GK104's: 64 warps, 16 blocks, 2048 threads, 64 K registers, 48 KB of shared memory. */
static void
setup (void)
{
  gpu = (WpGpu){ .name = (gchar *)"test", .warp_size = 32, .sms = 8 };
  gpu.limits = (WpGpuLimits){ .warps = 64,
                              .blocks = 16,
                              .threads = 2048,
                              .registers = 65536,
                              .shared_memory = 49152,
                              .threads_per_block = 1024,
                              .registers_per_thread = 63,
                              .shared_memory_per_block = 49152,
                              .register_allocation = 256,
                              .register_partitions = 4,
                              .shared_memory_allocation = 256 };
  launch = (IdgLaunch){ .blocks = 100, .threads = 32 };
}

static gint64
fit (gint64 cap, gboolean no_limits)
{
  g_autoptr (GError) error = NULL;

  ck_assert_msg (wp_occupancy_compute (&gpu, &launch, cap, no_limits, &occupancy, &error), "%s",
                 error != NULL ? error->message : "");
  return occupancy.blocks;
}

static void
refused (const gchar *message)
{
  g_autoptr (GError) error = NULL;

  ck_assert (!wp_occupancy_compute (&gpu, &launch, 0, FALSE, &occupancy, &error));
  ck_assert (g_error_matches (error, WP_ERROR, WP_ERROR_FIT));
  ck_assert_str_eq (error->message, message);
}

START_TEST (shared_memory_is_rounded_up_as_volkov_measured)
{
  launch.shared_memory = 3072;
  ck_assert_int_eq (fit (0, FALSE), 16);
  launch.shared_memory = 3073; /* 3328 with the unit of 256: 49152 / 3328 = 14.8 */
  ck_assert_int_eq (fit (0, FALSE), 14);
}
END_TEST

START_TEST (a_fixed_cost_of_each_block_comes_on_top)
{
  gpu.limits.shared_memory_reserved = 1024;
  launch.shared_memory = 3072;
  ck_assert_int_eq (fit (0, FALSE), 12); /* 49152 / 4096 */
  launch.shared_memory = 0;
  fit (0, FALSE);
  ck_assert_int_eq (occupancy.by[WP_LIMIT_SHARED_MEMORY],
                    48); /* it binds without any of the launch's own */
}
END_TEST

START_TEST (threads_count_in_whole_warps)
{
  launch.threads = 1000; /* 32 warps */
  ck_assert_int_eq (fit (0, FALSE), 2);
  ck_assert_int_eq (occupancy.warps_per_block, 32);
  launch.threads = 33;
  fit (0, FALSE);
  ck_assert_int_eq (occupancy.by[WP_LIMIT_THREADS], 32); /* 2048 / 64 */
}
END_TEST

START_TEST (registers_are_handed_out_by_warp_and_partition)
{
  launch.threads = 192; /* 6 warps */
  launch.registers
      = 33; /* 1056 a warp, 1280 with the unit; 16384 / 1280 = 12 warps in a partition, 48 in all */
  fit (0, FALSE);
  ck_assert_int_eq (occupancy.by[WP_LIMIT_REGISTERS], 8);
  gpu.limits.register_partitions = 1; /* 65536 / 1280 = 51 warps */
  fit (0, FALSE);
  ck_assert_int_eq (occupancy.by[WP_LIMIT_REGISTERS], 8);
  launch.threads = 96; /* 51 / 3 = 17, but 48 / 3 = 16 */
  fit (0, FALSE);
  ck_assert_int_eq (occupancy.by[WP_LIMIT_REGISTERS], 17);
}
END_TEST

START_TEST (registers_are_handed_out_by_block_on_old_gpus)
{
  gpu.limits.register_per_block = TRUE;
  gpu.limits.register_partitions = 1;
  launch.threads = 96;
  launch.registers = 33; /* 33 x 96 = 3168, 3328 with the unit: 65536 / 3328 = 19.7 */
  fit (0, FALSE);
  ck_assert_int_eq (occupancy.by[WP_LIMIT_REGISTERS], 19);
}
END_TEST

START_TEST (the_user_s_cap_is_in_warps)
{
  launch.threads = 96;
  ck_assert_int_eq (fit (17, FALSE), 5); /* 17 / 3 */
  ck_assert_int_eq (occupancy.by[WP_LIMIT_OCCUPANCY], 5);
}
END_TEST

START_TEST (without_limits_only_the_cap_binds)
{
  ck_assert_int_eq (fit (0, TRUE), WP_DOES_NOT_BIND);
  ck_assert_int_eq (fit (100, TRUE), 100);
}
END_TEST

START_TEST (what_a_block_may_not_have_is_refused_with_and_without_limits)
{
  g_autoptr (GError) error = NULL;

  launch.threads = 1025;
  refused ("the launch has 1025 threads per block; test allows at most 1024");
  ck_assert (!wp_occupancy_compute (&gpu, &launch, 0, TRUE, &occupancy, &error));
  launch.threads = 1024;
  launch.registers = 64;
  refused ("the launch has 64 registers per thread; test allows at most 63");
  launch.registers = 0;
  launch.shared_memory = 49153;
  refused ("the launch has 49153 bytes of shared memory per block; test allows at most 49152");
}
END_TEST

START_TEST (no_block_fits_says_which_resource_is_short)
{
  launch.threads = 1024;
  gpu.limits.registers = 32768;
  launch.registers = 63; /* 2016 a warp, 2048 with the unit, 32 warps: 65536 */
  refused ("no block fits: one needs 65536 registers, and an SM has 32768 in partitions that warps "
           "do not straddle");
  launch.registers = 0;
  gpu.limits.warps = 16;
  refused ("no block fits: one needs 32 warps, and an SM has 16");
}
END_TEST

START_TEST (what_a_block_takes_is_rounded_as_it_is_handed_out)
{
  gpu.limits.shared_memory_reserved = 1024;
  launch = (IdgLaunch){ .blocks = 1, .threads = 100, .registers = 33, .shared_memory = 3073 };
  ck_assert_int_eq (wp_occupancy_get_need (&gpu, &launch, WP_LIMIT_BLOCKS), 1);
  ck_assert_int_eq (wp_occupancy_get_need (&gpu, &launch, WP_LIMIT_WARPS), 4);
  ck_assert_int_eq (wp_occupancy_get_need (&gpu, &launch, WP_LIMIT_THREADS), 128);
  ck_assert_int_eq (wp_occupancy_get_need (&gpu, &launch, WP_LIMIT_REGISTERS),
                    5120); /* 1056 a warp, 1280 with the unit */
  ck_assert_int_eq (wp_occupancy_get_need (&gpu, &launch, WP_LIMIT_SHARED_MEMORY),
                    4352); /* 3073 + 1024 = 4097 = 16 x 256 + 1 */
  ck_assert_int_eq (wp_occupancy_get_need (&gpu, &launch, WP_LIMIT_OCCUPANCY), 4);
  gpu.limits.register_per_block = TRUE;
  ck_assert_int_eq (wp_occupancy_get_need (&gpu, &launch, WP_LIMIT_REGISTERS),
                    4352); /* 33 x 128 = 4224 = 16 x 256 + 128 */
}
END_TEST

START_TEST (what_an_sm_has_and_the_cap)
{
  const gint64 supplies[WP_N_LIMITS] = { 16, 64, 2048, 65536, 49152, 17 };

  for (guint limit = 0; limit < WP_N_LIMITS; limit++)
    ck_assert_int_eq (wp_occupancy_get_supply (&gpu, 17, limit), supplies[limit]);
}
END_TEST

static Suite *
make_suite (void)
{
  Suite *suite = suite_create ("occupancy");
  TCase *fits = tcase_create ("fits");
  TCase *refuses = tcase_create ("refuses");

  tcase_add_checked_fixture (fits, setup, NULL);
  tcase_add_checked_fixture (refuses, setup, NULL);
  tcase_add_test (fits, shared_memory_is_rounded_up_as_volkov_measured);
  tcase_add_test (fits, a_fixed_cost_of_each_block_comes_on_top);
  tcase_add_test (fits, threads_count_in_whole_warps);
  tcase_add_test (fits, registers_are_handed_out_by_warp_and_partition);
  tcase_add_test (fits, registers_are_handed_out_by_block_on_old_gpus);
  tcase_add_test (fits, the_user_s_cap_is_in_warps);
  tcase_add_test (fits, without_limits_only_the_cap_binds);
  tcase_add_test (fits, what_a_block_takes_is_rounded_as_it_is_handed_out);
  tcase_add_test (fits, what_an_sm_has_and_the_cap);
  tcase_add_test (refuses, what_a_block_may_not_have_is_refused_with_and_without_limits);
  tcase_add_test (refuses, no_block_fits_says_which_resource_is_short);
  suite_add_tcase (suite, fits);
  suite_add_tcase (suite, refuses);
  return suite;
}
