/* SPDX-License-Identifier: MIT */
/* Include last, once: gives a unit test program its main(), which reports in TAP. */
#pragma once

#include <check.h>
#include <stdlib.h>

/* How many random cases to take: MOST, or as few as WARPIPE_RANDOM_CASES says (valgrind,
 * sanitizers), at least 20. */
static inline unsigned
check_get_cases (unsigned most)
{
  const char *text = getenv ("WARPIPE_RANDOM_CASES");
  unsigned long cases = text != NULL ? strtoul (text, NULL, 10) : most;

  return cases < 20 ? 20 : cases > most ? most : (unsigned)cases;
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
