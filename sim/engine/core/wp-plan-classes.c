/* SPDX-License-Identifier: MIT */
#include "sim/engine/core/wp-plan-classes.h"

#include <stdlib.h>

/* ---- What the issue of an instruction can matter to ---- */

/* Whether A depends on what DEP of its successor does, the same instance of it, for at least as
 * long. */
static bool
covers (const WpPlan *plan, const WpMachine *m, const WpOp *a, const WpDep *dep)
{
  const WpInstr *instr = &m->instrs[a - plan->ops];

  for (uint32_t i = 0; !instr->cost->late && i < instr->n_deps; i++)
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

  if (op->random || instr->cost->n_passes > 0 || desc->inflight == 0 || desc->turnaround > 0
      || desc->turnaround_last > 0 || wp_pipeline_get_shared (desc) > 1)
    return false;
  op->in_flight = instr->cost->in_flight;
  return true;
}

/* The class of OP, given `next`. */
static WpIssueClass
find_class (const WpPlan *plan, const WpMachine *m, WpOp *op)
{
  if (op->row == m->n_pipelines || op->slots > 1 || op->kept > 1 || op->mixed)
    return WP_ISSUE_ANY;
  op->bounded = op->special && is_bounded (plan, m, op);
  if (op->bounded)
    return WP_ISSUE_BOUNDED;
  if ((plan->own >> op->row & 1) == 0 || op->random || op->special)
    return op->special && !op->bounded && !op->random ? WP_ISSUE_PATH : WP_ISSUE_SINGLE;
  if (m->kinds != NULL || !is_chained (plan, m, op)) /* each issue is told of: wp-sm-waited.h */
    return WP_ISSUE_OWN;
  if (op->next == op && op->chain > 0 && op->chain >= op->completion)
    return WP_ISSUE_CHAINED_SELF;
  return op->then == WP_THEN_LOOP ? WP_ISSUE_CHAINED_LOOP : WP_ISSUE_CHAINED;
}

/* By how much less than its latency after its start OP may be complete (MODEL.md, section 11). */
static WpTick
find_early (const WpPlan *plan, const WpOp *op)
{
  const WpSpread *spread = op->random ? plan->accesses[op - plan->ops].spread : NULL;

  return spread != NULL && spread->add[0] < 0 ? -spread->add[0] : 0;
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

      if (&plan->ops[dep->producer] == op && dep->value == op->value
          && dep->latency > find_early (plan, op))
        return true;
    }
  return false;
}

/* Whether nothing goes out in one issue with OP, which is code[PC] of PROGRAM. */
static bool
goes_alone (const WpPlan *plan, const WpMachine *m, const WpProgram *program, uint32_t pc,
            const WpOp *op)
{
  return m->dual_issue == 1 || m->instrs[op - plan->ops].cost->stall > 0
         || waits (plan, m, program, pc + 1, op);
}

static bool
all_go_alone (const WpPlan *plan, const WpMachine *m)
{
  for (uint32_t i = 0; i < m->n_programs; i++)
    {
      const WpProgram *program = &m->programs[i];
      const WpCode *code = m->code + program->first_code;

      for (uint32_t pc = 0; pc < program->n_code; pc++)
        if (code[pc].kind == WP_CODE_INSTRUCTION && plan->ops[code[pc].arg].row < m->n_pipelines
            && !goes_alone (plan, m, program, pc, &plan->ops[code[pc].arg]))
          return false;
    }
  return true;
}

/* Whether instructions keep pipeline P for an interval at most. */
static bool
is_quick (const WpMachine *m, uint32_t p)
{
  for (uint32_t i = 0; i < m->n_instrs; i++)
    if (m->instrs[i].cost->pipeline == p
        && (m->instrs[i].cost->issue > m->interval || m->instrs[i].cost->issue_last > m->interval))
      return false;
  return true;
}

/* Where each instruction goes out alone, a scheduler's own pipeline gets one in an interval at
 * most. If none keeps it for longer, then what came before has left when the next one comes, which
 * starts at once, by induction from the first on; so what queues there is nothing, and no warp
 * finds it closed: it accepts at the latest when the last has started. */
static void
find_direct (WpPlan *plan, const WpMachine *m)
{
  uint32_t n_kept = 0, n_own = 0;

  if (m->dataflow || m->interval == 0 || m->issue_limit > 1 || !all_go_alone (plan, m))
    return;
  for (uint32_t p = 0; p < m->n_pipelines; p++)
    if ((plan->own >> p & 1) != 0 && is_quick (m, p))
      plan->direct |= UINT64_C (1) << p;
  for (uint32_t i = 0; i < plan->n_blocking; i++)
    {
      uint32_t p = plan->blocking[i];

      if ((plan->direct >> p & 1) != 0 && is_quick (m, p))
        continue;
      n_own += i < plan->n_own_blocking;
      plan->blocking[n_kept++] = p;
    }
  plan->n_blocking = n_kept;
  plan->n_own_blocking = n_own;
}

/* Whether OP, where it goes out in one issue with another, needs nothing but what
 * wp_sm_issue_pair() does. */
static bool
can_be_of_pair (const WpPlan *plan, const WpMachine *m, WpOp *op)
{
  if (op->row == m->n_pipelines || op->slots > 1 || op->kept > 1 || op->mixed)
    return false;
  op->bounded = op->special && is_bounded (plan, m, op);
  return !op->special || op->bounded;
}

