/* SPDX-License-Identifier: MIT */
/* The check spares the engine every test of an index: what passes here cannot lead it out of its
 * arrays. */
#include "sim/machine/wp-machine.h"

#include "idg/kernel/idg-program.h"

#include <stddef.h>

static bool
is_time (WpTick ticks)
{
  return ticks >= 0 && ticks <= WP_TICK_LIMIT;
}

static const char *
check_gpu (const WpMachine *m)
{
  if (m->ticks_per_cycle < 1 || m->ticks_per_cycle > WP_MAX_TICKS_PER_CYCLE)
    return "ticks per cycle out of range";
  if (!is_time (m->interval) || !is_time (m->ilp_latency) || !is_time (m->launch_latency)
      || !is_time (m->barrier_latency))
    return "a latency out of range";
  if (m->n_schedulers < 1 || m->issue_limit < 1 || m->dual_issue < 1 || m->active_set < 1)
    return "a count of the scheduler is zero";
  if (m->dual_issue > WP_MAX_GROUP)
    return "dual issue of too many instructions";
  if (m->simulated_sms < 1 || m->simulated_sms > m->n_sms)
    return "simulated SMs out of range";
  if (m->n_pipelines > WP_MAX_PIPELINES)
    return "too many pipelines";
  if (m->n_barriers > WP_MAX_BARRIERS || (m->n_barriers > 0 && m->barriers == NULL))
    return "too many barriers";
  for (uint32_t p = 0; p < m->n_pipelines; p++)
    {
      if (!is_time (m->pipelines[p].channel_issue))
        return "a channel's issue latency out of range";
      if (!is_time (m->pipelines[p].turnaround) || !is_time (m->pipelines[p].turnaround_last)
          || !is_time (m->pipelines[p].channel_issue_last))
        return "a turnaround, or what a channel takes in the last group, out of range";
      if (m->pipelines[p].shared > 1
          && (m->pipelines[p].per_scheduler || m->pipelines[p].inflight > 0))
        return "a shared pipeline of schedulers, or with a limit of what is in flight";
      if (m->pipelines[p].inflight > WP_MAX_INFLIGHT)
        return "a pipeline with too many instructions in flight";
    }
  return NULL;
}

/* Whole cycles, so that there are few different ones. */
static bool
is_stall (const WpMachine *m, WpTick stall)
{
  return stall >= 0 && stall % m->ticks_per_cycle == 0
         && stall / m->ticks_per_cycle <= IDG_MAX_STALL;
}

static const char *
check_path (const WpMachine *m, const WpInstr *instr)
{
  if (instr->cost->n_passes > WP_MAX_PASSES || instr->cost->n_passes > m->n_passes
      || instr->cost->first_pass > m->n_passes - instr->cost->n_passes)
    return "a path out of range";
  if (!is_stall (m, instr->cost->stall))
    return "a stall out of range";
  if (instr->cost->pipeline == WP_NO_PIPELINE)
    return instr->cost->n_passes > 0 || instr->cost->stall > 0 ? "a barrier with a path, or a stall"
                                                               : NULL;
  if (m->pipelines[instr->cost->pipeline].shared > 1
      && m->pipelines[instr->cost->pipeline].queue != WP_NO_QUEUE_LIMIT)
    return "an instruction that issues into a shared pipeline which may refuse it";
  if (!is_time (instr->cost->issue_last))
    return "an instruction's latencies out of range";
  if (!is_time (instr->cost->in_flight))
    return "an instruction's time in flight out of range";
  if (instr->cost->n_passes > 0 && instr->cost->transactions > WP_MAX_PASS_VISITS)
    return "too many visits to channels";
  for (uint32_t i = 0; i < instr->cost->n_passes; i++)
    {
      const WpPass *pass = &m->passes[instr->cost->first_pass + i];

      if (pass->pipeline >= m->n_pipelines || !is_time (pass->issue) || !is_time (pass->issue_last)
          || pass->transactions > WP_MAX_PASS_VISITS)
        return "a path that leads nowhere";
    }
  return NULL;
}

/* Whether VALUE is one of those that INSTR keeps. */
static bool
is_kept (const WpInstr *instr, uint32_t value)
{
  return instr->value != WP_NO_VALUE && value != WP_NO_VALUE && value >= instr->value
         && value - instr->value < wp_instr_get_kept (instr);
}

