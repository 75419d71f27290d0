/* SPDX-License-Identifier: MIT */
/* Loads and stores, and copies from device to shared memory. What they do is in the PTX ISA ("Data
 * Movement and Conversion Instructions"); the order of operands is that of a disassembler. */
#include <string.h>

#include "exec/machine/wp-reach.h"
#include "exec/machine/wp-stand-in.h"

/* mode[] of a load or store. */
enum
{
  BYTES,
  IS_SIGNED,
  FLAGS,
  SPACE
};

/* FLAGS */
#define IS_WIDE 1u   /* addresses of 64 bits (.E) */
#define IS_STRONG 2u /* coherent with other SMs: L1 is not looked into */
#define IS_FILLED 4u /* .ZFILL */
#define IS_OWN 8u    /* QSPC.S: other blocks of the cluster do not count */

static const WpSassOperand *
get_operand (const WpStep *step)
{
  return step->data;
}

/* ---- Loads ---- */

/* WP_TAG_STANDS, where numbers in DATA stand for all that is unknown. */
static inline WpTag
get_stands (const WpData *data, guint32 mask, guint bytes)
{
  return data->stands != 0 && (wp_data_find_unknown (data, mask, bytes) & ~data->stands) == 0
             ? WP_TAG_STANDS
             : 0;
}

/* A pointer that was loaded says which buffer it is of. */
static WpTag
get_loaded_tag (const WpWarp *warp, const WpStep *step, guint32 mask, const WpData *data)
{
  const guint n = MAX (1, step->mode[BYTES] / 4);
  guint32 unknown = 0;
  guint number = 0, lane = (guint)__builtin_ctz (mask);

  for (guint k = 0; k < n; k++)
    unknown |= data->unknown[k] & mask;
  if (n == 2 && unknown == 0)
    number = wp_memory_locate (warp->block->grid->memory,
                               data->rows[0][lane] | (guint64)data->rows[1][lane] << 32);
  return WP_TAG (unknown != 0 ? data->source : 0, number)
         | (unknown != 0 ? get_stands (data, mask, step->mode[BYTES]) : 0);
}

static WpAccessHow
get_how (const WpStep *step)
{
  return step->mode[FLAGS] & IS_STRONG ? WP_ACCESS_PAST_L1 : 0;
}

static gboolean
load_space (WpWarp *warp, const WpStep *step, WpSpace space, WpAddresses *addresses, guint32 mask,
            WpData *data)
{
  return mask == 0
         || wp_warp_load (warp, step, space, addresses, mask, step->mode[BYTES],
                          step->mode[IS_SIGNED] != 0, get_how (step), data);
}

/* The lanes' addresses, in the space that STEP says. */
static void
get_addresses (const WpWarp *warp, const WpStep *step, WpAddresses *addresses)
{
  if (step->mode[SPACE] == WP_SPACE_SHARED)
    wp_addresses_get_shared (warp, get_operand (step), addresses);
  else
    wp_addresses_get (warp, get_operand (step), (step->mode[FLAGS] & IS_WIDE) != 0, addresses);
}

/* DATA is in the destination's rows: says so. Mostly it is one word. */
static inline void
finish_load (WpWarp *warp, const WpStep *step, guint32 mask, const WpData *data)
{
  const guint8 source = (data->unknown[0] & mask) != 0 ? data->source : 0;

  if (step->mode[BYTES] <= 4)
    {
      const WpTag stands = source != 0 ? get_stands (data, mask, 4) : 0;

      warp->r_shape[step->dest].shape = WP_SHAPE_NONE;
      if (source != 0 || mask == WP_ALL_LANES)
        warp->r_tag[step->dest]
            = wp_warp_limit_tag (warp, step->dest, mask, WP_TAG (source, 0) | stands);
      return;
    }
  wp_warp_set_loaded (warp, step->dest, MAX (1, step->mode[BYTES] / 4), mask,
                      get_loaded_tag (warp, step, mask, data));
}

/* By the lanes' addresses. */
static void
run_load_each (WpWarp *warp, const WpStep *step, guint32 mask)
{
  WpData data = { &warp->r[step->dest], &warp->r_unknown[step->dest], 0, 0 };
  WpAddresses addresses;

  get_addresses (warp, step, &addresses);
  if (load_space (warp, step, (WpSpace)step->mode[SPACE], &addresses, mask, &data))
    finish_load (warp, step, mask, &data);
}