/* Whether two issues in the fast loop are over before WP_TICK_LIMIT, wherever they begin. */
static bool
is_pair_safe (const WpPlan *plan)
{
  return plan->safe > WP_FAST_LIMIT
         && (plan->safe - WP_FAST_LIMIT) / 2 > WP_TICK_LIMIT - plan->safe;
}

/* The class of OP, behind which the next may go out in the same issue. */
static WpIssueClass
find_class_of_pair (const WpPlan *plan, const WpMachine *m, WpOp *op)
{
  uint64_t both;

  if (m->dual_issue != 2 || op->then != WP_THEN_NEXT || !is_pair_safe (plan)
      || !can_be_of_pair (plan, m, op) || !can_be_of_pair (plan, m, (WpOp *)op->next))
    return WP_ISSUE_ANY;
  both = UINT64_C (1) << op->row | UINT64_C (1) << op->next->row;
  return (plan->own & both) == both && !op->random && !op->next->random ? WP_ISSUE_PAIR_OWN
                                                                        : WP_ISSUE_PAIR;
}

static void
find_classes_of (WpPlan *plan, const WpMachine *m, const WpProgram *program)
{
  const WpCode *code = m->code + program->first_code;

  for (uint32_t pc = 0; pc < program->n_code; pc++)
    {
      WpOp *op = &plan->ops[code[pc].arg];

      if (code[pc].kind == WP_CODE_INSTRUCTION)
        op->issues
            = (uint8_t)(goes_alone (plan, m, program, pc, op) ? find_class (plan, m, op)
                                                              : find_class_of_pair (plan, m, op));
    }
}

/* ---- Whether schedulers run ahead ---- */

static bool
is_shared (const WpPlan *plan, const WpMachine *m, const WpOp *op)
{
  return op->row < m->n_pipelines && (plan->own >> op->row & 1) == 0;
}

/* Of the dynamic instructions of PROGRAM, those on pipelines that schedulers have together. */
static uint64_t
count_shared (const WpPlan *plan, const WpMachine *m, const WpProgram *program)
{
  const WpCode *code = m->code + program->first_code;
  uint64_t times = 1, n = 0; /* no repeat is empty: `times` is not above all instructions */

  for (uint32_t pc = 0; pc < program->n_code; pc++)
    if (code[pc].kind == WP_CODE_REPEAT)
      times *= code[pc].count;
    else if (code[pc].kind == WP_CODE_END)
      times /= code[code[pc].arg].count;
    else if (is_shared (plan, m, &plan->ops[code[pc].arg]))
      n += times;
  return n;
}

/* Whether schedulers that run ahead of one another would wait for one another again so soon that to
 * go on in step costs less: measured, where three instructions of ten are on pipelines that they
 * have together. Pairs are faster ahead. */
static bool
meets_often (const WpPlan *plan, const WpMachine *m)
{
  if (m->n_schedulers == 1 || m->dual_issue > 1)
    return false;
  for (uint32_t i = 0; i < m->n_programs; i++)
    if (count_shared (plan, m, &m->programs[i]) / 3 <= m->programs[i].n_dynamic / 10)
      return false;
  return true;
}

/* Whether a scheduler's turn comes an interval after each issue: it issues once in a slot, or slots
 * take no time. */
static bool
has_plain_turns (const WpMachine *m)
{
  return m->issue_limit == 1 || m->interval == 0;
}

void
wp_plan_classify (WpPlan *plan, const WpMachine *machine)
{
  if (machine->dual_issue > 1 && plan->mixed != NULL) /* what follows is drawn */
    return;
  find_direct (plan, machine);
  for (uint32_t i = 0; has_plain_turns (machine) && i < machine->n_programs; i++)
    find_classes_of (plan, machine, &machine->programs[i]);
  if (meets_often (plan, machine))
    plan->lookahead = plan->ahead = 0;
}

/* ---- What a warp waits for behind chained issues ---- */

/* Adds what it waits for behind OP, which it issues N times. Of a warp that ends that is less than
 * its lifetime; of others nobody asks, so that it may wrap. */
static void
add_implied (const WpMachine *m, const WpOp *op, uint64_t n, WpImplied *implied)
{
  WpTick *sum = op->wait < m->n_pipelines ? &implied->dependency : &implied->ilp;

  if (op->issues >= WP_ISSUE_CHAINED)
    *sum = (WpTick)((uint64_t)*sum + n * (uint64_t)op->chain);
}

static void
imply (const WpPlan *plan, const WpMachine *m, const WpProgram *program, WpImplied *implied)
{
  const WpCode *code = m->code + program->first_code;
  uint64_t times = 1, outer[WP_MAX_DEPTH];
  uint32_t depth = 0;

  for (uint32_t pc = 0; pc < program->n_code; pc++)
    if (code[pc].kind == WP_CODE_REPEAT)
      {
        outer[depth++] = times;
        times *= code[pc].count;
      }
    else if (code[pc].kind == WP_CODE_END)
      times = outer[--depth];
    else
      {
        const WpOp *op = &plan->ops[code[pc].arg];

        add_implied (m, op, times - (op->then == WP_THEN_LOOP ? outer[depth - 1] : 0), implied);
      }
}

bool
wp_plan_imply (WpPlan *plan, const WpMachine *machine)
{
  plan->implied = calloc (machine->n_programs + (size_t)1, sizeof *plan->implied);
  for (uint32_t i = 0; plan->implied != NULL && i < machine->n_programs; i++)
    imply (plan, machine, &machine->programs[i], &plan->implied[i]);
  return plan->implied != NULL;
}
