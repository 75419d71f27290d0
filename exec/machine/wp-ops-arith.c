/* SPDX-License-Identifier: MIT */
#include "exec/machine/wp-ops-arith.h"

static gboolean
is_among (const WpSassWord *words, WpSassWord word)
{
  while (*words && *words != word)
    words++;
  return *words != WP_WORD_NONE;
}

gboolean
wp_arith_read_words (const WpStep *step, const WpSassWord *also, WpRounding *rounding, guint *flags,
                     gchar **problem)
{
  *rounding = WP_ROUND_NEAREST;
  *flags = 0;
  for (guint k = 0; k < step->instr->n_words; k++)
    switch (step->instr->words[k])
      {
      case WP_WORD_RN:
        break;
      case WP_WORD_RM:
        *rounding = WP_ROUND_DOWN;
        break;
      case WP_WORD_RP:
        *rounding = WP_ROUND_UP;
        break;
      case WP_WORD_RZ:
        *rounding = WP_ROUND_ZERO;
        break;
      case WP_WORD_FTZ:
        *flags |= WP_ROW_FTZ;
        break;
      case WP_WORD_SAT:
        *flags |= WP_ROW_SAT;
        break;
      default:
        if (!is_among (also, step->instr->words[k]))
          return wp_step_refuse (step, problem);
      }
  return TRUE;
}

gboolean
wp_arith_check_sources (const WpStep *step, guint n, gchar **problem)
{
  return step->n_sources == n || wp_step_refuse (step, problem);
}

void
wp_arith_get_wide (const WpWarp *warp, const WpStep *step, guint k, guint64 *lanes)
{
  const WpSource *source = &step->sources[k];
  guint64 keep = source->absolute ? G_MAXINT64 : G_MAXUINT64;
  guint64 flip = source->negate ? (guint64)1 << 63 : 0;

  wp_lanes_wide (warp, source, lanes);
  if (!source->absolute && !source->negate)
    return;
  for (guint lane = 0; lane < WP_LANES; lane++)
    lanes[lane] = (lanes[lane] & keep) ^ flip;
}

void
wp_arith_get_half (const WpWarp *warp, const WpStep *step, guint k, gboolean is_bfloat,
                   guint32 *lanes)
{
  const WpSource *source = &step->sources[k];
  const gboolean is_upper = source->words[0] == WP_WORD_H1 || source->words[0] == WP_WORD_H1_H1;
  const guint shift = is_upper ? 16 : 0;
  const guint32 keep = source->absolute ? 0x7fff : 0xffff, flip = source->negate ? 0x8000 : 0;
  WpScratch scratch, halves;
  const guint32 *from = wp_lanes (warp, source, 0, scratch);

  for (guint lane = 0; lane < WP_LANES; lane++)
    halves[lane] = (from[lane] >> shift & keep) ^ flip;
  (is_bfloat ? wp_row_from_bfloat : wp_row_from_half) (lanes, halves);
}

void
wp_arith_make_wide (WpStep *step, guint k)
{
  WpSource *source = &step->sources[k];

  wp_step_set_words (step, k, 2);
  if (source->is_immediate)
    {
      guint64 value = (guint64)step->instr->operands[source->operand].value;
      wp_step_set_value (step, k, value >> 32 ? value : value << 32);
    }
}

/* ---- Comparisons ---- */

#define LESS 1
#define EQUAL 2
#define GREATER 4
#define UNORDERED 8

static gint
parts_of (WpSassWord word)
{
  static const struct
  {
    WpSassWord word;
    guint8 parts;
  } comparisons[] = {
    { WP_WORD_F, 0 },
    { WP_WORD_LT, LESS },
    { WP_WORD_EQ, EQUAL },
    { WP_WORD_LE, LESS | EQUAL },
    { WP_WORD_GT, GREATER },
    { WP_WORD_NE, LESS | GREATER },
    { WP_WORD_GE, GREATER | EQUAL },
    { WP_WORD_NUM, LESS | EQUAL | GREATER },
    { WP_WORD_NAN, UNORDERED },
    { WP_WORD_LTU, LESS | UNORDERED },
    { WP_WORD_EQU, EQUAL | UNORDERED },
    { WP_WORD_LEU, LESS | EQUAL | UNORDERED },
    { WP_WORD_GTU, GREATER | UNORDERED },
    { WP_WORD_NEU, LESS | GREATER | UNORDERED },
    { WP_WORD_GEU, GREATER | EQUAL | UNORDERED },
    { WP_WORD_T, LESS | EQUAL | GREATER | UNORDERED },
  };

  for (guint k = 0; k < G_N_ELEMENTS (comparisons); k++)
    if (comparisons[k].word == word)
      return comparisons[k].parts;
  return -1;
}

gboolean
wp_comparison_read (WpStep *step)
{
  gint parts = -1;
  WpSassWord join = WP_WORD_AND;

  for (guint k = 0; k < step->instr->n_words; k++)
    {
      WpSassWord word = step->instr->words[k];
      if (word == WP_WORD_AND || word == WP_WORD_OR || word == WP_WORD_XOR)
        join = word;
      else if (parts < 0)
        parts = parts_of (word);
    }
  step->mode[0] = (guint32)parts | (guint32)join << 16;
  return parts >= 0;
}

WpComparison
wp_comparison_of (const WpStep *step)
{
  guint32 parts = step->mode[0];

  return (WpComparison){ parts & LESS ? ~0u : 0, parts & EQUAL ? ~0u : 0, parts & GREATER ? ~0u : 0,
                         parts & UNORDERED ? ~0u : 0, parts >> 16 };
}

void
wp_comparison_put (WpWarp *warp, const WpStep *step, guint32 holds, guint32 unknown, guint32 mask)
{
  WpComparison comparison = wp_comparison_of (step);
  guint32 with = wp_predicate (warp, step->source_p[0]);
  guint32 with_unknown = wp_predicate_unknown (warp, step->source_p[0]);
  WpTag tag = wp_step_tag (warp, step);

  /* Where the predicate alone decides, the comparison need not be known. */
  if (comparison.join == WP_WORD_AND)
    unknown &= with | with_unknown;
  if (comparison.join == WP_WORD_OR)
    unknown &= ~with | with_unknown;
  unknown |= with_unknown;

  guint32 first = wp_comparison_join (&comparison, holds, with);
  guint32 second = wp_comparison_join (&comparison, ~holds, with);
  if (step->is_uniform_p)
    {
      wp_put_uniform_predicate (warp, step->dest_p, first & 1, unknown & 1, tag);
      wp_put_uniform_predicate (warp, step->dest_p2, second & 1, unknown & 1, tag);
      return;
    }
  wp_put_predicate (warp, step->dest_p, first, mask, unknown, tag);
  wp_put_predicate (warp, step->dest_p2, second, mask, unknown, tag);
}

void
wp_arith_spread (guint32 *to, guint32 bits, guint32 one)
{
  for (guint lane = 0; lane < WP_LANES; lane++)
    to[lane] = bits >> lane & 1 ? one : 0;
}
