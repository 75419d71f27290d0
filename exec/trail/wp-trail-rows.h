/* SPDX-License-Identifier: MIT */
/* The blocks, and the class of each of their warps; blocks whose warps have equal classes share a
 * row. The calls are private to wp-trail-classes.c. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  guint64 block;
  guint32 row;
} WpTrailBlock;

typedef struct
{
  guint32 warps;     /* of a block */
  GHashTable *known; /* of row numbers + 1, by their contents */
  GPtrArray *rows;   /* of guint32[warps] */
  GArray *blocks;    /* of WpTrailBlock */
  guint32 *row;      /* scratch memory */
  guint32 last;      /* the row of the last block */
} WpTrailRows;

void wp_trail_rows_init (WpTrailRows *rows, guint32 warps);
void wp_trail_rows_clear (WpTrailRows *rows);
/* CLASSES: of each warp of BLOCK. */
void wp_trail_rows_add_block (WpTrailRows *rows, guint64 block, const guint32 *classes);
/* Sorts the blocks, and the rows in their order. */
void wp_trail_rows_finish (WpTrailRows *rows);
/* Replaces each class K by NUMBERS[K]; rows that become equal are joined. */
void wp_trail_rows_renumber (WpTrailRows *rows, const guint32 *numbers);

G_END_DECLS
