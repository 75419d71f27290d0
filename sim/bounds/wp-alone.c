/* SPDX-License-Identifier: MIT */
#include "sim/bounds/wp-alone.h"

#include <stdlib.h>

/* ---- What code reads ---- */

static const WpInstr *
get_instr (const WpAlone *alone, uint32_t i)
{
  return &alone->machine->instrs[alone->program->first_instr + i];
}

/* Where SCOPE's instructions read, each producer once. PLACE[producer]: its place in reads[] + 1,
 * if it is one of SCOPE's (else anything). */
static bool
find_reads (const WpAlone *alone, WpAloneScope *scope, uint32_t *place)
{
  size_t n_deps = 0;
  WpAloneRead *fewer;

  for (uint32_t i = scope->first_instr; i < scope->end_instr; i++)
    n_deps += get_instr (alone, i)->n_deps;
  scope->reads = malloc ((n_deps + 1) * sizeof *scope->reads);
  if (scope->reads == NULL)
    return false;
  for (uint32_t i = scope->first_instr; i < scope->end_instr; i++)
    for (uint32_t d = 0; d < get_instr (alone, i)->n_deps; d++)
      {
        const WpDep *dep = &alone->machine->deps[get_instr (alone, i)->first_dep + d];
        uint32_t producer = dep->producer - alone->program->first_instr;
        uint32_t at = place[producer];

        if (at >= scope->n_reads || scope->reads[at].instr != producer)
          {
            at = place[producer] = scope->n_reads++;
            scope->reads[at] = (WpAloneRead){ .instr = producer };
          }
        if (dep->latency > scope->reads[at].reach)
          scope->reads[at].reach = dep->latency;
      }
  fewer = realloc (scope->reads, ((size_t)scope->n_reads + 1) * sizeof *scope->reads);
  if (fewer != NULL)
    scope->reads = fewer;
  return true;
}

/* Each repeat's instructions; instrs stand in the order of the code. */
static uint32_t
find_scopes (WpAlone *alone)
{
  const WpCode *code = alone->machine->code + alone->program->first_code;
  uint32_t open[IDG_MAX_DEPTH + 1], depth = 0, n = 1, n_instrs = 0;

  open[0] = 0;
  for (uint32_t pc = 0; pc < alone->program->n_code; pc++)
    if (code[pc].kind == WP_CODE_INSTRUCTION)
      n_instrs++;
    else if (code[pc].kind == WP_CODE_REPEAT)
      {
        alone->scope_of[pc] = open[++depth] = n;
        alone->scopes[n++].first_instr = n_instrs;
      }
    else
      alone->scopes[open[depth--]].end_instr = n_instrs;
  alone->scopes[0].end_instr = n_instrs;
  return n;
}

static bool
init_scopes (WpAlone *alone)
{
  uint32_t *place = calloc ((size_t)alone->program->n_instrs + 1, sizeof *place);
  bool done = place != NULL;

  alone->n_scopes = find_scopes (alone);
  for (uint32_t i = 0; done && i < alone->n_scopes; i++)
    done = find_reads (alone, &alone->scopes[i], place)
           && wp_alone_state_init (&alone->states[i], &alone->scopes[i]);
  free (place);
  return done;
}

static size_t
count_scopes (const WpMachine *machine, uint32_t program)
{
  const WpCode *code = machine->code + machine->programs[program].first_code;
  size_t n = 1;

  for (uint32_t pc = 0; pc < machine->programs[program].n_code; pc++)
    n += code[pc].kind == WP_CODE_REPEAT;
  return n;
}

bool
wp_alone_init (WpAlone *alone, const WpMachine *machine, uint32_t program, uint32_t segment,
               bool meets)
{
  size_t n_code = (size_t)machine->programs[program].n_code + 1;
  size_t n_instrs = (size_t)machine->programs[program].n_instrs + 1;
  size_t n_scopes = count_scopes (machine, program);

  *alone = (WpAlone){ .machine = machine,
                      .program = &machine->programs[program],
                      .segment = segment,
                      .meets = meets,
                      .last_position = WP_NOWHERE,
                      .release = -1,
                      .end = { .time = -1 } };
  alone->scopes = calloc (n_scopes, sizeof *alone->scopes);
  alone->states = calloc (n_scopes, sizeof *alone->states);
  alone->scope_of = calloc (n_code, sizeof *alone->scope_of);
  alone->issued_at = malloc (n_instrs * sizeof *alone->issued_at);
  alone->position = calloc (n_instrs, sizeof *alone->position);
  if (alone->scopes == NULL || alone->states == NULL || alone->scope_of == NULL
      || alone->issued_at == NULL || alone->position == NULL || !init_scopes (alone))
    return false;
  for (size_t i = 0; i < n_instrs; i++)
    alone->issued_at[i] = -1;
  alone->levels[0]
      = (WpAloneLevel){ &alone->scopes[0], 1, false, { .time = -1 }, &alone->states[0] };
  return true;
}

