/* SPDX-License-Identifier: MIT */
/* UTMALDG, UTMASTG, UTMAREDG, UTMAPF: copies of the box of a tensor map between device memory and
 * shared memory, by one instruction (PTX ISA, cp.async.bulk.tensor and
 * cp.reduce.async.bulk.tensor). As with other copies in bulk (wp-ops-bulk.c) all is done when it is
 * issued.
 *
 * The box lies in shared memory row by row, nothing between them. What of it is outside of the
 * array is loaded as 0, and not stored. The operands are uniform registers in a row, and the
 * address of the map:
 *
 *   UTMALDG.2D [UR4], [UR10]     UR4 where in shared memory, UR5 the mbarrier, UR6 and UR7 where
 *                                the box begins in dimensions 0 and 1
 *   UTMASTG, UTMAREDG            the same without a barrier: UR5, UR6
 *   UTMAPF                       where the box begins alone: UR4, UR5
 *
 * (as ptxas 13.0 compiles them). */
#include "exec/machine/wp-bulk.h"

#include "exec/memory/wp-tensor-map.h"

#include <string.h>

#define PIECE WP_BULK_PIECE
#define WORDS (PIECE / 4)
#define UNIT 4            /* bytes at most that are moved at a time where a piece is cut */
#define SHARED_ALIGN 128u /* of a box */

/* mode[] */
enum
{
  DIMENSIONS, /* that the instruction has */
  FIRST       /* place of the first coordinate among the registers of operand 0 */
};

/* One copy. */
typedef struct
{
  WpTensorMap map;
  gint64 at[WP_TENSOR_DIMENSIONS]; /* where the box begins, elements */
  gboolean is_unknown;             /* ...one of the places that it may be */
  WpTag tag;                       /* ...what it comes from */
  guint32 shared;
  guint row_bytes, rows;
  guint lane; /* the lowest one that copies: what is wrong is told of it */
} Box;

/* Up to 32 pieces of a box, one for each lane. */
typedef struct
{
  WpAddresses shared, device;
  guint n;
  guint32 whole;                         /* lanes whose piece is in the array, and aligned */
  guint32 cut;                           /* ...of whose piece a part is, or at an odd address */
  guint8 first[WP_LANES], end[WP_LANES]; /* bytes of the piece that are in the array */
} Pieces;

/* ---- The map ---- */

static gboolean
fail (WpWarp *warp, const WpStep *step, WpSpace space, guint lane, WpFault *fault)
{
  fault->lane = lane;
  wp_warp_fail_access (warp, step, space, fault);
  return FALSE;
}

/* Loads the bytes of the map at ADDRESSES, of LANE. */
static gboolean
load_map (WpWarp *warp, const WpStep *step, WpAddresses *addresses, guint lane,
          guint8 bytes[WP_TENSOR_MAP_BYTES])
{
  const WpSpace space = wp_addresses_take (warp, addresses, 1u << lane, WP_SPACE_CONSTANT) != 0
                            ? WP_SPACE_CONSTANT
                            : WP_SPACE_GLOBAL;
  guint32 rows[WORDS][WP_LANES], unknown[WORDS] = { 0 };
  WpFault fault = { WP_FAULT_NONE, 0, 0, 0 };
  WpData data = { rows, unknown, 0, 0 };

  for (guint at = 0; at < WP_TENSOR_MAP_BYTES; at += PIECE, addresses->lanes[lane] += PIECE)
    {
      if (!wp_warp_load_known (warp, space, NULL, addresses, 1u << lane, PIECE, FALSE, &data,
                               &fault))
        return fail (warp, step, space, lane, &fault);
      for (guint word = 0; word < WORDS; word++)
        {
          guint32 bits = GUINT32_TO_LE (rows[word][lane]);

          memcpy (bytes + at + 4 * word, &bits, sizeof bits);
          if (unknown[word] >> lane & 1)
            {
              wp_warp_fail (warp, step, lane,
                            "what the tensor map holds is not known; expected it as an argument, "
                            "tensor_map(...), or by --data NAME=file:PATH");
              return FALSE;
            }
        }
    }
  return TRUE;
}

