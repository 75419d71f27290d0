/* SPDX-License-Identifier: MIT */
/* How often a warp executes an instruction follows from the repeats around it, and how many warps
 * do from the launch: no run is needed, and the order of a run changes nothing. */
#include "run/simulate/hotspots.h"

#include <string.h>

#include "idg/kernel/idg-mix.h"
#include "run/simulate/costly.h"
#include "run/simulate/source-line.h"

#define N_DESCRIBED 3  /* of the hotspots */
#define MIN_SHARE 0.02 /* less is not worth a word */
#define MAX_TEXT 40    /* characters of an instruction's text */

/* ---- How often ---- */

/* Warps of the launch by program; free with g_free(). */
static gdouble *
count_warps (const WpMachine *machine)
{
  gdouble *warps = g_new0 (gdouble, machine->n_programs);

  for (guint32 i = 0; i < machine->n_block_ranges; i++)
    {
      guint64 end = i + 1 < machine->n_block_ranges ? machine->block_ranges[i + 1].first_block
                                                    : machine->n_blocks;
      guint64 begin = MIN (machine->block_ranges[i].first_block, end);
      const WpRow *row = &machine->rows[machine->block_ranges[i].row];

      for (guint32 k = 0; k < row->n_segments; k++)
        {
          const WpSegment *segment = &machine->segments[row->first_segment + k];
          guint32 last = k + 1 < row->n_segments ? segment[1].first_warp : machine->warps_per_block;

          if (begin < machine->n_blocks)
            warps[segment->program]
                += (gdouble)(MIN (end, machine->n_blocks) - begin) * (last - segment->first_warp);
        }
    }
  return warps;
}

/* INSTR runs TIMES times; of a mix each for its part. */
static void
add_times (const WpMachine *machine, guint32 instr, gdouble times, gdouble *executions)
{
  const WpInstr *first = &machine->instrs[instr];

  if (first->cost->mix == 0)
    executions[instr] += times;
  for (guint32 i = 0; i < first->cost->mix; i++)
    executions[instr + i] += times * wp_instr_get_share (&first[i]);
}

/* Adds to EXECUTIONS how often WARPS warps of PROGRAM execute each instruction of the machine. */
static void
add_executions (const WpMachine *machine, const WpProgram *program, gdouble warps,
                gdouble *executions)
{
  gdouble times[IDG_MAX_DEPTH + 1] = { warps };
  guint depth = 0;

  for (guint32 i = 0; i < program->n_code; i++)
    {
      const WpCode *code = &machine->code[program->first_code + i];

      if (code->kind == WP_CODE_REPEAT)
        {
          times[depth + 1] = times[depth] * code->count;
          depth++;
        }
      else if (code->kind == WP_CODE_END)
        depth--;
      else
        add_times (machine, code->arg, times[depth], executions);
    }
}

/* Free with g_free(). */
static gdouble *
count_executions (const WpMachine *machine)
{
  gdouble *executions = g_new0 (gdouble, machine->n_instrs + 1);
  g_autofree gdouble *warps = count_warps (machine);

  for (guint32 p = 0; p < machine->n_programs; p++)
    add_executions (machine, &machine->programs[p], warps[p], executions);
  return executions;
}

/* ---- How much ---- */

/* How long what keeps PIPELINE for ISSUE, and makes TRANSACTIONS there, is in its way. */
static gdouble
measure_use (const WpPipelineDesc *pipeline, WpTick issue, guint32 transactions)
{
  if (pipeline->channels > 0 && transactions > 0)
    return (gdouble)pipeline->channel_issue * transactions / pipeline->channels;
  return (gdouble)issue;
}

/* The use that INSTR makes of pipeline P, or of its own: each time that it passes. */
static gdouble
add_up_use (const WpMachine *machine, const WpInstr *instr, guint32 p)
{
  const WpPipelineDesc *pipeline
      = &machine->pipelines[p == WP_NO_PIPELINE ? instr->cost->pipeline : p];
  gdouble use = 0;

  if (p == WP_NO_PIPELINE || instr->cost->pipeline == p)
    use = measure_use (pipeline, instr->cost->issue, instr->cost->transactions);
  for (guint32 k = 0; p != WP_NO_PIPELINE && k < instr->cost->n_passes; k++)
    {
      const WpPass *pass = &machine->passes[instr->cost->first_pass + k];

      if (pass->pipeline == p)
        use += measure_use (pipeline, pass->issue, pass->transactions);
    }
  return use;
}

/* Of an instruction's latency the last pipeline that it passes has all, as in reports. */
static gdouble
measure_instr (const WpMachine *machine, const WpInstr *instr, guint32 pipeline,
               WpHotMeasure measure)
{
  gboolean is_of
      = pipeline == WP_NO_PIPELINE || wp_instr_get_last_pipeline (machine, instr) == pipeline;

  switch (measure)
    {
    case WP_HOT_LATENCY:
      return !is_of || instr->cost->posted || instr->value == WP_NO_VALUE ? 0
                                                                          : (gdouble)instr->reach;
    case WP_HOT_SLOTS:
      return is_of ? instr->cost->slots : 0;
    default:
      return add_up_use (machine, instr, pipeline);
    }
}

