/* SPDX-License-Identifier: MIT */
/* All SMs of a run are of one machine, so that what a program or a GPU is like is looked at once.
 */
#include "sim/engine/core/wp-plan.h"

#include "sim/base/wp-compiler.h"
#include "sim/engine/core/wp-look.h"

#include <stdlib.h>

/* The ends of the repeats of PROGRAM that run for long. */
static void
find_long_repeats (WpPlan *plan, const WpMachine *m, const WpProgram *program, bool eager)
{
  const WpCode *code = m->code + program->first_code;
  uint32_t *distances = plan->look_at + program->first_code;
  uint64_t outer[WP_MAX_DEPTH], sum = 0;
  uint32_t depth = 0;

  for (uint32_t pc = 0; pc < program->n_code; pc++)
    if (code[pc].kind == WP_CODE_INSTRUCTION)
      sum++;
    else if (code[pc].kind == WP_CODE_REPEAT)
      {
        outer[depth++] = sum;
        sum = 0;
      }
    else
      {
        if (eager)
          distances[pc] = 1;
        else if (sum > WP_LONG_REPEAT / code[code[pc].arg].count)
          distances[pc] = wp_look_get_distance (m, sum);
        sum *= code[code[pc].arg].count;
        sum += outer[--depth];
      }
}

/* What OP does after itself, given that it is code[PC] of PROGRAM: then most steps need not look at
 * the code. */
static void
find_following (const WpPlan *plan, const WpMachine *m, const WpProgram *program, uint32_t pc,
                WpOp *op)
{
  const WpCode *code = m->code + program->first_code;
  const uint32_t *distances = plan->look_at + program->first_code;

  op->after = pc + 1;
  op->then = WP_THEN_CODE;
  if (pc + 1 == program->n_code)
    return;
  if (code[pc + 1].kind == WP_CODE_INSTRUCTION)
    {
      op->then = WP_THEN_NEXT;
      op->next = plan->ops + code[pc + 1].arg;
    }
  if (code[pc + 1].kind == WP_CODE_REPEAT && code[pc + 2].kind == WP_CODE_INSTRUCTION)
    {
      op->then = WP_THEN_OPEN;
      op->next = plan->ops + code[pc + 2].arg;
    }
  if (code[pc + 1].kind == WP_CODE_END && code[code[pc + 1].arg + 1].kind == WP_CODE_INSTRUCTION
      && distances[pc + 1] == 0)
    {
      op->then = WP_THEN_LOOP;
      op->next = plan->ops + code[code[pc + 1].arg + 1].arg;
    }
}

static void
find_sizes (WpPlan *plan, const WpMachine *m)
{
  for (uint32_t i = 0; i < m->n_programs; i++)
    {
      const WpProgram *program = &m->programs[i];

      plan->n_values = program->n_values > plan->n_values ? program->n_values : plan->n_values;
      plan->depth = program->depth > plan->depth ? program->depth : plan->depth;
    }
  plan->n_values++; /* the one that nobody reads */
  plan->depth++;    /* below the first repeat */
}

/* The pipelines that INSTR passes and that SMs share. */
static uint64_t
find_met (const WpPlan *plan, const WpMachine *m, const WpInstr *instr)
{
  uint64_t passed = UINT64_C (1) << instr->cost->pipeline;

  for (uint32_t k = 0; k < instr->cost->n_passes; k++)
    passed |= UINT64_C (1) << m->passes[instr->cost->first_pass + k].pipeline;
  return passed & plan->shared;
}

/* Sets what OP, which is INSTR, meets. */
static void
meet_others (WpPlan *plan, const WpMachine *m, const WpInstr *instr, WpOp *op)
{
  uint64_t met = find_met (plan, m, instr);

  if (met == 0)
    return;
  op->meets = op->shares = true;
  op->met = (uint8_t)wp_lowest_bit (met);
  plan->careful |= (met & (met - 1)) != 0;
}

/* MODEL.md, section 5: how long after INSTR issues its warp's next instruction may, as a place in
 * turns[]. */