/* Fills in the map of BOX. */
static gboolean
find_map (WpWarp *warp, const WpStep *step, Box *box)
{
  g_autofree gchar *problem = NULL;
  guint8 bytes[WP_TENSOR_MAP_BYTES];
  WpAddresses addresses;

  wp_addresses_get (warp, wp_step_get_memory (step, 1), TRUE, &addresses);
  if (addresses.unknown != 0)
    {
      wp_warp_fail (warp, step, box->lane,
                    "which tensor map is used depends on data that are not known; expected --data "
                    "that says them");
      return FALSE;
    }
  if (!load_map (warp, step, &addresses, box->lane, bytes))
    return FALSE;
  wp_tensor_map_decode (bytes, &box->map);
  problem = box->map.address == 0
                ? g_strdup ("there is no tensor map: its address is 0; expected an argument as "
                            "tensor_map(A, f32, {1024, 1024}, {32, 32})")
            : box->map.n != step->mode[DIMENSIONS]
                ? g_strdup_printf ("a tensor map has %u dimensions; the instruction expects one of "
                                   "%u",
                                   box->map.n, step->mode[DIMENSIONS])
                : wp_tensor_map_check (&box->map);
  if (problem != NULL)
    {
      wp_warp_fail (warp, step, box->lane, "%s", problem);
      return FALSE;
    }
  box->row_bytes = wp_tensor_map_get_row_bytes (&box->map);
  box->rows = wp_tensor_map_get_rows (&box->map);
  return TRUE;
}

/* ---- Where the box is ---- */

static guint
get_register (const WpStep *step)
{
  return ((const WpSassOperand *)step->data)->uniform;
}

/* Fills in where BOX begins in the array: some box of it where nobody knows. */
static void
find_place (WpWarp *warp, const WpStep *step, Box *box)
{
  const guint first = get_register (step) + step->mode[FIRST];

  for (guint k = 0; k < box->map.n; k++)
    {
      const guint64 boxes = (box->map.sizes[k] - 1) / box->map.box[k] + 1;
      guint64 number;

      box->at[k] = (gint32)warp->ur[first + k];
      if (!warp->ur_unknown[first + k])
        continue;
      box->tag = wp_tag_join (box->tag, warp->ur_tag[first + k]);
      number = warp->ur_tag[first + k] & WP_TAG_STANDS
                   ? warp->ur[first + k] / box->map.box[k]
                   : wp_mix (wp_mix (warp->block->number ^ wp_mix (warp->number + k))
                             ^ warp->n_executed);
      box->at[k] = (gint64)(number % boxes * box->map.box[k]);
      box->is_unknown = TRUE;
    }
  if (box->is_unknown)
    wp_warp_note (warp, step, WP_NOTE_ADDRESS, box->tag);
}

/* Fills in where BOX is in shared memory. */
static gboolean
find_shared (WpWarp *warp, const WpStep *step, Box *box)
{
  const WpBlock *block = warp->block;
  const guint number = get_register (step), size = block->grid->shared_bytes;
  WpFault fault
      = { WP_FAULT_OUT_OF_BOUNDS, box->lane, warp->ur[number], box->row_bytes * box->rows };

  if (warp->ur_unknown[number])
    {
      wp_warp_fail (warp, step, box->lane,
                    "where in shared memory a copy by a tensor map goes, or comes from, depends on "
                    "data that are not known; expected --data that says them");
      return FALSE;
    }
  box->shared = warp->ur[number] ^ wp_warp_own_address (warp);
  fault.address = box->shared;
  if (box->shared % SHARED_ALIGN != 0)
    fault = (WpFault){ WP_FAULT_MISALIGNED, box->lane, box->shared, SHARED_ALIGN };
  else if ((box->shared & WP_CLUSTER_OFFSET) <= size
           && size - (box->shared & WP_CLUSTER_OFFSET) >= fault.bytes
           && wp_cluster_has (block, box->shared))
    return TRUE;
  return fail (warp, step, WP_SPACE_SHARED, box->lane, &fault);
}