/* The lanes of MASK are loaded from where all is unknown, by what came from SOURCE. */
static inline void
load_unknown (WpWarp *warp, const WpStep *step, guint32 mask, guint8 source)
{
  for (guint k = 0; k == 0 || 4 * k < step->reach.bytes; k++)
    {
      warp->r_unknown[step->dest + k] |= mask;
      if (source != 0 || mask == WP_ALL_LANES)
        warp->r_tag[step->dest + k] = WP_TAG (source, 0);
    }
}

static void
load_known (WpWarp *warp, const WpStep *step, const WpPattern *pattern, guint32 first)
{
  const WpShared shared = wp_warp_shared (warp);
  WpData data = { &warp->r[step->dest], &warp->r_unknown[step->dest],
                  WP_TAG_SOURCE (warp->block->shared_tag),
                  warp->block->shared_state.has_numbers ? WP_ALL_LANES : 0 };

  if (G_UNLIKELY (wp_shared_load_at (&shared, pattern, first, step->mode[IS_SIGNED] != 0, data.rows,
                                     data.unknown)))
    {
      wp_shared_settle_at (&shared, pattern, first, data.rows, data.unknown);
      wp_warp_note_unstored (warp, step);
    }
  finish_load (warp, step, pattern->mask, &data);
}

static void
run_load_shared (WpWarp *warp, const WpStep *step, guint32 mask)
{
  guint32 first;
  const WpPattern *pattern = wp_reach_find_shared (warp, step, mask, &first);

  if (pattern == NULL)
    {
      run_load_each (warp, step, mask);
      return;
    }
  if (wp_shared_is_blank (&warp->block->shared_state))
    load_unknown (warp, step, mask, WP_TAG_SOURCE (warp->block->shared_tag));
  else
    load_known (warp, step, pattern, first);
  wp_warp_log_shared (warp, step, FALSE, FALSE, pattern->wavefronts);
}

static gboolean
pass_space (WpWarp *warp, const WpStep *step, WpSpace space, WpAddresses *addresses, guint32 mask)
{
  return mask == 0
         || wp_warp_pass (warp, step, space, addresses, mask, step->mode[BYTES], step->is_effect,
                          step->is_effect ? 0 : get_how (step));
}

/* Without the data, of a load or a store. */
static void
lean_each (WpWarp *warp, const WpStep *step, guint32 mask)
{
  WpAddresses addresses;

  get_addresses (warp, step, &addresses);
  pass_space (warp, step, (WpSpace)step->mode[SPACE], &addresses, mask);
}

static guint
pass_shared (WpWarp *warp, const WpStep *step, guint32 mask)
{
  guint32 first;
  const WpPattern *pattern = wp_reach_find_shared (warp, step, mask, &first);

  return pattern != NULL ? pattern->wavefronts : 0;
}

static void
lean_shared (WpWarp *warp, const WpStep *step, guint32 mask)
{
  const guint wavefronts = pass_shared (warp, step, mask);

  if (wavefronts == 0)
    lean_each (warp, step, mask);
  else
    wp_warp_log_shared (warp, step, step->is_effect, FALSE, wavefronts);
}

/* wp_stand_in_loaded() of the lanes of PATTERN, the first of which is at FIRST. */
static void
stand_in_at (const WpPattern *pattern, guint64 first, guint32 mask, const WpStep *step,
             WpData *data)
{
  guint64 places[WP_LANES];

  for (guint lane = 0; lane < WP_LANES; lane++)
    places[lane] = first + pattern->relative[lane];
  wp_stand_in_loaded (data, places, mask, step->mode[BYTES], step->mode[IS_SIGNED] != 0);
}

static void
run_load_buffer (WpWarp *warp, const WpStep *step, guint32 mask)
{
  WpData data = { &warp->r[step->dest], &warp->r_unknown[step->dest], 0, 0 };
  guint64 first;
  const WpPattern *pattern = wp_reach_find_buffer (warp, step, mask, &first);

  if (pattern == NULL
      || !wp_memory_load_at (warp->block->grid->memory, pattern, first, step->mode[IS_SIGNED] != 0,
                             data.rows, data.unknown, &data.source))
    {
      run_load_each (warp, step, mask);
      return;
    }
  if (data.source != 0 && !step->is_data)
    stand_in_at (pattern, first, mask, step, &data);
  finish_load (warp, step, mask, &data);
  wp_warp_log_at (warp, step, pattern, first, FALSE, get_how (step));
}

