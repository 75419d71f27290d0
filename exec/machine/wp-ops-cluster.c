/* SPDX-License-Identifier: MIT */
/* What blocks of a cluster do together: barrier.cluster (UCGABAR), stores to the shared memory of
 * another block whose bytes arrive at a barrier there (STAS, st.async), and asking for the work of
 * clusters that have not begun (UGETNEXTWORKID, clusterlaunchcontrol.try_cancel). */
#include "exec/machine/wp-address.h"
#include "exec/machine/wp-bulk.h"
#include "exec/machine/wp-waits.h"

#include <string.h>

#define BYTES 0 /* of mode[] */

/* ---- barrier.cluster ---- */

static void
run_arrive (WpWarp *warp, G_GNUC_UNUSED const WpStep *step, guint32 mask)
{
  wp_cluster_arrive (warp, mask);
}

static gboolean
prepare_arrive (WpStep *step, G_GNUC_UNUSED gchar **problem)
{
  step->is_effect = TRUE;
  step->run = run_arrive;
  return TRUE;
}

/* The warp goes back to STEP until the others have come. What it does next comes behind them, as
 * behind a barrier of its own block, and is simulated so. */
static void
run_wait (WpWarp *warp, const WpStep *step, guint32 mask)
{
  if (mask != 0 && !warp->asking.is_at_cluster)
    {
      wp_waits_come_to_bar (warp, step, WP_WAITS_CLUSTER, 0, TRUE);
      warp->asking.is_at_cluster = TRUE;
    }
  if (mask != 0 && !wp_cluster_is_over (warp))
    {
      wp_waits_step_back (warp, step);
      return;
    }
  warp->asking.is_at_cluster &= mask == 0;
  if (mask != 0 && wp_waits_hold_bar (warp, step, mask))
    wp_waits_leave_bar (warp);
  else
    wp_trail_add (&warp->trail, step->index, mask);
}

static gboolean
prepare_wait (WpStep *step, G_GNUC_UNUSED gchar **problem)
{
  step->is_control = TRUE;
  step->run = run_wait;
  return TRUE;
}

/* ---- Stores whose bytes arrive ---- */

/* The word after that of a lane's address is where the barrier is. */
static void
find_barriers (const WpWarp *warp, const WpStep *step, WpAddresses *barriers)
{
  const guint row = wp_row_of (((const WpSassOperand *)step->data)->index) + 1;

  for (guint lane = 0; lane < WP_LANES; lane++)
    barriers->lanes[lane] = warp->r[row][lane] ^ wp_warp_own_address (warp);
  barriers->unknown = warp->r_unknown[row];
  barriers->tag = warp->r_tag[row];
}

/* BYTES of LANE have come to the barrier at ADDRESS. TAKES_TIME: not at once. */
static gboolean
arrive (WpWarp *warp, const WpStep *step, guint lane, guint32 address, guint bytes,
        gboolean takes_time)
{
  WpModification m = { .bytes = 8,
                       .modify = wp_atomic_arrive,
                       .operands = { 0, -(guint64)bytes },
                       .is_unknown = warp->doubtful != 0 };
  WpFault fault = { WP_FAULT_NONE, 0, 0, 0 };

  if (wp_warp_modify (warp, WP_SPACE_SHARED, address, &m, &fault))
    {
      wp_waits_come_from_outside (warp, step, address, m.old, takes_time);
      return TRUE;
    }
  fault.lane = lane;
  wp_warp_fail_access (warp, step, WP_SPACE_SHARED, &fault);
  return FALSE;
}

