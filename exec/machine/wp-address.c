/* SPDX-License-Identifier: MIT */
#include "exec/machine/wp-address.h"

#include "exec/machine/wp-bank.h"
#include "exec/machine/wp-cluster.h"
#include "exec/machine/wp-stand-in.h"
#include "exec/memory/wp-vectors.h"

#include <string.h>

/* ---- Operands ---- */

guint
wp_step_get_bytes (const WpStep *step, gboolean *is_signed)
{
  static const struct
  {
    WpSassWord word;
    guint bytes;
    gboolean is_signed;
  } sizes[] = { { WP_WORD_U8, 1, FALSE }, { WP_WORD_S8, 1, TRUE },  { WP_WORD_U16, 2, FALSE },
                { WP_WORD_S16, 2, TRUE }, { WP_WORD_64, 8, FALSE }, { WP_WORD_128, 16, FALSE } };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    if (wp_step_has (step, sizes[i].word))
      {
        if (is_signed != NULL)
          *is_signed = sizes[i].is_signed;
        return sizes[i].bytes;
      }
  if (is_signed != NULL)
    *is_signed = FALSE;
  return 4;
}

const WpSassOperand *
wp_step_get_memory (const WpStep *step, guint nth)
{
  for (guint i = 0; i < step->instr->n_operands; i++)
    {
      const WpSassOperand *operand = &step->instr->operands[i];

      if ((operand->kind == WP_SASS_MEMORY || operand->kind == WP_SASS_CONSTANT) && nth-- == 0)
        return operand;
    }
  return NULL;
}

void
wp_warp_set_loaded (WpWarp *warp, guint row, guint n, guint32 mask, WpTag tag)
{
  for (guint k = 0; k < n; k++)
    {
      warp->r_shape[row + k].shape = WP_SHAPE_NONE;
      if (tag != 0 || mask == WP_ALL_LANES)
        warp->r_tag[row + k] = wp_warp_limit_tag (warp, row + k, mask, tag);
    }
}

/* ---- Addresses ---- */

/* The uniform register of OPERAND, of 32 or 64 bits. */
static guint64
get_uniform (const WpWarp *warp, const WpSassOperand *operand, gboolean is_wide,
             WpAddresses *addresses)
{
  const guint number = operand->uniform;

  if (number == 255)
    return 0;
  addresses->tag = wp_tag_join (addresses->tag, warp->ur_tag[number]);
  if (warp->ur_unknown[number] || (is_wide && warp->ur_unknown[number + 1]))
    addresses->unknown = WP_ALL_LANES;
  return warp->ur[number] | (is_wide ? (guint64)warp->ur[number + 1] << 32 : 0);
}

WP_INLINE void
get_addresses (const WpWarp *warp, const WpSassOperand *operand, gboolean is_wide,
               WpAddresses *addresses)
{
  const gboolean is_pair = is_wide && operand->index != 255 && operand->index_word != WP_WORD_U32;
  const guint row = wp_row_of (operand->index), shift = wp_operand_shift (operand);
  const guint32 *low = warp->r[row], *high = warp->r[is_pair ? row + 1 : WP_ROW_ZERO];
  guint64 base;

  addresses->unknown = warp->r_unknown[row] | (is_pair ? warp->r_unknown[row + 1] : 0);
  addresses->tag = warp->r_tag[row];
  if (is_pair && warp->r_tag[row + 1] != 0)
    addresses->tag = wp_tag_join (addresses->tag, warp->r_tag[row + 1]);
  base = get_uniform (warp, operand, is_wide, addresses) + (guint64)operand->value;
  if (is_wide)
    for (guint lane = 0; lane < WP_LANES; lane++)
      addresses->lanes[lane] = ((guint64)low[lane] << shift) + ((guint64)high[lane] << 32) + base;
  else
    for (guint lane = 0; lane < WP_LANES; lane++)
      addresses->lanes[lane] = (low[lane] << shift) + (guint32)base;
}

WP_WIDE static void
get_addresses_wide (const WpWarp *warp, const WpSassOperand *operand, gboolean is_wide,
                    WpAddresses *addresses)
{
  get_addresses (warp, operand, is_wide, addresses);
}

