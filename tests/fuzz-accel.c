/* SPDX-License-Identifier: MIT */
/* Any bytes as a trace, compressed ones too: it becomes a kernel, or is refused with a message that
 * names the file. */
#include "idg/import/accel/idg-accel.h"
#include "tests/fuzz-import.h"
#include "tests/fuzz.h"

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (IdgImport) import = idg_import_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (IdgKernel) kernel = NULL;

  import->blocks = size % 8 == 7 ? 1 : -1;
  kernel = idg_accel_parse_memory ((const gchar *)data, size, "k.traceg", import, &error);
  fuzz_check_imported (kernel, "k.traceg", error);
  return 0;
}
