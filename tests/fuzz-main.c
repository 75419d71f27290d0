/* SPDX-License-Identifier: MIT */
/* Stands in for libFuzzer: gives the target each file named on the command line, so that every
 * compiler, and valgrind, can replay the kept corpus. */
#include <glib.h>
#include <stdlib.h>

#include "tests/fuzz.h"

int
main (int argc, char **argv)
{
  for (int i = 1; i < argc; i++)
    {
      g_autofree gchar *data = NULL;
      g_autoptr (GError) error = NULL;
      gsize size;

      if (!g_file_get_contents (argv[i], &data, &size, &error))
        {
          g_printerr ("%s\n", error->message);
          return EXIT_FAILURE;
        }
      g_printerr ("%s\n", argv[i]);
      LLVMFuzzerTestOneInput ((const uint8_t *)data, size);
    }
  return EXIT_SUCCESS;
}
