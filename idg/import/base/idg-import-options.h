/* SPDX-License-Identifier: MIT */
/* What a user may say of a file that is imported, and what the import has to say in return.
 *
 * A listing says what may be executed; a kernel says what is. The difference are the rounds of
 * loops, the sides of branches, the launch, and how the addresses of the lanes fall. Constants in
 * the code give some of it, hints from the user the rest. What neither gives is assumed, with a
 * note. */
#pragma once

#include "idg/kernel/idg-kernel.h"

G_BEGIN_DECLS

/* How far a file that takes long is: SHARE (0 .. 1) of it, LINES. For a line on a terminal. */
typedef void (*IdgImportProgress) (gpointer data, gdouble share, guint64 lines);

/* What the user said, and what the import had to say. idg_import_new() makes one in which nothing
 * is said; fill it in with copies, which it owns. Numbers below 0 are not given. */
typedef struct
{
  gchar *entry;        /* kernel of the file: a name, or a trace's kernel id; NULL: the only one */
  GPtrArray *trips;    /* of gchar: "LABEL=N", "all=N" */
  GPtrArray *branches; /* of gchar: "LABEL=taken|not|both[:WARPS]", "all=..." */
  GPtrArray *contexts; /* of gchar: "LINE=NAME" */
  gchar *ptxas_log;    /* file with what `ptxas -v` said, or NULL */
  gchar *banks;        /* "32x4", "16x4", "32x8", or NULL: 32x4 */
  gint64 blocks, threads, registers, shared_memory;
  gboolean strict_names; /* an instruction that the tables do not know is an error, not a note */
  /* What idg_import_load() said, of gchar: "FILE:LINE: what was assumed; what to say to change it",
   * each once, in order. Those of several loads follow one another. */
  GPtrArray *notes;
  GHashTable *noted;          /* private: the same, to be found */
  IdgImportProgress progress; /* called every 16384 lines of a trace, or NULL */
  gpointer progress_data;
} IdgImport;

IDG_API IdgImport *idg_import_new (void);
IDG_API void idg_import_free (IdgImport *import);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IdgImport, idg_import_free)

G_END_DECLS
