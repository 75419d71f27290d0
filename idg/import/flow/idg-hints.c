/* SPDX-License-Identifier: MIT */
/* Looks up the user's hints about loops, branches and instructions in a listing. A hint that names
 * nothing in the listing is an error that lists what it could have named. */
#include "idg/import/flow/idg-hints.h"

#include "idg/import/base/idg-notes.h"
#include "idg/import/flow/idg-places.h"
#include "idg/import/flow/idg-uniform.h"
#include "idg/kernel/idg-mix.h"
#include "idg/kernel/idg-suggest.h"
#include "idg/xml/idg-xml.h"

#include <string.h>

#define MAX_LIST 400 /* bytes of the list in an error */

static void
free_hint (gpointer data)
{
  IdgBranchHint *hint = data;

  g_array_unref (hint->instrs);
  g_array_unref (hint->targets);
  g_clear_pointer (&hint->warps, g_array_unref);
  g_free (hint);
}

static void
free_given (gpointer data)
{
  IdgGivenHint *given = data;

  g_array_unref (given->instrs);
  g_free (given->context);
  g_free (given);
}

static gboolean
fail_option (const IdgHints *hints, const gchar *option, const gchar *value, const gchar *what,
             GError **error)
{
  g_autofree gchar *quoted = idg_xml_quote (value);

  return idg_import_fail (hints->code->file, 0, IDG_ERROR_VALUE, error, "--%s %s: %s", option,
                          quoted, what);
}

static gboolean
parse_line (const gchar *text, gint *line)
{
  guint64 value;

  if (!idg_xml_parse_whole (text, G_MAXINT, &value))
    return FALSE;
  *line = (gint)value;
  return TRUE;
}

/* Splits "NAME=VALUE" at the last `=`. */
static gboolean
split (const gchar *text, gchar **name, const gchar **value)
{
  const gchar *equals = strrchr (text, '=');

  if (equals == NULL || equals == text)
    return FALSE;
  *name = g_strndup (text, (gsize)(equals - text));
  *value = equals + 1;
  return TRUE;
}

/* ---- Loops ---- */

static guint
get_first (const IdgHints *hints, guint loop)
{
  guint header = idg_flow_get_loop (hints->flow, loop)->header;

  return idg_flow_get_block (hints->flow, header)->first;
}

/* Returns "A (file.cu:12), B" for an error: where loops begin. */
static gchar *
list_loops (const IdgHints *hints)
{
  GString *list = g_string_new (NULL);

  for (guint i = hints->flow->loops->len; i-- > 0 && list->len < MAX_LIST;)
    {
      const gchar *source = idg_place_get_loop_source (hints->flow, i);
      g_autofree gchar *name = idg_place_name_loop (hints->flow, i);

      g_string_append_printf (list, "%s%s", list->len > 0 ? ", " : "", name);
      if (source != NULL)
        g_string_append_printf (list, " (%s)", source);
    }
  return g_string_free (list, FALSE);
}

/* Adds the loop that begins with INSTR to FOUND, if one does. */
static void
add_loop_at (const IdgHints *hints, guint instr, GArray *found)
{
  const IdgFlow *flow = hints->flow;
  guint b = flow->block_of[instr];
  guint loop = b != IDG_FLOW_END ? idg_flow_get_block (flow, b)->loop : IDG_FLOW_NONE;

  if (loop != IDG_FLOW_NONE && get_first (hints, loop) == instr)
    g_array_append_val (found, instr);
}

/* Finds the first instructions of all loops that NAME refers to: a label, a line of the listing, or
 * one of the source. */
static void
find_loops (const IdgHints *hints, const gchar *name, GArray *found)
{
  const IdgCode *code = hints->code;
  gint line;

  if (parse_line (name, &line))
    {
      for (guint i = 0; i < code->instrs->len; i++)
        if (idg_code_get (code, i)->line == line)
          add_loop_at (hints, i, found);
      return;
    }
  for (guint i = 0; i < code->labels->len; i++)
    {
      const IdgCodeLabel *label = &g_array_index (code->labels, IdgCodeLabel, i);

      if (label->instr != IDG_NO_TARGET && idg_place_is_label (name, label->name))
        add_loop_at (hints, label->instr, found);
    }
  if (found->len == 0 && idg_place_is_source (name))
    {
      g_autoptr (GArray) loops = idg_place_find_loops (hints->flow, name);

      for (guint i = 0; i < loops->len; i++)
        {
          guint first = get_first (hints, g_array_index (loops, guint, i));

          g_array_append_val (found, first);
        }
    }
}