void
wp_alone_clear (WpAlone *alone)
{
  for (uint32_t i = 0; i < alone->n_scopes; i++)
    {
      free (alone->scopes[i].reads);
      wp_alone_state_clear (&alone->states[i]);
    }
  free (alone->scopes);
  free (alone->states);
  free (alone->scope_of);
  free (alone->issued_at);
  free (alone->position);
}

/* ---- Issue ---- */

static void
note_end (WpAlone *alone, WpAloneEnd end)
{
  wp_alone_end_join (&alone->end, end);
  wp_alone_end_join (&alone->levels[alone->depth].end, end);
}

/* Whether INSTR goes out in one issue with those before it (MODEL.md, section 5, "Dual issue"). */
static bool
joins_group (const WpAlone *alone, const WpInstr *instr)
{
  const WpMachine *m = alone->machine;

  if (!alone->has_issued || alone->group >= m->dual_issue || alone->after_barrier
      || instr->pipeline == WP_NO_PIPELINE
      || (m->pipelines[instr->pipeline].pairing_never && (alone->used >> instr->pipeline & 1) != 0))
    return false;
  for (uint32_t d = 0; d < instr->n_deps; d++)
    {
      const WpDep *dep = &m->deps[instr->first_dep + d];
      WpTick issued = alone->issued_at[dep->producer - alone->program->first_instr];

      if (issued >= 0 && issued + dep->latency > alone->last)
        return false;
    }
  return true;
}

/* When INSTR issues, and what it waited for, into STEP; returns the time. On a tie the first of
 * barrier, dependency, ILP (MODEL.md, section 9). */
static WpTick
find_issue (const WpAlone *alone, const WpInstr *instr, WpTrailEntry *step)
{
  const WpMachine *m = alone->machine;
  WpTick base = alone->has_issued ? alone->last + m->ilp_latency : 0;
  WpTick ready = base - 1;
  uint64_t back = alone->last_position;

  step->edge = alone->has_issued ? WP_EDGE_ILP : WP_EDGE_START;
  step->length = alone->has_issued ? m->ilp_latency : 0;
  for (uint32_t d = 0; d < instr->n_deps; d++)
    {
      const WpDep *dep = &m->deps[instr->first_dep + d];
      uint32_t producer = dep->producer - alone->program->first_instr;

      if (alone->issued_at[producer] < 0 || alone->issued_at[producer] + dep->latency <= ready)
        continue;
      ready = alone->issued_at[producer] + dep->latency;
      back = alone->position[producer];
      step->edge = WP_EDGE_DEPENDENCY;
      step->length = dep->latency;
      step->from = dep->producer;
    }
  ready = ready < base ? base : ready;
  if (alone->release > ready || (alone->after_barrier && alone->release == ready))
    {
      ready = alone->release;
      back = alone->release_position;
      step->edge = WP_EDGE_BARRIER;
      step->length = alone->release_length;
    }
  step->back = back;
  return ready;
}

static void
open_group (WpAlone *alone)
{
  alone->group = 1;
  alone->used = 0;
  alone->slots = 1;
  alone->counts.singles++;
}

/* INSTR is the first of a group, or the next. */
static void
count_in_group (WpAlone *alone, const WpInstr *instr)
{
  if (alone->group == 2)
    {
      alone->counts.singles--;
      alone->counts.groups++;
    }
  if (instr->slots > alone->slots)
    {
      alone->counts.filled += alone->slots == 1;
      wp_sum_add (&alone->counts.reissues, instr->slots - alone->slots);
      alone->slots = instr->slots;
    }
  if (instr->pipeline != WP_NO_PIPELINE)
    alone->used |= (uint64_t)alone->machine->pipelines[instr->pipeline].pairing_never
                   << instr->pipeline;
  alone->counts.n_walked++;
}

/* The barrier at POSITION has issued now. */
static void
arrive (WpAlone *alone, uint64_t position)
{
  WpTick latency = alone->machine->barrier_latency;

  if (alone->meets)
    alone->waits = true;
  else
    wp_alone_release (alone, alone->last + latency, latency, position);
}

static WpAloneStatus
issue (WpAlone *alone, uint32_t i, WpTrail *trail)
{
  const WpInstr *instr = &alone->machine->instrs[i];
  WpTrailEntry step = { .instr = i, .segment = alone->segment };
  uint64_t position = trail->position;
  WpTick now;

  if (joins_group (alone, instr))
    {
      now = alone->last;
      step.edge = WP_EDGE_PAIR;
      step.back = alone->last_position;
      alone->group++;
    }
  else
    {
      now = find_issue (alone, instr, &step);
      open_group (alone);
    }
  if (now >= WP_TICK_LIMIT - instr->reach - alone->machine->barrier_latency
      || position > UINT64_MAX / 4)
    return WP_ALONE_OVERFLOW;
  count_in_group (alone, instr);
  step.back = step.edge == WP_EDGE_START ? 0 : position - step.back;
  step.gap = alone->has_issued ? (uint64_t)(now - alone->last) : 0;
  if (!wp_trail_add (trail, step))
    return WP_ALONE_NO_MEMORY;
  wp_alone_note_first (alone->firsts, i, now, step.edge == WP_EDGE_PAIR);
  alone->has_issued = true;
  alone->last = now;
  alone->last_position = position;
  alone->after_barrier = instr->pipeline == WP_NO_PIPELINE;
  alone->issued_at[i - alone->program->first_instr] = now;
  alone->position[i - alone->program->first_instr] = position;
  if (alone->after_barrier)
    arrive (alone, position);
  else
    note_end (alone, (WpAloneEnd){ now + instr->completion, instr->completion, position,
                                   instr->pipeline });
  return WP_ALONE_MORE;
}

