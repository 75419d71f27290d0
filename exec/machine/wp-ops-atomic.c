/* SPDX-License-Identifier: MIT */
/* Atomics: ATOM on generic addresses, ATOMG and RED (REDG) on device memory, ATOMS on shared one.
 * Lanes act one after the other, the lowest first. What they do is in the PTX ISA, "atom" and
 * "red". Where a value is not known, what it is combined with is not known either. */
#include <math.h>
#include <string.h>

#include "exec/machine/wp-address.h"

/* mode[] */
enum
{
  BYTES, /* of a lane, all elements together */
  FLAGS,
  OPERATION,
  PART /* bytes of an element: 4 or 8 */
};

/* FLAGS */
#define IS_WIDE 1u     /* addresses of 64 bits */
#define IS_TEST 2u     /* CAST: says whether it was equal, and not what was there */
#define IS_COUNT 4u    /* POPC.INC: one for each lane, without data */
#define IS_REPLACED 8u /* what was there does not matter */
#define HAS_SHARED 16u /* generic: lanes in shared memory are served, too */
#define IS_CAS 32u

/* ---- Whole numbers ---- */

static guint64
do_add (guint64 old, const guint64 operands[2])
{
  return old + operands[0];
}

static guint64
do_min (guint64 old, const guint64 operands[2])
{
  return MIN (old, operands[0]);
}

static guint64
do_max (guint64 old, const guint64 operands[2])
{
  return MAX (old, operands[0]);
}

static guint64
do_min_s32 (guint64 old, const guint64 operands[2])
{
  return (gint32)old < (gint32)operands[0] ? old : operands[0];
}

static guint64
do_max_s32 (guint64 old, const guint64 operands[2])
{
  return (gint32)old > (gint32)operands[0] ? old : operands[0];
}

static guint64
do_min_s64 (guint64 old, const guint64 operands[2])
{
  return (gint64)old < (gint64)operands[0] ? old : operands[0];
}

static guint64
do_max_s64 (guint64 old, const guint64 operands[2])
{
  return (gint64)old > (gint64)operands[0] ? old : operands[0];
}

static guint64
do_and (guint64 old, const guint64 operands[2])
{
  return old & operands[0];
}

static guint64
do_or (guint64 old, const guint64 operands[2])
{
  return old | operands[0];
}

static guint64
do_xor (guint64 old, const guint64 operands[2])
{
  return old ^ operands[0];
}

static guint64
do_inc (guint64 old, const guint64 operands[2])
{
  return old >= operands[0] ? 0 : old + 1;
}

static guint64
do_dec (guint64 old, const guint64 operands[2])
{
  return old == 0 || old > operands[0] ? operands[0] : old - 1;
}

static guint64
do_exch (guint64 old, const guint64 operands[2])
{
  (void)old;
  return operands[0];
}

static guint64
do_cas (guint64 old, const guint64 operands[2])
{
  return old == operands[0] ? operands[1] : old;
}

static guint64
do_load (guint64 old, const guint64 operands[2])
{
  (void)operands;
  return old;
}

/* ---- Floating point ---- */

static gfloat
get_single (guint64 bits)
{
  const guint32 low = (guint32)bits;
  gfloat value;

  memcpy (&value, &low, sizeof value);
  return value;
}

static guint64
get_single_bits (gfloat value)
{
  guint32 bits;

  memcpy (&bits, &value, sizeof bits);
  return isnan (value) ? 0x7fffffffu : bits;
}

static gfloat
flush (gfloat value)
{
  return fpclassify (value) == FP_SUBNORMAL ? copysignf (0, value) : value;
}

static guint64
do_add_f32 (guint64 old, const guint64 operands[2])
{
  return get_single_bits (get_single (old) + get_single (operands[0]));
}

static guint64
do_add_f32_ftz (guint64 old, const guint64 operands[2])
{
  return get_single_bits (flush (flush (get_single (old)) + flush (get_single (operands[0]))));
}