/* Where row ROW of BOX begins in device memory, and which of its bytes, from *FIRST to *END, are in
 * the array. FALSE: none. */
static gboolean
find_row (const Box *box, guint row, guint64 *address, guint *first, guint *end)
{
  const WpTensorMap *map = &box->map;
  const gint64 size = (gint64)(map->sizes[0] * map->strides[0]);
  const gint64 begin = box->at[0] * (gint64)map->strides[0];

  *address = map->address + (guint64)begin;
  for (guint k = 1; k < map->n; row /= map->box[k], k++)
    {
      const gint64 at = box->at[k] + row % map->box[k];

      if (at < 0 || at >= (gint64)map->sizes[k])
        return FALSE;
      *address += (guint64)at * map->strides[k];
    }
  *first = (guint)CLAMP (-begin, 0, (gint64)box->row_bytes);
  *end = (guint)CLAMP (size - begin, 0, (gint64)box->row_bytes);
  return *first < *end;
}

/* Fills in the pieces of BOX from number BEGIN on. */
static void
find_pieces (const Box *box, guint begin, Pieces *pieces)
{
  const guint in_row = box->row_bytes / PIECE;

  *pieces = (Pieces){ .n = MIN (box->rows * in_row - begin, WP_LANES) };
  for (guint lane = 0; lane < pieces->n; lane++)
    {
      const guint number = begin + lane, at = number % in_row * PIECE;
      guint64 address;
      guint first, end;

      pieces->shared.lanes[lane]
          = wp_tensor_swizzle (box->shared + number * PIECE, box->map.swizzled);
      if (!find_row (box, number / in_row, &address, &first, &end) || end <= at
          || first >= at + PIECE)
        continue;
      pieces->device.lanes[lane] = address + at;
      pieces->first[lane] = (guint8)(MAX (first, at) - at);
      pieces->end[lane] = (guint8)MIN (end - at, PIECE);
      if (pieces->first[lane] == 0 && pieces->end[lane] == PIECE && (address + at) % PIECE == 0)
        pieces->whole |= 1u << lane;
      else
        pieces->cut |= 1u << lane;
    }
}

/* ---- What is moved ---- */

/* The lanes of PIECES that are cut and have the bytes from AT on, and where these are. */
static guint32
find_parts (const Pieces *pieces, guint at, WpAddresses *addresses)
{
  guint32 mask = 0;

  for (guint32 left = pieces->cut; left != 0; left &= left - 1)
    {
      const guint lane = (guint)__builtin_ctz (left);

      if (at < pieces->first[lane] || at >= pieces->end[lane])
        continue;
      addresses->lanes[lane] = pieces->device.lanes[lane] + at;
      mask |= 1u << lane;
    }
  return mask;
}

/* Loads the parts of pieces that are cut into DATA. */
static gboolean
load_parts (WpWarp *warp, const Pieces *pieces, guint unit, WpData *data, WpFault *fault)
{
  for (guint at = 0; at < PIECE && pieces->cut != 0; at += unit)
    {
      guint32 rows[1][WP_LANES], unknown[1] = { 0 };
      WpData part = { rows, unknown, data->source, 0 };
      WpAddresses addresses;
      guint32 mask = find_parts (pieces, at, &addresses);

      if (mask == 0)
        continue;
      if (!wp_warp_load_known (warp, WP_SPACE_GLOBAL, NULL, &addresses, mask, unit, FALSE, &part,
                               fault))
        return FALSE;
      data->source = part.source;
      data->unknown[at / 4] |= unknown[0] & mask;
      for (; mask != 0; mask &= mask - 1)
        {
          const guint lane = (guint)__builtin_ctz (mask);

          data->rows[at / 4][lane] |= rows[0][lane] << at % 4 * 8;
        }
    }
  return TRUE;
}