/* Whether WHAT says the same of both, which are of one mix. */
static bool
are_alike (const WpInstr *a, const WpInstr *b)
{
  return a->cost->mix == b->cost->mix && a->cost->pipeline == b->cost->pipeline
         && a->first_dep == b->first_dep && a->n_deps == b->n_deps
         && wp_instr_get_kept (a) == wp_instr_get_kept (b) && a->cost->stall == b->cost->stall
         && a->cost->name == b->cost->name
         && (a->value == WP_NO_VALUE) == (b->value == WP_NO_VALUE);
}

/* The mix whose first instruction is FIRST. */
static const char *
check_mix (const WpInstr *first)
{
  uint32_t next = first->value;

  for (uint32_t i = 0; i < first->cost->mix; i++)
    {
      const WpInstr *instr = &first[i];

      if (instr->cost->mix_place != i || !are_alike (first, instr)
          || instr->cost->mix_upto > INT32_MAX
          || instr->cost->mix_upto <= (i > 0 ? instr[-1].cost->mix_upto : 0))
        return "a mix of instructions that do not go together";
      if (instr->value == WP_NO_VALUE)
        continue;
      if (instr->value > next || instr->value < first->value
          || (instr->value - first->value) % wp_instr_get_kept (first) != 0)
        return "a mix whose values do not go together";
      next += instr->value == next ? wp_instr_get_kept (first) : 0;
    }
  return NULL;
}

/* Mixes lie within PROGRAM, one behind another. */
static const char *
check_mixes (const WpMachine *m, const WpProgram *program)
{
  for (uint32_t i = 0; i < program->n_instrs;)
    {
      const WpInstr *first = &m->instrs[program->first_instr + i];
      const char *problem;

      if (first->cost->mix_place != 0 || first->cost->mix > program->n_instrs - i
          || (first->cost->mix > 0 && first->cost->pipeline == WP_NO_PIPELINE))
        return "a mix of instructions that do not go together";
      problem = check_mix (first);
      if (problem != NULL)
        return problem;
      i += wp_instr_count_contexts (first);
    }
  return NULL;
}

/* Whether INSTR's dependences from the I-th on are on each set of values of one mix. */
static bool
depends_on_sets (const WpMachine *m, const WpInstr *instr, uint32_t i)
{
  const WpDep *dep = &m->deps[instr->first_dep + i];
  const WpInstr *first = &m->instrs[dep->producer];
  uint32_t n = 0;

  for (uint32_t k = 0; k < first->cost->mix; k++)
    {
      if (wp_instr_get_set (&first[k]) < n)
        continue;
      if (i + n >= instr->n_deps || dep[n].producer != dep->producer + k
          || dep[n].value - first[k].value != dep->value - first->value)
        return false;
      n++;
    }
  return true;
}

static const char *
check_instr (const WpMachine *m, const WpProgram *program, const WpInstr *instr)
{
  if (instr->cost->pipeline != WP_NO_PIPELINE && instr->cost->pipeline >= m->n_pipelines)
    return "an instruction on no pipeline";
  if (!is_time (instr->cost->issue) || !is_time (instr->cost->completion) || !is_time (instr->reach)
      || instr->reach < instr->cost->completion || instr->cost->slots < 1)
    return "an instruction's latencies out of range";
  if (instr->value != WP_NO_VALUE
      && (instr->value >= program->n_values
          || wp_instr_get_kept (instr) > program->n_values - instr->value))
    return "an instruction's value out of range";
  if (instr->n_kept > WP_MAX_KEPT || (instr->n_kept > 1 && instr->value == WP_NO_VALUE))
    return "an instruction that keeps too many values";
  if (instr->cost->pipeline == WP_NO_PIPELINE && instr->cost->barrier > m->n_barriers)
    return "a barrier that is none of the machine's";
  if (wp_instr_is_arrive (instr) && instr->cost->barrier == 0)
    return "an arrive at the barrier without a name";
  if (instr->cost->late
      && (!wp_instr_is_arrive (instr) || m->barriers[instr->cost->barrier - 1].warps == 0))
    return "a late arrive at a barrier of all warps";
  if (instr->cost->pipeline == WP_NO_PIPELINE && instr->value != WP_NO_VALUE)
    return "a barrier with a value";
  if (instr->cost->name >= m->n_names)
    return "an instruction without a name";
  if (instr->cost->spread != WP_NO_SPREAD && instr->cost->spread >= m->n_spreads)
    return "an instruction's spread out of range";
  if (instr->n_deps > m->n_deps || instr->first_dep > m->n_deps - instr->n_deps)
    return "an instruction's dependences out of range";
  for (uint32_t i = 0; i < instr->n_deps; i++)
    {
      const WpDep *dep = &m->deps[instr->first_dep + i];

      if (dep->producer < program->first_instr
          || dep->producer >= program->first_instr + program->n_instrs
          || !is_kept (&m->instrs[dep->producer], dep->value)
          || m->instrs[dep->producer].cost->pipeline == WP_NO_PIPELINE
          || dep->pipeline != wp_instr_get_last_pipeline (m, &m->instrs[dep->producer])
          || !is_time (dep->latency) || m->instrs[dep->producer].reach < dep->latency)
        return "a dependence on nothing";
      if (m->instrs[dep->producer].cost->mix_place == 0 && !depends_on_sets (m, instr, i))
        return "a dependence on a part of a mix";
    }
  return NULL;
}

