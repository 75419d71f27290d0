/* SPDX-License-Identifier: MIT */
/* LDSM, STSM, MOVM: matrices of 8 rows of 8 halves between shared memory and registers. Lane L
 * holds elements 2 (L % 4) and the next of row L / 4; with .T, of column L / 4 (PTX ISA,
 * "ldmatrix"). The rows' addresses are those of lanes 0 to 7 for the first matrix, 8 to 15 for the
 * second, and so on. */
#include "exec/machine/wp-reach.h"

/* ---- Rows and columns exchanged ---- */

/* Where lane LANE of the transposed matrix finds its element HALF. */
static guint
find_lane (guint lane, guint half)
{
  return 4 * (2 * (lane % 4) + half) + lane / 8;
}

static void
transpose (guint32 *to, const guint32 *from)
{
  for (guint lane = 0; lane < WP_LANES; lane++)
    {
      guint shift = lane / 4 % 2 * 16;
      to[lane] = (from[find_lane (lane, 0)] >> shift & 0xffff)
                 | (from[find_lane (lane, 1)] >> shift) << 16;
    }
}

static guint32
transpose_unknown (guint32 from)
{
  guint32 to = 0;

  if (from == 0 || from == WP_ALL_LANES)
    return from;
  for (guint lane = 0; lane < WP_LANES; lane++)
    to |= ((from >> find_lane (lane, 0) | from >> find_lane (lane, 1)) & 1) << lane;
  return to;
}

static void
run_move (WpWarp *warp, const WpStep *step, guint32 mask)
{
  guint32 to[WP_LANES], scratch[WP_LANES];

  transpose (to, wp_lanes (warp, &step->sources[0], 0, scratch));
  wp_put (warp, step->dest, to, mask,
          transpose_unknown (wp_unknown_word (warp, &step->sources[0], 0)),
          wp_step_tag (warp, step));
}

/* ---- Addresses ---- */

/* mode[0]: matrices; mode[1]: with rows and columns exchanged. */

/* The addresses of the words of each lane in matrix NUMBER. */
static void
get_words (const WpAddresses *addresses, guint number, guint32 *words)
{
  for (guint lane = 0; lane < WP_LANES; lane++)
    words[lane] = (guint32)addresses->lanes[8 * number + lane / 4] + 4 * (lane % 4);
}

/* What the banks pass for matrix NUMBER, whose rows are four of them each. */
static guint
count_wavefronts (const WpAddresses *addresses, guint number)
{
  guint32 rows[WP_LANES];

  for (guint lane = 0; lane < WP_LANES; lane++)
    rows[lane] = (guint32)addresses->lanes[lane];
  return wp_shared_row_wavefronts (rows, 0xffu << 8 * number);
}

/* The lanes that hold a row whose address is unknown. */
static guint32
get_lost (const WpAddresses *addresses, guint number)
{
  guint32 lost = 0;

  for (guint lane = 0; lane < WP_LANES; lane++)
    lost |= (addresses->unknown >> (8 * number + lane / 4) & 1) << lane;
  return lost;
}

/* Addresses of rows are multiples of their 16 bytes. */
static gboolean
get_addresses (WpWarp *warp, const WpStep *step, WpAddresses *addresses)
{
  guint32 used = (guint32)(((guint64)1 << (8 * step->mode[0])) - 1);

  wp_addresses_get_shared (warp, step->data, addresses);
  addresses->unknown &= used;
  wp_addresses_settle_within (warp, step, addresses, used, 16, wp_warp_shared (warp).bytes);
  for (guint lane = 0; lane < 8 * step->mode[0]; lane++)
    if (addresses->lanes[lane] % 16)
      {
        WpFault fault = { WP_FAULT_MISALIGNED, lane, addresses->lanes[lane], 16 };
        wp_warp_fail_access (warp, step, WP_SPACE_SHARED, &fault);
        return FALSE;
      }
  return TRUE;
}

static void
fail (WpWarp *warp, const WpStep *step, guint number, WpFault *fault)
{
  fault->lane = 8 * number + fault->lane / 4;
  wp_warp_fail_access (warp, step, WP_SPACE_SHARED, fault);
}

/* ---- LDSM and STSM ---- */

static void
run_load (WpWarp *warp, const WpStep *step, guint32 mask)
{
  WpShared shared = wp_warp_shared (warp);
  guint32 rows[4][WP_LANES], unknown[4] = { 0 }, words[WP_LANES];
  guint wavefronts = 0;
  WpAddresses addresses;
  WpFault fault;

  if (!get_addresses (warp, step, &addresses))
    return;
  for (guint k = 0; k < step->mode[0]; k++)
    {
      get_words (&addresses, k, words);
      if (!wp_shared_load (&shared, NULL, words, WP_ALL_LANES, 4, FALSE, &rows[k], &unknown[k],
                           &fault))
        {
          fail (warp, step, k, &fault);
          return;
        }
      wp_warp_note_unstored (warp, step);
      unknown[k] |= get_lost (&addresses, k);
      wavefronts += count_wavefronts (&addresses, k);
    }
  for (guint k = 0; k < step->mode[0]; k++)
    {
      guint32 to[WP_LANES];
      WpTag tag = wp_tag_join (addresses.tag, warp->block->shared_tag);
      if (step->mode[1])
        transpose (to, rows[k]);
      wp_put (warp, step->dest + k, step->mode[1] ? to : rows[k], mask,
              step->mode[1] ? transpose_unknown (unknown[k]) : unknown[k],
              unknown[k] ? WP_TAG (WP_TAG_SOURCE (tag), 0) : 0);
    }
  wp_warp_log_shared (warp, step, FALSE, FALSE, wavefronts);
}

