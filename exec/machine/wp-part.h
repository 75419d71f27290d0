/* SPDX-License-Identifier: MIT */
/* Parts of matrices that products read from shared memory, where a descriptor says (PTX ISA,
 * wgmma and tcgen05): 32 bytes along K of up to 256 rows of A, or columns of B.
 *
 * How elements lie there is in the PTX ISA ("Matrix Descriptor Format", "Strides", "Swizzling
 * Modes"): pieces of 16 bytes along K or, transposed, along M or N, of which 8 rows and two columns
 * are 32 bytes deep in K. */
#pragma once

#include "exec/machine/wp-address.h"
#include "exec/machine/wp-elements.h"

G_BEGIN_DECLS

#define WP_PART_ROWS 256
#define WP_PART_WORDS 8 /* of a row: 32 bytes */
#define WP_PART_BLOCK 8 /* rows of which `unknown` has a byte */

/* Rows of A or columns of B, each 32 bytes along K, and which of them have an unknown byte. */
typedef struct
{
  guint32 words[WP_PART_ROWS][WP_PART_WORDS];
  guint8 unknown[WP_PART_ROWS / WP_PART_BLOCK]; /* a bit for each */
} WpPart;

/* What the elements of a part are. */
typedef struct
{
  guint8 type; /* WpType or WP_ELEMENT_ */
  guint8 bits; /* of one */
  gboolean is_negative;
} WpPartElements;

/* Loads N rows of A (columns of B), a multiple of 8, from BEGIN on, which DESCRIPTOR says, from the
 * shared memory of BLOCK, WARP's or another of its cluster. IS_TURNED: pieces are along M or N.
 * FALSE, as wp_warp_fail(): they are not in shared memory, or the descriptor is not covered. */
gboolean wp_part_load (WpWarp *warp, const WpStep *step, WpBlock *block, guint64 descriptor,
                       gboolean is_turned, guint begin, guint n, WpPart *part);

/* The sixteen rows of A, or eight columns of B, from FIRST on. */
void wp_part_read_a (const WpPart *part, const WpPartElements *elements, guint first,
                     WpRealMatrices *matrices);
void wp_part_read_b (const WpPart *part, const WpPartElements *elements, guint first,
                     WpRealMatrices *matrices);
/* The same of whole numbers. */
void wp_part_read_a_integers (const WpPart *part, const WpPartElements *elements, guint first,
                              WpIntegerMatrices *matrices);
void wp_part_read_b_integers (const WpPart *part, const WpPartElements *elements, guint first,
                              WpIntegerMatrices *matrices);

/* How many elements a row has. */
static inline guint
wp_part_depth (const WpPartElements *elements)
{
  return 32 * WP_PART_WORDS / elements->bits;
}

G_END_DECLS
