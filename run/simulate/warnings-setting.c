/* SPDX-License-Identifier: MIT */
/* What can be said before anything is simulated. A check appends at most one warning of its name.
 */
#include "run/base/assumptions.h"
#include "run/base/check-ops.h"
#include "run/simulate/hotspots.h"
#include "run/simulate/resident.h"
#include "run/simulate/warnings-find.h"
#include "sim/gpu/wp-gpu-oddities.h"

#include <string.h>

/* What a check looks at. */
typedef struct
{
  const IdgKernel *kernel;
  const WpGpu *gpu;
  const WpResolved *resolved;
  GPtrArray *warnings;
} Setting;

/* ---- The launch ---- */

static void
check_occupancy (const Setting *setting)
{
  const WpMachine *machine = &setting->resolved->machine;
  gint64 asked = setting->resolved->asked_warps;
  gint64 reached = (gint64)machine->resident_blocks * machine->warps_per_block;
  g_auto (WpResident) resident = { 0 };
  g_autofree gchar *limits = NULL;

  if (asked == 0 || reached >= asked)
    return;
  wp_resident_init (&resident, setting->resolved);
  if (resident.warps == reached && asked / machine->warps_per_block == resident.blocks)
    limits = g_strdup_printf ("whole blocks of %u warps", machine->warps_per_block);
  else
    limits = wp_resident_join_limiters (&resident);
  wp_warnings_add (setting->warnings, "occupancy-not-reached", FALSE,
                   "occupancy %" G_GINT64_FORMAT " was asked for; %" G_GINT64_FORMAT
                   " warps are resident at most, limited by %s",
                   asked, reached, limits);
}

static void
check_launch (const Setting *setting)
{
  const IdgLaunch *launch = &setting->resolved->launch;

  if (setting->resolved->assumed_launch)
    wp_warnings_add (setting->warnings, "launch-assumed", TRUE,
                     "%" G_GINT64_FORMAT " blocks of %" G_GINT64_FORMAT
                     " threads were assumed, as nothing says the launch; --grid and --threads "
                     "set it",
                     launch->blocks, launch->threads);
}

/* ---- The ops ---- */

static void
check_ops (const Setting *setting)
{
  g_autofree gchar *text = wp_check_ops_find_approximation (setting->kernel, setting->gpu);

  if (text != NULL)
    wp_warnings_add (setting->warnings, "approximated", TRUE, "%s", text);
}

static void
check_figures (const Setting *setting)
{
  gdouble share;
  g_autofree gchar *text = wp_check_ops_find_no_figure (setting->kernel, setting->gpu, &share);

  if (text != NULL)
    wp_warnings_add (setting->warnings, "no-figure", share > WP_NO_FIGURE, "%s", text);
}

/* ---- What nobody said ---- */

static void
check_atomics (const Setting *setting)
{
  g_autofree gchar *text = wp_assumptions_describe_atomics (setting->kernel);

  if (text != NULL)
    wp_warnings_add (setting->warnings, "atomics-assumed", TRUE, "%s", text);
}

/* ---- Constants ---- */

#define MUCH 0.3 /* of what a pipeline does */

/* An assembler makes operands of most constants: then they are no instructions, and keep
 * nothing. */
void
wp_warnings_find_constants (GPtrArray *warnings, const IdgKernel *kernel,
                            const WpResolved *resolved, guint32 index)
{
  g_autoptr (GArray) hotspots
      = kernel->unscheduled ? wp_hotspots_find (resolved, index, WP_HOT_USE) : NULL;
  gdouble part = 0;

  for (guint i = 0; hotspots != NULL && i < hotspots->len; i++)
    if (g_str_has_prefix (g_array_index (hotspots, WpHotspot, i).node->op, "ld.const"))
      part += g_array_index (hotspots, WpHotspot, i).share;
  if (part > MUCH)
    wp_warnings_add (warnings, "constants-as-loads", TRUE,
                     "%.0f%% of what pipeline %s does is PTX's loads of constants, of which the "
                     "assembler makes operands wherever it can; a SASS listing has those that are "
                     "left",
                     100 * part, resolved->machine.pipelines[index].name);
}

/* ---- Barriers ---- */

/* How often a warp that runs PROGRAM comes to the barrier NAME; with WAITS only to wait there. */
static gdouble
count_comings (const IdgProgram *program, const gchar *name, gboolean waits)
{
  gdouble times[IDG_MAX_DEPTH + 1] = { 1 }, n = 0;
  guint depth = 0;

  for (guint32 i = 0; i < program->n_nodes; i++)
    {
      const IdgNode *node = &program->nodes[i];

      if (node->kind == IDG_REPEAT)
        {
          times[depth + 1] = times[depth] * (gdouble)node->count;
          depth++;
        }
      else if (node->kind == IDG_END)
        depth--;
      else if ((node->kind == IDG_BARRIER || !waits) && g_strcmp0 (node->name, name) == 0)
        n += times[depth];
    }
  return n;
}

/* Adds a warning and returns TRUE if warps of program ONE wait at the barrier NAME more often than
 * those of another come there at all. */