static uint8_t
find_turn (WpPlan *plan, const WpMachine *m, const WpInstr *instr)
{
  WpTick turn = instr->cost->stall > m->ilp_latency ? instr->cost->stall : m->ilp_latency;
  uint32_t i = 0;

  while (i < plan->n_turns && plan->turns[i] != turn)
    i++;
  if (i == plan->n_turns)
    plan->turns[plan->n_turns++] = turn;
  return (uint8_t)i;
}

/* Each instruction but for what it does to others. */
static void
fill_ops (WpPlan *plan, const WpMachine *m)
{
  plan->turns[0] = m->ilp_latency;
  plan->n_turns = 1;
  for (uint32_t i = 0; i < m->n_instrs; i++)
    {
      const WpInstr *instr = &m->instrs[i];

      plan->ops[i] = (WpOp){
        .issue = instr->cost->issue,
        .completion = instr->cost->posted ? 0 : instr->cost->completion,
        .deps = instr->n_deps > 0 ? m->deps + instr->first_dep : NULL,
        .n_deps = instr->n_deps,
        .row = (uint8_t)(instr->cost->pipeline == WP_NO_PIPELINE ? m->n_pipelines
                                                                 : instr->cost->pipeline),
        .value = instr->value == WP_NO_VALUE ? (uint32_t)plan->n_values - 1 : instr->value,
        .slots = instr->cost->slots,
        .turn = find_turn (plan, m, instr),
        .posted = instr->cost->posted,
        .kept = (uint8_t)wp_instr_get_kept (instr),
        .barrier = (uint16_t)instr->cost->barrier,
        .mixed = wp_instr_is_mixed (instr),
      };
      if (instr->cost->late)
        {
          plan->ops[i].late = plan->ops[i].deps;
          plan->ops[i].n_late = plan->ops[i].n_deps;
          plan->ops[i].deps = NULL;
          plan->ops[i].n_deps = 0;
        }
      if (plan->ops[i].mixed)
        plan->ops[i].kept = WP_KEPT_MIXED;
      if (instr->cost->pipeline != WP_NO_PIPELINE)
        {
          plan->ops[i].special
              = instr->cost->n_passes > 0 || (plan->special >> instr->cost->pipeline & 1) != 0;
          plan->ops[i].memory = wp_instr_is_on_memory (m, instr);
          meet_others (plan, m, instr, &plan->ops[i]);
          plan->ops[i].cost = instr->cost;
          /* Of a mix nobody knows before it issues which context it takes. */
          plan->ops[i - instr->cost->mix_place].meets |= plan->ops[i].meets;
        }
      plan->arrives |= wp_instr_is_arrive (instr);
    }
}

static bool
visits_on_its_path (const WpMachine *m, const WpInstr *instr)
{
  for (uint32_t i = 0; i < instr->cost->n_passes; i++)
    {
      const WpPass *pass = &m->passes[instr->cost->first_pass + i];

      if (pass->transactions > 0 && m->pipelines[pass->pipeline].channels > 0)
        return true;
    }
  return false;
}

/* MODEL.md, section 13: what a warp keeps of each mix. */
static bool
find_mixed (WpPlan *plan, const WpMachine *m)
{
  for (uint32_t i = 0; i < m->n_instrs; i++)
    {
      const WpInstr *instr = &m->instrs[i];
      WpMixedValues *mixed;

      if (!wp_instr_is_mixed (instr))
        continue;
      if (plan->mixed == NULL)
        plan->mixed = calloc (m->n_instrs, sizeof *plan->mixed);
      if (plan->mixed == NULL)
        return false;
      mixed = &plan->mixed[i - instr->cost->mix_place];
      mixed->kept = wp_instr_get_kept (instr);
      if (instr->value != WP_NO_VALUE && wp_instr_get_set (instr) >= mixed->n_sets)
        mixed->n_sets = wp_instr_get_set (instr) + 1;
    }
  return true;
}

