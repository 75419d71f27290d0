/* SPDX-License-Identifier: MIT */
/* What can be said before anything is simulated. A check appends at most one warning of its name.
 */
#include "run/base/assumptions.h"
#include "run/base/check-ops.h"
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

/* ---- The import ---- */

static void
check_import (const Setting *setting)
{
  const GPtrArray *carried = setting->kernel->warnings;

  for (guint i = 0; i < carried->len; i++)
    {
      const IdgWarning *warning = g_ptr_array_index (carried, i);

      wp_warnings_add (setting->warnings, warning->name, TRUE, "%s", warning->text);
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

      if (instr->pipeline != WP_NO_PIPELINE && machine->pipelines[instr->pipeline].memory
          && instr->transactions > 0 && instr->bytes > 0)
        return TRUE;
    }
  return FALSE;
}

static gboolean
uses_contexts (const WpResolved *resolved)
{
  for (guint32 i = 0; i < resolved->machine.n_instrs; i++)
    if (resolved->origins[i].node->context != NULL)
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

static const Check checks[]
    = { check_import, check_occupancy, check_ops, check_figures, check_atomics, check_description };

void
wp_warnings_find_in_setting (GPtrArray *warnings, const IdgKernel *kernel, const WpGpu *gpu,
                             const WpResolved *resolved)
{
  const Setting setting = { kernel, gpu, resolved, warnings };

  for (guint i = 0; i < G_N_ELEMENTS (checks); i++)
    checks[i](&setting);
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