void
wp_addresses_get (const WpWarp *warp, const WpSassOperand *operand, gboolean is_wide,
                  WpAddresses *addresses)
{
  if (wp_host_is_wide ())
    get_addresses_wide (warp, operand, is_wide, addresses);
  else
    get_addresses (warp, operand, is_wide, addresses);
}

static void
relate (const WpWarp *warp, WpAddresses *addresses, guint32 mask)
{
  const guint32 own = wp_warp_own_address (warp);

  for (guint32 left = own != 0 ? mask & ~addresses->unknown : 0; left != 0; left &= left - 1)
    addresses->lanes[__builtin_ctz (left)] ^= own;
}

void
wp_addresses_get_shared (const WpWarp *warp, const WpSassOperand *operand, WpAddresses *addresses)
{
  wp_addresses_get (warp, operand, FALSE, addresses);
  relate (warp, addresses, WP_ALL_LANES);
}

/* ---- Unknown addresses ---- */

/* A number of LANE's own for each instruction that the warp executes. */
static guint64
get_hash (const WpWarp *warp, guint lane)
{
  return wp_mix (wp_mix (warp->block->number ^ wp_mix (wp_warp_thread (warp, lane)))
                 ^ warp->n_executed);
}

/* Where LANE, whose address in device memory is unknown, accesses BYTES. */
static guint64
find_place (const WpWarp *warp, const WpAddresses *addresses, guint lane, guint bytes)
{
  const WpMemory *memory = warp->block->grid->memory;
  const guint buffer = WP_TAG_BUFFER (addresses->tag), source = WP_TAG_SOURCE (addresses->tag);
  const guint64 address = addresses->lanes[lane];

  if ((addresses->tag & WP_TAG_STANDS) == 0 || source == WP_TAG_UNWRITTEN)
    return wp_memory_pick (memory, buffer, bytes, get_hash (warp, lane));
  return buffer != 0 ? wp_memory_wrap (memory, buffer, bytes, address)
                     : wp_memory_wrap_pointee (source, bytes, wp_stand_in_align (address));
}

void
wp_addresses_settle (WpWarp *warp, const WpStep *step, WpAddresses *addresses, guint32 mask,
                     guint bytes)
{
  const guint32 unknown = addresses->unknown & mask;

  if (unknown == 0)
    return;
  wp_warp_note (warp, step, WP_NOTE_ADDRESS, addresses->tag);
  for (guint lane = 0; lane < WP_LANES; lane++)
    if ((unknown >> lane & 1) != 0)
      addresses->lanes[lane] = find_place (warp, addresses, lane, bytes);
}

void
wp_addresses_settle_within (WpWarp *warp, const WpStep *step, WpAddresses *addresses, guint32 mask,
                            guint bytes, guint32 size)
{
  const guint32 unknown = addresses->unknown & mask, places = MAX (size / bytes, 1);
  const gboolean stands = (addresses->tag & WP_TAG_STANDS) != 0;

  if (unknown == 0)
    return;
  wp_warp_note (warp, step, WP_NOTE_ADDRESS, addresses->tag);
  for (guint lane = 0; lane < WP_LANES; lane++)
    if (unknown >> lane & 1)
      addresses->lanes[lane]
          = (stands ? addresses->lanes[lane] / bytes : get_hash (warp, lane)) % places * bytes;
}

guint32
wp_addresses_take (const WpWarp *warp, WpAddresses *addresses, guint32 mask, WpSpace space)
{
  const WpGrid *grid = warp->block->grid;
  const guint64 window = space == WP_SPACE_SHARED  ? grid->shared_window
                         : space == WP_SPACE_LOCAL ? grid->local_window
                                                   : grid->constant_window;
  guint32 taken = 0;

  for (guint lane = 0; lane < WP_LANES; lane++)
    taken |= (guint32)(addresses->lanes[lane] - window < grid->window_bytes) << lane;
  taken &= mask & ~addresses->unknown;
  for (guint lane = 0; taken != 0 && lane < WP_LANES; lane++)
    if (taken >> lane & 1)
      addresses->lanes[lane] -= window;
  if (space == WP_SPACE_SHARED)
    relate (warp, addresses, taken);
  return taken;
}

/* ---- Views ---- */

WpShared
wp_block_shared (WpBlock *block)
{
  const WpShared shared
      = { block->grid->shared_bytes, block->shared, block->shared_unknown, &block->shared_state };

  return shared;
}