/* What each instruction visits with contended memory, and which take random numbers. */
static void
find_accesses (WpPlan *plan, const WpMachine *m)
{
  for (uint32_t i = 0; i < m->n_instrs; i++)
    {
      const WpInstr *instr = &m->instrs[i];
      WpAccess *access = &plan->accesses[i];

      if (instr->cost->pipeline == WP_NO_PIPELINE)
        continue;
      if (m->pipelines[instr->cost->pipeline].channels > 0)
        *access = (WpAccess){ .n_visits = instr->cost->transactions,
                              .n_channels = m->pipelines[instr->cost->pipeline].channels,
                              .channel_issue = m->pipelines[instr->cost->pipeline].channel_issue };
      if (instr->cost->spread != WP_NO_SPREAD)
        access->spread = &m->spreads[instr->cost->spread];
      plan->ops[i].random = plan->ops[i].mixed || access->n_visits > 0 || access->spread != NULL
                            || visits_on_its_path (m, instr);
    }
}

/* How many dynamic instructions a round of each repeat of PROGRAM is, and the
 * number of each instruction in the first round of all repeats around it. */
static void
find_rounds (WpPlan *plan, const WpMachine *m, const WpProgram *program)
{
  const WpCode *code = m->code + program->first_code;
  uint32_t open = WP_NO_ROUND;
  uint64_t n = 0, first[WP_MAX_DEPTH];
  uint32_t depth = 0;

  for (uint32_t pc = 0; pc < program->n_code; pc++)
    if (code[pc].kind == WP_CODE_INSTRUCTION)
      plan->places[code[pc].arg] = (WpPlace){ n++, open };
    else if (code[pc].kind == WP_CODE_REPEAT)
      {
        plan->rounds[program->first_code + pc].outer = open;
        open = program->first_code + pc;
        first[depth++] = n;
      }
    else
      {
        WpRound *round = &plan->rounds[open];

        round->n_dynamic = n - first[--depth];
        n = first[depth] + round->n_dynamic * m->code[open].count;
        open = round->outer;
      }
}

/* From there to the number that wp_sm_find_index() begins with. */
static void
find_places (WpPlan *plan, const WpMachine *m)
{
  for (uint32_t i = 0; i < m->n_programs; i++)
    find_rounds (plan, m, &m->programs[i]);
  for (uint32_t i = 0; i < m->n_instrs; i++)
    {
      WpPlace *place = &plan->places[i];

      if (m->instrs[i].cost->mix_place > 0) /* the code runs the first */
        continue;
      for (uint32_t round = place->round; round != WP_NO_ROUND; round = plan->rounds[round].outer)
        place->last += plan->rounds[round].n_dynamic * m->code[round].count;
    }
}

static void
link_ops (WpPlan *plan, const WpMachine *m, bool eager)
{
  for (uint32_t i = 0; i < m->n_programs; i++)
    {
      const WpProgram *program = &m->programs[i];
      const WpCode *code = m->code + program->first_code;

      find_long_repeats (plan, m, program, eager);
      for (uint32_t pc = 0; pc < program->n_code; pc++)
        if (code[pc].kind == WP_CODE_INSTRUCTION)
          find_following (plan, m, program, pc, &plan->ops[code[pc].arg]);
    }
}

/* The pipelines that are shared, and those that are special. */
static void
find_special (WpPlan *plan, const WpMachine *m)
{
  uint64_t passed = wp_machine_find_passed (m);

  for (uint32_t p = 0; p < m->n_pipelines; p++)
    if (wp_pipeline_get_shared (&m->pipelines[p]) > 1)
      plan->shared |= passed & UINT64_C (1) << p;
  plan->special = plan->shared;
  for (uint32_t p = 0; p < m->n_pipelines; p++)
    if (m->pipelines[p].inflight > 0 || m->pipelines[p].turnaround > 0)
      plan->special |= UINT64_C (1) << p;
  for (uint32_t i = 0; i < m->n_instrs; i++)
    for (uint32_t k = 0; k < m->instrs[i].cost->n_passes; k++)
      plan->special |= UINT64_C (1) << m->passes[m->instrs[i].cost->first_pass + k].pipeline;
}

