/* SPDX-License-Identifier: MIT */
/* UBLKCP, UBLKRED, UBLKPF: copies in bulk between device memory and shared memory, of any multiple
 * of 16 bytes, by one instruction (PTX ISA, cp.async.bulk and cp.reduce.async.bulk). The whole copy
 * is done when it is issued: nothing may look at its result, or change what it copies, until
 * somebody has waited for it. Then its bytes have come at the mbarrier that goes with it.
 *
 * Its operands are where to, where from, and a uniform register whose low half is how many pieces
 * of 16 bytes. A place in shared memory has the mbarrier's address in the next register; one in
 * device memory its upper half. The upper half of the number is the blocks of a cluster that get a
 * copy (MULTICAST), or which bytes of each piece are copied (DST_G_BYTE_MASK). */
#include "exec/machine/wp-bulk.h"

#include "exec/machine/wp-atomic.h"
#include "exec/machine/wp-waits.h"

#define PIECE WP_BULK_PIECE
#define WORDS (PIECE / 4)
#define ALL_BYTES ((1u << PIECE) - 1)

/* mode[] */
enum
{
  TO_SPACE,
  FROM_SPACE,
  OPERATION, /* UBLKRED */
  PART       /* bytes of an element */
};

/* One end of a copy. */
typedef struct
{
  WpSpace space;
  guint64 address;
  gboolean is_unknown; /* ADDRESS is one of those that it may be */
  WpTag tag;           /* ...what it comes from */
} End;

typedef struct
{
  End to, from;
  guint bytes;
  guint32 half;   /* the upper half of the number of pieces */
  guint lane;     /* the lowest one that copies: what is wrong is told of it */
  guint32 blocks; /* of the cluster that get it, where it goes to shared memory: a bit for each */
} Copy;

/* ---- Operands ---- */

/* Fills in END, at OPERAND, of a copy of BYTES by LANE. */
static void
find_end (WpWarp *warp, const WpStep *step, const WpSassOperand *operand, guint bytes, guint lane,
          End *end)
{
  const guint room = 1u << g_bit_storage (MAX (bytes, PIECE) - 1);
  WpAddresses addresses;

  if (end->space == WP_SPACE_SHARED)
    wp_addresses_get_shared (warp, operand, &addresses);
  else
    wp_addresses_get (warp, operand, TRUE, &addresses);
  end->is_unknown = addresses.unknown != 0;
  end->tag = addresses.tag;
  if (end->space == WP_SPACE_GLOBAL)
    wp_addresses_settle (warp, step, &addresses, 1u << lane, room);
  else
    wp_addresses_settle_within (warp, step, &addresses, 1u << lane, room,
                                warp->block->grid->shared_bytes);
  end->address = addresses.lanes[lane];
}

/* Fills in how much COPY copies; FALSE: nobody knows. */
static gboolean
find_size (WpWarp *warp, const WpStep *step, Copy *copy)
{
  const WpSource *size = &step->sources[0];

  if (wp_unknown_word (warp, size, 0) != 0)
    {
      wp_warp_note (warp, step, WP_NOTE_OTHER, wp_tag (warp, size));
      return FALSE;
    }
  copy->bytes = (warp->ur[size->first] & 0xffff) * PIECE;
  copy->half = warp->ur[size->first] >> 16;
  return TRUE;
}

/* ---- What is moved ---- */

/* The pieces of END from byte AT on, one for each lane. */
static void
find_pieces (const End *end, guint at, WpAddresses *addresses)
{
  for (guint lane = 0; lane < WP_LANES; lane++)
    addresses->lanes[lane] = end->address + at + lane * PIECE;
}

/* Loads the pieces of lanes MASK; unknown ones where nobody knows where they are, or whether they
 * are copied. */
