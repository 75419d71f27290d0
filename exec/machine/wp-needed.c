/* SPDX-License-Identifier: MIT */
/* Backwards through the code, until nothing changes: the registers and predicates that are needed
 * before each step are those that it needs itself, and those needed after it that it does not set.
 * A step that only computes is needed where one of its results is. Of each kind of memory there is
 * one question: whether any load from it is needed; then all that is stored there is.
 *
 * Guards are always needed: they say which lanes an instruction is executed by. So are uniform
 * registers, of which one is shared by lanes that went different ways. */
#include "exec/machine/wp-needed.h"
#include "exec/machine/wp-ops.h"
#include "exec/machine/wp-ways.h"

#define MAX_STEPS (1u << 18) /* longer code is executed in full */
#define MAX_PASSES 200

/* Kinds of memory. */
#define IN_DEVICE 1u
#define IN_SHARED 2u
#define IN_LOCAL 4u
#define IN_TENSOR 8u
#define ANYWHERE (IN_DEVICE | IN_SHARED | IN_LOCAL)

typedef enum
{
  KIND_FULL,    /* all that it reads is needed */
  KIND_ANY,     /* ...and whatever memory holds */
  KIND_RESULT,  /* does nothing but write its destinations */
  KIND_SHUFFLE, /* executed in any case, its data if the result is needed */
  KIND_LOAD,
  KIND_STORE,
  KIND_COPY,    /* from one kind of memory to another */
  KIND_PRODUCT, /* a result of what is in registers and in shared memory */
  KIND_ATOMIC
} Kind;

#define ALL_PREDICATES 0x7fu

/* What is needed at a place: a bit for each register and each predicate. */
typedef struct
{
  guint64 r[4];
  guint8 p;
} Needs;

typedef struct
{
  WpKernelCode *code;
  Needs *before;             /* each step */
  Needs all;                 /* ...any of them: after a jump to where a register says */
  Needs returns;             /* ...any that is returned to */
  guint memory;              /* kinds of memory whose contents are needed */
  gboolean is_for_addresses; /* what does no more than say which way to go is not needed */
  gboolean has_changed;
} Search;

static Kind
find_kind (const WpStep *step)
{
  switch (step->instr->op)
    {
    case WP_SASS_BMMA:
    case WP_SASS_BMSK:
    case WP_SASS_BREV:
    case WP_SASS_DADD:
    case WP_SASS_DFMA:
    case WP_SASS_DMMA:
    case WP_SASS_DMNMX:
    case WP_SASS_DMUL:
    case WP_SASS_DSETP:
    case WP_SASS_F2F:
    case WP_SASS_F2FP:
    case WP_SASS_F2I:
    case WP_SASS_F2IP:
    case WP_SASS_FADD:
    case WP_SASS_FADD2:
    case WP_SASS_FCHK:
    case WP_SASS_FFMA:
    case WP_SASS_FFMA2:
    case WP_SASS_FHADD:
    case WP_SASS_FHFMA:
    case WP_SASS_FLO:
    case WP_SASS_FMNMX:
    case WP_SASS_FMNMX3:
    case WP_SASS_FMUL:
    case WP_SASS_FMUL2:
    case WP_SASS_FRND:
    case WP_SASS_FSEL:
    case WP_SASS_FSET:
    case WP_SASS_FSETP:
    case WP_SASS_HADD2:
    case WP_SASS_HADD2_32:
    case WP_SASS_HFMA2:
    case WP_SASS_HMMA:
    case WP_SASS_HMNMX2:
    case WP_SASS_HMUL2:
    case WP_SASS_HSET2:
    case WP_SASS_HSETP2:
    case WP_SASS_I2F:
    case WP_SASS_I2FP:
    case WP_SASS_I2I:
    case WP_SASS_I2IP:
    case WP_SASS_IABS:
    case WP_SASS_IADD:
    case WP_SASS_IADD3:
    case WP_SASS_IADD32I:
    case WP_SASS_IDP:
    case WP_SASS_IMAD:
    case WP_SASS_IMMA:
    case WP_SASS_IMNMX:
    case WP_SASS_IMNMX3:
    case WP_SASS_ISETP:
    case WP_SASS_LEA:
    case WP_SASS_LOP3:
    case WP_SASS_MOV:
    case WP_SASS_MOVM:
    case WP_SASS_MUFU:
    case WP_SASS_P2R:
    case WP_SASS_PLOP3:
    case WP_SASS_POPC:
    case WP_SASS_PRMT:
    case WP_SASS_QMMA:
    case WP_SASS_R2P:
    case WP_SASS_SEL:
    case WP_SASS_SGXT:
    case WP_SASS_SHF:
    case WP_SASS_SHL:
    case WP_SASS_SHR:
    case WP_SASS_VABSDIFF:
    case WP_SASS_VABSDIFF4:
    case WP_SASS_VIADD:
    case WP_SASS_VIADDMNMX:
    case WP_SASS_VIMNMX:
    case WP_SASS_VIMNMX3:
      return step->is_uniform || step->is_uniform_p ? KIND_FULL : KIND_RESULT;
    case WP_SASS_SHFL:
      return KIND_SHUFFLE;
    case WP_SASS_LD:
    case WP_SASS_LDG:
    case WP_SASS_LDL:
    case WP_SASS_LDS:
    case WP_SASS_LDSM:
    case WP_SASS_LDTM:
      return KIND_LOAD;
    case WP_SASS_ST:
    case WP_SASS_STG:
    case WP_SASS_STL:
    case WP_SASS_STS:
    case WP_SASS_STSM:
    case WP_SASS_STTM:
      return KIND_STORE;
    case WP_SASS_LDGSTS:
    case WP_SASS_UBLKCP:
    case WP_SASS_UBLKRED:
    case WP_SASS_UTCHMMA:
    case WP_SASS_UTCIMMA:
    case WP_SASS_UTCQMMA:
    case WP_SASS_UTMALDG:
    case WP_SASS_UTMAREDG:
    case WP_SASS_UTMASTG:
      return KIND_COPY;
    case WP_SASS_ATOM:
    case WP_SASS_ATOMG:
    case WP_SASS_ATOMS:
    case WP_SASS_RED:
    case WP_SASS_REDG:
      return KIND_ATOMIC;
    case WP_SASS_BGMMA:
    case WP_SASS_HGMMA:
    case WP_SASS_IGMMA:
    case WP_SASS_QGMMA:
      return KIND_PRODUCT;
    case WP_SASS_ARRIVES:
      return KIND_ANY;
    case WP_SASS_UTMACCTL: /* IV: of a map that the kernel has changed */
      return wp_step_has_text (step, "IV") ? KIND_ANY : KIND_FULL;
    default: /* control, what lanes tell one another, constants, uniform registers, ... */
      return KIND_FULL;
    }
}

