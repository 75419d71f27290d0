/* SPDX-License-Identifier: MIT */
#include "exec/wp-doubts.h"

#include "exec/machine/wp-loops.h"
#include "exec/machine/wp-ops.h"
#include "exec/wp-notes.h"

#include <string.h>

#define NOT_TAKEN 1
#define TAKEN 2

/* ---- Ways through the code ---- */

/* Marks with BIT all that is reached from FROM without passing AVOIDED. */
static void
reach (const WpKernelCode *code, guint32 from, guint32 avoided, guint8 bit, guint8 *marks)
{
  g_autoptr (GArray) open = g_array_new (FALSE, FALSE, sizeof (guint32));

  g_array_append_val (open, from);
  while (open->len > 0)
    {
      guint32 i = g_array_index (open, guint32, open->len - 1), ways[2];

      g_array_set_size (open, open->len - 1);
      if (i == WP_NOWHERE || i == avoided || marks[i] & bit)
        continue;
      marks[i] |= bit;
      ways[0] = wp_loops_get_next (code, i);
      ways[1] = wp_loops_get_target (code, i);
      g_array_append_vals (open, ways, 2);
    }
}

static const WpMachineNote *
get_note (const GArray *notes, guint k)
{
  return &g_array_index (notes, WpMachineNote, k);
}

static void
look_at_loops (const WpKernelCode *code, const GArray *notes, gboolean *decides)
{
  g_autofree guint8 *body = g_new (guint8, code->n_steps + 1);

  for (guint32 last = 0; last < code->n_steps; last++)
    {
      guint32 head;

      if (!wp_loops_close (code, last, &head))
        continue;
      wp_loops_find_body (code, head, last, body);
      for (guint k = 0; k < notes->len; k++)
        decides[k] |= get_note (notes, k)->kind == WP_NOTE_BRANCH
                      && wp_loops_leave (code, get_note (notes, k)->index, body);
    }
}

gboolean *
wp_doubts_find_loops (const WpKernelCode *code, const GArray *notes, guint8 *can_differ)
{
  gboolean *decides = g_new0 (gboolean, notes->len + 1);
  g_autofree guint8 *marks = g_new (guint8, code->n_steps + 1);

  look_at_loops (code, notes, decides);
  memset (can_differ, 0, code->n_steps);
  for (guint k = 0; k < notes->len; k++)
    {
      guint32 i = get_note (notes, k)->index;

      if (decides[k] || get_note (notes, k)->kind != WP_NOTE_BRANCH)
        continue;
      memset (marks, 0, code->n_steps);
      reach (code, wp_loops_get_next (code, i), i, NOT_TAKEN, marks);
      reach (code, wp_loops_get_target (code, i), i, TAKEN, marks);
      for (guint32 n = 0; n < code->n_steps; n++)
        if (marks[n] == NOT_TAKEN || marks[n] == TAKEN)
          can_differ[n] |= marks[n];
    }
  return decides;
}

/* ---- How much was executed ---- */

/* The share of what RESULT executed that might not have been; or, if that is more, might have been
 * in its place, of which each is taken to be executed once by each warp. */
static gdouble
measure (const WpExecResult *result, const guint8 *can_differ)
{
  g_autofree gdouble *counts = wp_trail_classes_count (result->classes);
  gdouble all = 0, warps = 0, done = 0, instead = 0;

  for (guint i = 0; i < wp_trail_classes_get_n (result->classes); i++)
    warps += (gdouble)wp_trail_classes_get (result->classes, i)->n_warps;
  for (guint n = 0; n < result->code->n_steps; n++)
    {
      all += counts[n];
      done += can_differ[n] & NOT_TAKEN ? counts[n] : 0;
      instead += can_differ[n] & TAKEN ? warps : 0;
    }
  return all > 0 ? MIN (MAX (done, instead) / all, 1) : 0;
}