static gboolean
load_pieces (WpWarp *warp, const Copy *copy, guint at, guint32 mask, WpData *data, WpFault *fault)
{
  WpAddresses addresses;

  if (!copy->from.is_unknown)
    {
      find_pieces (&copy->from, at, &addresses);
      if (!wp_warp_load_known (warp, copy->from.space, NULL, &addresses, mask, PIECE, FALSE, data,
                               fault))
        return FALSE;
    }
  else
    data->source = WP_TAG_SOURCE (copy->from.tag);
  for (guint k = 0; (copy->from.is_unknown || warp->doubtful != 0) && k < WORDS; k++)
    data->unknown[k] = mask;
  return TRUE;
}

/* Stores byte BYTE of each piece. */
static gboolean
store_byte (WpWarp *warp, const End *to, const WpAddresses *addresses, guint byte, guint32 mask,
            const WpData *data, WpFault *fault)
{
  guint32 row[1][WP_LANES], unknown = data->unknown[byte / 4];
  const WpData one = { row, &unknown, data->source, 0 };
  WpAddresses places;

  for (guint lane = 0; lane < WP_LANES; lane++)
    {
      places.lanes[lane] = addresses->lanes[lane] + byte;
      row[0][lane] = data->rows[byte / 4][lane] >> byte % 4 * 8;
    }
  return wp_warp_store_known (warp, to->space, NULL, &places, mask, 1, &one, fault);
}

/* Stores the bytes of each piece that BYTES has. */
static gboolean
store_pieces (WpWarp *warp, const Copy *copy, guint32 bytes, guint at, guint32 mask,
              const WpData *data, WpFault *fault)
{
  WpAddresses addresses;

  find_pieces (&copy->to, at, &addresses);
  if (bytes == ALL_BYTES)
    return wp_warp_store_known (warp, copy->to.space, NULL, &addresses, mask, PIECE, data, fault);
  for (guint byte = 0; byte < PIECE; byte++)
    if ((bytes >> byte & 1) && !store_byte (warp, &copy->to, &addresses, byte, mask, data, fault))
      return FALSE;
  return TRUE;
}

gboolean
wp_bulk_combine (WpWarp *warp, WpSpace space, guint64 address, const WpAtomic *atomic, guint first,
                 guint end, guint lane, const WpData *data, WpFault *fault)
{
  for (guint word = first / 4; word < end / 4; word += atomic->part / 4)
    {
      WpModification m = { .bytes = atomic->part,
                           .modify = wp_atomic_get (atomic->operation),
                           .source = data->source };

      for (guint k = 0; k < atomic->part / 4; k++)
        {
          m.operands[0] |= (guint64)data->rows[word + k][lane] << 32 * k;
          m.is_unknown |= data->unknown[word + k] >> lane & 1;
        }
      if (!wp_warp_modify (warp, space, address + 4 * word, &m, fault))
        return FALSE;
    }
  return TRUE;
}

static gboolean
combine_pieces (WpWarp *warp, const WpStep *step, const Copy *copy, guint at, guint32 mask,
                const WpData *data, WpFault *fault)
{
  const WpAtomic atomic = { .operation = step->mode[OPERATION], .part = step->mode[PART] };
  WpAddresses addresses;

  find_pieces (&copy->to, at, &addresses);
  if (copy->to.address % PIECE != 0)
    {
      *fault = (WpFault){ WP_FAULT_MISALIGNED, copy->lane, copy->to.address, PIECE };
      return FALSE;
    }
  for (guint32 left = mask; left != 0; left &= left - 1)
    {
      const guint lane = (guint)__builtin_ctz (left);

      if (!wp_bulk_combine (warp, copy->to.space, addresses.lanes[lane], &atomic, 0, PIECE, lane,
                            data, fault))
        return FALSE;
    }
  return TRUE;
}

/* Ends the run for FAULT at END. */
static gboolean
fail (WpWarp *warp, const WpStep *step, const Copy *copy, const End *end, WpFault *fault)
{
  fault->lane = copy->lane;
  wp_warp_fail_access (warp, step, end->space, fault);
  return FALSE;
}

