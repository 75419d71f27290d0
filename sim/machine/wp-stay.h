/* SPDX-License-Identifier: MIT */
/* Where an instruction stays: in its own pipeline, then in those of its path (MODEL.md, section
 * 12), in each for as long as it keeps the next one from beginning there. Plain C11.
 *
 *   own pipeline   [--lambda--)                stay 0
 *   1st of path              [--l--)           stay 1
 *   2nd of path                  [-l-)         stay 2
 */
#pragma once

#include "sim/machine/wp-machine.h"
#include "sim/machine/wp-observer.h"

#ifdef __cplusplus
extern "C" {
#endif

/* FROM <= t < TO; TO may be FROM. */
typedef struct
{
  uint32_t pipeline;
  WpTick from, to;
} WpStay;

/* How many stays EVENT has: none of a barrier or an arrive. */
static inline uint32_t
wp_stays_count (const WpMachine *machine, const WpIssueEvent *event)
{
  return machine->instrs[event->instr].pipeline == WP_NO_PIPELINE ? 0 : 1 + event->n_passes;
}

/* The I-th stay of EVENT. */
static inline WpStay
wp_stays_get (const WpMachine *machine, const WpIssueEvent *event, uint32_t i)
{
  const WpPass *pass;
  WpTick issue;

  if (i == 0)
    return (WpStay){ machine->instrs[event->instr].pipeline, event->start,
                     event->start + event->issue };
  pass = &machine->passes[event->first_pass + i - 1];
  issue = wp_machine_is_last_group (machine, pass->pipeline, event->sm) ? pass->issue_last
                                                                        : pass->issue;
  return (WpStay){ pass->pipeline, event->begins[i - 1], event->begins[i - 1] + issue };
}

/* When EVENT has left all that it passes; of a barrier, its time. */
static inline WpTick
wp_stays_find_end (const WpMachine *machine, const WpIssueEvent *event)
{
  WpTick end = event->time;

  for (uint32_t i = 0; i < wp_stays_count (machine, event); i++)
    {
      WpStay stay = wp_stays_get (machine, event, i);

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
