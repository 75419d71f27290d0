/* SPDX-License-Identifier: MIT */
/* Between two instructions of a straight piece of a program at least the times lie that their warp
 * lets pass from one issue to the next, and that its scheduler does. So much is known before any of
 * them issues.
 */
#include "sim/engine/core/wp-plan-classes.h"

#include <stdlib.h>

/* ---- Dependences that need not be looked at ---- */

/* A value on the way through a straight piece. Times are such as have passed at least since the
 * piece began. */
typedef struct
{
  uint32_t issued_in, waited_in; /* pieces; 0: none */
  WpTick issued;                 /* when its producer did */
  WpTick waited;                 /* when the instruction that waited for it issued, */
  WpTick latency;                /* for so long */
} Value;

typedef struct
{
  WpPlan *plan;
  const WpMachine *machine;
  Value *values;  /* [n_values + 1] */
  uint32_t piece; /* their number */
  WpTick step;    /* a warp issues again so much later at least */
  WpTick turn;    /* what the warp's last issue lets the present one wait for, */
  WpTick issue;   /* and when that can issue */
  size_t n_deps;  /* in the plan's deps[] */
} Walk;

/* Whether DEP is complete before the warp's turn, whatever else it waits for. */
static bool
is_over (const Walk *w, const WpDep *dep)
{
  const Value *value = &w->values[dep->value];
  const WpOp *producer = &w->plan->ops[dep->producer];

  if (value->waited_in == w->piece && value->latency >= dep->latency && value->waited < w->turn)
    return true;
  return value->issued_in == w->piece && w->machine->dual_issue == 1 && !producer->memory
         && producer->value == dep->value && w->turn - value->issued > dep->latency;
}

static void
note_wait (Walk *w, const WpDep *dep)
{
  Value *value = &w->values[dep->value];

  if (value->waited_in == w->piece && value->latency >= dep->latency)
    return;
  value->waited_in = w->piece;
  value->waited = w->issue;
  value->latency = dep->latency;
}

/* OP issues, and lets its warp wait. Of a pipeline that is its scheduler's own without a queue,
 * what issues starts. */
static void
note_issue (Walk *w, const WpOp *op)
{
  WpTick turn = w->plan->turns[op->turn];

  for (uint32_t i = 0; op->row < w->machine->n_pipelines && i < op->kept; i++)
    w->values[op->value + i].issued_in = w->values[op->value + i].waited_in = 0;
  if (op->row < w->machine->n_pipelines && op->kept == 1 && !op->random
      && (w->plan->direct >> op->row & 1) != 0)
    {
      w->values[op->value].issued_in = w->piece;
      w->values[op->value].issued = w->issue;
    }
  w->turn = w->issue + turn;
  w->issue += turn > w->step ? turn : w->step;
}

static void
begin_piece (Walk *w)
{
  w->piece++;
  w->turn = w->issue = 0;
}

static void
prune_op (Walk *w, WpOp *op)
{
  WpDep *kept = w->plan->deps + w->n_deps;
  uint32_t n = 0;

  for (uint32_t i = 0; i < op->n_deps; i++)
    if (!is_over (w, &op->deps[i]))
      kept[n++] = op->deps[i];
  for (uint32_t i = 0; i < op->n_deps; i++)
    note_wait (w, &op->deps[i]);
  if (n == op->n_deps)
    return;
  op->deps = kept;
  op->n_deps = n;
  w->n_deps += n;
}

static void
prune_program (Walk *w, const WpProgram *program)
{
  const WpCode *code = w->machine->code + program->first_code;

  begin_piece (w);
  for (uint32_t pc = 0; pc < program->n_code; pc++)
    if (code[pc].kind == WP_CODE_INSTRUCTION)
      {
        prune_op (w, &w->plan->ops[code[pc].arg]);
        note_issue (w, &w->plan->ops[code[pc].arg]);
      }
    else
      begin_piece (w);
}

/* False when memory is out. */
static bool
prune (WpPlan *plan, const WpMachine *machine)
{
  Walk w = { .plan = plan, .machine = machine };
  bool done;

  if (machine->dual_issue == 1 && machine->issue_limit == 1)
    w.step = machine->interval;
  for (uint32_t i = 0; i < plan->n_turns; i++)
    if (w.step == 0 && plan->turns[i] == 0)
      return true;
  if (plan->mixed != NULL || machine->n_deps == 0)
    return true;
  plan->deps = malloc (machine->n_deps * sizeof *plan->deps);
  w.values = calloc (plan->n_values + (size_t)1, sizeof *w.values);
  done = plan->deps != NULL && w.values != NULL;
  for (uint32_t i = 0; done && i < machine->n_programs; i++)
    prune_program (&w, &machine->programs[i]);
  free (w.values);
  return done;
}

/* ---- What the issue of an instruction can matter to ---- */

/* Whether A depends on what DEP of its successor does, the same instance of it, for at least as
 * long. */
