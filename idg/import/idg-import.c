/* SPDX-License-Identifier: MIT */
/* The table of front ends. A file's format follows from its name and its first bytes, because
 * commands accept it wherever they accept a kernel.xml.
 */
#include "idg/import/idg-import.h"

#include "idg/import/base/idg-frontend.h"
#include "idg/xml/idg-head.h"
#include "idg/xml/idg-text.h"

#define HEAD 4096

static const IdgFrontend *const frontends[]
    = { &idg_frontend_trace, &idg_frontend_ptx, &idg_frontend_sass, NULL };

static const IdgFrontend *
find_frontend (const gchar *path)
{
  gchar head[HEAD];
  gsize length = idg_text_decode_head (head, idg_read_head (path, head, sizeof head));

  for (guint i = 0; frontends[i] != NULL; i++)
    if (frontends[i]->recognize (path, head, length))
      return frontends[i];
  return NULL;
}

const gchar *
idg_import_recognize (const gchar *path)
{
  const IdgFrontend *frontend = find_frontend (path);

  return frontend != NULL ? frontend->name : NULL;
}

IdgKernel *
idg_import_load (const gchar *path, IdgImport *import, GError **error)
{
  const IdgFrontend *frontend = find_frontend (path);

  if (frontend != NULL)
    return frontend->load (path, import, error);
  idg_import_fail (
      path, 0, IDG_ERROR_READ, error,
      g_file_test (path, G_FILE_TEST_EXISTS)
          ? "neither PTX (nvcc -ptx makes it of CUDA), nor a SASS listing, nor a trace "
            "(kernelslist.g, *.traceg)"
          : "no such file");
  return NULL;
}