/* Returns " (did you mean A?)", or nothing. */
static gchar *
suggest (const gchar *name, GPtrArray *names)
{
  g_autofree gchar *near = NULL;

  g_ptr_array_add (names, NULL);
  near = idg_suggest (*name == '$' ? name + 1 : name, (const gchar *const *)names->pdata);
  return near != NULL ? g_strdup_printf (" (did you mean %s?)", near) : g_strdup ("");
}

static gchar *
suggest_loops (const IdgHints *hints, const gchar *name)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);

  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < hints->flow->loops->len; i++)
    {
      const gchar *source = idg_place_get_loop_source (hints->flow, i);

      g_ptr_array_add (names, idg_place_name_loop (hints->flow, i));
      if (source != NULL && g_hash_table_add (seen, (gpointer)source))
        g_ptr_array_add (names, g_strdup (source));
    }
  return suggest (name, names);
}

static IdgGivenHint *
add_given (IdgHints *hints, const gchar *option, const gchar *text)
{
  IdgGivenHint *given = g_new0 (IdgGivenHint, 1);

  given->option = option;
  given->text = text;
  given->instrs = g_array_new (FALSE, FALSE, sizeof (guint));
  g_ptr_array_add (hints->given, given);
  return given;
}

static gboolean
add_trips (IdgHints *hints, const gchar *text, GError **error)
{
  IdgGivenHint *given = add_given (hints, "trip", text);
  g_autofree gchar *name = NULL;
  g_autofree gchar *loops = NULL;
  g_autofree gchar *near = NULL;
  g_autofree gchar *what = NULL;
  const gchar *value;
  guint64 count;

  if (!split (text, &name, &value) || !idg_xml_parse_whole (value, IDG_MAX_COUNT, &count))
    return fail_option (hints, "trip", text,
                        "expected LABEL=N or FILE:LINE=N, with N a whole number up to 2147483647",
                        error);
  given->rounds = (gint64)count;
  if (strcmp (name, "all") == 0)
    {
      hints->other_trips = (gint64)count;
      return TRUE;
    }
  find_loops (hints, name, given->instrs);
  given->is_source = given->instrs->len > 0 && idg_place_is_source (name);
  for (guint i = 0; i < given->instrs->len; i++)
    (given->is_source ? hints->source_trips : hints->trips)[g_array_index (given->instrs, guint, i)]
        = (gint64)count;
  if (given->instrs->len > 0)
    return TRUE;
  loops = list_loops (hints);
  near = suggest_loops (hints, name);
  what = *loops != '\0' ? g_strdup_printf ("no loop begins there%s; loops begin at %s", near, loops)
                        : g_strdup_printf ("%s has no loops", hints->code->name);
  return fail_option (hints, "trip", text, what, error);
}

/* ---- Branches ---- */

static const gchar *
get_target (const IdgCode *code, const IdgCodeInstr *instr, guint i)
{
  guint label = g_array_index (code->targets, guint, instr->first_target + i);

  return g_array_index (code->labels, IdgCodeLabel, label).name;
}

/* Tells whether NAME refers to the branch INSTR, by its line or by a label that it goes to; TARGET
 * receives which of its labels. */
static gboolean
is_branch_called (const IdgCode *code, const IdgCodeInstr *instr, const gchar *name, guint *target)
{
  gint line;

  *target = 0;
  if (parse_line (name, &line))
    return instr->line == line;
  for (guint i = 0; i < instr->n_targets; i++)
    if (idg_place_is_label (name, get_target (code, instr, i)))
      {
        *target = i;
        return TRUE;
      }
  return FALSE;
}

static gboolean
parse_hint (const gchar *text, gsize length, IdgHint *hint)
{
  static const gchar *const names[] = { NULL, "taken", "not", "both" };

  for (guint i = 1; i < G_N_ELEMENTS (names); i++)
    if (strlen (names[i]) == length && strncmp (text, names[i], length) == 0)
      {
        *hint = i;
        return TRUE;
      }
  return FALSE;
}

