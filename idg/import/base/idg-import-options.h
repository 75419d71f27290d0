/* SPDX-License-Identifier: MIT */
/* What a user may say about a file to import, and the notes that the import returns.
 *
 * A listing says what may be executed; a kernel says what is executed. They differ in the
 * iterations of loops, the sides of branches, the launch, and the addresses of the lanes. Constants
 * in the code give some of that, hints from the user give the rest. What neither gives is assumed,
 * with a note. */
#pragma once

#include "idg/kernel/idg-kernel.h"

G_BEGIN_DECLS

/* Called to show progress on a terminal while a long file is read. SHARE: the part that has been
 * read, 0 .. 1; LINES: how many lines that is. */
typedef void (*IdgImportProgress) (gpointer data, gdouble share, guint64 lines);

/* The user's hints, and the notes of the import. idg_import_new() makes one without hints; fill it
 * in with copies, which it owns. A number below 0 is not given. */
typedef struct IdgImport
{
  gchar *entry;        /* the kernel to import: a name, or a trace's kernel id; NULL: the only one
                        * in the file */
  GPtrArray *trips;    /* of gchar: "LABEL=N", "FILE:LINE=N", "all=N" */
  GPtrArray *branches; /* of gchar: "LABEL=taken|not|both[:WARPS]", "FILE:LINE=...", "all=..." */
  GPtrArray *contexts; /* of gchar: "LINE=NAME", "FILE:LINE=NAME" */
  gchar *ptxas_log;    /* the file with the output of `ptxas -v`, or NULL */
  gchar *banks;        /* "32x4", "16x4", "32x8", or NULL: 32x4 */
  gint64 blocks, threads, registers, shared_memory;
  gint64 block_dim[3];   /* x, y, z of a block: %ntid; 0: not given, then it is `threads` x 1 x 1 */
  gint64 grid_dim[3];    /* x, y, z of the grid: %nctaid; 0: not given, then `blocks` x 1 x 1 */
  gboolean strict_names; /* an instruction that the tables lack is an error instead of a note */
  /* The notes of idg_import_load(), of gchar: "FILE:LINE: what was assumed; what to say to change
   * it". Each occurs once, in order; several loads append to one another. */
  GPtrArray *notes;
  IdgImportProgress progress; /* called every 16384 lines of a trace, or NULL */
  gpointer progress_data;
  guint target; /* of a file with code for several GPUs: 75 for compute capability 7.5; 0: any */
} IdgImport;

IDG_API IdgImport *idg_import_new (void);
IDG_API void idg_import_free (IdgImport *import);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IdgImport, idg_import_free)

G_END_DECLS
