/* SPDX-License-Identifier: MIT */
/* The table of limits by compute capability: what a row becomes. tests/bad/table has the ways to be
 * wrong. */
#include "config.h"

#include "sim/gpu/wp-capability.h"

#include <string.h>

#include "tests/check-main.h"

#define HEADER                                                                                     \
  "cc,warps_per_sm,blocks_per_sm,shared_per_sm,shared_per_block,registers_per_sm,register_unit,"   \
  "registers_per_thread,shared_unit,register_partitions,shared_reserved\n"

static GPtrArray *
parse (const gchar *text)
{
  g_autoptr (GError) error = NULL;
  GPtrArray *table = wp_capabilities_parse (text, strlen (text), "test", &error);

  ck_assert_msg (table != NULL, "%s", error != NULL ? error->message : "");
  return table;
}

static const WpCapability *
find (const GPtrArray *table, const gchar *name)
{
  g_autoptr (GError) error = NULL;
  const WpCapability *capability = wp_capabilities_find (table, name, &error);

  ck_assert_msg (capability != NULL, "%s", error != NULL ? error->message : "");
  return capability;
}

START_TEST (each_column_has_its_place)
{
  g_autoptr (GPtrArray) table = parse (HEADER "2.5,3,4,6,5,7,8,9,10,11,12\n");
  const WpGpuLimits *limits = &find (table, "2.5")->limits;

  ck_assert_int_eq (limits->warps, 3);
  ck_assert_int_eq (limits->blocks, 4);
  ck_assert_int_eq (limits->shared_memory, 6);
  ck_assert_int_eq (limits->shared_memory_per_block, 5);
  ck_assert_int_eq (limits->registers, 7);
  ck_assert_int_eq (limits->register_allocation, 8);
  ck_assert_int_eq (limits->registers_per_thread, 9);
  ck_assert_int_eq (limits->shared_memory_allocation, 10);
  ck_assert_int_eq (limits->register_partitions, 11);
  ck_assert_int_eq (limits->shared_memory_reserved, 12);
  ck_assert (!limits->register_per_block);
}
END_TEST

START_TEST (threads_follow_from_warps_and_the_age_of_the_gpu)
{
  g_autoptr (GPtrArray) table = parse (HEADER "1.3,32,8,1,1,1,512/block,1,1,1,0\n"
                                              "10.0,48,8,1,1,1,64,1,1,1,0\n");

  ck_assert_int_eq (find (table, "1.3")->limits.threads, 1024);
  ck_assert_int_eq (find (table, "1.3")->limits.threads_per_block, 512);
  ck_assert (find (table, "1.3")->limits.register_per_block);
  ck_assert_int_eq (find (table, "10.0")->limits.threads, 1536);
  ck_assert_int_eq (find (table, "10.0")->limits.threads_per_block, 1024);
}
END_TEST

START_TEST (stars_are_remembered_and_comments_are_not)
{
  g_autoptr (GPtrArray) table
      = parse ("# one\n" HEADER "# two,*\n1.0,1,1,2,1*,1,256/block*,1,1,1,0\n# three");
  const WpCapability *capability = find (table, "1.0");

  ck_assert_uint_eq (table->len, 1);
  ck_assert_uint_eq (capability->doubtful->len, 2);
  ck_assert_str_eq (g_ptr_array_index (capability->doubtful, 0), "shared_per_block");
  ck_assert_str_eq (g_ptr_array_index (capability->doubtful, 1), "register_unit");
}
END_TEST

START_TEST (the_last_line_need_not_end)
{
  g_autoptr (GPtrArray) table = parse (HEADER "1.0,1,1,1,1,1,1,1,1,1,0\n1.1,1,1,1,1,1,1,1,1,1,7");

  ck_assert_uint_eq (table->len, 2);
  ck_assert_int_eq (find (table, "1.1")->limits.shared_memory_reserved, 7);
}
END_TEST

START_TEST (a_name_is_found_as_it_is_written_or_not_at_all)
{
  g_autoptr (GPtrArray) table = parse (HEADER "8.6,1,1,1,1,1,1,1,1,1,0\n8.0,1,1,1,1,1,1,1,1,1,0\n");
  g_autoptr (GError) error = NULL;

  ck_assert (wp_capabilities_find (table, "8.7", &error) == NULL);
  ck_assert (g_error_matches (error, WP_ERROR, WP_ERROR_VALUE));
  ck_assert_str_eq (error->message,
                    "no compute capability \"8.7\" is in the table of limits; there are 8.6, 8.0");
}
END_TEST

START_TEST (a_gpu_of_it_has_the_limits_and_a_name)
{
  g_autoptr (GPtrArray) table = parse (HEADER "8.6,48,16,100,99,5,4,3,2,1,0\n");
  g_autoptr (WpGpu) gpu = wp_capability_make_gpu (find (table, "8.6"));

  ck_assert_str_eq (gpu->name, "compute capability 8.6");
  ck_assert_int_eq (gpu->warp_size, 32);
  ck_assert_mem_eq (&gpu->limits, &find (table, "8.6")->limits, sizeof gpu->limits);
}
END_TEST

static Suite *
make_suite (void)
{
  Suite *suite = suite_create ("capability");
  TCase *reads = tcase_create ("reads");

  tcase_add_test (reads, each_column_has_its_place);
  tcase_add_test (reads, threads_follow_from_warps_and_the_age_of_the_gpu);
  tcase_add_test (reads, stars_are_remembered_and_comments_are_not);
  tcase_add_test (reads, the_last_line_need_not_end);
  tcase_add_test (reads, a_name_is_found_as_it_is_written_or_not_at_all);
  tcase_add_test (reads, a_gpu_of_it_has_the_limits_and_a_name);
  suite_add_tcase (suite, reads);
  return suite;
}