static gboolean
is_access (WpSassOp op)
{
  switch (op)
    {
    case WP_SASS_ATOM:
    case WP_SASS_ATOMG:
    case WP_SASS_ATOMS:
    case WP_SASS_LD:
    case WP_SASS_LDG:
    case WP_SASS_LDGSTS:
    case WP_SASS_LDL:
    case WP_SASS_LDS:
    case WP_SASS_LDSM:
    case WP_SASS_RED:
    case WP_SASS_REDG:
    case WP_SASS_ST:
    case WP_SASS_STG:
    case WP_SASS_STL:
    case WP_SASS_STS:
    case WP_SASS_STSM:
      return TRUE;
    default:
      return FALSE;
    }
}

/* Whether any step that might not have been executed, or might have been in its place, accesses
 * memory. */
static gboolean
have_accesses (const WpKernelCode *code, const guint8 *can_differ)
{
  for (guint32 n = 0; n < code->n_steps; n++)
    if (can_differ[n] != 0 && is_access (code->steps[n].instr->op))
      return TRUE;
  return FALSE;
}

/* ---- In words ---- */

#define MOST_PLACES 3

/* "row, which nobody gave"; TAG is of the data, 0: of several. */
static gchar *
describe_source (const WpMemory *memory, WpTag tag)
{
  if (WP_TAG_SOURCE (tag) == WP_TAG_UNWRITTEN)
    return g_strdup ("what shared or local memory holds where nothing was stored");
  return wp_notes_describe_source (memory, tag, "nobody gave");
}

/* "--data in=HOW" and MORE, where such an option says what the data of TAG are, else NULL. */
static gchar *
describe_remedy (const WpMemory *memory, WpTag tag, const gchar *more)
{
  const gchar *name = wp_notes_name_source (memory, tag);

  return WP_TAG_SOURCE (tag) == WP_TAG_UNWRITTEN
             ? NULL
             : g_strdup_printf ("--data %s=HOW%s", name ? name : "NAME", more);
}

/* "in, which nobody gave (k.cu:3, k.cu:8)": what the notes of RESULT depend on that WANTED has, and
 * where. TAG and N receive the source that they have in common (0: none) and how many there are.
 * Free with g_free(). */
static gchar *
describe_notes (const WpExecResult *result, const WpMemory *memory, const gboolean *wanted,
                WpTag *tag, guint *n)
{
  g_autoptr (GPtrArray) places = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GString) list = g_string_new (NULL);
  g_autofree gchar *source = NULL;

  *tag = 0;
  *n = 0;
  for (guint k = 0; k < result->notes->len; k++)
    {
      const WpMachineNote *note = get_note (result->notes, k);
      g_autofree gchar *place = wp_kernel_code_place (result->code, note->index);

      if (!wanted[k])
        continue;
      *tag = (*n)++ == 0 || WP_TAG_SOURCE (*tag) == WP_TAG_SOURCE (note->tag) ? note->tag : 0;
      if (!g_ptr_array_find_with_equal_func (places, place, g_str_equal, NULL))
        g_ptr_array_add (places, g_steal_pointer (&place));
    }
  for (guint k = 0; k < places->len && k < MOST_PLACES; k++)
    g_string_append_printf (list, "%s%s", k > 0 ? ", " : "",
                            (const gchar *)g_ptr_array_index (places, k));
  if (places->len > MOST_PLACES)
    g_string_append_printf (list, " and %u more", places->len - MOST_PLACES);
  source = describe_source (memory, *tag);
  return g_strdup_printf ("%s (%s)", source, list->str);
}

/* What the branches depend on that decide a loop, or else the others, and what is assumed. Free
 * with g_free(). */
static gchar *
describe_branches (const WpExecResult *result, const WpMemory *memory, const gboolean *decides,
                   gboolean of_loops)
{
  g_autofree gboolean *wanted = g_new (gboolean, result->notes->len + 1);
  g_autofree gchar *text = NULL, *remedy = NULL;
  WpTag tag;
  guint n;

  for (guint k = 0; k < result->notes->len; k++)
    wanted[k]
        = get_note (result->notes, k)->kind == WP_NOTE_BRANCH && (decides[k] != FALSE) == of_loops;
  text = describe_notes (result, memory, wanted, &tag, &n);
  remedy = describe_remedy (memory, tag, ", or --branch FILE:LINE=taken,");
  return g_strdup_printf ("%s: no thread takes %s, and the times are of that; %s says else", text,
                          n == 1 ? "the branch" : "these branches",
                          remedy ? remedy : "--branch FILE:LINE=taken");
}

