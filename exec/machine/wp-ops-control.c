/* SPDX-License-Identifier: MIT */
/* Control flow. These steps run also where no lane passes the guard, and tell the trail themselves
 * which lanes they were for: of a branch those that take it. */
#include "exec/machine/wp-barrier.h"
#include "exec/machine/wp-diverge.h"
#include "exec/machine/wp-kernel-code.h"
#include "exec/machine/wp-ops.h"
#include "exec/machine/wp-waits.h"
#include "exec/machine/wp-warp-run.h"

/* ---- Branches ---- */

/* mode[0]: how BRA decides besides its guard. */
enum
{
  BRANCH_PLAIN,
  BRANCH_DIVERGED,  /* .DIV: taken if lanes of the mask are not here */
  BRANCH_CONVERGED, /* .CONV: if all are */
  BRANCH_ANY        /* .ANY: taken by all if one lane passes the guard */
};

/* Whether the lanes that the mask names are all here and pass the guard; all lanes go the same way.
 */
static guint32
find_converged (WpWarp *warp, const WpStep *step, guint32 mask)
{
  guint32 all = ~warp->exited, missing;

  if (step->n_sources)
    {
      guint32 scratch[WP_LANES];
      const WpSource *source = &step->sources[0];
      all &= wp_lanes_modified (warp, source, 0, scratch)[__builtin_ctz (warp->active)];
    }
  missing = all & ~mask;
  return (step->mode[0] == BRANCH_DIVERGED) == (missing != 0) ? warp->active : 0;
}

/* The lanes of MASK for which the predicate that a branch has besides its guard holds; where it is
 * unknown those that --branch says, if any. */
static guint32
settle_predicate (WpWarp *warp, const WpStep *step, guint32 mask)
{
  const guint code = step->source_p[0];
  const guint32 unknown = wp_predicate_unknown (warp, code) & mask;
  const guint32 *chosen = step->data;

  if (unknown == 0)
    return mask & wp_predicate (warp, code);
  wp_warp_lose_store (warp);
  if (!chosen)
    wp_warp_note (warp, step, WP_NOTE_BRANCH,
                  code & WP_P_UNIFORM ? warp->up_tag[code & 7] : warp->p_tag[code & 7]);
  return (mask & ~unknown & wp_predicate (warp, code))
         | (chosen ? chosen[warp->number] & unknown : 0);
}

static void
run_branch (WpWarp *warp, const WpStep *step, guint32 mask)
{
  if (step->n_predicates)
    mask = settle_predicate (warp, step, mask);
  if (step->mode[0] == BRANCH_ANY)
    mask = mask ? warp->active : 0;
  else if (step->mode[0])
    mask = find_converged (warp, step, mask);
  wp_trail_add (&warp->trail, step->index, mask);
  wp_warp_branch (warp, mask, step->value);
}

static gboolean
prepare_branch (WpStep *step, gchar **problem)
{
  step->is_control = TRUE;
  step->mode[0] = wp_step_has_text (step, "DIV")    ? BRANCH_DIVERGED
                  : wp_step_has_text (step, "CONV") ? BRANCH_CONVERGED
                  : wp_step_has_text (step, "ANY")  ? BRANCH_ANY
                                                    : BRANCH_PLAIN;
  step->mode[3] = WP_STEP_HAS_TARGET;
  step->run = run_branch;
  return wp_step_allow (step, problem, "U", "DIV", "CONV", "ANY", NULL);
}

