/* SPDX-License-Identifier: MIT */
/* Tensor memory of sm_100 (PTX ISA, "Tensor Memory"): 128 lanes of 512 columns, each a word. A
 * block has what it has allocated of its columns; a warp reads and writes the 32 lanes that its
 * number modulo 4 says. An address has the lane in its upper half, and the column in the lower one.
 *
 * Each block has all of it here, though those on an SM share one. */
#pragma once

#include "exec/machine/wp-block.h"
#include "exec/machine/wp-rows-matrix.h"

G_BEGIN_DECLS

#define WP_TENSOR_LANES 128
#define WP_TENSOR_COLUMNS 512
#define WP_TENSOR_UNIT 32 /* columns that are allocated together */
#define WP_TENSOR_BLOCKS (WP_TENSOR_LANES / WP_MATRIX_ROWS)

struct WpTensorMemory
{
  guint32 words[WP_TENSOR_LANES][WP_TENSOR_COLUMNS];
  guint32 unknown[WP_TENSOR_LANES][WP_TENSOR_COLUMNS / 32]; /* a bit for each */
  WpTag tag;                                                /* of what is unknown */
  guint32 taken;                                            /* a bit for each unit of columns */
  guint64 takers;       /* a bit for each warp that has taken some, of 64 */
  guint64 taken_in_all; /* units, since the block began */
  union                 /* room for a product: the rows of A, and eight columns */
  {
    WpRealMatrices reals[WP_TENSOR_BLOCKS];
    WpIntegerMatrices integers[WP_TENSOR_BLOCKS];
  } room;
};

/* That of BLOCK, made when it is asked for first. */
WpTensorMemory *wp_tensor_memory_get (WpBlock *block);

/* Another block begins: nothing is allocated, and all is unknown. MEMORY may be NULL. */
void wp_tensor_memory_begin (WpTensorMemory *memory);

/* All of it is unknown from now on, as it comes from TAG. */
void wp_tensor_memory_lose (WpTensorMemory *memory, WpTag tag);

/* Takes N units in a row, at a multiple of N where it IS_ALIGNED. Returns the first one; -1: so
 * many are not free. */
gint wp_tensor_memory_take (WpTensorMemory *memory, guint n, gboolean is_aligned);

/* Whether the N columns from COLUMN on are there and allocated. */
gboolean wp_tensor_memory_has (const WpTensorMemory *memory, guint column, guint n);

static inline gboolean
wp_tensor_memory_is_unknown (const WpTensorMemory *memory, guint lane, guint column)
{
  return memory->unknown[lane][column / 32] >> column % 32 & 1;
}

static inline void
wp_tensor_memory_set (WpTensorMemory *memory, guint lane, guint column, guint32 word,
                      gboolean is_unknown)
{
  const guint32 bit = 1u << column % 32;

  memory->words[lane][column] = word;
  memory->unknown[lane][column / 32] &= ~bit;
  memory->unknown[lane][column / 32] |= is_unknown ? bit : 0;
}

G_END_DECLS