/* Parses "0-3,7". */
static GArray *
parse_warps (const gchar *text)
{
  g_autoptr (GArray) warps = g_array_new (FALSE, FALSE, sizeof (IdgRange));
  g_auto (GStrv) parts = g_strsplit (text, ",", -1);

  for (guint i = 0; parts[i] != NULL; i++)
    {
      g_auto (GStrv) ends = g_strsplit (parts[i], "-", 2);
      IdgRange range;

      if (ends[0] == NULL || !idg_xml_parse_whole (ends[0], IDG_MAX_THREADS - 1, &range.first))
        return NULL;
      range.last = range.first;
      if (ends[1] != NULL
          && (!idg_xml_parse_whole (ends[1], IDG_MAX_THREADS - 1, &range.last)
              || range.last < range.first))
        return NULL;
      g_array_append_val (warps, range);
    }
  return warps->len > 0 ? g_steal_pointer (&warps) : NULL;
}

static void
find_branches (const IdgHints *hints, const gchar *name, IdgBranchHint *hint)
{
  g_autoptr (GArray) on_line = NULL;
  guint first = 0;

  if (!hint->rest && idg_place_is_source (name))
    on_line = idg_place_find_branches (hints->flow, name);
  if (on_line != NULL && on_line->len > 0)
    {
      for (guint i = 0; i < on_line->len; i++)
        {
          guint instr = g_array_index (on_line, guint, i);

          if (!idg_code_get (hints->code, instr)->has_guard)
            continue; /* an indexed branch: a line does not say which of its targets */
          g_array_append_val (hint->instrs, instr);
          g_array_append_val (hint->targets, first);
        }
      return;
    }
  for (guint i = 0; i < hints->code->instrs->len; i++)
    {
      const IdgCodeInstr *instr = idg_code_get (hints->code, i);
      guint target = 0;

      if (!idg_place_is_decided (instr) || hints->flow->block_of[i] == IDG_FLOW_END)
        continue;
      if (hint->rest ? idg_place_leaves_loop (hints->flow, i) || !instr->has_guard
                     : !is_branch_called (hints->code, instr, name, &target))
        continue;
      if (!instr->has_guard && hint->hint != IDG_HINT_TAKEN)
        continue; /* it has one target, which is not the next instruction */
      g_array_append_val (hint->instrs, i);
      g_array_append_val (hint->targets, target);
    }
}

/* Returns "A, B, C" for an error: the targets of branches. */
static gchar *
list_branches (const IdgHints *hints)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GString *list = g_string_new (NULL);

  for (guint i = 0; i < hints->code->instrs->len && list->len < MAX_LIST; i++)
    {
      const IdgCodeInstr *instr = idg_code_get (hints->code, i);

      for (guint j = 0; idg_place_is_decided (instr) && j < MAX (instr->n_targets, 1); j++)
        {
          const gchar *name = instr->n_targets > 0 ? get_target (hints->code, instr, j) : NULL;
          gchar *shown = name != NULL ? g_strdup (*name == '$' ? name + 1 : name)
                                      : g_strdup_printf ("%d", instr->line);

          if (!g_hash_table_contains (seen, shown))
            g_string_append_printf (list, "%s%s", list->len > 0 ? ", " : "", shown);
          g_hash_table_add (seen, shown);
        }
    }
  return g_string_free (list, FALSE);
}

static gchar *
suggest_branches (const IdgHints *hints, const gchar *name)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < hints->code->instrs->len; i++)
    {
      const IdgCodeInstr *instr = idg_code_get (hints->code, i);
      gchar *shown;

      if (!idg_place_is_decided (instr) || instr->n_targets == 0)
        continue;
      shown = idg_place_name_target (hints->code, instr, 0);
      if (g_hash_table_contains (seen, shown))
        {
          g_free (shown);
          continue;
        }
      g_hash_table_add (seen, shown);
      g_ptr_array_add (names, shown);
    }
  return suggest (name, names);
}

static guint
count_copies (const guint *copies, const GArray *instrs, guint instr)
{
  guint n = 0;

  for (guint i = 0; i < instrs->len; i++)
    n += copies[g_array_index (instrs, guint, i)] == copies[instr];
  return n;
}

/* Returns "47 (to L__BB0_4), 66 (to L__BB0_7, and 3 copies)" for an error: the first of each
 * branch of the source. */