WpShared
wp_warp_shared (const WpWarp *warp)
{
  return wp_block_shared (warp->block);
}

WpLocal
wp_warp_get_local (WpWarp *warp)
{
  guint8 *data = wp_warp_local (warp);
  const WpLocal local
      = { warp->block->grid->local_bytes, data, (guint64 *)(gpointer)warp->local_unknown };

  return local;
}

/* Where ADDRESS in the window of constants lies. */
static const WpBank *
find_bank (const WpWarp *warp, guint32 address)
{
  return &warp->block->grid->banks[address < WP_PARAMETER_WINDOW ? WP_BANK_VARIABLES : 0];
}

/* ---- Failures ---- */

/* Of shared or local memory. */
static guint32
get_space_bytes (const WpWarp *warp, WpSpace space)
{
  const WpGrid *grid = warp->block->grid;

  return space == WP_SPACE_SHARED ? grid->shared_bytes : grid->local_bytes;
}

/* Whether ADDRESS, relative to WARP's block, would be in the block of RANK, which its cluster has
 * not. */
static gboolean
is_of_other (const WpWarp *warp, guint64 address, guint *rank)
{
  const WpBlock *block = warp->block;

  *rank = wp_cluster_get_rank (block, address);
  return *rank >= block->cluster->n && *rank < WP_MAX_CLUSTER
         && (address & WP_CLUSTER_OFFSET) < block->grid->shared_bytes;
}

void
wp_warp_fail_access (WpWarp *warp, const WpStep *step, WpSpace space, const WpFault *fault)
{
  const gboolean is_parameter = space == WP_SPACE_CONSTANT && fault->address >= WP_PARAMETER_WINDOW;
  const gchar *name = space == WP_SPACE_SHARED  ? "shared memory of the block"
                      : space == WP_SPACE_LOCAL ? "local memory of the thread"
                      : is_parameter            ? "bank of the kernel's parameters"
                                                : "bank of __constant__ variables";
  const guint address = space == WP_SPACE_SHARED
                            ? (guint)fault->address ^ wp_warp_own_address (warp)
                            : (guint)fault->address - (is_parameter ? WP_PARAMETER_WINDOW : 0);
  guint size;

  if (space == WP_SPACE_GLOBAL)
    {
      g_autofree gchar *what = wp_memory_describe_fault (warp->block->grid->memory, fault);

      wp_warp_fail (warp, step, fault->lane, "%s", what);
    }
  else if (fault->kind == WP_FAULT_MISALIGNED)
    wp_warp_fail (warp, step, fault->lane,
                  "address 0x%x in the %s is not aligned to the %u bytes of the access", address,
                  name, fault->bytes);
  else if (space == WP_SPACE_LOCAL && (gint32)fault->address < 0)
    wp_warp_fail (warp, step, fault->lane,
                  "the stack of the thread is full: it has %u bytes, as CUDA gives it where "
                  "cudaLimitStackSize is not set",
                  get_space_bytes (warp, space));
  else if (space == WP_SPACE_SHARED && is_of_other (warp, fault->address, &size))
    wp_warp_fail (warp, step, fault->lane,
                  "0x%x is in the shared memory of block %u of a cluster, which has %u; <<<GRID, "
                  "BLOCK, BYTES, cluster(X, Y, Z)>>> says how many, where the kernel does not "
                  "(__cluster_dims__)",
                  address, size, warp->block->cluster->n);
  else
    {
      size = space == WP_SPACE_CONSTANT ? (guint)find_bank (warp, (guint32)fault->address)->size
                                        : get_space_bytes (warp, space);
      wp_warp_fail (warp, step, fault->lane, "%u bytes at 0x%x are beyond the %s, which has %u%s",
                    fault->bytes, address, name, size,
                    space == WP_SPACE_SHARED && warp->block->grid->shared_dynamic == 0
                        ? ", none of it dynamic; an extern array expects <<<GRID, BLOCK, BYTES>>>"
                        : "");
    }
}

/* ---- The log ---- */

/* Where the local memory of warps lies: after all buffers. A warp's has the elements of all lanes
 * side by side. */
#define LOCAL_BASE (G_GUINT64_CONSTANT (1) << 46)
#define PLACES 64 /* blocks of an SM, warps of a block: at most */