/* Whether a warp may find pipeline P closed although it is its scheduler's turn. It cannot where
 * the pipeline queues without end, or is the scheduler's own and frees itself within a slot of one
 * issue. */
static bool
may_block (const WpPlan *plan, const WpMachine *m, uint32_t p)
{
  const WpPipelineDesc *desc = &m->pipelines[p];
  bool used = false;
  bool slow = m->issue_limit > 1 || m->dual_issue > 1
              || (!desc->per_scheduler && m->n_schedulers > 1) || desc->queue > 0
              || (plan->special >> p & 1) != 0;

  for (uint32_t i = 0; i < m->n_instrs; i++)
    if (m->instrs[i].cost->pipeline == p)
      {
        used = true;
        slow |= m->instrs[i].cost->issue > m->interval;
      }
  return used && slow && (desc->queue != WP_NO_QUEUE_LIMIT || desc->inflight > 0);
}

/* With a longer queue, or with a queue and longer times, times in the fast loop might not be
 * safe. */
#define WP_MAX_OWN_QUEUE 16
#define WP_MAX_OWN_TIME (WP_TICK_LIMIT / (4 * WP_MAX_OWN_QUEUE))

/* A pipeline that is the scheduler's own: only what it issues can close it. No issue to it looks at
 * times: without a queue it is free when it accepts; with one it may be free only as much later as
 * all that waits there takes. That, the issue itself and what follows it, from WP_FAST_LIMIT on,
 * must end before WP_TICK_LIMIT. */
static bool
is_own (const WpPlan *plan, const WpMachine *m, uint32_t row)
{
  return (m->pipelines[row].per_scheduler || m->n_schedulers == 1)
         && m->pipelines[row].queue <= WP_MAX_OWN_QUEUE
         && (m->pipelines[row].queue == 0 || plan->longest <= WP_MAX_OWN_TIME)
         && (plan->special >> row & 1) == 0;
}

static void
find_blocking (WpPlan *plan, const WpMachine *m)
{
  for (uint32_t p = 0; p < m->n_pipelines; p++)
    {
      plan->own |= (uint64_t)is_own (plan, m, p) << p;
      plan->direct |= (uint64_t)(is_own (plan, m, p) && m->pipelines[p].queue == 0) << p;
      if (may_block (plan, m, p) && is_own (plan, m, p))
        plan->blocking[plan->n_blocking++] = p;
    }
  plan->n_own_blocking = plan->n_blocking;
  for (uint32_t p = 0; p < m->n_pipelines; p++)
    if (may_block (plan, m, p) && !is_own (plan, m, p))
      plan->blocking[plan->n_blocking++] = p;
}

/* How long a scheduler may run ahead of others where nothing but its issues happens. Issues that
 * share a slot, or come at one time without end, do not go ahead, nor where there are barriers. */
static WpTick
find_ahead (const WpMachine *m)
{
  for (uint32_t i = 0; i < m->n_instrs; i++)
    if (m->instrs[i].cost->pipeline == WP_NO_PIPELINE)
      return 0;
  if (m->issue_limit > 1 || m->n_schedulers > 64)
    return 0;
  return m->interval < WP_TICK_LIMIT / WP_MAX_AHEAD ? WP_MAX_AHEAD * m->interval : WP_TICK_LIMIT;
}

/* What a scheduler does matters to others where the last warp of a block ends, as the next block
 * launches so much later. One alone knows of all that happens and stops for it. */
static WpTick
find_lookahead (const WpMachine *m, WpTick ahead)
{
  WpTick launch = m->n_schedulers == 1 ? WP_TICK_LIMIT : m->launch_latency;

  return launch < ahead ? launch : ahead;
}

static WpTick
find_larger (WpTick a, WpTick b)
{
  return a > b ? a : b;
}

/* The most by which something is served later as it passes pipeline P, which it keeps for ISSUE,
 * and makes N visits there, beyond the pipeline's and its channels' being free; or
 * WP_TICK_LIMIT. */
