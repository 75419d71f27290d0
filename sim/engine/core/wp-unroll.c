/* SPDX-License-Identifier: MIT */
/* Two walks over the unrolled program: the first writes the instructions and counts each one's
 * dependents, the second fills them in. "The most recent instance" of a producer is the last that
 * the walk has passed; of those before it as many are kept as a dependence has distance, as the
 * values of a warp are. Of a mix each instance counts as one of its first set: a dependence on
 * another set never finds one, as it is the same dependence.
 */
#include "sim/engine/core/wp-unroll.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

static void
unroll_instrs (const WpMachine *machine, const WpProgram *program, WpUnrolled *unrolled)
{
  const WpCode *code = machine->code + program->first_code;
  uint32_t left[WP_MAX_DEPTH], depth = 0, k = 0;

  for (uint32_t pc = 0; pc < program->n_code; pc++)
    switch (code[pc].kind)
      {
      case WP_CODE_INSTRUCTION:
        unrolled->instrs[k++] = code[pc].arg;
        break;
      case WP_CODE_REPEAT:
        left[depth++] = code[pc].count;
        break;
      case WP_CODE_END:
        if (--left[depth - 1] > 0)
          pc = code[pc].arg;
        else
          depth--;
        break;
      }
}

/* Calls for each dynamic dependence: counting into first[producer + 1], or filling
 * successors[first[producer]++]. */
static void
walk_dependences (const WpMachine *machine, const WpProgram *program, uint32_t *latest, bool fill,
                  WpUnrolled *unrolled)
{
  for (uint32_t i = 0; i < program->n_values; i++)
    latest[i] = NONE;
  for (uint32_t k = 0; k < unrolled->n; k++)
    {
      const WpInstr *instr = &machine->instrs[unrolled->instrs[k]];

      for (uint32_t d = 0; instr->cost->pipeline != WP_NO_PIPELINE && d < instr->n_deps; d++)
        {
          const WpDep *dep = &machine->deps[instr->first_dep + d];
          uint32_t producer = latest[dep->value];

          if (producer == NONE)
            continue;
          if (!fill)
            unrolled->first[producer + 1]++;
          else
            {
              unrolled->successors[unrolled->first[producer]++]
                  = (WpSuccessor){ k, instr->first_dep + d, dep->latency };
              unrolled->n_waiting[k]++;
            }
        }
      if (instr->value == WP_NO_VALUE)
        continue;
      for (uint32_t i = instr->value + wp_instr_get_kept (instr) - 1; i > instr->value; i--)
        latest[i] = latest[i - 1];
      latest[instr->value] = k;
    }
}

static void
count_pipelines (const WpMachine *machine, WpUnrolled *unrolled)
{
  for (uint32_t k = 0; k < unrolled->n; k++)
    {
      uint32_t pipeline = machine->instrs[unrolled->instrs[k]].cost->pipeline;

      if (pipeline != WP_NO_PIPELINE)
        unrolled->pipeline_first[pipeline + 1]++;
    }
  for (uint32_t p = 0; p < machine->n_pipelines; p++)
    unrolled->pipeline_first[p + 1] += unrolled->pipeline_first[p];
}

bool
wp_unroll (const WpMachine *machine, uint32_t index, WpUnrolled *unrolled)
{
  const WpProgram *program = &machine->programs[index];
  size_t n = (size_t)program->n_dynamic;
  uint32_t *latest = calloc (program->n_values + (size_t)1, sizeof *latest);

  *unrolled = (WpUnrolled){ .n = (uint32_t)n };
  unrolled->instrs = calloc (n + 1, sizeof *unrolled->instrs);
  unrolled->n_waiting = calloc (n + 1, sizeof *unrolled->n_waiting);
  unrolled->first = calloc (n + 2, sizeof *unrolled->first);
  unrolled->pipeline_first
      = calloc ((size_t)machine->n_pipelines + 1, sizeof *unrolled->pipeline_first);
  if (latest == NULL || unrolled->instrs == NULL || unrolled->n_waiting == NULL
      || unrolled->first == NULL || unrolled->pipeline_first == NULL)
    {
      free (latest);
      return false;
    }
  unroll_instrs (machine, program, unrolled);
  count_pipelines (machine, unrolled);
  walk_dependences (machine, program, latest, false, unrolled);
  for (size_t k = 0; k < n; k++)
    unrolled->first[k + 1] += unrolled->first[k];
  unrolled->successors = calloc ((size_t)unrolled->first[n] + 1, sizeof *unrolled->successors);
  if (unrolled->successors != NULL)
    {
      walk_dependences (machine, program, latest, true, unrolled);
      /* Filling moved each start to its end, which is the next one's start: move them back. */
      memmove (unrolled->first + 1, unrolled->first, n * sizeof *unrolled->first);
      unrolled->first[0] = 0;
    }
  free (latest);
  return unrolled->successors != NULL;
}

void
wp_unrolled_clear (WpUnrolled *unrolled)
{
  free (unrolled->instrs);
  free (unrolled->n_waiting);
  free (unrolled->first);
  free (unrolled->successors);
  free (unrolled->pipeline_first);
}