static gchar *
list_lines (const IdgHints *hints, const guint *copies, const GArray *instrs)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  GString *list = g_string_new (NULL);

  for (guint i = 0; i < instrs->len && list->len < MAX_LIST; i++)
    {
      guint at = g_array_index (instrs, guint, i);
      const IdgCodeInstr *instr = idg_code_get (hints->code, at);
      g_autofree gchar *target = idg_place_name_target (hints->code, instr, 0);
      guint n = count_copies (copies, instrs, at);

      if (!g_hash_table_add (seen, GUINT_TO_POINTER (copies[at] + 1)))
        continue;
      g_string_append_printf (list, "%s%d (to %s", list->len > 0 ? ", " : "", instr->line,
                              instr->n_targets > 0 ? target : "the end");
      if (n > 1)
        g_string_append_printf (list, ", and %u cop%s", n - 1, n > 2 ? "ies" : "y");
      g_string_append_c (list, ')');
    }
  return g_string_free (list, FALSE);
}

/* A line is no name of one branch if there are several on it that are not copies of one. */
static gboolean
check_line (const IdgHints *hints, const gchar *text, const gchar *name, const IdgBranchHint *hint,
            GError **error)
{
  g_autofree gchar *lines = NULL;
  g_autofree gchar *what = NULL;
  g_autofree guint *copies = NULL;
  gint line;

  if (hint->rest || hint->instrs->len < 2
      || !(idg_place_is_source (name) || parse_line (name, &line)))
    return TRUE;
  copies = idg_place_find_copies (hints->flow);
  if (idg_place_is_source (name)
      && count_copies (copies, hint->instrs, g_array_index (hint->instrs, guint, 0))
             == hint->instrs->len)
    return TRUE;
  lines = list_lines (hints, copies, hint->instrs);
  what = g_strdup_printf ("%u branches are on that line; expected the label of one, or its line "
                          "of the listing: %s",
                          hint->instrs->len, lines);
  return fail_option (hints, "branch", text, what, error);
}

static gboolean
add_branch (IdgHints *hints, const gchar *text, GError **error)
{
  IdgBranchHint *hint = g_new0 (IdgBranchHint, 1);
  IdgGivenHint *given = add_given (hints, "branch", text);
  g_autofree gchar *name = NULL;
  g_autofree gchar *branches = NULL;
  g_autofree gchar *near = NULL;
  g_autofree gchar *what = NULL;
  const gchar *value;
  gsize length;

  hint->instrs = g_array_new (FALSE, FALSE, sizeof (guint));
  hint->targets = g_array_new (FALSE, FALSE, sizeof (guint));
  g_ptr_array_add (hints->branches, hint);
  if (!split (text, &name, &value)
      || !parse_hint (value, length = strcspn (value, ":"), &hint->hint))
    return fail_option (hints, "branch", text,
                        "expected LABEL=taken, LABEL=not or LABEL=both, and then perhaps the warps "
                        "of the block, as in LABEL=taken:0-3; FILE:LINE may be in LABEL's place",
                        error);
  if (value[length] == ':' && (hint->warps = parse_warps (value + length + 1)) == NULL)
    return fail_option (hints, "branch", text,
                        "expected warps of the block after the colon, as in 0-3,7", error);
  hint->rest = strcmp (name, "all") == 0;
  find_branches (hints, name, hint);
  given->hint = hint->hint;
  if (!hint->rest)
    g_array_append_vals (given->instrs, hint->instrs->data, hint->instrs->len);
  if (hint->instrs->len > 0 || hint->rest)
    return check_line (hints, text, name, hint, error);
  branches = list_branches (hints);
  near = suggest_branches (hints, name);
  what = *branches != '\0' ? g_strdup_printf (
             "no conditional branch has that label or line%s; expected %s", near, branches)
                           : g_strdup_printf ("%s has no conditional branch", hints->code->name);
  return fail_option (hints, "branch", text, what, error);
}

/* ---- Contexts ---- */

/* Tells whether CONTEXT may be meant for INSTR, an access to memory: shared memory where it is
 * about bank conflicts, and no shared memory where it is about sectors or caches. */
static gboolean
suits_one (const IdgCodeInstr *instr, const gchar *context)
{
  if (g_str_has_prefix (context, "conflict"))
    return strstr (instr->op, ".shared") != NULL && strstr (instr->op, ".global") == NULL;
  if (g_str_has_prefix (context, "sectors") || g_str_has_prefix (context, "stride")
      || strcmp (context, "random") == 0 || strcmp (context, "l1") == 0
      || strcmp (context, "l2") == 0)
    return strstr (instr->op, ".shared") == NULL || strstr (instr->op, ".global") != NULL;
  return TRUE;
}

