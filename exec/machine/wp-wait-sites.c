/* SPDX-License-Identifier: MIT */
/* Which steps arrive at a barrier in shared memory, and which ask one. From sm_90 on there is an
 * instruction for it. Before, compilers write
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

/* Whether SYNCS, which arrives, expects no bytes: wp-ops-atomic.c has what its words mean. */
static gboolean
is_plain (const WpStep *step)
{
  static const gchar *const words[] = { "A1T0", "ART0", "A0T1" };

  for (guint k = 0; k < G_N_ELEMENTS (words); k++)
    if (wp_step_has_text (step, words[k]))
      return TRUE;
  return FALSE;
}

static WpArrivalKind
find_arrival (const WpStep *step)
{
  switch (step->instr->op)
    {
    case WP_SASS_ARRIVES:
    case WP_SASS_UTCBAR:
      return WP_ARRIVAL_LATE;
    case WP_SASS_ATOMS:
      return is_arrival (step) ? WP_ARRIVAL_PLAIN : WP_ARRIVAL_NONE;
    case WP_SASS_SYNCS:
      return !wp_step_has_text (step, "ARRIVE") ? WP_ARRIVAL_NONE
             : is_plain (step)                  ? WP_ARRIVAL_PLAIN
                                                : WP_ARRIVAL_LATE;
    default:
      return wp_sass_is_bulk_to_shared (step->instr) ? WP_ARRIVAL_LATE : WP_ARRIVAL_NONE;
    }
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

static void
find_arrivals (WpKernelCode *code, GArray *arrivals)
{
  for (guint32 k = 0; k < code->n_steps; k++)
    {
      code->steps[k].arrival = find_arrival (&code->steps[k]);
      if (code->steps[k].arrival != WP_ARRIVAL_NONE)
        add_site (code, arrivals, k);
    }
}

static gboolean
is_product (const WpSassInstr *instr)
{
  return instr->op == WP_SASS_BGMMA || instr->op == WP_SASS_HGMMA || instr->op == WP_SASS_IGMMA
         || instr->op == WP_SASS_QGMMA;
}

gboolean
wp_wait_sites_is_odd_bar (const WpSassInstr *instr)
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
  g_autoptr (GArray) arrivals = g_array_new (FALSE, FALSE, sizeof (guint32));
  gboolean has_arrivals = FALSE;

  for (guint32 k = 0; k < code->n_steps; k++)
    {
      has_arrivals |= is_arrival (&code->steps[k]);
      code->has_products |= is_product (&code->instrs[k]);
      code->has_tensor_products |= code->instrs[k].op == WP_SASS_UTCBAR;
      code->allocates |= code->instrs[k].op == WP_SASS_UTCATOMSWS;
      code->has_pairs |= wp_sass_is_tensor_product (&code->instrs[k])
                         && wp_sass_has (&code->instrs[k], WP_WORD_2CTA);
      code->has_odd_bars |= wp_wait_sites_is_odd_bar (&code->instrs[k]);
      code->has_groups |= code->instrs[k].op == WP_SASS_LDGDEPBAR;
    }
  find_checks (code, sites);
  if (has_arrivals && sites->len == 0)
    find_tests (code, sites);
  code->waits_by_asking = has_arrivals || sites->len > 0;
  code->has_loaded_barriers = has_arrivals;
  if (code->waits_by_asking)
    find_arrivals (code, arrivals);
  code->n_sites = sites->len;
  code->sites = (guint32 *)(gpointer)g_array_free (g_steal_pointer (&sites), FALSE);
  code->first_meeting = code->n_steps + 1; /* no run of instructions goes on there */
  code->n_arrivals = arrivals->len;
  code->arrivals = (guint32 *)(gpointer)g_array_free (g_steal_pointer (&arrivals), FALSE);
  code->first_handoff = code->first_meeting + wp_waits_count_indices (code);
  code->n_indices = code->first_handoff + wp_handoffs_count_indices (code);
}