static void
lean_buffer (WpWarp *warp, const WpStep *step, guint32 mask)
{
  guint64 first;
  const WpPattern *pattern = wp_reach_find_buffer (warp, step, mask, &first);

  if (pattern == NULL || !wp_memory_has_at (warp->block->grid->memory, pattern, first))
    lean_each (warp, step, mask);
  else
    wp_warp_log_at (warp, step, pattern, first, step->is_effect,
                    step->is_effect ? 0 : get_how (step));
}

static void
run_load_generic (WpWarp *warp, const WpStep *step, guint32 mask)
{
  WpData data = { &warp->r[step->dest], &warp->r_unknown[step->dest], 0, 0 };
  guint32 left = mask, shared, local, constant;
  WpAddresses addresses;

  wp_addresses_get (warp, get_operand (step), TRUE, &addresses);
  left &= ~(shared = wp_addresses_take (warp, &addresses, left, WP_SPACE_SHARED));
  left &= ~(local = wp_addresses_take (warp, &addresses, left, WP_SPACE_LOCAL));
  left &= ~(constant = wp_addresses_take (warp, &addresses, left, WP_SPACE_CONSTANT));
  if (load_space (warp, step, WP_SPACE_GLOBAL, &addresses, left, &data)
      && load_space (warp, step, WP_SPACE_SHARED, &addresses, shared, &data)
      && load_space (warp, step, WP_SPACE_LOCAL, &addresses, local, &data)
      && load_space (warp, step, WP_SPACE_CONSTANT, &addresses, constant, &data))
    finish_load (warp, step, mask, &data);
}

/* Without the data, of a load or a store. */
static void
lean_generic (WpWarp *warp, const WpStep *step, guint32 mask)
{
  guint32 shared, local;
  WpAddresses addresses;

  wp_addresses_get (warp, get_operand (step), TRUE, &addresses);
  shared = wp_addresses_take (warp, &addresses, mask, WP_SPACE_SHARED);
  local = wp_addresses_take (warp, &addresses, mask & ~shared, WP_SPACE_LOCAL);
  if (!step->is_effect
      && wp_addresses_take (warp, &addresses, mask & ~shared & ~local, WP_SPACE_CONSTANT) != 0)
    run_load_generic (warp, step, mask);
  else if (pass_space (warp, step, WP_SPACE_GLOBAL, &addresses, mask & ~shared & ~local)
           && pass_space (warp, step, WP_SPACE_SHARED, &addresses, shared))
    pass_space (warp, step, WP_SPACE_LOCAL, &addresses, local);
}

/* Logs the two halves of 32 bytes, which are the last two accesses of the log, as one. ADDRESSES
 * are those of the second half. */
static void
join_halves (WpWarp *warp, const WpStep *step, WpAddresses *addresses, guint32 mask,
             guint lines_before)
{
  const WpAccess access = warp->log.accesses[warp->log.n_accesses - 1];

  warp->log.n_accesses -= 2;
  warp->log.n_lines = lines_before;
  for (guint lane = 0; lane < WP_LANES; lane++)
    addresses->lanes[lane] -= 16;
  wp_warp_log (warp, step, WP_SPACE_GLOBAL, addresses, mask, 32, access);
}

/* 32 bytes, from sm_100 on, are two accesses of 16: the second destination has the lower ones. */
static void
run_load_256 (WpWarp *warp, const WpStep *step, guint32 mask)
{
  const guint dests[2] = { step->dest2, step->dest }, before = warp->log.n_lines;
  WpAddresses addresses;

  wp_addresses_get (warp, get_operand (step), TRUE, &addresses);
  for (guint half = 0; half < 2; half++)
    {
      WpData data = { &warp->r[dests[half]], &warp->r_unknown[dests[half]], 0, 0 };

      for (guint lane = 0; half == 1 && lane < WP_LANES; lane++)
        addresses.lanes[lane] += 16;
      if (!load_space (warp, step, WP_SPACE_GLOBAL, &addresses, mask, &data))
        return;
      wp_warp_set_loaded (warp, dests[half], 4, mask, get_loaded_tag (warp, step, mask, &data));
    }
  join_halves (warp, step, &addresses, mask, before);
}

