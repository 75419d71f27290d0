/* SPDX-License-Identifier: MIT */
/* Where an instruction stays: in its own pipeline, then in those of its path (MODEL.md, section
 * 12), in each for as long as it keeps the next one from beginning there. Plain C11.
 *
 *   own pipeline   [--lambda--)                stay 0
 *   1st of path              [--l--)           stay 1
 *   2nd of path                  [-l-)         stay 2
 *
 * An observer that wants them all at once hands each `issue` and each `pass` on to a WpStays, which
 * says when it has an instruction whole; nothing else happens in between.
 */
#pragma once

#include "sim/machine/wp-machine.h"
#include "sim/machine/wp-observer.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An instruction that has issued. */
typedef struct
{
  WpIssueEvent issue;
  uint32_t n_begins, first_pass; /* of its path, in the machine's passes[] */
  WpTick begins[WP_MAX_PASSES];
} WpStays;

/* FROM <= t < TO; TO may be FROM. */
typedef struct
{
  uint32_t pipeline;
  WpTick from, to;
} WpStay;

/* Notes EVENT in STAYS. Returns whether that is all of it: it has no path. */
static inline bool
wp_stays_take_issue (WpStays *stays, const WpMachine *machine, const WpIssueEvent *event)
{
  stays->issue = *event;
  stays->n_begins = 0;
  stays->first_pass = machine->instrs[event->instr].cost->first_pass;
  return machine->instrs[event->instr].cost->n_passes == 0;
}

/* Notes EVENT, which is of the same instruction. Returns whether it was the last. */
static inline bool
wp_stays_take_pass (WpStays *stays, const WpMachine *machine, const WpPassEvent *event)
{
  stays->begins[stays->n_begins++] = event->start;
  return stays->n_begins == machine->instrs[event->instr].cost->n_passes;
}

/* How many stays there are: none of a barrier or an arrive. */
static inline uint32_t
wp_stays_count (const WpStays *stays, const WpMachine *machine)
{
  return machine->instrs[stays->issue.instr].cost->pipeline == WP_NO_PIPELINE ? 0
                                                                              : 1 + stays->n_begins;
}

/* The I-th of them. */
static inline WpStay
wp_stays_get (const WpStays *stays, const WpMachine *machine, uint32_t i)
{
  const WpInstr *instr = &machine->instrs[stays->issue.instr];
  const WpPass *pass = i > 0 ? &machine->passes[stays->first_pass + i - 1] : NULL;
  uint32_t pipeline = pass != NULL ? pass->pipeline : instr->cost->pipeline;
  WpTick from = pass != NULL ? stays->begins[i - 1] : stays->issue.start;
  WpTick issue = pass != NULL ? pass->issue : instr->cost->issue;

  if (wp_machine_is_last_group (machine, pipeline, stays->issue.sm))
    issue = pass != NULL ? pass->issue_last : instr->cost->issue_last;
  return (WpStay){ pipeline, from, from + issue };
}

/* When it has left all that it passes; of a barrier, its time. */
static inline WpTick
wp_stays_find_end (const WpStays *stays, const WpMachine *machine)
{
  WpTick end = stays->issue.time;

  for (uint32_t i = 0; i < wp_stays_count (stays, machine); i++)
    {
      WpStay stay = wp_stays_get (stays, machine, i);

      end = stay.to > end ? stay.to : end;
    }
  return end;
}

/* Whether SM and OTHER share PIPELINE, or are the same. */
static inline bool
wp_stays_are_together (const WpMachine *machine, uint32_t pipeline, uint32_t sm, uint32_t other)
{
  uint32_t k = wp_pipeline_get_shared (&machine->pipelines[pipeline]);

  return sm / k == other / k;
}

#ifdef __cplusplus
}
#endif
