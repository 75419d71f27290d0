/* SPDX-License-Identifier: MIT */
/* Looks at what came of the hints. One that took no effect is an error that says why: whoever gave
 * it believes something of the kernel that is not so. A loop that no warp enters is noted, because
 * what it would have done is missing from all figures. */
#include "idg/import/base/idg-notes.h"
#include "idg/import/flow/idg-hints.h"
#include "idg/import/flow/idg-places.h"
#include "idg/import/flow/idg-share.h"
#include "idg/xml/idg-xml.h"

#include <string.h>

#define MAX_LIST 400 /* bytes of the list in an error */

typedef struct
{
  const IdgHints *hints;
  const IdgFlow *flow;
  const IdgOutcome *outcome;
  IdgPlaceCounts counts;
  GError **error;
} Check;

static gboolean fail (const Check *check, const IdgGivenHint *given, const gchar *format, ...)
    G_GNUC_PRINTF (3, 4);

static gboolean
fail (const Check *check, const IdgGivenHint *given, const gchar *format, ...)
{
  g_autofree gchar *quoted = idg_xml_quote (given->text);
  g_autofree gchar *what = NULL;
  va_list list;

  va_start (list, format);
  what = g_strdup_vprintf (format, list);
  va_end (list);
  return idg_import_fail (check->hints->code->file, 0, IDG_ERROR_VALUE, check->error, "--%s %s: %s",
                          given->option, quoted, what);
}

/* ---- What is not reached ---- */

/* Returns the block whose branch leads away from BLOCK, which no warp reaches; or IDG_FLOW_NONE. */
static guint
find_culprit (const Check *check, guint block)
{
  const IdgFlow *flow = check->flow;
  guint above;

  if (idg_flow_get_block (flow, block)->order == IDG_FLOW_NONE)
    return IDG_FLOW_NONE;
  while (!check->outcome->walked[block])
    {
      above = idg_flow_get_block (flow, block)->dominator;
      if (above == block || above == IDG_FLOW_NONE)
        return IDG_FLOW_NONE;
      block = above;
    }
  return block;
}

/* Returns why a branch that options call HANDLE goes where it goes. */
static gchar *
explain_way (IdgWhy why, const gchar *handle)
{
  if (why == IDG_WHY_CONSTANT || why == IDG_WHY_THREAD)
    return g_strdup ("as constants and the launch decide");
  if (why == IDG_WHY_NAMED || why == IDG_WHY_ALL)
    return g_strdup_printf ("as --branch%s says", why == IDG_WHY_ALL ? " all" : "");
  return g_strdup_printf ("as is assumed; --branch %s=taken, not or both decides it", handle);
}

/* Returns why no warp reaches BLOCK: "the branch on line 41 (to L__BB0_8) goes the other way, as
 * --branch says". */
static gchar *
explain_unreached (const Check *check, guint block)
{
  guint culprit = find_culprit (check, block);
  const IdgCodeInstr *branch;
  g_autofree gchar *target = NULL;
  g_autofree gchar *handle = NULL;
  g_autofree gchar *why = NULL;
  guint last;

  if (culprit == IDG_FLOW_NONE)
    return g_strdup ("nothing leads there");
  last = idg_flow_get_block (check->flow, culprit)->last;
  branch = idg_code_get (check->flow->code, last);
  if (!idg_place_is_decided (branch))
    return g_strdup_printf ("the path ends at line %d", branch->line);
  target = idg_place_name_target (check->flow->code, branch, 0);
  handle = idg_place_name_branch (check->flow, &check->counts, last);
  why = explain_way (check->outcome->whys[culprit], handle);
  return g_strdup_printf ("the branch on line %d (to %s) goes the other way, %s", branch->line,
                          branch->n_targets > 0 ? target : "the end", why);
}

static gboolean
is_walked (const Check *check, guint instr)
{
  guint block = check->flow->block_of[instr];

  return block < IDG_FLOW_END && check->outcome->walked[block];
}

/* ---- Trips ---- */

static guint
get_first (const Check *check, guint loop)
{
  return idg_flow_get_block (check->flow, idg_flow_get_loop (check->flow, loop)->header)->first;
}