/* To addresses in registers, each lane to its own; RZ and what was never set is no code. */
static void
run_jump (WpWarp *warp, const WpStep *step, guint32 mask)
{
  const WpKernelCode *code = warp->block->grid->code;
  guint64 addresses[WP_LANES];
  guint32 targets[WP_LANES] = { 0 };

  wp_trail_add (&warp->trail, step->index, mask);
  if (!mask)
    return;
  if (step->sources[0].from == WP_FROM_UNIFORM || step->n_sources)
    wp_lanes_wide (warp, &step->sources[0], addresses);
  if (wp_unknown (warp, &step->sources[0]) & mask)
    {
      wp_warp_lose_store (warp);
      wp_warp_note (warp, step, WP_NOTE_BRANCH, wp_tag (warp, &step->sources[0]));
    }
  for (guint k = 0; k < WP_LANES; k++)
    {
      if (!(mask >> k & 1))
        continue;
      guint64 address = addresses[k] + (guint64)step->value;
      if (!wp_kernel_code_find (code, address, &targets[k]))
        {
          wp_warp_fail (warp, step, k, "a jump to 0x%" G_GINT64_MODIFIER "x, where no code is",
                        address);
          return;
        }
      if (code->is_lean && step->instr->op == WP_SASS_RET && !code->steps[targets[k]].is_return)
        {
          wp_warp_fail (warp, step, k,
                        "it returns to 0x%" G_GINT64_MODIFIER "x, which is behind no call",
                        address);
          return;
        }
    }
  wp_warp_jump (warp, mask, targets);
}

/* The register is added to the target; the text of BRX has a distance from the next instruction in
 * its place. */
static gboolean
prepare_jump (WpStep *step, gchar **problem)
{
  gboolean is_distance = step->instr->op == WP_SASS_BRX || step->instr->op == WP_SASS_BRXU;

  if (!wp_step_allow (step, problem, "REL", "ABS", "NOINC", "NODEC", "U", NULL))
    return FALSE;
  step->is_control = TRUE;
  if (!step->n_sources || step->sources[0].from == WP_FROM_ROW)
    {
      if (step->n_sources)
        step->value
            = step->sources[0].row->lanes[0][0] | (gint64)step->sources[0].row->lanes[1][0] << 32;
      step->mode[3] = WP_STEP_HAS_TARGET;
      step->run = run_branch;
      step->n_sources = 0;
      return TRUE;
    }
  for (guint k = 0; is_distance && k < step->instr->n_operands; k++)
    if (step->instr->operands[k].kind == WP_SASS_TARGET)
      step->value = (gint64)step->address + WP_SASS_BYTES + step->instr->operands[k].value;
  step->n_sources = 1;
  wp_step_set_words (step, 0, 2);
  step->run = run_jump;
  return !step->n_predicates || wp_step_refuse (step, problem);
}

static void
run_exit (WpWarp *warp, const WpStep *step, guint32 mask)
{
  if (step->n_predicates)
    mask
        &= wp_predicate (warp, step->source_p[0]) & ~wp_predicate_unknown (warp, step->source_p[0]);
  wp_trail_add (&warp->trail, step->index, mask);
  if (!mask)
    return;
  wp_warp_exit (warp, mask);
  wp_block_check_barriers (warp->block);
}

static gboolean
prepare_exit (WpStep *step, G_GNUC_UNUSED gchar **problem)
{
  step->is_control = TRUE;
  step->run = run_exit;
  return TRUE;
}

static void
run_trap (WpWarp *warp, const WpStep *step, guint32 mask)
{
  wp_trail_add (&warp->trail, step->index, mask);
  if (mask)
    wp_warp_fail (warp, step, __builtin_ctz (mask),
                  "a trap: __trap(), a failed check of the program, or a barrier of the whole grid "
                  "(grid.sync()) in a launch that is not a cooperative one");
}

static gboolean
prepare_trap (WpStep *step, G_GNUC_UNUSED gchar **problem)
{
  step->is_control = TRUE;
  step->run = run_trap;
  return TRUE;
}

/* ---- Convergence ---- */

/* Only lanes whose second predicate holds. */
static guint32
begin_wait (WpWarp *warp, const WpStep *step, guint32 mask)
{
  if (step->n_predicates)
    mask &= wp_predicate (warp, step->source_p[0]);
  wp_trail_add (&warp->trail, step->index, mask);
  return mask;
}

static void
run_bssy (WpWarp *warp, const WpStep *step, guint32 mask)
{
  mask = begin_wait (warp, step, mask);
  if (mask)
    wp_warp_converge_begin (warp, step->mode[0], mask);
}

static void
run_break (WpWarp *warp, const WpStep *step, guint32 mask)
{
  mask = begin_wait (warp, step, mask);
  if (mask)
    wp_warp_converge_leave (warp, step->mode[0], mask);
}

