/* SPDX-License-Identifier: MIT */
/* The front end for PTX; idg-ptx.h lists its parts. */
#include <string.h>

#include "idg/import/ptx/idg-ptx.h"

#include "idg/import/flow/idg-listing.h"
#include "idg/xml/idg-xml.h"

/* PTX begins with .version, after comments. */
static gboolean
recognize (const gchar *path, const gchar *head, gsize length)
{
  g_autoptr (GError) error = NULL;
  IdgPtxLexer lexer;

  if (g_str_has_suffix (path, ".ptx"))
    return TRUE;
  return idg_ptx_lexer_begin (&lexer, head, length, path, &error)
         && idg_ptx_is_word (&lexer, ".version");
}

static IdgPtxFunction *
choose_entry (IdgPtxModule *module, GError **error)
{
  g_autoptr (GPtrArray) entries = g_ptr_array_new ();
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  gint chosen;

  for (guint i = 0; i < module->functions->len; i++)
    {
      IdgPtxFunction *function = g_ptr_array_index (module->functions, i);

      if (!function->is_entry || !function->has_body)
        continue;
      g_ptr_array_add (entries, function);
      g_ptr_array_add (names, (gpointer)function->name);
    }
  if (entries->len == 0)
    {
      idg_import_fail (module->file, 0, IDG_ERROR_VALUE, error,
                       "no kernel; an .entry with a body is one");
      return NULL;
    }
  chosen = idg_import_choose_entry (module->import, module->file,
                                    (const gchar *const *)names->pdata, names->len, error);
  return chosen < 0 ? NULL : g_ptr_array_index (entries, (guint)chosen);
}

static gboolean
read_log (const IdgImport *import, IdgCode *code, GError **error)
{
  gint64 registers, shared_memory;

  if (!import->ptxas_log)
    return TRUE;
  if (!idg_ptxas_log_read (import->ptxas_log, code->name, &registers, &shared_memory, error))
    return FALSE;
  if (registers >= 0)
    code->registers_used = registers;
  if (shared_memory >= 0)
    code->shared_memory = shared_memory;
  return TRUE;
}

IdgKernel *
idg_ptx_parse (const gchar *data, gsize length, const gchar *name, IdgImport *import,
               GError **error)
{
  g_autoptr (IdgPtxModule) module = idg_ptx_module_new (data, length, name, import, error);
  IdgPtxFunction *entry = module ? choose_entry (module, error) : NULL;
  g_autoptr (IdgCode) code = entry ? idg_ptx_emit (module, entry, error) : NULL;

  if (!code || !read_log (import, code, error))
    return NULL;
  g_clear_pointer (&module, idg_ptx_module_free); /* the listing is independent of the module */
  code->unscheduled = TRUE;
  return idg_code_to_kernel (code, import, error);
}

static IdgKernel *
load (const gchar *path, IdgImport *import, GError **error)
{
  g_autoptr (GByteArray) bytes = idg_xml_read (path, IDG_ERROR, error);

  return bytes ? idg_ptx_parse ((const gchar *)bytes->data, bytes->len, path, import, error) : NULL;
}

const IdgFrontend idg_frontend_ptx = {
  .name = "ptx",
  .title = "PTX, as nvcc -ptx writes it",
  .recognize = recognize,
  .load = load,
};
