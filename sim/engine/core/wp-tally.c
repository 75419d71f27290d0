/* SPDX-License-Identifier: MIT */
/* One walk through each program: what goes in at an instruction comes out behind it, but for the
 * warps that are there. A repeat of c iterations is begun c times by each warp that comes to it,
 * less what those that are in it have left.
 */
#include "sim/engine/core/wp-tally.h"

#include <stdlib.h>
#include <string.h>

static void
find_around (const WpMachine *m, const WpProgram *program, uint32_t *around)
{
  const WpCode *code = m->code + program->first_code;
  uint32_t innermost = WP_NO_ROUND;

  for (uint32_t pc = 0; pc < program->n_code; pc++)
    {
      if (code[pc].kind == WP_CODE_END)
        innermost = around[code[pc].arg];
      around[pc] = innermost;
      if (code[pc].kind == WP_CODE_REPEAT)
        innermost = pc;
    }
}

static bool
has_repeats (const WpMachine *machine)
{
  for (uint32_t i = 0; i < machine->n_programs; i++)
    if (machine->programs[i].depth > 0)
      return true;
  return false;
}

bool
wp_tally_init (WpTally *tally, const WpMachine *machine)
{
  *tally = (WpTally){
    .n_started = calloc (machine->n_programs + (size_t)1, sizeof *tally->n_started),
    .here = calloc (machine->n_code + (size_t)1, sizeof *tally->here),
  };
  if (tally->n_started == NULL || tally->here == NULL)
    return false;
  if (!has_repeats (machine))
    return true;
  tally->around = calloc (machine->n_code + (size_t)1, sizeof *tally->around);
  if (tally->around == NULL)
    return false;
  for (uint32_t i = 0; i < machine->n_programs; i++)
    find_around (machine, &machine->programs[i], tally->around + machine->programs[i].first_code);
  return true;
}

void
wp_tally_clear (WpTally *tally)
{
  free (tally->n_started);
  free (tally->here);
  free (tally->around);
}

void
wp_tally_reset (WpTally *tally, const WpMachine *machine)
{
  if (!tally->used)
    return;
  memset (tally->n_started, 0, machine->n_programs * sizeof *tally->n_started);
  memset (tally->here, 0, machine->n_code * sizeof *tally->here);
}

/* Where TIMES warps are that are where WARP is. */
static void
add_place (WpTally *tally, const WpMachine *m, const WpWarp *warp, uint64_t times)
{
  uint32_t first = m->programs[warp->program].first_code, pc = warp->op->after - 1;
  const uint32_t *left = warp->counter;

  tally->here[first + pc] += times;
  if (tally->around == NULL)
    return;
  for (uint32_t repeat = tally->around[first + pc]; repeat != WP_NO_ROUND;
       repeat = tally->around[first + repeat])
    {
      tally->here[first + repeat] += times;
      tally->here[first + warp->code[repeat].arg] += times * (*left-- - 1);
    }
}

void
wp_tally_add_sm (WpTally *tally, const WpSm *sm)
{
  const WpMachine *m = sm->machine;

  tally->used = true;
  for (uint32_t i = 0; i < m->n_programs; i++)
    tally->n_started[i] += sm->n_terminated[i] * sm->count;
  for (uint32_t slot = 0; slot < sm->n_slots; slot++)
    {
      const WpWarp *warp = &sm->warps[slot];

      if (warp->state == WP_WARP_FREE)
        continue;
      tally->n_started[warp->program] += sm->count;
      if (warp->op != NULL)
        add_place (tally, m, warp, sm->count);
    }
}

/* INSTR, no mix, was issued N times, LAST of these as the last of its repeat. */
static void
add_instr (const WpSm *sm, uint32_t instr, uint64_t n, uint64_t last, WpSum *waits,
           WpResult *result)
{
  const WpOp *op = &sm->ops[instr];

  result->counts[instr] += n;
  if (sm->implies && op->issues >= WP_ISSUE_CHAINED)
    wp_sum_add_product (&waits[op->wait], n - last, (uint64_t)op->chain);
}

/* The walk through PROGRAM. */
static void
add_program (const WpTally *tally, const WpSm *sm, const WpProgram *program, uint64_t n,
             WpSum *waits, WpResult *result)
{
  const WpCode *code = sm->machine->code + program->first_code;
  const uint64_t *here = tally->here + program->first_code;
  uint64_t entered[WP_MAX_DEPTH];
  uint32_t depth = 0;

  for (uint32_t pc = 0; pc < program->n_code; pc++)
    if (code[pc].kind == WP_CODE_REPEAT)
      {
        entered[depth++] = n;
        n = n * code[pc].count - here[code[pc].arg];
      }
    else if (code[pc].kind == WP_CODE_END)
      n = entered[--depth] - here[code[pc].arg];
    else
      {
        bool ends = sm->ops[code[pc].arg].then == WP_THEN_LOOP;

        n -= here[pc];
        if (!sm->ops[code[pc].arg].mixed)
          add_instr (sm, code[pc].arg, n, ends ? entered[depth - 1] - here[code[pc + 1].arg] : 0,
                     waits, result);
      }
}

/* What the waits that are implied, WAITS, make of RESULT: they were taken to be time for which
 * warps were ready and not selected. */
static void
add_waits (const WpMachine *m, const WpSum *waits, WpResult *result)
{
  WpSum *stalls = result->stalls;

  for (uint32_t p = 0; p < m->n_pipelines + WP_N_WAITS; p++)
    {
      WpStall stall = p < m->n_pipelines ? WP_STALL_DEPENDENCY : WP_STALL_ILP;

      if (p < m->n_pipelines)
        wp_sum_add_sum (&result->waits[p], waits[p]);
      wp_sum_add_sum (&stalls[stall], waits[p]);
      stalls[WP_STALL_NOT_SELECTED] = wp_sum_subtract (stalls[WP_STALL_NOT_SELECTED], waits[p]);
    }
}

void
wp_tally_add_to_result (const WpTally *tally, const WpSm *sm, WpResult *result)
{
  const WpMachine *m = sm->machine;
  WpSum waits[WP_MAX_PIPELINES + WP_N_WAITS] = { { 0, 0 } };

  for (uint32_t i = 0; i < m->n_programs && !m->dataflow; i++)
    add_program (tally, sm, &m->programs[i], tally->n_started[i], waits, result);
  add_waits (m, waits, result);
}