/* The kinds of memory that STEP, no copy, accesses. Barriers in shared memory are no part of it:
 * nothing but SYNCS and UTCBAR has to do with them, which are always executed. */
static guint
find_memory (const WpStep *step)
{
  switch (step->instr->op)
    {
    case WP_SASS_ATOMS:
    case WP_SASS_LDS:
    case WP_SASS_LDSM:
    case WP_SASS_STS:
    case WP_SASS_STSM:
      return IN_SHARED;
    case WP_SASS_LDL:
    case WP_SASS_STL:
      return IN_LOCAL;
    case WP_SASS_LDTM:
    case WP_SASS_STTM:
      return IN_TENSOR;
    case WP_SASS_ATOM:
    case WP_SASS_LD:
    case WP_SASS_ST:
      return ANYWHERE;
    default:
      return IN_DEVICE;
    }
}

/* The kinds of memory that STEP, a copy, writes (a product into tensor memory is one, of what is in
 * shared memory, and there)... */
static guint
find_target (const WpStep *step)
{
  const WpSassInstr *instr = step->instr;

  if (wp_sass_is_tensor_product (step->instr))
    return IN_TENSOR;
  return instr->op == WP_SASS_LDGSTS || wp_sass_is_bulk_to_shared (instr) ? IN_SHARED : IN_DEVICE;
}

/* ...and reads. */
static guint
find_source (const WpStep *step)
{
  if (wp_sass_is_tensor_product (step->instr))
    return IN_SHARED | IN_TENSOR;
  return wp_sass_is_bulk_from_shared (step->instr) ? IN_SHARED : IN_DEVICE;
}

/* ---- Sets ---- */

static void
add_registers (Needs *needs, guint first, guint n)
{
  for (guint k = first; k < MIN (first + n, 255u); k++)
    needs->r[k / 64] |= (guint64)1 << k % 64;
}

static void
join (Needs *needs, const Needs *more)
{
  for (guint k = 0; k < G_N_ELEMENTS (needs->r); k++)
    needs->r[k] |= more->r[k];
  needs->p |= more->p;
}

static gboolean
are_equal (const Needs *a, const Needs *b)
{
  guint64 differ = a->p ^ b->p;

  for (guint k = 0; k < G_N_ELEMENTS (a->r); k++)
    differ |= a->r[k] ^ b->r[k];
  return differ == 0;
}