static void
get_local_lines (const WpWarp *warp, const WpAddresses *addresses, guint bytes, guint64 *lanes)
{
  const WpBlock *block = warp->block;
  guint64 place
      = ((guint64)block->sm * PLACES + block->slot % PLACES) * PLACES + warp->number % PLACES;
  guint64 size = ((guint64)block->grid->local_bytes * WP_LANES + 127) & ~(guint64)127;
  guint64 base = LOCAL_BASE + ((place * size) & (LOCAL_BASE - 1));

  for (guint lane = 0; lane < WP_LANES; lane++)
    lanes[lane] = base + (addresses->lanes[lane] / bytes * WP_LANES + lane) * bytes;
}

/* A turn ends sooner where accesses are of many lines, so that logs stay small. */
static inline void
count_lines (WpWarp *warp, guint n_lines)
{
  warp->n_accesses += 1 + n_lines / 4;
}

static void
add_lines (WpWarp *warp, const WpAccess *access, const WpPattern *pattern, guint64 first)
{
  wp_access_log_add (&warp->log, access, pattern, first);
  count_lines (warp, pattern->n_lines);
}

/* PATTERN (NULL: not known) is that of ADDRESSES in device memory. */
static void
log_lines (WpWarp *warp, WpAccess access, const WpPattern *pattern, const WpAddresses *addresses,
           guint32 mask, guint bytes)
{
  guint64 local[WP_LANES];
  const guint64 *lanes = addresses->lanes;

  if (access.space == WP_SPACE_LOCAL)
    {
      get_local_lines (warp, addresses, bytes, local);
      lanes = local;
    }
  if (pattern == NULL)
    pattern = wp_patterns_find (warp->log.patterns, lanes, mask, bytes, FALSE);
  add_lines (warp, &access, pattern, lanes[__builtin_ctz (mask)]);
}

void
wp_warp_log (WpWarp *warp, const WpStep *step, WpSpace space, const WpAddresses *addresses,
             guint32 mask, guint bytes, WpAccess access)
{
  access.index = step->index;
  access.space = (guint8)space;
  log_lines (warp, access, NULL, addresses, mask, bytes);
}

void
wp_warp_log_at (WpWarp *warp, const WpStep *step, const WpPattern *pattern, guint64 first,
                gboolean is_write, WpAccessHow how)
{
  const WpAccess access = { .index = step->index,
                            .space = WP_SPACE_GLOBAL,
                            .is_write = is_write != FALSE,
                            .how = (guint8)how };

  add_lines (warp, &access, pattern, first);
}

void
wp_warp_log_span (WpWarp *warp, const WpStep *step, guint64 first, guint bytes, WpAccess access)
{
  access.index = step->index;
  access.space = WP_SPACE_GLOBAL;
  wp_access_log_add_span (&warp->log, &access, first, bytes);
  count_lines (warp, warp->log.accesses[warp->log.n_accesses - 1].n_lines);
}

void
wp_warp_log_more (WpWarp *warp, guint64 first, guint bytes)
{
  const guint before = warp->log.n_lines;

  wp_access_log_extend_span (&warp->log, first, bytes);
  count_lines (warp, warp->log.n_lines - before);
}

/* ---- Accesses ---- */

static void
get_narrow (const WpAddresses *addresses, guint32 lanes[WP_LANES])
{
  for (guint lane = 0; lane < WP_LANES; lane++)
    lanes[lane] = (guint32)addresses->lanes[lane];
}

/* By generic addresses, from the bank of variables or that of parameters. */
static gboolean
load_constants (const WpWarp *warp, const guint32 lanes[WP_LANES], guint32 mask, guint bytes,
                gboolean is_signed, WpData *data, WpFault *fault)
{
  for (guint32 left = mask; left != 0; left &= left - 1)
    {
      const guint lane = (guint)__builtin_ctz (left);
      const gboolean is_aligned = lanes[lane] % bytes == 0;
      const WpBank *bank = find_bank (warp, lanes[lane]);
      const guint32 offset = lanes[lane] & (WP_PARAMETER_WINDOW - 1);
      guint32 words[4], unknown;
      WpTag tag;

      if (!is_aligned || !wp_bank_read (bank, offset, bytes, is_signed, words, &unknown, &tag))
        {
          *fault = (WpFault){ is_aligned ? WP_FAULT_OUT_OF_BOUNDS : WP_FAULT_MISALIGNED, lane,
                              lanes[lane], bytes };
          return FALSE;
        }
      for (guint k = 0; k < MAX (1, bytes / 4); k++)
        {
          data->rows[k][lane] = words[k];
          data->unknown[k] = (data->unknown[k] & ~(1u << lane)) | (unknown >> k & 1) << lane;
        }
      if (unknown != 0 && data->source == 0)
        data->source = WP_TAG_SOURCE (tag);
      data->stands |= (guint32)((tag & WP_TAG_STANDS) != 0) << lane;
    }
  return TRUE;
}