void
wp_alone_release (WpAlone *alone, WpTick time, WpTick length, uint64_t position)
{
  alone->waits = false;
  alone->release = time;
  alone->release_length = length;
  alone->release_position = position;
  note_end (alone, (WpAloneEnd){ time, length, position, WP_NO_PIPELINE });
}

/* ---- Repeats ---- */

/* The warp comes to a repeat, at whose first instruction it then stands. Its state is kept at once:
 * where an outer repeat brought the warp here in the state in which a round ends, all rounds but
 * the first are alike. */
static void
open_repeat (WpAlone *alone, const WpCode *code, WpTrail *trail)
{
  uint32_t scope = alone->scope_of[alone->pc];
  WpAloneState *state = &alone->states[scope];

  state->life = 1;
  alone->levels[++alone->depth] = (WpAloneLevel){
    &alone->scopes[scope], code[alone->pc].count, false, { .time = -1 }, state
  };
  alone->pc++;
  wp_alone_keep (alone, state, &alone->scopes[scope], trail, alone->last);
}

static void
close_repeat (WpAlone *alone, uint32_t end)
{
  wp_alone_end_join (&alone->levels[alone->depth - 1].end, alone->levels[alone->depth].end);
  alone->depth--;
  alone->pc = end + 1;
}

/* As often as it may be, what has happened since LEVEL's state was kept happens again. */
static WpAloneStatus
skip_rounds (WpAlone *alone, WpAloneLevel *level, WpTrail *trail)
{
  const WpAloneState *state = level->state;
  uint64_t times = level->left / (state->left[alone->depth] - level->left);
  WpTick period = alone->last - state->now;
  uint64_t positions = period > 0 ? times * (trail->position - state->position) : 0;

  level->skipped = true;
  if (times == 0)
    return WP_ALONE_MORE;
  if (!wp_trail_fold (trail, state->n_entries, state->position, times, period > 0))
    return WP_ALONE_NO_MEMORY;
  return wp_alone_skip (alone, state, alone->depth, times, period, positions, &level->end)
             ? WP_ALONE_MORE
             : WP_ALONE_OVERFLOW;
}

/* The warp is about to go round. */
static WpAloneStatus
look_for_period (WpAlone *alone, WpTrail *trail)
{
  WpAloneLevel *level = &alone->levels[alone->depth];
  WpAloneState *state = level->state;

  if (level->skipped)
    return WP_ALONE_MORE;
  if (state->set)
    {
      if (wp_alone_is_same (alone, state, trail, alone->last))
        return skip_rounds (alone, level, trail);
      if (++state->age < state->life)
        return WP_ALONE_MORE;
      state->life *= 2;
    }
  wp_alone_end_join (&alone->levels[alone->depth - 1].end, level->end);
  level->end.time = -1;
  wp_alone_keep (alone, state, level->scope, trail, alone->last);
  return WP_ALONE_MORE;
}

static WpAloneStatus
end_round (WpAlone *alone, uint32_t head, uint32_t end, WpTrail *trail)
{
  WpAloneLevel *level = &alone->levels[alone->depth];
  WpAloneStatus status = WP_ALONE_MORE;

  alone->pc = head + 1;
  if (--level->left > 0)
    status = look_for_period (alone, trail);
  if (level->left == 0)
    close_repeat (alone, end);
  return status;
}

WpAloneStatus
wp_alone_walk (WpAlone *alone, WpTrail *trail, uint64_t *budget)
{
  const WpCode *code = alone->machine->code + alone->program->first_code;
  WpAloneStatus status = WP_ALONE_MORE;

  while (status == WP_ALONE_MORE && *budget > 0)
    {
      uint32_t pc = alone->pc;

      if (pc == alone->program->n_code)
        {
          alone->ended = true;
          return WP_ALONE_STOPPED;
        }
      if (code[pc].kind == WP_CODE_INSTRUCTION)
        {
          status = issue (alone, code[pc].arg, trail);
          alone->pc++;
          --*budget;
        }
      else if (code[pc].kind == WP_CODE_REPEAT)
        open_repeat (alone, code, trail);
      else
        status = end_round (alone, code[pc].arg, pc, trail);
      if (alone->waits)
        return status == WP_ALONE_MORE ? WP_ALONE_STOPPED : status;
    }
  return status;
}