static guint64
do_add_f64 (guint64 old, const guint64 operands[2])
{
  gdouble left, right;
  guint64 bits;

  memcpy (&left, &old, sizeof left);
  memcpy (&right, &operands[0], sizeof right);
  left += right;
  memcpy (&bits, &left, sizeof bits);
  return isnan (left) ? G_GUINT64_CONSTANT (0xfff8000000000000) : bits;
}

/* Combines the two halves of words of type ELEMENT: ORDER 0 adds, -1 takes the lesser, 1 the
 * greater. Sums of two halves are exact in double precision, or are rounded to where no half of
 * a last place can arise, so that they are rounded once. */
static guint64
combine_halves (guint64 old, guint64 operand, WpElement element, gint order)
{
  guint64 bits = 0;

  for (guint half = 0; half < 32; half += 16)
    {
      gdouble left = wp_element_get_value (element, old >> half & 0xffff);
      gdouble right = wp_element_get_value (element, operand >> half & 0xffff);
      gdouble value = order == 0  ? left + right
                      : order < 0 ? fmin (left, right)
                                  : fmax (left, right);

      bits |= (isnan (value) ? 0x7fffu : wp_element_round (element, value)) << half;
    }
  return bits;
}

#define HALVES(name, element, order)                                                               \
  static guint64 name (guint64 old, const guint64 operands[2])                                     \
  {                                                                                                \
    return combine_halves (old, operands[0], element, order);                                      \
  }
HALVES (do_add_f16, WP_ELEMENT_F16, 0)
HALVES (do_min_f16, WP_ELEMENT_F16, -1)
HALVES (do_max_f16, WP_ELEMENT_F16, 1)
HALVES (do_add_bf16, WP_ELEMENT_BF16, 0)
HALVES (do_min_bf16, WP_ELEMENT_BF16, -1)
HALVES (do_max_bf16, WP_ELEMENT_BF16, 1)
#undef HALVES

/* ---- Which one ---- */

typedef enum
{
  TYPE_U32,
  TYPE_S32,
  TYPE_U64,
  TYPE_S64,
  TYPE_F32,
  TYPE_F32_FTZ,
  TYPE_F64,
  TYPE_F16,
  TYPE_BF16,
  N_TYPES
} Type;

/* By the word of the operation; a type that has none of its own is NULL. */
typedef struct
{
  const gchar *word;
  WpModify by_type[N_TYPES];
} Operation;

#define ALL_WHOLE(f) [TYPE_U32] = (f), [TYPE_S32] = (f), [TYPE_U64] = (f), [TYPE_S64] = (f)
#define ALL_TYPES(f) ALL_WHOLE (f), [TYPE_F32] = (f), [TYPE_F32_FTZ] = (f), [TYPE_F64] = (f)

static const Operation operations[] = {
  { "ADD",
    { ALL_WHOLE (do_add), [TYPE_F32] = do_add_f32, [TYPE_F32_FTZ] = do_add_f32_ftz,
      [TYPE_F64] = do_add_f64, [TYPE_F16] = do_add_f16, [TYPE_BF16] = do_add_bf16 } },
  { "MIN",
    { do_min, do_min_s32, do_min,
      do_min_s64, [TYPE_F16] = do_min_f16, [TYPE_BF16] = do_min_bf16 } },
  { "MAX",
    { do_max, do_max_s32, do_max,
      do_max_s64, [TYPE_F16] = do_max_f16, [TYPE_BF16] = do_max_bf16 } },
  { "AND", { ALL_WHOLE (do_and) } },
  { "OR", { ALL_WHOLE (do_or) } },
  { "XOR", { ALL_WHOLE (do_xor) } },
  { "POPC", { ALL_WHOLE (do_add) } },
  { "INC", { ALL_WHOLE (do_inc) } },
  { "DEC", { ALL_WHOLE (do_dec) } },
  { "EXCH", { ALL_TYPES (do_exch) } },
  { "CAST", { ALL_WHOLE (do_cas) } },
  { "CAS", { ALL_WHOLE (do_cas) } },
};

