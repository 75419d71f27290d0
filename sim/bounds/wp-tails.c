/* SPDX-License-Identifier: MIT */
/* A program is walked from its end. Where a repeat has too many rounds only the last ones are: what
 * is walked is a part of what the warp issues, in the same order. That is enough, as leaving
 * instances out only makes tails smaller: the order of the program holds among those that stay, and
 * a dependence on an instance that is left out is replaced by one on an older instance, which
 * issued no later.
 *
 * Behind an instance of X come, at the least
 * - the completion of X, and the issue of each that depends on it, from when X begins in whatever
 *   pipeline (MODEL.md, sections 5 and 12), and nothing of this where X is posted;
 * - the next instance that issues into the same pipeline, once X has kept it for its lambda: both
 *   pass the same instance of it, in the order in which they issue (of a path nothing is said);
 * - the next instruction, from when X issues: ilp-latency, stall, and X's issue slots later, as the
 *   warp stays with its scheduler; behind a barrier the latency of that at least.
 * What holds from the beginning holds from the issue, too, which is no later. The other way round
 * it does so only where the warp itself waits for the pipeline, so that both are one. A distance
 * above 1 is left out.
 *
 * The last instance has the smallest tail: earlier ones issue earlier, and begin earlier in each
 * pipeline that they pass.
 */
#include "sim/bounds/wp-tails.h"

#include <stdlib.h>

/* Instructions walked of a program, besides each as written. */
#define MOST_STEPS 65536

typedef struct
{
  const WpMachine *machine;
  const WpCode *code;
  WpTail *tails;
  WpTick *pending; /* [n_instrs]: behind an instance, by what depends on it; < 0: nothing yet */
  WpTick behind[WP_MAX_PIPELINES]; /* `begin` of the next in each; < 0: none that is known */
  WpTick next;                     /* `issue` of the next instruction */
  uint32_t left;                   /* steps */
} Walk;

static WpTick
larger (WpTick a, WpTick b)
{
  return a > b ? a : b;
}

/* Tails that would be too long stay as long as times can be: still below the truth. */
static WpTick
add (WpTick a, WpTick b)
{
  return a >= WP_TICK_LIMIT - 1 - b ? WP_TICK_LIMIT - 1 : a + b;
}

/* The time of the slots that an issue of INSTR keeps its scheduler from issuing for. */
static WpTick
get_slots (const WpMachine *machine, const WpInstr *instr)
{
  if (machine->issue_limit > 1 && instr->cost->slots == 1)
    return 0;
  if (machine->interval > (WP_TICK_LIMIT - 1) / (WpTick)instr->cost->slots)
    return WP_TICK_LIMIT - 1;
  return machine->interval * (WpTick)instr->cost->slots;
}

/* From INSTR's issue to that of the next instruction. */
static WpTick
get_gap (const WpMachine *machine, const WpInstr *instr)
{
  WpTick gap
      = larger (larger (machine->ilp_latency, instr->cost->stall), get_slots (machine, instr));

  return wp_instr_is_barrier (instr) ? larger (gap, machine->barrier_latency) : gap;
}

static WpTail
find_tail (Walk *walk, uint32_t i)
{
  const WpInstr *instr = &walk->machine->instrs[i];
  WpTail tail = { .issue = larger (
                      0, walk->next < 0 ? 0 : add (get_gap (walk->machine, instr), walk->next)),
                  .begin = -1,
                  .pass = -1 };
  WpTick *behind
      = instr->cost->pipeline == WP_NO_PIPELINE ? NULL : &walk->behind[instr->cost->pipeline];

  if (wp_instr_is_barrier (instr))
    tail.issue = larger (tail.issue, walk->machine->barrier_latency);
  if (!instr->cost->posted && behind != NULL)
    tail.begin = tail.pass = larger (instr->cost->completion, walk->pending[i]);
  if (behind != NULL && *behind >= 0)
    tail.begin = larger (tail.begin, add (instr->cost->issue, *behind));
  tail.issue = larger (tail.issue, larger (tail.begin, walk->pending[i]));
  if (behind != NULL && walk->machine->pipelines[instr->cost->pipeline].queue == 0)
    tail.begin = tail.issue;
  if (behind != NULL)
    *behind = tail.begin;
  return tail;
}

static void
step (Walk *walk, uint32_t i)
{
  const WpMachine *machine = walk->machine;
  const WpInstr *instr = &machine->instrs[i];
  WpTail tail = find_tail (walk, i);

  if (walk->tails[i].issue < 0)
    walk->tails[i] = tail;
  walk->pending[i] = -1;
  walk->next = tail.issue;
  for (uint32_t d = instr->first_dep; !instr->cost->late && d < instr->first_dep + instr->n_deps;
       d++)
    {
      const WpDep *dep = &machine->deps[d];
      WpTick *pending = &walk->pending[dep->producer];

      if (dep->value == machine->instrs[dep->producer].value)
        *pending = larger (*pending, add (dep->latency, tail.issue));
    }
  walk->left -= walk->left > 0;
}

/* From END back to BEGIN, in code. Repeats nest at most 64 deep. */
static void
walk_back (Walk *walk, uint32_t begin, uint32_t end)
{
  for (uint32_t pc = end; pc-- > begin;)
    if (walk->code[pc].kind == WP_CODE_INSTRUCTION)
      step (walk, walk->code[pc].arg);
    else if (walk->code[pc].kind == WP_CODE_END)
      {
        uint32_t repeat = walk->code[pc].arg;

        for (uint32_t k = 0; k < walk->code[repeat].count && (k == 0 || walk->left > 0); k++)
          walk_back (walk, repeat + 1, pc);
        pc = repeat;
      }
}

static WpTick
walk_program (Walk *walk, const WpProgram *program)
{
  walk->code = walk->machine->code + program->first_code;
  walk->next = -1;
  walk->left = MOST_STEPS;
  for (uint32_t p = 0; p < WP_MAX_PIPELINES; p++)
    walk->behind[p] = -1;
  walk_back (walk, 0, program->n_code);
  return larger (walk->next, 0);
}

bool
wp_tails_init (WpTails *tails, const WpMachine *machine)
{
  Walk walk = { .machine = machine };

  tails->instrs = malloc (((size_t)machine->n_instrs + 1) * sizeof *tails->instrs);
  tails->lives = calloc ((size_t)machine->n_programs + 1, sizeof *tails->lives);
  walk.pending = malloc (((size_t)machine->n_instrs + 1) * sizeof *walk.pending);
  walk.tails = tails->instrs;
  if (walk.pending == NULL || tails->instrs == NULL || tails->lives == NULL)
    {
      free (walk.pending);
      wp_tails_clear (tails);
      return false;
    }
  for (uint32_t i = 0; i < machine->n_instrs; i++)
    {
      tails->instrs[i] = (WpTail){ .issue = -1, .begin = -1, .pass = -1 };
      walk.pending[i] = -1;
    }
  for (uint32_t p = 0; p < machine->n_programs; p++)
    tails->lives[p] = walk_program (&walk, &machine->programs[p]);
  free (walk.pending);
  return true;
}

void
wp_tails_clear (WpTails *tails)
{
  free (tails->instrs);
  free (tails->lives);
  *tails = (WpTails){ 0 };
}
