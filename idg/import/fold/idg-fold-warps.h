/* SPDX-License-Identifier: MIT */
/* Private to idg-fold-warps.c and idg-fold-ranges.c: which warps of which blocks run which
 * programs. */
#pragma once

#include "idg/import/fold/idg-fold.h"

G_BEGIN_DECLS

typedef struct
{
  guint64 number, n; /* N blocks from NUMBER on */
  guint32 row;
} IdgFoldBlock;

typedef struct
{
  guint32 warp, program;
} IdgFoldPlace;

struct IdgFoldWarps
{
  const IdgFoldClasses *classes;
  guint32 warps_per_block;
  IdgFoldMaker *maker;
  GHashTable *sequences; /* set of Sequence, owned */
  GHashTable *codes;     /* from GBytes to the number of the program + 1 */
  GPtrArray *programs;   /* of GArray: their code */
  GArray *sizes;         /* of guint: how many nodes each has */
  GHashTable *rows;      /* from GBytes (IdgFoldPlace, by warp) to the number of the row + 1 */
  GPtrArray *places;     /* of GBytes: the rows */
  GHashTable *numbers;   /* set of the blocks' numbers */
  GArray *blocks;        /* of IdgFoldBlock */
  GArray *row;           /* of IdgFoldPlace: the current block, in the order of the trace */
  guint8 *present;       /* a bit for each warp of the current block that has been read */
  guint n_nodes;         /* in all programs */
  guint64 n_present;     /* warps read, in all blocks */
  guint64 n_blocks;
  gboolean in_block;                /* begun and not ended */
  struct IdgFoldSequence **dropped; /* [programs->len]: the sequences of each, which are found no
                                     * more; or NULL */
};

/* Ends the current block. */
void idg_fold_warps_end_block (IdgFoldWarps *warps);

/* After the last program has come: none is found any more. Then the second frees all of program
 * NUMBER, once it is built: the next ones have room there, as what was read of a warp lies in one
 * place. */
void idg_fold_warps_drop_index (IdgFoldWarps *warps);
void idg_fold_warps_drop_code (IdgFoldWarps *warps, guint32 number);

G_END_DECLS
