/* SPDX-License-Identifier: MIT */
/* How an op comes to be executed: each family of ops (wp-ops-FAMILY.c) has a table of rules that
 * names the op and the function that prepares a step of it. Preparing looks at the words once and
 * picks the function that runs. The families are listed in wp-ops-families.def. */
#pragma once

#include "exec/machine/wp-warp.h"

G_BEGIN_DECLS

/* Completes STEP, whose guard, destinations, sources and predicates are filled in from
 * step->instr: sets `run`, and `mode`, `value`, `data` as it likes. Returns FALSE and a sentence in
 * PROBLEM where a form is not covered: "IMAD.FOO is not covered". */
typedef gboolean (*WpStepPrepare) (WpStep *step, gchar **problem);

typedef struct
{
  WpSassOp op;
  WpStepPrepare prepare;
} WpOpRule;

/* wp_rules_FAMILY[]: rules up to one whose `prepare` is NULL. */
#define FAMILY(name) extern const WpOpRule wp_rules_##name[];
#include "exec/machine/wp-ops-families.def"
#undef FAMILY

/* ---- For prepare functions ---- */

/* In mode[3] of a step whose `value` is a target: an address until all is prepared, then an index
 * of steps. */
#define WP_STEP_HAS_TARGET 1

/* Tells whether the instruction of STEP has WORD after its op. */
static inline gboolean
wp_step_has (const WpStep *step, WpSassWord word)
{
  return wp_sass_has (step->instr, word);
}

/* The same by its text: "WIDE". */
gboolean wp_step_has_text (const WpStep *step, const gchar *word);

/* What executes nothing but its place in the trail, and has STEP do so. */
void wp_step_run_nothing (WpWarp *warp, const WpStep *step, guint32 mask);
gboolean wp_step_prepare_nothing (WpStep *step, gchar **problem);

/* Returns FALSE with the problem that the form of STEP's instruction is not covered. */
gboolean wp_step_refuse (const WpStep *step, gchar **problem);

/* Checks that each word after the op is one of the texts that follow, up to NULL; else as
 * wp_step_refuse(). */
gboolean wp_step_allow (const WpStep *step, gchar **problem, ...) G_GNUC_NULL_TERMINATED;

/* Checks that each word after the op is in WORDS, a list that ends with WP_WORD_NONE; else as
 * wp_step_refuse(). */
gboolean wp_step_check_words (const WpStep *step, gchar **problem, const WpSassWord *words);

/* Source K is an immediate or a constant that is known: VALUE receives its 64 bits (of a constant
 * of one word: the 32). */
gboolean wp_step_get_value (const WpStep *step, guint k, guint64 *value);

/* Sets what an immediate is, as 64 bits for all lanes: for ops that take its bits otherwise than
 * sign-extended (an immediate of DADD is the high word). */
void wp_step_set_value (WpStep *step, guint k, guint64 value);

/* Has source K read N words of 32 bits, for sources whose number of registers the text does not
 * tell (a constant of 64 bits is N = 2; done by generic code for what the decoder tells). */
void wp_step_set_words (WpStep *step, guint k, guint n);

/* Applies - and ~ (as integers of 32 bits), or - and |...| (single precision) to those sources that
 * are rows once and for all, so that they cost nothing later. */
void wp_step_fold_integers (WpStep *step);
void wp_step_fold_singles (WpStep *step);

/* The row that register NUMBER is in, and the row that it is written to. */
static inline guint
wp_row_of (guint number)
{
  return number == 255 ? WP_ROW_ZERO : WP_ROW_R0 + number;
}

static inline guint
wp_row_to (guint number)
{
  return number == 255 ? WP_ROW_SINK : WP_ROW_R0 + number;
}

G_END_DECLS