/* Moves 32 pieces from byte AT on, or as many as are left. */
static gboolean
move_pieces (WpWarp *warp, const WpStep *step, const Copy *copy, guint32 bytes, guint at)
{
  const guint n = MIN ((copy->bytes - at) / PIECE, WP_LANES);
  const guint32 mask = WP_ALL_LANES >> (WP_LANES - n);
  guint32 rows[WORDS][WP_LANES] = { { 0 } }, unknown[WORDS] = { 0 };
  WpFault fault = { WP_FAULT_NONE, 0, 0, 0 };
  WpData data = { rows, unknown, 0, 0 };

  if (!load_pieces (warp, copy, at, mask, &data, &fault))
    return fail (warp, step, copy, &copy->from, &fault);
  if (copy->to.is_unknown)
    return TRUE;
  if (step->instr->op == WP_SASS_UBLKRED
          ? !combine_pieces (warp, step, copy, at, mask, &data, &fault)
          : !store_pieces (warp, copy, bytes, at, mask, &data, &fault))
    return fail (warp, step, copy, &copy->to, &fault);
  return TRUE;
}

/* ---- What goes with it ---- */

guint32
wp_bulk_find_blocks (WpWarp *warp, const WpStep *step, guint lane, guint32 blocks, guint32 address)
{
  const WpBlock *block = warp->block;
  const guint n = block->cluster->n, rank = wp_cluster_get_rank (block, address);

  if (!wp_step_has (step, WP_WORD_MULTICAST))
    return 1u << MIN (rank, 31u);
  if (blocks != 0 && blocks >> n == 0)
    return blocks;
  wp_warp_fail (warp, step, lane,
                "this is for the blocks 0x%x of a cluster (a bit for each), which has %u: one of "
                "0x1 to 0x%x would be right%s",
                blocks, n, (1u << n) - 1,
                n > 1 ? "" : "; a kernel has clusters where it says so (__cluster_dims__)");
  return 0;
}

/* Where the barrier is for what goes to the block of RANK: ADDRESS is as code has it. With
 * cta_group::2 it may be in the other block of the pair. */
static guint32
find_barrier (const WpWarp *warp, const WpStep *step, guint32 address, guint rank)
{
  if (wp_step_has (step, WP_WORD_2CTA))
    rank = (rank & ~1u) | (address >> WP_CLUSTER_SHIFT & 1);
  return wp_cluster_move_address (warp->block, address, rank);
}

gboolean
wp_bulk_arrive (WpWarp *warp, const WpStep *step, guint lane, guint number, guint bytes,
                gboolean is_unknown, guint32 blocks)
{
  WpModification m = { .bytes = 8,
                       .modify = wp_atomic_arrive,
                       .operands = { 0, -(guint64)bytes },
                       .is_unknown = is_unknown || warp->doubtful != 0 };
  WpFault fault = { WP_FAULT_NONE, 0, 0, 0 };

  if (warp->ur_unknown[number])
    {
      wp_warp_note (warp, step, WP_NOTE_ADDRESS, warp->ur_tag[number]);
      wp_warp_lose_store (warp);
      wp_waits_begin_copy (warp, step);
      wp_waits_arrive_unseen (warp, step);
      return TRUE;
    }
  wp_waits_begin_copy (warp, step);
  for (; blocks != 0 && fault.kind == WP_FAULT_NONE; blocks &= blocks - 1)
    {
      WpModification one = m;
      const guint32 address
          = find_barrier (warp, step, warp->ur[number], (guint)__builtin_ctz (blocks));

      if (wp_warp_modify (warp, WP_SPACE_SHARED, address, &one, &fault))
        wp_waits_copy (warp, step, address, one.old);
    }
  if (fault.kind == WP_FAULT_NONE)
    return TRUE;
  fault.lane = lane;
  wp_warp_fail_access (warp, step, WP_SPACE_SHARED, &fault);
  return FALSE;
}