static gboolean
store_parts (WpWarp *warp, const Pieces *pieces, guint unit, const WpData *data, WpFault *fault)
{
  for (guint at = 0; at < PIECE && pieces->cut != 0; at += unit)
    {
      guint32 rows[1][WP_LANES], unknown[1] = { data->unknown[at / 4] };
      const WpData part = { rows, unknown, data->source, 0 };
      WpAddresses addresses;
      const guint32 mask = find_parts (pieces, at, &addresses);

      for (guint lane = 0; lane < WP_LANES; lane++)
        rows[0][lane] = data->rows[at / 4][lane] >> at % 4 * 8;
      if (mask != 0
          && !wp_warp_store_known (warp, WP_SPACE_GLOBAL, NULL, &addresses, mask, unit, &part,
                                   fault))
        return FALSE;
    }
  return TRUE;
}

static guint
get_unit (const Box *box)
{
  return MIN ((guint)box->map.strides[0], UNIT);
}

/* PIECES of BOX come into shared memory. */
static gboolean
load_pieces (WpWarp *warp, const WpStep *step, const Box *box, const Pieces *pieces)
{
  const guint32 mask = WP_ALL_LANES >> (WP_LANES - pieces->n);
  guint32 rows[WORDS][WP_LANES] = { { 0 } }, unknown[WORDS] = { 0 };
  WpFault fault = { WP_FAULT_NONE, 0, 0, 0 };
  WpData data = { rows, unknown, 0, 0 };

  if (box->is_unknown)
    data.source = WP_TAG_SOURCE (box->tag);
  else if ((pieces->whole != 0
            && !wp_warp_load_known (warp, WP_SPACE_GLOBAL, NULL, &pieces->device, pieces->whole,
                                    PIECE, FALSE, &data, &fault))
           || !load_parts (warp, pieces, get_unit (box), &data, &fault))
    return fail (warp, step, WP_SPACE_GLOBAL, box->lane, &fault);
  for (guint word = 0; (box->is_unknown || warp->doubtful != 0) && word < WORDS; word++)
    unknown[word] = mask;
  return wp_warp_store_known (warp, WP_SPACE_SHARED, NULL, &pieces->shared, mask, PIECE, &data,
                              &fault)
         || fail (warp, step, WP_SPACE_SHARED, box->lane, &fault);
}

/* Combines PIECES, DATA, with what is in device memory. */
static gboolean
combine_pieces (WpWarp *warp, const WpStep *step, const Box *box, const Pieces *pieces,
                const WpData *data, WpFault *fault)
{
  const gchar *type = wp_tensor_type_get_word (box->map.type);
  WpAtomic atomic;

  if (type == NULL || !wp_atomic_find_of (step, type, &atomic))
    {
      wp_warp_fail (warp, step, box->lane,
                    "what this computes is not covered for the elements of its tensor map");
      return FALSE;
    }
  for (guint32 left = pieces->whole | pieces->cut; left != 0; left &= left - 1)
    {
      const guint lane = (guint)__builtin_ctz (left);

      if (pieces->first[lane] % atomic.part != 0 || pieces->end[lane] % atomic.part != 0
          || pieces->device.lanes[lane] % atomic.part != 0)
        {
          wp_warp_fail (warp, step, box->lane,
                        "the box of a tensor map begins or ends within 4 bytes that elements of 2 "
                        "share: not covered by execution where they are combined");
          return FALSE;
        }
      if (!wp_bulk_combine (warp, WP_SPACE_GLOBAL, pieces->device.lanes[lane], &atomic,
                            pieces->first[lane], pieces->end[lane], lane, data, fault))
        return fail (warp, step, WP_SPACE_GLOBAL, box->lane, fault);
    }
  return TRUE;
}

