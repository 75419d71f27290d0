/* SPDX-License-Identifier: MIT */
#include "run/simulate/by-line.h"

#include <string.h>

/* What is being added up. */
typedef struct
{
  const IdgKernel *kernel;
  const WpResolved *resolved;
  const WpResult *result;
  const WpLineStalls *stalls;
  GArray *lines;      /* of WpLine */
  GHashTable *places; /* in lines, + 1, by "FILE:LINE" */
  gdouble *use;       /* [n_pipelines]: of all instructions, ticks */
  WpByLine *all;
} Adder;

static WpLine *
find_line (Adder *adder, const gchar *text)
{
  WpSourceLine source;
  WpLine line = { .line = 0 };
  g_autofree gchar *key = NULL;
  gpointer place;

  if (!wp_source_line_parse (text, &source))
    return NULL;
  key = g_strdup_printf ("%s:%u", source.file, source.line);
  place = g_hash_table_lookup (adder->places, key);
  if (place)
    g_free (source.file);
  else
    {
      line.file = source.file;
      line.line = source.line;
      line.use = g_new0 (gdouble, adder->all->n_pipelines + 1);
      g_array_append_val (adder->lines, line);
      place = GUINT_TO_POINTER (adder->lines->len);
      g_hash_table_insert (adder->places, g_steal_pointer (&key), place);
    }
  return &g_array_index (adder->lines, WpLine, GPOINTER_TO_UINT (place) - 1);
}

/* Adds the time that the COUNT executions of INSTR keep each pipeline. */
static void
add_use (gdouble *use, const WpMachine *machine, const WpInstr *instr, guint64 count)
{
  if (instr->cost->pipeline != WP_NO_PIPELINE)
    use[instr->cost->pipeline] += (gdouble)count * (gdouble)instr->cost->issue;
  for (guint32 i = 0; i < instr->cost->n_passes; i++)
    {
      const WpPass *pass = &machine->passes[instr->cost->first_pass + i];

      use[pass->pipeline] += (gdouble)count * (gdouble)pass->issue;
    }
}

static void
add_instr (Adder *adder, guint32 i, WpLine *line)
{
  const WpMachine *machine = &adder->resolved->machine;
  const WpInstr *instr = &machine->instrs[i];
  guint64 count = adder->result->counts[i];
  guint64 slots = count * MAX (instr->cost->slots, 1);

  adder->all->slots += slots;
  add_use (adder->use, machine, instr, count);
  if (line)
    {
      line->instructions += count;
      line->slots += slots;
      add_use (line->use, machine, instr, count);
    }
  for (WpCause cause = 0; adder->stalls && cause < WP_N_CAUSES; cause++)
    {
      WpSum ticks = wp_line_stalls_get (adder->stalls, i, cause);

      wp_sum_add_sum (&adder->all->stalled, ticks);
      if (line)
        {
          wp_sum_add_sum (&line->stalls[cause], ticks);
          wp_sum_add_sum (&line->stalled, ticks);
        }
    }
}

/* Makes use in ticks shares of what all instructions use of a pipeline. */
static void
find_shares (Adder *adder)
{
  for (guint32 p = 0; p < adder->all->n_pipelines; p++)
    for (guint i = 0; i < adder->lines->len; i++)
      {
        gdouble *use = &g_array_index (adder->lines, WpLine, i).use[p];

        *use = adder->use[p] > 0 ? *use / adder->use[p] : 0;
      }
}

/* Adds what was counted of accesses; of lines that no instruction has, nothing is said. */
static void
add_accesses (Adder *adder)
{
  const GArray *accesses = adder->kernel->accesses;

  for (guint i = 0; accesses && i < accesses->len; i++)
    {
      const IdgLineAccesses *one = &g_array_index (accesses, IdgLineAccesses, i);
      g_autofree gchar *name = g_path_get_basename (one->file);
      g_autofree gchar *key = g_strdup_printf ("%s:%u", name, one->line);
      guint place = GPOINTER_TO_UINT (g_hash_table_lookup (adder->places, key));

      if (place == 0)
        continue;
      g_array_index (adder->lines, WpLine, place - 1).accesses = *one;
      g_array_index (adder->lines, WpLine, place - 1).accesses.file = NULL;
    }
}

static gint
compare_lines (gconstpointer a, gconstpointer b)
{
  const WpLine *x = a, *y = b;
  gint order = strcmp (x->file, y->file);

  return order != 0 ? order : x->line < y->line ? -1 : x->line > y->line;
}

static void
add_sources (Adder *adder)
{
  WpSource *source = NULL;

  for (guint i = 0; i < adder->lines->len; i++)
    {
      WpLine *line = &g_array_index (adder->lines, WpLine, i);

      if (!source || strcmp (source->name, line->file) != 0)
        {
          wp_source_free (source);
          source = wp_source_read (adder->kernel, line->file);
        }
      line->source = g_strdup (wp_source_get_line (source, line->line));
    }
  wp_source_free (source);
}

WpByLine *
wp_by_line_new (const IdgKernel *kernel, const WpResolved *resolved, const WpResult *result,
                const WpLineStalls *stalls)
{
  WpByLine *all = g_new0 (WpByLine, 1);
  g_autoptr (GHashTable) places = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autofree gdouble *use = g_new0 (gdouble, resolved->machine.n_pipelines + 1);
  Adder adder = { kernel, resolved, result, stalls, NULL, places, use, all };

  adder.lines = g_array_new (FALSE, FALSE, sizeof (WpLine));
  all->n_pipelines = resolved->machine.n_pipelines;
  for (guint32 i = 0; i < resolved->machine.n_instrs; i++)
    add_instr (&adder, i, find_line (&adder, resolved->nodes[i]->text));
  find_shares (&adder);
  add_accesses (&adder);
  g_array_sort (adder.lines, compare_lines);
  add_sources (&adder);
  all->n = adder.lines->len;
  all->lines = (WpLine *)(void *)g_array_free (adder.lines, FALSE);
  return all;
}

void
wp_by_line_free (WpByLine *lines)
{
  if (!lines)
    return;
  for (guint i = 0; i < lines->n; i++)
    {
      g_free (lines->lines[i].file);
      g_free (lines->lines[i].source);
      g_free (lines->lines[i].use);
    }
  g_free (lines->lines);
  g_free (lines);
}

WpCause
wp_line_find_cause (const WpLine *line)
{
  WpCause most = 0;

  for (WpCause cause = 1; cause < WP_N_CAUSES; cause++)
    if (wp_sum_compare (line->stalls[cause], line->stalls[most]) > 0)
      most = cause;
  return most;
}
