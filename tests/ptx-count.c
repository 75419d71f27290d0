/* SPDX-License-Identifier: MIT */
/* Prints, for each PTX file that is named, how many instructions the import finds in its kernel:
 * for bench/counts.py, which counts them again without any of this code. */
#include "config.h"

#include "idg/import/ptx/idg-ptx.h"
#include "idg/xml/idg-text.h"

static gboolean
count (const gchar *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (IdgImport) import = idg_import_new ();
  g_autoptr (GByteArray) bytes = idg_text_read (path, IDG_ERROR, &error);
  IdgPtxModule *module = NULL;
  IdgPtxFunction *entry = NULL;
  g_autoptr (GPtrArray) modules = bytes
                                      ? idg_ptx_images_load ((const gchar *)bytes->data, bytes->len,
                                                             path, import, &module, &entry, &error)
                                      : NULL;
  g_autoptr (IdgCode) code = modules ? idg_ptx_emit (module, entry, &error) : NULL;

  if (code)
    g_print ("%u\n", code->instrs->len);
  else
    g_printerr ("%s\n", error->message);
  return code != NULL;
}

int
main (int argc, char **argv)
{
  gboolean good = argc > 1;

  for (int i = 1; i < argc; i++)
    good = count (argv[i]) && good;
  return good ? 0 : 1;
}