/* The types of words after the op; BYTES are those of a lane. */
static const struct
{
  const gchar *word;
  Type type;
  guint bytes;
} types[] = {
  { "S32", TYPE_S32, 4 },      { "U32", TYPE_U32, 4 },     { "S64", TYPE_S64, 8 },
  { "U64", TYPE_U64, 8 },      { "64", TYPE_U64, 8 },      { "128", TYPE_U64, 16 },
  { "F32", TYPE_F32, 4 },      { "F32x2", TYPE_F32, 8 },   { "F32x4", TYPE_F32, 16 },
  { "F64", TYPE_F64, 8 },      { "F16x2", TYPE_F16, 4 },   { "F16x4", TYPE_F16, 8 },
  { "F16x8", TYPE_F16, 16 },   { "BF16x2", TYPE_BF16, 4 }, { "BF16x4", TYPE_BF16, 8 },
  { "BF16x8", TYPE_BF16, 16 },
};

static guint
get_part (Type type)
{
  return type == TYPE_U64 || type == TYPE_S64 || type == TYPE_F64 ? 8 : 4;
}

static WpModify
get_modify (const WpStep *step)
{
  return operations[step->mode[OPERATION] >> 8].by_type[step->mode[OPERATION] & 0xff];
}

/* ---- What a lane does ---- */

/* The data of STEP: operand rows of LANE as one number of PART bytes, from word WORD on. */
typedef struct
{
  const WpSource *sources[2]; /* NULL: none */
  guint32 unknown[2];
  WpTag tag;
} Operands;

static guint64
get_word (const WpWarp *warp, const WpSource *source, guint word, guint lane)
{
  if (source->from == WP_FROM_REGISTER)
    return warp->r[source->first + word][lane];
  if (source->from == WP_FROM_UNIFORM)
    return warp->ur[source->first + word];
  return source->row->lanes[MIN (word, 1)][lane];
}

static guint64
get_number (const WpWarp *warp, const WpSource *source, guint word, guint bytes, guint lane)
{
  guint64 value = get_word (warp, source, word, lane);

  return bytes == 8 ? value | get_word (warp, source, word + 1, lane) << 32 : value;
}

/* Where an access goes: device memory, or shared memory. */
static gboolean
modify (WpWarp *warp, WpSpace space, guint64 address, WpModification *modification, WpFault *fault)
{
  WpShared shared;

  if (space == WP_SPACE_GLOBAL)
    return wp_memory_modify (warp->block->grid->memory, address, modification, fault);
  shared = wp_warp_shared (warp);
  modification->old_source = WP_TAG_SOURCE (warp->block->shared_tag);
  if (modification->is_unknown && modification->source != 0)
    warp->block->shared_tag = WP_TAG (modification->source, 0);
  return wp_shared_modify (&shared, (guint32)address, modification, fault);
}

/* What the lanes leave: as rows of the destination. */
typedef struct
{
  guint32 rows[4][WP_LANES];
  guint32 unknown[4];
  guint8 source;
} Results;

static void
set_result (Results *results, guint word, guint lane, guint part, const WpModification *m)
{
  for (guint k = 0; k < part / 4; k++)
    {
      results->rows[word + k][lane] = (guint32)(m->old >> 32 * k);
      results->unknown[word + k] |= (guint32)(m->old_unknown != 0) << lane;
    }
  if (m->old_unknown)
    results->source = m->old_source;
}

/* Fills in what LANE combines with the element from word WORD on. */
static void
fill_modification (const WpWarp *warp, const WpStep *step, const Operands *operands, guint word,
                   guint lane, WpModification *m)
{
  memset (m, 0, sizeof *m);
  m->bytes = step->mode[PART];
  m->modify = get_modify (step);
  m->replaces = (step->mode[FLAGS] & IS_REPLACED) != 0;
  m->source = WP_TAG_SOURCE (operands->tag);
  m->operands[0] = 1; /* IS_COUNT */
  for (guint i = 0; i < 2; i++)
    if (operands->sources[i] != NULL)
      {
        m->operands[i] = get_number (warp, operands->sources[i], word, m->bytes, lane);
        m->is_unknown |= operands->unknown[i] >> lane & 1;
      }
}