/* The same of a mix: each context of it may be meant. */
static gboolean
suits (const IdgCodeInstr *instr, const gchar *context)
{
  g_autoptr (GArray) parts = idg_mix_is_one (context) ? idg_mix_parse (context, NULL) : NULL;
  gboolean does = idg_place_is_access (instr);

  if (parts == NULL)
    return does && suits_one (instr, context);
  for (guint i = 0; i < parts->len; i++)
    {
      const IdgMixPart *part = &g_array_index (parts, IdgMixPart, i);

      does = does && (part->name == NULL || suits_one (instr, part->name));
    }
  return does;
}

static gboolean
add_context (IdgHints *hints, const gchar *text, GError **error)
{
  IdgGivenHint *given = add_given (hints, "context", text);
  g_autofree gchar *name = NULL;
  g_autofree gchar *wrong = NULL;
  const gchar *value;
  gint line = 0;
  gboolean is_source = FALSE;

  if (split (text, &name, &value))
    is_source = idg_place_is_source (name);
  if (name == NULL || (!is_source && !parse_line (name, &line)))
    return fail_option (hints, "context", text,
                        "expected LINE=NAME, LINE a line of the listing, or FILE:LINE=NAME, a line "
                        "of the source",
                        error);
  wrong = idg_xml_check_context (NULL, value);
  if (wrong != NULL)
    {
      g_autofree gchar *what = g_strdup_printf ("the context %s", wrong);

      return fail_option (hints, "context", text, what, error);
    }
  given->context = idg_mix_normalise (value);
  for (guint i = 0; i < hints->code->instrs->len; i++)
    {
      const IdgCodeInstr *instr = idg_code_get (hints->code, i);

      if (is_source ? !idg_place_matches (name, instr->source) || !suits (instr, value)
                    : instr->line != line)
        continue;
      hints->contexts[i] = given->context;
      g_array_append_val (given->instrs, i);
    }
  return given->instrs->len > 0
         || fail_option (hints, "context", text,
                         is_source ? "there is no access to memory on that line of the source that "
                                     "could have this context"
                                   : "there is no instruction on that line",
                         error);
}

/* Calls a function on each of TEXTS. Hints for `all` come last, for everything that no other hint
 * names. */
static gboolean
add_each (IdgHints *hints, const GPtrArray *texts,
          gboolean (*add) (IdgHints *, const gchar *, GError **), GError **error)
{
  for (guint pass = 0; pass < 2; pass++)
    for (guint i = 0; i < texts->len; i++)
      if (g_str_has_prefix (g_ptr_array_index (texts, i), "all=") == (pass == 1)
          && !add (hints, g_ptr_array_index (texts, i), error))
        return FALSE;
  return TRUE;
}

IdgHints *
idg_hints_new (const IdgCode *code, const IdgFlow *flow, const IdgImport *import, GError **error)
{
  g_autoptr (IdgHints) hints = g_new0 (IdgHints, 1);

  hints->code = code;
  hints->flow = flow;
  hints->branches = g_ptr_array_new_with_free_func (free_hint);
  hints->trips = g_new (gint64, code->instrs->len + 1);
  hints->source_trips = g_new (gint64, code->instrs->len + 1);
  hints->given = g_ptr_array_new_with_free_func (free_given);
  hints->other_trips = IDG_TRIPS_UNKNOWN;
  hints->contexts = g_new0 (const gchar *, code->instrs->len + 1);
  for (guint i = 0; i < code->instrs->len; i++)
    hints->trips[i] = hints->source_trips[i] = IDG_TRIPS_UNKNOWN;
  if (!add_each (hints, import->trips, add_trips, error)
      || !add_each (hints, import->branches, add_branch, error)
      || !add_each (hints, import->contexts, add_context, error))
    return NULL;
  idg_uniform_find (flow, hints->contexts);
  return g_steal_pointer (&hints);
}

void
idg_hints_free (IdgHints *hints)
{
  if (hints == NULL)
    return;
  g_ptr_array_unref (hints->branches);
  g_ptr_array_unref (hints->given);
  g_free (hints->trips);
  g_free (hints->source_trips);
  g_free (hints->contexts);
  g_free (hints);
}

gboolean
idg_hints_skips (const IdgHints *hints, guint first)
{
  gint64 trips = hints->trips[first];

  if (trips == IDG_TRIPS_UNKNOWN)
    trips = hints->source_trips[first];
  return (trips == IDG_TRIPS_UNKNOWN ? hints->other_trips : trips) == 0;
}