/* PIECES of BOX go to device memory. */
static gboolean
store_pieces (WpWarp *warp, const WpStep *step, const Box *box, const Pieces *pieces)
{
  const guint32 mask = WP_ALL_LANES >> (WP_LANES - pieces->n);
  guint32 rows[WORDS][WP_LANES], unknown[WORDS] = { 0 };
  WpFault fault = { WP_FAULT_NONE, 0, 0, 0 };
  WpData data = { rows, unknown, 0, 0 };

  if (!wp_warp_load_known (warp, WP_SPACE_SHARED, NULL, &pieces->shared, mask, PIECE, FALSE, &data,
                           &fault))
    return fail (warp, step, WP_SPACE_SHARED, box->lane, &fault);
  for (guint word = 0; warp->doubtful != 0 && word < WORDS; word++)
    unknown[word] = mask;
  if (box->is_unknown)
    return TRUE;
  if (step->instr->op == WP_SASS_UTMAREDG)
    return combine_pieces (warp, step, box, pieces, &data, &fault);
  return ((pieces->whole == 0
           || wp_warp_store_known (warp, WP_SPACE_GLOBAL, NULL, &pieces->device, pieces->whole,
                                   PIECE, &data, &fault))
          && store_parts (warp, pieces, get_unit (box), &data, &fault))
         || fail (warp, step, WP_SPACE_GLOBAL, box->lane, &fault);
}

/* Whether what is in the array of the rows of BOX is in a buffer. */
static gboolean
reach (WpWarp *warp, const WpStep *step, const Box *box)
{
  for (guint row = 0; row < box->rows; row += WP_LANES)
    {
      WpFault fault = { WP_FAULT_NONE, 0, 0, 0 };
      const WpMemory *memory = warp->block->grid->memory;
      guint64 begins[WP_LANES] = { 0 }, ends[WP_LANES] = { 0 }, address;
      guint first, end;
      guint32 mask = 0;

      for (guint lane = 0; lane < MIN (box->rows - row, WP_LANES); lane++)
        if (find_row (box, row + lane, &address, &first, &end))
          {
            begins[lane] = address + first;
            ends[lane] = address + end - 1;
            mask |= 1u << lane;
          }
      if (mask != 0
          && (!wp_memory_has (memory, NULL, begins, mask, 1, &fault)
              || !wp_memory_has (memory, NULL, ends, mask, 1, &fault)))
        return fail (warp, step, WP_SPACE_GLOBAL, box->lane, &fault);
    }
  return TRUE;
}

/* Whether all of BOX is unknown, in rows that are in the array as a whole and that nobody has
 * stored to, and fills whole lines of 128 bytes of shared memory, within which it is swizzled.
 * SOURCE receives where it comes from. */
static gboolean
is_all_unknown (const WpWarp *warp, const Box *box, guint8 *source)
{
  guint64 address;
  guint first, end;

  if (box->is_unknown || box->row_bytes * box->rows % 128 != 0)
    return FALSE;
  for (guint row = 0; row < box->rows; row++)
    if (!find_row (box, row, &address, &first, &end) || end - first != box->row_bytes
        || !wp_memory_is_unknown (warp->block->grid->memory, address, box->row_bytes, source))
      return FALSE;
  return TRUE;
}

/* BOX, of which that holds, comes into shared memory. */
static void
load_all_unknown (WpWarp *warp, const Box *box, guint8 source)
{
  guint32 at = box->shared;
  WpBlock *block = wp_cluster_find (warp->block, &at);
  const WpShared shared = wp_block_shared (block);

  if (source != 0)
    block->shared_tag = WP_TAG (source, 0);
  wp_shared_store_unknown (&shared, at, box->row_bytes * box->rows);
}

typedef gboolean (*MoveSome) (WpWarp *warp, const WpStep *step, const Box *box,
                              const Pieces *pieces);

