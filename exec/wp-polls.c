/* SPDX-License-Identifier: MIT */
#include "exec/wp-polls.h"

#include "exec/machine/wp-loops.h"
#include "exec/machine/wp-ops.h"
#include "exec/machine/wp-waits.h"

#include <string.h>

/* ---- Sets of what a step reads or writes ---- */

/* A bit for each register and predicate, and for each uniform one. */
typedef struct
{
  guint64 r[4], ur[4], p, up; /* no room in between: compared as bytes */
} Set;

static void
add_registers (guint64 *bits, guint first, guint n)
{
  for (guint k = first; k < MIN (first + n, 255u); k++)
    bits[k / 64] |= (guint64)1 << k % 64;
}

static void
add_predicate (guint64 *bits, guint number)
{
  if (number < 7)
    *bits |= (guint64)1 << number;
}

static void
add_operand (Set *set, const WpSassOperand *operand)
{
  const guint n = MAX (operand->n_registers, 1);

  switch ((WpSassOperandKind)operand->kind)
    {
    case WP_SASS_REGISTER:
      add_registers (set->r, operand->number, n);
      break;
    case WP_SASS_UNIFORM:
      add_registers (set->ur, operand->number, n);
      break;
    case WP_SASS_PREDICATE:
      add_predicate (&set->p, operand->number);
      break;
    case WP_SASS_UNIFORM_PREDICATE:
      add_predicate (&set->up, operand->number);
      break;
    case WP_SASS_PREDICATES:
      set->p = 0x7f;
      break;
    case WP_SASS_UNIFORM_PREDICATES:
      set->up = 0x7f;
      break;
    case WP_SASS_MEMORY:
    case WP_SASS_CONSTANT:
      add_registers (operand->is_uniform_index ? set->ur : set->r, operand->index,
                     operand->index_word == WP_WORD_U32 ? 1 : 2);
      add_registers (set->ur, operand->uniform, 2);
      break;
    default:
      break;
    }
}

static Set
find_reads (const WpSassInstr *instr)
{
  Set set = { 0 };

  for (guint k = 0; k < instr->n_operands; k++)
    if (!instr->operands[k].is_dest)
      add_operand (&set, &instr->operands[k]);
  add_predicate (instr->guard_is_uniform ? &set.up : &set.p, instr->guard);
  return set;
}

static Set
find_writes (const WpSassInstr *instr)
{
  Set set = { 0 };

  for (guint k = 0; k < instr->n_operands; k++)
    if (instr->operands[k].is_dest && instr->operands[k].kind != WP_SASS_MEMORY)
      add_operand (&set, &instr->operands[k]);
  return set;
}

/* Whether A and B share anything. */
static gboolean
meet (const Set *a, const Set *b)
{
  guint64 both = (a->p & b->p) | (a->up & b->up);

  for (guint k = 0; k < G_N_ELEMENTS (a->r); k++)
    both |= (a->r[k] & b->r[k]) | (a->ur[k] & b->ur[k]);
  return both != 0;
}

/* Adds MORE to SET. */
static void
join (Set *set, const Set *more)
{
  set->p |= more->p;
  set->up |= more->up;
  for (guint k = 0; k < G_N_ELEMENTS (set->r); k++)
    {
      set->r[k] |= more->r[k];
      set->ur[k] |= more->ur[k];
    }
}

/* Takes LESS out of SET. */
static void
leave_out (Set *set, const Set *less)
{
  set->p &= ~less->p;
  set->up &= ~less->up;
  for (guint k = 0; k < G_N_ELEMENTS (set->r); k++)
    {
      set->r[k] &= ~less->r[k];
      set->ur[k] &= ~less->ur[k];
    }
}

/* ---- Steps ---- */

/* Whether STEP exchanges words for others that do not depend on them, if what it reads does not
 * change. */
static gboolean
is_lock (const WpStep *step)
{
  static const gchar *const words[] = { "EXCH", "CAS", "CAST" };

  if (step->instr->op != WP_SASS_ATOM && step->instr->op != WP_SASS_ATOMG)
    return FALSE;
  for (guint k = 0; k < G_N_ELEMENTS (words); k++)
    if (wp_step_has_text (step, words[k]))
      return TRUE;
  return FALSE;
}

