/* SPDX-License-Identifier: MIT */
/* Programs of other blocks are left out, so that a kernel of many programs, as one from a trace, is
 * not looked at as a whole for each of them.
 */
#include "sim/bounds/wp-unlimited.h"

#include <stdlib.h>
#include <string.h>

/* The dependences of an instruction are in a row, those of the next one behind them. */
static uint32_t
count_deps (const WpMachine *machine, const WpProgram *program)
{
  uint32_t n = 0;

  for (uint32_t i = 0; i < program->n_instrs; i++)
    n += machine->instrs[program->first_instr + i].n_deps;
  return n;
}

static uint32_t
count_passes (const WpMachine *machine, const WpProgram *program)
{
  uint32_t n = 0;

  for (uint32_t i = 0; i < program->n_instrs; i++)
    n += machine->instrs[program->first_instr + i].cost->n_passes;
  return n;
}

static bool
allocate (WpUnlimited *u, const WpMachine *machine, uint32_t n, const WpBoundsSegment *segments)
{
  size_t n_instrs = 1, n_deps = 1, n_code = 1, n_passes = 1;

  for (uint32_t i = 0; i < n; i++)
    {
      const WpProgram *program = &machine->programs[segments[i].program];

      n_instrs += program->n_instrs;
      n_code += program->n_code;
      n_deps += count_deps (machine, program);
      n_passes += count_passes (machine, program);
    }
  u->programs = calloc (n, sizeof *u->programs);
  u->segments = calloc (n, sizeof *u->segments);
  u->instrs = calloc (n_instrs, sizeof *u->instrs);
  u->costs = calloc (n_instrs, sizeof *u->costs);
  u->written_at = calloc (n_instrs, sizeof *u->written_at);
  u->deps = calloc (n_deps, sizeof *u->deps);
  u->code = calloc (n_code, sizeof *u->code);
  u->passes = calloc (n_passes, sizeof *u->passes);
  u->pipelines = calloc ((size_t)machine->n_pipelines + 1, sizeof *u->pipelines);
  return u->pipelines != NULL && u->programs != NULL && u->segments != NULL && u->instrs != NULL
         && u->costs != NULL && u->written_at != NULL && u->deps != NULL && u->code != NULL
         && u->passes != NULL;
}

/* The dependences of FROM, of PROGRAM: one on a mix is that on its first, which stands for all. */
static void
add_deps (WpUnlimited *u, const WpMachine *machine, const WpProgram *program, const WpInstr *from,
          const uint32_t *place, WpInstr *instr)
{
  instr->first_dep = u->machine.n_deps;
  for (uint32_t d = 0; d < from->n_deps; d++)
    {
      WpDep dep = machine->deps[from->first_dep + d];

      if (machine->instrs[dep.producer].cost->mix_place > 0)
        continue;
      dep.producer = place[dep.producer - program->first_instr];
      u->deps[u->machine.n_deps++] = dep;
    }
  instr->n_deps = u->machine.n_deps - instr->first_dep;
}

/* The path, which takes no time; of one that is too long, as that of a mean may be, its end. */
static void
add_path (WpUnlimited *u, const WpMachine *machine, const WpCost *from, WpCost *cost)
{
  uint32_t n = from->n_passes < WP_MAX_PASSES ? from->n_passes : WP_MAX_PASSES;

  cost->first_pass = u->machine.n_passes;
  cost->n_passes = n;
  for (uint32_t k = from->n_passes - n; k < from->n_passes; k++)
    u->passes[u->machine.n_passes++]
        = (WpPass){ .pipeline = machine->passes[from->first_pass + k].pipeline };
}

static void
add_instr (WpUnlimited *u, const WpMachine *machine, const WpProgram *program, uint32_t i,
           const uint32_t *place)
{
  const WpInstr *from = &machine->instrs[program->first_instr + i];
  WpInstr *instr = &u->instrs[u->machine.n_instrs];
  WpCost *cost = &u->costs[u->machine.n_instrs];

  *instr = *from;
  *cost = *from->cost;
  instr->cost = cost;
  u->written_at[u->machine.n_instrs++] = (uint32_t)(from - machine->instrs);
  add_deps (u, machine, program, from, place, instr);
  add_path (u, machine, from->cost, cost);
  cost->issue = cost->issue_last = 0;
  cost->transactions = 0;
  cost->spread = WP_NO_SPREAD;
  cost->mix = cost->mix_upto = 0;
}

