/* SPDX-License-Identifier: MIT */
/* Names of places in a listing. */
#include "idg/import/flow/idg-places.h"

#include "idg/xml/idg-xml.h"

#include <string.h>

gboolean
idg_place_is_decided (const IdgCodeInstr *instr)
{
  return (instr->kind == IDG_CODE_BRANCH && (instr->has_guard || instr->n_targets > 1))
         || (instr->kind == IDG_CODE_EXIT && instr->has_guard);
}

gboolean
idg_place_leaves_loop (const IdgFlow *flow, guint instr)
{
  const IdgBlock *block = idg_flow_get_block (flow, flow->block_of[instr]);
  guint inside = 0;

  if (block->loop == IDG_FLOW_NONE)
    return FALSE;
  for (guint i = 0; i < block->n_next; i++)
    inside += idg_flow_is_in (flow, idg_flow_get_next (flow, block, i), block->loop);
  return inside > 0 && inside < block->n_next;
}

gboolean
idg_place_is_access (const IdgCodeInstr *instr)
{
  static const gchar *const accesses[] = { "ld.",       "st.",  "atom.", "red.",  "ldmatrix.",
                                           "stmatrix.", "tex.", "suld.", "sust.", "cp." };

  for (guint i = 0; instr->op != NULL && i < G_N_ELEMENTS (accesses); i++)
    if (g_str_has_prefix (instr->op, accesses[i]))
      return strstr (instr->op, ".param") == NULL && strstr (instr->op, ".const") == NULL;
  return FALSE;
}

/* ---- Sources ---- */

const gchar *
idg_place_get_source (const IdgCodeInstr *instr)
{
  return instr->source != NULL && !g_str_has_suffix (instr->source, ":0") ? instr->source : NULL;
}

const gchar *
idg_place_get_loop_source (const IdgFlow *flow, guint loop)
{
  guint header = idg_flow_get_loop (flow, loop)->header;
  const gchar *source = NULL;
  guint last = 0;

  for (guint i = flow->from_start[header]; i < flow->from_start[header + 1]; i++)
    {
      guint at = idg_flow_get_block (flow, flow->from[i])->last;
      const gchar *here = idg_place_get_source (idg_code_get (flow->code, at));

      if (!idg_flow_is_in (flow, flow->from[i], loop) || here == NULL || at < last)
        continue;
      source = here;
      last = at;
    }
  return source != NULL ? source
                        : idg_place_get_source (
                            idg_code_get (flow->code, idg_flow_get_block (flow, header)->first));
}

gboolean
idg_place_is_source (const gchar *given)
{
  const gchar *colon = strrchr (given, ':');
  guint64 line;

  return colon != NULL && colon > given && idg_xml_parse_whole (colon + 1, G_MAXINT, &line);
}

gboolean
idg_place_matches (const gchar *given, const gchar *source)
{
  g_autofree gchar *base = g_path_get_basename (given);

  return source != NULL && (strcmp (given, source) == 0 || strcmp (base, source) == 0);
}

GArray *
idg_place_find_loops (const IdgFlow *flow, const gchar *given)
{
  GArray *found = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint pass = 0; pass < 2 && found->len == 0; pass++)
    for (guint i = flow->loops->len; i-- > 0;)
      {
        guint first = idg_flow_get_block (flow, idg_flow_get_loop (flow, i)->header)->first;
        const gchar *source = pass == 0 ? idg_place_get_loop_source (flow, i)
                                        : idg_code_get (flow->code, first)->source;

        if (idg_place_matches (given, source))
          g_array_append_val (found, i);
      }
  return found;
}

GArray *
idg_place_find_branches (const IdgFlow *flow, const gchar *given)
{
  GArray *found = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint pass = 0; pass < 2 && found->len == 0; pass++)
    for (guint i = 0; i < flow->code->instrs->len; i++)
      {
        const IdgCodeInstr *instr = idg_code_get (flow->code, i);

        if (idg_place_is_decided (instr) && idg_place_matches (given, instr->source)
            && idg_flow_get_block (flow, flow->block_of[i])->order != IDG_FLOW_NONE
            && (pass == 1 || !idg_place_leaves_loop (flow, i)))
          g_array_append_val (found, i);
      }
  return found;
}

/* Tells whether the line SOURCE, "file.cu:12", may be of the body of the loop on the line LOOP: one
 * further on in its file. Others are of functions that it calls, and that may be called elsewhere.
 */
static gboolean
is_in_body (const gchar *source, const gchar *loop)
{
  const gchar *at = source != NULL ? strrchr (source, ':') : NULL;
  const gchar *of = loop != NULL ? strrchr (loop, ':') : NULL;

  return at != NULL && of != NULL && at - source == of - loop
         && strncmp (source, loop, (gsize)(at - source)) == 0
         && g_ascii_strtoull (at + 1, NULL, 10) > g_ascii_strtoull (of + 1, NULL, 10);
}

