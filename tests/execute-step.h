/* SPDX-License-Identifier: MIT */
/* For tests of ops: instructions written as text, and a warp to run them on. "FADD.FTZ R0 = R1,
 * -R2" has its destinations before the =; R4:2 is two registers; numbers are immediates,
 * hexadecimal or not; operands have words as in R1.H0_H0. */
#pragma once

#include "exec/machine/wp-prepare.h"
#include "exec/memory/wp-coalesce.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

typedef struct
{
  WpGrid grid;
  WpBlock block;
  WpWarp *warp;
  WpPreparation preparation;
  GPtrArray *rows;
} Bench;

static inline void
bench_init (Bench *bench, guint sm)
{
  memset (bench, 0, sizeof *bench);
  bench->grid.sm = sm;
  for (guint k = 0; k < 3; k++)
    bench->grid.grid[k] = bench->grid.block[k] = bench->grid.cluster[k] = 1;
  bench->grid.cluster_blocks = 1;
  bench->grid.block[0] = bench->grid.threads = WP_LANES;
  bench->block.grid = &bench->grid;
  bench->block.cluster = &bench->block.own_cluster;
  bench->block.own_cluster = (WpCluster){ .n = 1, .blocks = { &bench->block } };
  bench->warp = g_new0 (WpWarp, 1);
  bench->warp->r = g_aligned_alloc0 (WP_MAX_ROWS, sizeof *bench->warp->r, 64);
  bench->warp->block = &bench->block;
  wp_access_log_init (&bench->warp->log, wp_patterns_new ());
  bench->warp->active = bench->warp->present = bench->warp->p[WP_PT] = WP_ALL_LANES;
  bench->warp->up[WP_PT] = 1;
  bench->rows = g_ptr_array_new_with_free_func (g_aligned_free);
  wp_preparation_init (&bench->preparation, &bench->grid, bench->rows);
}

static inline void
bench_clear (Bench *bench)
{
  g_ptr_array_unref (bench->rows);
  g_aligned_free (bench->warp->r);
  wp_patterns_free (bench->warp->log.patterns);
  wp_access_log_clear (&bench->warp->log);
  g_free (bench->warp->failure);
  g_free (bench->warp);
  if (bench->block.notes)
    g_array_unref (bench->block.notes);
}

static inline guint32 *
bench_row (const Bench *bench, guint number)
{
  return bench->warp->r[wp_row_of (number)];
}

static inline WpSassWord
bench_find_word (const gchar *text)
{
  for (guint word = 1; word < WP_N_WORDS; word++)
    if (strcmp (wp_sass_word_text ((WpSassWord)word), text) == 0)
      return (WpSassWord)word;
  ck_abort_msg ("no word %s", text);
  return WP_WORD_NONE;
}

static inline void
bench_parse_number (const gchar *text, WpSassOperand *operand)
{
  gboolean is_none = text[strlen (text) - 1] == 'Z' || text[strlen (text) - 1] == 'T';
  const gchar *digits = text + strcspn (text, "0123456789");

  if (operand->kind == WP_SASS_RPC)
    return;
  operand->number = is_none ? (strchr (text, 'P') ? 7 : 255) : atoi (digits);
  operand->n_registers = is_none || strchr (text, 'P') ? 0 : 1;
}

static inline WpSassOperand
bench_parse_operand (gchar *text, gboolean is_dest)
{
  WpSassOperand operand = { .index = 255, .uniform = 255, .descriptor = 255, .is_dest = is_dest };
  g_auto (GStrv) parts = NULL;
  guint n_words = 0, registers = 0;

  g_strstrip (text);
  for (; *text == '-' || *text == '!' || *text == '|'; text++)
    if (*text == '-')
      operand.negate = TRUE;
    else if (*text == '!')
      operand.invert = TRUE;
    else
      operand.absolute = TRUE;
  g_strdelimit (text, "|", ' ');
  if (strchr (text, ':'))
    registers = atoi (strchr (text, ':') + 1);
  g_strdelimit (text, ":", '\0');
  parts = g_strsplit (text, ".", -1);
  g_strstrip (parts[0]);
  for (guint k = 1; parts[k]; k++)
    {
      g_autofree gchar *pair
          = parts[k + 1] ? g_strdup_printf ("%s.%s", parts[k], parts[k + 1]) : NULL;
      if (strcmp (g_strstrip (parts[k]), "F32x2") == 0 && pair)
        operand.words[n_words++] = bench_find_word (g_strstrip (pair)), k++;
      else
        operand.words[n_words++] = bench_find_word (parts[k]);
    }
  if (g_ascii_isdigit (parts[0][0]))
    {
      operand.kind = WP_SASS_IMMEDIATE;
      operand.value = (gint64)g_ascii_strtoull (parts[0], NULL, 0);
      return operand;
    }
  operand.kind = strcmp (parts[0], "Rpc") == 0       ? WP_SASS_RPC
                 : g_str_has_prefix (parts[0], "SR") ? WP_SASS_SPECIAL
                 : g_str_has_prefix (parts[0], "UR") ? WP_SASS_UNIFORM
                 : g_str_has_prefix (parts[0], "UP") ? WP_SASS_UNIFORM_PREDICATE
                 : parts[0][0] == 'P'                ? WP_SASS_PREDICATE
                                                     : WP_SASS_REGISTER;
  bench_parse_number (parts[0], &operand);
  if (registers)
    operand.n_registers = registers;
  return operand;
}