static gboolean
is_unmatched (const Setting *setting, const IdgKernelProgram *one, const gchar *name)
{
  const GPtrArray *programs = setting->kernel->programs;
  gdouble n = count_comings (one->program, name, TRUE);

  for (guint i = 0; i < programs->len; i++)
    {
      const IdgKernelProgram *other = g_ptr_array_index (programs, i);
      gdouble m = count_comings (other->program, name, FALSE);

      if (m == 0 || n <= m || one->blocks != NULL || other->blocks != NULL)
        continue;
      wp_warnings_add (setting->warnings, "barriers-unmatched", TRUE,
                       "some warps of a block wait %.15g times at barrier %s, to which others come "
                       "%.15g times: a GPU would wait for ever; --trip and --branch have to agree",
                       n, name, m);
      return TRUE;
    }
  return FALSE;
}

/* Tells whether NODE is the first barrier of its name in PROGRAM, and is for all of the block. */
static gboolean
is_first_of_all (const IdgProgram *program, guint32 index)
{
  const IdgNode *node = &program->nodes[index];

  if (node->kind != IDG_BARRIER || node->name == NULL || node->warps > 0)
    return FALSE;
  for (guint32 i = 0; i < index; i++)
    if (program->nodes[i].kind == IDG_BARRIER
        && g_strcmp0 (program->nodes[i].name, node->name) == 0)
      return FALSE;
  return TRUE;
}

/* Here terminated warps hold nobody. On a GPU they do, at a barrier for a number of threads. */
static void
check_barriers (const Setting *setting)
{
  const GPtrArray *programs = setting->kernel->programs;

  for (guint i = 0; setting->kernel->nearest_ops && i < programs->len; i++)
    {
      const IdgKernelProgram *one = g_ptr_array_index (programs, i);

      for (guint32 k = 0; k < one->program->n_nodes; k++)
        if (is_first_of_all (one->program, k)
            && is_unmatched (setting, one, one->program->nodes[k].name))
          return;
    }
}

/* ---- The import ---- */

/* Random addresses are slower than others, but mostly bound by the same. */
static void
check_import (const Setting *setting)
{
  const GPtrArray *carried = setting->kernel->warnings;

  for (guint i = 0; i < carried->len; i++)
    {
      const IdgWarning *warning = g_ptr_array_index (carried, i);
      const gboolean no_verdict = strcmp (warning->name, "addresses-assumed") != 0;

      wp_warnings_add (setting->warnings, warning->name, no_verdict, "%s", warning->text);
    }
}

/* ---- The description ---- */

/* Whether the kernel has accesses to the device's memory: what hits in a cache visits none of its
 * channels. */
static gboolean
uses_memory (const WpMachine *machine)
{
  for (guint32 i = 0; i < machine->n_instrs; i++)
    {
      const WpInstr *instr = &machine->instrs[i];

      if (wp_instr_is_on_memory (machine, instr) && instr->cost->transactions > 0
          && instr->cost->bytes > 0)
        return TRUE;
    }
  return FALSE;
}

static gboolean
uses_contexts (const WpResolved *resolved)
{
  for (guint32 i = 0; i < resolved->machine.n_instrs; i++)
    if (resolved->nodes[i]->context != NULL)
      return TRUE;
  return FALSE;
}

/* What is wrong with a description matters where the kernel uses it. */
static void
check_description (const Setting *setting)
{
  const WpGpu *gpu = setting->gpu;
  g_autoptr (GPtrArray) oddities
      = gpu->oddities != NULL ? g_ptr_array_ref (gpu->oddities) : wp_gpu_find_oddities (gpu);

  for (guint i = 0; i < oddities->len; i++)
    {
      const WpGpuOddity *oddity = g_ptr_array_index (oddities, i);
      gboolean matters = strcmp (oddity->name, "context-faster") == 0
                             ? uses_contexts (setting->resolved)
                             : uses_memory (&setting->resolved->machine);

      if (matters)
        wp_warnings_add (setting->warnings, oddity->name, TRUE, "%s", oddity->text);
    }
}

/* ---- All ---- */

typedef void (*Check) (const Setting *setting);

static const Check checks[] = { check_import,  check_launch,  check_occupancy, check_ops,
                                check_figures, check_atomics, check_barriers,  check_description };

void
wp_warnings_find_in_setting (GPtrArray *warnings, const IdgKernel *kernel, const WpGpu *gpu,
                             const WpResolved *resolved)
{
  const Setting setting = { kernel, gpu, resolved, warnings };

  for (guint i = 0; i < G_N_ELEMENTS (checks); i++)
    checks[i](&setting);
  wp_warnings_find_blocks (warnings, kernel, resolved);
}

static void
take_note (gpointer notes, const gchar *note)
{
  g_ptr_array_add (notes, g_strdup (note));
}

GPtrArray *
wp_notes_find (const IdgKernel *kernel, const WpGpu *gpu)
{
  GPtrArray *notes = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < kernel->notes->len; i++)
    take_note (notes, g_ptr_array_index (kernel->notes, i));
  wp_check_ops (kernel, gpu, FALSE, take_note, notes, NULL);
  return notes;
}