/* Repeats pair up, none is empty or runs zero times, and the count of dynamic instructions is
 * right. */
static const char *
check_code (const WpMachine *m, const WpProgram *program)
{
  uint64_t outer[WP_MAX_DEPTH], sum = 0;
  uint32_t heads[WP_MAX_DEPTH], depth = 0, seen = 0;
  const WpCode *code = m->code + program->first_code;

  for (uint32_t i = 0; i < program->n_code; i++)
    switch (code[i].kind)
      {
      case WP_CODE_INSTRUCTION:
        if (code[i].arg != program->first_instr + seen || seen >= program->n_instrs)
          return "code that does not run the instructions in order";
        seen += wp_instr_count_contexts (&m->instrs[code[i].arg]);
        sum++;
        break;
      case WP_CODE_REPEAT:
        if (depth == program->depth || depth == WP_MAX_DEPTH || code[i].count < 1)
          return "a repeat too deep or of no iteration";
        heads[depth] = i;
        outer[depth++] = sum;
        sum = 0;
        break;
      case WP_CODE_END:
        if (depth == 0 || code[i].arg != heads[depth - 1] || code[heads[depth - 1]].arg != i
            || sum == 0)
          return "a repeat without a pair or a body";
        depth--;
        if (sum > (UINT64_C (1) << 53) / code[heads[depth]].count)
          return "too many dynamic instructions";
        sum = outer[depth] + sum * code[heads[depth]].count;
        break;
      default:
        return "unknown code";
      }
  if (depth != 0 || seen != program->n_instrs || sum != program->n_dynamic)
    return "a program that does not add up";
  return NULL;
}

static const char *
check_program (const WpMachine *m, const WpProgram *program)
{
  const char *problem = NULL;

  if (program->n_code > m->n_code || program->first_code > m->n_code - program->n_code
      || program->n_instrs > m->n_instrs || program->first_instr > m->n_instrs - program->n_instrs
      || program->depth > 64)
    return "a program out of range";
  problem = check_mixes (m, program);
  if (problem == NULL)
    problem = check_code (m, program);
  for (uint32_t i = 0; problem == NULL && i < program->n_instrs; i++)
    {
      const WpInstr *instr = &m->instrs[program->first_instr + i];

      if (instr->cost->pipeline != WP_NO_PIPELINE && instr->cost->pipeline >= m->n_pipelines)
        problem = "an instruction on no pipeline";
      else
        problem = check_path (m, instr);
    }
  for (uint32_t i = 0; problem == NULL && i < program->n_instrs; i++)
    problem = check_instr (m, program, &m->instrs[program->first_instr + i]);
  if (problem == NULL && m->dataflow
      && (program->n_dynamic > WP_MAX_DATAFLOW
          || wp_machine_count_dependences (m, program) > WP_MAX_DATAFLOW_DEPS))
    return "a program too long for dataflow order";
  return problem;
}

static const char *
check_rows (const WpMachine *m)
{
  if (m->n_block_ranges < 1 || m->block_ranges[0].first_block != 0)
    return "block 0 has no programs";
  for (uint32_t i = 0; i < m->n_block_ranges; i++)
    if (m->block_ranges[i].row >= m->n_rows
        || (i > 0 && m->block_ranges[i].first_block <= m->block_ranges[i - 1].first_block))
      return "block ranges out of order";
  for (uint32_t i = 0; i < m->n_rows; i++)
    {
      const WpRow *row = &m->rows[i];
      const WpSegment *segments;

      if (row->n_segments < 1 || row->n_segments > m->n_segments
          || row->first_segment > m->n_segments - row->n_segments)
        return "a row out of range";
      segments = m->segments + row->first_segment;
      for (uint32_t s = 0; s < row->n_segments; s++)
        if (segments[s].program >= m->n_programs
            || (s == 0 ? segments[s].first_warp != 0
                       : segments[s].first_warp <= segments[s - 1].first_warp))
          return "segments out of order";
    }
  return NULL;
}