/* ---- What a step reads and writes ---- */

static void
add_predicate (Needs *needs, guint code)
{
  if (!(code & WP_P_UNIFORM))
    needs->p |= 1u << (code & 7);
}

/* The register of OPERAND as an address, or the two: those of shared memory, of a thread's own and
 * in a bank of constants have 32 bits. */
static void
add_address (Needs *needs, const WpStep *step, const WpSassOperand *operand)
{
  const gboolean is_narrow = operand->kind == WP_SASS_CONSTANT || operand->index_word == WP_WORD_U32
                             || find_memory (step) == IN_SHARED || find_memory (step) == IN_LOCAL
                             || (step->instr->op == WP_SASS_LDGSTS && step->data == operand);

  if ((operand->kind == WP_SASS_MEMORY || operand->kind == WP_SASS_CONSTANT)
      && operand->index != 255)
    add_registers (needs, operand->index, is_narrow ? 1 : 2);
}

static void
add_source (Needs *needs, const WpStep *step, guint k)
{
  const WpSource *source = &step->sources[k];

  if (source->from == WP_FROM_REGISTER && source->first >= WP_ROW_R0)
    add_registers (needs, source->first - WP_ROW_R0, source->n);
}

static void
add_addresses (Needs *needs, const WpStep *step)
{
  for (guint k = 0; k < step->instr->n_operands; k++)
    add_address (needs, step, &step->instr->operands[k]);
}

static void
add_predicates (Needs *needs, const WpStep *step)
{
  for (guint k = 0; k < step->n_predicates; k++)
    add_predicate (needs, step->source_p[k]);
}

/* All that STEP reads, as the decoder says and as the op does. */
static void
add_all (Needs *needs, const WpStep *step)
{
  add_addresses (needs, step);
  add_predicates (needs, step);
  for (guint k = 0; k < step->n_sources; k++)
    add_source (needs, step, k);
  for (guint k = 0; k < step->instr->n_operands; k++)
    {
      const WpSassOperand *operand = &step->instr->operands[k];

      if (operand->kind == WP_SASS_REGISTER && !operand->is_dest)
        add_registers (needs, operand->number, MAX (operand->n_registers, 1));
    }
  if (step->instr->op == WP_SASS_P2R)
    needs->p |= ALL_PREDICATES;
}

/* Sets RESULTS to what STEP writes. */
static void
find_results (const WpStep *step, Needs *results)
{
  *results = (Needs){ { 0 }, step->instr->op == WP_SASS_R2P ? ALL_PREDICATES : 0 };
  for (guint k = 0; k < step->instr->n_operands; k++)
    {
      const WpSassOperand *operand = &step->instr->operands[k];

      if (operand->is_dest && operand->kind == WP_SASS_REGISTER)
        add_registers (results, operand->number, operand->n_registers);
      else if (operand->is_dest && operand->kind == WP_SASS_PREDICATE && operand->number != WP_PT)
        results->p |= 1u << operand->number;
    }
}

static gboolean
has_any_of (const Needs *needs, const Needs *results)
{
  guint64 any = needs->p & results->p;

  for (guint k = 0; k < G_N_ELEMENTS (needs->r); k++)
    any |= needs->r[k] & results->r[k];
  return any != 0;
}

/* Takes from NEEDS the RESULTS that each thread which executes STEP sets. R2P sets some of the
 * predicates, and there are ops that add to theirs. */
static void
take_results (Needs *needs, const WpStep *step, const Needs *results, Kind kind)
{
  if (step->is_predicated || step->is_control)
    return;
  for (guint k = 0; k < G_N_ELEMENTS (needs->r); k++)
    needs->r[k] &= ~results->r[k];
  if (kind != KIND_FULL && kind != KIND_ANY && step->instr->op != WP_SASS_R2P)
    needs->p &= ~results->p;
}

/* ---- The search ---- */

static void
need_memory (Search *search, guint kinds)
{
  search->has_changed |= (kinds & ~search->memory) != 0;
  search->memory |= kinds;
}

/* Whether STEP has to be executed with its data, where AFTER is needed after it. */
static gboolean
needs_data (const Search *search, const WpStep *step, Kind kind, const Needs *after,
            const Needs *results)
{
  const gboolean is_read = (search->memory & find_memory (step)) != 0;

  switch (kind)
    {
    case KIND_STORE:
      return is_read;
    case KIND_COPY:
      return (search->memory & find_target (step)) != 0;
    case KIND_ATOMIC:
      return is_read || has_any_of (after, results);
    case KIND_RESULT:
    case KIND_PRODUCT:
    case KIND_SHUFFLE:
    case KIND_LOAD:
      return has_any_of (after, results);
    default:
      return TRUE;
    }
}