static WpTick
find_most_kept (const WpMachine *m, uint32_t p, WpTick issue, uint32_t n)
{
  const WpPipelineDesc *desc = &m->pipelines[p];
  WpTick turnaround = find_larger (desc->turnaround, desc->turnaround_last), visit = 0;

  if (desc->channels > 0)
    visit = find_larger (desc->channel_issue, desc->channel_issue_last);
  if (visit > 0 && n > WP_TICK_LIMIT / 4 / visit)
    return WP_TICK_LIMIT;
  visit = visit * n + turnaround / 2 + issue / 2 + 2; /* halves: no sum overflows */
  return visit > WP_TICK_LIMIT / 4 ? WP_TICK_LIMIT : 2 * visit;
}

/* For how long INSTR keeps its own pipeline, where it comes there again by its path; else 0. */
static WpTick
find_kept_for_itself (const WpMachine *m, const WpInstr *instr)
{
  const WpPass *passes = m->passes + instr->cost->first_pass;

  for (uint32_t i = 0; i < instr->cost->n_passes; i++)
    if (passes[i].pipeline == instr->cost->pipeline)
      return find_larger (instr->cost->issue, instr->cost->issue_last);
  return 0;
}

/* The most that channels, spreads and the instruction itself make of INSTR beyond the channels' and
 * pipelines' being free, or WP_TICK_LIMIT: that much, or more. */
static WpTick
find_most_served (const WpMachine *m, const WpInstr *instr)
{
  WpTick channels, spread = 0;

  if (instr->cost->pipeline == WP_NO_PIPELINE)
    return 0;
  channels = find_most_kept (m, instr->cost->pipeline, find_kept_for_itself (m, instr),
                             instr->cost->transactions);
  for (uint32_t i = 0; i < instr->cost->n_passes; i++)
    {
      const WpPass *pass = &m->passes[instr->cost->first_pass + i];
      WpTick issue = pass->issue > pass->issue_last ? pass->issue : pass->issue_last;
      WpTick kept = find_most_kept (m, pass->pipeline, issue, pass->transactions);

      channels = kept > WP_TICK_LIMIT - channels ? WP_TICK_LIMIT : channels + kept;
    }
  if (instr->cost->spread != WP_NO_SPREAD)
    spread = m->spreads[instr->cost->spread].add[m->spreads[instr->cost->spread].n - 1];
  spread = spread > 0 ? spread : 0;
  return spread > WP_TICK_LIMIT - channels ? WP_TICK_LIMIT : channels + spread;
}

/* What begins before, with channels that are free before, ends before WP_TICK_LIMIT. */
static WpTick
find_safe (const WpPlan *plan, const WpMachine *m)
{
  WpTick most = 0;

  for (uint32_t i = 0; (m->contended || plan->special != 0) && i < m->n_instrs; i++)
    {
      WpTick served = find_most_served (m, &m->instrs[i]);

      most = served > most ? served : most;
    }
  return WP_TICK_LIMIT - plan->longest - most;
}

/* Whether more than WP_UNCHECKED_ISSUES issues of instructions that go out together may take a time
 * that is before WP_UNCHECKED_LIMIT, or as much later as time may be skipped, to one that is not
 * safe. */
static bool
is_careful (const WpPlan *plan, const WpMachine *m)
{
  WpTick issue; /* none makes a time later by more */

  if (plan->safe <= 0) /* nothing is */
    return true;
  issue = WP_TICK_LIMIT - plan->safe;
  return issue >= WP_UNCHECKED_LIMIT / 4 / (WpTick)WP_UNCHECKED_ISSUES / m->dual_issue;
}

