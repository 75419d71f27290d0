/* SPDX-License-Identifier: MIT */
/* From what the warps of a launch executed to a kernel: a program for each class of warps, with
 * repeats, dependences from registers, barriers, groups of copies, and contexts from the accesses
 * that were counted. The folding itself is that of traces (idg/import/fold).
 *
 * Blocks that were not executed run what others ran that are placed likewise in the grid. */
#pragma once

#include "exec/memory/wp-counts.h"
#include "exec/sass/wp-sass.h"
#include "exec/trail/wp-trail-classes.h"
#include "idg/kernel/idg-kernel.h"

G_BEGIN_DECLS

/* Where instruction INDEX stands in the source: FILE (borrowed) and LINE receive NULL and 0 where
 * that is not known. */
typedef void (*WpFoldFindLine) (gpointer data, guint index, const gchar **file, guint *line);

typedef struct
{
  const gchar *name, *title; /* of the kernel; TITLE may be NULL */
  const gchar *file;         /* that it comes from, for messages */
  const WpSassInstr *instrs; /* the code: trails have indices of it */
  guint n_instrs;
  WpFoldFindLine find_line;
  gpointer line_data;
  guint grid[3];
  guint threads;                 /* of a block */
  guint registers;               /* of a thread */
  guint shared_memory;           /* bytes of a block */
  guint64 wave;                  /* blocks that are resident at a time; 0: not known */
  const WpTrailClasses *classes; /* finished; at least one block */
  WpCounts *const *counts;       /* of accesses, by the numbers that wp_trail_classes_add() gave; an
                                  * element may be NULL; NULL: none */
  guint n_counts;
} WpFoldInput;

/* Returns the kernel of INPUT. NOTES (may be NULL) receives sentences on what was assumed, of
 * gchar*. NULL with an error of IDG_ERROR where its programs are too large. Free with
 * idg_kernel_free(). O(instructions of a warp of each class, ranges of blocks). */
IdgKernel *wp_fold_make_kernel (const WpFoldInput *input, GPtrArray *notes, GError **error);

/* Returns what the kernel says of instruction INDEX: "k.cu:12: LDG.E R4, [R2.64] ;
 * B------:R-:W0:-:S04", where the part behind the semicolon is what the compiler said of its issue:
 * barriers waited for, set until operands are read and results written, whether the warp yields,
 * cycles to the next instruction (the notation of the CuAssembler project). Free with g_free(). */
gchar *wp_fold_make_text (const WpFoldInput *input, guint index);

G_END_DECLS
