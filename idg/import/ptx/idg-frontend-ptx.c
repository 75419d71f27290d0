/* SPDX-License-Identifier: MIT */
/* The front end for PTX; idg-ptx.h lists its parts. */
#include <string.h>

#include "idg/import/ptx/idg-ptx.h"

#include "idg/import/flow/idg-listing.h"
#include "idg/xml/idg-text.h"

/* PTX begins with .version, after comments; or with the header of an image. */
static gboolean
recognize (const gchar *path, const gchar *head, gsize length)
{
  g_autoptr (GError) error = NULL;
  IdgPtxLexer lexer;

  if (g_str_has_suffix (path, ".ptx"))
    return TRUE;
  return idg_ptx_images_recognize (head, length)
         || (idg_ptx_lexer_begin (&lexer, head, length, 1, path, &error)
             && idg_ptx_is_word (&lexer, ".version"));
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
  IdgPtxModule *module = NULL;
  IdgPtxFunction *entry = NULL;
  g_autoptr (GPtrArray) modules
      = idg_ptx_images_load (data, length, name, import, &module, &entry, error);
  g_autoptr (IdgCode) code = modules ? idg_ptx_emit (module, entry, error) : NULL;

  if (!code || !read_log (import, code, error))
    return NULL;
  g_clear_pointer (&modules, g_ptr_array_unref); /* the listing is independent of the modules */
  code->unscheduled = TRUE;
  return idg_code_to_kernel (code, import, error);
}

static IdgKernel *
load (const gchar *path, IdgImport *import, GError **error)
{
  g_autoptr (GByteArray) bytes = idg_text_read (path, IDG_ERROR, error);

  return bytes ? idg_ptx_parse ((const gchar *)bytes->data, bytes->len, path, import, error) : NULL;
}

const IdgFrontend idg_frontend_ptx = {
  .name = "ptx",
  .title = "PTX, as nvcc -ptx writes it",
  .recognize = recognize,
  .load = load,
};
