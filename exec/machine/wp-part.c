/* SPDX-License-Identifier: MIT */
#include "exec/machine/wp-part.h"

#include "exec/machine/wp-ops-arith.h"
#include "exec/machine/wp-rows-float.h"
#include "exec/memory/wp-tensor-map.h"

#include <string.h>

#define PIECE 16        /* bytes that lie together in any layout */
#define ADDRESS_BITS 18 /* of shared memory */

typedef struct
{
  guint32 start, leading, stride;
  guint swizzled;  /* bits of an address that change: 0 to 3 */
  gboolean is_odd; /* a base offset, absolute addresses, swizzling by 32 bytes */
} Layout;

static Layout
get_layout (guint64 descriptor)
{
  static const guint8 swizzled[] = { 0, 3, 2, 1 };
  const guint32 low = (guint32)descriptor, high = (guint32)(descriptor >> 32);

  return (Layout){ .start = (low & 0x3fff) * PIECE,
                   .leading = (low >> 16 & 0x3fff) * PIECE,
                   .stride = (high & 0x3fff) * PIECE,
                   .swizzled = swizzled[high >> 30],
                   .is_odd = (high >> 17 & 0xf) != 0 || (high >> 29 & 1) != 0 };
}

/* Where the piece is that is ROW pieces of one row from the first row, and COLUMN along them. A
 * pattern of 8 rows is as wide as the swizzle is: 1, 2, 4 or 8 pieces. */
static guint32
find_piece (const Layout *layout, gboolean is_turned, guint row, guint column)
{
  const guint wide = 1u << layout->swizzled;
  guint32 at = layout->start + row % 8 * wide * PIECE;

  if (!is_turned) /* rows are those of A, and there are two columns */
    at += row / 8 * layout->stride + column * (wide == 1 ? layout->leading : PIECE);
  else if (wide == 1)
    at += row / 8 * layout->leading + column * layout->stride;
  else
    at += row / 8 * layout->stride + column / wide * layout->leading + column % wide * PIECE;
  at &= (1u << ADDRESS_BITS) - 1;
  return wp_tensor_swizzle (at, layout->swizzled);
}

/* Of N rows (columns of B) there are two pieces each that lie along K, or eight elements of one
 * place along K each, N / 8 to a place: the group of eight rows that piece AT is of. */
static guint
get_group (gboolean is_turned, guint n, guint at)
{
  return is_turned ? at % (n / WP_PART_BLOCK) : at / (2 * WP_PART_BLOCK);
}

/* Piece AT, its words in ROWS of LANE. */
static void
place_piece (gboolean is_turned, guint n, guint at, guint32 (*rows)[WP_LANES], guint lane,
             WpPart *part)
{
  guint32 (*to)[WP_PART_WORDS] = &part->words[get_group (is_turned, n, at) * WP_PART_BLOCK];
  const guint k = at / (n / WP_PART_BLOCK), shift = k % 2 * 16;

  if (!is_turned)
    for (guint word = 0; word < PIECE / 4; word++)
      to[at / 2 % WP_PART_BLOCK][at % 2 * (PIECE / 4) + word] = rows[word][lane];
  else
    for (guint word = 0; word < PIECE / 4; word++)
      {
        to[2 * word][k / 2] |= (rows[word][lane] & 0xffff) << shift;
        to[2 * word + 1][k / 2] |= rows[word][lane] >> 16 << shift;
      }
}

/* Marks what is unknown of piece AT. */
static void
mark_piece (gboolean is_turned, guint n, guint at, const guint32 *unknown, guint lane, WpPart *part)
{
  guint8 *to = &part->unknown[get_group (is_turned, n, at)];

  for (guint word = 0; word < PIECE / 4; word++)
    if (unknown[word] >> lane & 1)
      *to |= is_turned ? 3u << 2 * word : 1u << at / 2 % WP_PART_BLOCK;
}

/* Pieces FIRST on, of the lanes in MASK. */
static void
place_pieces (gboolean is_turned, guint n, guint first, guint32 mask, guint32 (*rows)[WP_LANES],
              const guint32 *unknown, WpPart *part)
{
  guint32 some = 0, all = mask;

  for (guint word = 0; word < PIECE / 4; word++)
    {
      some |= unknown[word];
      all &= unknown[word];
    }
  for (guint lane = 0; lane < WP_LANES && mask >> lane & 1; lane++)
    if (all >> lane & 1)
      part->unknown[get_group (is_turned, n, first + lane)]
          |= is_turned ? 0xff : 1u << (first + lane) / 2 % WP_PART_BLOCK;
    else
      {
        place_piece (is_turned, n, first + lane, rows, lane, part);
        if (some >> lane & 1)
          mark_piece (is_turned, n, first + lane, unknown, lane, part);
      }
}

