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
    n += machine->instrs[program->first_instr + i].n_passes;
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
  u->written_at = calloc (n_instrs, sizeof *u->written_at);
  u->deps = calloc (n_deps, sizeof *u->deps);
  u->code = calloc (n_code, sizeof *u->code);
  u->passes = calloc (n_passes, sizeof *u->passes);
  u->pipelines = calloc ((size_t)machine->n_pipelines + 1, sizeof *u->pipelines);
  return u->pipelines != NULL && u->programs != NULL && u->segments != NULL && u->instrs != NULL
         && u->written_at != NULL && u->deps != NULL && u->code != NULL && u->passes != NULL;
}

static void
add_instr (WpUnlimited *u, const WpMachine *machine, const WpProgram *program, uint32_t i)
{
  uint32_t at = u->machine.n_instrs++, first = at - i; /* of the program */
  WpInstr *instr = &u->instrs[at];

  *instr = machine->instrs[program->first_instr + i];
  u->written_at[at] = program->first_instr + i;
  for (uint32_t d = 0; d < instr->n_deps; d++)
    {
      WpDep *dep = &u->deps[u->machine.n_deps + d];

      *dep = machine->deps[instr->first_dep + d];
      dep->producer = dep->producer - program->first_instr + first;
    }
  instr->first_dep = u->machine.n_deps;
  u->machine.n_deps += instr->n_deps;
  for (uint32_t k = 0; k < instr->n_passes; k++)
    u->passes[u->machine.n_passes + k]
        = (WpPass){ .pipeline = machine->passes[instr->first_pass + k].pipeline };
  instr->first_pass = u->machine.n_passes;
  u->machine.n_passes += instr->n_passes;
  instr->issue = instr->issue_last = 0;
  instr->transactions = 0;
  instr->spread = WP_NO_SPREAD;
}

static void
add_program (WpUnlimited *u, const WpMachine *machine, const WpProgram *program)
{
  WpProgram *to = &u->programs[u->machine.n_programs++];
  uint32_t first = u->machine.n_instrs;

  *to = *program;
  to->first_instr = first;
  to->first_code = u->machine.n_code;
  for (uint32_t i = 0; i < program->n_instrs; i++)
    add_instr (u, machine, program, i);
  for (uint32_t pc = 0; pc < program->n_code; pc++)
    {
      WpCode *code = &u->code[u->machine.n_code++];

      *code = machine->code[program->first_code + pc];
      if (code->kind == WP_CODE_INSTRUCTION)
        code->arg = code->arg - program->first_instr + first;
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

bool
wp_unlimited_init (WpUnlimited *u, const WpMachine *machine, uint32_t n,
                   const WpBoundsSegment *segments)
{
  *u = (WpUnlimited){ .machine = *machine, .row = { 0, n }, .range = { 0, 0 } };
  u->machine.n_programs = u->machine.n_instrs = u->machine.n_deps = u->machine.n_code = 0;
  u->machine.n_passes = 0;
  if (!allocate (u, machine, n, segments))
    {
      wp_unlimited_clear (u);
      return false;
    }
  for (uint32_t i = 0; i < n; i++)
    {
      u->segments[i] = (WpSegment){ .first_warp = i, .program = i };
      add_program (u, machine, &machine->programs[segments[i].program]);
    }
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
  free (u->written_at);
  free (u->deps);
  free (u->code);
  free (u->passes);
  free (u->pipelines);
  *u = (WpUnlimited){ 0 };
}
