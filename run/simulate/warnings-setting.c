/* SPDX-License-Identifier: MIT */
/* What can be said before anything is simulated. A check appends at most one warning of its name.
 */
#include "run/base/check-ops.h"
#include "run/simulate/resident.h"
#include "run/simulate/warnings-find.h"

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

/* ---- The kernel ---- */

static void
take_warnings (const Setting *setting)
{
  const GPtrArray *carried = setting->kernel->warnings;

  for (guint i = 0; i < carried->len; i++)
    {
      const IdgWarning *warning = g_ptr_array_index (carried, i);

      wp_warnings_add (setting->warnings, warning->name, TRUE, "%s", warning->text);
    }
}

/* ---- The description ---- */

/* Figures of descriptions are rounded; what exceeds a limit by less is not to blame. */
#define ROUNDING 1.01

/* What all SMs together would move if INSTR were all that they do, GB/s; 0: nothing to or from the
 * device's memory, as what hits in a cache. Infinite where it takes no time. */
static gdouble
get_share_of_all (const Setting *setting, const WpInstr *instr)
{
  const WpMachine *machine = &setting->resolved->machine;
  gdouble instances, ns;

  if (instr->pipeline == WP_NO_PIPELINE || !machine->pipelines[instr->pipeline].memory
      || instr->transactions == 0 || instr->bytes == 0)
    return 0;
  instances = machine->pipelines[instr->pipeline].per_scheduler ? machine->n_schedulers : 1;
  ns = (gdouble)instr->issue / (gdouble)machine->ticks_per_cycle * 1000
       / wp_cycles_to_double (setting->gpu->clock_mhz);
  return (gdouble)instr->bytes * machine->n_sms * instances / ns;
}

/* Each SM has a share of the device's memory: more SMs than the figure is for make the memory
 * faster than it is. */
static void
check_shares (const Setting *setting)
{
  const WpMachine *machine = &setting->resolved->machine;
  gdouble pins = wp_cycles_to_double (setting->gpu->pin_gbs), most = 0;
  guint32 worst = 0;

  if (pins <= 0 || setting->resolved->idealised != 0)
    return;
  for (guint32 i = 0; i < machine->n_instrs; i++)
    {
      gdouble share = get_share_of_all (setting, &machine->instrs[i]);

      if (share > most)
        worst = i;
      most = MAX (most, share);
    }
  if (most > pins * ROUNDING)
    wp_warnings_add (setting->warnings, "shares-above-pins", TRUE,
                     "%s:%d: by the figures of op \"%s\" the %u SMs of %s would move %.5g GB/s "
                     "together; its pins carry %.5g",
                     idg_kernel_get_file (setting->kernel), machine->instrs[worst].line,
                     machine->names[machine->instrs[worst].name], machine->n_sms,
                     setting->gpu->name, most, pins);
}

/* ---- All ---- */

typedef void (*Check) (const Setting *setting);

static const Check checks[] = { take_warnings, check_occupancy, check_shares };

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