/* From shared memory, of whichever blocks the lanes are in. */
static gboolean
load_shared (WpWarp *warp, const WpPattern *pattern, guint32 lanes[WP_LANES], guint32 mask,
             guint bytes, gboolean is_signed, WpData *data, WpFault *fault)
{
  while (mask != 0)
    {
      WpBlock *block;
      const guint32 some = wp_cluster_take (warp, lanes, mask, &block);
      const WpShared shared = wp_block_shared (block);

      data->source = WP_TAG_SOURCE (block->shared_tag);
      data->stands |= block->shared_state.has_numbers ? some : 0;
      if (!wp_shared_load (&shared, block == warp->block && some == mask ? pattern : NULL, lanes,
                           some, bytes, is_signed, data->rows, data->unknown, fault))
        return FALSE;
      wp_warp_take_found (warp, block);
      mask &= ~some;
    }
  return TRUE;
}

gboolean
wp_warp_load_known (WpWarp *warp, WpSpace space, const WpPattern *pattern,
                    const WpAddresses *addresses, guint32 mask, guint bytes, gboolean is_signed,
                    WpData *data, WpFault *fault)
{
  guint32 lanes[WP_LANES];

  if (space == WP_SPACE_GLOBAL)
    return wp_memory_load (warp->block->grid->memory, pattern, addresses->lanes, mask, bytes,
                           is_signed, data->rows, data->unknown, &data->source, fault);
  get_narrow (addresses, lanes);
  if (space == WP_SPACE_CONSTANT)
    return load_constants (warp, lanes, mask, bytes, is_signed, data, fault);
  if (space == WP_SPACE_SHARED)
    return load_shared (warp, pattern, lanes, mask, bytes, is_signed, data, fault);
  else
    {
      const WpLocal local = wp_warp_get_local (warp);

      data->source = WP_TAG_SOURCE (warp->local_tag);
      data->stands |= warp->local_tag & WP_TAG_STANDS ? mask : 0;
      return wp_local_load (&local, lanes, mask, bytes, is_signed, data->rows, data->unknown,
                            fault);
    }
}

static void
settle (WpWarp *warp, const WpStep *step, WpSpace space, WpAddresses *addresses, guint32 mask,
        guint bytes)
{
  if ((addresses->unknown & mask) == 0)
    return;
  if (space == WP_SPACE_GLOBAL)
    wp_addresses_settle (warp, step, addresses, mask, bytes);
  else
    wp_addresses_settle_within (warp, step, addresses, mask, bytes, get_space_bytes (warp, space));
}

static void
log_access (WpWarp *warp, const WpStep *step, WpSpace space, const WpPattern *pattern,
            const WpAddresses *addresses, guint32 mask, guint bytes, gboolean is_write,
            WpAccessHow how)
{
  const WpAccess access
      = { .index = step->index, .space = (guint8)space, .is_write = is_write, .how = (guint8)how };

  if (space == WP_SPACE_CONSTANT)
    warp->n_accesses++; /* they have a cache of their own, which is not modelled */
  else if (space != WP_SPACE_SHARED)
    log_lines (warp, access, pattern, addresses, mask, bytes);
  else
    {
      if (pattern == NULL)
        pattern = wp_patterns_find (warp->log.patterns, addresses->lanes, mask, bytes, TRUE);
      wp_warp_log_shared (warp, step, is_write, FALSE, pattern->wavefronts);
    }
}

/* The pattern of the lanes in MASK, NULL where nothing asks for it, or addresses are not yet
 * settled. */
