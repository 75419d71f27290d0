/* SPDX-License-Identifier: MIT */
/* SYNCS: barriers in shared memory (mbarrier) as they are from sm_90 on. Arrivals that the lanes of
 * a warp make together and divide the results of (TMASK) are not covered; those at the barrier of
 * another block are beyond the shared memory of one that is no part of a cluster. */
#include "exec/machine/wp-address.h"
#include "exec/machine/wp-atomic.h"
#include "exec/machine/wp-waits.h"

/* SYNCS.EXCH.64 UR, [address], UR: once for the warp. */
static void
run_exchange (WpWarp *warp, const WpStep *step, guint32 mask)
{
  const WpSource *source = &step->sources[step->n_sources - 1];
  const guint first = source->first;
  WpModification m = { .bytes = 8, .modify = wp_atomic_exchange, .replaces = TRUE };
  WpFault fault = { WP_FAULT_NONE, (guint)__builtin_ctz (mask), 0, 0 };
  const WpShared shared = wp_warp_shared (warp);
  WpAddresses addresses;

  wp_addresses_get_shared (warp, step->data, &addresses);
  m.operands[0] = warp->ur[first] | (guint64)warp->ur[first + 1] << 32;
  m.is_unknown = warp->ur_unknown[first] || warp->ur_unknown[first + 1];
  if (!wp_shared_modify (&shared, (guint32)addresses.lanes[0], &m, &fault))
    {
      wp_warp_fail_access (warp, step, WP_SPACE_SHARED, &fault);
      return;
    }
  for (guint k = 0; step->is_uniform && step->dest != WP_UR_SINK && k < 2; k++)
    wp_put_uniform (warp, step->dest + k, (guint32)(m.old >> 32 * k), m.old_unknown, 0);
  wp_warp_log_shared (warp, step, TRUE, TRUE, 1);
  wp_waits_set_up (warp, step, (guint32)addresses.lanes[0]);
}

/* SYNCS.PHASECHK P, [address], R: whether the barrier's phase is another than that of bit 31 of R.
 */
static void
run_check (WpWarp *warp, const WpStep *step, guint32 mask)
{
  guint32 rows[2][WP_LANES], unknown[2] = { 0, 0 }, room[WP_LANES], holds = 0;
  const WpSource *source = &step->sources[step->n_sources - 1];
  const guint32 *token = wp_lanes (warp, source, 0, room);
  WpData data = { rows, unknown, 0, 0 };
  WpAddresses addresses;

  wp_addresses_get_shared (warp, step->data, &addresses);
  if (!wp_warp_load (warp, step, WP_SPACE_SHARED, &addresses, mask, 8, FALSE, 0, &data))
    return;
  for (guint lane = 0; lane < WP_LANES; lane++)
    if (mask >> lane & 1)
      holds |= (rows[1][lane] ^ token[lane]) >> 31 << lane;
  if ((holds & mask) != mask)
    wp_warp_poll (warp);
  wp_put_predicate (warp, step->dest_p, holds, mask, unknown[1] | wp_unknown (warp, source),
                    wp_tag_join (WP_TAG (data.source, 0), wp_tag (warp, source)));
}

static gboolean
prepare_barrier (WpStep *step, gchar **problem)
{
  step->data = wp_step_get_memory (step, 0);
  step->is_effect = TRUE;
  step->run = wp_step_run_nothing;
  if (wp_step_has_text (step, "CCTL"))
    return TRUE;
  if (step->data == NULL)
    return wp_step_refuse (step, problem);
  if (wp_step_has_text (step, "ARRIVE"))
    return wp_step_has_text (step, "TMASK") ? wp_step_refuse (step, problem)
                                            : wp_step_prepare_atomic (step, problem);
  if (wp_step_has_text (step, "PHASECHK"))
    step->run = run_check;
  else if (wp_step_has_text (step, "EXCH"))
    step->run = run_exchange;
  return (step->run != wp_step_run_nothing && step->n_sources > 0)
         || wp_step_refuse (step, problem);
}

const WpOpRule wp_rules_sync[] = {
  { WP_SASS_SYNCS, prepare_barrier },
  { WP_SASS_NO_OP, NULL },
};