/* Moves all of BOX, by MOVE_SOME; NULL: only looks whether it can be. */
static gboolean
move (WpWarp *warp, const WpStep *step, const Box *box, MoveSome move_some)
{
  const guint n = box->rows * (box->row_bytes / PIECE);
  guint8 source = 0;
  Pieces pieces;

  if (move_some == NULL)
    return reach (warp, step, box);
  if (move_some == load_pieces && is_all_unknown (warp, box, &source))
    {
      load_all_unknown (warp, box, source);
      return reach (warp, step, box);
    }
  for (guint begin = 0; begin < n; begin += WP_LANES)
    {
      find_pieces (box, begin, &pieces);
      if (!move_some (warp, step, box, &pieces))
        return FALSE;
    }
  return TRUE;
}

/* The copy passes L1 by, and asks for what of its rows is in the array: no faster than one row of
 * up to 128 bytes in a cycle, as those of 16 bytes show (doc/fidelity-kernels.md). BLOCKS get it,
 * where it goes to shared memory; else 0. */
static void
log_box (WpWarp *warp, const WpStep *step, const Box *box, WpAccess access, guint32 blocks)
{
  WpBulkLog log = { .access = access };

  if (access.wavefronts == 0)
    log.access.wavefronts = (guint16)(((box->row_bytes - 1) / 128 + 1) * box->rows);
  for (guint row = 0; row < box->rows; row++)
    {
      guint64 address;
      guint first, end;

      if (!find_row (box, row, &address, &first, &end))
        continue;
      wp_bulk_log_part (warp, step, &log, blocks, row, box->rows, address + first, end - first);
    }
  if (blocks != 0)
    wp_bulk_log_end (warp, &log);
}

/* ---- The ops ---- */

static gboolean
begin (WpWarp *warp, const WpStep *step, guint32 mask, Box *box)
{
  memset (box, 0, sizeof *box);
  box->lane = (guint)__builtin_ctz (mask);
  if (!find_map (warp, step, box))
    return FALSE;
  find_place (warp, step, box);
  return TRUE;
}

/* The blocks of the cluster that get a copy are in the upper half of the register; where nobody
 * knows it, the block itself does. 0: WARP has failed. */
static guint32
find_blocks (WpWarp *warp, const WpStep *step, const Box *box)
{
  const WpSource *blocks = &step->sources[0];
  guint32 several = 0;

  if (wp_step_has (step, WP_WORD_MULTICAST))
    {
      if (wp_unknown_word (warp, blocks, 0) != 0)
        return 1u << warp->block->rank;
      several = warp->ur[blocks->first] >> 16;
    }
  return wp_bulk_find_blocks (warp, step, box->lane, several, box->shared);
}

/* Moves BOX to each of BLOCKS. */
static gboolean
move_to_all (WpWarp *warp, const WpStep *step, const Box *box, guint32 blocks, MoveSome move_some)
{
  for (; blocks != 0; blocks &= blocks - 1)
    {
      Box one = *box;

      one.shared
          = wp_cluster_move_address (warp->block, box->shared, (guint)__builtin_ctz (blocks));
      if (!move (warp, step, &one, move_some))
        return FALSE;
    }
  return TRUE;
}

/* Nothing is moved where MOVE_SOME is NULL. */
static void
load (WpWarp *warp, const WpStep *step, guint32 mask, MoveSome move_some)
{
  const WpAccess access = { .how = WP_ACCESS_PAST_L1 };
  guint32 blocks;
  Box box;

  if (!begin (warp, step, mask, &box) || !find_shared (warp, step, &box))
    return;
  blocks = find_blocks (warp, step, &box);
  if (blocks == 0 || !move_to_all (warp, step, &box, blocks, move_some))
    return;
  log_box (warp, step, &box, access, blocks);
  wp_bulk_arrive (warp, step, box.lane, get_register (step) + 1, box.row_bytes * box.rows, FALSE,
                  blocks);
}

