/* SPDX-License-Identifier: MIT */
/* Exact time: what is read is what was meant, nothing rounds before it is printed, and what does
 * not fit says so. */
#include "config.h"

#include "sim/base/wp-mean.h"
#include "sim/base/wp-time.h"

#include <string.h>

#include "tests/check-main.h"

static WpCycles
parse (const char *text)
{
  WpCycles value;

  ck_assert_ptr_null (wp_cycles_parse (text, true, &value));
  return value;
}

START_TEST (decimals_and_fractions_are_read_in_lowest_terms)
{
  const struct
  {
    const char *text;
    int64_t num, den;
  } cases[] = {
    { "0", 0, 1 },
    { "7", 7, 1 },
    { "12.3", 123, 10 },
    { "12.50", 25, 2 },
    { "0.125", 1, 8 },
    { "1/6", 1, 6 },
    { "10000/268", 2500, 67 },
    { "4/2", 2, 1 },
    { "-4", -4, 1 },
    { "-0.5", -1, 2 },
    { "0/5", 0, 1 },
    { "000000000000000000000001", 1, 1 },
    { "999999999999999999", 999999999999999999, 1 },
  };
  const size_t i = (size_t)_i % (sizeof cases / sizeof cases[0]);
  WpCycles value = parse (cases[i].text);

  ck_assert_int_eq (value.num, cases[i].num);
  ck_assert_int_eq (value.den, cases[i].den);
}
END_TEST

START_TEST (what_is_no_time_is_refused)
{
  const char *const wrong[] = { "",
                                " 1",
                                "1 ",
                                "1.",
                                ".5",
                                "1/",
                                "/2",
                                "1/0",
                                "1e3",
                                "0x10",
                                "1,5",
                                "nan",
                                "inf",
                                "1.2.3",
                                "1/2/3",
                                "+1",
                                "1/-2",
                                "--1",
                                "1000000000000000000",
                                "0.0000000000000000001" };
  WpCycles value;

  ck_assert_ptr_nonnull (wp_cycles_parse (wrong[_i], true, &value));
}
END_TEST

START_TEST (a_sign_is_refused_where_none_may_be)
{
  WpCycles value;

  ck_assert_str_eq (wp_cycles_parse ("-1", false, &value), "negative");
}
END_TEST

START_TEST (rationals_compare_exactly)
{
  /* These two differ by less than a double can represent. */
  WpCycles a = { 999999999999999998, 999999999999999999 };
  WpCycles b = { 999999999999999997, 999999999999999998 };

  ck_assert_int_gt (wp_cycles_compare (a, b), 0);
  ck_assert_int_lt (wp_cycles_compare (b, a), 0);
  ck_assert_int_eq (wp_cycles_compare (a, a), 0);
  ck_assert_int_lt (wp_cycles_compare (parse ("-3"), parse ("-2")), 0);
  ck_assert_int_lt (wp_cycles_compare (parse ("-3"), parse ("2")), 0);
}
END_TEST

START_TEST (multiples_are_added_exactly_or_refused)
{
  WpCycles sum;

  ck_assert (wp_cycles_add_times (parse ("1/6"), parse ("1/10"), 3, &sum));
  ck_assert_int_eq (sum.num, 7);
  ck_assert_int_eq (sum.den, 15);
  ck_assert (wp_cycles_add_times (parse ("24"), parse ("32"), 0, &sum));
  ck_assert_int_eq (sum.num, 24);
  ck_assert (!wp_cycles_add_times (parse ("1"), parse ("999999999999999999"), 1000, &sum));

  ck_assert (wp_cycles_scale (parse ("5/6"), 4, 10, &sum));
  ck_assert (sum.num == 1 && sum.den == 3);
  ck_assert (wp_cycles_scale (parse ("0"), 16, 4, &sum));
  ck_assert (sum.num == 0 && sum.den == 1);
  ck_assert (!wp_cycles_scale (parse ("999999999999999999"), 1000, 1, &sum));
  ck_assert (!wp_cycles_scale (parse ("1/999999999999999999"), 1, 1024, &sum));
}
END_TEST

static void
check_cycles (WpCycles value, int64_t num, int64_t den)
{
  ck_assert_int_eq (value.num, num);
  ck_assert_int_eq (value.den, den);
}