static inline void
bench_parse (WpSassInstr *instr, const gchar *line)
{
  g_autofree gchar *text = g_strdup (line);
  gchar *rest = strchr (text, ' '), *sources;
  g_auto (GStrv) words = NULL, left = NULL, right = NULL;

  memset (instr, 0, sizeof *instr);
  instr->guard = WP_PT;
  *rest++ = '\0';
  words = g_strsplit (text, ".", -1);
  for (guint op = 1; op < WP_SASS_N_OPS; op++)
    if (strcmp (wp_sass_op_name ((WpSassOp)op), words[0]) == 0)
      instr->op = (WpSassOp)op;
  for (guint k = 1; words[k]; k++)
    instr->words[instr->n_words++] = bench_find_word (words[k]);
  sources = strchr (rest, '=');
  *sources++ = '\0';
  left = g_strsplit (rest, ",", -1);
  right = g_strsplit (sources, ",", -1);
  for (guint k = 0; left[k]; k++)
    instr->operands[instr->n_operands++] = bench_parse_operand (left[k], TRUE);
  for (guint k = 0; right[k] && *g_strstrip (right[k]); k++)
    instr->operands[instr->n_operands++] = bench_parse_operand (right[k], FALSE);
}

/* Runs LINE for the lanes in MASK. */
static inline void
bench_run_masked (Bench *bench, const gchar *line, guint32 mask)
{
  g_autofree gchar *problem = NULL;
  WpSassInstr instr;
  WpStep step;

  bench_parse (&instr, line);
  ck_assert_msg (wp_step_prepare (&bench->preparation, &step, &instr, 0, 0, 0, &problem), "%s: %s",
                 line, problem);
  step.run (bench->warp, &step, mask);
}

static inline void
bench_run (Bench *bench, const gchar *line)
{
  bench_run_masked (bench, line, WP_ALL_LANES);
}

/* Tells whether LINE is refused. */
static inline gboolean
bench_refuses (Bench *bench, const gchar *line)
{
  g_autofree gchar *problem = NULL;
  WpSassInstr instr;
  WpStep step;

  bench_parse (&instr, line);
  return !wp_step_prepare (&bench->preparation, &step, &instr, 0, 0, 0, &problem)
         && problem != NULL;
}

/* A random number that is often a special one: EXPONENT and FRACTION bits of its format. */
static inline guint64
bench_random (GRand *rand, guint exponent, guint fraction)
{
  guint64 bits = (guint64)g_rand_int (rand) << 32 | g_rand_int (rand);
  guint64 top = ((guint64)1 << exponent) - 1, ones = ((guint64)1 << fraction) - 1;
  guint64 places[] = { 0, 1, 2, top - 1, top, top / 2, top / 2 + 1, top / 2 - 1 };
  guint64 digits[] = { 0, 1, ones, ones - 1, (ones + 1) / 2 };
  guint64 sign = bits >> 63, place = bits >> fraction & top, digit = bits & ones;

  if (g_rand_int_range (rand, 0, 4) == 0)
    place = places[g_rand_int_range (rand, 0, G_N_ELEMENTS (places))];
  else if (g_rand_boolean (rand)) /* near 1, so that sums cancel and round */
    place = top / 2 + (guint64)g_rand_int_range (rand, 0, 30) - 15;
  if (g_rand_int_range (rand, 0, 4) == 0)
    digit = digits[g_rand_int_range (rand, 0, G_N_ELEMENTS (digits))];
  return sign << (exponent + fraction) | (place & top) << fraction | digit;
}
