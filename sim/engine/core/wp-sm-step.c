/* SPDX-License-Identifier: MIT */
/* What the plan's ops do not say at once: ends of repeats within one another, and of programs. */
#include "sim/engine/core/wp-sm-step.h"

/* WARP of the first SM has gone round a repeat, of which every DISTANCE-th round is worth a look;
 * 0: none. */
static void
mark_round (WpSm *sm, const WpWarp *warp, uint32_t distance)
{
  if (distance == 0)
    return;
  if (sm->watched == NULL)
    sm->watched = warp;
  if (sm->watched == warp && *warp->counter % distance == 0)
    wp_sm_mark (sm);
}

void
wp_sm_walk (WpSm *sm, WpWarp *warp, uint32_t pc)
{
  const WpCode *code = warp->code;

  for (; pc < warp->n_code; pc++)
    if (code[pc].kind == WP_CODE_INSTRUCTION)
      {
        warp->op = sm->ops + code[pc].arg;
        return;
      }
    else if (code[pc].kind == WP_CODE_REPEAT)
      *++warp->counter = code[pc].count;
    else if (--*warp->counter > 0)
      {
        if (sm->mark_from != UINT64_MAX)
          mark_round (sm, warp, sm->host->plan->look_at[code - sm->machine->code + pc]);
        pc = code[pc].arg;
      }
    else
      warp->counter--;
  warp->op = NULL;
}