/* Whether STEP, an atomic, adds nothing: a load that is written so. */
static gboolean
adds_nothing (const WpStep *step)
{
  gboolean is_nothing = wp_step_has_text (step, "ADD") || wp_step_has_text (step, "OR");

  for (guint k = 0; k < step->instr->n_operands; k++)
    {
      const WpSassOperand *operand = &step->instr->operands[k];

      if (operand->kind == WP_SASS_REGISTER && !operand->is_dest)
        is_nothing = is_nothing && operand->number == 255;
    }
  return is_nothing;
}

/* Whether STEP loads what other SMs may just have stored. */
static gboolean
is_look (const WpStep *step)
{
  switch (step->instr->op)
    {
    case WP_SASS_LD:
    case WP_SASS_LDG:
      return wp_step_has_text (step, "STRONG") && !wp_step_has_text (step, "SM");
    case WP_SASS_ATOM:
    case WP_SASS_ATOMG:
      return adds_nothing (step);
    default:
      return FALSE;
    }
}

/* Whether STEP looks at a clock. */
static gboolean
is_clock (const WpStep *step)
{
  for (guint k = 0; k < step->instr->n_operands; k++)
    {
      const WpSassOperand *operand = &step->instr->operands[k];
      const gchar *name
          = operand->kind == WP_SASS_SPECIAL ? wp_sass_special_name (operand->number) : NULL;

      if (name != NULL
          && (g_str_has_prefix (name, "SR_CLOCK") || g_str_has_prefix (name, "SR_GLOBALTIMER")))
        return TRUE;
    }
  return FALSE;
}

static WpPoll
find_kind (const WpStep *step)
{
  return is_look (step)    ? WP_POLL_STORE
         : is_lock (step)  ? WP_POLL_LOCK
         : is_clock (step) ? WP_POLL_CLOCK
                           : WP_POLL_NONE;
}

/* Whether what STEP computes is the same each time if what it reads is. */
static gboolean
is_pure (const WpStep *step)
{
  switch (step->instr->op)
    {
    case WP_SASS_HFMA2: /* how constants are loaded, too */
    case WP_SASS_IADD:
    case WP_SASS_IADD3:
    case WP_SASS_IMAD:
    case WP_SASS_LDC:
    case WP_SASS_LDCU:
    case WP_SASS_LEA:
    case WP_SASS_LOP3:
    case WP_SASS_MOV:
    case WP_SASS_PRMT:
    case WP_SASS_R2UR:
    case WP_SASS_SEL:
    case WP_SASS_SHF:
    case WP_SASS_UIADD3:
    case WP_SASS_UIMAD:
    case WP_SASS_ULDC:
    case WP_SASS_ULEA:
    case WP_SASS_ULOP3:
    case WP_SASS_UMOV:
    case WP_SASS_USEL:
    case WP_SASS_USHF:
    case WP_SASS_VIADD:
      return TRUE;
    case WP_SASS_CS2R: /* of nothing: two zeros */
      return step->instr->n_operands == 2 && step->instr->operands[1].number == 255;
    default:
      return FALSE;
    }
}

/* ---- A loop ---- */

typedef struct
{
  const WpKernelCode *code;
  guint8 *body;       /* a byte for each step */
  guint32 first, end; /* all of it is in between */
} Loop;

/* What steps of LOOP write that are not computed from what is the same in all rounds, or that read
 * something of CHANGING. */
static Set
find_written (const Loop *loop, const Set *changing)
{
  Set written = { 0 };

  for (guint32 i = loop->first; i < loop->end; i++)
    if (loop->body[i])
      {
        const WpStep *step = &loop->code->steps[i];
        const Set reads = find_reads (step->instr), writes = find_writes (step->instr);

        if (!is_pure (step) || meet (&reads, changing))
          join (&written, &writes);
      }
  return written;
}

/* All that may change from one round to the next. */
static Set
find_changing (const Loop *loop)
{
  Set changing, next;

  memset (&next, 0xff, sizeof next);
  do
    {
      changing = next;
      next = find_written (loop, &changing);
    }
  while (memcmp (&next, &changing, sizeof next) != 0);
  return changing;
}

/* FROM, what depends on an answer before STEP, becomes what does so behind it; IS_ASKED: STEP gives
 * the answer. */
