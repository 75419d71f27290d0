/* SPDX-License-Identifier: MIT */
#include "exec/fold/wp-fold-shorten.h"

static guint64
get_pc (const GArray *steps, const IdgFoldClasses *code, guint i)
{
  return idg_fold_classes_get (code, g_array_index (steps, IdgFoldStep, i).class)->pc;
}

/* Returns the first place from FIRST on to which the warp goes back, END if there is none
 * before. */
static guint
find_back (const GArray *steps, const IdgFoldClasses *code, guint first, guint end)
{
  for (guint i = MAX (first, 1); i < end; i++)
    if (get_pc (steps, code, i) <= get_pc (steps, code, i - 1))
      return i;
  return end;
}

/* Returns the last such place before END. */
static guint
find_last_back (const GArray *steps, const IdgFoldClasses *code, guint end)
{
  for (guint i = end; i-- > 1;)
    if (get_pc (steps, code, i) <= get_pc (steps, code, i - 1))
      return i;
  return 0;
}

/* With all lanes: those of a round differ from those of the next, and now it follows itself. */
static void
append (GArray *steps, const GArray *from, guint first, guint end)
{
  for (guint i = first; i < end; i++)
    {
      IdgFoldStep step = g_array_index (from, IdgFoldStep, i);

      if (step.mask)
        step.mask = G_MAXUINT32;
      g_array_append_val (steps, step);
    }
}

gboolean
wp_fold_shorten (GArray *steps, const IdgFoldClasses *code, guint length)
{
  g_autoptr (GArray) copy = g_array_copy (steps);
  guint n = copy->len, first = find_back (copy, code, 1, n), last = find_last_back (copy, code, n);
  guint begin, end, times;

  if (first >= last || last - first <= length)
    return FALSE;
  begin = find_back (copy, code, first + (last - first - length) / 2, last);
  end = find_back (copy, code, MIN (begin + length, last), last);
  if (begin >= end)
    return FALSE;
  times = MAX ((last - first + (end - begin) / 2) / (end - begin), 1);
  g_array_set_size (steps, 0);
  append (steps, copy, 0, first);
  for (guint i = 0; i < times; i++)
    append (steps, copy, begin, end);
  append (steps, copy, last, n);
  return TRUE;
}