/* Adds what STEP needs to NEEDS, WITH_DATA or without. */
static void
add_needs (const Search *search, Needs *needs, const WpStep *step, Kind kind, gboolean with_data)
{
  if (search->is_for_addresses && step->is_control)
    return;
  if (step->is_predicated && (!search->is_for_addresses || (step->is_merge && with_data)))
    add_predicate (needs, step->guard);
  if (with_data)
    {
      add_all (needs, step);
      return;
    }
  if (kind == KIND_RESULT || kind == KIND_PRODUCT)
    return;
  add_addresses (needs, step);
  add_predicates (needs, step);
  for (guint k = 1; kind == KIND_SHUFFLE && k < step->n_sources; k++)
    add_source (needs, step, k); /* which lanes; the first one is the data */
}

/* What is needed after step K. */
static Needs
find_after (const Search *search, guint k)
{
  const WpStep *step = &search->code->steps[k];
  Needs after = { { 0 }, 0 };

  if (k + 1 < search->code->n_steps && !wp_step_always_leaves (step))
    after = search->before[k + 1];
  if (step->is_control && step->mode[3] == WP_STEP_HAS_TARGET)
    join (&after, &search->before[step->value]);
  if (wp_step_jumps_anywhere (step))
    join (&after, step->instr->op == WP_SASS_RET ? &search->returns : &search->all);
  return after;
}

/* What is needed before step K is NEEDS. */
static void
set_before (Search *search, guint k, const Needs *needs)
{
  if (are_equal (needs, &search->before[k]))
    return;
  search->before[k] = *needs;
  join (&search->all, needs);
  if (search->code->steps[k].is_return)
    join (&search->returns, needs);
  search->has_changed = TRUE;
}

static gboolean
visit (Search *search, guint k)
{
  const WpStep *step = &search->code->steps[k];
  const Kind kind = find_kind (step);
  const Needs after = find_after (search, k);
  Needs before = after, results;
  gboolean with_data;

  find_results (step, &results);
  with_data = needs_data (search, step, kind, &after, &results);
  if (kind == KIND_ANY && !search->is_for_addresses)
    need_memory (search, ANYWHERE);
  if (kind == KIND_COPY && with_data)
    need_memory (search, find_source (step));
  if (kind == KIND_PRODUCT && with_data)
    need_memory (search, IN_SHARED);
  if ((kind == KIND_LOAD || kind == KIND_ATOMIC) && has_any_of (&after, &results))
    need_memory (search, find_memory (step));
  take_results (&before, step, &results, kind);
  add_needs (search, &before, step, kind, with_data);
  set_before (search, k, &before);
  return with_data;
}

/* ---- What is left of the steps ---- */

static WpStepRun
find_lean (const WpStep *step, gboolean with_data)
{
  const Kind kind = find_kind (step);

  if (with_data || (step->lean == NULL && kind != KIND_RESULT && kind != KIND_PRODUCT))
    return step->run;
  return step->lean;
}

/* FALSE: nothing of them can be left out. */
static gboolean
set_lean (Search *search)
{
  WpKernelCode *code = search->code;
  guint32 next = code->n_steps;
  gboolean is_less = FALSE;

  for (guint k = code->n_steps; k-- > 0;)
    {
      WpStep *step = &code->steps[k];

      step->lean = find_lean (step, visit (search, k));
      step->skip = next - k;
      is_less |= step->lean != step->run;
      if (step->lean != NULL)
        next = k;
    }
  return is_less;
}

/* Until nothing changes; FALSE: that takes too long. */
static gboolean
settle (Search *search)
{
  search->has_changed = TRUE;
  for (guint pass = 0; search->has_changed && pass < MAX_PASSES; pass++)
    {
      search->has_changed = FALSE;
      for (guint k = search->code->n_steps; k-- > 0;)
        visit (search, k);
    }
  return !search->has_changed;
}

/* ---- For addresses ---- */

#define MOST_AHEAD 64

#define GUARD_BIT(step) (1u << ((step)->guard & 15))

/* The guards, with and without "not", that mean another thing after STEP: bits of GUARD_BIT(). */
static guint32
find_changed (const WpStep *step)
{
  guint32 changed = 0;

  if (!step->is_uniform_p && step->dest_p < WP_PT)
    changed |= 1u << step->dest_p;
  if (!step->is_uniform_p && step->dest_p2 < WP_PT)
    changed |= 1u << step->dest_p2;
  return changed | changed << WP_P_NOT;
}