/* CAST: whether what was there is what was expected. Where that is not known it is taken to be: the
 * loop around it, which the compiler made of one atomic, ends, and what is there is not known. */
static void
make_test (WpModification *m)
{
  if (m->old_unknown || m->is_unknown)
    m->old = 1;
  else
    m->old = m->old == m->operands[0];
  m->old_unknown = FALSE;
}

static gboolean
act (WpWarp *warp, const WpStep *step, WpSpace space, guint64 address, guint lane,
     const Operands *operands, Results *results, WpFault *fault)
{
  const guint part = step->mode[PART];

  fault->lane = lane;
  if ((address & (step->mode[BYTES] - 1)) != 0)
    {
      fault->kind = WP_FAULT_MISALIGNED;
      fault->address = address;
      fault->bytes = step->mode[BYTES];
      return FALSE;
    }
  for (guint at = 0; at < step->mode[BYTES]; at += part)
    {
      WpModification m;

      fill_modification (warp, step, operands, at / 4, lane, &m);
      if (!modify (warp, space, address + at, &m, fault))
        return FALSE;
      if (step->mode[FLAGS] & IS_TEST)
        make_test (&m);
      set_result (results, at / 4, lane, part, &m);
    }
  return TRUE;
}

/* Compares and swaps 16 bytes: reads both halves, then writes both. Launches with such run on one
 * thread. */
static gboolean
act_cas_128 (WpWarp *warp, const WpStep *step, guint64 address, guint lane,
             const Operands *operands, Results *results, WpFault *fault)
{
  WpModification m[2];
  gboolean is_unknown = FALSE, is_equal = TRUE;

  fault->lane = lane;
  for (guint i = 0; i < 2; i++)
    {
      fill_modification (warp, step, operands, 2 * i, lane, &m[i]);
      is_unknown |= m[i].is_unknown;
      m[i].modify = do_load;
      m[i].is_unknown = FALSE;
      if (!modify (warp, WP_SPACE_GLOBAL, address + 8 * i, &m[i], fault))
        return FALSE;
      set_result (results, 2 * i, lane, 8, &m[i]);
      is_unknown |= m[i].old_unknown;
      is_equal &= m[i].old == m[i].operands[0];
    }
  for (guint i = 0; i < 2 && (is_equal || is_unknown); i++)
    {
      m[i].modify = do_exch;
      m[i].operands[0] = m[i].operands[1];
      m[i].replaces = TRUE;
      m[i].is_unknown = is_unknown;
      modify (warp, WP_SPACE_GLOBAL, address + 8 * i, &m[i], fault);
    }
  return TRUE;
}

/* ---- What the warp does ---- */

static void
get_operands (const WpWarp *warp, const WpStep *step, Operands *operands)
{
  const guint first = step->mode[FLAGS] & IS_CAS ? 2 : 1;

  memset (operands, 0, sizeof *operands);
  if (step->mode[FLAGS] & IS_COUNT)
    return;
  for (guint i = 0; i < first; i++)
    {
      const WpSource *source = &step->sources[step->n_sources - first + i];

      operands->sources[i] = source;
      for (guint word = 0; word < MAX (1, step->mode[BYTES] / 4); word++)
        operands->unknown[i]
            |= wp_unknown_word (warp, source, source->from == WP_FROM_ROW ? MIN (word, 1) : word);
      operands->tag = wp_tag_join (operands->tag, wp_tag (warp, source));
    }
}

/* Lanes of shared memory act in as many passes as a bank has lanes to serve; those that only count
 * (POPC.INC) as many as it has words. */
