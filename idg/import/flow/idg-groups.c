/* SPDX-License-Identifier: MIT */
/* Finds the groups of warps that the same hints apply to. Each group takes its own path through the
 * listing and gets its own program. */
#include "idg/import/flow/idg-groups.h"

#include "idg/import/flow/idg-layout.h"

#include <string.h>

typedef struct
{
  gchar *signature; /* which of the branch hints apply: "01..." */
  GArray *warps;    /* of IdgRange */
} Group;

static void
free_group (gpointer data)
{
  Group *group = data;

  g_free (group->signature);
  g_clear_pointer (&group->warps, g_array_unref);
  g_free (group);
}

static gboolean
is_among (const GArray *warps, guint64 warp)
{
  for (guint i = 0; warps != NULL && i < warps->len; i++)
    {
      const IdgRange *range = &g_array_index (warps, IdgRange, i);

      if (range->first <= warp && warp <= range->last)
        return TRUE;
    }
  return warps == NULL;
}

static gint
compare_warps (gconstpointer a, gconstpointer b)
{
  guint64 left = *(const guint64 *)a, right = *(const guint64 *)b;

  return left < right ? -1 : left > right;
}

/* Returns the warps at which the set of applicable hints changes; the first is 0. */
static GArray *
find_changes (const IdgHints *hints)
{
  GArray *changes = g_array_new (FALSE, FALSE, sizeof (guint64));
  guint64 first = 0;

  g_array_append_val (changes, first);
  for (guint i = 0; i < hints->branches->len; i++)
    {
      const IdgBranchHint *hint = g_ptr_array_index (hints->branches, i);

      for (guint j = 0; hint->warps != NULL && j < hint->warps->len; j++)
        {
          IdgRange range = g_array_index (hint->warps, IdgRange, j);

          range.last++;
          g_array_append_val (changes, range.first);
          if (range.last < IDG_MAX_THREADS)
            g_array_append_val (changes, range.last);
        }
    }
  g_array_sort (changes, compare_warps);
  return changes;
}

static void
add_to_group (GPtrArray *groups, const gchar *signature, IdgRange range)
{
  Group *group = NULL;

  for (guint i = 0; i < groups->len && group == NULL; i++)
    if (strcmp (((Group *)g_ptr_array_index (groups, i))->signature, signature) == 0)
      group = g_ptr_array_index (groups, i);
  if (group == NULL)
    {
      group = g_new0 (Group, 1);
      group->signature = g_strdup (signature);
      group->warps = g_array_new (FALSE, FALSE, sizeof (IdgRange));
      g_ptr_array_add (groups, group);
    }
  g_array_append_val (group->warps, range);
}

static GPtrArray *
find_groups (const IdgHints *hints)
{
  GPtrArray *groups = g_ptr_array_new_with_free_func (free_group);
  g_autoptr (GArray) changes = find_changes (hints);
  g_autoptr (GString) signature = g_string_new (NULL);

  for (guint i = 0; i < changes->len; i++)
    {
      IdgRange range = { g_array_index (changes, guint64, i), IDG_MAX_THREADS - 1 };

      if (i + 1 < changes->len)
        range.last = g_array_index (changes, guint64, i + 1) - 1;
      if (i + 1 < changes->len && range.last + 1 == range.first)
        continue;
      g_string_truncate (signature, 0);
      for (guint j = 0; j < hints->branches->len; j++)
        {
          const IdgBranchHint *hint = g_ptr_array_index (hints->branches, j);

          g_string_append_c (signature, is_among (hint->warps, range.first) ? '1' : '0');
        }
      add_to_group (groups, signature->str, range);
    }
  return groups;
}

/* ---- Programs ---- */

static IdgHint
get_opposite (IdgHint hint)
{
  return hint == IDG_HINT_TAKEN ? IDG_HINT_NOT
         : hint == IDG_HINT_NOT ? IDG_HINT_TAKEN
                                : IDG_HINT_NONE;
}

/* Applies the hints, either those by name or those for the REST. AMONG selects the hints that are
 * for the warps of GROUP; otherwise the hints for other warps are applied, and GROUP does the
 * opposite of them. The first hint for a branch counts. */
static void
decide (const IdgHints *hints, const Group *group, gboolean rest, gboolean among, guint8 *branches,
        guint *targets)
{
  for (guint i = 0; i < hints->branches->len; i++)
    {
      const IdgBranchHint *hint = g_ptr_array_index (hints->branches, i);

      if (hint->rest != rest || (group->signature[i] == '1') != among)
        continue;
      for (guint j = 0; j < hint->instrs->len; j++)
        {
          guint instr = g_array_index (hint->instrs, guint, j);
          gboolean has_opposite = idg_code_get (hints->code, instr)->has_guard;

          if (branches[instr] != IDG_HINT_NONE || (!among && !has_opposite))
            continue;
          branches[instr] = among ? hint->hint : get_opposite (hint->hint);
          targets[instr] = g_array_index (hint->targets, guint, j);
        }
    }
}

static IdgProgram *
make_program (const IdgHints *hints, const Group *group, IdgImport *import, GError **error)
{
  guint n = hints->code->instrs->len;
  g_autofree guint8 *branches = g_new0 (guint8, n);
  g_autofree guint *targets = g_new0 (guint, n);
  IdgDecisions decisions = { branches, targets, hints->trips, hints->other_trips, FALSE };
  g_autoptr (GArray) steps = NULL;

  for (guint i = 0; i < hints->branches->len; i++)
    decisions.breaks_hint |= ((const IdgBranchHint *)g_ptr_array_index (hints->branches, i))->rest;
  for (guint pass = 0; pass < 4; pass++)
    decide (hints, group, pass >= 2, pass % 2 == 0, branches, targets);
  steps = idg_walk (hints->flow, &decisions, import, error);
  return steps != NULL ? idg_lay_out (hints->code, steps, hints->contexts, import, error) : NULL;
}

gboolean
idg_hints_add_programs (const IdgHints *hints, IdgKernel *kernel, IdgImport *import, GError **error)
{
  g_autoptr (GPtrArray) groups = find_groups (hints);

  for (guint i = 0; i < groups->len; i++)
    {
      Group *group = g_ptr_array_index (groups, i);
      IdgProgram *program = make_program (hints, group, import, error);

      if (program == NULL)
        return FALSE;
      idg_kernel_add_program (kernel, program, NULL,
                              groups->len > 1 ? g_steal_pointer (&group->warps) : NULL, NULL, 0);
    }
  return TRUE;
}
