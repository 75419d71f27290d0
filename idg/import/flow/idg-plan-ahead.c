/* SPDX-License-Identifier: MIT */
/* Counts the loops that lie ahead of a block. */
#include "idg/import/flow/idg-plan-private.h"

gint64
idg_plan_get_hint (const IdgPlan *plan, guint loop)
{
  guint first = idg_plan_get_first (plan, loop);
  gint64 hint = plan->decisions->trips[first];

  return hint != IDG_TRIPS_UNKNOWN ? hint : plan->decisions->source_trips[first];
}

void
idg_plan_add_ahead (IdgAhead *sum, const IdgAhead *more)
{
  sum->named += more->named;
  sum->loops += more->loops;
  sum->zeros += more->zeros;
}

gint64
idg_plan_get_share (const IdgPlan *plan, guint loop)
{
  guint unrolled = plan->loops[loop].unrolled;
  const IdgUnrolled *u;

  if (unrolled == 0)
    return IDG_TRIPS_UNKNOWN;
  u = &g_array_index (plan->outcome->unrolled, IdgUnrolled, unrolled - 1);
  return u->loop == loop ? u->rounds / u->copies : u->rounds % u->copies;
}

IdgAhead
idg_plan_weigh_loop (const IdgPlan *plan, guint loop)
{
  gint64 share = idg_plan_get_share (plan, loop);
  gint64 hint = share == IDG_TRIPS_UNKNOWN || share == 0 ? idg_plan_get_hint (plan, loop) : share;
  IdgAhead weight = plan->ahead[idg_flow_get_loop (plan->flow, loop)->header];

  if (hint == IDG_TRIPS_UNKNOWN && plan->loops[loop].found == 0)
    hint = plan->decisions->other_trips == 0 ? 0 : IDG_TRIPS_UNKNOWN;
  if (hint == 0 || share == 0)
    return (IdgAhead){ 0, 0, 1 };
  weight.named
      += hint > 0
         && (share == IDG_TRIPS_UNKNOWN
             || g_array_index (plan->outcome->unrolled, IdgUnrolled, plan->loops[loop].unrolled - 1)
                    .is_said);
  weight.loops++;
  return weight;
}

IdgAhead
idg_plan_look_ahead (const IdgPlan *plan, guint next, guint loop)
{
  IdgAhead sum = { 0, 0, 0 };

  if (idg_plan_ends_round (plan, next, loop))
    return sum;
  if (idg_flow_get_block (plan->flow, next)->loop == loop)
    return plan->ahead[next];
  return plan->loops[idg_flow_get_child (plan->flow, next, loop)].weight;
}

gint
idg_plan_compare_ahead (const IdgAhead *a, const IdgAhead *b)
{
  if (a->named != b->named)
    return a->named > b->named ? -1 : 1;
  if (a->loops != b->loops)
    return a->loops > b->loops ? -1 : 1;
  if (a->zeros != b->zeros)
    return a->zeros < b->zeros ? -1 : 1;
  return 0;
}