static void
run_load (WpWarp *warp, const WpStep *step, guint32 mask)
{
  load (warp, step, mask, load_pieces);
}

static void
lean_load (WpWarp *warp, const WpStep *step, guint32 mask)
{
  load (warp, step, mask, NULL);
}

static void
store (WpWarp *warp, const WpStep *step, guint32 mask, MoveSome move_some)
{
  const WpAccess access = { .how = WP_ACCESS_PAST_L1,
                            .is_write = TRUE,
                            .is_atomic = step->instr->op == WP_SASS_UTMAREDG };
  Box box;

  if (!begin (warp, step, mask, &box) || !find_shared (warp, step, &box)
      || !move (warp, step, &box, move_some))
    return;
  if (box.is_unknown)
    wp_warp_lose_store (warp);
  wp_warp_note_unstored (warp, step);
  log_box (warp, step, &box, access, 0);
}

static void
run_store (WpWarp *warp, const WpStep *step, guint32 mask)
{
  store (warp, step, mask, store_pieces);
}

static void
lean_store (WpWarp *warp, const WpStep *step, guint32 mask)
{
  store (warp, step, mask, NULL);
}

/* L2 gets what it has not yet. */
static void
run_prefetch (WpWarp *warp, const WpStep *step, guint32 mask)
{
  const WpAccess access = { .wavefronts = 1, .how = WP_ACCESS_PAST_L1 | WP_ACCESS_TO_L2 };
  Box box;

  if (begin (warp, step, mask, &box)
      && wp_memory_locate (warp->block->grid->memory, box.map.address) != 0)
    log_box (warp, step, &box, access, 0);
}

/* ---- Preparing ---- */

/* Fills in what STEP's words and operands say; its coordinates are in registers from FIRST_AT on,
 * counted from the first. */
static gboolean
prepare (WpStep *step, guint first_at, gchar **problem)
{
  static const gchar *const dimensions[] = { "1D", "2D", "3D", "4D", "5D" };

  step->data = wp_step_get_memory (step, 0);
  step->mode[FIRST] = (guint8)first_at;
  for (guint k = 0; k < G_N_ELEMENTS (dimensions); k++)
    if (wp_step_has_text (step, dimensions[k]))
      step->mode[DIMENSIONS] = (guint8)(k + 1);
  if (step->data == NULL || get_register (step) == WP_UR_ZERO
      || wp_step_get_memory (step, 1) == NULL || step->mode[DIMENSIONS] == 0
      || wp_step_has_text (step, "IM2COL") || wp_step_has_text (step, "GATHER4")
      || wp_step_has_text (step, "SCATTER4"))
    return wp_step_refuse (step, problem);
  return TRUE;
}

static gboolean
prepare_load (WpStep *step, gchar **problem)
{
  step->is_effect = TRUE;
  step->run = run_load;
  step->lean = lean_load;
  if (wp_step_has (step, WP_WORD_MULTICAST)
      && (step->n_sources != 1 || step->sources[0].from != WP_FROM_UNIFORM))
    return wp_step_refuse (step, problem);
  return prepare (step, 2, problem);
}

static gboolean
prepare_store (WpStep *step, gchar **problem)
{
  step->is_effect = TRUE;
  step->run = run_store;
  step->lean = lean_store;
  return prepare (step, 1, problem);
}

static gboolean
prepare_prefetch (WpStep *step, gchar **problem)
{
  step->run = run_prefetch;
  return prepare (step, 0, problem);
}

/* UTMACCTL fetches a map, or forgets it: where they lie is not in the times. */
const WpOpRule wp_rules_tensor[] = {
  { WP_SASS_UTMACCTL, wp_step_prepare_nothing },
  { WP_SASS_UTMALDG, prepare_load },
  { WP_SASS_UTMAPF, prepare_prefetch },
  { WP_SASS_UTMAREDG, prepare_store },
  { WP_SASS_UTMASTG, prepare_store },
  { WP_SASS_NO_OP, NULL },
};
