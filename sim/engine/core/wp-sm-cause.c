/* SPDX-License-Identifier: MIT */
/* What a warp has waited for until it was ready (MODEL.md, sections 5 and 9). When that was is
 * known to everybody; why is asked only where somebody listens to issues, at each issue and not
 * before: until then nothing that it follows from changes.
 */
#include "sim/engine/core/wp-sm-cause.h"

#include "sim/engine/core/wp-sm-ready.h"

static void
set_cause (WpIssueEvent *event, WpReason reason, uint64_t producer, uint32_t instr)
{
  event->reason = reason;
  event->producer = producer;
  event->producer_instr = instr;
}

/* Program order: of the results that were complete when the warp was ready, the first named. */
static bool
find_dependence (const WpWarp *warp, const WpOp *op, WpIssueEvent *event)
{
  for (uint32_t i = 0; i < op->n_deps; i++)
    {
      const WpDep *dep = &op->deps[i];

      if (wp_sm_get_completion (warp, dep) != warp->ready)
        continue;
      set_cause (event, WP_REASON_DEPENDENCY,
                 warp->writers == NULL ? WP_NO_PRODUCER : warp->writers[dep->value], dep->producer);
      return true;
    }
  return false;
}

/* Whether INSTR is an arrive, which nothing has waited for. */
static bool
is_arrive (const WpSm *sm, uint32_t instr)
{
  return instr != WP_NO_INSTR && wp_instr_is_arrive (&sm->machine->instrs[instr]);
}

/* Dataflow order: a barrier and an arrive wait for all before them; of any other, the first that
 * issued is the one that is kept. */
static bool
find_dependence_in_flow (const WpSm *sm, const WpWarp *warp, const WpOp *op, WpIssueEvent *event)
{
  const WpFlow *flow = &sm->flows[wp_sm_get_slot (sm, warp)];
  bool barrier = op->row == sm->machine->n_pipelines;
  uint32_t producer = barrier ? flow->arrive_producer : flow->producer[event->index];
  WpTick ready = barrier ? flow->arrive_ready : flow->ready[event->index];

  if (barrier && !op->posted)
    {
      set_cause (event, WP_REASON_DEPENDENCY, warp->end_index, warp->end_instr);
      return warp->end == warp->ready && !is_arrive (sm, warp->end_instr);
    }
  if (producer == WP_FLOW_NONE || ready != warp->ready)
    return false;
  set_cause (event, WP_REASON_DEPENDENCY, producer, wp_flow_get_instr (flow, producer));
  return !is_arrive (sm, event->producer_instr);
}

void
wp_sm_find_cause (const WpSm *sm, const WpWarp *warp, const WpOp *op, WpIssueEvent *event)
{
  if (warp->index == 0)
    set_cause (event, WP_REASON_START, WP_NO_PRODUCER, WP_NO_INSTR);
  else if (warp->released == warp->ready)
    set_cause (event, WP_REASON_BARRIER, warp->barrier, WP_NO_INSTR);
  else if (sm->flows != NULL ? !find_dependence_in_flow (sm, warp, op, event)
                             : !find_dependence (warp, op, event))
    set_cause (event, WP_REASON_ILP, warp->previous, WP_NO_INSTR);
}

void
wp_sm_forget_writers (const WpSm *sm, WpWarp *warp)
{
  uint32_t n = warp->writers == NULL ? 0 : sm->machine->programs[warp->program].n_values;

  warp->previous = warp->barrier = WP_NO_PRODUCER;
  for (uint32_t i = 0; i < n; i++)
    warp->writers[i] = WP_NO_PRODUCER;
}
