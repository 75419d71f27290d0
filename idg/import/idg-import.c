/* SPDX-License-Identifier: MIT */
/* From a listing to a kernel: what the user told is looked up in the listing, each group of warps
 * that takes a way of its own gets a program of its own, and what nobody told is noted.
 */
#include "idg/import/idg-import.h"

#include "idg/import/flow/idg-layout.h"
#include "idg/import/idg-frontend.h"
#include "idg/xml/idg-xml.h"

#include <string.h>

#define DEFAULT_BLOCKS 1024
#define DEFAULT_THREADS 256
#define MAX_NAME 250 /* bytes */
#define MAX_LIST 400 /* bytes, of what an error lists */

IdgImport *
idg_import_new (void)
{
  IdgImport *import = g_new0 (IdgImport, 1);

  import->trips = g_ptr_array_new_with_free_func (g_free);
  import->branches = g_ptr_array_new_with_free_func (g_free);
  import->contexts = g_ptr_array_new_with_free_func (g_free);
  import->notes = g_ptr_array_new_with_free_func (g_free);
  import->noted = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  import->blocks = import->threads = import->registers = import->shared_memory = -1;
  return import;
}

void
idg_import_free (IdgImport *import)
{
  if (import == NULL)
    return;
  g_free (import->entry);
  g_free (import->ptxas_log);
  g_free (import->banks);
  g_ptr_array_unref (import->trips);
  g_ptr_array_unref (import->branches);
  g_ptr_array_unref (import->contexts);
  g_ptr_array_unref (import->notes);
  g_hash_table_unref (import->noted);
  g_free (import);
}

static gchar *
format_message (const gchar *file, gint line, const gchar *format, va_list list)
{
  g_autofree gchar *text = g_strdup_vprintf (format, list);

  return line > 0 ? g_strdup_printf ("%s:%d: %s", file, line, text)
                  : g_strdup_printf ("%s: %s", file, text);
}

void
idg_import_note (IdgImport *import, const gchar *file, gint line, const gchar *format, ...)
{
  g_autofree gchar *note = NULL;
  va_list list;

  va_start (list, format);
  note = format_message (file, line, format, list);
  va_end (list);
  if (g_hash_table_add (import->noted, g_strdup (note)))
    g_ptr_array_add (import->notes, g_steal_pointer (&note));
}

gboolean
idg_import_fail (const gchar *file, gint line, IdgError code, GError **error, const gchar *format,
                 ...)
{
  g_autofree gchar *text = NULL;
  va_list list;

  va_start (list, format);
  text = format_message (file, line, format, list);
  va_end (list);
  g_set_error_literal (error, IDG_ERROR, code, text);
  return FALSE;
}

gint
idg_import_choose_entry (const IdgImport *import, const gchar *file, const gchar *const *names,
                         gsize n, GError **error)
{
  g_autoptr (GString) list = g_string_new (NULL);
  gint found = -1;
  guint n_found = 0;

  for (gsize i = 0; i < n; i++)
    {
      if (list->len < MAX_LIST)
        g_string_append_printf (list, "%s%s", i > 0 ? ", " : "", names[i]);
      else if (!g_str_has_suffix (list->str, ", ..."))
        g_string_append (list, ", ...");
      if (import->entry == NULL ? n > 1 : strstr (names[i], import->entry) == NULL)
        continue;
      if (import->entry != NULL && strcmp (names[i], import->entry) == 0)
        return (gint)i;
      found = (gint)i;
      n_found++;
    }
  if (n_found == 1)
    return found;
  if (n == 0)
    idg_import_fail (file, 0, IDG_ERROR_VALUE, error, "there is no kernel in it");
  else if (import->entry == NULL)
    idg_import_fail (file, 0, IDG_ERROR_VALUE, error,
                     "there are %" G_GSIZE_FORMAT " kernels in it; --entry names one of %s", n,
                     list->str);
  else
    idg_import_fail (file, 0, IDG_ERROR_VALUE, error, "%s \"%s\"; there %s %s",
                     n_found > 1 ? "more than one kernel in it has a name with"
                                 : "no kernel in it is called",
                     import->entry, n > 1 ? "are" : "is", list->str);
  return -1;
}

/* ---- What was told ---- */

