/* SPDX-License-Identifier: MIT */
/* Makes and frees the options and notes of an import. */
#include "idg/import/base/idg-import-options.h"

#include "idg/import/base/idg-import-private.h"

/* What idg_import_new() makes: notes are looked up before they are added. */
typedef struct
{
  IdgImport import;  /* first, so that one is the other */
  GHashTable *noted; /* of the strings in import.notes */
} Whole;

IdgImport *
idg_import_new (void)
{
  Whole *whole = g_new0 (Whole, 1);
  IdgImport *import = &whole->import;

  import->trips = g_ptr_array_new_with_free_func (g_free);
  import->branches = g_ptr_array_new_with_free_func (g_free);
  import->contexts = g_ptr_array_new_with_free_func (g_free);
  import->notes = g_ptr_array_new_with_free_func (g_free);
  whole->noted = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
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
  g_hash_table_unref (((Whole *)import)->noted);
  g_free (import);
}

void
idg_import_add_note (IdgImport *import, const gchar *note)
{
  if (g_hash_table_add (((Whole *)import)->noted, g_strdup (note)))
    g_ptr_array_add (import->notes, g_strdup (note));
}
