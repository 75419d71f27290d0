/* SPDX-License-Identifier: MIT */
/* Private: notes and errors of an import, with file and line, and the names and texts that a
 * kernel.xml can contain. */
#pragma once

#include "idg/import/base/idg-import-options.h"

G_BEGIN_DECLS

/* The first turns NAME into a valid name of a kernel, with a note where it is another, the second
 * TEXT into the value of an attribute, on one line. Both accept any bytes. Free with g_free(). */
gchar *idg_import_make_name (IdgImport *import, const gchar *file, const gchar *name);
gchar *idg_import_make_text (const gchar *text);

/* Returns what C++ calls the kernel NAME, as a title; NULL if that is nothing else, or nobody can
 * say. Free with g_free(). */
gchar *idg_import_make_title (const gchar *name);

/* Adds "FILE:LINE: ..." (LINE 0: "FILE: ...") to the notes, unless they contain it already. */
void idg_import_note (IdgImport *import, const gchar *file, gint line, const gchar *format, ...)
    G_GNUC_PRINTF (4, 5);

/* Sets ERROR to "FILE:LINE: ..." (LINE 0: "FILE: ..."). Returns FALSE. */
gboolean idg_import_fail (const gchar *file, gint line, IdgError code, GError **error,
                          const gchar *format, ...) G_GNUC_PRINTF (5, 6);

/* Returns the index of the one of NAMES that the user asked for (--entry), or of the only one; -1
 * with an error that lists them if that decides nothing. A kernel of C++ may be asked for by its
 * name in the file, by what C++ calls it, with its parameters or without, or by a part of these. */
gint idg_import_choose_entry (const IdgImport *import, const gchar *file, const gchar *const *names,
                              gsize n, GError **error);

G_END_DECLS