typedef struct
{
  GArray *instrs;  /* of guint */
  GArray *targets; /* of guint, of indexed branches; beside `instrs` */
  IdgHint hint;
  GArray *warps; /* of IdgRange; NULL: all */
  gboolean rest; /* told of `all`: of those that are not named */
} BranchHint;

typedef struct
{
  const IdgCode *code;
  const IdgFlow *flow;
  IdgImport *import;
  GPtrArray *branches; /* of BranchHint; later ones are of `all` */
  gint64 *trips;       /* by instruction */
  gint64 other_trips;
  const gchar **contexts; /* by instruction */
  GError **error;
} Telling;

static void
free_hint (gpointer data)
{
  BranchHint *hint = data;

  g_array_unref (hint->instrs);
  g_array_unref (hint->targets);
  g_clear_pointer (&hint->warps, g_array_unref);
  g_free (hint);
}

static gboolean
fail_option (const Telling *telling, const gchar *option, const gchar *value, const gchar *what)
{
  g_autofree gchar *quoted = idg_xml_quote (value);

  return idg_import_fail (telling->code->file, 0, IDG_ERROR_VALUE, telling->error, "--%s %s: %s",
                          option, quoted, what);
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

/* Whether GIVEN names the label NAME: with or without its `$`, an address with any number of zeros;
 * what follows an `@` tells apart the instances of a function, and names but one of them where it
 * is given, too. */
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
get_first (const Telling *telling, guint loop)
{
  guint header = idg_flow_get_loop (telling->flow, loop)->header;

  return idg_flow_get_block (telling->flow, header)->first;
}

/* "A, B and C" for an error: where loops begin. */
static gchar *
list_loops (const Telling *telling)
{
  GString *list = g_string_new (NULL);

  for (guint i = telling->flow->loops->len; i-- > 0 && list->len < MAX_LIST;)
    {
      const gchar *name = idg_flow_get_label (telling->flow, get_first (telling, i));

      g_string_append_printf (list, "%s%s", list->len > 0 ? ", " : "",
                              name == NULL   ? "?"
                              : *name == '$' ? name + 1
                                             : name);
    }
  return g_string_free (list, FALSE);
}

/* Sets the rounds of the loop that begins with INSTR, if one does. */
static gboolean
set_trips (Telling *telling, guint instr, gint64 count)
{
  const IdgFlow *flow = telling->flow;
  guint b = flow->block_of[instr];
  guint loop = b != IDG_FLOW_END ? idg_flow_get_block (flow, b)->loop : IDG_FLOW_NONE;

  if (loop == IDG_FLOW_NONE || get_first (telling, loop) != instr)
    return FALSE;
  telling->trips[instr] = count;
  return TRUE;
}

/* The same of all loops that NAME, a label or a line, means. */
static gboolean
set_trips_of (Telling *telling, const gchar *name, gint64 count)
{
  const IdgCode *code = telling->code;
  gboolean found = FALSE;
  gint line;

  if (parse_line (name, &line))
    {
      for (guint i = 0; i < code->instrs->len; i++)
        if (idg_code_get (code, i)->line == line)
          found |= set_trips (telling, i, count);
      return found;
    }
  for (guint i = 0; i < code->labels->len; i++)
    {
      const IdgCodeLabel *label = &g_array_index (code->labels, IdgCodeLabel, i);

      if (label->instr != IDG_NO_TARGET && is_name_of (name, label->name))
        found |= set_trips (telling, label->instr, count);
    }
  return found;
}

static gboolean
tell_trips (Telling *telling, const gchar *text)
{
  g_autofree gchar *name = NULL;
  g_autofree gchar *loops = NULL;
  g_autofree gchar *what = NULL;
  const gchar *value;
  guint64 count;

  if (!split (text, &name, &value) || !idg_xml_parse_whole (value, IDG_MAX_COUNT, &count))
    return fail_option (telling, "trip", text,
                        "expected LABEL=N, with N a whole number up to 2147483647");
  if (strcmp (name, "all") == 0)
    {
      telling->other_trips = (gint64)count;
      return TRUE;
    }
  if (set_trips_of (telling, name, (gint64)count))
    return TRUE;
  loops = list_loops (telling);
  what = *loops != '\0' ? g_strdup_printf ("no loop begins there; loops begin at %s", loops)
                        : g_strdup_printf ("%s has no loops", telling->code->name);
  return fail_option (telling, "trip", text, what);
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

/* Whether NAME is the branch INSTR: the label that it goes to, or its line. TARGET: which label. */
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

/* Whether the branch that ends the block of INSTR leaves the loop that it is in on one side only.
 */
static gboolean
leaves_loop (const Telling *telling, guint instr)
{
  const IdgFlow *flow = telling->flow;
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

/* "0-3,7". */
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
find_branches (const Telling *telling, const gchar *name, BranchHint *hint)
{
  for (guint i = 0; i < telling->code->instrs->len; i++)
    {
      const IdgCodeInstr *instr = idg_code_get (telling->code, i);
      guint target = 0;

      if (!is_decided (instr) || telling->flow->block_of[i] == IDG_FLOW_END)
        continue;
      if (hint->rest ? leaves_loop (telling, i) || !instr->has_guard
                     : !is_branch_called (telling->code, instr, name, &target))
        continue;
      if (!instr->has_guard && hint->hint != IDG_HINT_TAKEN)
        continue; /* it goes somewhere, and to one place */
      g_array_append_val (hint->instrs, i);
      g_array_append_val (hint->targets, target);
    }
}

/* "A, B, C" for an error: where branches go. */
static gchar *
list_branches (const Telling *telling)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GString *list = g_string_new (NULL);

  for (guint i = 0; i < telling->code->instrs->len && list->len < MAX_LIST; i++)
    {
      const IdgCodeInstr *instr = idg_code_get (telling->code, i);

      for (guint j = 0; is_decided (instr) && j < MAX (instr->n_targets, 1); j++)
        {
          const gchar *name = instr->n_targets > 0 ? get_target (telling->code, instr, j) : NULL;
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
tell_branch (Telling *telling, const gchar *text)
{
  BranchHint *hint = g_new0 (BranchHint, 1);
  g_autofree gchar *name = NULL;
  g_autofree gchar *branches = NULL;
  g_autofree gchar *what = NULL;
  const gchar *value;
  gsize length;

  hint->instrs = g_array_new (FALSE, FALSE, sizeof (guint));
  hint->targets = g_array_new (FALSE, FALSE, sizeof (guint));
  g_ptr_array_add (telling->branches, hint);
  if (!split (text, &name, &value)
      || !parse_hint (value, length = strcspn (value, ":"), &hint->hint))
    return fail_option (telling, "branch", text,
                        "expected LABEL=taken, LABEL=not or LABEL=both, and then perhaps the warps "
                        "of the block, as in LABEL=taken:0-3");
  if (value[length] == ':' && (hint->warps = parse_warps (value + length + 1)) == NULL)
    return fail_option (telling, "branch", text,
                        "expected warps of the block after the colon, as in 0-3,7");
  hint->rest = strcmp (name, "all") == 0;
  find_branches (telling, name, hint);
  if (hint->instrs->len > 0 || hint->rest)
    return TRUE;
  branches = list_branches (telling);
  what = *branches != '\0'
             ? g_strdup_printf ("no branch that could go either way goes there; such go to %s",
                                branches)
             : g_strdup_printf ("%s has no branch that could go either way", telling->code->name);
  return fail_option (telling, "branch", text, what);
}

/* ---- Contexts ---- */

static gboolean
tell_context (Telling *telling, const gchar *text)
{
  g_autofree gchar *name = NULL;
  g_autofree gchar *wrong = NULL;
  const gchar *value;
  gboolean found = FALSE;
  gint line;

  if (!split (text, &name, &value) || !parse_line (name, &line)
      || (wrong = idg_xml_check_name (NULL, value)) != NULL)
    return fail_option (telling, "context", text, "expected LINE=NAME, LINE a line of the listing");
  for (guint i = 0; i < telling->code->instrs->len; i++)
    if (idg_code_get (telling->code, i)->line == line)
      {
        telling->contexts[i] = value;
        found = TRUE;
      }
  return found || fail_option (telling, "context", text, "no instruction stands on that line");
}

/* What is told of all comes last, for the rest. */
static gboolean
tell_each (Telling *telling, GPtrArray *texts, gboolean (*tell) (Telling *, const gchar *))
{
  for (guint pass = 0; pass < 2; pass++)
    for (guint i = 0; i < texts->len; i++)
      if (g_str_has_prefix (g_ptr_array_index (texts, i), "all=") == (pass == 1)
          && !tell (telling, g_ptr_array_index (texts, i)))
        return FALSE;
  return TRUE;
}

/* ---- Groups of warps ---- */

typedef struct
{
  gchar *signature; /* which of the told branches it is among: "01..." */
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

/* The warps at which what was told changes; the first is 0. */
static GArray *
find_changes (const Telling *telling)
{
  GArray *changes = g_array_new (FALSE, FALSE, sizeof (guint64));
  guint64 first = 0;

  g_array_append_val (changes, first);
  for (guint i = 0; i < telling->branches->len; i++)
    {
      const BranchHint *hint = g_ptr_array_index (telling->branches, i);

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
find_groups (const Telling *telling)
{
  GPtrArray *groups = g_ptr_array_new_with_free_func (free_group);
  g_autoptr (GArray) changes = find_changes (telling);
  g_autoptr (GString) signature = g_string_new (NULL);

  for (guint i = 0; i < changes->len; i++)
    {
      IdgRange range = { g_array_index (changes, guint64, i), IDG_MAX_THREADS - 1 };

      if (i + 1 < changes->len)
        range.last = g_array_index (changes, guint64, i + 1) - 1;
      if (i + 1 < changes->len && range.last + 1 == range.first)
        continue;
      g_string_truncate (signature, 0);
      for (guint j = 0; j < telling->branches->len; j++)
        {
          const BranchHint *hint = g_ptr_array_index (telling->branches, j);

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

/* What was told, by name or of the REST, of the warps of GROUP themselves (AMONG), or of others:
 * these do the opposite. The first counts. */
static void
decide (const Telling *telling, const Group *group, gboolean rest, gboolean among, guint8 *branches,
        guint *targets)
{
  for (guint i = 0; i < telling->branches->len; i++)
    {
      const BranchHint *hint = g_ptr_array_index (telling->branches, i);

      if (hint->rest != rest || (group->signature[i] == '1') != among)
        continue;
      for (guint j = 0; j < hint->instrs->len; j++)
        {
          guint instr = g_array_index (hint->instrs, guint, j);
          gboolean has_opposite = idg_code_get (telling->code, instr)->has_guard;

          if (branches[instr] != IDG_HINT_NONE || (!among && !has_opposite))
            continue;
          branches[instr] = among ? hint->hint : get_opposite (hint->hint);
          targets[instr] = g_array_index (hint->targets, guint, j);
        }
    }
}

static IdgProgram *
make_program (const Telling *telling, const Group *group)
{
  guint n = telling->code->instrs->len;
  g_autofree guint8 *branches = g_new0 (guint8, n);
  g_autofree guint *targets = g_new0 (guint, n);
  IdgDecisions decisions = { branches, targets, telling->trips, telling->other_trips, FALSE };
  g_autoptr (GArray) steps = NULL;

  for (guint i = 0; i < telling->branches->len; i++)
    decisions.breaks_hint |= ((const BranchHint *)g_ptr_array_index (telling->branches, i))->rest;
  for (guint pass = 0; pass < 4; pass++)
    decide (telling, group, pass >= 2, pass % 2 == 0, branches, targets);
  steps = idg_walk (telling->flow, &decisions, telling->import, telling->error);
  return steps != NULL ? idg_lay_out (telling->code, steps, telling->contexts, telling->error)
                       : NULL;
}

static gboolean
add_programs (const Telling *telling, IdgKernel *kernel)
{
  g_autoptr (GPtrArray) groups = find_groups (telling);

  for (guint i = 0; i < groups->len; i++)
    {
      Group *group = g_ptr_array_index (groups, i);
      IdgProgram *program = make_program (telling, group);

      if (program == NULL)
        return FALSE;
      idg_kernel_add_program (kernel, program, NULL,
                              groups->len > 1 ? g_steal_pointer (&group->warps) : NULL, NULL, 0);
    }
  return TRUE;
}

/* ---- The launch ---- */

static gboolean
set_number (const Telling *telling, const gchar *what, gint64 hint, gint64 fallback, gint64 min,
            gint64 max, gint64 *value)
{
  *value = hint >= 0 ? hint : fallback;
  if (*value >= min && *value <= max)
    return TRUE;
  return idg_import_fail (telling->code->file, 0, IDG_ERROR_VALUE, telling->error,
                          "%s: %" G_GINT64_FORMAT " of %s; expected %" G_GINT64_FORMAT
                          " to %" G_GINT64_FORMAT,
                          telling->code->name, *value, what, min, max);
}

static gboolean
set_launch (const Telling *telling, IdgLaunch *launch)
{
  const IdgImport *import = telling->import;
  const IdgCode *code = telling->code;
  gint64 threads = code->threads > 0 ? code->threads : DEFAULT_THREADS;

  if (!set_number (telling, "blocks", import->blocks, DEFAULT_BLOCKS, 1, IDG_MAX_BLOCKS,
                   &launch->blocks)
      || !set_number (telling, "threads per block", import->threads, threads, 1, IDG_MAX_THREADS,
                      &launch->threads)
      || !set_number (telling, "registers per thread", import->registers, code->registers_used, 0,
                      IDG_MAX_REGISTERS, &launch->registers)
      || !set_number (telling, "bytes of shared memory per block", import->shared_memory,
                      code->shared_memory, 0, IDG_MAX_SHARED_MEMORY, &launch->shared_memory))
    return FALSE;
  if (import->blocks < 0 || (import->threads < 0 && code->threads == 0))
    idg_import_note (telling->import, code->file, 0,
                     "%s: launch assumed: %" G_GINT64_FORMAT " blocks of %" G_GINT64_FORMAT
                     " threads; --blocks and --threads set it",
                     code->name, launch->blocks, launch->threads);
  if (code->threads > 0 && launch->threads > code->threads)
    idg_import_note (telling->import, code->file, 0,
                     "%s: blocks of %" G_GINT64_FORMAT
                     " threads, where it has at most %" G_GINT64_FORMAT
                     " (.maxntid, .reqntid); no GPU would launch it",
                     code->name, launch->threads, code->threads);
  return TRUE;
}

/* A name of a kernel: C++ makes names that are longer, and files may have anything in them. */
gchar *
idg_import_make_name (const gchar *name)
{
  g_autofree gchar *text = idg_import_make_text (name);

  for (gchar *p = text; *p != '\0'; p++)
    if (strchr ("\",", *p) != NULL)
      *p = '?';
  if (strlen (text) > MAX_NAME)
    *g_utf8_find_prev_char (text, text + MAX_NAME + 1) = '\0';
  return text[strspn (text, " ")] != '\0' ? g_steal_pointer (&text) : g_strdup ("kernel");
}

gchar *
idg_import_make_text (const gchar *text)
{
  g_autofree gchar *valid = g_utf8_make_valid (text, -1);
  GString *made = g_string_new (NULL);

  for (const gchar *p = valid; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);

      if (g_unichar_isprint (c))
        g_string_append_unichar (made, c);
      else
        g_string_append_c (made, c < 0x80 ? ' ' : '?');
    }
  return g_string_free (made, FALSE);
}

IdgKernel *
idg_code_to_kernel (const IdgCode *code, IdgImport *import, GError **error)
{
  g_autofree gchar *name = idg_import_make_name (code->name);
  g_autoptr (IdgKernel) kernel = idg_kernel_new (name);
  g_autoptr (IdgFlow) flow = idg_flow_new (code, error);
  g_autoptr (GPtrArray) branches = g_ptr_array_new_with_free_func (free_hint);
  g_autofree gint64 *trips = g_new (gint64, code->instrs->len + 1);
  g_autofree const gchar **contexts = g_new0 (const gchar *, code->instrs->len + 1);
  Telling telling = { .code = code,
                      .flow = flow,
                      .import = import,
                      .branches = branches,
                      .trips = trips,
                      .other_trips = IDG_TRIPS_UNKNOWN,
                      .contexts = contexts,
                      .error = error };

  if (flow == NULL)
    return NULL;
  for (guint i = 0; i < code->instrs->len; i++)
    trips[i] = IDG_TRIPS_UNKNOWN;
  kernel->file = g_strdup (code->file);
  kernel->nearest_ops = TRUE;
  if (!tell_each (&telling, import->trips, tell_trips)
      || !tell_each (&telling, import->branches, tell_branch)
      || !tell_each (&telling, import->contexts, tell_context)
      || !set_launch (&telling, &kernel->launch) || !add_programs (&telling, kernel))
    return NULL;
  return g_steal_pointer (&kernel);
}