/* The registers that step K reads, but for those that were written right before it with the same
 * guard. */
static Needs
find_exposed (const WpKernelCode *code, guint k)
{
  const WpStep *step = &code->steps[k];
  Needs read = { { 0 }, 0 };

  add_all (&read, step);
  for (guint i = k; step->is_predicated && i-- > 0 && i + MOST_AHEAD > k;)
    {
      const WpStep *before = &code->steps[i];
      Needs results;

      if (before->is_control || (find_changed (before) & GUARD_BIT (step)) != 0)
        break;
      find_results (before, &results);
      for (guint n = 0; before->guard == step->guard && n < G_N_ELEMENTS (read.r); n++)
        read.r[n] &= ~results.r[n];
    }
  return read;
}

/* Sets `before` of LIVES to the registers that are read, in this sense, before they are written in
 * all lanes. FALSE: that takes too long. */
static gboolean
find_lives (Search *lives)
{
  const guint n = lives->code->n_steps;
  g_autofree Needs *exposed = g_new (Needs, n + 1);

  for (guint k = 0; k < n; k++)
    exposed[k] = find_exposed (lives->code, k);
  lives->has_changed = TRUE;
  for (guint pass = 0; lives->has_changed && pass < MAX_PASSES; pass++)
    {
      lives->has_changed = FALSE;
      for (guint k = n; k-- > 0;)
        {
          Needs before = find_after (lives, k), results;

          find_results (&lives->code->steps[k], &results);
          take_results (&before, &lives->code->steps[k], &results, KIND_RESULT);
          join (&before, &exposed[k]);
          set_before (lives, k, &before);
        }
    }
  return !lives->has_changed;
}

/* Whether what step K writes, which has a guard, is read where the guard may be another. */
static gboolean
is_merge (const Search *lives, guint k)
{
  const WpKernelCode *code = lives->code;
  guint32 guards = GUARD_BIT (&code->steps[k]); /* ...with which it was written, or anew since */
  Needs written;

  find_results (&code->steps[k], &written);
  for (guint j = k + 1; j < MIN (k + MOST_AHEAD, code->n_steps); j++)
    {
      const WpStep *next = &code->steps[j];
      Needs read = { { 0 }, 0 }, results;

      if (next->is_control)
        {
          const Needs after = find_after (lives, j);

          return has_any_of (&after, &written);
        }
      add_all (&read, next);
      find_results (next, &results);
      if (has_any_of (&read, &written)
          && !(next->is_predicated && (guards & GUARD_BIT (next)) != 0))
        return TRUE;
      if (has_any_of (&results, &written))
        {
          if (!next->is_predicated)
            return FALSE;
          guards |= GUARD_BIT (next);
        }
      guards &= ~find_changed (next);
    }
  return FALSE;
}

static void
mark_merges (WpKernelCode *code)
{
  Search lives = { .code = code };

  lives.before = g_new0 (Needs, code->n_steps);
  if (find_lives (&lives))
    for (guint k = 0; k < code->n_steps; k++)
      {
        WpStep *step = &code->steps[k];

        step->is_merge = step->is_predicated && !step->is_control && !step->is_effect
                         && !step->is_uniform && step->dest != WP_ROW_SINK && is_merge (&lives, k);
      }
  g_free (lives.before);
}

/* Which steps with a guard leave one of two values, which their guard says, and which loads no
 * address depends on. */
static void
mark (WpKernelCode *code)
{
  Search search = { .code = code, .is_for_addresses = TRUE };

  mark_merges (code);
  search.before = g_new0 (Needs, code->n_steps);
  if (settle (&search))
    for (guint k = code->n_steps; k-- > 0;)
      {
        const Kind kind = find_kind (&code->steps[k]);

        code->steps[k].is_data = (kind == KIND_LOAD || kind == KIND_COPY) && !visit (&search, k);
      }
  g_free (search.before);
}

void
wp_needed_find (WpKernelCode *code, gboolean memory_is_kept)
{
  Search search = { .code = code, .memory = memory_is_kept ? IN_DEVICE : 0 };
  const WpCodePart *last = &g_array_index (code->parts, WpCodePart, code->parts->len - 1);

  if (code->n_steps > MAX_STEPS)
    return;
  wp_ways_mark_returns (code);
  mark (code);
  if (code->has_loaded_barriers || code->is_cooperative || (last->function < 0 && last->n > 0))
    return;
  search.before = g_new0 (Needs, code->n_steps);
  code->is_lean = settle (&search) && set_lean (&search);
  g_free (search.before);
}