static void
pass_on (Set *from, const WpStep *step, gboolean is_asked)
{
  const Set reads = find_reads (step->instr), writes = find_writes (step->instr);

  if (is_asked || meet (&reads, from))
    join (from, &writes);
  else if (!step->is_predicated)
    leave_out (from, &writes);
}

/* Whether the answer of step ASKS decides who leaves LOOP: by what is computed from it, in the
 * order of the code, until it is overwritten, in this round or in the next. */
static gboolean
decides (const Loop *loop, guint32 asks)
{
  const WpKernelCode *code = loop->code;
  Set from = { 0 };

  for (guint round = 0; round < 3; round++)
    for (guint32 i = loop->first; i < loop->end; i++)
      if (loop->body[i])
        {
          const Set reads = find_reads (code->steps[i].instr);

          if (wp_loops_is_way_out (code, i, loop->body) && meet (&reads, &from))
            return TRUE;
          pass_on (&from, &code->steps[i], i == asks);
        }
  return FALSE;
}

/* Whether any step of LOOP but ASKS does more than compute, load and say where to go on. */
static gboolean
has_effects (const Loop *loop, guint32 asks)
{
  for (guint32 i = loop->first; i < loop->end; i++)
    if (loop->body[i] && i != asks
        && (loop->code->steps[i].is_effect || loop->code->steps[i].instr->op == WP_SASS_BAR))
      return TRUE;
  return FALSE;
}

/* Whether any step of LOOP asks a barrier in shared memory. */
static gboolean
asks_barrier (const Loop *loop)
{
  for (guint32 i = loop->first; i < loop->end; i++)
    if (loop->body[i]
        && (loop->code->steps[i].wait == WP_WAIT_CHECK
            || loop->code->steps[i].wait == WP_WAIT_TEST))
      return TRUE;
  return FALSE;
}

/* Whether LOOP waits by step ASKS. */
static gboolean
waits (const Loop *loop, guint32 asks)
{
  const WpPoll kind = find_kind (&loop->code->steps[asks]);
  const Set reads = find_reads (loop->code->steps[asks].instr);
  Set changing;

  if (!decides (loop, asks))
    return FALSE;
  if (kind == WP_POLL_CLOCK)
    return !asks_barrier (loop);
  if (kind == WP_POLL_STORE && has_effects (loop, asks))
    return FALSE;
  changing = find_changing (loop);
  return !meet (&reads, &changing);
}

/* Makes LOOP the one from HEAD that LAST closes. */
static void
enter_loop (Loop *loop, guint32 head, guint32 last)
{
  const WpKernelCode *code = loop->code;

  wp_loops_find_body (code, head, last, loop->body);
  for (loop->first = 0; !loop->body[loop->first]; loop->first++)
    ;
  for (loop->end = code->n_steps; !loop->body[loop->end - 1]; loop->end--)
    ;
}

/* The steps that may ask, and were executed, ascending; of guint32. */
static GArray *
find_askers (const WpExecResult *result)
{
  const WpKernelCode *code = result->code;
  GArray *askers = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autofree gdouble *counts = NULL;

  for (guint32 i = 0; i < code->n_steps; i++)
    if (find_kind (&code->steps[i]) != WP_POLL_NONE)
      {
        if (counts == NULL)
          counts = wp_trail_classes_count (result->classes);
        if (counts[i] > 0)
          g_array_append_val (askers, i);
      }
  return askers;
}

WpPoll
wp_polls_find (const WpExecResult *result, guint32 *index)
{
  const WpKernelCode *code = result->code;
  g_autoptr (GArray) askers = find_askers (result);
  g_autofree guint8 *body = g_new (guint8, code->n_steps + 1);
  Loop loop = { code, body, 0, 0 };
  guint n = askers->len; /* those before the first one that is known to wait */

  for (guint32 last = 0; n > 0 && last < code->n_steps; last++)
    {
      guint32 head;

      if (!wp_loops_close (code, last, &head))
        continue;
      enter_loop (&loop, head, last);
      for (guint k = 0; k < n; k++)
        if (body[g_array_index (askers, guint32, k)]
            && waits (&loop, g_array_index (askers, guint32, k)))
          n = k;
    }
  if (n == askers->len)
    return WP_POLL_NONE;
  *index = g_array_index (askers, guint32, n);
  return find_kind (&code->steps[*index]);
}
