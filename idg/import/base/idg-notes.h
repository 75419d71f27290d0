/* SPDX-License-Identifier: MIT */
/* Private: what an import says, as notes and errors that name file and line, and names and texts
 * that a kernel.xml can hold. */
#pragma once

#include "idg/import/base/idg-import-options.h"

G_BEGIN_DECLS

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