/* ---- Stores ---- */

/* The data of a store: rows of the warp, or copies in SCRATCH where they are not in registers. */
static WpData
get_stored_of (WpWarp *warp, const WpStep *step, const WpSource *source,
               guint32 (*scratch)[WP_LANES], guint32 unknown[4])
{
  const guint n = MAX (1, step->mode[BYTES] / 4);
  WpTag tag = wp_tag (warp, source);
  WpData data = { scratch, unknown, 0, 0 };

  for (guint k = 1; source->from == WP_FROM_REGISTER && k < n; k++)
    tag = wp_tag_join (tag, warp->r_tag[source->first + k]);
  data.source = WP_TAG_SOURCE (tag);
  data.stands = tag & WP_TAG_STANDS ? WP_ALL_LANES : 0;
  if (source->from == WP_FROM_REGISTER)
    {
      data.rows = &warp->r[source->first];
      data.unknown = &warp->r_unknown[source->first];
      return data;
    }
  for (guint k = 0; k < n; k++)
    {
      guint32 room[WP_LANES];

      memcpy (scratch[k], wp_lanes (warp, source, MIN (k, 1), room), sizeof room);
      unknown[k] = wp_unknown_word (warp, source, MIN (k, 1));
    }
  return data;
}

static WpData
get_stored (WpWarp *warp, const WpStep *step, guint32 (*scratch)[WP_LANES], guint32 unknown[4])
{
  return get_stored_of (warp, step, &step->sources[step->n_sources - 1], scratch, unknown);
}

static gboolean
store_space (WpWarp *warp, const WpStep *step, WpSpace space, WpAddresses *addresses, guint32 mask,
             const WpData *data)
{
  return mask == 0 || wp_warp_store (warp, step, space, addresses, mask, step->mode[BYTES], data);
}

/* By the lanes' addresses. */
static void
run_store_each (WpWarp *warp, const WpStep *step, guint32 mask)
{
  guint32 scratch[4][WP_LANES], unknown[4];
  const WpData data = get_stored (warp, step, scratch, unknown);
  WpAddresses addresses;

  get_addresses (warp, step, &addresses);
  store_space (warp, step, (WpSpace)step->mode[SPACE], &addresses, mask, &data);
}

static void
run_store_shared (WpWarp *warp, const WpStep *step, guint32 mask)
{
  guint32 scratch[4][WP_LANES], unknown[4], first;
  const WpPattern *pattern = wp_reach_find_shared (warp, step, mask, &first);
  const WpShared shared = wp_warp_shared (warp);
  WpData data;

  if (pattern == NULL)
    {
      run_store_each (warp, step, mask);
      return;
    }
  data = get_stored (warp, step, scratch, unknown);
  wp_block_note_stored (warp->block, warp, mask, step->reach.bytes, &data);
  wp_shared_store_at (&shared, pattern, first, data.rows, data.unknown);
  wp_warp_log_shared (warp, step, TRUE, FALSE, pattern->wavefronts);
}

static void
run_store_buffer (WpWarp *warp, const WpStep *step, guint32 mask)
{
  guint32 scratch[4][WP_LANES], unknown[4];
  const WpData data = get_stored (warp, step, scratch, unknown);
  guint64 first;
  const WpPattern *pattern = wp_reach_find_buffer (warp, step, mask, &first);

  if (pattern == NULL
      || !wp_memory_store_at (warp->block->grid->memory, pattern, first, data.rows, data.unknown,
                              data.source))
    {
      run_store_each (warp, step, mask);
      return;
    }
  wp_warp_log_at (warp, step, pattern, first, TRUE, 0);
}

