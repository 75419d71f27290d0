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
          if (rest && hint->warps != NULL)
            branches[instr] |= IDG_HINT_FIRM;
          targets[instr] = g_array_index (hint->targets, guint, j);
        }
    }
}

/* Steps, and the warps that take them. */
typedef struct
{
  GArray *steps; /* of IdgStep */
  GArray *warps; /* of IdgRange */
} Way;

static void
free_way (gpointer data)
{
  Way *way = data;

  g_array_unref (way->steps);
  g_clear_pointer (&way->warps, g_array_unref);
  g_free (way);
}

static gboolean
takes (const Way *way, const GArray *steps)
{
  return way->steps->len == steps->len
         && memcmp (way->steps->data, steps->data, steps->len * sizeof (IdgStep)) == 0;
}

static void
add_warps (Way *way, IdgRange warps)
{
  IdgRange *last
      = way->warps->len > 0 ? &g_array_index (way->warps, IdgRange, way->warps->len - 1) : NULL;

  if (last != NULL && last->last + 1 == warps.first)
    last->last = warps.last;
  else
    g_array_append_val (way->warps, warps);
}

/* Returns the way of STEPS, which it takes over. */
static Way *
get_way (GPtrArray *ways, GArray *steps)
{
  Way *way;

  for (guint i = 0; i < ways->len; i++)
    if (takes (g_ptr_array_index (ways, i), steps))
      {
        g_array_unref (steps);
        return g_ptr_array_index (ways, i);
      }
  way = g_new0 (Way, 1);
  way->steps = steps;
  way->warps = g_array_new (FALSE, FALSE, sizeof (IdgRange));
  g_ptr_array_add (ways, way);
  return way;
}

/* What the walks of a group have in common. */
typedef struct
{
  const IdgHints *hints;
  IdgDecisions decisions;
  IdgOutcome *outcome;
  IdgImport *import;
  guint64 n_warps;   /* of a block */
  guint64 n_tried;   /* and of the largest that the kernel might run with */
  gboolean is_fixed; /* it cannot run with larger ones */
  GError **error;
} Walks;

/* Walks for the warps of RANGE: once, if the numbers of their threads decide nothing, else warp by
 * warp. Warps that a block does not have do as its last one does: where their numbers would have
 * them do something else, the kernel is for that block. */
static gboolean
walk_range (Walks *walks, IdgRange range, GPtrArray *ways)
{
  const IdgTripsRoom *room = walks->hints->flow->trips;
  Way *way = NULL;

  for (guint64 warp = range.first; warp <= range.last; warp++)
    {
      gboolean is_beyond = warp >= walks->n_warps && way != NULL;
      GArray *steps;

      if (is_beyond && (warp >= walks->n_tried || (room->used & IDG_USED_THREADS) != 0))
        break;
      walks->decisions.warp = (gint64)MIN (warp, walks->n_tried - 1);
      steps = idg_walk (walks->hints->flow, &walks->decisions, walks->outcome, walks->import,
                        walks->error);
      if (steps == NULL)
        return FALSE;
      if (is_beyond && !takes (way, steps))
        {
          walks->is_fixed = TRUE;
          g_array_unref (steps);
          break;
        }
      way = get_way (ways, steps);
      if (!walks->outcome->by_thread)
        break;
      add_warps (way, (IdgRange){ warp, warp });
      range.first = warp + 1;
    }
  if (range.first <= range.last)
    add_warps (way, range);
  return TRUE;
}

/* Finds the ways of the warps of GROUP. */
static gboolean
walk_group (Walks *walks, const Group *group, GPtrArray *ways)
{
  const IdgHints *hints = walks->hints;
  guint n = hints->code->instrs->len;
  g_autofree guint8 *named = g_new0 (guint8, n);
  g_autofree guint8 *others = g_new0 (guint8, n);
  g_autofree guint *targets = g_new0 (guint, n);

  walks->decisions.named = named;
  walks->decisions.others = others;
  walks->decisions.targets = targets;
  for (guint pass = 0; pass < 4; pass++)
    decide (hints, group, pass >= 2, pass % 2 == 0, pass >= 2 ? others : named, targets);
  for (guint i = 0; i < group->warps->len; i++)
    {
      if (!walk_range (walks, g_array_index (group->warps, IdgRange, i), ways))
        return FALSE;
      if (!walks->outcome->by_thread)
        break;
    }
  return TRUE;
}

/* Adds a program for each of WAYS. If there is only one, all warps of GROUP run it. */
static gboolean
add_programs (const IdgHints *hints, Group *group, gboolean alone, GPtrArray *ways,
              IdgKernel *kernel, IdgImport *import, GError **error)
{
  for (guint i = 0; i < ways->len; i++)
    {
      Way *way = g_ptr_array_index (ways, i);
      IdgProgram *program = idg_lay_out (hints->code, way->steps, hints->contexts, import, error);

      if (program == NULL)
        return FALSE;
      idg_kernel_add_program (kernel, program, NULL,
                              ways->len > 1 ? g_steal_pointer (&way->warps)
                              : !alone      ? g_steal_pointer (&group->warps)
                                            : NULL,
                              NULL, 0);
    }
  return TRUE;
}

/* Returns how many warps to tell apart: those of the block, or, where blocks have one dimension,
 * those of the largest that GPUs have, so that the kernel is one for other numbers of threads,
 * too. */
static guint64
count_warps (const IdgFacts *facts, gint64 threads)
{
  guint64 n = ((guint64)threads + 31) / 32;

  return facts->block_dim[1] == 1 && facts->block_dim[2] == 1 ? MAX (n, 32) : n;
}

gboolean
idg_hints_add_programs (const IdgHints *hints, const IdgFacts *facts, IdgKernel *kernel,
                        IdgImport *import, IdgOutcome *outcome, GError **error)
{
  g_autoptr (GPtrArray) groups = find_groups (hints);
  Walks walks = { .hints = hints,
                  .outcome = outcome,
                  .import = import,
                  .n_warps = ((guint64)kernel->launch.threads + 31) / 32,
                  .n_tried = count_warps (facts, kernel->launch.threads),
                  .error = error };

  walks.decisions.trips = hints->trips;
  walks.decisions.source_trips = hints->source_trips;
  walks.decisions.other_trips = hints->other_trips;
  walks.decisions.facts = *facts;
  for (guint i = 0; i < hints->branches->len; i++)
    walks.decisions.breaks_hint
        |= ((const IdgBranchHint *)g_ptr_array_index (hints->branches, i))->rest;
  for (guint i = 0; i < groups->len; i++)
    {
      Group *group = g_ptr_array_index (groups, i);
      g_autoptr (GPtrArray) ways = g_ptr_array_new_with_free_func (free_way);

      if (!walk_group (&walks, group, ways)
          || !add_programs (hints, group, groups->len == 1, ways, kernel, import, error))
        return FALSE;
    }
  kernel->fixed_threads = walks.is_fixed;
  return TRUE;
}
