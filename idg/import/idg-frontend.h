/* SPDX-License-Identifier: MIT */
/* Private: the table of front ends, and what they share. A front end turns a file into an
 * IdgKernel; PTX and SASS do so through a listing (idg-code.h), which idg_code_to_kernel() turns
 * into one. It knows no GPU. */
#pragma once

#include "idg/import/flow/idg-code.h"
#include "idg/import/idg-import.h"

G_BEGIN_DECLS

typedef struct
{
  const gchar *name;  /* "ptx" */
  const gchar *title; /* one line for people */
  /* Whether a file with this name that begins with the LENGTH (at most 4096) bytes of HEAD is one.
   */
  gboolean (*recognize) (const gchar *path, const gchar *head, gsize length);
  IdgKernel *(*load) (const gchar *path, IdgImport *import, GError **error);
} IdgFrontend;

extern const IdgFrontend idg_frontend_ptx, idg_frontend_sass, idg_frontend_trace;

/* From memory, for tests and fuzzers: NAME stands in messages for the path. */
IdgKernel *idg_ptx_parse (const gchar *data, gsize length, const gchar *name, IdgImport *import,
                          GError **error);
IdgKernel *idg_sass_parse (const gchar *data, gsize length, const gchar *name, IdgImport *import,
                           GError **error);

/* The kernel that CODE is when it is run as IMPORT says: loops counted, branches decided,
 * dependences found by register, launch filled in. Cost: O(n log n) in the instructions that come
 * out. */
IdgKernel *idg_code_to_kernel (const IdgCode *code, IdgImport *import, GError **error);

/* NAME as a kernel may be called; TEXT as an attribute may hold it, on one line. Any bytes will do.
 * Free with g_free(). */
gchar *idg_import_make_name (const gchar *name);
gchar *idg_import_make_text (const gchar *text);

/* Adds "FILE:LINE: ..." (LINE 0: "FILE: ...") to the notes, unless it is there already. */
void idg_import_note (IdgImport *import, const gchar *file, gint line, const gchar *format, ...)
    G_GNUC_PRINTF (4, 5);

/* Sets ERROR to "FILE:LINE: ..." (LINE 0: "FILE: ..."); FALSE. */
gboolean idg_import_fail (const gchar *file, gint line, IdgError code, GError **error,
                          const gchar *format, ...) G_GNUC_PRINTF (5, 6);

/* The one of NAMES that the user asked for (--entry), or the only one; else an error that lists
 * them. Index, or -1. */
gint idg_import_choose_entry (const IdgImport *import, const gchar *file, const gchar *const *names,
                              gsize n, GError **error);

G_END_DECLS
