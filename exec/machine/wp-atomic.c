/* SPDX-License-Identifier: MIT */
/* What atomics compute, of each type: PTX ISA, "atom" and "red". */
#include "exec/machine/wp-atomic.h"

#include <math.h>
#include <string.h>

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

guint64
wp_atomic_exchange (guint64 old, const guint64 operands[2])
{
  (void)old;
  return operands[0];
}

static guint64
do_cas (guint64 old, const guint64 operands[2])
{
  return old == operands[0] ? operands[1] : old;
}

guint64
wp_atomic_load (guint64 old, const guint64 operands[2])
{
  (void)operands;
  return old;
}

/* ---- Barriers in shared memory ---- */

#define COUNT_90 G_GUINT64_CONSTANT (0xfffff)  /* the bits of a count from sm_90 on */
#define BYTES_90 G_GUINT64_CONSTANT (0x3fffff) /* ...and of a count of bytes, signed */
#define BYTES_AT_90 21

/* An arrival at an mbarrier of sm_80, as compilers lay it out: the high word counts from -expected
 * up to 0, and its carry is the phase, bit 31; the low word has -expected again, of 30 bits. */
static guint64
do_arrive (guint64 old, const guint64 operands[2])
{
  const guint32 low = (guint32)old, before = (guint32)(old >> 32);
  guint32 after = before + (guint32)operands[0];

  if (((before ^ after) & 0x80000000u) != 0)
    after = (after & 0x80000000u) | 0x40000000u | (low & 0x3fffffffu);
  return (guint64)after << 32 | low;
}

/* The same from sm_90 on: the count is in bits 43 to 62 with the phase above it, -expected in bits
 * 1 to 20. Between them are the bytes that are expected and have not come: no instruction looks
 * into these bits, and what has come before it was expected is less than 0 there. The phase ends
 * when nobody is left to arrive and no byte is left to come. */
guint64
wp_atomic_arrive (guint64 old, const guint64 operands[2])
{
  const guint64 phase = (guint64)1 << 63, low = ((guint64)1 << BYTES_AT_90) - 1;
  const guint64 left = old >> 43 & COUNT_90, count = left + (operands[0] & COUNT_90);
  const gboolean is_last = left == 0 || count > COUNT_90;
  const guint64 bytes = ((old >> BYTES_AT_90) + operands[1]) & BYTES_90;

  if (is_last && bytes == 0)
    return ((old & phase) ^ phase) | (old >> 1 & COUNT_90) << 43 | (old & low);
  return (old & phase) | (is_last ? 0 : count) << 43 | bytes << BYTES_AT_90 | (old & low);
}

/* An arrival of who is not expected any more: the phases that follow wait for fewer. */
static guint64
do_drop_90 (guint64 old, const guint64 operands[2])
{
  const guint64 expected = COUNT_90 << 1;

  return wp_atomic_arrive ((old & ~expected) | ((old + ((operands[0] & COUNT_90) << 1)) & expected),
                           operands);
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
  { "EXCH", { ALL_TYPES (wp_atomic_exchange) } },
  { "CAST", { ALL_WHOLE (do_cas) } },
  { "CAS", { ALL_WHOLE (do_cas) } },
  /* A pair that counts a thread's copies in and, once they are done, out again. They are done at
   * once, and nobody waits. */
  { "A0T1", { [TYPE_U64] = wp_atomic_load } },
  { "TRANSCNT", { [TYPE_U64] = wp_atomic_load } },
  { "ARVCNT", { [TYPE_U64] = wp_atomic_arrive } },
  { "OPTOUT", { [TYPE_U64] = do_drop_90 } },
  { "TRANS64", { [TYPE_U64] = wp_atomic_arrive } },
  { "ARRIVE", { [TYPE_U64] = do_arrive } },
  { "LDGSTSBAR", { [TYPE_U64] = do_arrive } },
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
  { "BF16x8", TYPE_BF16, 16 }, { "F16", TYPE_F16, 4 },     { "BF16", TYPE_BF16, 4 },
};

static guint
get_part (Type type)
{
  return type == TYPE_U64 || type == TYPE_S64 || type == TYPE_F64 ? 8 : 4;
}

/* ---- By the words of an instruction ---- */

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

/* Finds what the words of STEP do to TYPE. */
static gboolean
find_operation (const WpStep *step, Type type, WpAtomic *atomic)
{
  guint number = 0;

  while (number < G_N_ELEMENTS (operations) && !wp_step_has_text (step, operations[number].word))
    number++;
  if (number == G_N_ELEMENTS (operations) || operations[number].by_type[type] == NULL)
    return FALSE;
  atomic->word = operations[number].word;
  atomic->operation = number << 8 | type;
  atomic->part = get_part (type);
  return TRUE;
}

gboolean
wp_atomic_find (const WpStep *step, WpAtomic *atomic)
{
  Type type = get_type (step, &atomic->bytes);

  if (step->instr->op == WP_SASS_SYNCS)
    {
      type = TYPE_U64;
      atomic->bytes = 8;
    }
  return find_operation (step, type, atomic);
}

gboolean
wp_atomic_find_of (const WpStep *step, const gchar *type, WpAtomic *atomic)
{
  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    if (g_str_equal (types[i].word, type))
      {
        atomic->bytes = types[i].bytes;
        return find_operation (step, types[i].type, atomic);
      }
  return FALSE;
}

WpModify
wp_atomic_get (guint operation)
{
  return operations[operation >> 8].by_type[operation & 0xff];
}