static void
run_store (WpWarp *warp, const WpStep *step, guint32 mask)
{
  const WpSource *source = &step->sources[step->n_sources - 1];
  guint32 rows[4][WP_LANES], unknown[4] = { 0 }, scratch[WP_LANES];
  const WpData data = { rows, unknown, WP_TAG_SOURCE (wp_tag (warp, source)), 0 };
  WpAddresses addresses, barriers;

  for (guint k = 0; k < step->mode[BYTES] / 4; k++)
    {
      memcpy (rows[k], wp_lanes (warp, source, k, scratch), sizeof rows[k]);
      unknown[k] = wp_unknown_word (warp, source, k) | warp->doubtful;
    }
  wp_addresses_get_shared (warp, step->data, &addresses);
  find_barriers (warp, step, &barriers);
  if (!wp_warp_store (warp, step, WP_SPACE_SHARED, &addresses, mask, step->mode[BYTES], &data))
    return;
  if ((barriers.unknown & mask) != 0)
    {
      wp_warp_note (warp, step, WP_NOTE_ADDRESS, barriers.tag);
      wp_warp_lose_store (warp);
    }
  for (guint32 left = mask & ~barriers.unknown; left != 0; left &= left - 1)
    {
      const guint lane = (guint)__builtin_ctz (left);

      if (!arrive (warp, step, lane, (guint32)barriers.lanes[lane], step->mode[BYTES], TRUE))
        return;
    }
}

static gboolean
prepare_store (WpStep *step, gchar **problem)
{
  step->is_effect = TRUE;
  step->run = run_store;
  step->data = wp_step_get_memory (step, 0);
  step->mode[BYTES] = wp_step_get_bytes (step, NULL);
  return (step->data != NULL && step->n_sources > 0
          && ((const WpSassOperand *)step->data)->index_word == WP_WORD_64)
         || wp_step_refuse (step, problem);
}

/* ---- Work of others ---- */

#define ANSWER 16u /* bytes */

/* The block of RANK gets the answer that no cluster is left whose work it could do: all zeros. So
 * all blocks of the grid begin, and do their own. */
static gboolean
answer (WpWarp *warp, const WpStep *step, guint lane, guint rank)
{
  const guint number = ((const WpSassOperand *)step->data)->uniform;
  guint32 rows[ANSWER / 4][WP_LANES] = { { 0 } }, unknown[ANSWER / 4] = { 0 };
  const WpData data = { rows, unknown, 0, 0 };
  WpFault fault = { WP_FAULT_NONE, 0, 0, 0 };
  WpAddresses addresses;

  addresses.lanes[0] = wp_cluster_move_address (warp->block, warp->ur[number], rank);
  for (guint k = 0; warp->doubtful != 0 && k < ANSWER / 4; k++)
    unknown[k] = 1;
  if (wp_warp_store_known (warp, WP_SPACE_SHARED, NULL, &addresses, 1, ANSWER, &data, &fault))
    return arrive (warp, step, lane,
                   wp_cluster_move_address (warp->block, warp->ur[number + 1], rank), ANSWER,
                   FALSE);
  fault.lane = lane;
  wp_warp_fail_access (warp, step, WP_SPACE_SHARED, &fault);
  return FALSE;
}

static void
run_ask (WpWarp *warp, const WpStep *step, guint32 mask)
{
  const guint number = ((const WpSassOperand *)step->data)->uniform;
  const guint lane = (guint)__builtin_ctz (mask);
  const WpBlock *block = warp->block;

  g_atomic_int_set (&block->grid->asks_for_work, TRUE);
  if (warp->ur_unknown[number] || warp->ur_unknown[number + 1])
    {
      wp_warp_note (warp, step, WP_NOTE_ADDRESS, warp->ur_tag[number]);
      wp_warp_lose_store (warp);
      wp_waits_arrive_unseen (warp, step);
      return;
    }
  if (!wp_step_has_text (step, "BROADCAST"))
    answer (warp, step, lane, block->rank);
  else
    for (guint rank = 0; rank < block->cluster->n; rank++)
      if (!answer (warp, step, lane, rank))
        return;
}

static gboolean
prepare_ask (WpStep *step, gchar **problem)
{
  step->is_effect = TRUE;
  step->run = run_ask;
  step->data = wp_step_get_memory (step, 0);
  return (step->data != NULL && ((const WpSassOperand *)step->data)->uniform < WP_UR_ZERO - 1)
         || wp_step_refuse (step, problem);
}

const WpOpRule wp_rules_cluster[] = {
  { WP_SASS_STAS, prepare_store },
  { WP_SASS_UCGABAR_ARV, prepare_arrive },
  { WP_SASS_UCGABAR_WAIT, prepare_wait },
  { WP_SASS_UGETNEXTWORKID, prepare_ask },
  { WP_SASS_NO_OP, NULL },
};
