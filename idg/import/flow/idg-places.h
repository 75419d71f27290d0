/* SPDX-License-Identifier: MIT */
/* Private: how loops and branches of a listing are named, in options and in notes: by label, by
 * address, by line of the listing, or by line of the source, which alone survives a recompile. */
#pragma once

#include "idg/import/flow/idg-flow.h"

G_BEGIN_DECLS

/* Tells whether INSTR is a branch that may go different ways. */
gboolean idg_place_is_decided (const IdgCodeInstr *instr);
/* Tells whether the branch INSTR leaves its innermost loop on one side only. */
gboolean idg_place_leaves_loop (const IdgFlow *flow, guint instr);

/* Tells whether INSTR accesses memory, parameters and constants apart. */
gboolean idg_place_is_access (const IdgCodeInstr *instr);

/* Returns "file.cu:12" for INSTR, or NULL where the line is not known. */
const gchar *idg_place_get_source (const IdgCodeInstr *instr);
/* The same for LOOP: the line of the branch that goes back, which compilers give that of the `for`;
 * or else of its first instruction. */
const gchar *idg_place_get_loop_source (const IdgFlow *flow, guint loop);

/* Tells whether accesses to memory that LOOP has are outside of it, too, from the same line of the
 * source, which is one of its body. Then it is a copy of a part of the source's loop.
 * O(instructions). */
gboolean idg_place_has_copies (const IdgFlow *flow, guint loop);

/* Returns the label of LOOP without its `$`, or the line of the listing. Free with g_free(). */
gchar *idg_place_name_loop (const IdgFlow *flow, guint loop);
/* Returns the Ith target of the branch INSTR, or its line in the listing. Free with g_free(). */
gchar *idg_place_name_target (const IdgCode *code, const IdgCodeInstr *instr, guint i);

/* Tells whether GIVEN names the label NAME. The `$` may be left out, and an address may have any
 * number of leading zeros. The text after an `@` distinguishes the instances of a function: if
 * GIVEN has one, it means only that instance. */
gboolean idg_place_is_label (const gchar *given, const gchar *name);
/* Tells whether GIVEN has the form of a line of the source, FILE:LINE. */
gboolean idg_place_is_source (const gchar *given);
/* Tells whether GIVEN, FILE:LINE with or without folders, is the line SOURCE (may be NULL). */
gboolean idg_place_matches (const gchar *given, const gchar *source);

/* Return the loops (their numbers) or the branches (instructions) on the line GIVEN of the source,
 * as arrays of guint. Branches that leave a loop are meant only where there are no others. */
GArray *idg_place_find_loops (const IdgFlow *flow, const gchar *given);
GArray *idg_place_find_branches (const IdgFlow *flow, const gchar *given);

/* Returns, by instruction, the first of the branches of the listing that are one of the source
 * (copies of it that a compiler made, or parts of one condition that lead to one place); other
 * instructions are alone. Only what has a line of the source has copies. O(instructions), but for
 * finding comparisons. Free with g_free(). */
guint *idg_place_find_copies (const IdgFlow *flow);
/* Tells whether all branches that the source line of the branch INSTR names are COPIES of it. */
gboolean idg_place_is_only (const IdgFlow *flow, const guint *copies, guint instr);

/* Tells whether the loops on the source line of LOOP are N copies of one: several with the same
 * instructions, none in another. O(instructions). */
gboolean idg_place_are_copies (const IdgFlow *flow, guint loop, guint *n);

/* How many branches share a name; for notes. */
typedef struct
{
  GHashTable *sources, *exits; /* of guint: branches of a line, and those of it that leave a loop */
  GHashTable *targets, *loops;
} IdgPlaceCounts;

void idg_place_counts_init (IdgPlaceCounts *counts, const IdgFlow *flow);
void idg_place_counts_clear (IdgPlaceCounts *counts);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (IdgPlaceCounts, idg_place_counts_clear)

/* Returns how an option best names the branch INSTR or the LOOP alone: by the source if it can. N
 * loops on one line may be meant together. Free with g_free(). */
gchar *idg_place_name_branch (const IdgFlow *flow, const IdgPlaceCounts *counts, guint instr);
gchar *idg_place_name_loop_best (const IdgFlow *flow, const IdgPlaceCounts *counts, guint loop,
                                 guint n);

G_END_DECLS