/* The bytes of COPY have come, at the barrier whose address is in the register after that of where
 * it goes. IS_UNKNOWN: nobody knows how many. */
static void
arrive (WpWarp *warp, const WpStep *step, const Copy *copy, gboolean is_unknown)
{
  const guint number = step->data == NULL ? 255 : ((const WpSassOperand *)step->data)->uniform;

  if (copy->to.space == WP_SPACE_SHARED && number != 255)
    wp_bulk_arrive (warp, step, copy->lane, number + 1, copy->bytes, is_unknown, copy->blocks);
}

/* Part K of N parts goes to the account of this one of BLOCKS. */
static WpBlock *
find_owner (const WpWarp *warp, guint32 blocks, guint k, guint n)
{
  const guint nth = k * (guint)__builtin_popcount (blocks) / n;

  for (guint i = 0; i < nth; i++)
    blocks &= blocks - 1;
  return warp->block->cluster->blocks[__builtin_ctz (blocks)];
}

#define MOST_OWED (128u << 10) /* bytes: what a block may be behind another one of its cluster */

/* Whether BLOCK will have copies that bring what it owes: it had some, and has not fallen far
 * behind. */
static gboolean
takes_on (const WpBlock *block)
{
  return block->has_copied && block->n_owed < MOST_OWED;
}

void
wp_bulk_log_part (WpWarp *warp, const WpStep *step, WpBulkLog *log, guint32 blocks, guint k,
                  guint n, guint64 first, guint bytes)
{
  WpBlock *owner = (blocks & (blocks - 1)) == 0 ? warp->block : find_owner (warp, blocks, k, n);
  const WpOwed owed = { first, bytes };

  if (log->has_any && owner != warp->block && takes_on (owner))
    {
      if (!owner->owed)
        owner->owed = g_array_new (FALSE, FALSE, sizeof (WpOwed));
      g_array_append_val (owner->owed, owed);
      owner->n_owed += bytes;
      return;
    }
  if (!log->has_any)
    wp_warp_log_span (warp, step, first, bytes, log->access);
  else
    wp_warp_log_more (warp, first, bytes);
  warp->block->n_logged += bytes;
  log->has_any = TRUE;
}

/* Half of what is owed is taken on at a time: a block that copies less often than others copy to it
 * does not fall behind for good, and one that others are ahead of does not take on all at once. */
void
wp_bulk_log_end (WpWarp *warp, const WpBulkLog *log)
{
  WpBlock *block = warp->block;
  const guint n = block->owed && log->has_any ? (block->owed->len + 1) / 2 : 0;

  block->has_copied |= log->has_any;
  for (guint k = 0; k < n; k++)
    {
      const WpOwed *owed = &g_array_index (block->owed, WpOwed, k);

      wp_warp_log_more (warp, owed->first, owed->bytes);
      block->n_owed -= owed->bytes;
      block->n_logged += owed->bytes;
    }
  if (n > 0)
    g_array_remove_range (block->owed, 0, n);
}

/* How many sectors of 32 bytes a copy to device memory touches: all of them are written in part
 * where it leaves out bytes of each piece. */
static guint
count_sectors (const Copy *copy)
{
  return (guint)((copy->to.address + copy->bytes - 1) / 32 - copy->to.address / 32) + 1;
}

/* A copy to several blocks has a part for each, of whole sectors. */
static void
log_load (WpWarp *warp, const WpStep *step, const Copy *copy, WpAccess access)
{
  const guint n = (guint)__builtin_popcount (copy->blocks);
  WpBulkLog log = { .access = access };

  for (guint k = 0; k < n; k++)
    {
      const guint begin = copy->bytes / 32 * k / n * 32;
      const guint end = k + 1 < n ? copy->bytes / 32 * (k + 1) / n * 32 : copy->bytes;

      if (begin < end)
        wp_bulk_log_part (warp, step, &log, copy->blocks, k, n, copy->from.address + begin,
                          end - begin);
    }
  wp_bulk_log_end (warp, &log);
}

