/* SPDX-License-Identifier: MIT */
/* Looks up the user's hints about loops, branches and instructions in a listing. A hint that names
 * nothing in the listing is an error that lists what it could have named. */
#include "idg/import/flow/idg-hints.h"

#include "idg/import/base/idg-notes.h"
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

static gboolean
fail_option (const IdgHints *hints, const gchar *option, const gchar *value, const gchar *what,
             GError **error)
{
  g_autofree gchar *quoted = idg_xml_quote (value);

  return idg_import_fail (hints->code->file, 0, IDG_ERROR_VALUE, error, "--%s %s: %s", option,
                          quoted, what);
}

static gboolean
parse_address (const gchar *text, guint64 *address)
{
  gchar *end;

  if (!g_str_has_prefix (text, "0x") || !g_ascii_isxdigit (text[2]))
    return FALSE;
  *address = g_ascii_strtoull (text + 2, &end, 16);
  return *end == '\0';
}

/* Tells whether GIVEN names the label NAME. The `$` may be left out, and an address may have any
 * number of leading zeros. The text after an `@` distinguishes the instances of a function: if
 * GIVEN has one, it means only that instance. */
static gboolean
is_name_of (const gchar *given, const gchar *name)
{
  gsize length = strcspn (name, "@");
  guint64 a, b;

  if (parse_address (given, &a) && parse_address (name, &b))
    return a == b;
  if (*name == '$' && *given != '$')
    name++, length--;
  if (strcmp (given, name) == 0)
    return TRUE;
  return strncmp (given, name, length) == 0 && given[length] == '\0';
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

/* Returns "A, B and C" for an error: where loops begin. */
static gchar *
list_loops (const IdgHints *hints)
{
  GString *list = g_string_new (NULL);

  for (guint i = hints->flow->loops->len; i-- > 0 && list->len < MAX_LIST;)
    {
      const gchar *name = idg_flow_get_label (hints->flow, get_first (hints, i));

      g_string_append_printf (list, "%s%s", list->len > 0 ? ", " : "",
                              name == NULL   ? "?"
                              : *name == '$' ? name + 1
                                             : name);
    }
  return g_string_free (list, FALSE);
}

/* Sets the iterations of the loop that begins with INSTR. Returns FALSE if no loop does. */
static gboolean
set_trips (IdgHints *hints, guint instr, gint64 count)
{
  const IdgFlow *flow = hints->flow;
  guint b = flow->block_of[instr];
  guint loop = b != IDG_FLOW_END ? idg_flow_get_block (flow, b)->loop : IDG_FLOW_NONE;

  if (loop == IDG_FLOW_NONE || get_first (hints, loop) != instr)
    return FALSE;
  hints->trips[instr] = count;
  return TRUE;
}

/* Sets the iterations of all loops that NAME, a label or a line, refers to. Returns FALSE if there
 * are none. */
static gboolean
set_trips_of (IdgHints *hints, const gchar *name, gint64 count)
{
  const IdgCode *code = hints->code;
  gboolean found = FALSE;
  gint line;

  if (parse_line (name, &line))
    {
      for (guint i = 0; i < code->instrs->len; i++)
        if (idg_code_get (code, i)->line == line)
          found |= set_trips (hints, i, count);
      return found;
    }
  for (guint i = 0; i < code->labels->len; i++)
    {
      const IdgCodeLabel *label = &g_array_index (code->labels, IdgCodeLabel, i);

      if (label->instr != IDG_NO_TARGET && is_name_of (name, label->name))
        found |= set_trips (hints, label->instr, count);
    }
  return found;
}

static gboolean
add_trips (IdgHints *hints, const gchar *text, GError **error)
{
  g_autofree gchar *name = NULL;
  g_autofree gchar *loops = NULL;
  g_autofree gchar *what = NULL;
  const gchar *value;
  guint64 count;

  if (!split (text, &name, &value) || !idg_xml_parse_whole (value, IDG_MAX_COUNT, &count))
    return fail_option (hints, "trip", text,
                        "expected LABEL=N, with N a whole number up to 2147483647", error);
  if (strcmp (name, "all") == 0)
    {
      hints->other_trips = (gint64)count;
      return TRUE;
    }
  if (set_trips_of (hints, name, (gint64)count))
    return TRUE;
  loops = list_loops (hints);
  what = *loops != '\0' ? g_strdup_printf ("no loop begins there; loops begin at %s", loops)
                        : g_strdup_printf ("%s has no loops", hints->code->name);
  return fail_option (hints, "trip", text, what, error);
}

/* ---- Branches ---- */

static gboolean
is_decided (const IdgCodeInstr *instr)
{
  return (instr->kind == IDG_CODE_BRANCH && (instr->has_guard || instr->n_targets > 1))
         || (instr->kind == IDG_CODE_EXIT && instr->has_guard);
}

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
    if (is_name_of (name, get_target (code, instr, i)))
      {
        *target = i;
        return TRUE;
      }
  return FALSE;
}

