/* SPDX-License-Identifier: MIT */
/* What functions that prepare a step ask of it. */
#include "exec/machine/wp-ops.h"

#include <string.h>

void
wp_step_run_nothing (G_GNUC_UNUSED WpWarp *warp, G_GNUC_UNUSED const WpStep *step,
                     G_GNUC_UNUSED guint32 mask)
{
}

gboolean
wp_step_prepare_nothing (WpStep *step, G_GNUC_UNUSED gchar **problem)
{
  step->run = wp_step_run_nothing;
  return TRUE;
}

gboolean
wp_step_refuse (const WpStep *step, gchar **problem)
{
  g_autoptr (GString) text = g_string_new (NULL);

  wp_sass_append (step->instr, text);
  *problem = g_strdup_printf ("'%s': this form of %s is not covered", text->str,
                              wp_sass_op_name (step->instr->op));
  return FALSE;
}

gboolean
wp_step_has_text (const WpStep *step, const gchar *word)
{
  for (guint k = 0; k < step->instr->n_words; k++)
    if (g_str_equal (wp_sass_word_text (step->instr->words[k]), word))
      return TRUE;
  return FALSE;
}

gboolean
wp_step_allow (const WpStep *step, gchar **problem, ...)
{
  guint n_allowed = 0;
  va_list texts;

  va_start (texts, problem);
  for (const gchar *text = va_arg (texts, const gchar *); text;
       text = va_arg (texts, const gchar *))
    for (guint k = 0; k < step->instr->n_words; k++)
      n_allowed += g_str_equal (wp_sass_word_text (step->instr->words[k]), text);
  va_end (texts);
  return n_allowed == step->instr->n_words || wp_step_refuse (step, problem);
}

gboolean
wp_step_check_words (const WpStep *step, gchar **problem, const WpSassWord *words)
{
  for (guint k = 0; k < step->instr->n_words; k++)
    {
      const WpSassWord *word = words;
      while (*word && *word != step->instr->words[k])
        word++;
      if (!*word)
        return wp_step_refuse (step, problem);
    }
  return TRUE;
}

gboolean
wp_step_get_value (const WpStep *step, guint k, guint64 *value)
{
  const WpSource *source = &step->sources[k];

  if (k >= step->n_sources || source->from != WP_FROM_ROW || wp_unknown (NULL, source))
    return FALSE;
  *value = source->row->lanes[0][0]
           | (source->n > 1 || source->is_immediate ? (guint64)source->row->lanes[1][0] << 32 : 0);
  return TRUE;
}

static void
fill_row (WpConstantRow *row, guint64 value)
{
  for (guint lane = 0; lane < WP_LANES; lane++)
    {
      row->lanes[0][lane] = (guint32)value;
      row->lanes[1][lane] = value >> 32;
    }
}

void
wp_step_set_value (WpStep *step, guint k, guint64 value)
{
  g_return_if_fail (step->sources[k].from == WP_FROM_ROW);

  fill_row (step->sources[k].row, value);
}

void
wp_step_set_words (WpStep *step, guint k, guint n)
{
  step->sources[k].n = n;
}

void
wp_step_fold_integers (WpStep *step)
{
  for (guint k = 0; k < step->n_sources; k++)
    {
      WpSource *source = &step->sources[k];
      guint32 scratch[WP_LANES];
      if (source->from != WP_FROM_ROW || (!source->negate && !source->invert))
        continue;
      memmove (source->row->lanes[0], wp_lanes_modified (NULL, source, 0, scratch), sizeof scratch);
      source->negate = source->invert = FALSE;
    }
}

void
wp_step_fold_singles (WpStep *step)
{
  for (guint k = 0; k < step->n_sources; k++)
    {
      WpSource *source = &step->sources[k];
      guint32 scratch[WP_LANES];
      if (source->from != WP_FROM_ROW || (!source->negate && !source->absolute))
        continue;
      memmove (source->row->lanes[0], wp_lanes_signed (NULL, source, scratch), sizeof scratch);
      source->negate = source->absolute = FALSE;
    }
}