static void
run_bsync (WpWarp *warp, const WpStep *step, guint32 mask)
{
  mask = begin_wait (warp, step, mask);
  if (!mask)
    return;
  wp_warp_split (warp, mask);
  wp_warp_converge (warp, step->mode[0]);
}

/* mode[0]: the barrier, of the first operand that is one. */
static gboolean
find_barrier (WpStep *step, gchar **problem)
{
  for (guint k = 0; k < step->instr->n_operands; k++)
    if (step->instr->operands[k].kind == WP_SASS_CONVERGENCE)
      {
        step->mode[0] = step->instr->operands[k].number;
        return step->mode[0] < WP_CONVERGENCE_BARRIERS || wp_step_refuse (step, problem);
      }
  return wp_step_refuse (step, problem);
}

static gboolean
prepare_convergence (WpStep *step, gchar **problem)
{
  WpSassOp op = step->instr->op;

  step->is_control = TRUE;
  step->run = op == WP_SASS_BSSY ? run_bssy : op == WP_SASS_BREAK ? run_break : run_bsync;
  return wp_step_allow (step, problem, "RELIABLE", "RECONVERGENT", NULL)
         && find_barrier (step, problem);
}

/* BMOV: a barrier to a register (.CLEAR: and nobody takes part any more), or back. */
static void
run_from_barrier (WpWarp *warp, const WpStep *step, guint32 mask)
{
  static const guint32 nobody[WP_LANES];

  wp_put (warp, step->dest, warp->barriers[step->mode[0]], mask, 0, 0);
  if (step->mode[1])
    wp_blend (warp->barriers[step->mode[0]], nobody, mask);
}

static void
run_to_barrier (WpWarp *warp, const WpStep *step, guint32 mask)
{
  guint32 scratch[WP_LANES];

  wp_blend (warp->barriers[step->mode[0]], wp_lanes (warp, &step->sources[0], 0, scratch), mask);
}

static gboolean
prepare_bmov (WpStep *step, gchar **problem)
{
  gboolean is_from
      = step->instr->n_operands > 1 && step->instr->operands[1].kind == WP_SASS_CONVERGENCE;

  step->run = is_from ? run_from_barrier : run_to_barrier;
  step->mode[1] = wp_step_has (step, WP_WORD_CLEAR);
  if (!wp_step_allow (step, problem, "32", "CLEAR", NULL))
    return FALSE;
  if (!wp_step_has (step, WP_WORD_32) || (!is_from && !step->n_sources))
    return wp_step_refuse (step, problem);
  return find_barrier (step, problem);
}

/* Lanes that name different masks wait apart: those of the first lane's go on, the others execute
 * the instruction later. */
static void
run_warpsync (WpWarp *warp, const WpStep *step, guint32 mask)
{
  guint32 scratch[WP_LANES], wanted = WP_ALL_LANES, same = 0, next = warp->pc;

  mask = begin_wait (warp, step, mask);
  if (!mask)
    return;
  wp_warp_split (warp, mask);
  if (step->n_sources)
    {
      const guint32 *masks = wp_lanes (warp, &step->sources[0], 0, scratch);
      wanted = masks[__builtin_ctz (mask)];
      for (guint k = 0; k < WP_LANES; k++)
        same |= (guint32)(masks[k] == wanted) << k;
      warp->pc = step->index;
      wp_warp_split (warp, mask & same);
      warp->pc = next;
    }
  wp_warp_sync (warp, wanted);
}

static gboolean
prepare_warpsync (WpStep *step, gchar **problem)
{
  step->is_control = TRUE;
  step->run = run_warpsync;
  return wp_step_allow (step, problem, "ALL", "COLLECTIVE", "EXCLUSIVE", NULL)
         && (step->n_sources || wp_step_has (step, WP_WORD_ALL) || wp_step_refuse (step, problem));
}

static void
run_yield (WpWarp *warp, const WpStep *step, guint32 mask)
{
  wp_trail_add (&warp->trail, step->index, mask);
  if (mask && !wp_warp_yield (warp) && warp->n_groups && wp_warp_is_idle (warp))
    wp_warp_stall (warp);
}