static inline const WpPattern *
find_pattern (WpWarp *warp, WpSpace space, const WpAddresses *addresses, guint32 mask, guint bytes)
{
  if ((addresses->unknown & mask) != 0 || (space != WP_SPACE_GLOBAL && space != WP_SPACE_SHARED))
    return NULL;
  return wp_patterns_find (warp->log.patterns, addresses->lanes, mask, bytes,
                           space == WP_SPACE_SHARED);
}

/* Whether a lane of MASK reaches the shared memory of another block of the cluster is noted. */
static inline void
note_reach (const WpWarp *warp, const WpStep *step, WpSpace space, const WpAddresses *addresses,
            guint32 mask)
{
  guint64 any = 0;

  if (G_LIKELY (warp->block->cluster->n == 1) || space != WP_SPACE_SHARED)
    return;
  for (; mask != 0; mask &= mask - 1)
    any |= addresses->lanes[__builtin_ctz (mask)] >> WP_CLUSTER_SHIFT;
  if (any != 0)
    wp_cluster_note_reach (warp, step);
}

gboolean
wp_warp_load (WpWarp *warp, const WpStep *step, WpSpace space, WpAddresses *addresses, guint32 mask,
              guint bytes, gboolean is_signed, WpAccessHow how, WpData *data)
{
  const guint32 known = mask & ~addresses->unknown, unknown = mask & addresses->unknown;
  const WpPattern *pattern = find_pattern (warp, space, addresses, mask, bytes);
  WpFault fault = { WP_FAULT_NONE, 0, 0, 0 };

  if (known != 0
      && !wp_warp_load_known (warp, space, pattern, addresses, known, bytes, is_signed, data,
                              &fault))
    {
      wp_warp_fail_access (warp, step, space, &fault);
      return FALSE;
    }
  wp_warp_note_unstored (warp, step);
  note_reach (warp, step, space, addresses, known);
  settle (warp, step, space, addresses, mask, bytes);
  for (guint k = 0; unknown != 0 && k < MAX (1, bytes / 4); k++)
    data->unknown[k] |= unknown;
  if (unknown != 0 && data->source == 0)
    data->source = WP_TAG_SOURCE (addresses->tag);
  if (data->source != 0 && space == WP_SPACE_GLOBAL && !step->is_data)
    wp_stand_in_loaded (data, addresses->lanes, mask, bytes, is_signed);
  log_access (warp, step, space, pattern, addresses, mask, bytes, FALSE, how);
  return TRUE;
}

/* BYTES of DATA are about to be stored where numbers stand for what is unknown, or not (IS_KEPT):
 * whether they do from now on. Then DATA has such numbers. */
static gboolean
stand_in_stored (const WpWarp *warp, guint32 mask, guint bytes, const WpData *data,
                 gboolean is_kept)
{
  const guint32 unknown = wp_data_find_unknown (data, mask, bytes);

  if ((unknown & ~data->stands) == 0)
    return is_kept || unknown != 0;
  if (is_kept)
    wp_stand_in_own (warp, data->rows, data->unknown, MAX (1, bytes / 4), mask & ~data->stands);
  return is_kept;
}

void
wp_block_note_stored (WpBlock *block, const WpWarp *warp, guint32 mask, guint bytes,
                      const WpData *data)
{
  const WpShared shared = wp_block_shared (block);

  if (wp_data_find_unknown (data, mask, bytes) == 0)
    return;
  if (data->source != 0)
    block->shared_tag = WP_TAG (data->source, 0);
  if (stand_in_stored (warp, mask, bytes, data, block->shared_state.has_numbers))
    wp_shared_keep_numbers (&shared, (guint32)wp_mix (block->number));
}

static void
note_stored_local (WpWarp *warp, guint32 mask, guint bytes, const WpData *data)
{
  const WpTag stands = warp->local_tag & WP_TAG_STANDS;

  if (wp_data_find_unknown (data, mask, bytes) == 0)
    return;
  if (data->source != 0)
    warp->local_tag = WP_TAG (data->source, 0) | stands;
  if (stand_in_stored (warp, mask, bytes, data, stands != 0))
    warp->local_tag |= WP_TAG_STANDS;
}