static guint
get_loop_at (const Check *check, guint first)
{
  return idg_flow_get_block (check->flow, check->flow->block_of[first])->loop;
}

/* Tells whether the loops that begin at INSTRS are one of the source: copies, or an unrolled loop
 * and its remainder. */
static gboolean
are_one (const Check *check, const GArray *instrs)
{
  guint n;

  if (instrs->len > 1
      && idg_place_are_copies (check->flow, get_loop_at (check, g_array_index (instrs, guint, 0)),
                               &n)
      && n == instrs->len)
    return TRUE;
  for (guint i = 0; i < check->outcome->unrolled->len && instrs->len == 2; i++)
    {
      const IdgUnrolled *u = &g_array_index (check->outcome->unrolled, IdgUnrolled, i);
      guint one = get_loop_at (check, g_array_index (instrs, guint, 0));
      guint other = get_loop_at (check, g_array_index (instrs, guint, 1));

      if ((u->loop == one && u->rest == other) || (u->loop == other && u->rest == one))
        return TRUE;
    }
  return instrs->len < 2;
}

static gboolean
is_unrolled (const Check *check, guint loop)
{
  for (guint i = 0; i < check->outcome->unrolled->len; i++)
    {
      const IdgUnrolled *u = &g_array_index (check->outcome->unrolled, IdgUnrolled, i);

      if (u->loop == loop || u->rest == loop)
        return TRUE;
    }
  return FALSE;
}

/* A remainder runs less often than one round of its loop has rounds of the source. */
static gboolean
check_remainder (const Check *check, const IdgGivenHint *given)
{
  const GArray *unrolled = check->outcome->unrolled;

  for (guint i = 0; i < unrolled->len && !given->is_source && given->instrs->len == 1; i++)
    {
      const IdgUnrolled *u = &g_array_index (unrolled, IdgUnrolled, i);
      g_autofree gchar *name = idg_place_name_loop (check->flow, u->loop);

      if (u->rest == get_loop_at (check, g_array_index (given->instrs, guint, 0))
          && given->rounds >= u->copies)
        return fail (check, given,
                     "that loop is the remainder of %s, which is unrolled by %u; expected 0 to %u "
                     "rounds",
                     name, u->copies, u->copies - 1);
    }
  return TRUE;
}

static gchar *
list_loops (const Check *check, const GArray *instrs)
{
  GString *list = g_string_new (NULL);

  for (guint i = 0; i < instrs->len && list->len < MAX_LIST; i++)
    {
      guint first = g_array_index (instrs, guint, i);
      g_autofree gchar *name = idg_place_name_loop (check->flow, get_loop_at (check, first));

      g_string_append_printf (list, "%s%s (line %d)", list->len > 0 ? ", " : "", name,
                              idg_code_get (check->flow->code, first)->line);
    }
  return g_string_free (list, FALSE);
}

/* A hint for all loops is for those that are walked and that nothing else decides. */
static gboolean
check_all_trips (const Check *check, const IdgGivenHint *given)
{
  const IdgFlow *flow = check->flow;
  g_autofree gchar *names = NULL;
  g_autoptr (GArray) walked = g_array_new (FALSE, FALSE, sizeof (guint));

  if (check->outcome->used_all_trips || (given->rounds == 0 && flow->loops->len > 0))
    return TRUE;
  if (flow->loops->len == 0)
    return fail (check, given, "%s has no loops", flow->code->name);
  for (guint i = flow->loops->len; i-- > 0;)
    {
      guint first = get_first (check, i);

      if (is_walked (check, first))
        g_array_append_val (walked, first);
    }
  if (walked->len == 0)
    return fail (check, given, "no loop is reached");
  names = list_loops (check, walked);
  return fail (check, given,
               "it is for loops that neither the code nor another --trip counts, and there are "
               "none: the loops are %s; --trip LABEL=%" G_GINT64_FORMAT " overrules the code",
               names, given->rounds);
}

