/* SPDX-License-Identifier: MIT */
/* Private to idg-accel-warps.c and idg-accel-ranges.c: which warps of which blocks run which
 * programs. */
#pragma once

#include "idg/import/accel/idg-accel.h"

G_BEGIN_DECLS

#define IDG_ACCEL_NO_PROGRAM G_MAXUINT32

typedef struct
{
  guint64 number;
  guint32 row;
} IdgAccelBlock;

typedef struct
{
  guint32 warp, program;
} IdgAccelPlace;

struct IdgAccelWarps
{
  const IdgAccelClasses *classes;
  guint32 warps_per_block;
  IdgAccelMaker *maker;
  GHashTable *sequences; /* of Sequence, itself the key */
  GHashTable *codes;     /* of GBytes to number of program + 1 */
  GPtrArray *programs;   /* of GArray: codes */
  GArray *sizes;         /* of guint: their nodes */
  GHashTable *rows;      /* of GBytes (IdgAccelPlace, by warp) to number + 1 */
  GPtrArray *places;     /* of GBytes: rows */
  GHashTable *numbers;   /* of blocks */
  GArray *blocks;        /* of IdgAccelBlock */
  GArray *row;           /* of IdgAccelPlace: of the block at hand, as warps come */
  guint8 *present;       /* warps of the block at hand: a bit each */
  guint n_nodes;         /* of all programs */
  guint64 n_present;     /* warps of all blocks */
};

/* The block at hand is complete. */
void idg_accel_warps_end_block (IdgAccelWarps *warps);

G_END_DECLS