static const char *
check_spreads (const WpMachine *m)
{
  for (uint32_t i = 0; i < m->n_spreads; i++)
    {
      const WpSpread *spread = &m->spreads[i];

      if (spread->n < 2 || spread->at[0] != 0 || spread->at[spread->n - 1] != UINT64_C (1) << 32)
        return "a spread that does not go from 0 to 100";
      for (uint32_t j = 0; j < spread->n; j++)
        if (spread->add[j] <= -WP_TICK_LIMIT || spread->add[j] >= WP_TICK_LIMIT
            || (j > 0
                && (spread->at[j] <= spread->at[j - 1] || spread->add[j] < spread->add[j - 1])))
          return "a spread that falls";
    }
  return NULL;
}

/* An empty array may be NULL, but for those that have no business to be empty, and code. */
static const char *
check_arrays (const WpMachine *m)
{
  if ((m->pipelines == NULL && m->n_pipelines > 0) || (m->programs == NULL && m->n_programs > 0)
      || (m->instrs == NULL && m->n_instrs > 0) || (m->deps == NULL && m->n_deps > 0)
      || m->code == NULL || (m->spreads == NULL && m->n_spreads > 0)
      || (m->passes == NULL && m->n_passes > 0) || (m->names == NULL && m->n_names > 0)
      || m->block_ranges == NULL || m->rows == NULL || m->segments == NULL)
    return "an array is missing";
  for (uint32_t i = 0; i < m->n_instrs; i++)
    if (m->instrs[i].cost == NULL)
      return "an instruction without a cost";
  return NULL;
}

const char *
wp_machine_check (const WpMachine *m)
{
  const char *problem = check_arrays (m);

  if (problem == NULL)
    problem = check_gpu (m);
  for (uint32_t i = 0; problem == NULL && i < m->n_programs; i++)
    problem = check_program (m, &m->programs[i]);
  if (problem == NULL)
    problem = check_rows (m);
  if (problem == NULL)
    problem = check_spreads (m);
  if (problem != NULL)
    return problem;
  if (m->warps_per_block < 1 || m->resident_blocks < 1
      || m->resident_blocks > WP_MAX_RESIDENT_WARPS / m->warps_per_block / m->simulated_sms)
    return "resident warps out of range";
  if (m->dataflow && m->dual_issue != 1)
    return "dual issue in dataflow order";
  for (uint32_t i = 0; m->kinds != NULL && i < m->n_instrs; i++)
    if (m->kinds[i] >= WP_N_KINDS)
      return "kind of an instruction out of range";
  if (wp_machine_count_instructions (m) >= WP_MAX_INSTRUCTIONS)
    return "more instructions in all than can be counted";
  return NULL;
}

/* The dependences of INSTR: one on a mix counts once. */
static uint64_t
count_deps (const WpMachine *m, const WpInstr *instr)
{
  uint64_t n = 0;

  for (uint32_t i = 0; i < instr->n_deps; i++)
    n += m->instrs[m->deps[instr->first_dep + i].producer].cost->mix_place == 0;
  return n;
}

uint64_t
wp_machine_count_dependences (const WpMachine *m, const WpProgram *program)
{
  uint64_t times[WP_MAX_DEPTH + 1] = { 1 }; /* how often code at each depth runs: <= 2^53 */
  uint64_t sum = 0;
  uint32_t depth = 0;

  for (uint32_t pc = 0; pc < program->n_code; pc++)
    {
      const WpCode *code = &m->code[program->first_code + pc];
      uint64_t n_deps
          = code->kind == WP_CODE_INSTRUCTION ? count_deps (m, &m->instrs[code->arg]) : 0;

      if (code->kind == WP_CODE_REPEAT)
        {
          times[depth + 1] = times[depth] * code->count;
          depth++;
        }
      else if (code->kind == WP_CODE_END)
        depth--;
      else if (n_deps > 0
               && (times[depth] > UINT64_MAX / n_deps || sum > UINT64_MAX - times[depth] * n_deps))
        return UINT64_MAX;
      else
        sum += times[depth] * n_deps;
    }
  return sum;
}

