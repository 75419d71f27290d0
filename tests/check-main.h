/* SPDX-License-Identifier: MIT */
/* Include last, once: gives a unit test program its main(), which reports in TAP. */
#pragma once

#include <check.h>
#include <stdlib.h>

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