static guint
pass_rows (WpWarp *warp, const WpStep *step, guint32 mask)
{
  const guint32 bytes = wp_warp_shared (warp).bytes;
  const guint n = 8 * step->mode[0];
  guint wavefronts = 0;
  guint32 odd = 0;
  WpAddresses addresses;

  wp_addresses_get_shared (warp, step->data, &addresses);
  for (guint lane = 0; lane < n; lane++)
    odd |= (guint32)addresses.lanes[lane] % 16
           | (addresses.lanes[lane] >= bytes || bytes - addresses.lanes[lane] < 16);
  if (mask != WP_ALL_LANES || odd != 0 || addresses.unknown != 0)
    return 0;
  for (guint k = 0; k < step->mode[0]; k++)
    wavefronts += count_wavefronts (&addresses, k);
  return wavefronts;
}

static void
run_store (WpWarp *warp, const WpStep *step, guint32 mask)
{
  const WpSource *source = &step->sources[0];
  WpShared shared = wp_warp_shared (warp);
  guint32 words[WP_LANES], row[1][WP_LANES], scratch[WP_LANES];
  guint wavefronts = 0;
  WpAddresses addresses;
  WpFault fault;

  (void)mask;
  if (!get_addresses (warp, step, &addresses))
    return;
  for (guint k = 0; k < step->mode[0]; k++)
    {
      guint32 unknown = wp_unknown_word (warp, source, k);
      const guint32 *from = wp_lanes (warp, source, k, scratch);
      if (step->mode[1])
        {
          transpose (row[0], from);
          unknown = transpose_unknown (unknown);
        }
      else
        memcpy (row[0], from, sizeof row[0]);
      if (unknown)
        warp->block->shared_tag = wp_tag_join (wp_tag (warp, source), warp->block->shared_tag);
      if (get_lost (&addresses, k) != 0)
        wp_warp_lose_store (warp);
      get_words (&addresses, k, words);
      if (!wp_shared_store (&shared, NULL, words, ~get_lost (&addresses, k), 4, row, &unknown,
                            &fault))
        {
          fail (warp, step, k, &fault);
          return;
        }
      wavefronts += count_wavefronts (&addresses, k);
    }
  wp_warp_log_shared (warp, step, TRUE, FALSE, wavefronts);
}

/* Without the data, of a load or a store. */
static void
lean_rows (WpWarp *warp, const WpStep *step, guint32 mask)
{
  const guint wavefronts = pass_rows (warp, step, mask);

  if (wavefronts == 0)
    step->run (warp, step, mask);
  else
    wp_warp_log_shared (warp, step, step->run == run_store, FALSE, wavefronts);
}

/* ---- Preparing ---- */

static gboolean
prepare (WpStep *step, guint n_sources, gchar **problem)
{
  static const WpSassWord words[]
      = { WP_WORD_16, WP_WORD_M88, WP_WORD_MT88, WP_WORD_2, WP_WORD_4, WP_WORD_NONE };

  if (!wp_step_check_words (step, problem, words))
    return FALSE;
  step->mode[0] = wp_step_has (step, WP_WORD_4) ? 4 : wp_step_has (step, WP_WORD_2) ? 2 : 1;
  step->mode[1] = wp_step_has (step, WP_WORD_MT88);
  step->data = wp_step_get_memory (step, 0);
  if (step->data != NULL)
    {
      wp_reach_prepare (step, 16, FALSE);
      step->pass = pass_rows;
      step->lean = lean_rows;
    }
  return step->n_sources == n_sources || wp_step_refuse (step, problem);
}

static gboolean
prepare_load (WpStep *step, gchar **problem)
{
  step->run = run_load;
  return prepare (step, 0, problem) && (step->data || wp_step_refuse (step, problem));
}

static gboolean
prepare_store (WpStep *step, gchar **problem)
{
  step->run = run_store;
  if (!prepare (step, 1, problem))
    return FALSE;
  wp_step_set_words (step, 0, step->mode[0]);
  return (step->data && step->sources[0].from == WP_FROM_REGISTER)
         || wp_step_refuse (step, problem);
}

static gboolean
prepare_move (WpStep *step, gchar **problem)
{
  step->run = run_move;
  return prepare (step, 1, problem)
         && (wp_step_has (step, WP_WORD_MT88) || wp_step_refuse (step, problem));
}

const WpOpRule wp_rules_fragment[] = {
  { WP_SASS_LDSM, prepare_load },
  { WP_SASS_MOVM, prepare_move },
  { WP_SASS_STSM, prepare_store },
  { WP_SASS_NO_OP, NULL },
};
