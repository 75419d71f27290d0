/* SPDX-License-Identifier: MIT */
#include "run/simulate/stuck.h"

#include "sim/machine/wp-observer.h" /* WP_NO_INSTR */

/* "the barrier \"full\"", "the barrier without a name". */
static void
append_barrier (GString *text, const WpMachine *machine, guint32 barrier)
{
  if (barrier > 0)
    g_string_append_printf (text, "the barrier \"%s\"", machine->barriers[barrier - 1].name);
  else if (machine->n_barriers > 0)
    g_string_append (text, "the barrier without a name");
  else
    g_string_append (text, "a barrier");
}

static void
append_first (GString *text, const WpStuck *stuck, const WpMachine *machine)
{
  const WpInstr *instr = stuck->instr == WP_NO_INSTR ? NULL : &machine->instrs[stuck->instr];

  g_string_append_printf (text, "warp %u of block %" G_GUINT64_FORMAT " in slot %u of SM %u, ",
                          stuck->warp, stuck->block, stuck->slot, stuck->sm);
  if (stuck->held)
    {
      g_string_append (text, "waits at ");
      append_barrier (text, machine, stuck->barrier);
    }
  else if (instr != NULL)
    g_string_append_printf (text, "could issue \"%s\"", machine->names[instr->cost->name]);
  else
    g_string_append (text, "has instructions left");
  if (instr != NULL && instr->line > 0)
    g_string_append_printf (text, " (line %d)", instr->line);
  if (!stuck->held)
    g_string_append_printf (text, ", and the policy never chooses it (scheduler %u)",
                            stuck->slot % machine->n_schedulers);
}

/* The other barriers at which somebody waits. */
static void
append_others (GString *text, const WpStuck *stuck, const WpMachine *machine)
{
  gboolean any = FALSE;

  for (guint32 i = 0; i <= machine->n_barriers; i++)
    {
      if ((stuck->barriers[i / 64] >> i % 64 & 1) == 0 || (stuck->held && stuck->barrier == i))
        continue;
      g_string_append (text, any ? ", " : "; others wait at ");
      append_barrier (text, machine, i);
      any = TRUE;
    }
}

gchar *
wp_stuck_describe (const WpStuck *stuck, const WpMachine *machine)
{
  GString *text = g_string_new (NULL);

  if (stuck->n == 1)
    g_string_append (text, "a warp never ends: ");
  else
    g_string_append_printf (text, "%" G_GUINT64_FORMAT " warps never end: the first, ", stuck->n);
  append_first (text, stuck, machine);
  append_others (text, stuck, machine);
  return g_string_free (text, FALSE);
}

/* "warp 3 of block 7, in its place 5". */
static void
append_warp (GString *text, const WpPolicyFault *fault)
{
  g_string_append_printf (text, "warp %u of block %" G_GUINT64_FORMAT ", in its place %u",
                          fault->warp, fault->block, fault->chosen);
}

static void
append_choice (GString *text, const WpPolicyFault *fault)
{
  g_string_append (text, "chose ");
  if (fault->resident)
    {
      append_warp (text, fault);
      g_string_append (text, ", which is not ready,");
    }
  else if (fault->chosen < fault->n_slots)
    g_string_append_printf (text, "place %u, where no warp is,", fault->chosen);
  else
    g_string_append_printf (text, "place %u, of which it has %u, from 0,", fault->chosen,
                            fault->n_slots);
}

/* TEXT, which a policy gave, as part of one. */
static gchar *
make_line (const gchar *text)
{
  gchar *line = g_utf8_make_valid (text, -1);

  for (gchar *c = line; *c != '\0'; c++)
    if (g_ascii_iscntrl (*c))
      *c = ' ';
  return line;
}

gchar *
wp_fault_describe (const WpPolicyFault *fault, gint64 ticks_per_cycle)
{
  GString *text = g_string_new (NULL);
  gchar time[WP_TIME_CHARS];
  g_autofree gchar *own = make_line (fault->text);

  switch (fault->kind)
    {
    case WP_POLICY_FAULT_CHOICE:
      append_choice (text, fault);
      break;
    case WP_POLICY_FAULT_UNTIL:
      wp_tick_format (MAX (fault->until, 0), ticks_per_cycle, time);
      g_string_append_printf (text, "wants no warp until cycle %s, which is not later,", time);
      break;
    case WP_POLICY_FAULT_NOBODY:
      g_string_append (text, "chose nobody, and is pure,");
      break;
    case WP_POLICY_FAULT_STARVES:
      g_string_append_printf (text, "has chosen nobody %d times in a row, although ",
                              WP_MAX_REFUSALS);
      append_warp (text, fault);
      g_string_append (text, ", could issue,");
      break;
    default:
      g_string_append_printf (text, "fails (%s)", own);
    }
  return g_string_free (text, FALSE);
}
