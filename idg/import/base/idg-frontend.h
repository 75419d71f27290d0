/* SPDX-License-Identifier: MIT */
/* Private: what a front end is. It turns a file into an IdgKernel and knows no GPU. The front ends
 * for PTX and SASS read a listing (idg-code.h) and leave its control flow to idg_code_to_kernel().
 */
#pragma once

#include "idg/import/base/idg-notes.h"

G_BEGIN_DECLS

typedef struct
{
  const gchar *name;  /* "ptx" */
  const gchar *title; /* one line for people */
  /* Tells whether a file is of this format, from its name and its first LENGTH bytes, HEAD (at most
   * 4096). */
  gboolean (*recognize) (const gchar *path, const gchar *head, gsize length);
  IdgKernel *(*load) (const gchar *path, IdgImport *import, GError **error);
} IdgFrontend;

extern const IdgFrontend idg_frontend_ptx, idg_frontend_sass, idg_frontend_trace;

/* Parses from memory, for tests and fuzzers. Messages use NAME as the file's path. */
IdgKernel *idg_ptx_parse (const gchar *data, gsize length, const gchar *name, IdgImport *import,
                          GError **error);
IdgKernel *idg_sass_parse (const gchar *data, gsize length, const gchar *name, IdgImport *import,
                           GError **error);

G_END_DECLS