static bool
covers (const WpPlan *plan, const WpMachine *m, const WpOp *a, const WpDep *dep)
{
  const WpInstr *instr = &m->instrs[a - plan->ops];

  for (uint32_t i = 0; i < instr->n_deps; i++)
    {
      const WpDep *own = &m->deps[instr->first_dep + i];

      if (own->producer == dep->producer && own->value == dep->value
          && own->latency >= dep->latency)
        return true;
    }
  return false;
}

/* Whether all that OP's successor waits for is OP, or what OP has waited for; then how long, and
 * what is said to be why. */
static bool
find_chain (const WpPlan *plan, const WpMachine *m, WpOp *op)
{
  op->chain = plan->turns[op->turn];
  op->wait = (uint8_t)(m->n_pipelines + WP_WAIT_ILP);
  for (uint32_t i = 0; i < op->next->n_deps; i++)
    {
      const WpDep *dep = &op->next->deps[i];

      if (&plan->ops[dep->producer] != op && !covers (plan, m, op, dep))
        return false;
      if (&plan->ops[dep->producer] == op && dep->latency >= op->chain)
        {
          op->chain = dep->latency;
          op->wait = op->row;
        }
    }
  return true;
}

/* Whether OP's successor is known to be ready `chain` later, whatever it is. */
static bool
is_chained (const WpPlan *plan, const WpMachine *m, WpOp *op)
{
  return op->then < WP_THEN_OPEN && !op->posted && (plan->direct >> op->row & 1) != 0
         && find_chain (plan, m, op) && op->chain <= WP_NEAR_CYCLES * m->ticks_per_cycle;
}

/* Whether OP, special, passes a pipeline alone that limits how many are in flight and does nothing
 * else that is; then for how long it is. */
static bool
is_bounded (const WpPlan *plan, const WpMachine *m, WpOp *op)
{
  const WpInstr *instr = &m->instrs[op - plan->ops];
  const WpPipelineDesc *desc = &m->pipelines[op->row];

  if (op->random || instr->n_passes > 0 || desc->inflight == 0 || desc->turnaround > 0
      || desc->turnaround_last > 0 || wp_pipeline_get_shared (desc) > 1)
    return false;
  op->in_flight = instr->in_flight;
  return true;
}

/* The class of OP, given `next`. */
static WpIssueClass
find_class (const WpPlan *plan, const WpMachine *m, WpOp *op)
{
  if (op->row == m->n_pipelines || op->slots > 1 || op->kept > 1 || op->mixed)
    return WP_ISSUE_ANY;
  op->bounded = op->special && is_bounded (plan, m, op);
  if ((plan->own >> op->row & 1) == 0 || op->random || op->special)
    return WP_ISSUE_SINGLE;
  if (!is_chained (plan, m, op))
    return WP_ISSUE_OWN;
  if (op->next == op && op->chain > 0 && op->chain >= op->completion)
    return WP_ISSUE_CHAINED_SELF;
  return op->then == WP_THEN_LOOP ? WP_ISSUE_CHAINED_LOOP : WP_ISSUE_CHAINED;
}

/* MODEL.md, section 5, dual issue: whether the instruction at PC or, where none is there, each that
 * may be the next from there on, waits for OP, which has just issued. */
static bool
waits (const WpPlan *plan, const WpMachine *m, const WpProgram *program, uint32_t pc,
       const WpOp *op)
{
  const WpCode *code = m->code + program->first_code;

  for (; pc < program->n_code && code[pc].kind != WP_CODE_INSTRUCTION; pc++)
    if (code[pc].kind == WP_CODE_END && code[code[pc].arg + 1].kind != WP_CODE_INSTRUCTION)
      return false;
    else if (code[pc].kind == WP_CODE_END && !waits (plan, m, program, code[pc].arg + 1, op))
      return false;
  if (pc == program->n_code)
    return true;
  for (uint32_t i = 0; i < plan->ops[code[pc].arg].n_deps; i++)
    {
      const WpDep *dep = &plan->ops[code[pc].arg].deps[i];

      if (&plan->ops[dep->producer] == op && dep->value == op->value && dep->latency > 0)
        return true;
    }
  return false;
}

static void
find_classes_of (WpPlan *plan, const WpMachine *m, const WpProgram *program)
{
  const WpCode *code = m->code + program->first_code;

  for (uint32_t pc = 0; pc < program->n_code; pc++)
    {
      WpOp *op = &plan->ops[code[pc].arg];

      if (code[pc].kind == WP_CODE_INSTRUCTION
          && (m->dual_issue == 1 || m->instrs[code[pc].arg].stall > 0
              || waits (plan, m, program, pc + 1, op)))
        op->issues = (uint8_t)find_class (plan, m, op);
    }
}

bool
wp_plan_classify (WpPlan *plan, const WpMachine *machine)
{
  if (!prune (plan, machine))
    return false;
  for (uint32_t i = 0;
       machine->interval > 0 && machine->issue_limit == 1 && i < machine->n_programs; i++)
    find_classes_of (plan, machine, &machine->programs[i]);
  return true;
}
