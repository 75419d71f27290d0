/* SPDX-License-Identifier: MIT */
/* Makes and frees the options and notes of an import. */
#include "idg/import/base/idg-import-options.h"

IdgImport *
idg_import_new (void)
{
  IdgImport *import = g_new0 (IdgImport, 1);

  import->trips = g_ptr_array_new_with_free_func (g_free);
  import->branches = g_ptr_array_new_with_free_func (g_free);
  import->contexts = g_ptr_array_new_with_free_func (g_free);
  import->notes = g_ptr_array_new_with_free_func (g_free);
  import->noted = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  import->blocks = import->threads = import->registers = import->shared_memory = -1;
  return import;
}

void
idg_import_free (IdgImport *import)
{
  if (import == NULL)
    return;
  g_free (import->entry);
  g_free (import->ptxas_log);
  g_free (import->banks);
  g_ptr_array_unref (import->trips);
  g_ptr_array_unref (import->branches);
  g_ptr_array_unref (import->contexts);
  g_ptr_array_unref (import->notes);
  g_hash_table_unref (import->noted);
  g_free (import);
}