static gboolean
are_alike (const IdgNode *a, const IdgNode *b)
{
  if (strcmp (a->op, b->op) != 0)
    return FALSE;
  return g_strcmp0 (a->context, b->context) == 0
         || (idg_mix_is_one (a->context) && idg_mix_is_one (b->context));
}

/* Adds to the hotspot that NODE belongs to, AMOUNT of its own. */
static void
add (GArray *hotspots, const IdgNode *node, gdouble amount)
{
  gdouble costly = amount * wp_costly_find_share (node->op, node->context);
  WpHotspot one = { .node = node, .amount = amount, .of_node = amount, .costly = costly, .n = 1 };

  for (guint i = 0; i < hotspots->len; i++)
    {
      WpHotspot *hotspot = &g_array_index (hotspots, WpHotspot, i);

      if (!are_alike (hotspot->node, node))
        continue;
      hotspot->amount += amount;
      hotspot->costly += costly;
      hotspot->n++;
      if (amount > hotspot->of_node)
        {
          hotspot->of_node = amount;
          hotspot->node = node;
        }
      return;
    }
  g_array_append_val (hotspots, one);
}

/* The most first; equal ones as they are written. */
static gint
compare (gconstpointer a, gconstpointer b)
{
  const WpHotspot *left = a, *right = b;

  if (left->amount != right->amount)
    return left->amount > right->amount ? -1 : 1;
  return left->node->line != right->node->line ? (left->node->line < right->node->line ? -1 : 1)
                                               : strcmp (left->node->op, right->node->op);
}

GArray *
wp_hotspots_find (const WpResolved *resolved, guint32 pipeline, WpHotMeasure measure)
{
  const WpMachine *machine = &resolved->machine;
  GArray *hotspots = g_array_new (FALSE, FALSE, sizeof (WpHotspot));
  g_autofree gdouble *executions = count_executions (machine);
  gdouble all = 0;

  for (guint32 i = 0, next; i < machine->n_instrs; i = next)
    {
      const WpInstr *instr = &machine->instrs[i];
      gdouble amount = 0;

      next = i + MAX (instr->cost->mix, 1); /* what a mix is made of is one instruction */
      if (instr->cost->pipeline == WP_NO_PIPELINE || resolved->nodes[i]->op == NULL)
        continue;
      for (guint32 part = i; part < next; part++)
        amount += executions[part]
                  * measure_instr (machine, &machine->instrs[part], pipeline, measure);
      all += amount;
      if (amount > 0)
        add (hotspots, resolved->nodes[i], amount);
    }
  for (guint i = 0; i < hotspots->len; i++)
    {
      WpHotspot *hotspot = &g_array_index (hotspots, WpHotspot, i);

      hotspot->share = hotspot->amount / all;
      hotspot->costly /= hotspot->amount;
    }
  g_array_sort (hotspots, compare);
  return hotspots;
}

/* ---- In words ---- */

/* Where NODE is: a line of the source, of FILE, or what is written there. */
static void
append_place (GString *text, const IdgNode *node, const gchar *file)
{
  g_autofree gchar *base = file != NULL ? g_path_get_basename (file) : NULL;
  WpSourceLine source;

  if (wp_source_line_parse (node->text, &source))
    {
      g_string_append_printf (text, "%s:%u", source.file, source.line);
      g_free (source.file);
    }
  else if (node->line > 0 && base != NULL)
    g_string_append_printf (text, "%s:%d", base, node->line);
  else if (node->text != NULL && g_utf8_strlen (node->text, -1) <= MAX_TEXT)
    g_string_append_printf (text, "\"%s\"", node->text);
  else
    g_string_append (text, "no line is known");
}

gchar *
wp_hotspots_describe (const GArray *hotspots, const gchar *file)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < MIN (hotspots->len, N_DESCRIBED); i++)
    {
      const WpHotspot *hotspot = &g_array_index (hotspots, WpHotspot, i);

      if (i > 0 && hotspot->share < MIN_SHARE)
        break;
      g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", hotspot->node->op);
      if (hotspot->node->context != NULL && !idg_mix_is_one (hotspot->node->context))
        g_string_append_printf (text, " %s", hotspot->node->context);
      g_string_append_printf (text, " (%.0f%%; ", 100 * hotspot->share);
      append_place (text, hotspot->node, file);
      if (hotspot->n > 1)
        g_string_append_printf (text, " and %u more", hotspot->n - 1);
      g_string_append_c (text, ')');
    }
  return g_string_free (text, hotspots->len == 0);
}