/* Tells whether the branch at the end of INSTR's block leaves its innermost loop on one side only.
 */
static gboolean
leaves_loop (const IdgHints *hints, guint instr)
{
  const IdgFlow *flow = hints->flow;
  const IdgBlock *block = idg_flow_get_block (flow, flow->block_of[instr]);
  guint inside = 0;

  if (block->loop == IDG_FLOW_NONE)
    return FALSE;
  for (guint i = 0; i < block->n_next; i++)
    inside += idg_flow_is_in (flow, idg_flow_get_next (flow, block, i), block->loop);
  return inside > 0 && inside < block->n_next;
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
  for (guint i = 0; i < hints->code->instrs->len; i++)
    {
      const IdgCodeInstr *instr = idg_code_get (hints->code, i);
      guint target = 0;

      if (!is_decided (instr) || hints->flow->block_of[i] == IDG_FLOW_END)
        continue;
      if (hint->rest ? leaves_loop (hints, i) || !instr->has_guard
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

      for (guint j = 0; is_decided (instr) && j < MAX (instr->n_targets, 1); j++)
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

static gboolean
add_branch (IdgHints *hints, const gchar *text, GError **error)
{
  IdgBranchHint *hint = g_new0 (IdgBranchHint, 1);
  g_autofree gchar *name = NULL;
  g_autofree gchar *branches = NULL;
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
                        "of the block, as in LABEL=taken:0-3",
                        error);
  if (value[length] == ':' && (hint->warps = parse_warps (value + length + 1)) == NULL)
    return fail_option (hints, "branch", text,
                        "expected warps of the block after the colon, as in 0-3,7", error);
  hint->rest = strcmp (name, "all") == 0;
  find_branches (hints, name, hint);
  if (hint->instrs->len > 0 || hint->rest)
    return TRUE;
  branches = list_branches (hints);
  what = *branches != '\0' ? g_strdup_printf (
             "no conditional branch has that label or line; expected %s", branches)
                           : g_strdup_printf ("%s has no conditional branch", hints->code->name);
  return fail_option (hints, "branch", text, what, error);
}

/* ---- Contexts ---- */

static gboolean
add_context (IdgHints *hints, const gchar *text, GError **error)
{
  g_autofree gchar *name = NULL;
  g_autofree gchar *wrong = NULL;
  const gchar *value;
  gboolean found = FALSE;
  gint line;

  if (!split (text, &name, &value) || !parse_line (name, &line)
      || (wrong = idg_xml_check_name (NULL, value)) != NULL)
    return fail_option (hints, "context", text, "expected LINE=NAME, LINE a line of the listing",
                        error);
  for (guint i = 0; i < hints->code->instrs->len; i++)
    if (idg_code_get (hints->code, i)->line == line)
      {
        hints->contexts[i] = value;
        found = TRUE;
      }
  return found
         || fail_option (hints, "context", text, "there is no instruction on that line", error);
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
  hints->other_trips = IDG_TRIPS_UNKNOWN;
  hints->contexts = g_new0 (const gchar *, code->instrs->len + 1);
  for (guint i = 0; i < code->instrs->len; i++)
    hints->trips[i] = IDG_TRIPS_UNKNOWN;
  if (!add_each (hints, import->trips, add_trips, error)
      || !add_each (hints, import->branches, add_branch, error)
      || !add_each (hints, import->contexts, add_context, error))
    return NULL;
  return g_steal_pointer (&hints);
}

void
idg_hints_free (IdgHints *hints)
{
  if (hints == NULL)
    return;
  g_ptr_array_unref (hints->branches);
  g_free (hints->trips);
  g_free (hints->contexts);
  g_free (hints);
}
