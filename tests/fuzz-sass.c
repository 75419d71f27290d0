/* SPDX-License-Identifier: MIT */
/* Any bytes as a SASS listing: it becomes a kernel, or is refused with a message that names the
 * file. */
#include "tests/fuzz-import.h"
#include "tests/fuzz.h"

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (IdgImport) import = fuzz_make_import (data, size);
  g_autoptr (GError) error = NULL;
  g_autoptr (IdgKernel) kernel
      = idg_sass_parse ((const gchar *)data, size, "a.sass", import, &error);

  fuzz_check_imported (kernel, "a.sass", error);
  return 0;
}