static void
run_sleep (WpWarp *warp, const WpStep *step, guint32 mask)
{
  wp_trail_add (&warp->trail, step->index, mask);
  if (!mask)
    return;
  wp_warp_poll (warp);
  if (warp->n_executed >= warp->turn_end)
    wp_warp_stall (warp);
  else
    wp_warp_yield (warp);
}

static gboolean
prepare_turn (WpStep *step, G_GNUC_UNUSED gchar **problem)
{
  step->is_control = TRUE;
  step->run = step->instr->op == WP_SASS_YIELD ? run_yield : run_sleep;
  step->n_sources = 0;
  return TRUE;
}

/* ---- Barriers of the block ---- */

/* The value that source K has in the first lane of MASK. */
static guint32
first_value (WpWarp *warp, const WpStep *step, guint k, guint32 mask)
{
  guint32 scratch[WP_LANES];

  return wp_lanes (warp, &step->sources[k], 0, scratch)[__builtin_ctz (mask)];
}

static gboolean
has_registers (const WpStep *step)
{
  for (guint k = 0; k < step->n_sources; k++)
    if (step->sources[k].from == WP_FROM_REGISTER)
      return TRUE;
  return FALSE;
}

/* mode[0]: waits; mode[1]: WpReduce. Where the number of threads is in a register, that one has it
 * in its high half, and the barrier in its low half: the code packs both, and names it twice. */
static void
run_bar (WpWarp *warp, const WpStep *step, guint32 mask)
{
  WpArrival arrival = { .waits = step->mode[0], .reduce = step->mode[1] };

  if (!mask || !arrival.waits || !wp_waits_hold_bar (warp, step, mask))
    wp_trail_add (&warp->trail, step->index, mask);
  if (!mask)
    return;
  if (step->n_sources > 0)
    arrival.barrier = first_value (warp, step, 0, mask);
  if (step->n_sources > 1)
    arrival.expected = first_value (warp, step, 1, mask);
  if (step->n_sources > 1 && step->sources[1].from == WP_FROM_REGISTER)
    {
      arrival.barrier &= 0xffff;
      arrival.expected >>= 16;
    }
  if (arrival.barrier >= WP_NAMED_BARRIERS)
    {
      wp_warp_fail (warp, step, __builtin_ctz (mask), "barrier %u; there are barriers 0 to %u",
                    arrival.barrier, WP_NAMED_BARRIERS - 1);
      return;
    }
  if (step->n_predicates)
    {
      arrival.p = wp_predicate (warp, step->source_p[0]);
      arrival.p_unknown = wp_predicate_unknown (warp, step->source_p[0]);
      arrival.tag = warp->p_tag[step->source_p[0] & 7];
    }
  if (has_registers (step))
    wp_kernel_code_see_barrier (warp->block->grid->code, step->index, arrival.barrier,
                                arrival.expected);
  wp_waits_come_to_bar (warp, step, arrival.barrier, arrival.expected, arrival.waits);
  wp_warp_split (warp, mask);
  wp_block_arrive (warp, &arrival);
}

static gboolean
prepare_bar (WpStep *step, gchar **problem)
{
  gboolean reduces = wp_step_has (step, WP_WORD_RED);

  step->is_control = TRUE;
  step->run = run_bar;
  step->mode[0] = reduces || wp_step_has (step, WP_WORD_SYNC) || wp_step_has_text (step, "SYNCALL");
  if (reduces)
    step->mode[1] = wp_step_has_text (step, "POPC")   ? WP_REDUCE_COUNT
                    : wp_step_has (step, WP_WORD_AND) ? WP_REDUCE_AND
                    : wp_step_has (step, WP_WORD_OR)  ? WP_REDUCE_OR
                                                      : WP_REDUCE_NONE;
  return (step->mode[0] || wp_step_has (step, WP_WORD_ARV)) && (!reduces || step->mode[1])
             ? TRUE
             : wp_step_refuse (step, problem);
}

