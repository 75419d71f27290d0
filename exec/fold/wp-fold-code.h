/* SPDX-License-Identifier: MIT */
/* Private to exec/fold: instructions of machine code as the classes that idg/import/fold works
 * with. */
#pragma once

#include "exec/fold/wp-fold-input.h"
#include "idg/import/fold/idg-fold.h"

G_BEGIN_DECLS

typedef struct
{
  const WpFoldInput *input;
  IdgFoldClasses classes;
  GHashTable *ops;      /* of WpFoldOp, by the op's text */
  GHashTable *keys;     /* numbers of classes + 1, by what they are */
  GHashTable *meetings; /* classes of warps that meet, by an index and where the first is */
  GHashTable *fetches;  /* numbers of classes + 1, of what fetches, by piece + 1 */
  GPtrArray *texts;     /* of instructions, NULL: not made yet */
  GStringChunk *strings;
  GPtrArray *notes;       /* or NULL */
  gboolean has_groups;    /* copies are waited for in groups */
  gboolean waits_late;    /* wp_fold_waits_late() */
  gboolean awaits_stores; /* groups of bulk ones: not late, and told apart */
  gboolean has_noted;     /* that warps meet */
  gboolean any_barrier;   /* the number of some barrier is in a register: numbers say nothing */
} WpFoldCode;

void wp_fold_code_init (WpFoldCode *code, const WpFoldInput *input, GPtrArray *notes);
void wp_fold_code_clear (WpFoldCode *code);

/* Returns the number of the class of instruction INDEX in CONTEXT (NULL: none), executed by some
 * lane or by none. Of a branch that means taken or not. O(1). */
guint32 wp_fold_code_find (WpFoldCode *code, guint index, const gchar *context, gboolean executed);

/* Returns the number of the first of the N classes, in a row, that INDEX of a trail stands for in
 * warp WARP of a block (WpFoldFindMeeting): meetings. O(1). */
guint32 wp_fold_code_find_meetings (WpFoldCode *code, guint32 index, guint warp, guint32 *n);

/* Returns the number of the class of what fetches PIECE of the code for N_WARPS of a block, each of
 * which has its share of the bytes. O(code + classes that fetch). */
guint32 wp_fold_code_find_fetch (WpFoldCode *code, guint32 piece, guint32 n_warps);

/* Adds "FILE:LINE: ..." to the notes, unless they have it. */
void wp_fold_code_note (WpFoldCode *code, guint index, const gchar *text);

G_END_DECLS