/* PLACE receives what each of PROGRAM's instructions is here. */
static void
find_places (const WpUnlimited *u, const WpMachine *machine, const WpProgram *program,
             uint32_t *place)
{
  uint32_t n = u->machine.n_instrs;

  for (uint32_t i = 0; i < program->n_instrs; i++)
    if (machine->instrs[program->first_instr + i].cost->mix_place == 0)
      place[i] = n++;
}

static void
add_program (WpUnlimited *u, const WpMachine *machine, const WpProgram *program, uint32_t *place)
{
  WpProgram *to = &u->programs[u->machine.n_programs++];

  *to = *program;
  to->first_instr = u->machine.n_instrs;
  to->first_code = u->machine.n_code;
  find_places (u, machine, program, place);
  for (uint32_t i = 0; i < program->n_instrs; i++)
    if (machine->instrs[program->first_instr + i].cost->mix_place == 0)
      add_instr (u, machine, program, i, place);
  to->n_instrs = u->machine.n_instrs - to->first_instr;
  for (uint32_t pc = 0; pc < program->n_code; pc++)
    {
      WpCode *code = &u->code[u->machine.n_code++];

      *code = machine->code[program->first_code + pc];
      if (code->kind == WP_CODE_INSTRUCTION)
        code->arg = place[code->arg - program->first_instr];
    }
}

/* Whether who meets whom depends on the order of things at one time (MODEL.md, section 14). */
static bool
meets_by_number (const WpUnlimited *u)
{
  for (uint32_t i = 0; i < u->machine.n_instrs; i++)
    if (wp_instr_meets_by_number (&u->machine, &u->instrs[i]))
      return true;
  return false;
}

/* The instructions of the longest of these programs. */
static uint32_t
find_longest (const WpMachine *machine, uint32_t n, const WpBoundsSegment *segments)
{
  uint32_t longest = 0;

  for (uint32_t i = 0; i < n; i++)
    {
      uint32_t length = machine->programs[segments[i].program].n_instrs;

      longest = length > longest ? length : longest;
    }
  return longest;
}

bool
wp_unlimited_init (WpUnlimited *u, const WpMachine *machine, uint32_t n,
                   const WpBoundsSegment *segments)
{
  uint32_t *place = calloc (find_longest (machine, n, segments) + (size_t)1, sizeof *place);

  *u = (WpUnlimited){ .machine = *machine, .row = { 0, n }, .range = { 0, 0 } };
  u->machine.n_programs = u->machine.n_instrs = u->machine.n_deps = u->machine.n_code = 0;
  u->machine.n_passes = 0;
  if (place == NULL || !allocate (u, machine, n, segments))
    {
      free (place);
      wp_unlimited_clear (u);
      return false;
    }
  for (uint32_t i = 0; i < n; i++)
    {
      u->segments[i] = (WpSegment){ .first_warp = i, .program = i };
      add_program (u, machine, &machine->programs[segments[i].program], place);
    }
  free (place);
  u->machine.programs = u->programs;
  u->machine.segments = u->segments;
  u->machine.instrs = u->instrs;
  u->machine.deps = u->deps;
  u->machine.code = u->code;
  u->machine.passes = u->passes;
  for (uint32_t p = 0; p < machine->n_pipelines; p++)
    {
      u->pipelines[p] = machine->pipelines[p];
      u->pipelines[p].queue = WP_NO_QUEUE_LIMIT; /* it would never be full */
      u->pipelines[p].inflight = WP_NO_INFLIGHT_LIMIT;
      u->pipelines[p].turnaround = u->pipelines[p].turnaround_last = 0;
      u->pipelines[p].shared = 1;
    }
  u->machine.pipelines = u->pipelines;
  u->machine.rows = &u->row;
  u->machine.n_rows = 1;
  u->machine.n_segments = n;
  u->machine.block_ranges = &u->range;
  u->machine.n_block_ranges = 1;
  u->machine.n_blocks = u->machine.resident_blocks = u->machine.simulated_sms = 1;
  u->machine.warps_per_block = n;
  if (meets_by_number (u))
    u->machine.n_schedulers = n;
  u->machine.interval = 0;
  u->machine.launch_latency = 0;
  u->machine.contended = false;
  return true;
}

void
wp_unlimited_clear (WpUnlimited *u)
{
  free (u->programs);
  free (u->segments);
  free (u->instrs);
  free (u->costs);
  free (u->written_at);
  free (u->deps);
  free (u->code);
  free (u->passes);
  free (u->pipelines);
  *u = (WpUnlimited){ 0 };
}