static gboolean
check_trips (const Check *check, const IdgGivenHint *given)
{
  g_autofree gchar *why = NULL;
  guint first;

  if (given->instrs->len == 0)
    return check_all_trips (check, given);
  if (given->is_source && !are_one (check, given->instrs))
    {
      g_autofree gchar *names = list_loops (check, given->instrs);

      return fail (check, given,
                   "%u loops are on that line of the source, and they are not one loop that was "
                   "unrolled with its remainder; expected the label of one: %s",
                   given->instrs->len, names);
    }
  if (!check_remainder (check, given))
    return FALSE;
  first = g_array_index (given->instrs, guint, 0);
  if (given->is_source && given->rounds > 0 && !is_unrolled (check, get_loop_at (check, first))
      && idg_place_has_copies (check->flow, get_loop_at (check, first)))
    {
      g_autofree gchar *names = list_loops (check, given->instrs);

      return fail (check, given,
                   "the loop on that line seems to be unrolled, as code of its rounds is outside "
                   "of it, too, but how its rounds are divided cannot be found; expected its "
                   "label, and its own rounds: %s",
                   names);
    }
  for (guint i = 0; i < given->instrs->len; i++)
    {
      first = g_array_index (given->instrs, guint, i);
      if ((check->outcome->uses[first] & IDG_USE_TRIPS) != 0
          || (given->rounds == 0 && !is_walked (check, first)))
        return TRUE;
    }
  first = g_array_index (given->instrs, guint, 0);
  if (is_walked (check, first))
    return fail (check, given,
                 "it took no effect: a round of that loop does not return to its beginning, or "
                 "another --trip counts it");
  why = explain_unreached (check, check->flow->block_of[first]);
  return fail (check, given, "no warp reaches that loop: %s", why);
}

/* ---- Branches and contexts ---- */

/* A branch that constants decide cannot go elsewhere. Of several copies one that can is enough. */
static gboolean
check_constants (const Check *check, const IdgGivenHint *given)
{
  guint instr = IDG_FLOW_NONE;
  gboolean always = FALSE;

  for (guint i = 0; i < given->instrs->len; i++)
    {
      guint at = g_array_index (given->instrs, guint, i);
      guint8 uses = check->outcome->uses[at];
      gboolean never = (uses & IDG_USE_CONSTANT) != 0;

      if (!is_walked (check, at))
        continue;
      always = (uses & IDG_USE_CONSTANT_TAKEN) != 0;
      if (never == always || given->hint == (always ? IDG_HINT_TAKEN : IDG_HINT_NOT))
        return TRUE;
      instr = at;
    }
  if (instr == IDG_FLOW_NONE)
    return TRUE;
  return fail (check, given, "constants and the launch decide the branch on line %d: it is %staken",
               idg_code_get (check->flow->code, instr)->line, always ? "" : "not ");
}

static gboolean
check_named (const Check *check, const IdgGivenHint *given)
{
  g_autofree gchar *why = NULL;
  gboolean walked = FALSE;

  for (guint i = 0; i < given->instrs->len; i++)
    walked |= is_walked (check, g_array_index (given->instrs, guint, i));
  if (walked)
    return strcmp (given->option, "branch") != 0 || check_constants (check, given);
  why = explain_unreached (check, check->flow->block_of[g_array_index (given->instrs, guint, 0)]);
  return fail (check, given, "no warp gets there: %s", why);
}

static gboolean
check_given (const Check *check, const IdgGivenHint *given)
{
  if (strcmp (given->option, "trip") == 0)
    return check_trips (check, given);
  if (given->instrs->len > 0)
    return check_named (check, given);
  if (check->outcome->used_all_branches)
    return TRUE;
  return fail (check, given,
               "it is for branches that neither another --branch nor the code decides, and that "
               "do not count a loop; %s has none",
               check->flow->code->name);
}

/* ---- Loops that are not entered ---- */

static guint
count_instrs (const Check *check, guint loop, gboolean *works)
{
  const IdgLoop *l = idg_flow_get_loop (check->flow, loop);
  guint n = 0;

  for (guint i = 0; i < l->n_members; i++)
    {
      const IdgBlock *block
          = idg_flow_get_block (check->flow, check->flow->members[l->first_member + i]);

      n += block->last - block->first + 1;
      for (guint j = block->first; j <= block->last; j++)
        *works |= idg_code_get (check->flow->code, j)->kind == IDG_CODE_OP;
    }
  return n;
}

