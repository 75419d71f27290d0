/* SPDX-License-Identifier: MIT */
#include "run/base/import-options.h"

void
wp_import_options_clear (WpImportOptions *import)
{
  g_free (import->entry);
  g_free (import->kernel);
  g_free (import->ptxas_log);
  g_free (import->banks);
  g_strfreev (import->trips);
  g_strfreev (import->branches);
  g_strfreev (import->contexts);
  g_strfreev (import->launches);
  g_strfreev (import->data);
  g_strfreev (import->dumps);
  g_free (import->nvcc);
  g_free (import->execute_limit);
  if (import->free_note_data != NULL)
    import->free_note_data (import->note_data);
}