gboolean
idg_place_has_copies (const IdgFlow *flow, guint loop)
{
  const IdgCode *code = flow->code;
  const IdgLoop *l = idg_flow_get_loop (flow, loop);
  const gchar *line = idg_place_get_loop_source (flow, loop);
  g_autoptr (GHashTable) inside = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint pass = 0; line != NULL && pass < 2; pass++)
    for (guint i = 0; i < code->instrs->len; i++)
      {
        const IdgCodeInstr *instr = idg_code_get (code, i);
        gboolean is_in = idg_flow_is_in (flow, flow->block_of[i], loop);
        g_autofree gchar *key = NULL;

        if (is_in != (pass == 0) || !idg_place_is_access (instr)
            || !is_in_body (instr->source, line)
            || !idg_flow_is_in (flow, flow->block_of[i], l->parent))
          continue;
        key = g_strconcat (instr->op, " ", instr->source, NULL);
        if (pass == 1 && g_hash_table_contains (inside, key))
          return TRUE;
        if (pass == 0)
          g_hash_table_add (inside, g_steal_pointer (&key));
      }
  return FALSE;
}

/* ---- Labels ---- */

static gboolean
parse_address (const gchar *text, guint64 *address)
{
  gchar *end;

  if (!g_str_has_prefix (text, "0x") || !g_ascii_isxdigit (text[2]))
    return FALSE;
  *address = g_ascii_strtoull (text + 2, &end, 16);
  return *end == '\0';
}

gboolean
idg_place_is_label (const gchar *given, const gchar *name)
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

gchar *
idg_place_name_loop (const IdgFlow *flow, guint loop)
{
  guint first = idg_flow_get_block (flow, idg_flow_get_loop (flow, loop)->header)->first;
  const gchar *name = idg_flow_get_label (flow, first);

  if (name == NULL)
    return g_strdup_printf ("%d", idg_code_get (flow->code, first)->line);
  return g_strdup (*name == '$' ? name + 1 : name);
}

gchar *
idg_place_name_target (const IdgCode *code, const IdgCodeInstr *instr, guint i)
{
  const gchar *name;

  if (i >= instr->n_targets)
    return g_strdup_printf ("%d", instr->line);
  name = g_array_index (code->labels, IdgCodeLabel,
                        g_array_index (code->targets, guint, instr->first_target + i))
             .name;
  return g_strdup (*name == '$' ? name + 1 : name);
}

/* ---- The best name ---- */

static void
count (GHashTable *counts, const gchar *name)
{
  guint n;

  if (name == NULL)
    return;
  n = GPOINTER_TO_UINT (g_hash_table_lookup (counts, name));
  g_hash_table_insert (counts, (gpointer)name, GUINT_TO_POINTER (n + 1));
}

static guint
get_count (GHashTable *counts, const gchar *name)
{
  return name != NULL ? GPOINTER_TO_UINT (g_hash_table_lookup (counts, name)) : 0;
}

static const gchar *
get_target (const IdgCode *code, const IdgCodeInstr *instr)
{
  if (instr->n_targets == 0)
    return NULL;
  return g_array_index (code->labels, IdgCodeLabel,
                        g_array_index (code->targets, guint, instr->first_target))
      .name;
}

void
idg_place_counts_init (IdgPlaceCounts *counts, const IdgFlow *flow)
{
  const IdgCode *code = flow->code;

  counts->sources = g_hash_table_new (g_str_hash, g_str_equal);
  counts->exits = g_hash_table_new (g_str_hash, g_str_equal);
  counts->targets = g_hash_table_new (g_str_hash, g_str_equal);
  counts->loops = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; i < code->instrs->len; i++)
    {
      const IdgCodeInstr *instr = idg_code_get (code, i);

      if (!idg_place_is_decided (instr)
          || idg_flow_get_block (flow, flow->block_of[i])->order == IDG_FLOW_NONE)
        continue;
      count (counts->targets, get_target (code, instr));
      count (idg_place_leaves_loop (flow, i) ? counts->exits : counts->sources,
             idg_place_get_source (instr));
    }
  for (guint i = 0; i < flow->loops->len; i++)
    count (counts->loops, idg_place_get_loop_source (flow, i));
}

void
idg_place_counts_clear (IdgPlaceCounts *counts)
{
  g_clear_pointer (&counts->sources, g_hash_table_unref);
  g_clear_pointer (&counts->exits, g_hash_table_unref);
  g_clear_pointer (&counts->targets, g_hash_table_unref);
  g_clear_pointer (&counts->loops, g_hash_table_unref);
}

gchar *
idg_place_name_branch (const IdgFlow *flow, const IdgPlaceCounts *counts, guint instr)
{
  const IdgCodeInstr *branch = idg_code_get (flow->code, instr);
  const gchar *source = idg_place_get_source (branch);

  if (idg_place_leaves_loop (flow, instr)
          ? get_count (counts->exits, source) == 1 && get_count (counts->sources, source) == 0
          : get_count (counts->sources, source) == 1)
    return g_strdup (source);
  if (get_count (counts->targets, get_target (flow->code, branch)) == 1)
    return idg_place_name_target (flow->code, branch, 0);
  return g_strdup_printf ("%d", branch->line);
}

gchar *
idg_place_name_loop_best (const IdgFlow *flow, const IdgPlaceCounts *counts, guint loop, guint n)
{
  const gchar *source = idg_place_get_loop_source (flow, loop);

  return get_count (counts->loops, source) == n ? g_strdup (source)
                                                : idg_place_name_loop (flow, loop);
}