START_TEST (products_are_exact_or_refused)
{
  WpCycles product;

  ck_assert (wp_cycles_multiply (parse ("12.72"), parse ("5/3"), &product));
  check_cycles (product, 106, 5);
  ck_assert (wp_cycles_multiply (parse ("-3/2"), parse ("2/3"), &product));
  check_cycles (product, -1, 1);
  ck_assert (wp_cycles_multiply (parse ("0"), parse ("2/3"), &product));
  check_cycles (product, 0, 1);
  /* Cancelled before it is multiplied. */
  ck_assert (wp_cycles_multiply (parse ("999999999999999999/7"), parse ("7/999999999999999999"),
                                 &product));
  check_cycles (product, 1, 1);
  ck_assert (!wp_cycles_multiply (parse ("999999999999999999"), parse ("10"), &product));
  check_cycles (wp_cycles_invert (parse ("2/3")), 3, 2);
}
END_TEST

START_TEST (times_are_rounded_to_hundredths)
{
  check_cycles (wp_cycles_round (parse ("8.155")), 204, 25); /* 8.16: half up */
  check_cycles (wp_cycles_round (parse ("24462/3000")), 163, 20);
  check_cycles (wp_cycles_round (parse ("7.999")), 8, 1);
  check_cycles (wp_cycles_round (parse ("0.0001")), 1, 100); /* never to nothing */
  check_cycles (wp_cycles_round (parse ("0")), 0, 1);
  check_cycles (wp_cycles_round (parse ("1/999999999999999999")), 1, 100);
  check_cycles (wp_cycles_round (parse ("999999999999999998/999999999999999999")), 1, 1);
  check_cycles (wp_cycles_round (parse ("999999999999999999")), 999999999999999999, 1);
}
END_TEST

START_TEST (ticks_per_cycle_stops_at_2_to_the_31)
{
  int64_t lcm = 1;

  ck_assert (wp_ticks_per_cycle_join (&lcm, 6));
  ck_assert (wp_ticks_per_cycle_join (&lcm, 4));
  ck_assert_int_eq (lcm, 12);
  ck_assert (wp_ticks_per_cycle_join (&lcm, INT64_C (1) << 28));
  ck_assert_int_eq (lcm, INT64_C (3) << 28);
  ck_assert (!wp_ticks_per_cycle_join (&lcm, 7));
  ck_assert_int_eq (lcm, INT64_C (3) << 28);
}
END_TEST

START_TEST (ticks_beyond_the_limit_are_the_limit)
{
  ck_assert_int_eq (wp_cycles_to_ticks (parse ("12.3"), 10), 123);
  ck_assert_int_eq (wp_cycles_to_ticks (parse ("-12.3"), 20), -246);
  ck_assert_int_eq (wp_cycles_to_ticks (parse ("999999999999999999"), 5), WP_TICK_LIMIT);
  ck_assert_int_eq (wp_cycles_to_ticks (parse ("-999999999999999999"), INT64_C (1) << 31),
                    -WP_TICK_LIMIT);
}
END_TEST

START_TEST (numbers_are_printed_with_at_most_six_digits_half_up)
{
  const struct
  {
    uint64_t ticks;
    int64_t per_cycle;
    const char *text;
  } cases[] = {
    { 0, 1, "0" },
    { 7, 1, "7" },
    { 25, 2, "12.5" },
    { 1021, 3, "340.333333" },
    { 2, 3, "0.666667" },
    { 1, 2000000, "0.000001" },      /* half a millionth goes up */
    { 1, 2000001, "0" },             /* less than half does not */
    { 1999999999, 2000000000, "1" }, /* carries into the whole */
    { 1, 100000, "0.00001" },
    { 232460, 669, "347.473842" },
    { UINT64_MAX, 1, "18446744073709551615" },
  };
  const size_t i = (size_t)_i;
  char text[WP_TIME_CHARS];

  ck_assert_str_eq (wp_sum_format ((WpSum){ 0, cases[i].ticks }, cases[i].per_cycle, text),
                    cases[i].text);
}
END_TEST