static void
run_store_generic (WpWarp *warp, const WpStep *step, guint32 mask)
{
  guint32 scratch[4][WP_LANES], unknown[4], shared, local;
  const WpData data = get_stored (warp, step, scratch, unknown);
  WpAddresses addresses;

  wp_addresses_get (warp, get_operand (step), TRUE, &addresses);
  shared = wp_addresses_take (warp, &addresses, mask, WP_SPACE_SHARED);
  local = wp_addresses_take (warp, &addresses, mask & ~shared, WP_SPACE_LOCAL);
  if (store_space (warp, step, WP_SPACE_GLOBAL, &addresses, mask & ~shared & ~local, &data)
      && store_space (warp, step, WP_SPACE_SHARED, &addresses, shared, &data))
    store_space (warp, step, WP_SPACE_LOCAL, &addresses, local, &data);
}

/* The first operand has the lower 16 bytes. */
static void
run_store_256 (WpWarp *warp, const WpStep *step, guint32 mask)
{
  guint32 scratch[4][WP_LANES], unknown[4];
  const guint before = warp->log.n_lines;
  WpAddresses addresses;

  wp_addresses_get (warp, get_operand (step), TRUE, &addresses);
  for (guint half = 0; half < 2; half++)
    {
      const WpSource *source = &step->sources[step->n_sources - 2 + half];
      const WpData data = get_stored_of (warp, step, source, scratch, unknown);

      for (guint lane = 0; half == 1 && lane < WP_LANES; lane++)
        addresses.lanes[lane] += 16;
      if (!store_space (warp, step, WP_SPACE_GLOBAL, &addresses, mask, &data))
        return;
    }
  join_halves (warp, step, &addresses, mask, before);
}

/* ---- Preparing ---- */

static gboolean
is_strong (const WpStep *step)
{
  return wp_step_has (step, WP_WORD_STRONG)
         && (wp_step_has (step, WP_WORD_GPU) || wp_step_has (step, WP_WORD_SYS));
}

static gboolean
prepare_access (WpStep *step, WpSpace space, gchar **problem)
{
  gboolean is_signed;

  step->data = wp_step_get_memory (step, 0);
  step->mode[BYTES] = wp_step_get_bytes (step, &is_signed);
  step->mode[IS_SIGNED] = (guint32)is_signed;
  step->mode[SPACE] = space;
  if (space == WP_SPACE_GLOBAL && wp_step_has (step, WP_WORD_E))
    step->mode[FLAGS] |= IS_WIDE;
  if (is_strong (step))
    step->mode[FLAGS] |= IS_STRONG;
  if (step->data == NULL)
    return wp_step_refuse (step, problem);
  wp_reach_prepare (step, step->mode[BYTES], (step->mode[FLAGS] & IS_WIDE) != 0);
  return TRUE;
}

static WpSpace
get_space (const WpStep *step)
{
  switch (step->instr->op)
    {
    case WP_SASS_LDS:
    case WP_SASS_STS:
      return WP_SPACE_SHARED;
    case WP_SASS_LDL:
    case WP_SASS_STL:
      return WP_SPACE_LOCAL;
    default:
      return WP_SPACE_GLOBAL;
    }
}

/* Sets STEP to RUN, which takes 32 bytes in two parts. An immediate, which says that some words are
 * left out, is not covered. */
static gboolean
prepare_256 (WpStep *step, WpStepRun run, guint n_sources, gchar **problem)
{
  const WpSassOp op = (WpSassOp)step->instr->op;

  if (!prepare_access (step, WP_SPACE_GLOBAL, problem))
    return FALSE;
  for (guint k = 0; k < step->n_sources; k++)
    if (step->sources[k].is_immediate)
      return wp_step_refuse (step, problem);
  step->mode[BYTES] = 16;
  step->run = run;
  return ((op == WP_SASS_LDG || op == WP_SASS_STG) && step->n_sources == n_sources)
         || wp_step_refuse (step, problem);
}

static gboolean
prepare_load (WpStep *step, gchar **problem)
{
  if (wp_step_has_text (step, "256"))
    return prepare_256 (step, run_load_256, 0, problem);
  step->run = step->instr->op == WP_SASS_LD                                     ? run_load_generic
              : step->instr->op == WP_SASS_LDS                                  ? run_load_shared
              : wp_step_has (step, WP_WORD_E) && step->instr->op == WP_SASS_LDG ? run_load_buffer
                                                                                : run_load_each;
  step->lean = step->run == run_load_shared   ? lean_shared
               : step->run == run_load_buffer ? lean_buffer
               : step->run == run_load_each   ? lean_each
                                              : lean_generic;
  step->pass = step->run == run_load_shared ? pass_shared : NULL;
  return prepare_access (step, get_space (step), problem);
}

