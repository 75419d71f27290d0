/* SPDX-License-Identifier: MIT */
/* What a kernel says of an instruction. The file is without its folder: who shows the source looks
 * for it beside the kernel's own file, wherever it was compiled. */
#include "exec/fold/wp-fold-text.h"

/* Begins a text: "k.cu:12: ". */
static GString *
begin_text (const WpFoldInput *input, guint index)
{
  GString *text = g_string_new (NULL);
  const gchar *file = NULL;
  guint line = 0;

  if (input->find_line)
    input->find_line (input->line_data, index, &file, &line);
  if (file && line > 0)
    {
      g_autofree gchar *name = g_path_get_basename (file);

      g_string_append_printf (text, "%s:%u: ", name, line);
    }
  return text;
}

gchar *
wp_fold_make_text (const WpFoldInput *input, guint index)
{
  GString *text = begin_text (input, index);

  wp_sass_append (&input->instrs[index], text);
  return g_string_free (text, FALSE);
}

gchar *
wp_fold_make_fetch_text (const WpFoldInput *input, guint index, guint64 pc)
{
  GString *text = begin_text (input, index);

  g_string_append_printf (text, "code from 0x%" G_GINT64_MODIFIER "x on", pc);
  return g_string_free (text, FALSE);
}