gboolean
wp_part_load (WpWarp *warp, const WpStep *step, WpBlock *block, guint64 descriptor,
              gboolean is_turned, guint begin, guint n, WpPart *part)
{
  const WpShared shared = wp_block_shared (block);
  const Layout layout = get_layout (descriptor);
  guint32 addresses[WP_LANES] = { 0 }, rows[PIECE / 4][WP_LANES];
  WpFault fault;

  if (layout.is_odd)
    {
      wp_warp_fail (warp, step, 0,
                    "the descriptor of a matrix in shared memory, 0x%" G_GINT64_MODIFIER
                    "x, has a base offset, absolute addresses or swizzling by 32 bytes, which is "
                    "not covered by execution",
                    descriptor);
      return FALSE;
    }
  memset (part, 0, sizeof *part);
  for (guint first_piece = 0; first_piece < 2 * n; first_piece += WP_LANES)
    {
      const guint n_lanes = MIN (2 * n - first_piece, WP_LANES);
      const guint32 mask = WP_ALL_LANES >> (WP_LANES - n_lanes);
      guint32 unknown[PIECE / 4] = { 0 };

      for (guint lane = 0; lane < n_lanes; lane++)
        {
          const guint at = first_piece + lane;
          addresses[lane] = is_turned
                                ? find_piece (&layout, TRUE, at / (n / WP_PART_BLOCK),
                                              begin / WP_PART_BLOCK + at % (n / WP_PART_BLOCK))
                                : find_piece (&layout, FALSE, begin + at / 2, at % 2);
        }
      if (!wp_shared_load (&shared, NULL, addresses, mask, PIECE, FALSE, rows, unknown, &fault))
        {
          wp_warp_fail_access (warp, step, WP_SPACE_SHARED, &fault);
          return FALSE;
        }
      place_pieces (is_turned, n, first_piece, mask, rows, unknown, part);
    }
  wp_warp_note_unstored (warp, step);
  return TRUE;
}

/* ---- Elements ---- */

/* Element J of 32 words of PART, from WORD on, as they follow one another; negated. */
static void
read_words (const WpPart *part, const WpPartElements *elements, guint word, guint j, guint32 *to)
{
  wp_elements_read (elements->type, elements->bits, &part->words[0][0] + word, j, to);
  for (guint lane = 0; elements->is_negative && lane < WP_LANES; lane++)
    to[lane] ^= 0x80000000;
}

void
wp_part_read_a (const WpPart *part, const WpPartElements *elements, guint first,
                WpRealMatrices *matrices)
{
  const guint n = 32 / elements->bits;
  WpScratch values;

  for (guint word = 0; word < WP_MATRIX_ROWS * WP_PART_WORDS; word += WP_LANES)
    for (guint j = 0; j < n; j++)
      {
        read_words (part, elements, first * WP_PART_WORDS + word, j, values);
        for (guint lane = 0; lane < WP_LANES; lane++)
          matrices->a[(word + lane) / WP_PART_WORDS][(word + lane) % WP_PART_WORDS * n + j]
              = (double)wp_float (values[lane]);
      }
}

void
wp_part_read_b (const WpPart *part, const WpPartElements *elements, guint first,
                WpRealMatrices *matrices)
{
  const guint n = 32 / elements->bits;
  WpScratch values;

  for (guint word = 0; word < WP_MATRIX_COLUMNS * WP_PART_WORDS; word += WP_LANES)
    for (guint j = 0; j < n; j++)
      {
        read_words (part, elements, first * WP_PART_WORDS + word, j, values);
        for (guint lane = 0; lane < WP_LANES; lane++)
          matrices->b[(word + lane) % WP_PART_WORDS * n + j][(word + lane) / WP_PART_WORDS]
              = (double)wp_float (values[lane]);
      }
}

static void
read_integers (const WpPart *part, const WpPartElements *elements, guint first, guint n_rows,
               gint32 (*to)[WP_MATRIX_DEPTH])
{
  const guint n = 32 / elements->bits;
  gint32 values[WP_LANES];

  for (guint word = 0; word < n_rows * WP_PART_WORDS; word += WP_LANES)
    for (guint j = 0; j < n; j++)
      {
        wp_elements_read_integers (elements->type, elements->bits, &part->words[first][0] + word, j,
                                   values);
        for (guint lane = 0; lane < WP_LANES; lane++)
          to[(word + lane) / WP_PART_WORDS][(word + lane) % WP_PART_WORDS * n + j] = values[lane];
      }
}

void
wp_part_read_a_integers (const WpPart *part, const WpPartElements *elements, guint first,
                         WpIntegerMatrices *matrices)
{
  read_integers (part, elements, first, WP_MATRIX_ROWS, matrices->a);
}

void
wp_part_read_b_integers (const WpPart *part, const WpPartElements *elements, guint first,
                         WpIntegerMatrices *matrices)
{
  gint32 columns[WP_MATRIX_COLUMNS][WP_MATRIX_DEPTH];

  read_integers (part, elements, first, WP_MATRIX_COLUMNS, columns);
  for (guint k = 0; k < wp_part_depth (elements); k++)
    for (guint j = 0; j < WP_MATRIX_COLUMNS; j++)
      matrices->b[k][j] = columns[j][k];
}