static gboolean
prepare_store (WpStep *step, gchar **problem)
{
  step->is_effect = TRUE;
  if (wp_step_has_text (step, "256"))
    return prepare_256 (step, run_store_256, 2, problem);
  step->run = step->instr->op == WP_SASS_ST                                     ? run_store_generic
              : step->instr->op == WP_SASS_STS                                  ? run_store_shared
              : wp_step_has (step, WP_WORD_E) && step->instr->op == WP_SASS_STG ? run_store_buffer
                                                                                : run_store_each;
  step->lean = step->run == run_store_shared   ? lean_shared
               : step->run == run_store_buffer ? lean_buffer
               : step->run == run_store_each   ? lean_each
                                               : lean_generic;
  step->pass = step->run == run_store_shared ? pass_shared : NULL;
  return prepare_access (step, get_space (step), problem)
         && (step->n_sources > 0 || wp_step_refuse (step, problem));
}

/* ---- cp.async ---- */

/* With .ZFILL the low bits of the address say how many bytes at the end are not copied, and 0 are
 * written there: PTX's cp.async with a source size below the copy's. */
static void
fill_ends (WpAddresses *addresses, guint32 mask, guint bytes, guint8 skipped[WP_LANES])
{
  for (guint lane = 0; lane < WP_LANES; lane++)
    {
      skipped[lane] = (guint8)(addresses->lanes[lane] & (bytes - 1));
      if (mask >> lane & 1 && !(addresses->unknown >> lane & 1))
        addresses->lanes[lane] -= skipped[lane];
    }
}

static void
clear_ends (WpData *data, guint32 mask, guint bytes, const guint8 skipped[WP_LANES])
{
  for (guint lane = 0; lane < WP_LANES; lane++)
    for (guint byte = bytes - skipped[lane]; mask >> lane & 1 && byte < bytes; byte++)
      {
        data->rows[byte / 4][lane] &= ~(0xffu << byte % 4 * 8);
        if (byte % 4 == 0)
          data->unknown[byte / 4] &= ~(1u << lane);
      }
}

/* Loads SIZE bytes, a power of two, from OFFSETS on of what the lanes of MASK copy FROM, into the
 * same bytes of DATA. */
static gboolean
load_piece (WpWarp *warp, const WpStep *step, const WpAddresses *from, const guint8 *offsets,
            guint32 mask, guint size, WpData *data)
{
  guint32 rows[4][WP_LANES] = { { 0 } }, unknown[4] = { 0 };
  WpData piece = { rows, unknown, 0, 0 };
  WpAddresses places = { .unknown = 0 };
  WpFault fault = { WP_FAULT_NONE, 0, 0, 0 };

  for (guint lane = 0; lane < WP_LANES; lane++)
    places.lanes[lane] = from->lanes[lane] + offsets[lane];
  if (!wp_warp_load_known (warp, WP_SPACE_GLOBAL, NULL, &places, mask, size, FALSE, &piece, &fault))
    {
      wp_warp_fail_access (warp, step, WP_SPACE_GLOBAL, &fault);
      return FALSE;
    }
  for (guint32 left = mask; left != 0; left &= left - 1)
    {
      const guint lane = (guint)__builtin_ctz (left);

      for (guint k = 0; k == 0 || 4 * k < size; k++)
        {
          const guint at = offsets[lane] + 4 * k;

          data->rows[at / 4][lane] |= rows[k][lane] << at % 4 * 8;
          data->unknown[at / 4] |= unknown[k] & 1u << lane;
        }
    }
  data->source = piece.source != 0 ? piece.source : data->source;
  return TRUE;
}

/* wp_warp_load() where lanes of MASK copy less than BYTES: what they do not copy may lie beyond the
 * end of a buffer. All addresses are known. */