START_TEST (sums_carry_beyond_64_bits)
{
  WpSum sum = { 0, UINT64_MAX };
  char text[WP_TIME_CHARS];

  wp_sum_add (&sum, 1);
  ck_assert_str_eq (wp_sum_format (sum, 1, text), "18446744073709551616");
  wp_sum_add_product (&sum, UINT64_MAX, UINT64_MAX);
  /* 2^64 + (2^64 - 1)^2 = 2^128 - 2^64 + 1 */
  ck_assert_str_eq (wp_sum_format (sum, 1, text), "340282366920938463444927863358058659841");
  ck_assert_str_eq (wp_sum_format (sum, INT64_C (1) << 31, text), "158456325028528675178497966080");
  ck_assert_double_eq_tol (wp_sum_to_double ((WpSum){ 1, 0 }), 18446744073709551616.0, 1.0);
  ck_assert_int_gt (wp_sum_compare (sum, (WpSum){ 1, UINT64_MAX }), 0);
}
END_TEST

START_TEST (means_are_compared_and_printed_exactly)
{
  char text[WP_TIME_CHARS];
  WpMean third = { { 0, 1 }, 3 }, sixths = { { 0, 2 }, 6 }, half = { { 0, 1 }, 2 };
  /* 2^80 / (2^62 - 1): cross products have more than 128 bits. */
  WpMean one = { { 1 << 16, 0 }, (UINT64_C (1) << 62) - 1 };
  WpMean other = { { 1 << 16, 1 }, (UINT64_C (1) << 62) - 1 };

  ck_assert_int_eq (wp_mean_compare (third, sixths), 0);
  ck_assert_int_lt (wp_mean_compare (third, half), 0);
  ck_assert_int_gt (wp_mean_compare (other, one), 0);
  ck_assert_str_eq (wp_mean_format (third, 1, text), "0.333333");
  ck_assert_str_eq (wp_mean_format (half, 4, text), "0.125");
  ck_assert_str_eq (wp_mean_format ((WpMean){ { 0, 1 }, 2000000 }, 1, text), "0.000001");
  ck_assert_str_eq (wp_mean_format ((WpMean){ { 0, 1 }, 2000001 }, 1, text), "0");
  ck_assert_str_eq (wp_mean_format ((WpMean){ { 0, 5999999 }, 2000000 }, 3, text), "1");
  ck_assert_str_eq (wp_mean_format ((WpMean){ { 1, 0 }, 1 }, 2, text), "9223372036854775808");
  ck_assert_double_eq (wp_mean_to_double (one), 262144.0);
}
END_TEST

START_TEST (values_are_written_as_a_file_would_have_them)
{
  char text[WP_TIME_CHARS];

  ck_assert_str_eq (wp_cycles_format (parse ("12.3"), text), "12.3");
  ck_assert_str_eq (wp_cycles_format (parse ("1/6"), text), "1/6");
  ck_assert_str_eq (wp_cycles_format (parse ("-0.05"), text), "-0.05");
  ck_assert_str_eq (wp_cycles_format (parse ("224"), text), "224");
  ck_assert_str_eq (wp_tick_format (-25, 2, text), "-12.5");
}
END_TEST

static Suite *
make_suite (void)
{
  Suite *suite = suite_create ("time");
  TCase *reading = tcase_create ("reading");
  TCase *exact = tcase_create ("exact");
  TCase *printing = tcase_create ("printing");

  tcase_add_loop_test (reading, decimals_and_fractions_are_read_in_lowest_terms, 0, 13);
  tcase_add_loop_test (reading, what_is_no_time_is_refused, 0, 20);
  tcase_add_test (reading, a_sign_is_refused_where_none_may_be);
  tcase_add_test (exact, rationals_compare_exactly);
  tcase_add_test (exact, multiples_are_added_exactly_or_refused);
  tcase_add_test (exact, products_are_exact_or_refused);
  tcase_add_test (exact, times_are_rounded_to_hundredths);
  tcase_add_test (exact, ticks_per_cycle_stops_at_2_to_the_31);
  tcase_add_test (exact, ticks_beyond_the_limit_are_the_limit);
  tcase_add_loop_test (printing, numbers_are_printed_with_at_most_six_digits_half_up, 0, 11);
  tcase_add_test (printing, sums_carry_beyond_64_bits);
  tcase_add_test (printing, means_are_compared_and_printed_exactly);
  tcase_add_test (printing, values_are_written_as_a_file_would_have_them);
  suite_add_tcase (suite, reading);
  suite_add_tcase (suite, exact);
  suite_add_tcase (suite, printing);
  return suite;
}