/* Tells whether a hint asks for LOOP not to be entered, or a note has said that it is a remainder.
 */
static gboolean
is_asked (const Check *check, guint loop)
{
  guint first = get_first (check, loop);

  if (idg_hints_skips (check->hints, first))
    return TRUE;
  for (guint i = 0; i < check->outcome->unrolled->len; i++)
    {
      const IdgUnrolled *u = &g_array_index (check->outcome->unrolled, IdgUnrolled, i);
      gboolean walked
          = is_walked (check, get_first (check, u->loop))
            || (u->rest != IDG_FLOW_NONE && is_walked (check, get_first (check, u->rest)));

      if ((u->loop == loop || u->rest == loop) && (walked || u->is_said))
        return TRUE;
    }
  return FALSE;
}

static void
note_loop (const Check *check, guint loop, IdgKernel *kernel, IdgImport *import)
{
  const IdgCode *code = check->flow->code;
  guint header = idg_flow_get_loop (check->flow, loop)->header;
  guint culprit = find_culprit (check, header);
  const gchar *source = idg_place_get_loop_source (check->flow, loop);
  g_autofree gchar *name = idg_place_name_loop (check->flow, loop);
  g_autofree gchar *why = explain_unreached (check, header);
  g_autofree gchar *text = NULL;
  gboolean works = FALSE;
  guint n = count_instrs (check, loop, &works);
  IdgWhy reason = culprit != IDG_FLOW_NONE ? check->outcome->whys[culprit] : IDG_WHY_CODE;

  text = g_strdup_printf ("loop %s%s%s%s is never entered, %u instructions: %s", name,
                          source != NULL ? " (" : "", source != NULL ? source : "",
                          source != NULL ? ")" : "", n, why);
  idg_import_note (import, code->file, idg_code_get (code, get_first (check, loop))->line, "%s",
                   text);
  if (works && reason >= IDG_WHY_ALL)
    idg_kernel_add_warning (kernel, "loop-not-entered", "%s", text);
}

static void
note_loops (const Check *check, IdgKernel *kernel, IdgImport *import)
{
  for (guint i = check->flow->loops->len; i-- > 0;)
    {
      const IdgLoop *loop = idg_flow_get_loop (check->flow, i);

      if (check->outcome->walked[loop->header] || is_asked (check, i)
          || (loop->parent != IDG_FLOW_NONE
              && !check->outcome->walked[idg_flow_get_loop (check->flow, loop->parent)->header]))
        continue;
      note_loop (check, i, kernel, import);
    }
}

/* Warns of loops that were assumed to run once: nobody's kernel does that. */
static void
warn_of_assumed (const IdgOutcome *outcome, IdgKernel *kernel)
{
  const GPtrArray *loops = outcome->assumed;
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint i = 0; i < loops->len && i < 4; i++)
    g_string_append_printf (names, "%s%s", i > 0 ? ", " : "",
                            (const gchar *)g_ptr_array_index (loops, i));
  if (loops->len > 4)
    g_string_append_printf (names, " and %u more", loops->len - 4);
  if (loops->len > 0)
    idg_kernel_add_warning (kernel, "trips-assumed",
                            "%u loop%s assumed to run once, as nothing says how often (%s): the "
                            "times are of that; --trip %s=N sets its rounds",
                            loops->len, loops->len > 1 ? "s were" : " was", names->str,
                            (const gchar *)g_ptr_array_index (loops, 0));
}

gboolean
idg_hints_check (const IdgHints *hints, const IdgOutcome *outcome, IdgKernel *kernel,
                 IdgImport *import, GError **error)
{
  Check check = { .hints = hints, .flow = hints->flow, .outcome = outcome, .error = error };
  gboolean good = TRUE;

  idg_place_counts_init (&check.counts, hints->flow);
  for (guint i = 0; good && i < hints->given->len; i++)
    good = check_given (&check, g_ptr_array_index (hints->given, i));
  if (good)
    {
      note_loops (&check, kernel, import);
      idg_share_note (hints->flow, outcome->walked, import);
      warn_of_assumed (outcome, kernel);
    }
  idg_place_counts_clear (&check.counts);
  return good;
}