/* B2R.RESULT: what the last BAR.RED came to. */
static void
run_bar_result (WpWarp *warp, const WpStep *step, guint32 mask)
{
  gboolean is_true = warp->reduce == WP_REDUCE_AND ? warp->reduced_all : warp->reduced > 0;
  guint32 out[WP_LANES], unknown = warp->reduced_unknown ? WP_ALL_LANES : 0;

  for (guint k = 0; k < WP_LANES; k++)
    out[k] = warp->reduced;
  wp_put (warp, step->dest, out, mask, unknown, warp->reduced_tag);
  wp_put_predicate (warp, step->dest_p, is_true ? ~0u : 0, mask, unknown, warp->reduced_tag);
}

static gboolean
prepare_bar_result (WpStep *step, gchar **problem)
{
  step->run = run_bar_result;
  return wp_step_has_text (step, "RESULT") || wp_step_refuse (step, problem);
}

/* ---- The rest ---- */

/* LEPC: its own address (compilers subtract where it stands from it), or that of what the text
 * names. */
static void
run_lepc (WpWarp *warp, const WpStep *step, guint32 mask)
{
  guint64 out[WP_LANES];

  for (guint k = 0; k < WP_LANES; k++)
    out[k] = step->value;
  wp_put_wide (warp, step->dest, out, mask, 0, 0);
}

static gboolean
prepare_lepc (WpStep *step, gchar **problem)
{
  gboolean has_target = FALSE;

  for (guint k = 0; k < step->instr->n_operands; k++)
    has_target |= step->instr->operands[k].kind == WP_SASS_TARGET;
  if (!has_target)
    step->value = step->address;
  step->run = run_lepc;
  return !step->is_uniform || wp_step_refuse (step, problem);
}

#define EARLY 512 /* instructions of a warp, before it gives registers back */

/* USETMAXREG: registers that a warp gives back to its block, or asks for until it gets them. It
 * gets them at once: what others have given back by then is not kept account of. Where they do so
 * at the beginning, as usual, nobody waits for long. */
static void
run_pool (WpWarp *warp, const WpStep *step, G_GNUC_UNUSED guint32 mask)
{
  if (step->dest_p != WP_P_SINK)
    wp_put_uniform_predicate (warp, step->dest_p, TRUE, FALSE, 0);
  else if (warp->n_executed > EARLY)
    g_atomic_int_set (&warp->block->grid->gives_late, TRUE);
}

static gboolean
prepare_pool (WpStep *step, G_GNUC_UNUSED gchar **problem)
{
  step->run = run_pool;
  return TRUE;
}

/* Of PREEXIT and ACQBULK nothing is done (griddepcontrol, of launches that begin before the one
 * that they depend on has ended): here a launch begins when all of the one before it has been done,
 * so that there is nothing to wait for. */
const WpOpRule wp_rules_control[] = {
  { WP_SASS_BRA, prepare_branch },
  { WP_SASS_JMP, prepare_jump },
  { WP_SASS_BRX, prepare_jump },
  { WP_SASS_BRXU, prepare_jump },
  { WP_SASS_CALL, prepare_jump },
  { WP_SASS_RET, prepare_jump },
  { WP_SASS_EXIT, prepare_exit },
  { WP_SASS_KILL, prepare_exit },
  { WP_SASS_BPT, prepare_trap },
  { WP_SASS_BSSY, prepare_convergence },
  { WP_SASS_BSYNC, prepare_convergence },
  { WP_SASS_BREAK, prepare_convergence },
  { WP_SASS_BMOV, prepare_bmov },
  { WP_SASS_WARPSYNC, prepare_warpsync },
  { WP_SASS_YIELD, prepare_turn },
  { WP_SASS_NANOSLEEP, prepare_turn },
  { WP_SASS_BAR, prepare_bar },
  { WP_SASS_B2R, prepare_bar_result },
  { WP_SASS_NOP, wp_step_prepare_nothing },
  { WP_SASS_ENDCOLLECTIVE, wp_step_prepare_nothing },
  { WP_SASS_PMTRIG, wp_step_prepare_nothing },
  { WP_SASS_PREEXIT, wp_step_prepare_nothing },
  { WP_SASS_ACQBULK, wp_step_prepare_nothing },
  { WP_SASS_USETMAXREG, prepare_pool },
  { WP_SASS_LEPC, prepare_lepc },
  { WP_SASS_NO_OP, NULL },
};