static gboolean
store_shared (const WpWarp *warp, const WpPattern *pattern, guint32 lanes[WP_LANES], guint32 mask,
              guint bytes, const WpData *data, WpFault *fault)
{
  while (mask != 0)
    {
      WpBlock *block;
      const guint32 some = wp_cluster_take (warp, lanes, mask, &block);
      const WpShared shared = wp_block_shared (block);

      wp_block_note_stored (block, warp, some, bytes, data);
      if (!wp_shared_store (&shared, block == warp->block && some == mask ? pattern : NULL, lanes,
                            some, bytes, data->rows, data->unknown, fault))
        return FALSE;
      mask &= ~some;
    }
  return TRUE;
}

gboolean
wp_warp_store_known (WpWarp *warp, WpSpace space, const WpPattern *pattern,
                     const WpAddresses *addresses, guint32 mask, guint bytes, const WpData *data,
                     WpFault *fault)
{
  guint32 lanes[WP_LANES];

  if (space == WP_SPACE_GLOBAL)
    return wp_memory_store (warp->block->grid->memory, pattern, addresses->lanes, mask, bytes,
                            data->rows, data->unknown, data->source, fault);
  get_narrow (addresses, lanes);
  if (space == WP_SPACE_SHARED)
    return store_shared (warp, pattern, lanes, mask, bytes, data, fault);
  else
    {
      const WpLocal local = wp_warp_get_local (warp);

      note_stored_local (warp, mask, bytes, data);
      return wp_local_store (&local, lanes, mask, bytes, data->rows, data->unknown, fault);
    }
}

gboolean
wp_warp_store (WpWarp *warp, const WpStep *step, WpSpace space, WpAddresses *addresses,
               guint32 mask, guint bytes, const WpData *data)
{
  const guint32 known = mask & ~addresses->unknown;
  const WpPattern *pattern = find_pattern (warp, space, addresses, mask, bytes);
  WpFault fault = { WP_FAULT_NONE, 0, 0, 0 };

  if (known != 0
      && !wp_warp_store_known (warp, space, pattern, addresses, known, bytes, data, &fault))
    {
      wp_warp_fail_access (warp, step, space, &fault);
      return FALSE;
    }
  if (known != mask)
    wp_warp_lose_store (warp);
  note_reach (warp, step, space, addresses, known);
  settle (warp, step, space, addresses, mask, bytes);
  log_access (warp, step, space, pattern, addresses, mask, bytes, TRUE, 0);
  return TRUE;
}

static gboolean
has_known (WpWarp *warp, WpSpace space, const WpPattern *pattern, const WpAddresses *addresses,
           guint32 mask, guint bytes, WpFault *fault)
{
  guint32 lanes[WP_LANES];

  if (space == WP_SPACE_GLOBAL)
    return wp_memory_has (warp->block->grid->memory, pattern, addresses->lanes, mask, bytes, fault);
  get_narrow (addresses, lanes);
  while (space == WP_SPACE_SHARED && warp->block->cluster->n > 1 && mask != 0)
    {
      WpBlock *block;
      const guint32 some = wp_cluster_take (warp, lanes, mask, &block);

      if (!wp_shared_check (lanes, some, bytes, get_space_bytes (warp, space), fault))
        return FALSE;
      mask &= ~some;
    }
  return wp_shared_check (lanes, mask, bytes, get_space_bytes (warp, space), fault);
}

gboolean
wp_warp_has (WpWarp *warp, WpSpace space, const WpAddresses *addresses, guint32 mask, guint bytes)
{
  WpFault fault;

  return has_known (warp, space, NULL, addresses, mask, bytes, &fault);
}

gboolean
wp_warp_pass (WpWarp *warp, const WpStep *step, WpSpace space, WpAddresses *addresses, guint32 mask,
              guint bytes, gboolean is_write, WpAccessHow how)
{
  const guint32 known = mask & ~addresses->unknown;
  const WpPattern *pattern = find_pattern (warp, space, addresses, mask, bytes);
  WpFault fault = { WP_FAULT_NONE, 0, 0, 0 };

  if (known != 0 && !has_known (warp, space, pattern, addresses, known, bytes, &fault))
    {
      wp_warp_fail_access (warp, step, space, &fault);
      return FALSE;
    }
  if (is_write && known != mask)
    wp_warp_lose_store (warp);
  note_reach (warp, step, space, addresses, known);
  settle (warp, step, space, addresses, mask, bytes);
  log_access (warp, step, space, pattern, addresses, mask, bytes, is_write, how);
  return TRUE;
}