const WpRow *
wp_machine_get_row (const WpMachine *m, uint64_t block)
{
  uint32_t low = 0, high = m->n_block_ranges;

  while (high - low > 1)
    {
      uint32_t middle = low + (high - low) / 2;

      if (m->block_ranges[middle].first_block <= block)
        low = middle;
      else
        high = middle;
    }
  return &m->rows[m->block_ranges[low].row];
}

uint64_t
wp_machine_find_passed (const WpMachine *machine)
{
  uint64_t passed = 0;

  for (uint32_t i = 0; i < machine->n_instrs; i++)
    {
      const WpInstr *instr = &machine->instrs[i];

      if (instr->cost->pipeline != WP_NO_PIPELINE)
        passed |= UINT64_C (1) << instr->cost->pipeline;
      for (uint32_t k = 0; k < instr->cost->n_passes; k++)
        passed |= UINT64_C (1) << machine->passes[instr->cost->first_pass + k].pipeline;
    }
  return passed;
}

uint32_t
wp_machine_find_longest_path (const WpMachine *machine)
{
  uint32_t longest = 0;

  for (uint32_t i = 0; i < machine->n_instrs; i++)
    if (machine->instrs[i].cost->n_passes > longest)
      longest = machine->instrs[i].cost->n_passes;
  return longest;
}

/* The least number of SMs that is a multiple of A and of B, or MOST where that is less. */
static uint32_t
find_common_multiple (uint32_t a, uint32_t b, uint32_t most)
{
  uint64_t multiple = a;

  while (multiple % b != 0 && multiple < most)
    multiple += a;
  return multiple < most ? (uint32_t)multiple : most;
}

uint32_t
wp_machine_get_group (const WpMachine *machine)
{
  uint64_t passed = wp_machine_find_passed (machine);
  uint32_t group = 1;

  for (uint32_t p = 0; p < machine->n_pipelines; p++)
    if ((passed >> p & 1) != 0)
      group = find_common_multiple (group, wp_pipeline_get_shared (&machine->pipelines[p]),
                                    machine->simulated_sms);
  return group;
}

/* Whether INSTR visits channels. */
static bool
makes_visits (const WpMachine *machine, const WpInstr *instr)
{
  if (instr->cost->transactions > 0 && machine->pipelines[instr->cost->pipeline].channels > 0)
    return true;
  for (uint32_t i = 0; i < instr->cost->n_passes; i++)
    {
      const WpPass *pass = &machine->passes[instr->cost->first_pass + i];

      if (pass->transactions > 0 && machine->pipelines[pass->pipeline].channels > 0)
        return true;
    }
  return false;
}

bool
wp_machine_has_mixes (const WpMachine *machine)
{
  for (uint32_t i = 0; i < machine->n_instrs; i++)
    if (machine->instrs[i].cost->mix > 0)
      return true;
  return false;
}

bool
wp_machine_is_random (const WpMachine *machine)
{
  for (uint32_t i = 0; i < machine->n_instrs; i++)
    {
      const WpInstr *instr = &machine->instrs[i];

      if (wp_instr_is_mixed (instr))
        return true;
      if (machine->contended && instr->cost->pipeline != WP_NO_PIPELINE
          && (instr->cost->spread != WP_NO_SPREAD || makes_visits (machine, instr)))
        return true;
    }
  return false;
}

double
wp_machine_count_instructions (const WpMachine *m)
{
  double sum = 0;

  for (uint32_t i = 0; i < m->n_block_ranges; i++)
    {
      uint64_t first = m->block_ranges[i].first_block;
      uint64_t last = i + 1 < m->n_block_ranges ? m->block_ranges[i + 1].first_block : m->n_blocks;
      const WpRow *row = &m->rows[m->block_ranges[i].row];
      const WpSegment *segments = m->segments + row->first_segment;

      last = last < m->n_blocks ? last : m->n_blocks;
      for (uint32_t s = 0; first < last && s < row->n_segments; s++)
        {
          uint32_t end = s + 1 < row->n_segments ? segments[s + 1].first_warp : m->warps_per_block;

          sum += (double)(last - first) * (end - segments[s].first_warp)
                 * (double)m->programs[segments[s].program].n_dynamic;
        }
    }
  return sum;
}