/* A copy passes L1 by. Of one within shared memory each 128 bytes are read, and written. */
static void
log_copy (WpWarp *warp, const WpStep *step, const Copy *copy, guint32 bytes)
{
  const gboolean is_red = step->instr->op == WP_SASS_UBLKRED;
  WpAccess access = { .how = WP_ACCESS_PAST_L1 };

  if (copy->bytes == 0)
    return;
  if (copy->from.space == WP_SPACE_GLOBAL)
    {
      log_load (warp, step, copy, access);
      return;
    }
  if (copy->to.space == WP_SPACE_SHARED)
    {
      wp_warp_log_shared (warp, step, TRUE, is_red, 2 * ((copy->bytes - 1) / 128 + 1));
      return;
    }
  access.is_write = TRUE;
  access.is_atomic = is_red != FALSE;
  access.partial = bytes == ALL_BYTES ? 0 : (guint16)count_sectors (copy);
  wp_warp_log_span (warp, step, copy->to.address, copy->bytes, access);
}

/* ---- Copies ---- */

/* Whether END is in memory, all bytes of COPY. */
static gboolean
reach (WpWarp *warp, const WpStep *step, const Copy *copy, const End *end)
{
  const guint64 size = warp->block->grid->shared_bytes;
  const guint64 last = (end->address & WP_CLUSTER_OFFSET) + copy->bytes - 1;
  const WpMemory *memory = warp->block->grid->memory;
  WpFault fault = { WP_FAULT_OUT_OF_BOUNDS, copy->lane, end->address, PIECE };
  guint64 lanes[WP_LANES] = { end->address, end->address + copy->bytes - 1 };

  if (end->is_unknown || copy->bytes == 0)
    return TRUE;
  if (end->address % PIECE != 0)
    fault.kind = WP_FAULT_MISALIGNED;
  else if (end->space == WP_SPACE_SHARED ? last < size && wp_cluster_has (warp->block, end->address)
                                         : wp_memory_has (memory, NULL, lanes, 3, 1, &fault))
    return TRUE;
  return fail (warp, step, copy, end, &fault);
}

/* Moves all of COPY, or only looks whether it can be. */
static gboolean
move (WpWarp *warp, const WpStep *step, const Copy *copy, guint32 bytes, gboolean with_data)
{
  if (!with_data)
    return reach (warp, step, copy, &copy->from) && reach (warp, step, copy, &copy->to);
  for (guint at = 0; at < copy->bytes; at += WP_LANES * PIECE)
    if (!move_pieces (warp, step, copy, bytes, at))
      return FALSE;
  return TRUE;
}

/* The same, to each of the blocks that get it. */
static gboolean
move_to_all (WpWarp *warp, const WpStep *step, const Copy *copy, guint32 bytes, gboolean with_data)
{
  if (copy->to.space != WP_SPACE_SHARED)
    return move (warp, step, copy, bytes, with_data);
  for (guint32 left = copy->blocks; left != 0; left &= left - 1)
    {
      Copy one = *copy;

      one.to.address = wp_cluster_move_address (warp->block, (guint32)copy->to.address,
                                                (guint)__builtin_ctz (left));
      if (!move (warp, step, &one, bytes, with_data))
        return FALSE;
    }
  return TRUE;
}