static gboolean
load_parts (WpWarp *warp, const WpStep *step, const WpAddresses *from, guint32 mask, guint bytes,
            const guint8 *skipped, WpData *data)
{
  for (guint size = bytes; size > 0; size /= 2)
    {
      guint8 offsets[WP_LANES];
      guint32 some = 0;

      for (guint lane = 0; lane < WP_LANES; lane++)
        {
          const guint n = bytes - skipped[lane];

          offsets[lane] = (guint8)(n & ~(2 * size - 1));
          some |= (guint32)((n & size) != 0) << lane;
        }
      if ((some & mask) != 0 && !load_piece (warp, step, from, offsets, some & mask, size, data))
        return FALSE;
    }
  if (data->source != 0 && !step->is_data)
    wp_stand_in_loaded (data, from->lanes, mask, bytes, FALSE);
  wp_warp_log (warp, step, WP_SPACE_GLOBAL, from, mask, bytes,
               (WpAccess){ .how = (guint8)get_how (step) });
  return TRUE;
}

/* Whether any lane of MASK copies a part. */
static gboolean
has_parts (const guint8 *skipped, guint32 mask)
{
  guint any = 0;

  for (; mask != 0; mask &= mask - 1)
    any |= skipped[__builtin_ctz (mask)];
  return any != 0;
}

/* What the lanes of MASK copy, of which they leave out SKIPPED bytes at the end. */
static gboolean
load_copied (WpWarp *warp, const WpStep *step, WpAddresses *from, guint32 mask, guint bytes,
             const guint8 *skipped, WpData *data)
{
  if ((from->unknown & mask) == 0 && has_parts (skipped, mask))
    return load_parts (warp, step, from, mask, bytes, skipped, data);
  return mask == 0
         || wp_warp_load (warp, step, WP_SPACE_GLOBAL, from, mask, bytes, FALSE, get_how (step),
                          data);
}

/* LDGSTS [shared], [global], predicate: where it does not hold 0 are written. A copy is seen at
 * once, and not when it is waited for. */
static void
run_copy (WpWarp *warp, const WpStep *step, guint32 mask)
{
  const guint bytes = step->mode[BYTES];
  const gboolean is_filled = (step->mode[FLAGS] & IS_FILLED) != 0;
  guint32 rows[4][WP_LANES] = { { 0 } }, unknown[4] = { 0 };
  guint32 copied = mask & wp_predicate (warp, step->source_p[0]);
  WpData data = { rows, unknown, 0, 0 };
  WpAddresses from, to;
  guint8 skipped[WP_LANES] = { 0 };

  wp_addresses_get_shared (warp, step->data, &to);
  wp_addresses_get (warp, wp_step_get_memory (step, 1), TRUE, &from);
  if (is_filled)
    fill_ends (&from, copied, bytes, skipped);
  if (!load_copied (warp, step, &from, copied, bytes, skipped, &data))
    return;
  if (is_filled)
    clear_ends (&data, copied, bytes, skipped);
  wp_warp_store (warp, step, WP_SPACE_SHARED, &to, mask, bytes, &data);
}

/* Without the data: where all lanes copy as many bytes, from and to where they may. FALSE: not so,
 * and nothing is done. */
static gboolean
pass_copy (WpWarp *warp, const WpStep *step, guint32 mask)
{
  const guint bytes = step->mode[BYTES], lane = (guint)__builtin_ctz (mask);
  const WpShared shared = wp_warp_shared (warp);
  const WpPattern *pattern;
  WpAddresses from, to;
  guint wavefronts;

  if ((step->mode[FLAGS] & IS_FILLED) != 0 || (mask & ~wp_predicate (warp, step->source_p[0])) != 0)
    return FALSE;
  wp_addresses_get_shared (warp, step->data, &to);
  wp_addresses_get (warp, wp_step_get_memory (step, 1), TRUE, &from);
  if (((from.unknown | to.unknown) & mask) != 0)
    return FALSE;
  pattern = wp_patterns_find (warp->log.patterns, to.lanes, mask, bytes, TRUE);
  wavefronts = pattern->wavefronts;
  if (!wp_shared_has (&shared, pattern, to.lanes[lane]))
    return FALSE;
  pattern = wp_patterns_find (warp->log.patterns, from.lanes, mask, bytes, FALSE);
  if (!wp_memory_has_at (warp->block->grid->memory, pattern, from.lanes[lane]))
    return FALSE;
  wp_warp_log_at (warp, step, pattern, from.lanes[lane], FALSE, get_how (step));
  wp_warp_log_shared (warp, step, TRUE, FALSE, wavefronts);
  return TRUE;
}