static guint
count_passes (const WpStep *step, const WpAddresses *addresses, guint32 mask)
{
  guint32 lanes[WP_LANES];
  guint8 n[32] = { 0 };
  guint most = 0;

  for (guint lane = 0; lane < WP_LANES; lane++)
    lanes[lane] = (guint32)addresses->lanes[lane];
  if (step->mode[FLAGS] & IS_COUNT)
    return wp_shared_wavefronts (lanes, mask, step->mode[BYTES]);
  for (guint lane = 0; lane < WP_LANES; lane++)
    if (mask >> lane & 1)
      most = MAX (most, ++n[lanes[lane] / 4 % 32]);
  return most * MAX (1, step->mode[BYTES] / 4);
}

static void
log_atomic (WpWarp *warp, const WpStep *step, WpSpace space, const WpAddresses *addresses,
            guint32 mask)
{
  const WpAccess access = { .is_write = TRUE, .is_atomic = TRUE };

  if (space == WP_SPACE_SHARED)
    wp_warp_log_shared (warp, step, TRUE, TRUE, count_passes (step, addresses, mask));
  else
    wp_warp_log (warp, step, space, addresses, mask, step->mode[BYTES], access);
}

/* The lanes in MASK of SPACE, all together. */
static gboolean
act_all (WpWarp *warp, const WpStep *step, WpSpace space, WpAddresses *addresses, guint32 mask,
         Results *results)
{
  const gboolean is_cas_128 = (step->mode[FLAGS] & IS_CAS) != 0 && step->mode[BYTES] == 16;
  WpFault fault = { WP_FAULT_NONE, 0, 0, 0 };
  Operands operands;

  if (mask == 0)
    return TRUE;
  get_operands (warp, step, &operands);
  for (guint32 left = mask & ~addresses->unknown; left != 0; left &= left - 1)
    {
      const guint lane = (guint)__builtin_ctz (left);
      const guint64 address = addresses->lanes[lane];

      if (is_cas_128 && space == WP_SPACE_GLOBAL
              ? !act_cas_128 (warp, step, address, lane, &operands, results, &fault)
              : !act (warp, step, space, address, lane, &operands, results, &fault))
        {
          wp_warp_fail_access (warp, step, space, &fault);
          return FALSE;
        }
    }
  if (space == WP_SPACE_SHARED)
    wp_addresses_settle_within (warp, step, addresses, mask, step->mode[BYTES],
                                warp->block->grid->shared_bytes);
  else
    wp_addresses_settle (warp, step, addresses, mask, step->mode[BYTES]);
  for (guint k = 0; k < 4; k++)
    results->unknown[k] |= addresses->unknown & mask;
  if ((addresses->unknown & mask) != 0)
    results->source = WP_TAG_SOURCE (addresses->tag);
  log_atomic (warp, step, space, addresses, mask);
  return TRUE;
}

/* Writes what was there, or what CAST says, to the destination. */
static void
put_results (WpWarp *warp, const WpStep *step, guint32 mask, const Results *results)
{
  const WpTag tag = WP_TAG (results->source, 0);
  const gboolean is_test = (step->mode[FLAGS] & IS_TEST) != 0;

  if (is_test && step->dest_p != WP_P_SINK)
    {
      guint32 holds = 0;

      for (guint lane = 0; lane < WP_LANES; lane++)
        holds |= (results->rows[0][lane] & 1) << lane;
      wp_put_predicate (warp, step->dest_p, holds, mask, 0, 0);
    }
  for (guint k = 0; step->dest != WP_ROW_SINK && k < MAX (1, step->mode[BYTES] / 4); k++)
    wp_put (warp, step->dest + k, results->rows[k], mask, results->unknown[k],
            results->unknown[k] & mask ? tag : 0);
}

static void
run_atomic (WpWarp *warp, const WpStep *step, guint32 mask)
{
  const WpSpace space = step->instr->op == WP_SASS_ATOMS ? WP_SPACE_SHARED : WP_SPACE_GLOBAL;
  Results results = { 0 };
  WpAddresses addresses;

  wp_addresses_get (warp, step->data, (step->mode[FLAGS] & IS_WIDE) != 0, &addresses);
  if (act_all (warp, step, space, &addresses, mask, &results))
    put_results (warp, step, mask, &results);
}

