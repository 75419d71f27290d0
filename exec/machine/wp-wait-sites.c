/* SPDX-License-Identifier: MIT */
/* Which steps ask a barrier in shared memory. From sm_90 on there is an instruction for it. Before,
 * compilers write
 *
 *     LDS R, [barrier + 4]                        ...maybe others...
 *     LOP3.LUT P, RZ, R, 0x80000000, token, TABLE
 *
 * where TABLE compares the bits 31 of R and the token, or takes that of R or its inverse, as the
 * phase that is waited for is known. */
#include "exec/machine/wp-address.h"
#include "exec/machine/wp-kernel-code.h"
#include "exec/machine/wp-waits.h"

#define MOST_BETWEEN 32 /* steps, from the load to what asks */
#define PHASE G_GUINT64_CONSTANT (0x80000000)

static gboolean
is_check (const WpStep *step)
{
  return step->instr->op == WP_SASS_SYNCS && wp_step_has_text (step, "PHASECHK");
}

/* Whether STEP arrives, up to sm_89. */
static gboolean
is_arrival (const WpStep *step)
{
  return step->instr->op == WP_SASS_ARRIVES
         || (step->instr->op == WP_SASS_ATOMS && wp_step_has_text (step, "ARRIVE"));
}

static gboolean
is_load (const WpStep *step)
{
  return step->instr->op == WP_SASS_LDS && wp_step_get_bytes (step, NULL) >= 4;
}

/* Whether STEP is LOP3 as above, but for where its first or third source comes from. Bits other
 * than the highest do not matter. */
static gboolean
is_test (const WpStep *step)
{
  const guint without = 1u << 0 | 1u << 1 | 1u << 4 | 1u << 5; /* of the table: where b is 0 */
  guint64 value;

  return step->instr->op == WP_SASS_LOP3 && !step->is_predicated && step->dest == WP_ROW_SINK
         && step->dest_p != WP_P_SINK && step->n_sources == 3 && wp_step_get_value (step, 1, &value)
         && (value & G_MAXUINT32) == PHASE && (step->mode[0] & without) == 0
         && !wp_step_has_text (step, "PAND");
}

/* Whether STEP reads or writes ROW. */
static gboolean
touches (const WpStep *step, guint row)
{
  for (guint k = 0; k < step->n_sources; k++)
    if (step->sources[k].from == WP_FROM_REGISTER && step->sources[k].first <= row
        && row < step->sources[k].first + step->sources[k].n)
      return TRUE;
  return step->is_uniform ? FALSE : step->dest <= row && row < step->dest + MAX (step->n_dest, 1u);
}

/* The load before step TEST, and after step FIRST, whose word source SOURCE of it is; TEST: there
 * is none, or the way may lead elsewhere in between. */
static guint32
find_load (const WpKernelCode *code, guint32 test, guint source, guint32 first)
{
  const WpSource *word = &code->steps[test].sources[source];
  const guint32 least = MAX (test > MOST_BETWEEN ? test - MOST_BETWEEN : 0, first);

  if (word->from != WP_FROM_REGISTER || word->first < WP_ROW_R0)
    return test;
  for (guint32 k = test; k-- > least;)
    {
      const WpStep *step = &code->steps[k];

      if (is_load (step) && step->dest == word->first)
        return wp_step_get_bytes (step, NULL) == 4 && !step->is_predicated ? k : test;
      if ((step->is_control && step->instr->op != WP_SASS_YIELD) || touches (step, word->first))
        return test;
    }
  return test;
}

/* Lanes do not give way between step LOAD and step TEST, as what was loaded is kept once for a
 * warp: they do where they ask in vain. */
static void
drop_yields (WpKernelCode *code, guint32 load, guint32 test)
{
  for (guint32 k = load; k < test; k++)
    if (code->steps[k].is_control)
      {
        code->steps[k].is_control = FALSE;
        code->steps[k].run = wp_step_run_nothing;
      }
}

/* Marks step K, if it asks, with its load, which is after step FIRST. */
static gboolean
mark_test (WpKernelCode *code, guint32 k, guint32 first)
{
  WpStep *step = &code->steps[k];

  for (guint source = 0; is_test (step) && source < 3; source += 2)
    {
      const guint32 load = find_load (code, k, source, first);

      if (load == k)
        continue;
      drop_yields (code, load, k);
      code->steps[load].wait = WP_WAIT_LOAD;
      step->wait = WP_WAIT_TEST;
      step->partner = load;
      step->mode[2] = source;
      return TRUE;
    }
  return FALSE;
}

static void
add_site (WpKernelCode *code, GArray *sites, guint32 k)
{
  code->steps[k].site = sites->len;
  g_array_append_val (sites, k);
}

static void
find_tests (WpKernelCode *code, GArray *sites)
{
  guint32 first = 0;

  for (guint32 k = 0; k < code->n_steps; k++)
    if (mark_test (code, k, first))
      {
        add_site (code, sites, k);
        first = k + 1;
      }
  for (guint32 k = 0; k < code->n_steps; k++)
    if (code->steps[k].wait == WP_WAIT_NONE && is_load (&code->steps[k]))
      code->steps[k].wait = WP_WAIT_LOOK;
}

static void
find_checks (WpKernelCode *code, GArray *sites)
{
  for (guint32 k = 0; k < code->n_steps; k++)
    if (is_check (&code->steps[k]))
      {
        code->steps[k].wait = WP_WAIT_CHECK;
        add_site (code, sites, k);
      }
}

static gboolean
is_odd_bar (const WpSassInstr *instr)
{
  for (guint k = 0; instr->op == WP_SASS_BAR && k < MIN (instr->n_operands, 2); k++)
    if (instr->operands[k].kind == WP_SASS_REGISTER)
      return TRUE;
  return FALSE;
}

void
wp_wait_sites_find (WpKernelCode *code)
{
  g_autoptr (GArray) sites = g_array_new (FALSE, FALSE, sizeof (guint32));
  gboolean has_arrivals = FALSE;

  for (guint32 k = 0; k < code->n_steps; k++)
    {
      has_arrivals |= is_arrival (&code->steps[k]);
      code->has_odd_bars |= is_odd_bar (&code->instrs[k]);
      code->has_groups |= code->instrs[k].op == WP_SASS_LDGDEPBAR;
    }
  find_checks (code, sites);
  if (has_arrivals && sites->len == 0)
    find_tests (code, sites);
  code->waits_by_asking = has_arrivals || sites->len > 0;
  code->n_sites = sites->len;
  code->sites = (guint32 *)(gpointer)g_array_free (g_steal_pointer (&sites), FALSE);
  code->first_meeting = code->n_steps + 1; /* no run of instructions goes on there */
  code->n_indices = code->first_meeting + wp_waits_count_indices (code);
}