/* ---- Addresses ---- */

/* The share of the sectors that are asked of L2 that belongs to the instructions of the notes that
 * WANTED has. */
static gdouble
measure_sectors (const WpExecResult *result, const gboolean *wanted)
{
  g_autofree guint8 *is_one = g_new0 (guint8, result->code->n_steps + 1);
  gdouble all = 0, some = 0;

  for (guint k = 0; k < result->notes->len; k++)
    is_one[get_note (result->notes, k)->index] |= wanted[k];
  for (guint k = 0; k < result->counts->len; k++)
    {
      const WpCounts *counts = g_ptr_array_index (result->counts, k);
      g_autoptr (GArray) indices = counts ? wp_counts_get_indices (counts) : NULL;

      for (guint i = 0; counts && i < indices->len; i++)
        {
          const guint32 index = g_array_index (indices, guint32, i);
          WpTotals totals;

          if (!wp_counts_get_totals (counts, index, &totals) || totals.space == WP_SPACE_SHARED)
            continue;
          all += (gdouble)totals.l1_sectors;
          some += is_one[index] ? (gdouble)totals.l1_sectors : 0;
        }
    }
  return all > 0 ? some / all : 0;
}

static void
warn_of_addresses (IdgKernel *kernel, const WpExecResult *result, const WpMemory *memory)
{
  g_autofree gboolean *wanted = g_new (gboolean, result->notes->len + 1);
  g_autofree gchar *text = NULL, *remedy = NULL;
  gdouble share;
  WpTag tag;
  guint n;

  for (guint k = 0; k < result->notes->len; k++)
    wanted[k] = get_note (result->notes, k)->kind == WP_NOTE_ADDRESS;
  share = measure_sectors (result, wanted);
  if (share <= WP_MANY_DOUBTS)
    return;
  text = describe_notes (result, memory, wanted, &tag, &n);
  remedy = describe_remedy (memory, tag, "");
  idg_kernel_add_warning (
      kernel, "addresses-assumed",
      "%.0f%% of the sectors that are asked of L2 are at addresses that depend on %s: they are "
      "random, and would take less time closer together, or if the same ones came again%s%s%s",
      100 * share, text, remedy ? "; " : "", remedy ? remedy : "", remedy ? " says else" : "");
}

void
wp_doubts_warn (IdgKernel *kernel, const WpExecResult *result, const WpMemory *memory)
{
  g_autofree guint8 *can_differ = g_new0 (guint8, result->code->n_steps + 1);
  g_autofree gboolean *decides = NULL;
  guint branches = 0, loops = 0;
  gdouble share;

  if (result->notes == NULL || result->notes->len == 0)
    return;
  warn_of_addresses (kernel, result, memory);
  for (guint k = 0; k < result->notes->len; k++)
    branches += get_note (result->notes, k)->kind == WP_NOTE_BRANCH;
  if (branches == 0)
    return;
  decides = wp_doubts_find_loops (result->code, result->notes, can_differ);
  for (guint k = 0; k < result->notes->len; k++)
    loops += decides[k] != 0;
  if (loops > 0)
    {
      g_autofree gchar *text = describe_branches (result, memory, decides, TRUE);

      idg_kernel_add_warning (kernel, "trips-assumed", "how often loops run depends on %s", text);
    }
  share = loops == 0 ? measure (result, can_differ) : 0;
  if (share > WP_MANY_DOUBTS)
    {
      g_autofree gchar *text = describe_branches (result, memory, decides, FALSE);

      idg_kernel_add_warning (kernel, "branches-assumed",
                              "whether %.0f%% of the instructions are executed, or others in their "
                              "place, depends on %s",
                              100 * share, text);
      if (kernel->counters != NULL)
        {
          kernel->counters->doubted = share;
          kernel->counters->doubts_accesses = have_accesses (result->code, can_differ);
        }
    }
}