/* The longest time that anything takes. */
static WpTick
find_longest (const WpMachine *m)
{
  const WpTick latencies[] = { m->interval, m->ilp_latency, m->launch_latency, m->barrier_latency };
  WpTick longest = 0;

  for (size_t i = 0; i < sizeof latencies / sizeof latencies[0]; i++)
    longest = latencies[i] > longest ? latencies[i] : longest;
  for (uint32_t i = 0; i < m->n_instrs; i++)
    {
      const WpInstr *instr = &m->instrs[i];
      WpTick slots = m->interval > WP_TICK_LIMIT / instr->cost->slots
                         ? WP_TICK_LIMIT
                         : m->interval * instr->cost->slots;

      longest = slots > longest ? slots : longest;
      longest = instr->cost->issue > longest ? instr->cost->issue : longest;
      longest = instr->cost->stall > longest ? instr->cost->stall : longest;
      longest = instr->reach > longest ? instr->reach : longest;
      /* What is posted is in flight for longer than anything waits for it. */
      longest = instr->cost->in_flight > longest ? instr->cost->in_flight : longest;
      for (uint32_t k = 0; k < instr->cost->n_passes; k++)
        {
          WpTick pass = m->passes[instr->cost->first_pass + k].issue;

          longest = pass > longest ? pass : longest;
          pass = m->passes[instr->cost->first_pass + k].issue_last;
          longest = pass > longest ? pass : longest;
        }
      longest = instr->cost->issue_last > longest ? instr->cost->issue_last : longest;
    }
  for (uint32_t p = 0; p < m->n_pipelines; p++)
    {
      const WpPipelineDesc *desc = &m->pipelines[p];

      longest = desc->turnaround > longest ? desc->turnaround : longest;
      longest = desc->turnaround_last > longest ? desc->turnaround_last : longest;
    }
  return longest;
}

/* Whether it is to be known where a warp is in its program: for random numbers; and where blocks
 * are replaced at once, for how far it is from the end (wp-sm-quiet.h). */
static bool
wants_places (const WpPlan *plan, const WpMachine *m)
{
  return wp_machine_is_random (m) || (plan->ahead > 0 && m->launch_latency == 0);
}

/* False when memory is out. */
static bool
init_places (WpPlan *plan, const WpMachine *m)
{
  plan->places = calloc (m->n_instrs + (size_t)1, sizeof *plan->places);
  plan->rounds = calloc (m->n_code + (size_t)1, sizeof *plan->rounds);
  if (plan->places == NULL || plan->rounds == NULL)
    return false;
  find_places (plan, m);
  return true;
}

/* The same. */
static bool
init_draws (WpPlan *plan, const WpMachine *m)
{
  plan->accesses = calloc (m->n_instrs, sizeof *plan->accesses);
  if (plan->accesses == NULL)
    return false;
  find_accesses (plan, m);
  return find_mixed (plan, m);
}

bool
wp_plan_init (WpPlan *plan, const WpMachine *machine, bool eager)
{
  *plan = (WpPlan){ .ops = calloc (machine->n_instrs + (size_t)1, sizeof *plan->ops),
                    .look_at = calloc (machine->n_code + (size_t)1, sizeof *plan->look_at),
                    .blocking = calloc (machine->n_pipelines + (size_t)1, sizeof *plan->blocking),
                    .eager = eager,
                    .longest = find_longest (machine),
                    .ahead = find_ahead (machine) };
  if (plan->ops == NULL || plan->look_at == NULL || plan->blocking == NULL)
    return false;
  plan->lookahead = find_lookahead (machine, plan->ahead);
  find_sizes (plan, machine);
  find_special (plan, machine);
  plan->safe = find_safe (plan, machine);
  plan->careful = is_careful (plan, machine);
  find_blocking (plan, machine);
  fill_ops (plan, machine);
  if (wants_places (plan, machine) && !init_places (plan, machine))
    return false;
  if (wp_machine_is_random (machine) && !init_draws (plan, machine))
    return false;
  link_ops (plan, machine, eager);
  return true;
}

void
wp_plan_clear (WpPlan *plan)
{
  free (plan->ops);
  free (plan->look_at);
  free (plan->blocking);
  free (plan->accesses);
  free (plan->places);
  free (plan->rounds);
  free (plan->mixed);
  free (plan->deps);
  free (plan->implied);
}