/* On generic addresses. Of operations that shared memory does not have, the predicate says for
 * which lanes nothing was done. */
static void
run_atomic_generic (WpWarp *warp, const WpStep *step, guint32 mask)
{
  const gboolean is_asked = step->dest_p != WP_P_SINK;
  Results results = { 0 };
  guint32 shared, local;
  WpAddresses addresses;

  wp_addresses_get (warp, step->data, TRUE, &addresses);
  shared = wp_addresses_take (warp, &addresses, mask, WP_SPACE_SHARED);
  local = wp_addresses_take (warp, &addresses, mask & ~shared, WP_SPACE_LOCAL);
  if (local != 0 && !is_asked)
    {
      wp_warp_fail (warp, step, (guint)__builtin_ctz (local),
                    "an atomic on local memory; it works on device and shared memory alone");
      return;
    }
  if (!act_all (warp, step, WP_SPACE_GLOBAL, &addresses, mask & ~shared & ~local, &results)
      || (!is_asked && !act_all (warp, step, WP_SPACE_SHARED, &addresses, shared, &results)))
    return;
  put_results (warp, step, is_asked ? mask & ~shared & ~local : mask, &results);
  if (is_asked)
    wp_put_predicate (warp, step->dest_p, ~(shared | local), mask, 0, 0);
}

/* ---- Preparing ---- */

static Type
get_type (const WpStep *step, guint *bytes)
{
  *bytes = 4;
  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    if (wp_step_has_text (step, types[i].word))
      {
        *bytes = types[i].bytes;
        return types[i].type == TYPE_F32 && wp_step_has (step, WP_WORD_FTZ) ? TYPE_F32_FTZ
                                                                            : types[i].type;
      }
  return TYPE_U32;
}

static void
set_flags (WpStep *step, const gchar *operation)
{
  guint32 *flags = &step->mode[FLAGS];

  if (step->instr->op != WP_SASS_ATOMS && wp_step_has (step, WP_WORD_E))
    *flags |= IS_WIDE;
  if (strcmp (operation, "CAST") == 0)
    *flags |= IS_TEST | IS_CAS;
  if (strcmp (operation, "CAS") == 0)
    *flags |= IS_CAS;
  if (strcmp (operation, "POPC") == 0)
    *flags |= IS_COUNT;
  if (strcmp (operation, "EXCH") == 0)
    *flags |= IS_REPLACED;
}

static gboolean
prepare_atomic (WpStep *step, gchar **problem)
{
  guint bytes, number = 0, needed;
  const Type type = get_type (step, &bytes);

  while (number < G_N_ELEMENTS (operations) && !wp_step_has_text (step, operations[number].word))
    number++;
  step->data = wp_step_get_memory (step, 0);
  if (number == G_N_ELEMENTS (operations) || operations[number].by_type[type] == NULL
      || step->data == NULL)
    return wp_step_refuse (step, problem);
  step->mode[BYTES] = bytes;
  step->mode[PART] = get_part (type);
  step->mode[OPERATION] = number << 8 | type;
  set_flags (step, operations[number].word);
  needed = step->mode[FLAGS] & IS_COUNT ? 0 : step->mode[FLAGS] & IS_CAS ? 2 : 1;
  step->run = step->instr->op == WP_SASS_ATOM ? run_atomic_generic : run_atomic;
  step->is_effect = TRUE;
  return step->n_sources >= needed || wp_step_refuse (step, problem);
}

const WpOpRule wp_rules_atomic[] = {
  { WP_SASS_ATOM, prepare_atomic },  { WP_SASS_ATOMG, prepare_atomic },
  { WP_SASS_ATOMS, prepare_atomic }, { WP_SASS_RED, prepare_atomic },
  { WP_SASS_REDG, prepare_atomic },  { WP_SASS_NO_OP, NULL },
};