static void
copy_all (WpWarp *warp, const WpStep *step, guint32 mask, gboolean with_data)
{
  Copy copy = { .to.space = (WpSpace)step->mode[TO_SPACE],
                .from.space = (WpSpace)step->mode[FROM_SPACE],
                .lane = (guint)__builtin_ctz (mask) };
  guint32 bytes = ALL_BYTES;

  if (!find_size (warp, step, &copy))
    {
      wp_warp_lose_store (warp);
      copy.blocks = 1u << warp->block->rank;
      arrive (warp, step, &copy, TRUE);
      return;
    }
  if (wp_step_has (step, WP_WORD_DST_G_BYTE_MASK))
    bytes = copy.half;
  find_end (warp, step, step->data, copy.bytes, copy.lane, &copy.to);
  copy.blocks = wp_bulk_find_blocks (warp, step, copy.lane, copy.half, (guint32)copy.to.address);
  if (copy.blocks == 0)
    return;
  find_end (warp, step, wp_step_get_memory (step, 1), copy.bytes, copy.lane, &copy.from);
  if (copy.to.is_unknown)
    wp_warp_lose_store (warp);
  if (!move_to_all (warp, step, &copy, bytes, with_data))
    return;
  wp_warp_note_unstored (warp, step);
  log_copy (warp, step, &copy, bytes);
  arrive (warp, step, &copy, FALSE);
}

static void
run_copy (WpWarp *warp, const WpStep *step, guint32 mask)
{
  copy_all (warp, step, mask, TRUE);
}

static void
lean_copy (WpWarp *warp, const WpStep *step, guint32 mask)
{
  copy_all (warp, step, mask, FALSE);
}

/* L2 gets what it has not yet. Of a prefetch from where no buffer is nothing comes, and it is no
 * error, nor is one from beyond the end of a buffer. */
static void
run_prefetch (WpWarp *warp, const WpStep *step, guint32 mask)
{
  const WpAccess access = { .wavefronts = 1, .how = WP_ACCESS_PAST_L1 | WP_ACCESS_TO_L2 };
  Copy copy = { .from.space = WP_SPACE_GLOBAL, .lane = (guint)__builtin_ctz (mask) };

  if (!find_size (warp, step, &copy) || copy.bytes == 0)
    return;
  find_end (warp, step, step->data, copy.bytes, copy.lane, &copy.from);
  if (wp_memory_locate (warp->block->grid->memory, copy.from.address) != 0)
    wp_warp_log_span (warp, step, copy.from.address, copy.bytes, access);
}

/* ---- Preparing ---- */

static gboolean
prepare_copy (WpStep *step, gchar **problem)
{
  step->data = wp_step_get_memory (step, 0);
  step->is_effect = TRUE;
  step->run = run_copy;
  step->lean = lean_copy;
  if (step->data == NULL || wp_step_get_memory (step, 1) == NULL || step->n_sources != 1
      || step->sources[0].from != WP_FROM_UNIFORM || step->instr->n_words < 2)
    return wp_step_refuse (step, problem);
  step->mode[TO_SPACE]
      = wp_sass_is_bulk_to_shared (step->instr) ? WP_SPACE_SHARED : WP_SPACE_GLOBAL;
  step->mode[FROM_SPACE]
      = wp_sass_is_bulk_from_shared (step->instr) ? WP_SPACE_SHARED : WP_SPACE_GLOBAL;
  return TRUE;
}

static gboolean
prepare_reduction (WpStep *step, gchar **problem)
{
  WpAtomic atomic;

  if (!prepare_copy (step, problem))
    return FALSE;
  if (!wp_atomic_find (step, &atomic))
    return wp_step_refuse (step, problem);
  step->mode[OPERATION] = atomic.operation;
  step->mode[PART] = atomic.part;
  return TRUE;
}

static gboolean
prepare_prefetch (WpStep *step, gchar **problem)
{
  step->data = wp_step_get_memory (step, 0);
  step->run = run_prefetch;
  return (step->data != NULL && step->n_sources == 1 && step->sources[0].from == WP_FROM_UNIFORM)
         || wp_step_refuse (step, problem);
}

/* UTMACMDFLUSH ends a group of copies: all are done. */
const WpOpRule wp_rules_bulk[] = {
  { WP_SASS_UBLKCP, prepare_copy },
  { WP_SASS_UBLKPF, prepare_prefetch },
  { WP_SASS_UBLKRED, prepare_reduction },
  { WP_SASS_UTMACMDFLUSH, wp_step_prepare_nothing },
  { WP_SASS_NO_OP, NULL },
};