static void
lean_copy (WpWarp *warp, const WpStep *step, guint32 mask)
{
  if (!pass_copy (warp, step, mask))
    run_copy (warp, step, mask);
}

static gboolean
prepare_copy (WpStep *step, gchar **problem)
{
  if (!prepare_access (step, WP_SPACE_GLOBAL, problem))
    return FALSE;
  if (wp_step_get_memory (step, 1) == NULL)
    return wp_step_refuse (step, problem);
  step->run = run_copy;
  step->lean = lean_copy;
  step->is_effect = TRUE;
  if (wp_step_has (step, WP_WORD_BYPASS))
    step->mode[FLAGS] |= IS_STRONG;
  if (wp_step_has_text (step, "ZFILL"))
    step->mode[FLAGS] |= IS_FILLED;
  return TRUE;
}

/* ---- Which space ---- */

/* QSPC P, R, [address]: whether a generic address is in shared (S) or local (L) memory, or neither
 * (G, which constants are as well: code compares with their window besides). The shared memory of
 * a cluster (D) is that of all its blocks, and of this one (S) where its rank is its own. */
static void
run_query (WpWarp *warp, const WpStep *step, guint32 mask)
{
  guint32 shared, local, holds, other = 0;
  WpAddresses addresses;

  wp_addresses_get (warp, get_operand (step), TRUE, &addresses);
  shared = wp_addresses_take (warp, &addresses, mask, WP_SPACE_SHARED);
  local = wp_addresses_take (warp, &addresses, mask & ~shared, WP_SPACE_LOCAL);
  for (guint32 left = step->mode[FLAGS] & IS_OWN ? shared : 0; left != 0; left &= left - 1)
    if (addresses.lanes[__builtin_ctz (left)] >> WP_CLUSTER_SHIFT != 0)
      other |= left & -left;
  holds = step->mode[SPACE] == WP_SPACE_SHARED  ? shared & ~other
          : step->mode[SPACE] == WP_SPACE_LOCAL ? local
                                                : ~(shared | local);
  wp_put_predicate (warp, step->dest_p, holds, mask, addresses.unknown, addresses.tag);
}

static gboolean
prepare_query (WpStep *step, gchar **problem)
{
  step->run = run_query;
  step->data = wp_step_get_memory (step, 0);
  step->mode[SPACE] = wp_step_has_text (step, "L")   ? WP_SPACE_LOCAL
                      : wp_step_has_text (step, "G") ? WP_SPACE_GLOBAL
                                                     : WP_SPACE_SHARED;
  if (!wp_step_has_text (step, "D"))
    step->mode[FLAGS] |= IS_OWN;
  return step->data != NULL || wp_step_refuse (step, problem);
}

/* ---- Order ---- */

/* Every access is seen at once by whoever comes later, so that nothing needs to be waited for. */
const WpOpRule wp_rules_memory[] = {
  { WP_SASS_CCTL, wp_step_prepare_nothing },
  { WP_SASS_CCTLL, wp_step_prepare_nothing },
  { WP_SASS_CGAERRBAR, wp_step_prepare_nothing },
  { WP_SASS_DEPBAR, wp_step_prepare_nothing },
  { WP_SASS_ERRBAR, wp_step_prepare_nothing },
  { WP_SASS_FENCE, wp_step_prepare_nothing },
  { WP_SASS_LD, prepare_load },
  { WP_SASS_LDG, prepare_load },
  { WP_SASS_LDGDEPBAR, wp_step_prepare_nothing },
  { WP_SASS_LDGSTS, prepare_copy },
  { WP_SASS_LDL, prepare_load },
  { WP_SASS_LDS, prepare_load },
  { WP_SASS_MEMBAR, wp_step_prepare_nothing },
  { WP_SASS_QSPC, prepare_query },
  { WP_SASS_ST, prepare_store },
  { WP_SASS_STG, prepare_store },
  { WP_SASS_STL, prepare_store },
  { WP_SASS_STS, prepare_store },
  { WP_SASS_NO_OP, NULL },
};
