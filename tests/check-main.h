/* SPDX-License-Identifier: MIT */
/* Include last, once: gives a unit test program its main(), which reports in TAP. */
#pragma once

#include <check.h>
#include <stdint.h>
#include <stdlib.h>

/* Check writes to a file at each assertion that holds, to know the last one where a test crashes:
 * in long loops that is most of the time. Here a test does so where it comes to a line for the
 * first time. Its threads may come there together. */
static inline void
check_mark (const char *file, int line)
{
  static unsigned char is_marked[1 << 13];

  if (line < (int)sizeof is_marked && __atomic_load_n (&is_marked[line], __ATOMIC_RELAXED))
    return;
  if (line < (int)sizeof is_marked)
    __atomic_store_n (&is_marked[line], 1, __ATOMIC_RELAXED);
  _mark_point (file, line);
}

#undef ck_assert_msg
#define ck_assert_msg(expr, ...)                                                                   \
  (expr) ? check_mark (__FILE__, __LINE__)                                                         \
         : _ck_assert_failed (__FILE__, __LINE__, "Assertion '" #expr "' failed", ##__VA_ARGS__)

/* How many random cases to take: MOST, or as few as WARPIPE_RANDOM_CASES says (valgrind,
 * sanitizers), at least 20. */
static inline unsigned
check_get_cases (unsigned most)
{
  const char *text = getenv ("WARPIPE_RANDOM_CASES");
  unsigned long cases = text != NULL ? strtoul (text, NULL, 10) : most;

  return cases < 20 ? 20 : cases > most ? most : (unsigned)cases;
}

/* Of a long list of cases that are not random, every how many are run; the size of large inputs is
 * divided by it. It is 1, and more where fewer random cases are asked for, as they are where each
 * takes long: under sanitizers, and a hundred times as long under valgrind. */
static inline unsigned
check_get_stride (void)
{
  const char *text = getenv ("WARPIPE_RANDOM_CASES");
  unsigned long cases = text != NULL && *text != '\0' ? strtoul (text, NULL, 10) : 2000;

  return cases < 100 ? 151 : cases < 1000 ? 7 : cases < 2000 ? 3 : 1;
}

/* The size of an input that is large for what it shows: MOST, and FEW under valgrind, which looks
 * at memory and takes a hundred times as long. */
static inline unsigned
check_get_size (unsigned most, unsigned few)
{
  return getenv ("WARPIPE_SMALL_INPUTS") != NULL ? few : most;
}

/* The seeds from FIRST up to, but without, LAST. */
typedef struct CheckSeeds
{
  uint64_t first, last;
} CheckSeeds;

/* Test I of N takes these: all take a PART-th of WARPIPE_RANDOM_CASES (2000). */
static inline CheckSeeds
check_get_seeds (unsigned part, int i, unsigned n)
{
  const char *text = getenv ("WARPIPE_RANDOM_CASES");
  uint64_t all = (text == NULL || *text == '\0' ? 2000 : strtoull (text, NULL, 10)) / part;

  return (CheckSeeds){ all * (uint64_t)i / n, all * ((uint64_t)i + 1) / n };
}

/* The program's own: one suite, named for the module. */
static Suite *make_suite (void);

int
main (void)
{
  SRunner *runner = srunner_create (make_suite ());
  int failed;

  srunner_set_tap (runner, "-");
  srunner_run_all (runner, CK_SILENT);
  failed = srunner_ntests_failed (runner);
  srunner_free (runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
